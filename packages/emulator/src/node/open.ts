/** The emulated device in Node. */
import type { EventSink } from '@doorbell/abi';
import type { EmulatedDevice } from '../device/emulated-device.js';
import { openEmulatedDevice } from '../device/open.js';
import type { NodeHostOptions } from './node-host.js';
import { createNodeHost } from './node-host.js';

/** What to emulate. */
export interface OpenNodeEmulatedDeviceOptions extends NodeHostOptions {
  /** Processor of the GPU; default `gfx1100`. */
  readonly processor?: string;
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
  workers,
  events,
  threads,
  ...hostOptions
}: OpenNodeEmulatedDeviceOptions = {}): Promise<EmulatedDevice> {
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
  return openEmulatedDevice({
    host,
    processor,
    ...(workers === undefined ? {} : { workers }),
    ...(events === undefined ? {} : { events }),
    ...(threads === undefined ? {} : { threads }),
  });
}
