import type { ErrorCode } from '@doorbell/abi';
import { hsa, HsaError, hsaStatusString, isHsaError, isHsaFailure } from '@doorbell/abi';
import type { Runtime } from '../core/runtime.js';

/** What a status becomes when the slot told no more: one of a tool's, mostly. */
const CODES: ReadonlyMap<number, ErrorCode> = new Map<number, ErrorCode>([
  [hsa.HSA_STATUS_ERROR, 'ERR_TOOL'],
  [hsa.HSA_STATUS_ERROR_OUT_OF_RESOURCES, 'ERR_OUT_OF_MEMORY'],
  [hsa.HSA_STATUS_ERROR_INVALID_ALLOCATION, 'ERR_OUT_OF_MEMORY'],
  [hsa.HSA_STATUS_ERROR_INVALID_QUEUE_CREATION, 'ERR_QUEUE_CREATION'],
  [hsa.HSA_STATUS_ERROR_INVALID_CODE_OBJECT, 'ERR_CODE_OBJECT'],
  [hsa.HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS, 'ERR_ISA_MISMATCH'],
  [hsa.HSA_STATUS_ERROR_INVALID_SYMBOL_NAME, 'ERR_SYMBOL_NOT_FOUND'],
  [hsa.HSA_STATUS_ERROR_NOT_INITIALIZED, 'ERR_NOT_INITIALIZED'],
]);

/**
 * Calls through the public API table, so that tools see every call; a failing status becomes an error again, with everything
 * that is known of it where it is the slot or HotSwap that failed.
 */
export class HsaCaller implements Disposable {
  readonly #listener: Disposable;
  #lastError: unknown;

  constructor(runtime: Runtime) {
    this.#listener = runtime.events.listen(({ name, details }) => {
      // A slot that failed, or a load that HotSwap refused.
      if (name === 'slot-failed' || name === 'load-refused') this.#lastError = details['error'];
    });
  }

  /** @throws {HsaError} when the status is a failure, ERR_TOOL when a tool is to blame; `what` says what was tried. */
  check(what: string, call: () => number): void {
    this.#lastError = undefined;
    let status: unknown;
    try {
      status = call();
    } catch (error) {
      throw toolError(what, { error, hsaStatus: hsa.HSA_STATUS_ERROR });
    }
    if (typeof status !== 'number')
      throw toolError(what, { error: `${String(status)} is no status`, hsaStatus: hsa.HSA_STATUS_ERROR });
    if (!isHsaFailure(status)) return;
    const known = this.#lastError;
    if (isHsaError(known) && known.hsaStatus === status) throw known;
    if (known !== undefined && status === hsa.HSA_STATUS_ERROR) throw toolError(what, { error: known, hsaStatus: status });
    throw new HsaError(CODES.get(status) ?? 'ERR_INVALID_ARGUMENT', {
      message: `${what}: ${hsaStatusString(status) ?? `status 0x${status.toString(16)}`}`,
      hsaStatus: status,
    });
  }

  [Symbol.dispose](): void {
    this.#listener[Symbol.dispose]();
  }
}

/** Slots never throw, always give a status, and fail by an HsaError: what does otherwise is a tool's, or a bug. */
export function toolError(
  what: string,
  { error, hsaStatus }: { readonly error: unknown; readonly hsaStatus?: number },
): HsaError {
  return new HsaError('ERR_TOOL', {
    message: `${what}: a function in the API table, or a tool that wraps it, failed: ${error instanceof Error ? error.message : String(error)}`,
    ...(hsaStatus === undefined ? {} : { hsaStatus }),
    cause: error,
  });
}
