import type { EventSink, HsaFunctionName } from '@doorbell/abi';
import type { ApiTable } from './api-tables.js';
import { interceptSlot } from './internal/intercept-slot.js';
import type { AnyFunction } from './internal/slot.js';

/** Names of the slots of a table. */
export type SlotName<Table> = Extract<Exclude<keyof Table, 'version'>, HsaFunctionName>;

/** The function type of a slot. */
export type SlotFunction<Table, Slot extends keyof Table> = NonNullable<Table[Slot]>;

export interface InterceptOptions {
  /** Gets `slot-failed` when the wrapper throws. Default: where the table's own events go. */
  readonly events?: EventSink;
  /**
   * Status of a call that reaches the wrapper after its dispose, by a reference that somebody kept. Wrappers that were put on top by
   * {@link intercept} do not call it then. Default: the call is passed on.
   */
  readonly removedStatus?: number;
}

/**
 * Puts a wrapper round one slot of a table: `wrap` gets the function below and returns the one to call instead. The last one
 * put in is the outermost. Dispose takes this wrapper out, in any order: others in the same slot keep working, also ones that a
 * tool put on top by plain assignment. A wrapper that throws makes the slot return a status; a slot that has no status to return
 * goes on as if the wrapper were not there.
 *
 * @throws {HsaError} ERR_NOT_SUPPORTED for the internal table, which is never patched.
 * @example
 * using _ = intercept(tables.core, 'hsa_queue_create', (next) => (agent, size, ...rest) => next(agent, size * 2, ...rest));
 */
export function intercept<Table extends ApiTable<object>, Slot extends SlotName<Table>>(
  table: Table,
  slot: Slot,
  wrap: (next: SlotFunction<Table, Slot>) => SlotFunction<Table, Slot>,
  options: InterceptOptions = {},
): Disposable {
  // Safe: `next` passes on whatever it gets to the function of the slot's own type, and the wrapper has that type.
  return interceptSlot(table, slot, (next) => wrap(next as SlotFunction<Table, Slot>) as AnyFunction, options);
}
