import type { ForeignFunctions } from '@doorbell/thunk-loader';

const BLOCK_BYTES = 64 * 1024;
const ALIGN = 16;

/** A piece of C's memory and the view of it. */
export interface NativeBytes {
  readonly address: bigint;
  readonly bytes: Uint8Array;
}

/**
 * C memory for the arguments of one call: taken in any number, given back all at once. Calls nest, since a tool calls back. What does
 * not fit the block comes from the C heap.
 */
export class Scratch {
  readonly #ffi: ForeignFunctions;
  #block: NativeBytes | undefined;
  #used = 0;
  readonly #large: bigint[] = [];

  constructor(ffi: ForeignFunctions) {
    this.#ffi = ffi;
  }

  /** Runs `body`; what it took is free again afterwards. */
  scoped<T>(body: () => T): T {
    const used = this.#used;
    const large = this.#large.length;
    try {
      return body();
    } finally {
      this.#used = used;
      for (const address of this.#large.splice(large)) this.#ffi.free(address);
    }
  }

  /** Zeroed memory until the innermost {@link scoped} ends. */
  take(sizeBytes: number): NativeBytes {
    const size = Math.max(1, sizeBytes);
    const start = Math.ceil(this.#used / ALIGN) * ALIGN;
    if (start + size > BLOCK_BYTES) {
      const address = this.#ffi.allocate(size);
      this.#large.push(address);
      return { address, bytes: this.#ffi.view(address, size) };
    }
    this.#block ??= this.#createBlock();
    const { address, bytes } = this.#block;
    this.#used = start + size;
    const taken = bytes.subarray(start, start + size);
    taken.fill(0);
    return { address: address + BigInt(start), bytes: taken };
  }

  /** A NUL-terminated copy. */
  takeString(text: string): bigint {
    const encoded = new TextEncoder().encode(text);
    const { address, bytes } = this.take(encoded.length + 1);
    bytes.set(encoded);
    return address;
  }

  dispose(): void {
    if (this.#block !== undefined) this.#ffi.free(this.#block.address);
    this.#block = undefined;
  }

  #createBlock(): NativeBytes {
    const address = this.#ffi.allocate(BLOCK_BYTES);
    return { address, bytes: this.#ffi.view(address, BLOCK_BYTES) };
  }
}
