import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { missing } from './client.js';
import { LIBHSAKMT, runContract } from './contract.js';

const reason = missing() || (existsSync(LIBHSAKMT) ? '' : `no ${LIBHSAKMT}`);

describe.skipIf(reason !== '')(`the contract of thunks over libhsakmt ${reason}`, () => {
  it('holds for opening, clocks, memory and events (all of it: contract.sweep.test.ts)', { timeout: 120_000 }, async () => {
    const { passed, failed } = await runContract('gfx1030', 'libhsakmt (opening|clocks|memory|events)');
    expect(failed).toEqual([]);
    expect(passed).toBeGreaterThanOrEqual(25);
  });
});
