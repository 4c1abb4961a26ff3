import type { ErrorCode, HsaError as HsaErrorType } from '@doorbell/abi';
import { hsa, HsaError, hsaStatusString, isHsaError, isHsaFailure } from '@doorbell/abi';
import type { Runtime } from '../core/runtime.js';

/** What a status becomes when the slot told no more: one of a tool's, mostly. */
const CODES: ReadonlyMap<number, ErrorCode> = new Map<number, ErrorCode>([
  [hsa.HSA_STATUS_ERROR_OUT_OF_RESOURCES, 'ERR_OUT_OF_MEMORY'],
  [hsa.HSA_STATUS_ERROR_INVALID_ALLOCATION, 'ERR_OUT_OF_MEMORY'],
  [hsa.HSA_STATUS_ERROR_INVALID_QUEUE_CREATION, 'ERR_QUEUE_CREATION'],
  [hsa.HSA_STATUS_ERROR_INVALID_CODE_OBJECT, 'ERR_CODE_OBJECT'],
  [hsa.HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS, 'ERR_ISA_MISMATCH'],
  [hsa.HSA_STATUS_ERROR_INVALID_SYMBOL_NAME, 'ERR_SYMBOL_NOT_FOUND'],
  [hsa.HSA_STATUS_ERROR_NOT_INITIALIZED, 'ERR_NOT_INITIALIZED'],
]);

/**
 * Calls through the public API table, so that tools see every call; a failing status becomes an error again, with everything the
 * slot knew where it is the slot that failed.
 */
export class HsaCaller implements Disposable {
  readonly #listener: Disposable;
  #lastError: HsaErrorType | undefined;

  constructor(runtime: Runtime) {
    this.#listener = runtime.events.listen(({ name, details }) => {
      const error = details['error'];
      if (name === 'slot-failed' && isHsaError(error)) this.#lastError = error;
    });
  }

  /** @throws {HsaError} when the status is a failure; `what` says what was tried. */
  check(what: string, call: () => number): void {
    this.#lastError = undefined;
    const status = call();
    if (!isHsaFailure(status)) return;
    // Safe: the listener sets it while `call` runs, which the compiler cannot see.
    const known = this.#lastError as HsaErrorType | undefined;
    if (known?.hsaStatus === status) throw known;
    throw new HsaError(CODES.get(status) ?? 'ERR_INVALID_ARGUMENT', {
      message: `${what}: ${hsaStatusString(status) ?? `status 0x${status.toString(16)}`}`,
      hsaStatus: status,
    });
  }

  [Symbol.dispose](): void {
    this.#listener[Symbol.dispose]();
  }
}
