import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { missing } from './client.js';
import { CONTRACT, LIBHSAKMT, runTests } from './client-tests.js';

const reason = missing() || (existsSync(LIBHSAKMT) ? '' : `no ${LIBHSAKMT}`);

describe.skipIf(reason !== '')(`libhsakmt as a thunk ${reason}`, () => {
  it.each(['gfx90a', 'gfx1030'])('keeps the contract on %s but for what it lacks', async (processor) => {
    const { passed, failed, skipped } = await runTests(processor, CONTRACT);
    expect(failed).toEqual([]);
    expect([passed, skipped]).toEqual([94, 41]);
  });
});
