/** Device files other than `/dev/kfd`: opened to ask what is behind them, and closed again. */
import type { HostBuffer, SysfsResult } from '@doorbell/abi';
import { errnoName } from '../errno.js';
import { loadLibc, O } from './libc.js';

/** An open device file; disposing it closes it. */
export interface DeviceFile extends Disposable {
  /** 0, or a negative errno. */
  ioctl(request: number, arg: Uint8Array): number;
  /** Memory that an ioctl argument can point to. */
  hostBuffer(sizeBytes: number): HostBuffer;
}

/** Opens a device file for reading and writing, or says with which errno that failed. */
export type DeviceOpener = (path: string) => SysfsResult<DeviceFile>;

/**
 * Opens a device file of this machine.
 *
 * @throws {HsaError} ERR_NATIVE_MODULE when koffi is not there, ERR_NOT_SUPPORTED on other systems than Linux.
 */
export function openDeviceFile(path: string): SysfsResult<DeviceFile> {
  const libc = loadLibc();
  const fd = libc.open(path, O.RDWR | O.CLOEXEC);
  if (fd < 0) return { ok: false, errno: errnoName(-fd) };
  let isOpen = true;
  return {
    ok: true,
    value: {
      ioctl: (request, arg) => libc.ioctl(fd, request, arg),
      hostBuffer(sizeBytes) {
        // An ArrayBuffer made as such lies outside the JavaScript heap and does not move.
        const buffer = new ArrayBuffer(sizeBytes);
        return { address: libc.addressOf(buffer), bytes: new Uint8Array(buffer), [Symbol.dispose]: () => undefined };
      },
      [Symbol.dispose]() {
        if (isOpen) libc.close(fd);
        isOpen = false;
      },
    },
  };
}
