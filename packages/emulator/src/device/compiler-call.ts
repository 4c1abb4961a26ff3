/**
 * When the compile worker starts: one thread more, which short programs end without. A compute worker calls for it when it goes on
 * working after it asked for optimised code, or when it had nothing to do for a while.
 */
import { CODE_WANTED, IRQ_COUNT, wake } from './shared-state.js';

/** Work that goes on for this much longer has the thread come. */
const BUSY_MS = 60;
/** It comes to a device that was idle for so long. */
const IDLE_MS = 200;

export class CompilerCall {
  readonly #words: Int32Array;
  readonly #nowMs: () => number;
  #isAsked = false;
  #isCalled = false;
  #busyMs = 0;
  #sinceMs = 0;
  #idleSinceMs: number;

  constructor(words: Int32Array, nowMs: () => number) {
    this.#words = words;
    this.#nowMs = nowMs;
    this.#idleSinceMs = nowMs();
  }

  /** Optimised code was asked for. */
  ask(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    this.begin();
  }

  /** The worker begins to work. */
  begin(): void {
    if (this.#isAsked && !this.#isCalled) this.#sinceMs = this.#nowMs();
  }

  /** Between two steps of its work. */
  // hot
  look(): void {
    if (!this.#isAsked || this.#isCalled) return;
    const now = this.#nowMs();
    this.#busyMs += now - this.#sinceMs;
    this.#sinceMs = now;
    if (this.#busyMs >= BUSY_MS) this.#call();
  }

  /** Nothing is left to do, after some work or again. Gives the time in ms after which to rest again. */
  rest(hasWorked: 'worked' | 'idle'): number {
    if (this.#isCalled) return Infinity;
    const now = this.#nowMs();
    if (hasWorked === 'worked') this.#idleSinceMs = now;
    const leftMs = this.#idleSinceMs + IDLE_MS - now;
    if (leftMs > 0) return leftMs;
    this.#call();
    return Infinity;
  }

  #call(): void {
    this.#isCalled = true;
    if (Atomics.exchange(this.#words, CODE_WANTED, 1) === 0) wake(this.#words, IRQ_COUNT);
  }
}
