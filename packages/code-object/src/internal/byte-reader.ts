import { HsaError } from '@doorbell/abi/core';

const utf8 = new TextDecoder('utf-8', { fatal: false });

/** The bytes are not what the format demands. */
export function badCodeObject(message: string, details?: Readonly<Record<string, unknown>>): HsaError {
  return new HsaError('ERR_CODE_OBJECT', details === undefined ? { message } : { message, details });
}

/** Bounds-checked little-endian reads; every failure is `ERR_CODE_OBJECT` and names what was being read. */
export class ByteReader {
  readonly bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get length(): number {
    return this.bytes.byteLength;
  }

  u8(offset: number, what: string): number {
    this.#check(offset, 1, what);
    return this.#view.getUint8(offset);
  }

  u16(offset: number, what: string): number {
    this.#check(offset, 2, what);
    return this.#view.getUint16(offset, true);
  }

  u32(offset: number, what: string): number {
    this.#check(offset, 4, what);
    return this.#view.getUint32(offset, true);
  }

  u64(offset: number, what: string): bigint {
    this.#check(offset, 8, what);
    return this.#view.getBigUint64(offset, true);
  }

  i64(offset: number, what: string): bigint {
    this.#check(offset, 8, what);
    return this.#view.getBigInt64(offset, true);
  }

  /** A range given by 64-bit file fields, as numbers; both are inside the bytes. */
  range(offset: bigint, sizeBytes: bigint, what: string): { readonly start: number; readonly sizeBytes: number } {
    if (offset < 0n || sizeBytes < 0n || offset + sizeBytes > BigInt(this.length)) {
      throw badCodeObject(`${what} at offset ${hex(offset)}, ${sizeBytes} bytes, lies outside the file of ${this.length} bytes`, {
        what,
        offset,
        sizeBytes,
        fileBytes: this.length,
      });
    }
    return { start: Number(offset), sizeBytes: Number(sizeBytes) };
  }

  /** A view of `sizeBytes` bytes at `offset`. */
  slice(offset: number, sizeBytes: number, what: string): Uint8Array {
    this.#check(offset, sizeBytes, what);
    return this.bytes.subarray(offset, offset + sizeBytes);
  }

  /** `sizeBytes` bytes as text. */
  text(offset: number, sizeBytes: number, what: string): string {
    // A copy: TextDecoder takes no views of shared memory.
    return utf8.decode(this.slice(offset, sizeBytes, what).slice());
  }

  #check(offset: number, sizeBytes: number, what: string): void {
    if (!(offset >= 0 && sizeBytes >= 0 && offset + sizeBytes <= this.length)) {
      throw badCodeObject(
        `the file ends inside the ${what} (offset ${offset}, ${sizeBytes} bytes, file of ${this.length} bytes)`,
        {
          what,
          offset,
          sizeBytes,
          fileBytes: this.length,
        },
      );
    }
  }
}

/** `0x1f` */
export function hex(value: bigint | number): string {
  return value < 0 ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`;
}
