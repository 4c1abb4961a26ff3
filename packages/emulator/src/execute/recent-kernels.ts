/** The kernels that a worker has code for: not more than its memory should hold, however many are loaded and unloaded. */
import type { CompiledKernel } from './kernel.js';

export interface KernelLimits {
  readonly kernels: number;
  /** Size of the modules of all of them. */
  readonly codeBytes: number;
}

interface Entry {
  /** What kernels that may be the same have in common. */
  readonly key: string;
  readonly kernel: CompiledKernel;
}

export class RecentKernels {
  readonly #limits: KernelLimits;
  /** Used last: at the end. */
  readonly #entries: Entry[] = [];

  constructor(limits: KernelLimits) {
    this.#limits = limits;
  }

  find(key: string, isSame: (kernel: CompiledKernel) => boolean): CompiledKernel | undefined {
    const at = this.#entries.findLastIndex((entry) => entry.key === key && isSame(entry.kernel));
    const [entry] = at < 0 ? [] : this.#entries.splice(at, 1);
    if (entry === undefined) return undefined;
    this.#entries.push(entry);
    return entry.kernel;
  }

  /** Takes a new kernel in; the others keep nothing but their code, and those that were used least recently are forgotten beyond the limits. */
  add(key: string, kernel: CompiledKernel): void {
    this.#entries.at(-1)?.kernel.rest();
    this.#entries.push({ key, kernel });
    let codeBytes = this.#entries.reduce((sum, entry) => sum + entry.kernel.codeBytes, 0);
    while (this.#entries.length > 1 && (this.#entries.length > this.#limits.kernels || codeBytes > this.#limits.codeBytes)) {
      codeBytes -= this.#entries.shift()?.kernel.codeBytes ?? 0;
    }
  }
}
