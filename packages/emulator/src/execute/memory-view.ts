/** GPU addresses as the executor itself uses them: translation and the page table, in software. */
import { GPU_BASE_HIGH, MEMORY_BYTES, PAGE_BYTES, PAGE_TABLE, STATE_BYTES } from '../memory-map.js';

/** A window of a scattered address space. */
export interface AddressWindow {
  readonly address: bigint;
  readonly sizeBytes: number;
  /** Where it lies in the memory. */
  readonly offset: number;
}

export class MemoryView {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly #windows: readonly AddressWindow[] | undefined;

  constructor(memory: WebAssembly.Memory, windows: readonly AddressWindow[] | undefined) {
    this.bytes = new Uint8Array(memory.buffer);
    this.view = new DataView(memory.buffer);
    this.#windows = windows;
  }

  /** The memory offset of `bytes` bytes at a GPU address, or -1. */
  offsetOf(address: bigint, bytes: number): number {
    if (this.#windows === undefined) {
      if (address >> 32n !== BigInt(GPU_BASE_HIGH)) return -1;
      const offset = Number(address & 0xffff_ffffn);
      return offset >= STATE_BYTES && offset + bytes <= MEMORY_BYTES ? offset : -1;
    }
    for (const window of this.#windows) {
      const above = address - window.address;
      if (above >= 0n && above + BigInt(bytes) <= BigInt(window.sizeBytes)) return window.offset + Number(above);
    }
    return -1;
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
