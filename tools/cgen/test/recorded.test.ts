import { readFixture, RECORDED, TARGETS } from '@doorbell/cgen';
import { openDevice } from '@doorbell/runtime';
import { describe, expect, it } from 'vitest';
import { runDifferential } from './differential.js';

describe('random C functions, recorded', () => {
  for (const target of TARGETS) {
    it(`give the host's results bit for bit on ${target}`, { timeout: 60_000 }, async () => {
      await using device = await openDevice({ backend: 'emulated', isa: target });
      for (const { seed, level, functions } of RECORDED) {
        expect([level, await runDifferential(device, readFixture(seed, target), functions)]).toEqual([level, []]);
      }
    });
  }
});
