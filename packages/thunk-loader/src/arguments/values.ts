/** Values of callers without types, looked at before they reach the driver: what is no number there, is cut or a raw TypeError. */
import { HsaError } from '@doorbell/abi';
import { inspect } from 'node:util';

/** A complaint about an argument. */
export function invalid(message: string): HsaError {
  return new HsaError('ERR_INVALID_ARGUMENT', { message });
}

/** `what must be rule, not value`. */
export function wrong(what: string, rule: string, value: unknown): HsaError {
  return invalid(`${what} must be ${rule}, not ${inspect(value, { depth: 0, breakLength: Infinity })}`);
}

/** @throws {HsaError} ERR_INVALID_ARGUMENT */
export function checkObject(value: unknown, what: string): void {
  if (typeof value !== 'object' || value === null) throw wrong(what, 'an object', value);
}

/** Unsigned, of so many bits. @throws {HsaError} ERR_INVALID_ARGUMENT */
export function checkInteger(value: unknown, what: string, bits: 16 | 32 = 32): void {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** bits) return;
  throw wrong(what, `an integer of ${bits} bits`, value);
}

/** Sizes and addresses of 64 bits are bigint. @throws {HsaError} ERR_INVALID_ARGUMENT */
export function checkAddress(value: unknown, what: string): void {
  if (typeof value === 'bigint' && value >= 0n && value < 1n << 64n) return;
  throw wrong(what, 'a bigint of 64 bits', value);
}

/** One of the words, or absent where that is allowed. @throws {HsaError} ERR_INVALID_ARGUMENT */
export function checkWord(value: unknown, what: string, words: readonly string[]): void {
  if (typeof value === 'string' && words.includes(value)) return;
  throw wrong(what, `one of ${words.join(', ')}`, value);
}

/** @throws {HsaError} ERR_INVALID_ARGUMENT */
export function checkList(value: unknown, what: string): void {
  if (!Array.isArray(value)) throw wrong(what, 'an array', value);
}

/** Ids of GPUs; whether there are such GPUs, the provider says. @throws {HsaError} ERR_INVALID_ARGUMENT */
export function checkGpuIds(gpuIds: readonly number[], least: 0 | 1 = 0): void {
  checkList(gpuIds, 'gpuIds');
  if (gpuIds.length < least) throw invalid('gpuIds must name a GPU');
  gpuIds.forEach((gpuId) => checkInteger(gpuId, 'a GPU id'));
}
