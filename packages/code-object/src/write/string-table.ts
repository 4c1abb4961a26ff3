import { ByteWriter } from './byte-writer.js';

const utf8 = new TextEncoder();

/** An ELF string table: NUL-terminated names, each once, the empty one first. */
export class StringTable {
  readonly #writer = new ByteWriter().u8(0);
  readonly #offsets = new Map<string, number>([['', 0]]);

  /** The offset of a name, which is added when it is new. */
  add(name: string): number {
    const known = this.#offsets.get(name);
    if (known !== undefined) return known;
    const offset = this.#writer.length;
    this.#writer.bytes(utf8.encode(name)).u8(0);
    this.#offsets.set(name, offset);
    return offset;
  }

  finish(): Uint8Array {
    return this.#writer.finish();
  }
}
