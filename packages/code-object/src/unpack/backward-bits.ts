import { badCodeObject } from '../internal/byte-reader.js';

/** Bits that are read from the end of a byte range to its begin, behind a closing 1 bit (RFC 8878, 4.1 "FSE", and 4.2.2). */
export class BackwardBits {
  readonly #bytes: Uint8Array;
  /** Bits left. */
  left: number;

  /** @throws {HsaError} ERR_CODE_OBJECT where the closing bit is missing. */
  constructor(bytes: Uint8Array) {
    const last = bytes[bytes.length - 1] ?? 0;
    if (last === 0) throw badCodeObject('the zstd data is damaged: a bit stream has no closing bit');
    this.#bytes = bytes;
    this.left = (bytes.length - 1) * 8 + 31 - Math.clz32(last);
  }

  /** The next `count` bits, at most 24. Behind the end come zeros, and `left` is negative. */
  // hot
  read(count: number): number {
    const bytes = this.#bytes;
    this.left -= count;
    const at = this.left;
    if (at < 0) return at <= -count ? 0 : (this.#word(0) & ((1 << (count + at)) - 1)) << -at;
    const byte = at >> 3;
    const word =
      (bytes[byte] ?? 0) | ((bytes[byte + 1] ?? 0) << 8) | ((bytes[byte + 2] ?? 0) << 16) | ((bytes[byte + 3] ?? 0) << 24);
    return (word >>> (at & 7)) & ((1 << count) - 1);
  }

  /** The next `count` bits, at most 31. */
  readLong(count: number): number {
    if (count <= 24) return this.read(count);
    const high = this.read(count - 16);
    return high * 0x1_0000 + this.read(16);
  }

  #word(byte: number): number {
    const bytes = this.#bytes;
    return (bytes[byte] ?? 0) | ((bytes[byte + 1] ?? 0) << 8) | ((bytes[byte + 2] ?? 0) << 16) | ((bytes[byte + 3] ?? 0) << 24);
  }
}
