import pc from 'picocolors';
import type { CommonOptions } from './common-options.js';
import type { CliIo } from './io.js';

/** Functions that colour text, or leave it. */
export type Colors = ReturnType<typeof pc.createColors>;

/** Prints a command's results as text or JSON, and its notes beside them. */
export class Output {
  readonly color: Colors;
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  readonly #io: CliIo;

  constructor(io: CliIo, options: CommonOptions) {
    this.#io = io;
    this.isJson = options.json ?? false;
    this.isQuiet = options.quiet ?? false;
    // The option rules over the environment: neither the runtime's notice nor events; the command itself prints errors.
    if (this.isQuiet) io.env['DOORBELL_LOG'] = 'off';
    const isPlain = this.isJson || !options.color || !io.colors || (io.env['NO_COLOR'] ?? '') !== '';
    this.color = pc.createColors(!isPlain);
  }

  /** The result: one document, or its text. `text` is only called where it is printed. */
  result(document: unknown, text: () => string): void {
    this.#io.out(this.isJson ? `${toJson(document)}\n` : ensureNewline(text()));
  }

  /** Something worth knowing that is no result. */
  note(text: string): void {
    if (!this.isQuiet) this.#io.err(ensureNewline(text));
  }
}

/** JSON with addresses and other 64-bit values as hexadecimal strings. */
export function toJson(document: unknown): string {
  return JSON.stringify(
    document,
    (_key, value: unknown) => {
      if (typeof value === 'bigint') return value < 0n ? String(value) : `0x${value.toString(16)}`;
      return value instanceof Error ? { name: value.name, message: value.message } : value;
    },
    2,
  );
}

function ensureNewline(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
