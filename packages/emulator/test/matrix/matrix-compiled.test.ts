import { describe, expect, it } from 'vitest';
import { Random } from '../compile/harness.js';
import { firstDifference } from './check-compiled.js';
import { matrixCases } from './matrix-case.js';

const cases = matrixCases();
const targets = [...new Set(cases.map(({ processor }) => processor))];

describe('compiled matrix instructions are the evaluator’s', () => {
  it.each(targets)('on %s, 2 sets of registers each', (processor) => {
    const random = new Random(0x77);
    const own = cases.filter((item) => item.processor === processor);
    expect(own.map((item) => firstDifference(item, random, 2)).filter((text) => text !== '')).toEqual([]);
  });
});
