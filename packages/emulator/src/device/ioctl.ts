/**
 * How the driver takes an ioctl (amdkfd kfd_chardev.c kfd_ioctl): by number alone, with whatever size the caller was built
 * for. The kernel's own definition rules the direction; what the handler wrote is copied out also when it fails.
 */
import type { Fields, StructInit, StructLayout, StructValue } from '@doorbell/abi';
import { EFAULT } from './errno.js';
import type { Process } from './process.js';

/** `W`: user space writes, `R`: the kernel writes, `WR`: both. */
export type IoctlDirection = 'R' | 'W' | 'WR';

/** A handler's answer: 0 or a negative errno; a promise only from WAIT_EVENTS. */
export type IoctlStatus = number | Promise<number>;

export interface Ioctl {
  readonly sizeBytes: number;
  readonly direction: IoctlDirection;
  readonly run: (process: Process, arg: Uint8Array) => IoctlStatus;
}

/** What a handler gets: the argument as it came in, and a way to write fields that go out. */
export interface IoctlCall<F extends Fields> {
  readonly process: Process;
  readonly args: StructValue<F>;
  readonly put: (values: StructInit<F>) => void;
}

/** Binds a handler to the layout of its argument. */
export function defineIoctl<F extends Fields>(
  layout: StructLayout<F>,
  direction: IoctlDirection,
  handler: (call: IoctlCall<F>) => IoctlStatus,
): Ioctl {
  return {
    sizeBytes: layout.sizeBytes,
    direction,
    run: (process, arg) =>
      handler({
        process,
        args: layout.read(arg),
        put: (values): void => {
          layout.write(arg, values);
        },
      }),
  };
}

const IOC_NR_MASK = 0xff;
const IOC_TYPE_SHIFT = 8;
const IOC_SIZE_SHIFT = 16;
const IOC_SIZE_MASK = 0x3fff;

/** asm-generic/ioctl.h _IOC_NR, _IOC_TYPE, _IOC_SIZE. */
export function decodeRequest(request: number): { readonly type: number; readonly number: number; readonly sizeBytes: number } {
  return {
    type: (request >>> IOC_TYPE_SHIFT) & 0xff,
    number: request & IOC_NR_MASK,
    sizeBytes: (request >>> IOC_SIZE_SHIFT) & IOC_SIZE_MASK,
  };
}

/** Runs one ioctl over the caller's argument of `callerBytes` bytes. */
export function runIoctl(process: Process, ioctl: Ioctl, arg: Uint8Array, callerBytes: number): IoctlStatus {
  if (arg.byteLength < callerBytes) return -EFAULT;
  const kernel = new Uint8Array(Math.max(callerBytes, ioctl.sizeBytes));
  if (ioctl.direction !== 'R') kernel.set(arg.subarray(0, callerBytes));
  const copyOut = (status: number): number => {
    if (ioctl.direction !== 'W') arg.set(kernel.subarray(0, callerBytes));
    return status;
  };
  const status = ioctl.run(process, kernel);
  return typeof status === 'number' ? copyOut(status) : status.then(copyOut);
}
