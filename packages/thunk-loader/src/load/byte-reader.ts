/** Reads of little-endian values that answer `undefined` outside the bytes: for files that somebody else wrote. */
export class ByteReader {
  readonly sizeBytes: number;
  readonly #bytes: Buffer;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.sizeBytes = bytes.length;
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  u8(offset: number): number | undefined {
    return this.holds(offset, 1) ? this.#view.getUint8(offset) : undefined;
  }

  u16(offset: number): number | undefined {
    return this.holds(offset, 2) ? this.#view.getUint16(offset, true) : undefined;
  }

  u32(offset: number): number | undefined {
    return this.holds(offset, 4) ? this.#view.getUint32(offset, true) : undefined;
  }

  /** A 64-bit value as a number; undefined also where it is 2^53 or more, which no offset in a file is. */
  u64(offset: number): number | undefined {
    if (!this.holds(offset, 8)) return undefined;
    const high = this.#view.getUint32(offset + 4, true);
    return high > 0x1f_ffff ? undefined : high * 0x1_0000_0000 + this.#view.getUint32(offset, true);
  }

  slice(offset: number, sizeBytes: number): Uint8Array | undefined {
    return this.holds(offset, sizeBytes) ? this.#bytes.subarray(offset, offset + sizeBytes) : undefined;
  }

  /** The text from `offset` to the next zero byte before `end`; undefined where there is none, or it is longer than 4096 bytes. */
  cString(offset: number, end: number = this.sizeBytes): string | undefined {
    if (!this.holds(offset, 1)) return undefined;
    // Only within the limit: thousands of names before a long run without zero would each be searched to its end.
    const text = this.#bytes.subarray(offset, Math.min(end, offset + MAX_STRING_BYTES));
    const zero = text.indexOf(0);
    return zero < 0 ? undefined : text.toString('utf8', 0, zero);
  }

  holds(offset: number, sizeBytes: number): boolean {
    return Number.isSafeInteger(offset) && offset >= 0 && sizeBytes >= 0 && offset + sizeBytes <= this.sizeBytes;
  }
}

/** PATH_MAX of Linux, which no name in a library reaches either. */
const MAX_STRING_BYTES = 4096;
