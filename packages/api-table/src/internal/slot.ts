import type { EventSink, HsaFunction, HsaFunctionName } from '@doorbell/abi';
import { hsa, HSA_FUNCTIONS, isHsaError } from '@doorbell/abi';
import { describeKind, findBadArgument } from './argument-check.js';

/** A slot, whatever its signature; the arguments are checked at run time. */
export type AnyFunction = (...args: unknown[]) => unknown;

export interface SlotOptions {
  readonly events?: EventSink;
  readonly isInitialized?: () => boolean;
}

/** Functions that work before hsa_init. */
const WORKS_CLOSED: ReadonlySet<string> = new Set(['hsa_init', 'hsa_status_string']);

/**
 * The function in a slot: checks the state and the arguments, calls, and turns exceptions into a status. Its signature is looked up by the
 * first call: most slots are never called.
 */
export function createSlot(name: HsaFunctionName, target: AnyFunction, { events, isInitialized }: SlotOptions): AnyFunction {
  const mayBeClosed = isInitialized === undefined || WORKS_CLOSED.has(name);
  let known: HsaFunction | undefined;
  return named(name, (...args) => {
    const signature = (known ??= HSA_FUNCTIONS[name]);
    if (!mayBeClosed && !isInitialized() && signature.returns === 'hsa_status_t') return hsa.HSA_STATUS_ERROR_NOT_INITIALIZED;
    const bad = findBadArgument(signature, args);
    if (bad !== undefined) {
      events?.publish({
        source: 'api-table',
        name: 'invalid-argument',
        level: 'warn',
        message: `${signature.name}: ${bad.name} must be ${describeKind(bad.kind)}`,
        details: { slot: signature.name, parameter: bad.name },
      });
      return failure(signature, hsa.HSA_STATUS_ERROR_INVALID_ARGUMENT);
    }
    try {
      return target(...args);
    } catch (error) {
      return statusOf(signature, error, events);
    }
  });
}

/** The function in a slot that nothing implements. */
export function createMissingSlot(slotName: HsaFunctionName, { events }: SlotOptions): AnyFunction {
  return named(slotName, () => {
    events?.publish({
      source: 'api-table',
      name: 'slot-not-implemented',
      level: 'warn',
      message: `${slotName} is not implemented`,
      details: { slot: slotName },
    });
    return failure(HSA_FUNCTIONS[slotName], hsa.HSA_STATUS_ERROR);
  });
}

/** What a slot returns for an exception: the status of an HsaError, HSA_STATUS_ERROR (and an event) for anything else. */
export function statusOf(signature: HsaFunction, error: unknown, events: EventSink | undefined): unknown {
  const known = isHsaError(error);
  events?.publish({
    source: 'api-table',
    name: 'slot-failed',
    level: known ? 'debug' : 'error',
    message: `${signature.name}: ${error instanceof Error ? error.message : String(error)}`,
    details: { slot: signature.name, error },
  });
  return failure(signature, known ? error.hsaStatus : hsa.HSA_STATUS_ERROR);
}

/** Functions that return no status have no way to report a failure: they return zero. */
function failure({ name, returns }: HsaFunction, status: number): unknown {
  switch (returns) {
    case 'hsa_status_t':
      return status;
    case 'uint32_t':
      // Waits for several signals say by this value that none is satisfied (hsa_ext_amd.h).
      return name.startsWith('hsa_amd_signal_wait_') ? 0xffff_ffff : 0;
    case 'uint64_t':
    case 'hsa_signal_value_t':
      return 0n;
    case 'void':
      return undefined;
  }
}

function named(name: string, slot: AnyFunction): AnyFunction {
  return Object.defineProperty(slot, 'name', { value: name });
}
