import { requireTool, skipReason } from '@doorbell/test-support';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { assembleObject } from '../src/index.js';
import {
  ASSEMBLY_FOLDER,
  ASSEMBLY_SOURCES,
  clangObject,
  loadedHeaders,
  loadedSections,
  recordedObject,
} from './support/assembly.js';
import { FIXTURE_FOLDER } from './support/fixtures.js';
import { compile } from './support/llvm.js';

const missing = skipReason('clang-22', 'ld.lld-22');

describe.skipIf(!requireTool('clang-22').available)(`recorded code objects${missing === '' ? '' : ` (${missing})`}`, () => {
  it.each(ASSEMBLY_SOURCES)('$file is what clang makes of it', ({ file, target }) => {
    const now = clangObject(ASSEMBLY_FOLDER + file, target);
    expect(loadedSections(recordedObject(file))).toEqual(loadedSections(now));
    expect(loadedHeaders(recordedObject(file))).toEqual(loadedHeaders(now));
  });
});

const COMPILED_FOR = ['gfx906', 'gfx90a', 'gfx942', 'gfx1010', 'gfx1030', 'gfx1100', 'gfx1201', 'gfx1250'];

describe.skipIf(!requireTool('clang-22').available)('what clang compiles to assembly', () => {
  it.each(COMPILED_FOR)('assembles for %s to what clang compiles to a code object', (target) => {
    const source = readFileSync(`${FIXTURE_FOLDER}kernels.cl`, 'utf8');
    const assembly = new TextDecoder().decode(compile(source, [`-mcpu=${target}`, '-O2', '-S']));
    const ours = assembleObject(assembly, { target });
    const clang = compile(source, [`-mcpu=${target}`, '-O2']);
    // Names of source files are not in assembly: the symbol tables differ by them.
    expect(loadedSections(ours)).toEqual(loadedSections(clang));
  });
});
