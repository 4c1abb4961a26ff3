import { describe, expect, it } from 'vitest';
import { TARGETS } from '../semantics/support/encodings.js';
import { checkSample } from './check-opcode.js';
import { Random } from './harness.js';
import { findSamples } from './opcodes.js';

/** Encodings of each instruction in each format, and random register sets of each. */
const ENCODINGS = 1;
const SETS = 256;

describe.each(TARGETS)('$processor wave$waveSize', (target) => {
  const random = new Random(0x5eed);
  const samples = [...findSamples(target, ENCODINGS, random)];
  it.each(samples)('%s', (name, list) => {
    // A wave of a vector instruction is one set for each lane.
    const runs = /^(?:SO|SMEM)/.test(name) ? SETS : SETS / 32;
    for (const sample of list) expect(checkSample(sample, target.waveSize, runs, random)).toBe('');
  });
});
