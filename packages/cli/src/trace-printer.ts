import { thunkLoader } from '@doorbell/runtime/layers';
import type { CliIo } from './io.js';
import type { Output } from './output.js';
import { count } from './text.js';

/** A step with the check that it belongs to; times count from the start. */
export type CheckedTraceEvent = thunkLoader.TraceEvent & { readonly check: string };

/**
 * Prints steps as they happen; of reads that differ only in numbers (`caches/0`, `caches/1`) the first, until something else
 * happens. With `--json` it keeps all for the document.
 */
export class TracePrinter {
  readonly events: CheckedTraceEvent[] = [];
  readonly #io: CliIo;
  readonly #output: Output;
  readonly #started = performance.now();
  #check = '';
  /** Reads since the last other step, their numbers left out, and how many like them were not printed. */
  readonly #shapes = new Set<string>();
  #folded = 0;

  constructor(io: CliIo, output: Output) {
    this.#io = io;
    this.#output = output;
  }

  /** A check begins. */
  check(name: string): void {
    this.#check = name;
    this.#print(performance.now(), `check ${name}`);
  }

  step(event: thunkLoader.TraceEvent): void {
    if (this.#output.isJson) {
      this.events.push({ ...event, timeMs: event.timeMs - this.#started, check: this.#check });
      return;
    }
    const shape = event.step === 'sysfs' ? `${event.call} ${event.path.replace(/\d+/g, '#')}` : undefined;
    if (shape !== undefined && this.#shapes.has(shape)) {
      this.#folded++;
      return;
    }
    if (shape === undefined) this.#shapes.clear();
    else this.#shapes.add(shape);
    this.#print(event.timeMs, `  ${thunkLoader.formatTraceStep(event)}`);
  }

  /** Nothing more comes. */
  end(): void {
    if (this.#folded > 0) this.#io.out(`${' '.repeat(17)}… ${count(this.#folded, 'read')} like these\n`);
    this.#folded = 0;
  }

  #print(timeMs: number, text: string): void {
    if (this.#output.isJson) return;
    this.end();
    this.#io.out(`${(timeMs - this.#started).toFixed(1).padStart(8)} ms ${text}\n`);
  }
}
