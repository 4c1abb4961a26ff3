import type { EventSink, HsaFunctionName } from '@doorbell/abi';
import { hsa, HSA_FUNCTIONS, HsaError } from '@doorbell/abi';
import type { AnyFunction } from './slot.js';
import { statusOf } from './slot.js';
import { eventsOf } from './table-events.js';

/** One wrapper in a slot. `below` is what was in the slot before it. */
interface Layer {
  readonly below: AnyFunction | null;
  active: boolean;
  /** The call that the wrapper is in. */
  call: Call | undefined;
}

/** Whether the wrapper has called on, and what that gave. */
interface Call {
  wentOn: boolean;
  result: unknown;
}

/** Our layers by the function that stands for them in a table. */
const layers = new WeakMap<AnyFunction, Layer>();

/**
 * `intercept` without its types. A layer that is disposed while others lie above it passes calls on until they are gone; it
 * leaves the slot as soon as it is the outermost.
 */
export function interceptSlot(
  table: object,
  slot: HsaFunctionName,
  wrap: (next: AnyFunction) => AnyFunction,
  { events, removedStatus }: { readonly events?: EventSink; readonly removedStatus?: number },
): Disposable {
  if (Object.isFrozen(table)) {
    throw new HsaError('ERR_NOT_SUPPORTED', { message: `cannot intercept ${slot}: the internal table is never patched` });
  }
  const layer: Layer = { below: functionIn(table, slot), active: true, call: undefined };
  const wrapped = wrap((...args) => {
    const { call } = layer;
    const result = callBelow(layer, args);
    if (call !== undefined) {
      call.wentOn = true;
      call.result = result;
    }
    return result;
  });
  const hasStatus = HSA_FUNCTIONS[slot].returns === 'hsa_status_t';
  const slotFunction: AnyFunction = (...args) => {
    if (!layer.active) return removedStatus !== undefined && hasStatus ? removedStatus : callBelow(layer, args);
    const outer = layer.call;
    const call: Call = { wentOn: false, result: undefined };
    layer.call = call;
    try {
      return wrapped(...args);
    } catch (error) {
      const status = statusOf(HSA_FUNCTIONS[slot], error, events ?? eventsOf(table));
      if (hasStatus) return status;
      // Nothing can be reported by the result: the call goes on as if the wrapper were not there.
      return call.wentOn ? call.result : callBelow(layer, args);
    } finally {
      layer.call = outer;
    }
  };
  Object.defineProperty(slotFunction, 'name', { value: slot });
  layers.set(slotFunction, layer);
  Reflect.set(table, slot, slotFunction);
  return {
    [Symbol.dispose]: () => {
      layer.active = false;
      Reflect.set(table, slot, firstActive(functionIn(table, slot)));
    },
  };
}

/** What is in a slot: a function, or `null` in the tools table. */
export function functionIn(table: object, slot: HsaFunctionName): AnyFunction | null {
  const value: unknown = Reflect.get(table, slot);
  // Safe: whoever calls it passes on the arguments that the slot got.
  return typeof value === 'function' ? (value as AnyFunction) : null;
}

/** Calls the next function down that is still there; an empty tools slot does nothing and succeeds. */
function callBelow(layer: Layer, args: unknown[]): unknown {
  const target = firstActive(layer.below);
  return target === null ? hsa.HSA_STATUS_SUCCESS : target(...args);
}

function firstActive(target: AnyFunction | null): AnyFunction | null {
  let current = target;
  while (current !== null) {
    const layer = layers.get(current);
    if (layer === undefined || layer.active) return current;
    current = layer.below;
  }
  return null;
}
