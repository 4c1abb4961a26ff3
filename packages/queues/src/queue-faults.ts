import type { HwException, MemoryException } from '@doorbell/thunk-loader';
import type { FaultSink } from './event-monitor.js';
import { NEEDS_SCRATCH, NEEDS_SCRATCH_WAVE32, isMemoryViolation } from './queue-error.js';
import type { StopFacts } from './queue-error.js';
import type { Signal } from './signal.js';

/** What device and driver say of a queue: its inactive signal, its exception signal, faults of its GPU. */
export class QueueFaults implements FaultSink {
  readonly gpuId: number;
  readonly #inactive: Signal;
  readonly #exception: Signal;
  #memoryException: MemoryException | undefined;
  #hwException: HwException | undefined;
  #gaveUp = false;

  constructor(gpuId: number, signals: { readonly inactive: Signal; readonly exception: Signal }) {
    this.gpuId = gpuId;
    this.#inactive = signals.inactive;
    this.#exception = signals.exception;
  }

  // hot
  get isStopped(): boolean {
    return (
      this.#inactive.loadNumber() !== 0 ||
      this.#exception.loadNumber() !== 0 ||
      this.#memoryException !== undefined ||
      this.#hwException !== undefined
    );
  }

  /** Lanes of the waves for which the device asks for more scratch memory; undefined when it does not. */
  get wantedScratchLanes(): 32 | 64 | undefined {
    const inactive = this.#inactive.load();
    if ((inactive & NEEDS_SCRATCH) === 0n) return undefined;
    return (inactive & NEEDS_SCRATCH_WAVE32) === 0n ? 64 : 32;
  }

  /** Lets the device go on after its demand was met. */
  resume(): void {
    this.#inactive.store(0n);
  }

  get awaitsMemoryException(): boolean {
    return !this.#gaveUp && this.#memoryException === undefined && isMemoryViolation(this.#inactive.load());
  }

  noteMemoryException(exception: MemoryException): void {
    this.#memoryException ??= exception;
  }

  giveUpOnMemoryException(): void {
    this.#gaveUp = true;
  }

  noteHwException(exception: HwException): void {
    this.#hwException ??= exception;
  }

  read(): StopFacts {
    return {
      inactive: BigInt.asUintN(64, this.#inactive.load()),
      exception: BigInt.asUintN(64, this.#exception.load()),
      memoryException: this.#memoryException,
      hwException: this.#hwException,
    };
  }
}
