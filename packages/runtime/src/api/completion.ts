import type { Signal } from '@doorbell/queues';
import type { Completion, KernelTiming } from './types.js';

let nextId = 1;

/** What a launch that has begun holds. */
export interface LaunchParts {
  readonly kernel: string;
  /** Label of the queue. */
  readonly queue: string;
  /** The signal that the packet decrements. */
  readonly signal: Signal;
  readonly giveBackSignal: () => void;
}

/** A launch in progress: a thenable that knows whether anybody waits for it. */
export class LaunchCompletion implements Completion {
  readonly id: number;
  #parts: LaunchParts | undefined;
  #packetIndex: number | undefined;
  #done = false;
  #isAwaited = false;
  #holders = 1;
  readonly #promise: Promise<KernelTiming>;

  /** `run` does the launch; `onUnheard` gets a failure that nobody awaited when it happened. */
  constructor(run: (completion: LaunchCompletion) => Promise<KernelTiming>, onUnheard: (error: unknown) => void) {
    this.id = nextId++;
    this.#promise = run(this);
    this.#promise.then(
      () => void (this.#done = true),
      (error: unknown) => {
        this.#done = true;
        // Whoever awaits in the same turn is heard.
        setImmediate(() => {
          if (!this.#isAwaited) onUnheard(error);
        });
      },
    );
  }

  get done(): boolean {
    return this.#done;
  }

  then<A = KernelTiming, B = never>(
    onFulfilled?: ((timing: KernelTiming) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#isAwaited = true;
    return this.#promise.then(onFulfilled, onRejected);
  }

  /** What the launch is made of; undefined when it failed before it had anything. */
  get parts(): LaunchParts | undefined {
    return this.#parts;
  }

  /** Index of the packet in its queue, once it is in the ring. */
  get packetIndex(): number | undefined {
    return this.#packetIndex;
  }

  begin(parts: LaunchParts): void {
    this.#parts = parts;
  }

  noteSubmitted(packetIndex: number): void {
    this.#packetIndex = packetIndex;
  }

  /** Keeps the signal while a packet waits for it; undo with {@link dropSignal}. */
  holdSignal(): void {
    this.#holders++;
  }

  /** The launch itself, and each that called {@link holdSignal}, needs the signal no more. */
  dropSignal(): void {
    if (--this.#holders === 0) this.#parts?.giveBackSignal();
  }

  /** Settles when the launch has settled, without counting as somebody who waits for it. */
  settled(): Promise<void> {
    return this.#promise.then(
      () => undefined,
      () => undefined,
    );
  }

  /** The launch's failure, once it has one. */
  failure(): Promise<unknown> {
    return this.#promise.then(
      () => undefined,
      (error: unknown) => error,
    );
  }
}
