import type { DeviceContext } from './device-context.js';

/** A block for one kernarg segment, in memory that the GPU reads uncached. */
export interface KernargBlock {
  readonly address: bigint;
  readonly bytes: Uint8Array;
}

const CHUNK_BYTES = 1 << 20;
const SMALLEST_BYTES = 256;

/** Kernarg segments of a device: blocks of powers of two, cut from chunks that are freed with the pool. */
export class KernargPool {
  readonly #context: DeviceContext;
  readonly #free = new Map<number, KernargBlock[]>();
  readonly #chunks: bigint[] = [];
  #cursor = CHUNK_BYTES;
  #chunk: KernargBlock | undefined;

  constructor(context: DeviceContext) {
    this.#context = context;
  }

  take(sizeBytes: number): KernargBlock {
    const size = Math.max(SMALLEST_BYTES, 2 ** Math.ceil(Math.log2(Math.max(sizeBytes, 1))));
    return this.#free.get(size)?.pop() ?? this.#cut(size);
  }

  /** Takes a block back; the kernel that read it must be done. */
  give(block: KernargBlock): void {
    const list = this.#free.get(block.bytes.length);
    if (list) list.push(block);
    else this.#free.set(block.bytes.length, [block]);
  }

  dispose(): void {
    for (const address of this.#chunks.splice(0)) this.#context.free(address);
    this.#free.clear();
  }

  #cut(size: number): KernargBlock {
    if (size > CHUNK_BYTES) return this.#allocate(size);
    if (this.#cursor + size > CHUNK_BYTES || this.#chunk === undefined) {
      this.#chunk = this.#allocate(CHUNK_BYTES);
      this.#cursor = 0;
    }
    const { address, bytes } = this.#chunk;
    const block = { address: address + BigInt(this.#cursor), bytes: bytes.subarray(this.#cursor, this.#cursor + size) };
    this.#cursor += size;
    return block;
  }

  #allocate(sizeBytes: number): KernargBlock {
    const address = this.#context.allocate('kernarg', { sizeBytes, label: 'kernarg segments' });
    this.#chunks.push(address);
    return { address, bytes: this.#context.view(address, sizeBytes) };
  }
}
