import { describe, expect, it } from 'vitest';
import { assembleObject, parseCodeObject } from '../src/index.js';
import { ASSEMBLY_SOURCES, assemblySource, loadedHeaders, loadedSections, recordedObject } from './support/assembly.js';

describe('assembleObject makes of hand-written kernels what clang 22 makes of them', () => {
  for (const { file, target } of ASSEMBLY_SOURCES) {
    it(`${file}: sections, symbols and metadata`, () => {
      const ours = assembleObject(assemblySource(file), { target });
      const clang = recordedObject(file);
      expect(loadedSections(ours)).toEqual(loadedSections(clang));
      expect(loadedHeaders(ours)).toEqual(loadedHeaders(clang));
      const [a, b] = [parseCodeObject(ours), parseCodeObject(clang)];
      expect(a.metadata).toEqual(b.metadata);
      expect(a.kernels.map(({ descriptor }) => descriptor)).toEqual(b.kernels.map(({ descriptor }) => descriptor));
      expect(a.kernels.length).toBeGreaterThan(0);
    });
  }
});
