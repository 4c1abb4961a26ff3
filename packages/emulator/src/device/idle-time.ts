/**
 * What the first compute worker does when there is nothing to do: it rehearses for the first kernel, makes code that was asked for and was
 * not worth it, and warms up what makes optimised code.
 */
import type { CodeDuty } from './code-duty.js';

/** A device that was idle for so long has time: a program that waited for a kernel may need the processor, or end. */
const IDLE_MS = 400;

export interface IdleTimeOptions {
  /** A step of what the first kernel of a thread takes; false: that is done. */
  readonly rehearse: () => boolean;
  /** A step of making optimised code; false: that is done. */
  readonly warmUp: () => boolean;
  readonly code: Pick<CodeDuty, 'isAsked' | 'make'>;
  readonly nowMs: () => number;
}

export class IdleTime {
  readonly #options: IdleTimeOptions;
  #cold: 'rehearse' | 'warmUp' | undefined = 'rehearse';
  #sinceMs: number;
  #hasWorked = false;

  constructor(options: IdleTimeOptions) {
    this.#options = options;
    this.#sinceMs = options.nowMs();
  }

  /**
   * Nothing is left to do, after some work or again. Uses the time until `isWoken`; only the rehearsal for the first kernel begins at once.
   * Gives the time in ms after which to rest again.
   */
  rest(hasWorked: 'worked' | 'idle', isWoken: () => boolean): number {
    const { code, nowMs } = this.#options;
    if (hasWorked === 'worked') {
      this.#hasWorked = true;
      this.#sinceMs = nowMs();
    }
    while (code.isAsked || this.#cold !== undefined) {
      const isFirst = this.#cold === 'rehearse' && !this.#hasWorked;
      const leftMs = isFirst ? 0 : this.#sinceMs + IDLE_MS - nowMs();
      if (leftMs > 0) return leftMs;
      if (isWoken()) return 0;
      if (code.isAsked) code.make();
      else if (this.#cold !== undefined && !this.#options[this.#cold]())
        this.#cold = this.#cold === 'rehearse' ? 'warmUp' : undefined;
    }
    return Infinity;
  }
}
