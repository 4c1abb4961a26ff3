import { describe, expect, it } from 'vitest';
import { TARGETS } from '../semantics/support/encodings.js';
import { checkSample } from './check-opcode.js';
import { Random } from './harness.js';
import { findSamples } from './opcodes.js';

/** Each target takes its share of the names, so that nearly every name is there on some target; the sweep takes all on all. */
const SHARES = 10;

describe('compiled instructions are the evaluator’s', () => {
  it.each(TARGETS.map((target, share) => ({ ...target, share })))(
    'for one encoding of every tenth implemented instruction of $processor in wave$waveSize, in all formats',
    { timeout: 120_000 },
    ({ share, ...target }) => {
      const random = new Random(0xbeef);
      const samples = findSamples(target, 1, random, (name) => (hash(name) + share) % SHARES === 0);
      expect(samples.size).toBeGreaterThan(75);
      const failures = [...samples.values()]
        .flatMap((list) => list.map((sample) => checkSample(sample, target.waveSize, 3, random)))
        .filter((text) => text !== '');
      expect(failures).toEqual([]);
    },
  );
});

function hash(name: string): number {
  return [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7);
}
