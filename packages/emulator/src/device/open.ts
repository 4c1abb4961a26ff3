/** Opens an emulated machine with its device threads. */
import type { EventSink } from '@doorbell/abi';
import type { Host } from '../host.js';
import type { GpuLinks } from '../sysfs/index.js';
import { describeMachine } from '../sysfs/index.js';
import type { MemorySource } from './memory-pool.js';
import type { EmulatedDevice } from './emulated-device.js';
import { openDevice } from './emulated-device.js';
import { codeChoiceOf, WorkerThreads, workerCountOf } from './worker-threads.js';

/** What to emulate, and in what environment. */
export interface OpenEmulatedDeviceOptions {
  readonly host: Host;
  /** Processor of the one GPU (`gfx1100`, …), or of each of several. */
  readonly processor: string | readonly string[];
  /** NUMA nodes of the machine, and how its GPUs are linked; default: one, and PCIe. */
  readonly machine?: { readonly cpuNodes?: number; readonly links?: GpuLinks };
  /** Minor version of the KFD interface that the driver speaks; default: 17. */
  readonly interfaceMinor?: number;
  /** Compute workers; default: `DOORBELL_WORKERS`, else one for each core. */
  readonly workers?: number;
  /** Hears of faults and of a lost device. */
  readonly events?: EventSink;
  /** When the device threads start: `now`, to be ready when they are needed, or with the first queue or VRAM buffer (the default). */
  readonly threads?: 'now' | 'when-needed';
  /** The device serves a client that has an address space of its own, and that rings doorbells by plain stores. Default: no such client. */
  readonly client?: { readonly memory: MemorySource };
}

/**
 * Opens an emulated GPU behind an emulated `/dev/kfd`. Its threads end when it is disposed; whoever opens it disposes it.
 *
 * @throws {HsaError} ERR_NOT_SUPPORTED for a processor without captured data, ERR_HOST where memory or threads are not to be
 * had, ERR_INVALID_ARGUMENT for a wrong number of workers or kind of code.
 */
export function openEmulatedDevice({
  host,
  processor,
  machine: shape = {},
  interfaceMinor,
  workers,
  events,
  threads = 'when-needed',
  client,
}: OpenEmulatedDeviceOptions): Promise<EmulatedDevice> {
  // Started from a promise, so that every failure is a rejection.
  return Promise.resolve().then(() => {
    const machine = describeMachine({ ...shape, gpus: typeof processor === 'string' ? [processor] : processor });
    const workerCount = workerCountOf(workers, host);
    const code = codeChoiceOf(host);
    return openDevice({
      host,
      machine,
      interfaceMinor,
      events,
      threads,
      ...(client === undefined ? {} : { addresses: 'scattered', memory: client.memory }),
      createThreads: ({ views, onCrash }) =>
        new WorkerThreads({
          host,
          machine,
          views,
          workerCount,
          code,
          onCrash,
          doorbells: client === undefined ? 'called' : 'stored',
        }),
    });
  });
}
