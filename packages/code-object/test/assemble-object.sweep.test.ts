import { requireTool, skipReason } from '@doorbell/test-support';
import { describe, expect, it } from 'vitest';
import {
  ASSEMBLY_FOLDER,
  ASSEMBLY_SOURCES,
  clangObject,
  loadedHeaders,
  loadedSections,
  recordedObject,
} from './support/assembly.js';

const missing = skipReason('clang-22', 'ld.lld-22');

describe.skipIf(!requireTool('clang-22').available)(`recorded code objects${missing === '' ? '' : ` (${missing})`}`, () => {
  it.each(ASSEMBLY_SOURCES)('$file is what clang makes of it', ({ file, target }) => {
    const now = clangObject(ASSEMBLY_FOLDER + file, target);
    expect(loadedSections(recordedObject(file))).toEqual(loadedSections(now));
    expect(loadedHeaders(recordedObject(file))).toEqual(loadedHeaders(now));
  });
});
