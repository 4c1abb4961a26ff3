/** The emulated device in Node. */
import type { EventSink } from '@doorbell/abi';
import type { EmulatedDevice } from '../device/emulated-device.js';
import { openEmulatedDevice } from '../device/open.js';
import type { OpenEmulatedDeviceOptions } from '../device/open.js';
import type { Host } from '../host.js';
import type { NodeHostOptions } from './node-host.js';
import { createNodeHost } from './node-host.js';
import { createSharedMemory } from './shared-memory.js';

/** What to emulate. */
export interface OpenNodeEmulatedDeviceOptions extends NodeHostOptions {
  /** Processor of the GPU, or of each of several; default `gfx1100`. */
  readonly processor?: string | readonly string[];
  /** NUMA nodes of the machine, and how its GPUs are linked; default: one, and PCIe. */
  readonly machine?: OpenEmulatedDeviceOptions['machine'];
  /** Minor version of the KFD interface that the driver speaks; default: 17. */
  readonly interfaceMinor?: number;
  /** Compute workers; default: `DOORBELL_WORKERS`, else one for each core. */
  readonly workers?: number;
  readonly events?: EventSink;
  /** When the device threads start; default: `when-needed`, see `openEmulatedDevice`. */
  readonly threads?: 'now' | 'when-needed';
}

/**
 * Opens an emulated GPU in this process; see `openEmulatedDevice`.
 *
 * @throws {HsaError} ERR_NOT_SUPPORTED, ERR_HOST, ERR_INVALID_ARGUMENT as `openEmulatedDevice`.
 * @example
 * await using device = await openNodeEmulatedDevice();
 * console.log(device.path);
 */
export async function openNodeEmulatedDevice({
  processor = 'gfx1100',
  machine,
  interfaceMinor,
  workers,
  events,
  threads,
  ...hostOptions
}: OpenNodeEmulatedDeviceOptions = {}): Promise<EmulatedDevice> {
  const host = await createHost(hostOptions, events);
  return openEmulatedDevice({ host, ...machineOptions({ processor, machine, interfaceMinor, workers, events, threads }) });
}

/** A device for another process, which maps {@link memoryFile}. */
export interface SharedEmulatedDevice {
  readonly device: EmulatedDevice;
  /** Descriptor of the memory that GPUs reach; offsets are those of {@link EmulatedDevice.memory}. The device closes it. */
  readonly memoryFile: number;
}

/**
 * Opens an emulated GPU for a process that has an address space of its own: it gives each buffer the address that it likes, maps the
 * memory file, and rings doorbells by plain stores.
 *
 * @throws {HsaError} as {@link openNodeEmulatedDevice}; ERR_HOST where memory cannot be shared.
 */
export async function openSharedEmulatedDevice({
  processor = 'gfx1100',
  machine,
  interfaceMinor,
  workers,
  events,
  threads,
  ...hostOptions
}: OpenNodeEmulatedDeviceOptions = {}): Promise<SharedEmulatedDevice> {
  const memory = createSharedMemory(await createHost(hostOptions, events));
  const options = {
    host: memory.host,
    ...machineOptions({ processor, machine, interfaceMinor, workers, events, threads }),
    client: { memory },
  };
  return { device: await openEmulatedDevice(options), memoryFile: memory.file };
}

async function createHost(hostOptions: NodeHostOptions, events: EventSink | undefined): Promise<Host> {
  const host = await createNodeHost(hostOptions);
  if (hostOptions.protection !== 'software' && host.protectPages === undefined) {
    events?.publish({
      source: 'emulator',
      name: 'no-page-protection',
      level: 'info',
      message:
        'pages cannot be protected here (no Linux, or no koffi): every access of a kernel checks the page table, which is slower',
      details: { platform: process.platform },
    });
  }
  return host;
}

function machineOptions({
  processor,
  machine,
  interfaceMinor,
  workers,
  events,
  threads,
}: Required<Pick<OpenNodeEmulatedDeviceOptions, 'processor'>> & {
  readonly machine: OpenEmulatedDeviceOptions['machine'];
  readonly interfaceMinor: number | undefined;
  readonly workers: number | undefined;
  readonly events: EventSink | undefined;
  readonly threads: OpenEmulatedDeviceOptions['threads'];
}): Omit<OpenEmulatedDeviceOptions, 'host'> {
  return {
    processor,
    ...(machine === undefined ? {} : { machine }),
    ...(interfaceMinor === undefined ? {} : { interfaceMinor }),
    ...(workers === undefined ? {} : { workers }),
    ...(events === undefined ? {} : { events }),
    ...(threads === undefined ? {} : { threads }),
  };
}
