/** The kernels that a worker has code for: not more than its memory should hold, however many are loaded and unloaded. */

export interface KernelLimits {
  readonly kernels: number;
  /** Size of the modules of all of them. */
  readonly codeBytes: number;
}

/** What is needed of a kernel to remember it. */
export interface RememberedKernel {
  /** Size of the modules that were made for it; grows while it runs. */
  readonly codeBytes: number;
  /** Another kernel was made. */
  rest(): void;
}

interface Entry<Kernel> {
  /** What kernels that may be the same have in common. */
  readonly key: string;
  readonly kernel: Kernel;
}

export class RecentKernels<Kernel extends RememberedKernel> {
  readonly #limits: KernelLimits;
  /** Used last: at the end. */
  readonly #entries: Entry<Kernel>[] = [];

  constructor(limits: KernelLimits) {
    this.#limits = limits;
  }

  find(key: string, isSame: (kernel: Kernel) => boolean): Kernel | undefined {
    const at = this.#entries.findLastIndex((entry) => entry.key === key && isSame(entry.kernel));
    const [entry] = at < 0 ? [] : this.#entries.splice(at, 1);
    if (entry === undefined) return undefined;
    this.#entries.push(entry);
    return entry.kernel;
  }

  /** Takes a new kernel in; the others keep nothing but their code, and those that were used least recently are forgotten beyond the limits. */
  add(key: string, kernel: Kernel): void {
    for (const other of this.#entries) other.kernel.rest();
    this.#entries.push({ key, kernel });
    let codeBytes = this.#entries.reduce((sum, entry) => sum + entry.kernel.codeBytes, 0);
    while (this.#entries.length > 1 && (this.#entries.length > this.#limits.kernels || codeBytes > this.#limits.codeBytes)) {
      codeBytes -= this.#entries.shift()?.kernel.codeBytes ?? 0;
    }
  }
}
