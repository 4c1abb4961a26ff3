/**
 * How much longer the dispatch at hand will take: by the best pace at which units of it were finished. Others say more about the start of
 * a kernel, whose code the engine still makes, and about what else the machine does. A kernel that is slower than that shows by going on.
 */

/** It is believed up to this many times what the dispatch has taken. */
const MOST = 4;

export class WorkForecast {
  #serial: number | undefined;
  #begunMs = 0;
  #seenMs = 0;
  #finished = 0;
  #left = 0;
  /** For each unit; undefined before one is finished. */
  #unitMs: number | undefined;

  /** A dispatch is so far now. */
  // hot
  note(serial: number, finished: number, total: number, nowMs: number): void {
    if (serial !== this.#serial) {
      this.#serial = serial;
      this.#begunMs = nowMs;
      this.#seenMs = nowMs;
      this.#unitMs = undefined;
    } else if (finished > this.#finished) {
      const unitMs = (nowMs - this.#seenMs) / (finished - this.#finished);
      this.#unitMs = Math.min(this.#unitMs ?? unitMs, unitMs);
      this.#seenMs = nowMs;
    }
    this.#left = total - finished;
    this.#finished = finished;
  }

  /** The dispatch ended early. */
  end(): void {
    this.#left = 0;
  }

  /** What it will take at this pace; before there is one: as long again as it has taken. */
  // hot
  leftMs(nowMs: number): number {
    if (this.#left <= 0) return 0;
    const spentMs = nowMs - this.#begunMs;
    return this.#unitMs === undefined ? spentMs : Math.min(this.#left * this.#unitMs, MOST * spentMs);
  }
}
