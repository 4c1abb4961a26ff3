import { constants } from 'node:os';
import type { ErrorCode } from '@doorbell/abi';
import { HsaError } from '@doorbell/abi';

/** ENOTSUPP is a kernel-internal errno (include/linux/errno.h) that CREATE_QUEUE lets through to user space. */
const KERNEL_ERRNO: readonly (readonly [string, number])[] = [['ENOTSUPP', 524]];

const NAMES: ReadonlyMap<number, string> = new Map(
  // Reversed, so that of two names with one number (EAGAIN, EWOULDBLOCK) the first wins.
  [...Object.entries(constants.errno), ...KERNEL_ERRNO].reverse().map(([name, number]) => [number, name]),
);

/** Numbers of the errno values that this package tells apart. */
export const EPERM: number = constants.errno.EPERM;
export const ENOENT: number = constants.errno.ENOENT;
export const ESRCH: number = constants.errno.ESRCH;
export const EINTR: number = constants.errno.EINTR;
export const EIO: number = constants.errno.EIO;
export const ENXIO: number = constants.errno.ENXIO;
export const EBADF: number = constants.errno.EBADF;
export const EAGAIN: number = constants.errno.EAGAIN;
export const ENOMEM: number = constants.errno.ENOMEM;
export const EACCES: number = constants.errno.EACCES;
export const EFAULT: number = constants.errno.EFAULT;
export const EBUSY: number = constants.errno.EBUSY;
export const EEXIST: number = constants.errno.EEXIST;
export const ENODEV: number = constants.errno.ENODEV;
export const EISDIR: number = constants.errno.EISDIR;
export const EINVAL: number = constants.errno.EINVAL;
export const ENOTTY: number = constants.errno.ENOTTY;
export const ENOSPC: number = constants.errno.ENOSPC;
export const EADDRINUSE: number = constants.errno.EADDRINUSE;

/** The name of an errno number (`EACCES`), or `errno 4711` for one that has none. */
export function errnoName(errno: number): string {
  return NAMES.get(errno) ?? `errno ${errno}`;
}

/** Code, meaning and cure of single errno values in one call. */
export type ErrnoMeanings = Readonly<
  Record<number, { readonly code?: ErrorCode; readonly meaning?: string; readonly hint?: string }>
>;

/** What a failing system call was about. */
export interface SystemCallFailure {
  readonly code: ErrorCode;
  /** `ioctl CREATE_QUEUE`, `mmap`, `open`. */
  readonly call: string;
  readonly path: string;
  /** Positive. */
  readonly errno: number;
  /** What was being done: `creating a queue on GPU 0x1234`. */
  readonly doing: string;
  /** Meaning of this errno here, where it is known. */
  readonly meaning?: string | undefined;
  readonly hint?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** The typed error of a failing system call: errno by name and number, the call, the path. */
export function systemCallError(failure: SystemCallFailure): HsaError {
  const name = errnoName(failure.errno);
  const meaning = failure.meaning === undefined ? '' : `: ${failure.meaning}`;
  return new HsaError(failure.code, {
    message: `${failure.path}: ${failure.call} failed with ${name} (${failure.errno}) while ${failure.doing}${meaning}`,
    errno: failure.errno,
    ...(failure.hint === undefined ? {} : { hint: failure.hint }),
    details: { call: failure.call, path: failure.path, errno: name, ...failure.details },
  });
}
