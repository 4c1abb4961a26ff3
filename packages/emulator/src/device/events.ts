/** KFD events of one process: states, ages, waiters (amdkfd kfd_events.c), without ioctl packing and without threads. */
import { kfd } from '@doorbell/abi';
import { EINVAL, EIO, ENOSPC } from './errno.js';
import {
  KFD_IOC_EVENT_DEBUG,
  KFD_IOC_EVENT_HW_EXCEPTION,
  KFD_IOC_EVENT_MEMORY,
  KFD_IOC_EVENT_SIGNAL,
  KFD_IOC_WAIT_RESULT_COMPLETE,
  KFD_IOC_WAIT_RESULT_FAIL,
  KFD_IOC_WAIT_RESULT_TIMEOUT,
  KFD_SIGNAL_EVENT_LIMIT,
  KFD_SIGNAL_EVENTS_COMPAT,
} from './kfd-constants.js';

/** One entry of WAIT_EVENTS as the caller gave it. */
export interface WaitEntry {
  readonly eventId: number;
  /** Age the caller saw last; 0: it does not track ages. */
  readonly lastAge: bigint;
}

export interface WaitOptions {
  readonly all: boolean;
  /** 0 polls; {@link WAIT_FOREVER} never ends. */
  readonly timeoutMs: number;
}

export interface WaitOutcome {
  /** 0 or a negative errno. */
  readonly errno: number;
  /** KFD_IOC_WAIT_RESULT_… */
  readonly result: number;
  /** Bytes to be written at the start of entries. */
  readonly updates: readonly { readonly index: number; readonly bytes: Uint8Array }[];
}

/** One-shot timers, so that tests bring their own. */
export interface Timers {
  after(delayMs: number, callback: () => void): { cancel(): void };
}

export const WAIT_FOREVER = 0xffff_ffff;
/** The kernel clamps longer waits to this (kfd_events.c user_timeout_to_jiffies); it is also what a timer can do. */
const MAX_WAIT_MS = 0x7fff_ffff;
/** Slot value: not signaled. */
const UNSIGNALED_EVENT_SLOT = -1n;

const SYSTEM_TIMERS: Timers = {
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return {
      cancel: (): void => {
        clearTimeout(timer);
      },
    };
  },
};

interface KfdEvent {
  readonly id: number;
  readonly type: number;
  readonly isAutoReset: boolean;
  isSignaled: boolean;
  age: bigint;
  readonly waiters: Set<Waiter>;
  /** kfd_hsa_memory_exception_data or kfd_hsa_hw_exception_data of the last exception. */
  exception: Uint8Array | undefined;
}

interface Waiter {
  /** Undefined once the event was destroyed. */
  event: KfdEvent | undefined;
  isActivated: boolean;
  readonly tracksAge: boolean;
  readonly wait: PendingWait | undefined;
}

interface PendingWait {
  check(): void;
}

export class EventTable {
  readonly #events = new Map<number, KfdEvent>();
  readonly #timers: Timers;
  readonly #onWaitCount: (pending: number) => void;
  #slots: BigInt64Array | undefined;
  #signalLimit = KFD_SIGNAL_EVENTS_COMPAT;
  #pendingWaits = 0;

  /** `onWaitCount` hears how many waits are pending whenever that changes. */
  constructor({
    timers = SYSTEM_TIMERS,
    onWaitCount = (): void => undefined,
  }: { readonly timers?: Timers; readonly onWaitCount?: (pending: number) => void } = {}) {
    this.#timers = timers;
    this.#onWaitCount = onWaitCount;
  }

  /** Uses this page of slots; `isFull` when user space sees all of it. */
  usePage(slots: BigInt64Array, size: 'compat' | 'full'): void {
    const before = this.#slots;
    if (before === undefined) slots.fill(UNSIGNALED_EVENT_SLOT);
    else slots.set(before);
    this.#slots = slots;
    if (size === 'full') this.#signalLimit = KFD_SIGNAL_EVENT_LIMIT;
  }

  get hasPage(): boolean {
    return this.#slots !== undefined;
  }

  /** Creates an event: its id, or a negative errno. */
  create(type: number, reset: 'auto' | 'manual'): number {
    const isSlotted = hasSlot(type);
    // Id 0 is reserved; other types have ids behind those of the slots.
    let id = isSlotted ? 1 : KFD_SIGNAL_EVENT_LIMIT;
    while (this.#events.has(id)) id += 1;
    if (isSlotted && id >= this.#signalLimit) return -ENOSPC;
    const event: KfdEvent = {
      id,
      type,
      isAutoReset: reset === 'auto',
      isSignaled: false,
      age: 1n,
      waiters: new Set(),
      exception: undefined,
    };
    this.#events.set(id, event);
    if (isSlotted && this.#slots !== undefined) Atomics.store(this.#slots, id, UNSIGNALED_EVENT_SLOT);
    return id;
  }

  destroy(id: number): number {
    const event = this.#events.get(id);
    if (event === undefined) return -EINVAL;
    this.#events.delete(id);
    if (hasSlot(event.type) && this.#slots !== undefined) Atomics.store(this.#slots, id, UNSIGNALED_EVENT_SLOT);
    const waiters = [...event.waiters];
    event.waiters.clear();
    for (const waiter of waiters) waiter.event = undefined;
    for (const waiter of waiters) waiter.wait?.check();
    return 0;
  }

  /** SET_EVENT: the host may signal signal events only. */
  set(id: number): number {
    const event = this.#events.get(id);
    if (event?.type !== KFD_IOC_EVENT_SIGNAL) return -EINVAL;
    this.#signal(event);
    return 0;
  }

  reset(id: number): number {
    const event = this.#events.get(id);
    if (event?.type !== KFD_IOC_EVENT_SIGNAL) return -EINVAL;
    event.isSignaled = false;
    return 0;
  }

  /**
   * An interrupt of the GPU that carries `id`. The slot says whether it is meant; when it is not, the id was partial, and all
   * slots are looked through.
   */
  interrupt(id: number): void {
    const slots = this.#slots;
    if (slots === undefined) return;
    if (this.#interruptSlot(slots, id)) return;
    for (const event of [...this.#events.values()]) {
      if (hasSlot(event.type)) this.#interruptSlot(slots, event.id);
    }
  }

  /** Signals every MEMORY event with this kfd_hsa_memory_exception_data; false when there is none. */
  signalMemoryException(data: Uint8Array): boolean {
    return this.#signalException(KFD_IOC_EVENT_MEMORY, data);
  }

  /** Signals every HW_EXCEPTION event with this kfd_hsa_hw_exception_data; false when there is none. */
  signalHardwareException(data: Uint8Array): boolean {
    return this.#signalException(KFD_IOC_EVENT_HW_EXCEPTION, data);
  }

  /** WAIT_EVENTS. Gives the outcome itself when nothing has to be waited for. */
  wait(entries: readonly WaitEntry[], { all, timeoutMs }: WaitOptions): WaitOutcome | Promise<WaitOutcome> {
    let settle: ((outcome: WaitOutcome) => void) | undefined;
    const waiters: Waiter[] = [];
    const wait: PendingWait = {
      check: (): void => {
        const result = evaluate(waiters, all);
        if (result !== KFD_IOC_WAIT_RESULT_TIMEOUT) settle?.(outcomeOf(waiters, result));
      },
    };
    for (const entry of entries) {
      const waiter = this.#enlist(entry, wait);
      if (waiter === undefined) {
        leave(waiters);
        return { errno: -EINVAL, result: KFD_IOC_WAIT_RESULT_FAIL, updates: [] };
      }
      waiters.push(waiter);
    }
    const result = evaluate(waiters, all);
    if (result !== KFD_IOC_WAIT_RESULT_TIMEOUT || timeoutMs === 0) {
      leave(waiters);
      return outcomeOf(waiters, result);
    }
    return new Promise((resolve) => {
      const timer =
        timeoutMs === WAIT_FOREVER
          ? undefined
          : this.#timers.after(Math.min(timeoutMs, MAX_WAIT_MS), () => settle?.(outcomeOf(waiters, KFD_IOC_WAIT_RESULT_TIMEOUT)));
      this.#countWaits(1);
      settle = (outcome): void => {
        settle = undefined;
        timer?.cancel();
        leave(waiters);
        this.#countWaits(-1);
        resolve(outcome);
      };
    });
  }

  /** Destroys all events; pending waits fail. */
  close(): void {
    for (const id of [...this.#events.keys()]) this.destroy(id);
  }

  #enlist(entry: WaitEntry, wait: PendingWait): Waiter | undefined {
    const event = this.#events.get(entry.eventId);
    if (event === undefined) return undefined;
    const tracksAge = event.type === KFD_IOC_EVENT_SIGNAL && entry.lastAge !== 0n;
    const wasSignaled = event.isSignaled;
    if (event.isAutoReset) event.isSignaled = false;
    const isActivated = wasSignaled || (tracksAge && event.age !== entry.lastAge);
    const waiter: Waiter = { event, isActivated, tracksAge, wait };
    if (!isActivated) event.waiters.add(waiter);
    return waiter;
  }

  #signal(event: KfdEvent): void {
    event.isSignaled = !event.isAutoReset || event.waiters.size === 0;
    event.age = event.age === 0xffff_ffff_ffff_ffffn ? 2n : event.age + 1n;
    const waiters = [...event.waiters];
    for (const waiter of waiters) waiter.isActivated = true;
    for (const waiter of waiters) waiter.wait?.check();
  }

  #interruptSlot(slots: BigInt64Array, id: number): boolean {
    const event = this.#events.get(id);
    if (event === undefined || !hasSlot(event.type) || Atomics.load(slots, id) === UNSIGNALED_EVENT_SLOT) return false;
    Atomics.store(slots, id, UNSIGNALED_EVENT_SLOT);
    this.#signal(event);
    return true;
  }

  #signalException(type: number, data: Uint8Array): boolean {
    let found = false;
    for (const event of [...this.#events.values()]) {
      if (event.type !== type) continue;
      event.exception = data;
      this.#signal(event);
      found = true;
    }
    return found;
  }

  #countWaits(change: 1 | -1): void {
    this.#pendingWaits += change;
    this.#onWaitCount(this.#pendingWaits);
  }
}

/** Signal and debug events have a slot in the page (kfd_events.c event_can_be_gpu_signaled). */
function hasSlot(type: number): boolean {
  return type === KFD_IOC_EVENT_SIGNAL || type === KFD_IOC_EVENT_DEBUG;
}

/** kfd_events.c test_event_condition. */
function evaluate(waiters: readonly Waiter[], all: boolean): number {
  let activated = 0;
  for (const waiter of waiters) {
    if (waiter.event === undefined) return KFD_IOC_WAIT_RESULT_FAIL;
    if (!waiter.isActivated) continue;
    if (!all) return KFD_IOC_WAIT_RESULT_COMPLETE;
    activated += 1;
  }
  return activated === waiters.length ? KFD_IOC_WAIT_RESULT_COMPLETE : KFD_IOC_WAIT_RESULT_TIMEOUT;
}

function outcomeOf(waiters: readonly Waiter[], result: number): WaitOutcome {
  if (result === KFD_IOC_WAIT_RESULT_FAIL) return { errno: -EIO, result, updates: [] };
  if (result === KFD_IOC_WAIT_RESULT_TIMEOUT) return { errno: 0, result, updates: [] };
  const updates = waiters.flatMap((waiter, index) => {
    const bytes = waiter.isActivated ? updateOf(waiter) : undefined;
    return bytes === undefined ? [] : [{ index, bytes }];
  });
  return { errno: 0, result, updates };
}

/** kfd_events.c copy_signaled_event_data. */
function updateOf({ event, tracksAge }: Waiter): Uint8Array | undefined {
  if (event === undefined) return undefined;
  if (event.type === KFD_IOC_EVENT_MEMORY || event.type === KFD_IOC_EVENT_HW_EXCEPTION) return event.exception;
  return tracksAge ? kfd.kfd_hsa_signal_event_data.create({ last_event_age: event.age }) : undefined;
}

function leave(waiters: readonly Waiter[]): void {
  for (const waiter of waiters) waiter.event?.waiters.delete(waiter);
}
