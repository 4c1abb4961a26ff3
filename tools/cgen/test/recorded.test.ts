import { readFixture, RECORDED, TARGETS } from '@doorbell/cgen';
import { describe, expect, it } from 'vitest';
import { openSmallDevice, runDifferential } from './differential.js';

/** Each target runs its share, so that each function runs on a third of the targets; the sweep runs hundreds on all. */
const SHARES = 3;

describe('random C functions, recorded', () => {
  for (const [share, target] of TARGETS.entries()) {
    it(`give the host's results bit for bit on ${target}`, async () => {
      await using device = await openSmallDevice(target);
      for (const { seed, level, functions } of RECORDED) {
        const mine = Array.from({ length: functions }, (_, f) => f).filter((f) => (f + share) % SHARES === 0);
        expect([level, await runDifferential(device, readFixture(seed, target), mine)]).toEqual([level, []]);
      }
    });
  }
});
