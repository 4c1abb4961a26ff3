/** Host memory that pointer members of ioctl arguments point at. The emulated driver never leaves these buffers. */
import type { HostBuffer } from '@doorbell/abi';
import { PAGE_BYTES } from '../memory-map.js';
import { alignUp } from './address.js';

/** Where the invented addresses begin: user space of a 47-bit process, far from the GPU's window. */
const FIRST_HOST_ADDRESS = 0x7e00_0000_0000n;

export class HostBuffers {
  /** In order of address, since addresses only grow. */
  readonly #buffers: HostBuffer[] = [];
  #next = FIRST_HOST_ADDRESS;

  create(sizeBytes: number): HostBuffer {
    const buffer: HostBuffer = {
      address: this.#next,
      bytes: new Uint8Array(sizeBytes),
      [Symbol.dispose]: (): void => {
        const index = this.#buffers.indexOf(buffer);
        if (index >= 0) this.#buffers.splice(index, 1);
      },
    };
    // One page between neighbours, so that running over the end is seen.
    this.#next += BigInt(alignUp(sizeBytes, PAGE_BYTES) + PAGE_BYTES);
    this.#buffers.push(buffer);
    return buffer;
  }

  /** The `sizeBytes` bytes at `address`; undefined when no buffer holds them all. */
  resolve(address: bigint, sizeBytes: number): Uint8Array | undefined {
    for (const buffer of this.#buffers) {
      if (address < buffer.address) return undefined;
      const start = Number(address - buffer.address);
      if (start + sizeBytes <= buffer.bytes.byteLength) return buffer.bytes.subarray(start, start + sizeBytes);
    }
    return undefined;
  }

  clear(): void {
    this.#buffers.length = 0;
  }
}
