/** The two functions that find devices. What they need is loaded when they are called, while a thread of the emulated GPU starts. */
import { startSpareWorker } from '@doorbell/emulator/spare-worker';
import { existsSync } from 'node:fs';
import type { DeviceChoice } from './device-choice.js';
import { chooseDevice, requireBackend } from './device-choice.js';
import type { Backend, Device, DeviceInfo, OpenDeviceOptions } from './types.js';

/**
 * Opens a GPU: the discrete one with the largest VRAM, else the emulated one. Dispose the device when done.
 * @throws {HsaError} for a named backend that is not there: ERR_KFD_MISSING, ERR_KFD_PERMISSION, …; ERR_NO_DEVICE for an index or
 * target that no device has; ERR_ABORTED.
 * @example
 * await using device = await openDevice();
 */
export async function openDevice(options: OpenDeviceOptions = {}): Promise<Device> {
  const choice = chooseDevice(options, process.env);
  if (isEmulated(choice)) startSpareWorker();
  const { openChosenDevice } = await import('./open-device.js');
  return openChosenDevice(choice, options.signal);
}

/**
 * Lists what {@link openDevice} could open, real GPUs first, then the emulated one. Nothing missing makes it throw: what is not
 * there is not listed.
 */
export async function listDevices({ backend = 'auto' }: { readonly backend?: Backend } = {}): Promise<readonly DeviceInfo[]> {
  requireBackend(backend);
  const { listDevicesOf } = await import('./open-device.js');
  return listDevicesOf(backend);
}

/** Drivers of real GPUs: Linux amdkfd, and WSL. */
const DEVICE_FILES = ['/dev/kfd', '/dev/dxg'];

/** Whether the device will be the emulated one, as far as a look tells. */
function isEmulated({ backend }: DeviceChoice): boolean {
  return backend === 'emulated' || (backend === 'auto' && !DEVICE_FILES.some((path) => existsSync(path)));
}
