import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { missing } from './client.js';
import { CONTRACT, LIBHSAKMT, runTests } from './client-tests.js';

const reason = missing() || (existsSync(LIBHSAKMT) ? '' : `no ${LIBHSAKMT}`);

describe.skipIf(reason !== '')(`libhsakmt as a thunk ${reason}`, () => {
  it(
    'keeps the contract in opening, clocks, memory, events and arguments (all of it: libhsakmt.sweep.test.ts)',
    { timeout: 120_000 },
    async () => {
      const { passed, failed } = await runTests(['gfx1030'], {
        ...CONTRACT,
        only: 'libhsakmt (opening|clocks|memory|events|callers)',
      });
      expect(failed).toEqual([]);
      expect(passed).toBeGreaterThanOrEqual(31);
    },
  );
});
