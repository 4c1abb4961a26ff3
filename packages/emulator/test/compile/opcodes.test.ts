import { describe, expect, it } from 'vitest';
import { checkSample } from './check-opcode.js';
import { Random } from './harness.js';
import { findSamples } from './opcodes.js';

describe('compiled instructions are the evaluator’s', () => {
  it('for one encoding of every implemented instruction of gfx1100', () => {
    const random = new Random(0xbeef);
    const samples = findSamples(32, 1, random);
    expect(samples.size).toBeGreaterThan(500);
    const failures = [...samples.values()]
      .flatMap((list) => list.map((sample) => checkSample(sample, 32, 2, random)))
      .filter((text) => text !== '');
    expect(failures).toEqual([]);
  });
});
