import { hsa, HsaError } from '@doorbell/abi';

export const SUCCESS: number = hsa.HSA_STATUS_SUCCESS;

/** Ends a slot with a status: the table turns the error into it. */
export function fail(hsaStatus: number, message: string): never {
  throw new HsaError('ERR_INVALID_ARGUMENT', { message, hsaStatus });
}

/** `value`, or the slot ends with `status`. */
export function required<T>(value: T | undefined, hsaStatus: number, what: string): T {
  return value === undefined ? fail(hsaStatus, `there is no such ${what}`) : value;
}
