/** The contract over a real libhsakmt: a test of the shim starts it in a process that the shim is preloaded in. */
import type { SysfsSource } from '@doorbell/abi';
import { describe, it } from 'vitest';
import { openHsakmtThunk } from '../../src/hsakmt/hsakmt-thunk.js';
import { createLinuxSysfs } from '../../src/linux/sysfs.js';
import { describeThunk } from './thunk-contract.js';

const library = process.env['DOORBELL_TEST_LIBHSAKMT'];
const root = process.env['DOORBELL_TEST_ROOT'] ?? '';

/** The files of the emulated machine: Node reads folders in a way that the shim does not see. */
function machineFiles(): SysfsSource {
  const files = createLinuxSysfs();
  return {
    readText: (path) => files.readText(root + path),
    list: (path) => files.list(root + path),
    stat: (path) => files.stat(root + path),
    readLink: (path) => files.readLink(root + path),
  };
}

if (library === undefined) {
  describe('thunk contract: libhsakmt', () => {
    it.skip('needs a process of the shim (tools/kfd-shim/test/contract.test.ts)', () => undefined);
  });
} else {
  describeThunk('libhsakmt', async () => ({
    thunk: await openHsakmtThunk({ path: library, generation: 'A', sysfs: machineFiles() }),
  }));
}
