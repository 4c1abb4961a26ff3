import { readFixture, RECORDED, TARGETS } from '@doorbell/cgen';
import { describe, expect, it } from 'vitest';
import { openSmallDevice, runDifferential } from './differential.js';

describe('random C functions, recorded', () => {
  for (const target of TARGETS) {
    it.each(RECORDED)(
      `of seed $seed at $level give the host's results bit for bit on ${target}`,
      async ({ seed, level, functions }) => {
        // Optimised code of -O0 is large, and takes longer to make than all the rest.
        await using device = await openSmallDevice(target, level === '-O0' ? 'baseline' : 'both');
        const all = Array.from({ length: functions }, (_, f) => f);
        expect(await runDifferential(device, readFixture(seed, target), all)).toEqual([]);
      },
    );
  }
});
