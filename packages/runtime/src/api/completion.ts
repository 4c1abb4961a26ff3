import type { HsaError } from '@doorbell/abi';
import type { Signal } from '@doorbell/queues';
import type { Completion, KernelTiming } from './types.js';

let nextId = 1;

/** A launch in progress: a thenable that knows whether anybody waits for it. */
export class LaunchCompletion implements Completion {
  readonly id: number;
  #signal: Signal | undefined;
  #done = false;
  #isAwaited = false;
  #holders = 1;
  #giveBackSignal: (() => void) | undefined;
  readonly #promise: Promise<KernelTiming>;

  /** `run` does the launch; `onUnheard` gets a failure that nobody awaited when it happened. */
  constructor(run: (completion: LaunchCompletion) => Promise<KernelTiming>, onUnheard: (error: HsaError | Error) => void) {
    this.id = nextId++;
    this.#promise = run(this);
    this.#promise.then(
      () => void (this.#done = true),
      (error: unknown) => {
        this.#done = true;
        // Whoever awaits in the same turn is heard.
        setImmediate(() => {
          if (!this.#isAwaited) onUnheard(error instanceof Error ? error : new Error(String(error)));
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

  /** The signal that the packet decrements. */
  get signal(): Signal | undefined {
    return this.#signal;
  }

  /** Says which signal the launch completes, and how to give it back when nobody needs it any more. */
  useSignal(signal: Signal, giveBack: () => void): void {
    this.#signal = signal;
    this.#giveBackSignal = giveBack;
  }

  /** Keeps the signal while a packet waits for it; undo with {@link dropSignal}. */
  holdSignal(): void {
    this.#holders++;
  }

  /** The launch itself, and each that called {@link holdSignal}, needs the signal no more. */
  dropSignal(): void {
    if (--this.#holders === 0) this.#giveBackSignal?.();
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
