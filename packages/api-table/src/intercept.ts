import type { EventSink, HsaFunctionName } from '@doorbell/abi';
import { hsa, HSA_FUNCTIONS, HsaError } from '@doorbell/abi';
import type { ApiTable } from './api-tables.js';
import type { AnyFunction } from './internal/slot.js';
import { statusOf } from './internal/slot.js';

/** Names of the slots of a table. */
export type SlotName<Table> = Extract<Exclude<keyof Table, 'version'>, HsaFunctionName>;

/** The function type of a slot. */
export type SlotFunction<Table, Slot extends keyof Table> = NonNullable<Table[Slot]>;

export interface InterceptOptions {
  /** Gets `slot-failed` when the wrapper throws. */
  readonly events?: EventSink;
}

/** One wrapper in a slot. `below` is what was in the slot before it. */
interface Layer {
  readonly slotFunction: AnyFunction;
  readonly below: AnyFunction | null;
  active: boolean;
}

/** Our layers by the function that stands for them in a table. */
const layers = new WeakMap<AnyFunction, Layer>();

/**
 * Puts a wrapper round one slot of a table: `wrap` gets the function below and returns the one to call instead. The last one
 * put in is the outermost. Dispose takes this wrapper out, in any order: others in the same slot keep working, also ones that a
 * tool put on top by plain assignment. A wrapper that throws makes the slot return a status.
 *
 * @throws {HsaError} ERR_NOT_SUPPORTED for the internal table, which is never patched.
 * @example
 * using _ = intercept(tables.core, 'hsa_queue_create', (next) => (agent, size, ...rest) => next(agent, size * 2, ...rest));
 */
export function intercept<Table extends ApiTable<object>, Slot extends SlotName<Table>>(
  table: Table,
  slot: Slot,
  wrap: (next: SlotFunction<Table, Slot>) => SlotFunction<Table, Slot>,
  { events }: InterceptOptions = {},
): Disposable {
  if (Object.isFrozen(table)) {
    throw new HsaError('ERR_NOT_SUPPORTED', { message: `cannot intercept ${slot}: the internal table is never patched` });
  }
  // Safe: a slot holds a function or, in the tools table, null.
  const below = table[slot] as AnyFunction | null;
  const next: AnyFunction = (...args) => callBelow(layer, args);
  // Safe: `next` passes on whatever it gets to the function of the slot's own type.
  const wrapped = wrap(next as SlotFunction<Table, Slot>) as AnyFunction;
  const slotFunction: AnyFunction = (...args) => {
    if (!layer.active) return callBelow(layer, args);
    try {
      return wrapped(...args);
    } catch (error) {
      return statusOf(HSA_FUNCTIONS[slot], error, events);
    }
  };
  const layer: Layer = { slotFunction: Object.defineProperty(slotFunction, 'name', { value: slot }), below, active: true };
  layers.set(slotFunction, layer);
  Reflect.set(table, slot, slotFunction);
  return {
    [Symbol.dispose]: () => {
      layer.active = false;
      const current: unknown = table[slot];
      if (typeof current === 'function') {
        // Safe: what is in a slot takes the slot's arguments; only its identity is looked at.
        Reflect.set(table, slot, firstActive(current as AnyFunction));
      }
    },
  };
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
