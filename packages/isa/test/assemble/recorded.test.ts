import { describe, expect, it } from 'vitest';
import { GENERATIONS } from '../../../../tools/isa-generator/generate.mjs';
import { assembleToHex, isKnownAssemblyMiss, readAssemblyRecording } from '../support/assembly.js';

describe('against recorded answers of llvm-mc 22', () => {
  it.each(GENERATIONS)('makes the same bytes of the sample of %s', (generation) => {
    const recording = readAssemblyRecording(generation);
    const differences = recording.flatMap(([processor = '', waveSize, text = '', hex]) => {
      const ours = assembleToHex(text, processor, waveSize === '64' ? 64 : 32);
      return ours === hex || isKnownAssemblyMiss(generation, text)
        ? []
        : [`${processor}/${waveSize} ${text}: ${hex}, ours ${ours}`];
    });
    expect(recording.length).toBeGreaterThan(400);
    expect(differences).toEqual([]);
  });
});
