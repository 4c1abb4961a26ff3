/** Buffer objects: what ALLOC_MEMORY_OF_GPU made, by handle, and who uses them. */
import { PAGE_BYTES, PAGE_COARSE, PAGE_EXECUTE, PAGE_READ, PAGE_WRITE } from '../memory-map.js';
import { alignUp } from './address.js';
import {
  KFD_IOC_ALLOC_MEM_FLAGS_COHERENT,
  KFD_IOC_ALLOC_MEM_FLAGS_EXECUTABLE,
  KFD_IOC_ALLOC_MEM_FLAGS_EXT_COHERENT,
  KFD_IOC_ALLOC_MEM_FLAGS_GTT,
  KFD_IOC_ALLOC_MEM_FLAGS_UNCACHED,
  KFD_IOC_ALLOC_MEM_FLAGS_VRAM,
  KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE,
} from './kfd-constants.js';

export type BufferKind = 'vram' | 'gtt' | 'userptr' | 'doorbell' | 'mmio';

/** One buffer object. */
export interface Buffer {
  readonly handle: bigint;
  readonly gpuId: number;
  readonly kind: BufferKind;
  readonly flags: number;
  /** Where GPUs see it. */
  readonly address: bigint;
  /** Place in the machine's memory. */
  readonly offset: number;
  /** Whole pages. */
  readonly sizeBytes: number;
  /** Offset for mmap on the render node; on /dev/kfd for MMIO. */
  readonly mmapOffset: bigint;
  /** GPUs that have it mapped. */
  readonly mappedOn: Set<number>;
  /** Queues and the event table that need it mapped. */
  users: number;
}

/** Offsets in the render node's file begin here (DRM's fake offsets are beyond 32 bits). */
const FIRST_FAKE_OFFSET = 0x1_0000_0000n;

export class BufferTable {
  readonly #buffers = new Map<bigint, Buffer>();

  /** Adds a buffer under the lowest free handle of its GPU: `gpu_id << 32 | index`. */
  add(
    init: Pick<Buffer, 'gpuId' | 'kind' | 'flags' | 'address' | 'offset' | 'sizeBytes'> & { readonly mmapOffset?: bigint },
  ): Buffer {
    const base = BigInt(init.gpuId) << 32n;
    let handle = base;
    while (this.#buffers.has(handle)) handle += 1n;
    const buffer: Buffer = {
      mmapOffset: FIRST_FAKE_OFFSET + BigInt(init.offset),
      ...init,
      sizeBytes: alignUp(init.sizeBytes, PAGE_BYTES),
      handle,
      mappedOn: new Set(),
      users: 0,
    };
    this.#buffers.set(handle, buffer);
    return buffer;
  }

  get(handle: bigint): Buffer | undefined {
    return this.#buffers.get(handle);
  }

  remove(buffer: Buffer): void {
    this.#buffers.delete(buffer.handle);
  }

  /** Whether some buffer has any of these addresses. */
  overlaps(address: bigint, sizeBytes: number): boolean {
    const end = address + BigInt(sizeBytes);
    for (const buffer of this.#buffers.values()) {
      if (address < buffer.address + BigInt(buffer.sizeBytes) && buffer.address < end) return true;
    }
    return false;
  }

  /** The buffer that has this address. */
  at(address: bigint): Buffer | undefined {
    for (const buffer of this.#buffers.values()) {
      if (address >= buffer.address && address < buffer.address + BigInt(buffer.sizeBytes)) return buffer;
    }
    return undefined;
  }

  /** Mapped buffers, beside this one, that show some of its pages as well: of memory that the process registered twice. */
  sharers({ offset, sizeBytes, handle }: Buffer): readonly Buffer[] {
    return [...this.#buffers.values()].filter(
      (other) =>
        other.handle !== handle &&
        other.mappedOn.size > 0 &&
        offset < other.offset + other.sizeBytes &&
        other.offset < offset + sizeBytes,
    );
  }

  byMmapOffset(mmapOffset: bigint, gpuIds: ReadonlySet<number>): Buffer | undefined {
    for (const buffer of this.#buffers.values()) {
      if (buffer.mmapOffset === mmapOffset && gpuIds.has(buffer.gpuId)) return buffer;
    }
    return undefined;
  }

  /** Bytes of one kind on one GPU (all GPUs: no id). */
  usedBytes(kind: BufferKind, gpuId?: number): number {
    let bytes = 0;
    for (const buffer of this.#buffers.values()) {
      if (buffer.kind === kind && (gpuId === undefined || buffer.gpuId === gpuId)) bytes += buffer.sizeBytes;
    }
    return bytes;
  }
}

/** Memory that host and GPUs may use at the same time (fine-grained). */
const SHARED_FLAGS: number =
  KFD_IOC_ALLOC_MEM_FLAGS_COHERENT | KFD_IOC_ALLOC_MEM_FLAGS_UNCACHED | KFD_IOC_ALLOC_MEM_FLAGS_EXT_COHERENT;
const HEAP_FLAGS: number = KFD_IOC_ALLOC_MEM_FLAGS_VRAM | KFD_IOC_ALLOC_MEM_FLAGS_GTT;

/** The page permissions that the allocation flags ask for. */
export function pageAccessOf(flags: number): number {
  let access = PAGE_READ;
  if ((flags & KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE) !== 0) access |= PAGE_WRITE;
  if ((flags & KFD_IOC_ALLOC_MEM_FLAGS_EXECUTABLE) !== 0) access |= PAGE_EXECUTE;
  if ((flags & SHARED_FLAGS) === 0 && (flags & HEAP_FLAGS) !== 0) access |= PAGE_COARSE;
  return access;
}
