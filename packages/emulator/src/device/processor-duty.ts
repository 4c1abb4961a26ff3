/**
 * The command processor as a duty of the first compute worker: a thread less to start before the first kernel. When the worker has been
 * busy for a while, a thread of its own takes over.
 */
import type { CommandProcessor } from './command-processor.js';
import { CP_WAKE, IRQ_COUNT, PROCESSOR_PLACE, ProcessorPlace, SHUTDOWN, WORKER_WAKE, wake, workerWord } from './shared-state.js';

/** The worker has the duty until it has worked for this long: several times what it takes to start a thread. */
const BUSY_MS = 300;

export class ProcessorDuty {
  readonly #words: Int32Array;
  readonly #nowMs: () => number;
  #processor: CommandProcessor | undefined;
  #seen = 0;
  #dueMs = 0;
  #busyMs = 0;
  #sinceMs = 0;

  constructor(words: Int32Array, processor: CommandProcessor, nowMs: () => number) {
    this.#words = words;
    this.#processor = processor;
    this.#nowMs = nowMs;
  }

  /** Before the worker looks for work. Gives the time in ms after which to look again, as {@link CommandProcessor.step}. */
  step(): number {
    if (!this.#has()) return Infinity;
    this.#sinceMs = this.#nowMs();
    return this.#run(this.#sinceMs);
  }

  /** Between two steps of the worker's work. */
  // hot
  look(): void {
    if (!this.#has()) return;
    const now = this.#nowMs();
    this.#busyMs += now - this.#sinceMs;
    this.#sinceMs = now;
    const words = this.#words;
    if (this.#busyMs >= BUSY_MS && Atomics.load(words, PROCESSOR_PLACE) === ProcessorPlace.worker) {
      Atomics.store(words, PROCESSOR_PLACE, ProcessorPlace.wanted);
      wake(words, IRQ_COUNT);
    }
    if (Atomics.load(words, CP_WAKE) !== this.#seen || now >= this.#dueMs) this.#run(now);
  }

  #run(now: number): number {
    this.#seen = Atomics.load(this.#words, CP_WAKE);
    const waitMs = this.#processor?.step() ?? Infinity;
    this.#dueMs = now + waitMs;
    return waitMs;
  }

  /** Whether it is still the worker's; hands it over once the thread is there. */
  #has(): boolean {
    if (this.#processor === undefined) return false;
    const words = this.#words;
    if (Atomics.load(words, PROCESSOR_PLACE) !== ProcessorPlace.ready) return true;
    this.#processor.handOver();
    this.#processor = undefined;
    Atomics.store(words, PROCESSOR_PLACE, ProcessorPlace.thread);
    Atomics.notify(words, PROCESSOR_PLACE);
    return false;
  }
}

/** In the thread that takes over: waits until the command processor is its own; false when the machine shuts down first. */
export function takeDuty(words: Int32Array): boolean {
  Atomics.store(words, PROCESSOR_PLACE, ProcessorPlace.ready);
  wake(words, workerWord(0) + WORKER_WAKE);
  while (Atomics.load(words, SHUTDOWN) === 0) {
    if (Atomics.load(words, PROCESSOR_PLACE) === ProcessorPlace.thread) return true;
    Atomics.wait(words, PROCESSOR_PLACE, ProcessorPlace.ready);
  }
  return false;
}
