/** GPU addresses as the executor itself uses them: translation and the page table, in software. */
import { WindowReader } from '../address-windows.js';
import { GPU_BASE_HIGH, MEMORY_BYTES, PAGE_BYTES, PAGE_TABLE, STATE_BYTES } from '../memory-map.js';

export class MemoryView {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly #windows: WindowReader | undefined;

  constructor(memory: WebAssembly.Memory, addressSpace: 'fixed' | 'scattered') {
    this.bytes = new Uint8Array(memory.buffer);
    this.view = new DataView(memory.buffer);
    this.#windows = addressSpace === 'fixed' ? undefined : new WindowReader(memory);
  }

  /** The memory offset of `bytes` bytes at a GPU address, or -1. */
  offsetOf(address: bigint, bytes: number): number {
    if (this.#windows !== undefined) return this.#windows.offsetOf(address, bytes);
    if (address >> 32n !== BigInt(GPU_BASE_HIGH)) return -1;
    const offset = Number(address & 0xffff_ffffn);
    return offset >= STATE_BYTES && offset + bytes <= MEMORY_BYTES ? offset : -1;
  }

  /** Whether all pages of a range have the permissions. */
  allows(offset: number, bytes: number, access: number): boolean {
    const last = Math.floor((offset + bytes - 1) / PAGE_BYTES);
    for (let page = Math.floor(offset / PAGE_BYTES); page <= last; page++) {
      if (((this.bytes[PAGE_TABLE + page] ?? 0) & access) !== access) return false;
    }
    return true;
  }

  pageFlags(offset: number): number {
    return this.bytes[PAGE_TABLE + Math.floor(offset / PAGE_BYTES)] ?? 0;
  }
}
