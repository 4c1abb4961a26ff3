import type { CliIo } from './io.js';

/** How often a line is printed where it cannot be rewritten. */
const LINE_INTERVAL_MS = 10_000;

/** Progress of a launch: one line that is rewritten on a terminal, else a line every 10 s. */
export class Progress implements Disposable {
  readonly #io: CliIo;
  readonly #name: string;
  readonly #now: () => number;
  #lastLine: number;
  #hasOpenLine = false;

  constructor(io: CliIo, name: string, now: () => number = () => performance.now()) {
    this.#io = io;
    this.#name = name;
    this.#now = now;
    this.#lastLine = now();
  }

  update(done: number, total: number): void {
    const text = `${this.#name}: ${done} of ${total} workgroups`;
    if (this.#io.isTerminal) {
      this.#io.err(`\r\x1b[K${text}`);
      this.#hasOpenLine = true;
      return;
    }
    const now = this.#now();
    if (now - this.#lastLine < LINE_INTERVAL_MS) return;
    this.#lastLine = now;
    this.#io.err(`${text}\n`);
  }

  /** Clears the rewritten line. */
  [Symbol.dispose](): void {
    if (this.#hasOpenLine) this.#io.err('\r\x1b[K');
    this.#hasOpenLine = false;
  }
}
