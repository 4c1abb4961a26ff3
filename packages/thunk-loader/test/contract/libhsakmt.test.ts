/** The contract over a real libhsakmt: a test of the shim starts it in a process that the shim is preloaded in. */
import type { SysfsSource } from '@doorbell/abi';
import { describe, it } from 'vitest';
import { openHsakmtThunk } from '../../src/hsakmt/hsakmt-thunk.js';
import { createLinuxSysfs } from '../../src/linux/sysfs.js';
import { describeThunk } from './thunk-contract.js';

const library = process.env['DOORBELL_TEST_LIBHSAKMT'];
const root = process.env['DOORBELL_TEST_ROOT'] ?? '';
const gpus = Number(process.env['DOORBELL_TEST_GPUS'] ?? 1);

const NO_FREE_MEMORY = 'libhsakmt 5.2.3 has no hsaKmtAvailableMemory';
const NO_EXPORT = 'libhsakmt 5.2.3 has no hsaKmtExportDMABufHandle';
const NO_AGES = 'libhsakmt 5.2.3 has no hsaKmtWaitOnMultipleEvents_Ext';
const OWN_POINTERS = 'libhsakmt has pointers of its own for all but AQL queues';

/** What libhsakmt 5.2.3 cannot do, or the shim under it. */
const LACKS: Readonly<Record<string, string>> = {
  'settings of a GPU > takes a scratch area': 'libhsakmt sets the scratch area itself',
  'settings of a GPU > takes a memory policy': 'libhsakmt has it for Kaveri only',
  'settings of a GPU > announces no runtime': 'libhsakmt 5.2.3 announces the runtime by an ioctl that no kernel has',
  'memory > gives memory that is coherent for system-scope': 'libhsakmt 5.2.3 has no flag for it',
  'memory > gives VRAM in one piece': 'libhsakmt 5.2.3 has no flag for it',
  'memory > tells free memory': NO_FREE_MEMORY,
  'memory > loses nothing': NO_FREE_MEMORY,
  'doorbells and registers as memory > gives the doorbells': 'libhsakmt maps doorbells itself',
  'dma-bufs': NO_EXPORT,
  'shared virtual memory': 'the shim knows the memory of its client where it is registered, not where it is mapped',
  'events > count': NO_AGES,
  'queues > leave nothing behind': NO_FREE_MEMORY,
  'queues > tell what they have saved': 'libhsakmt keeps the save area in shared virtual memory, which the shim does not write',
  'queues > want an engine id': OWN_POINTERS,
  'queues > name no engine': OWN_POINTERS,
  'queues > are of kind': OWN_POINTERS,
  'several GPUs > count their VRAM apart': NO_FREE_MEMORY,
  'several GPUs > import each other': NO_EXPORT,
};

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
    it.skip('needs a process of the shim (tools/kfd-shim/test/libhsakmt.test.ts)', () => undefined);
  });
} else {
  describeThunk(
    'libhsakmt',
    async () => ({ thunk: await openHsakmtThunk({ path: library, generation: 'A', sysfs: machineFiles() }) }),
    { lacks: LACKS, gpus },
  );
}
