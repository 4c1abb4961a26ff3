/**
 * Who gets a kernel ready. The first worker that meets a kernel does so at once; another one when the kernel has run for as long as
 * that took: most kernels never do, and compiling them once for each worker would cost more than it gains.
 */
import type { MemoryViews } from './shared-state.js';
import { KERNEL_LINES, KernelField, WORKER_COUNT, kernelLine, wakeWorkers } from './shared-state.js';

/** Entries are aligned to 256 bytes (AMDGPUUsage, "Code Object Entry Point"). */
const ENTRY_SHIFT = 8;

export class KernelLedger {
  readonly #words: Int32Array;
  /** Entries of the kernels that this worker has, or gets ready. */
  readonly #own = new Set<number>();

  constructor({ words }: MemoryViews) {
    this.#words = words;
  }

  /** Whether this worker may run the kernel with its entry at this memory offset. */
  mayTake(entry: number): boolean {
    if (this.#own.has(entry)) return true;
    const line = lineOf(entry);
    // A line that another kernel has says nothing about this one.
    return Atomics.load(this.#words, line + KernelField.entry) !== entry || this.#isPaid(line);
  }

  /** Makes the kernel one that this worker has; false where another one was faster. */
  take(entry: number): boolean {
    if (this.#own.has(entry)) return true;
    const words = this.#words;
    if (Atomics.load(words, WORKER_COUNT) > 1) {
      const line = lineOf(entry);
      const owner = Atomics.compareExchange(words, line + KernelField.entry, 0, entry);
      if (owner === entry && !this.#isPaid(line)) return false;
    }
    this.#own.add(entry);
    return true;
  }

  /** Whether running times still matter. */
  isOpen(entry: number): boolean {
    const line = lineOf(entry);
    return this.#words[line + KernelField.entry] === entry && !this.#isPaid(line);
  }

  /** Getting the kernel ready took this long; only the first word on it counts. */
  setPrice(entry: number, us: number): void {
    Atomics.compareExchange(this.#words, lineOf(entry) + KernelField.priceUs, 0, Math.max(1, Math.ceil(us)));
  }

  /** The kernel ran for this long. */
  pay(entry: number, us: number): void {
    const words = this.#words;
    const line = lineOf(entry);
    const price = Atomics.load(words, line + KernelField.priceUs);
    const before = Atomics.add(words, line + KernelField.paidUs, Math.ceil(us));
    if (before >= price || before + Math.ceil(us) < price) return;
    wakeWorkers(words);
  }

  #isPaid(line: number): boolean {
    const price = Atomics.load(this.#words, line + KernelField.priceUs);
    return price > 0 && Atomics.load(this.#words, line + KernelField.paidUs) >= price;
  }
}

function lineOf(entry: number): number {
  return kernelLine((entry >>> ENTRY_SHIFT) % KERNEL_LINES);
}
