/** A growing little-endian byte string. */
export class ByteWriter {
  #bytes = new Uint8Array(256);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  u8(value: number): this {
    const at = this.#room(1);
    this.#view.setUint8(at, value);
    return this;
  }

  u16(value: number): this {
    const at = this.#room(2);
    this.#view.setUint16(at, value, true);
    return this;
  }

  u32(value: number): this {
    const at = this.#room(4);
    this.#view.setUint32(at, value, true);
    return this;
  }

  u64(value: bigint | number): this {
    const at = this.#room(8);
    this.#view.setBigUint64(at, BigInt.asUintN(64, BigInt(value)), true);
    return this;
  }

  bytes(bytes: Uint8Array): this {
    const at = this.#room(bytes.length);
    this.#bytes.set(bytes, at);
    return this;
  }

  zeros(count: number): this {
    this.#room(count);
    return this;
  }

  /** Pads with zeros up to `offset`. */
  padTo(offset: number): this {
    return this.zeros(offset - this.#length);
  }

  /** Overwrites what was written; the range must lie within it. */
  patch(offset: number, bytes: Uint8Array): void {
    this.#bytes.subarray(0, this.#length).set(bytes, offset);
  }

  /** A copy of what was written. */
  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  /** Makes room and gives its offset; it may replace the buffer and its view. */
  #room(count: number): number {
    const at = this.#length;
    const end = at + count;
    if (end > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(end, this.#bytes.length * 2));
      grown.set(this.#bytes);
      this.#bytes = grown;
      this.#view = new DataView(grown.buffer);
    }
    this.#length = end;
    return at;
  }
}
