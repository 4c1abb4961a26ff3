import { FUNCTIONS, readFixture, RECORDED } from '@doorbell/cgen';
import { openDevice } from '@doorbell/runtime';
import { describe, expect, it } from 'vitest';
import { runDifferential } from './differential.js';

describe('200 random C functions, recorded', () => {
  for (const { seed, level } of RECORDED) {
    it(`seed ${seed} at ${level} gives the host's results bit for bit`, { timeout: 60_000 }, async () => {
      await using device = await openDevice({ backend: 'emulated', isa: 'gfx1100' });
      expect(await runDifferential(device, readFixture(seed), FUNCTIONS)).toEqual([]);
    });
  }
});
