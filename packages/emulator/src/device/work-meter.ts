/** What a compute worker did and has before it: by that it is decided what is worth a start. */

export interface WorkAhead {
  /** A clock that stands while code is made. */
  workMs(): number;
  /** How much longer the dispatch at hand will take, in milliseconds, at a time of the clock. */
  leftMs(atMs: number): number;
}

/** Adds up work between {@link begin} and the looks at it; idle time does not count. */
export class WorkMeter {
  readonly #work: WorkAhead;
  #busyMs = 0;
  #sinceMs = 0;

  constructor(work: WorkAhead) {
    this.#work = work;
  }

  /** Work begins, or goes on. */
  begin(): void {
    this.#sinceMs = this.#work.workMs();
  }

  /** Forgets what was done. */
  reset(): void {
    this.#busyMs = 0;
  }

  /** What was done by now, and is to come of the dispatch at hand. */
  // hot
  totalMs(): number {
    const now = this.#work.workMs();
    this.#busyMs += now - this.#sinceMs;
    this.#sinceMs = now;
    return this.#busyMs + this.#work.leftMs(now);
  }
}
