import { HsaError } from '@doorbell/abi';
import type { PendingWait } from './event-monitor.js';
import type { Signal } from './signal.js';

/** How a signal's value is compared, signed: `hsa_signal_condition_t`. */
export type SignalCondition = 'eq' | 'ne' | 'lt' | 'gte';

/** One signal and the value it is waited to reach. */
export interface SignalTarget {
  readonly signal: Signal;
  readonly condition: SignalCondition;
  readonly value: bigint | number;
}

/** What a wait also watches, so that it never waits for something that died: a queue. */
export interface WatchedQueue {
  /** For messages. */
  readonly label: string;
  /** Packets that the device has taken; grows with progress. */
  readonly readIndex: number;
  /** Looks at the queue's error state; the error when it has one. */
  checkHealth(): HsaError | undefined;
}

/** Limits of a wait. */
export interface WaitOptions {
  /** Time **without progress** after which the wait gives up; Infinity never does. Default: 30 s. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Queues whose packets are to change the signals: their errors reject the wait, their read index is progress. */
  readonly queues?: readonly WatchedQueue[];
  /** Any number that changes while there is progress, such as workgroups done. */
  readonly progress?: () => number;
}

/** Limits of a submission that has to wait for room. */
export type SubmitOptions = Pick<WaitOptions, 'timeoutMs' | 'signal' | 'progress'>;

/** Default of {@link WaitOptions.timeoutMs}. */
export const DEFAULT_TIMEOUT_MS = 30_000;
/** Progress is looked at this many times within a time-out, so that one ends at most a quarter late. */
const LOOKS_PER_TIMEOUT = 4;
/** Node's timers take no longer delay. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** How often to look for progress. @throws {HsaError} ERR_INVALID_ARGUMENT for a time-out that is none. */
export function progressIntervalMs(timeoutMs: number): number {
  if (timeoutMs >= 0) return Math.min(MAX_TIMER_MS, Math.max(1, timeoutMs / LOOKS_PER_TIMEOUT));
  throw new HsaError('ERR_INVALID_ARGUMENT', { message: `timeoutMs must be 0 or more, not ${timeoutMs}` });
}

/**
 * Waits until `signal` meets a condition, without blocking the thread; gives the value that met it.
 * @throws {HsaError} a watched queue's error; ERR_TIMEOUT, ERR_ABORTED, ERR_DISPOSED.
 * @example
 * await waitSignal(done, { condition: 'lt', value: 1, queues: [queue] });
 */
export async function waitSignal(
  signal: Signal,
  options: WaitOptions & { readonly condition: SignalCondition; readonly value: bigint | number },
): Promise<bigint> {
  const target = { signal, condition: options.condition, value: options.value };
  await waitSignals([target], { ...options, mode: 'any' });
  return signal.load();
}

/**
 * Waits for one (`any`) or all of several signals; gives the index of the first one whose condition is met (0 for `all`).
 * @throws {HsaError} as {@link waitSignal}.
 */
export async function waitSignals(
  targets: readonly SignalTarget[],
  options: WaitOptions & { readonly mode: 'any' | 'all' },
): Promise<number> {
  const [first] = targets;
  if (first === undefined) throw new HsaError('ERR_INVALID_ARGUMENT', { message: 'there is no signal to wait for' });
  const { signal: abort, mode } = options;
  if (abort?.aborted === true) throw abortedError(abort);
  return new Promise((resolve, reject) => new Wait(targets, { options, mode, resolve, reject }).start(first.signal));
}

interface Settling {
  readonly options: WaitOptions;
  readonly mode: 'any' | 'all';
  readonly resolve: (index: number) => void;
  readonly reject: (error: Error) => void;
}

class Wait implements PendingWait {
  readonly needsPolling: boolean;
  readonly #targets: readonly SignalTarget[];
  readonly #settling: Settling;
  readonly #values: readonly bigint[];
  readonly #timeoutMs: number;
  #timer: NodeJS.Timeout | undefined;
  #lastProgress = 0;
  #seen: readonly number[] = [];
  #onAbort: (() => void) | undefined;

  constructor(targets: readonly SignalTarget[], settling: Settling) {
    this.#targets = targets;
    this.#settling = settling;
    this.#values = targets.map(({ value }) => wholeNumber(value));
    this.#timeoutMs = settling.options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.needsPolling = targets.some(({ signal }) => signal.wake === 'polled');
  }

  start({ monitor }: Signal): void {
    const intervalMs = progressIntervalMs(this.#timeoutMs);
    if (this.poll()) return;
    const { signal: abort } = this.#settling.options;
    const giveUp = (error: HsaError): void => {
      monitor.remove(this);
      this.fail(error);
    };
    monitor.add(this);
    if (abort !== undefined) {
      this.#onAbort = (): void => giveUp(abortedError(abort));
      abort.addEventListener('abort', this.#onAbort, { once: true });
    }
    if (this.#timeoutMs === Infinity) return;
    this.#seen = this.#readProgress();
    this.#lastProgress = performance.now();
    this.#timer = setInterval(() => this.#checkTimeout(giveUp), intervalMs);
  }

  poll(): boolean {
    try {
      const index = this.#met();
      // What completed has completed, also if the queue failed later.
      if (index >= 0) {
        this.#end();
        this.#settling.resolve(index);
        return true;
      }
      for (const queue of this.#settling.options.queues ?? []) {
        const error = queue.checkHealth();
        if (error === undefined) continue;
        this.fail(error);
        return true;
      }
      return false;
    } catch (error) {
      this.fail(error);
      return true;
    }
  }

  fail(error: unknown): void {
    this.#end();
    this.#settling.reject(error instanceof Error ? error : new Error(String(error)));
  }

  /** Index of the first target that is met, −1 while the wait goes on. */
  #met(): number {
    const isAll = this.#settling.mode === 'all';
    for (let i = 0; i < this.#targets.length; i++) {
      const target = this.#targets[i];
      const value = this.#values[i];
      if (target === undefined || value === undefined) break;
      const isMet = compare(target.signal.load(), target.condition, value);
      if (isMet && !isAll) return i;
      if (!isMet && isAll) return -1;
    }
    return isAll ? 0 : -1;
  }

  #checkTimeout(giveUp: (error: HsaError) => void): void {
    const seen = this.#readProgress();
    const now = performance.now();
    if (seen.some((value, i) => value !== this.#seen[i])) {
      this.#seen = seen;
      this.#lastProgress = now;
      return;
    }
    if (now - this.#lastProgress >= this.#timeoutMs) giveUp(this.#timeoutError());
  }

  #readProgress(): readonly number[] {
    const { queues = [], progress } = this.#settling.options;
    const values = this.#targets.map(({ signal }) => (signal.isDisposed ? 0 : signal.loadNumber()));
    for (const queue of queues) values.push(queue.readIndex);
    if (progress !== undefined) values.push(progress());
    return values;
  }

  #timeoutError(): HsaError {
    const { queues = [] } = this.#settling.options;
    const facts = this.#targets.map(({ signal, condition }, i) => ({
      signal: signal.label,
      handle: signal.handle,
      value: signal.isDisposed ? undefined : signal.load(),
      condition,
      target: this.#values[i],
    }));
    const state = queues.map(({ label, readIndex }) => ({ queue: label, readIndex }));
    const waits = facts.map((f) => `${f.signal} is ${f.value}, waited for ${SYMBOLS[f.condition]} ${f.target}`).join('; ');
    const queueText = state.map((s) => `; ${s.queue} has taken ${s.readIndex} packets`).join('');
    return new HsaError('ERR_TIMEOUT', {
      message: `no progress for ${this.#timeoutMs} ms: ${waits}${queueText}`,
      details: { timeoutMs: this.#timeoutMs, signals: facts, queues: state },
    });
  }

  #end(): void {
    clearInterval(this.#timer);
    if (this.#onAbort !== undefined) this.#settling.options.signal?.removeEventListener('abort', this.#onAbort);
  }
}

function wholeNumber(value: bigint | number): bigint {
  if (typeof value === 'bigint' || Number.isInteger(value)) return BigInt(value);
  throw new HsaError('ERR_INVALID_ARGUMENT', { message: `a signal's value is an integer, not ${value}` });
}

const SYMBOLS: Readonly<Record<SignalCondition, string>> = { eq: '==', ne: '!=', lt: '<', gte: '>=' };

/** Whether `value` meets a condition; signed, as the device compares. */
function compare(value: bigint, condition: SignalCondition, target: bigint): boolean {
  switch (condition) {
    case 'eq':
      return value === target;
    case 'ne':
      return value !== target;
    case 'lt':
      return value < target;
    case 'gte':
      return value >= target;
  }
}

function abortedError(abort: AbortSignal): HsaError {
  return new HsaError('ERR_ABORTED', { message: 'the wait for a signal was aborted', cause: abort.reason });
}
