/** A growable byte buffer with the integer encodings of the WebAssembly binary format (spec §5.2). */
export class ByteSink {
  #bytes: Uint8Array;
  #length = 0;

  constructor(capacity = 256) {
    this.#bytes = new Uint8Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  // hot
  byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#grow(1);
    this.#bytes[this.#length++] = value;
  }

  /** Unsigned LEB128 of a value below 2^32. */
  u32(value: number): void {
    let rest = value >>> 0;
    while (rest > 0x7f) {
      this.byte((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    this.byte(rest);
  }

  /** Signed LEB128 of the low 32 bits of `value`, read as a signed number. */
  s32(value: number): void {
    let rest = value | 0;
    for (;;) {
      const low = rest & 0x7f;
      rest >>= 7;
      if ((rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0)) {
        this.byte(low);
        return;
      }
      this.byte(low | 0x80);
    }
  }

  /** Signed LEB128 of a 64-bit value in two dwords. */
  s64(low: number, high: number): void {
    let lo = low >>> 0;
    let hi = high | 0;
    for (;;) {
      const bits = lo & 0x7f;
      lo = ((lo >>> 7) | (hi << 25)) >>> 0;
      hi >>= 7;
      const positive = hi === 0 && lo === 0 && (bits & 0x40) === 0;
      const negative = hi === -1 && lo === 0xffff_ffff && (bits & 0x40) !== 0;
      if (positive || negative) {
        this.byte(bits);
        return;
      }
      this.byte(bits | 0x80);
    }
  }

  /** Four bytes, little-endian. */
  dword(value: number): void {
    this.byte(value & 0xff);
    this.byte((value >>> 8) & 0xff);
    this.byte((value >>> 16) & 0xff);
    this.byte(value >>> 24);
  }

  bytes(source: Uint8Array): void {
    if (this.#length + source.length > this.#bytes.length) this.#grow(source.length);
    this.#bytes.set(source, this.#length);
    this.#length += source.length;
  }

  /** A name of the binary format: length and ASCII. */
  name(text: string): void {
    this.u32(text.length);
    for (let i = 0; i < text.length; i++) this.byte(text.charCodeAt(i) & 0x7f);
  }

  /** A view of what was written; valid until the next write. */
  view(): Uint8Array<ArrayBuffer> {
    // The buffer is always an ArrayBuffer: it is allocated by this class.
    return this.#bytes.subarray(0, this.#length) as Uint8Array<ArrayBuffer>;
  }

  #grow(needed: number): void {
    const next = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + needed));
    next.set(this.#bytes);
    this.#bytes = next;
  }
}
