import type { ErrorCode, Fields, KfdDevice, StructInit, StructLayout, StructValue } from '@doorbell/abi';
import type { HsaError } from '@doorbell/abi';
import type { ErrnoMeanings } from '../errno.js';
import { EAGAIN, EINTR, systemCallError } from '../errno.js';

/** One ioctl: its name without AMDKFD_IOC_, number and argument structure. */
export interface Ioctl<F extends Fields> {
  readonly name: string;
  readonly request: number;
  readonly layout: StructLayout<F>;
}

/** What a call is for; see {@link callKfd}. */
export interface IoctlPurpose {
  /** Completes «while …» in messages. */
  readonly doing: string;
  /** Default: ERR_KFD_IOCTL. */
  readonly code?: ErrorCode;
  /** Code and meaning of single errno values. */
  readonly errnos?: ErrnoMeanings;
}

/** A call that a signal interrupted, or that met a locked driver, is issued again; this often. */
export const RETRIES = 100;

/** Answer of an ioctl: the structure as the driver left it, also where the call failed. */
export interface IoctlAnswer<F extends Fields> {
  readonly value: StructValue<F>;
  /** 0, or the positive errno. */
  readonly errno: number;
}

/** Issues an ioctl and leaves the errno to the caller. */
export function tryKfd<F extends Fields>(device: KfdDevice, ioctl: Ioctl<F>, args: StructInit<F>): IoctlAnswer<F> {
  const bytes = ioctl.layout.create(args);
  const errno = issueKfd(device, ioctl.request, bytes);
  return { value: ioctl.layout.read(bytes), errno };
}

/** Issues an ioctl over packed bytes, again where it was interrupted: 0, or the positive errno. */
export function issueKfd(device: KfdDevice, request: number, bytes: Uint8Array): number {
  let result = device.ioctl(request, bytes);
  for (let i = 0; i < RETRIES && (result === -EINTR || result === -EAGAIN); i++) result = device.ioctl(request, bytes);
  return result < 0 ? -result : 0;
}

/**
 * Issues an ioctl.
 * @throws {HsaError} the purpose's code, with the errno, the ioctl and its arguments.
 */
export function callKfd<F extends Fields>(
  device: KfdDevice,
  ioctl: Ioctl<F>,
  request: { readonly args: StructInit<F>; readonly purpose: IoctlPurpose },
): StructValue<F> {
  const { value, errno } = tryKfd(device, ioctl, request.args);
  if (errno !== 0) throw ioctlError(device, ioctl.name, { errno, purpose: request.purpose, args: request.args });
  return value;
}

/** The error of a failed ioctl. */
export function ioctlError(
  device: KfdDevice,
  name: string,
  failure: { readonly errno: number; readonly purpose: IoctlPurpose; readonly args: object },
): HsaError {
  const known = failure.purpose.errnos?.[failure.errno];
  return systemCallError({
    code: known?.code ?? failure.purpose.code ?? 'ERR_KFD_IOCTL',
    call: `ioctl ${name}`,
    path: device.path,
    errno: failure.errno,
    doing: failure.purpose.doing,
    meaning: known?.meaning,
    hint: known?.hint,
    details: { ioctl: name, args: failure.args },
  });
}
