/**
 * The address space of the one process: ranges that user space reserved, in the heaps of the memory map. In the first form
 * of translation an address is also the place of the bytes behind it.
 */
import type { HeapHint } from '@doorbell/abi';
import {
  DEVICE_HEAP,
  DEVICE_HEAP_BYTES,
  PAGE_BYTES,
  SYSTEM_HEAP,
  SYSTEM_HEAP_BYTES,
  VRAM_HEAP,
  VRAM_HEAP_BYTES,
} from '../memory-map.js';
import { alignUp } from './address.js';
import { Heap } from './heap.js';

interface Reservation {
  readonly offset: number;
  readonly sizeBytes: number;
  /** Buffers and mappings that lie in it. */
  users: number;
  /** How often user space holds it; it is free when the last holder and the last user are gone. */
  holders: number;
}

export class AddressSpace {
  readonly #heaps: Readonly<Record<HeapHint | 'device', Heap>> = {
    system: new Heap(SYSTEM_HEAP, SYSTEM_HEAP_BYTES),
    vram: new Heap(VRAM_HEAP, VRAM_HEAP_BYTES),
    device: new Heap(DEVICE_HEAP, DEVICE_HEAP_BYTES),
  };
  readonly #reservations = new Map<number, Reservation>();

  /** Reserves `sizeBytes` (rounded up to pages); undefined when the heap has no such range. */
  reserve(heap: HeapHint | 'device', sizeBytes: number, alignBytes: number): number | undefined {
    const bytes = alignUp(sizeBytes, PAGE_BYTES);
    const offset = this.#heaps[heap].allocate(bytes, alignBytes);
    if (offset !== undefined) this.#add(offset, bytes);
    return offset;
  }

  /** Gives back exactly what {@link reserve} gave; false when there is no such reservation. */
  release(offset: number, sizeBytes: number): boolean {
    const reservation = this.#reservations.get(offset);
    if (reservation === undefined || reservation.holders === 0) return false;
    if (reservation.sizeBytes !== alignUp(sizeBytes, PAGE_BYTES)) return false;
    reservation.holders -= 1;
    this.#freeIfUnused(reservation);
    return true;
  }

  /** Hands out a reservation that is in use once more, for memory that user space has twice; false when it is not exactly this range. */
  share(offset: number, sizeBytes: number): boolean {
    const reservation = this.#reservations.get(offset);
    if (reservation?.sizeBytes !== alignUp(sizeBytes, PAGE_BYTES)) return false;
    reservation.holders += 1;
    return true;
  }

  /**
   * Notes a buffer or mapping at this range, which must lie in one reservation; a range that nobody reserved is claimed for
   * as long as it is used. False when neither is possible.
   */
  use(offset: number, sizeBytes: number): boolean {
    const bytes = alignUp(sizeBytes, PAGE_BYTES);
    const reservation = this.#find(offset, bytes) ?? this.#claim(offset, bytes);
    if (reservation === undefined) return false;
    reservation.users += 1;
    return true;
  }

  /** Takes a {@link use} back. */
  unuse(offset: number, sizeBytes: number): void {
    const reservation = this.#find(offset, alignUp(sizeBytes, PAGE_BYTES));
    if (reservation === undefined) return;
    reservation.users -= 1;
    this.#freeIfUnused(reservation);
  }

  #find(offset: number, sizeBytes: number): Reservation | undefined {
    const exact = this.#reservations.get(offset);
    if (exact !== undefined && sizeBytes <= exact.sizeBytes) return exact;
    for (const reservation of this.#reservations.values()) {
      if (offset >= reservation.offset && offset + sizeBytes <= reservation.offset + reservation.sizeBytes) return reservation;
    }
    return undefined;
  }

  #claim(offset: number, sizeBytes: number): Reservation | undefined {
    const heap = this.#heapOf(offset, sizeBytes);
    if (heap?.allocateAt(offset, sizeBytes) !== true) return undefined;
    return this.#add(offset, sizeBytes, 0);
  }

  #add(offset: number, sizeBytes: number, holders = 1): Reservation {
    const reservation = { offset, sizeBytes, users: 0, holders };
    this.#reservations.set(offset, reservation);
    return reservation;
  }

  #freeIfUnused(reservation: Reservation): void {
    if (reservation.holders > 0 || reservation.users > 0) return;
    this.#reservations.delete(reservation.offset);
    this.#heapOf(reservation.offset, reservation.sizeBytes)?.free(reservation.offset, reservation.sizeBytes);
  }

  #heapOf(offset: number, sizeBytes: number): Heap | undefined {
    return Object.values(this.#heaps).find((heap) => heap.contains(offset, sizeBytes));
  }
}
