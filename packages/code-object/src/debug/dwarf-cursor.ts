/** Reads DWARF's variable-length data front to back; a read past the end is a RangeError that the caller turns into a problem. */
const utf8 = new TextDecoder('utf-8', { fatal: false });

export class DwarfCursor {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #end: number;
  position: number;

  constructor(bytes: Uint8Array, position: number = 0, end: number = bytes.length) {
    if (position > end || end > bytes.length) throw new RangeError(`the section ends before offset ${end}`);
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#end = end;
    this.position = position;
  }

  get isAtEnd(): boolean {
    return this.position >= this.#end;
  }

  /** Takes `count` bytes; the offset of the first. */
  skip(count: number): number {
    const at = this.position;
    if (count > this.#end - at) throw new RangeError(`the data ends at offset ${this.#end}, inside a value at ${at}`);
    this.position = at + count;
    return at;
  }

  u8(): number {
    return this.#view.getUint8(this.skip(1));
  }

  i8(): number {
    return this.#view.getInt8(this.skip(1));
  }

  u16(): number {
    return this.#view.getUint16(this.skip(2), true);
  }

  u32(): number {
    return this.#view.getUint32(this.skip(4), true);
  }

  /** 64 bits as a number: exact below 2^53. */
  u64(): number {
    return Number(this.#view.getBigUint64(this.skip(8), true));
  }

  /** Unsigned LEB128: exact below 2^53. */
  uleb(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.u8();
      value += (byte & 0x7f) * scale;
      scale *= 128;
      if (byte < 0x80) return value;
    }
  }

  /** Signed LEB128. */
  sleb(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.u8();
      value += (byte & 0x7f) * scale;
      scale *= 128;
      if (byte < 0x80) return byte >= 0x40 ? value - scale : value;
    }
  }

  /** Text up to its NUL, which is taken too. */
  cstring(): string {
    const end = this.#bytes.indexOf(0, this.position);
    if (end < 0 || end >= this.#end) throw new RangeError(`the text at offset ${this.position} has no end`);
    // A copy: TextDecoder takes no views of shared memory.
    const text = utf8.decode(this.#bytes.slice(this.position, end));
    this.position = end + 1;
    return text;
  }
}
