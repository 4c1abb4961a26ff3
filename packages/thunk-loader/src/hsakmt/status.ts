/** What libhsakmt answers: HSAKMT_STATUS as names and as typed errors. */
import type { ErrorCode } from '@doorbell/abi';
import { HsaError, hsakmt } from '@doorbell/abi';
import type { ErrnoMeanings } from '../errno.js';
import { errnoName } from '../errno.js';

/** What a call answered. */
export interface HsakmtResult {
  /** HSAKMT_STATUS. */
  readonly status: number;
  /** What the last system call of a failing function left, 0 for nothing: most errno values collapse to HSAKMT_STATUS_ERROR. */
  readonly errno: number;
}

/** What a failing call was about. */
export interface HsakmtFailure extends HsakmtResult {
  readonly call: string;
  /** Path of the library. */
  readonly path: string;
  /** `creating an event`. */
  readonly doing: string;
  /** Code in place of the one that the status has. */
  readonly code?: ErrorCode | undefined;
  /** What some errno values mean there. */
  readonly errnos?: ErrnoMeanings | undefined;
  readonly meaning?: string | undefined;
  readonly hint?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly cause?: unknown;
}

interface StatusInfo {
  readonly name: string;
  readonly code: ErrorCode;
}

const SUCCESSES: readonly number[] = [hsakmt.HSAKMT_STATUS_SUCCESS, hsakmt.HSAKMT_STATUS_KERNEL_ALREADY_OPENED];

const STATUSES: Readonly<Record<number, StatusInfo>> = {
  [hsakmt.HSAKMT_STATUS_SUCCESS]: { name: 'SUCCESS', code: 'ERR_KFD_IOCTL' },
  [hsakmt.HSAKMT_STATUS_ERROR]: { name: 'ERROR', code: 'ERR_KFD_IOCTL' },
  [hsakmt.HSAKMT_STATUS_DRIVER_MISMATCH]: { name: 'DRIVER_MISMATCH', code: 'ERR_KFD_UNSUPPORTED' },
  [hsakmt.HSAKMT_STATUS_INVALID_PARAMETER]: { name: 'INVALID_PARAMETER', code: 'ERR_INVALID_ARGUMENT' },
  [hsakmt.HSAKMT_STATUS_INVALID_HANDLE]: { name: 'INVALID_HANDLE', code: 'ERR_INVALID_ARGUMENT' },
  [hsakmt.HSAKMT_STATUS_INVALID_NODE_UNIT]: { name: 'INVALID_NODE_UNIT', code: 'ERR_INVALID_ARGUMENT' },
  [hsakmt.HSAKMT_STATUS_NO_MEMORY]: { name: 'NO_MEMORY', code: 'ERR_OUT_OF_MEMORY' },
  [hsakmt.HSAKMT_STATUS_BUFFER_TOO_SMALL]: { name: 'BUFFER_TOO_SMALL', code: 'ERR_INVALID_ARGUMENT' },
  [hsakmt.HSAKMT_STATUS_NOT_IMPLEMENTED]: { name: 'NOT_IMPLEMENTED', code: 'ERR_NOT_SUPPORTED' },
  [hsakmt.HSAKMT_STATUS_NOT_SUPPORTED]: { name: 'NOT_SUPPORTED', code: 'ERR_NOT_SUPPORTED' },
  [hsakmt.HSAKMT_STATUS_UNAVAILABLE]: { name: 'UNAVAILABLE', code: 'ERR_KFD_IOCTL' },
  [hsakmt.HSAKMT_STATUS_OUT_OF_RESOURCES]: { name: 'OUT_OF_RESOURCES', code: 'ERR_KFD_IOCTL' },
  [hsakmt.HSAKMT_STATUS_KERNEL_IO_CHANNEL_NOT_OPENED]: { name: 'KERNEL_IO_CHANNEL_NOT_OPENED', code: 'ERR_DEVICE_FILE' },
  [hsakmt.HSAKMT_STATUS_KERNEL_COMMUNICATION_ERROR]: { name: 'KERNEL_COMMUNICATION_ERROR', code: 'ERR_KFD_IOCTL' },
  [hsakmt.HSAKMT_STATUS_KERNEL_ALREADY_OPENED]: { name: 'KERNEL_ALREADY_OPENED', code: 'ERR_KFD_IOCTL' },
  [hsakmt.HSAKMT_STATUS_HSAMMU_UNAVAILABLE]: { name: 'HSAMMU_UNAVAILABLE', code: 'ERR_KFD_UNSUPPORTED' },
  [hsakmt.HSAKMT_STATUS_WAIT_FAILURE]: { name: 'WAIT_FAILURE', code: 'ERR_KFD_IOCTL' },
  [hsakmt.HSAKMT_STATUS_WAIT_TIMEOUT]: { name: 'WAIT_TIMEOUT', code: 'ERR_TIMEOUT' },
  [hsakmt.HSAKMT_STATUS_MEMORY_ALREADY_REGISTERED]: { name: 'MEMORY_ALREADY_REGISTERED', code: 'ERR_INVALID_ADDRESS' },
  [hsakmt.HSAKMT_STATUS_MEMORY_NOT_REGISTERED]: { name: 'MEMORY_NOT_REGISTERED', code: 'ERR_INVALID_ADDRESS' },
  [hsakmt.HSAKMT_STATUS_MEMORY_ALIGNMENT]: { name: 'MEMORY_ALIGNMENT', code: 'ERR_INVALID_ARGUMENT' },
};

/** Whether a call did what it was asked: opening what is open counts as well. */
export function isSuccess(status: number): boolean {
  return SUCCESSES.includes(status);
}

/** `HSAKMT_STATUS_ERROR`, or `HSAKMT_STATUS 99` for a number that has no name. */
export function hsakmtStatusName(status: number): string {
  const name = STATUSES[status]?.name;
  return name === undefined ? `HSAKMT_STATUS ${status}` : `HSAKMT_STATUS_${name}`;
}

/** The typed error of a failing call: status by name and number, errno, function, library. */
export function hsakmtError(failure: HsakmtFailure): HsaError {
  const { status, errno, call, path, doing, cause } = failure;
  const known = failure.errnos?.[errno];
  const meaning = failure.meaning ?? known?.meaning;
  const statusName = hsakmtStatusName(status);
  const why = [errno === 0 ? undefined : `${errnoName(errno)} (${errno})`, meaning].filter((text) => text !== undefined);
  return new HsaError(known?.code ?? failure.code ?? STATUSES[status]?.code ?? 'ERR_KFD_IOCTL', {
    message: `${path}: ${call} answered ${statusName} (${status}) while ${doing}${why.length === 0 ? '' : `: ${why.join(': ')}`}`,
    ...(errno === 0 ? {} : { errno }),
    ...(failure.hint === undefined ? {} : { hint: failure.hint }),
    ...(cause === undefined ? {} : { cause }),
    details: { ...failure.details, call, path, status, statusName, ...(errno === 0 ? {} : { errno: errnoName(errno) }) },
  });
}
