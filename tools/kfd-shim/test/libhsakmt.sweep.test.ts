import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { missing } from './client.js';
import { CONTRACT, LIBHSAKMT, runTests } from './client-tests.js';

const reason = missing() || (existsSync(LIBHSAKMT) ? '' : `no ${LIBHSAKMT}`);

describe.skipIf(reason !== '')(`libhsakmt as a thunk ${reason}`, () => {
  it.each([[['gfx90a']], [['gfx1030']], [['gfx90a', 'gfx90a']]])(
    'keeps the contract on %j but for what it lacks',
    async (processors) => {
      const { passed, failed } = await runTests(processors, CONTRACT);
      expect(failed).toEqual([]);
      expect(passed).toBeGreaterThanOrEqual(94);
    },
  );

  it('carries a kernel of the runtime', async () => {
    const { passed, failed } = await runTests(['gfx90a'], { workspace: 'packages/runtime', file: 'test/libhsakmt.test.ts' });
    expect({ passed, failed }).toEqual({ passed: 1, failed: [] });
  });
});
