import { describe, expect, it } from 'vitest';
import { checkSample } from './check-opcode.js';
import { Random } from './harness.js';
import { findSamples } from './opcodes.js';

describe.each([32, 64] as const)('wave%i', (waveSize) => {
  const random = new Random(0x5eed);
  const samples = [...findSamples(waveSize, 4, random)];
  it.each(samples)('%s', (_name, list) => {
    // Four encodings, 320 sets each at least.
    for (const sample of list) expect(checkSample(sample, waveSize, 12, random)).toBe('');
  });
});
