/** Slots about signals: hsa.h, "Signals". Orders weaker than sequential consistency are served by it. */
import type { AmdExtApi, CoreApi } from '@doorbell/abi';
import { hsa } from '@doorbell/abi';
import type { Signal, SignalCondition } from '@doorbell/queues';
import { waitSignal } from '@doorbell/queues';
import type { Runtime } from '../runtime.js';
import { guarded } from './callbacks.js';
import { fail, required, SUCCESS } from './result.js';

const CONDITIONS: readonly SignalCondition[] = ['eq', 'ne', 'lt', 'gte'];
const NS_PER_MS = 1_000_000n;
/** Time-outs from here on mean: for ever (hsa.h: UINT64_MAX). */
const FOREVER = 0xffff_ffff_ffff_ffffn;

function conditionOf(condition: number): SignalCondition {
  return CONDITIONS[condition] ?? fail(hsa.HSA_STATUS_ERROR_INVALID_ARGUMENT, `no signal condition is ${condition}`);
}

export function signalSlots(runtime: Runtime): Partial<CoreApi> {
  const signalOf = (handle: bigint): Signal =>
    required(runtime.signals.find(handle), hsa.HSA_STATUS_ERROR_INVALID_SIGNAL, 'signal');
  const load = (handle: bigint): bigint => signalOf(handle).load();
  const store = (handle: bigint, value: bigint): void => {
    const queue = runtime.queues.byDoorbell(handle);
    if (queue) queue.ringDoorbell(Number(value));
    else signalOf(handle).store(value);
  };
  const and = (handle: bigint, value: bigint): void => void signalOf(handle).and(value);
  const or = (handle: bigint, value: bigint): void => void signalOf(handle).or(value);
  const xor = (handle: bigint, value: bigint): void => void signalOf(handle).xor(value);
  const add = (handle: bigint, value: bigint): void => void signalOf(handle).add(value);
  const subtract = (handle: bigint, value: bigint): void => void signalOf(handle).subtract(value);
  const exchange = (handle: bigint, value: bigint): bigint => signalOf(handle).exchange(value);
  const cas = (handle: bigint, expected: bigint, value: bigint): bigint => signalOf(handle).compareExchange(expected, value);
  /** Blocks the calling thread by looking again and again, as C's does: for workers. */
  const wait = (handle: bigint, condition: number, compareValue: bigint, timeout: bigint): bigint => {
    const signal = signalOf(handle);
    const limit = timeout === FOREVER ? Infinity : performance.now() + Number(timeout / NS_PER_MS);
    const isMet = MET[conditionOf(condition)];
    for (;;) {
      const value = signal.load();
      // A queue that died completes nothing any more: C's wait would never end (the caller looks at the value again).
      if (isMet(value, compareValue) || performance.now() > limit || runtime.queues.hasFailed()) return value;
    }
  };
  return {
    hsa_signal_create: (initial, count, consumers, signal) => {
      requireConsumers(count, consumers);
      signal.value = runtime.signals.create(initial);
      return SUCCESS;
    },
    hsa_signal_destroy: (handle) => {
      if (handle === 0n) return hsa.HSA_STATUS_ERROR_INVALID_ARGUMENT;
      signalOf(handle);
      runtime.signals.destroy(handle);
      return SUCCESS;
    },
    hsa_signal_load_relaxed: load,
    hsa_signal_load_scacquire: load,
    hsa_signal_store_relaxed: store,
    hsa_signal_store_screlease: store,
    hsa_signal_silent_store_relaxed: store,
    hsa_signal_silent_store_screlease: store,
    hsa_signal_wait_relaxed: wait,
    hsa_signal_wait_scacquire: wait,
    hsa_signal_and_relaxed: and,
    hsa_signal_and_scacquire: and,
    hsa_signal_and_screlease: and,
    hsa_signal_and_scacq_screl: and,
    hsa_signal_or_relaxed: or,
    hsa_signal_or_scacquire: or,
    hsa_signal_or_screlease: or,
    hsa_signal_or_scacq_screl: or,
    hsa_signal_xor_relaxed: xor,
    hsa_signal_xor_scacquire: xor,
    hsa_signal_xor_screlease: xor,
    hsa_signal_xor_scacq_screl: xor,
    hsa_signal_exchange_relaxed: exchange,
    hsa_signal_exchange_scacquire: exchange,
    hsa_signal_exchange_screlease: exchange,
    hsa_signal_exchange_scacq_screl: exchange,
    hsa_signal_add_relaxed: add,
    hsa_signal_add_scacquire: add,
    hsa_signal_add_screlease: add,
    hsa_signal_add_scacq_screl: add,
    hsa_signal_subtract_relaxed: subtract,
    hsa_signal_subtract_scacquire: subtract,
    hsa_signal_subtract_screlease: subtract,
    hsa_signal_subtract_scacq_screl: subtract,
    hsa_signal_cas_relaxed: cas,
    hsa_signal_cas_scacquire: cas,
    hsa_signal_cas_screlease: cas,
    hsa_signal_cas_scacq_screl: cas,
  };
}

/** Agents are not looked up: any of them may wait. */
function requireConsumers(count: number, consumers: readonly bigint[] | null): void {
  if (count === 0) return;
  const list = consumers?.slice(0, count) ?? [];
  if (list.length < count || new Set(list).size < count)
    fail(hsa.HSA_STATUS_ERROR_INVALID_ARGUMENT, `${count} consumers are ${list.length} agents, each once`);
}

const MET: Readonly<Record<SignalCondition, (value: bigint, target: bigint) => boolean>> = {
  eq: (value, target) => value === target,
  ne: (value, target) => value !== target,
  lt: (value, target) => value < target,
  gte: (value, target) => value >= target,
};

export function signalExtensionSlots(runtime: Runtime): Partial<AmdExtApi> {
  const signalOf = (handle: bigint): Signal =>
    required(runtime.signals.find(handle), hsa.HSA_STATUS_ERROR_INVALID_SIGNAL, 'signal');
  return {
    hsa_amd_signal_create: (initial, count, consumers, attributes, signal) => {
      // As in ROCr, the list is only looked at where no attribute rules who waits.
      if (attributes === 0n) requireConsumers(count, consumers);
      signal.value = runtime.signals.create(initial);
      return SUCCESS;
    },
    hsa_amd_signal_value_pointer: (handle, address) => {
      signalOf(handle);
      address.value = handle + 8n;
      return SUCCESS;
    },
    hsa_amd_signal_async_handler: (handle, condition, value, handler, argument) => {
      if (handler === null) return hsa.HSA_STATUS_ERROR_INVALID_ARGUMENT;
      const signal = signalOf(handle);
      const wanted = conditionOf(condition);
      const arm = (): void => {
        waitSignal(signal, { condition: wanted, value, timeoutMs: Infinity }).then(
          (seen) => {
            if (guarded(runtime, 'hsa_amd_signal_async_handler', () => handler(seen, argument))) arm();
          },
          // A destroyed signal ends the handler, as in ROCr; nothing is left to tell.
          () => undefined,
        );
      };
      arm();
      return SUCCESS;
    },
  };
}
