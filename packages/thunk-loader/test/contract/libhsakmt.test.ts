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
const OWN_DOORBELLS = 'libhsakmt maps doorbells itself';
const OWN_POINTERS = 'libhsakmt has pointers of its own for all but AQL queues';

/** What libhsakmt 5.2.3 cannot do, or the shim under it. */
const LACKS: Readonly<Record<string, string>> = {
  'settings of a GPU > takes a scratch area and a trap handler': 'libhsakmt sets the scratch area itself',
  'settings of a GPU > takes a memory policy': 'libhsakmt has it for Kaveri only',
  'settings of a GPU > announces no runtime when there are queues':
    'libhsakmt 5.2.3 announces the runtime by an ioctl that no kernel has',
  'memory > gives memory that is coherent for system-scope atomics, of both kinds': 'libhsakmt 5.2.3 has no flag for it',
  'memory > gives VRAM in one piece from interface version 1.16 on': 'libhsakmt 5.2.3 has no flag for it',
  'memory > tells free memory, which allocations take and give back': NO_FREE_MEMORY,
  'memory > loses nothing over many allocations in any order': NO_FREE_MEMORY,
  'doorbells and registers as memory > gives the doorbells to the GPU: the slice, and nothing else': OWN_DOORBELLS,
  'doorbells and registers as memory > gives the doorbells also while a queue uses them': OWN_DOORBELLS,
  'dma-bufs': NO_EXPORT,
  'shared virtual memory': 'the shim knows the memory of its client where it is registered, not where it is mapped',
  'events > count how often they were set, from interface version 1.14 on': NO_AGES,
  'events > count as set when the age is another one than the caller saw': NO_AGES,
  'queues > leave nothing behind when they are not created': NO_FREE_MEMORY,
  'queues > tell what they have saved when they are stopped':
    'libhsakmt keeps the save area in shared virtual memory, which the shim does not write',
  'queues > want an engine id for an engine that is named, and for no other': OWN_POINTERS,
  'queues > name no engine that is not there': OWN_POINTERS,
  ...Object.fromEntries(
    ['sdma', 'sdma-xgmi', 'pm4'].map((kind) => [`queues > are of kind ${kind}, or it is said that they cannot be`, OWN_POINTERS]),
  ),
  ...(gpus === 1
    ? {}
    : { 'several GPUs > count their VRAM apart': NO_FREE_MEMORY, 'several GPUs > import each other’s dma-bufs': NO_EXPORT }),
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
