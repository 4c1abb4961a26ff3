import { CASES, FUNCTIONS, makeDifferential } from '@doorbell/cgen';
import { openDevice } from '@doorbell/runtime';
import { requireTool, skipReason } from '@doorbell/test-support';
import { describe, expect, it } from 'vitest';
import { runDifferential } from './differential.js';

const missing = requireTool('clang-22').available && requireTool('gcc').available ? '' : skipReason('clang-22', 'gcc');

describe.skipIf(missing !== '')(`random C functions, compiled now${missing && ` (${missing})`}`, () => {
  for (const [index, level] of ['-O1', '-O2', '-O3', '-O1', '-O2', '-O3'].entries()) {
    const seed = 100 + index;
    it(`seed ${seed} at ${level} gives the host's results bit for bit`, async () => {
      await using device = await openDevice({ backend: 'emulated', isa: 'gfx1100' });
      const program = makeDifferential({ seed, functions: FUNCTIONS, cases: CASES, target: 'gfx1100', level });
      expect(await runDifferential(device, program, FUNCTIONS)).toEqual([]);
    });
  }
});
