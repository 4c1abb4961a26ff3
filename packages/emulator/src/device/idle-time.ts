/**
 * What the first compute worker does when there is nothing to do: it makes code that was asked for and was not worth it, and warms up the
 * code that makes code.
 */
import type { Executor } from '../executor.js';
import type { CodeDuty } from './code-duty.js';

/** A device that was idle for so long has time: a program that waited for a kernel may need the processor, or end. */
const IDLE_MS = 400;

export interface IdleTimeOptions {
  readonly executor: Pick<Executor, 'warmUp'>;
  readonly code: Pick<CodeDuty, 'isAsked' | 'make'>;
  readonly processor: string;
  readonly nowMs: () => number;
}

export class IdleTime {
  readonly #options: IdleTimeOptions;
  #cold: 'baseline' | 'optimised' | undefined = 'baseline';
  #sinceMs: number;
  #hasWorked = false;

  constructor(options: IdleTimeOptions) {
    this.#options = options;
    this.#sinceMs = options.nowMs();
  }

  /**
   * Nothing is left to do, after some work or again. Uses the time until `isWoken`; only warming up for the first kernel begins at once.
   * Gives the time in ms after which to rest again.
   */
  rest(hasWorked: 'worked' | 'idle', isWoken: () => boolean): number {
    const { code, executor, processor, nowMs } = this.#options;
    if (hasWorked === 'worked') {
      this.#hasWorked = true;
      this.#sinceMs = nowMs();
    }
    while (code.isAsked || this.#cold !== undefined) {
      const isFirst = this.#cold === 'baseline' && !this.#hasWorked;
      const leftMs = isFirst ? 0 : this.#sinceMs + IDLE_MS - nowMs();
      if (leftMs > 0) return leftMs;
      if (isWoken()) return 0;
      if (code.isAsked) code.make();
      else if (this.#cold !== undefined && !executor.warmUp(processor, this.#cold))
        this.#cold = this.#cold === 'baseline' ? 'optimised' : undefined;
    }
    return Infinity;
  }
}
