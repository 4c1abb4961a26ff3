import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { missing } from './client.js';
import { LIBHSAKMT, runContract } from './contract.js';

const reason = missing() || (existsSync(LIBHSAKMT) ? '' : `no ${LIBHSAKMT}`);

describe.skipIf(reason !== '')(`the contract of thunks over libhsakmt ${reason}`, () => {
  it.each(['gfx90a', 'gfx1030'])('holds on %s but for what libhsakmt lacks', async (processor) => {
    const { passed, failed, skipped } = await runContract(processor);
    expect(failed).toEqual([]);
    expect([passed, skipped]).toEqual([94, 41]);
  });
});
