import { CASES, makeDifferential, TARGETS } from '@doorbell/cgen';
import { openDevice } from '@doorbell/runtime';
import { skipReason } from '@doorbell/test-support';
import { describe, expect, it } from 'vitest';
import { runDifferential } from './differential.js';

const missing = skipReason('clang-22', 'gcc');

const FUNCTIONS = 50;
/** Functions for each target: 100, and with DOORBELL_SOAK=1 2,000 others. Half of them at -O0. */
const [FIRST, PROGRAMS] = process.env['DOORBELL_SOAK'] === '1' ? [1000, 40] : [100, 2];

describe.skipIf(missing !== '')(`random C functions, compiled now${missing && ` (${missing})`}`, () => {
  for (const target of TARGETS) {
    for (let n = 0; n < PROGRAMS; n++) {
      const seed = FIRST + n;
      const [level, size] = n % 2 === 0 ? (['-O0', 'tiny'] as const) : (['-O3', 'small'] as const);
      it(`of seed ${seed} at ${level} give the host's results bit for bit on ${target}`, async () => {
        await using device = await openDevice({ backend: 'emulated', isa: target });
        const program = makeDifferential({ seed, functions: FUNCTIONS, cases: CASES, target, level, size });
        expect(await runDifferential(device, program, FUNCTIONS)).toEqual([]);
      });
    }
  }
});
