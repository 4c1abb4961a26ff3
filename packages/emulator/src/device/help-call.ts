/**
 * When the other compute workers start: threads that take longer to start than most kernels run. The first one calls for them when what
 * it did and what it has before it is worth that, and there is something to share.
 */
import { HELP_WANTED, IRQ_COUNT, wake } from './shared-state.js';
import { WorkMeter, type WorkAhead } from './work-meter.js';

/** Some times what it takes to start a thread: what comes later than that can be shared. */
const WORTH_MS = 250;

interface SharedWork extends WorkAhead {
  /** Whether there are workgroups that nobody has begun. */
  hasUnclaimed(): boolean;
}

export class HelpCall {
  readonly #words: Int32Array;
  readonly #work: SharedWork;
  readonly #meter: WorkMeter;
  #isCalled: boolean;

  /** `workers`: compute workers of the device. */
  constructor(words: Int32Array, work: SharedWork, workers: number) {
    this.#words = words;
    this.#work = work;
    this.#meter = new WorkMeter(work);
    this.#isCalled = workers === 1;
  }

  /** The worker begins to work. */
  begin(): void {
    if (!this.#isCalled) this.#meter.begin();
  }

  /** Between two steps of its work. */
  // hot
  look(): void {
    if (this.#isCalled || this.#meter.totalMs() < WORTH_MS || !this.#work.hasUnclaimed()) return;
    this.#isCalled = true;
    Atomics.store(this.#words, HELP_WANTED, 1);
    wake(this.#words, IRQ_COUNT);
  }
}
