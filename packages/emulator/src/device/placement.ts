/**
 * Who chooses addresses. In the first form of translation a range that user space reserves is also the place of its bytes. In the
 * second the client has an address space of its own, as a Linux process has: each buffer gets a place from the heaps, and a window
 * shows it at the address that the client wants.
 */
import type { HeapHint } from '@doorbell/abi';
import { WINDOW_ADDRESS_BITS } from '../address-windows.js';
import type { WindowTable } from '../address-windows.js';
import { GPU_BASE, MEMORY_BYTES, PAGE_BYTES, STATE_BYTES } from '../memory-map.js';
import { alignUp, fixedTranslation } from './address.js';
import type { AddressSpace } from './address-space.js';
import type { Buffer, BufferKind, BufferTable, MemoryObject } from './buffers.js';
import type { DevicePages } from './device-pages.js';
import { EADDRINUSE, EFAULT, EINVAL, ENOMEM } from './errno.js';
import type { PageTable } from './page-table.js';

/** What a new buffer needs. */
export interface PlaceRequest {
  readonly kind: BufferKind;
  /** Where the GPU shall see it. */
  readonly address: bigint;
  /** Where the process has the memory of a userptr buffer. */
  readonly hostAddress: bigint;
  readonly sizeBytes: number;
  /** Of its GPU. */
  readonly doorbells: DevicePages;
}

export interface Placement {
  /** First and last address that buffers may have: the gpuvm aperture. */
  readonly first: bigint;
  readonly last: bigint;
  /** An address range without memory; undefined when there is none. */
  reserve(request: { readonly sizeBytes: number; readonly alignBytes: number; readonly heap: HeapHint }): bigint | undefined;
  /** An address range for a second buffer over this memory. */
  reserveFor(memory: MemoryObject): bigint | undefined;
  /** False when there is no such reservation. */
  release(address: bigint, sizeBytes: number): boolean;
  /** Takes a place for a buffer: its offset in the memory, or a negative errno. */
  place(request: PlaceRequest): number;
  /** Shows memory that has a place at one more address: 0, or a negative errno. */
  show(memory: MemoryObject, address: bigint): number;
  /** Gives the place of a buffer back. */
  unplace(buffer: Buffer): void;
  /** Takes a place for memory of the process itself, at this address or any; a negative errno when it cannot be there. Whole pages. */
  placeHost(sizeBytes: number, address: bigint | undefined): HostPlace | number;
}

export interface HostPlace {
  readonly offset: number;
  readonly address: bigint;
  release(): void;
}

export interface PlacementParts {
  readonly addressSpace: AddressSpace;
  readonly buffers: BufferTable;
  readonly pageTable: PageTable;
}

export class FixedPlacement implements Placement {
  readonly first: bigint = GPU_BASE + BigInt(STATE_BYTES);
  readonly last: bigint = GPU_BASE + BigInt(MEMORY_BYTES) - 1n;
  readonly #parts: PlacementParts;

  constructor(parts: PlacementParts) {
    this.#parts = parts;
  }

  reserve({ sizeBytes, alignBytes, heap }: Parameters<Placement['reserve']>[0]): bigint | undefined {
    const offset = this.#parts.addressSpace.reserve(heap, sizeBytes, alignBytes);
    return offset === undefined ? undefined : fixedTranslation.addressOf(offset);
  }

  reserveFor({ offset, sizeBytes }: MemoryObject): bigint | undefined {
    return this.#parts.addressSpace.share(offset, sizeBytes) ? fixedTranslation.addressOf(offset) : undefined;
  }

  release(address: bigint, sizeBytes: number): boolean {
    const offset = fixedTranslation.offsetOf(address, sizeBytes);
    return offset >= 0 && this.#parts.addressSpace.release(offset, sizeBytes);
  }

  place({ kind, address, hostAddress, sizeBytes, doorbells }: PlaceRequest): number {
    const { addressSpace, buffers, pageTable } = this.#parts;
    const offset = fixedTranslation.offsetOf(address, alignUp(sizeBytes, PAGE_BYTES));
    // One address space: memory of the process is where the GPU shall see it, or it cannot be shown there.
    if (kind === 'userptr' && (hostAddress !== address || offset < 0 || !pageTable.isHostAccessible(offset, sizeBytes)))
      return -EFAULT;
    // The emulator backs addresses of its own window only.
    if (offset < 0 || offset % PAGE_BYTES !== 0) return -ENOMEM;
    // The driver looks for conflicts when it maps; here memory lies where its address says, but for the user's own.
    if (kind !== 'userptr' && buffers.overlapping(address, sizeBytes).length > 0) return -EADDRINUSE;
    if (!addressSpace.use(offset, sizeBytes)) return -EADDRINUSE;
    if (kind !== 'doorbell' || doorbells.placeAt(offset)) return offset;
    addressSpace.unuse(offset, sizeBytes);
    return -EINVAL;
  }

  /** One place for the bytes means one address for all that show them. */
  show({ offset, sizeBytes }: MemoryObject, address: bigint): number {
    return fixedTranslation.offsetOf(address, sizeBytes) === offset && this.#parts.addressSpace.use(offset, sizeBytes)
      ? 0
      : -ENOMEM;
  }

  unplace({ offset, sizeBytes }: Buffer): void {
    this.#parts.addressSpace.unuse(offset, sizeBytes);
  }

  placeHost(sizeBytes: number, address: bigint | undefined): HostPlace | number {
    const { addressSpace } = this.#parts;
    const at = address === undefined ? undefined : fixedTranslation.offsetOf(address, sizeBytes);
    if (at !== undefined && at < 0) return -EINVAL;
    const offset = at ?? addressSpace.reserve('system', sizeBytes, PAGE_BYTES);
    if (offset === undefined || !addressSpace.use(offset, sizeBytes)) return -ENOMEM;
    const release = (): void => {
      addressSpace.unuse(offset, sizeBytes);
      if (at === undefined) addressSpace.release(offset, sizeBytes);
    };
    return { offset, address: address ?? GPU_BASE + BigInt(offset), release };
  }
}

/** Memory of the process that userptr buffers show to GPUs. */
interface HostRange {
  readonly address: bigint;
  readonly sizeBytes: number;
  readonly offset: number;
  /** Buffers over it. */
  users: number;
}

/** The lowest address that the driver gives to buffers of a client with an address space of its own (amdkfd kfd_flat_memory.c). */
const FIRST_CLIENT_ADDRESS = 0x4000n;
/** Where addresses that {@link ScatteredPlacement.reserve} makes up begin; they go down from here and never come back. */
const RESERVED_END = 0x7f00_0000_0000n;
const HUGE_PAGE_BYTES = 2 ** 21;

export class ScatteredPlacement implements Placement {
  readonly first: bigint = FIRST_CLIENT_ADDRESS;
  readonly last: bigint = (1n << BigInt(WINDOW_ADDRESS_BITS)) - 1n;
  readonly #parts: PlacementParts;
  readonly #windows: WindowTable;
  readonly #hostRanges: HostRange[] = [];
  readonly #reservations = new Map<bigint, number>();
  #nextAddress = RESERVED_END;

  constructor(parts: PlacementParts, windows: WindowTable) {
    this.#parts = parts;
    this.#windows = windows;
  }

  reserve({ sizeBytes, alignBytes }: Parameters<Placement['reserve']>[0]): bigint | undefined {
    const bytes = BigInt(alignUp(sizeBytes, PAGE_BYTES));
    // Neighbours are apart, so that running over the end is seen.
    const address = (this.#nextAddress - bytes - BigInt(PAGE_BYTES)) & ~(BigInt(alignBytes) - 1n);
    if (address < FIRST_CLIENT_ADDRESS) return undefined;
    this.#nextAddress = address;
    this.#reservations.set(address, Number(bytes));
    return address;
  }

  reserveFor({ kind, sizeBytes }: MemoryObject): bigint | undefined {
    return this.reserve({ sizeBytes, alignBytes: PAGE_BYTES, heap: kind === 'vram' ? 'vram' : 'system' });
  }

  release(address: bigint, sizeBytes: number): boolean {
    return this.#reservations.get(address) === alignUp(sizeBytes, PAGE_BYTES) && this.#reservations.delete(address);
  }

  place(request: PlaceRequest): number {
    const { kind, address, sizeBytes } = request;
    const bytes = alignUp(sizeBytes, PAGE_BYTES);
    if (address < this.first || address + BigInt(bytes) - 1n > this.last) return -ENOMEM;
    if (address % BigInt(PAGE_BYTES) !== 0n) return -EINVAL;
    if (this.#windows.overlaps(address, bytes)) return -EADDRINUSE;
    const offset = kind === 'userptr' ? this.#placeHost(request.hostAddress, bytes) : this.#placeDevice(request, bytes);
    if (offset < 0) return offset;
    if (this.#windows.add({ address, sizeBytes: bytes, offset })) return offset;
    this.#giveBack(kind, offset, bytes);
    return -ENOMEM;
  }

  show({ offset, sizeBytes }: MemoryObject, address: bigint): number {
    if (address < this.first || address + BigInt(sizeBytes) - 1n > this.last) return -ENOMEM;
    if (address % BigInt(PAGE_BYTES) !== 0n) return -EINVAL;
    if (this.#windows.overlaps(address, sizeBytes)) return -EADDRINUSE;
    if (!this.#windows.add({ address, sizeBytes, offset })) return -ENOMEM;
    this.#parts.addressSpace.use(offset, sizeBytes);
    return 0;
  }

  unplace({ kind, address, offset, sizeBytes }: Buffer): void {
    this.#windows.remove(address);
    this.#giveBack(kind, offset, sizeBytes);
  }

  placeHost(sizeBytes: number, wanted: bigint | undefined): HostPlace | number {
    const address = wanted ?? this.reserve({ sizeBytes, alignBytes: PAGE_BYTES, heap: 'system' });
    if (address === undefined) return -ENOMEM;
    const offset = this.#placeHost(address, sizeBytes);
    if (offset < 0) return offset;
    const release = (): void => {
      this.#giveBack('userptr', offset, sizeBytes);
      if (wanted === undefined) this.release(address, sizeBytes);
    };
    return { offset, address, release };
  }

  #placeDevice({ kind, doorbells }: PlaceRequest, bytes: number): number {
    const { addressSpace } = this.#parts;
    if (kind === 'doorbell') {
      const offset = doorbells.place();
      return offset !== undefined && addressSpace.use(offset, bytes) ? offset : -ENOMEM;
    }
    const heap = kind === 'vram' ? 'vram' : kind === 'mmio' ? 'device' : 'system';
    return this.#take(heap, bytes);
  }

  /** A range that is given back with its last use. */
  #take(heap: HeapHint | 'device', bytes: number): number {
    const { addressSpace } = this.#parts;
    const offset = addressSpace.reserve(heap, bytes, bytes >= HUGE_PAGE_BYTES ? HUGE_PAGE_BYTES : PAGE_BYTES);
    if (offset === undefined) return -ENOMEM;
    addressSpace.use(offset, bytes);
    addressSpace.release(offset, bytes);
    return offset;
  }

  /** The place of memory of the process: the same one for as long as some buffer is over it, since it is the same memory. */
  #placeHost(address: bigint, bytes: number): number {
    const { addressSpace, pageTable } = this.#parts;
    const end = address + BigInt(bytes);
    const near = this.#hostRanges.find((range) => address < range.address + BigInt(range.sizeBytes) && range.address < end);
    if (near !== undefined) {
      // Bytes that two ranges share can be in one place only.
      if (address < near.address || end > near.address + BigInt(near.sizeBytes)) return -EFAULT;
      near.users += 1;
      const offset = near.offset + Number(address - near.address);
      addressSpace.use(offset, bytes);
      return offset;
    }
    const offset = this.#take('system', bytes);
    if (offset < 0) return offset;
    pageTable.setHost(offset, bytes, 'write');
    this.#hostRanges.push({ address, sizeBytes: bytes, offset, users: 1 });
    return offset;
  }

  #giveBack(kind: BufferKind, offset: number, bytes: number): void {
    const { addressSpace, pageTable } = this.#parts;
    if (kind === 'userptr') {
      const index = this.#hostRanges.findIndex((range) => offset >= range.offset && offset < range.offset + range.sizeBytes);
      const range = this.#hostRanges[index];
      if (range !== undefined) {
        range.users -= 1;
        if (range.users === 0) {
          this.#hostRanges.splice(index, 1);
          pageTable.setHost(range.offset, range.sizeBytes, 'none');
        }
      }
    }
    addressSpace.unuse(offset, bytes);
  }
}
