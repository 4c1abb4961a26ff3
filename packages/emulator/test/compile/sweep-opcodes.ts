/** The sweep of all instructions of some targets: optimised and baseline code give what the evaluator gives. */
import { describe, expect, it } from 'vitest';
import { ALL_TARGETS } from '../semantics/support/encodings.js';
import { checkSample } from './check-opcode.js';
import { Random } from './harness.js';
import { findSamples } from './opcodes.js';

/** Encodings of each instruction in each format, each for a MODE of its own, and random register sets of all of them together. */
const ENCODINGS = 4;
const SETS = 1024;

export function sweepOpcodes(processors: RegExp): void {
  describe.each(ALL_TARGETS.filter(({ processor }) => processors.test(processor)))('$processor wave$waveSize', (target) => {
    const random = new Random(0x5eed);
    it.each([...findSamples(target, ENCODINGS, random)])('%s', (name, list) => {
      // A wave of a vector instruction is one set for each lane; where fewer encodings were found, each has more sets.
      const waves = /^(?:SO|SMEM)/.test(name) ? SETS : SETS / target.waveSize;
      const runs = Math.ceil(waves / list.length);
      expect(list.map((sample) => checkSample(sample, target.waveSize, runs, random)).filter((text) => text !== '')).toEqual([]);
    });
  });
}
