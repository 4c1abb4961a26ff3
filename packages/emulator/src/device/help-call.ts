/**
 * When the other compute workers start: threads that take longer to start than most kernels run. The first one calls for them when what
 * it did and what it has before it is worth that, and there is something to share.
 */
import { HELP_WANTED, IRQ_COUNT, wake } from './shared-state.js';

/** Some times what it takes to start a thread: what comes later than that can be shared. */
const WORTH_MS = 250;

/** What a worker did and has before it. */
export interface WorkAhead {
  /** A clock that stands while code is made. */
  workMs(): number;
  /** How much longer the dispatch at hand will take, in milliseconds, at a time of the clock. */
  leftMs(atMs: number): number;
  /** Whether there are workgroups that nobody has begun. */
  hasUnclaimed(): boolean;
}

export class HelpCall {
  readonly #words: Int32Array;
  readonly #work: WorkAhead;
  #isCalled: boolean;
  #busyMs = 0;
  #sinceMs = 0;

  /** `workers`: compute workers of the device. */
  constructor(words: Int32Array, work: WorkAhead, workers: number) {
    this.#words = words;
    this.#work = work;
    this.#isCalled = workers === 1;
  }

  /** The worker begins to work. */
  begin(): void {
    if (!this.#isCalled) this.#sinceMs = this.#work.workMs();
  }

  /** Between two steps of its work. */
  // hot
  look(): void {
    if (this.#isCalled) return;
    const now = this.#work.workMs();
    this.#busyMs += now - this.#sinceMs;
    this.#sinceMs = now;
    if (this.#busyMs + this.#work.leftMs(now) < WORTH_MS || !this.#work.hasUnclaimed()) return;
    this.#isCalled = true;
    Atomics.store(this.#words, HELP_WANTED, 1);
    wake(this.#words, IRQ_COUNT);
  }
}
