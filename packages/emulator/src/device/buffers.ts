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

/** Memory behind buffers: several handles and files may share it, and it lasts until the last is gone. */
export interface MemoryObject {
  readonly kind: BufferKind;
  /** GPU that made it, whose VRAM it counts in. */
  readonly gpuId: number;
  readonly flags: number;
  /** Place in the machine's memory. */
  readonly offset: number;
  /** Whole pages. */
  readonly sizeBytes: number;
  /** What AMDGPU_GEM_METADATA attached. */
  metadata: MemoryMetadata;
  /** Handles and files that hold it. */
  references: number;
}

/** drm_amdgpu_gem_metadata. */
interface MemoryMetadata {
  readonly flags: bigint;
  readonly tilingInfo: bigint;
  readonly data: Uint8Array;
}

/** One buffer object: a handle of KFD. */
export interface Buffer {
  readonly handle: bigint;
  readonly gpuId: number;
  readonly kind: BufferKind;
  readonly flags: number;
  readonly memory: MemoryObject;
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
const NO_METADATA: MemoryMetadata = { flags: 0n, tilingInfo: 0n, data: new Uint8Array(0) };

/** What mmap on a render node names the memory by. */
export function fakeOffsetOf({ offset }: MemoryObject): bigint {
  return FIRST_FAKE_OFFSET + BigInt(offset);
}

export class BufferTable {
  readonly #buffers = new Map<bigint, Buffer>();
  readonly #memories = new Set<MemoryObject>();

  /** Memory that nobody holds yet; {@link add} and {@link retain} do. */
  createMemory(init: Pick<MemoryObject, 'gpuId' | 'kind' | 'flags' | 'offset' | 'sizeBytes'>): MemoryObject {
    const memory = { ...init, sizeBytes: alignUp(init.sizeBytes, PAGE_BYTES), metadata: NO_METADATA, references: 0 };
    this.#memories.add(memory);
    return memory;
  }

  /** Adds a buffer under the lowest free handle of its GPU: `gpu_id << 32 | index`. */
  add(
    memory: MemoryObject,
    init: { readonly gpuId: number; readonly address: bigint; readonly mmapOffset?: bigint; readonly flags?: number },
  ): Buffer {
    const { gpuId, address, mmapOffset, flags = memory.flags } = init;
    const base = BigInt(gpuId) << 32n;
    let handle = base;
    while (this.#buffers.has(handle)) handle += 1n;
    const { kind, offset, sizeBytes } = memory;
    const buffer: Buffer = {
      handle,
      gpuId,
      kind,
      flags,
      memory,
      address,
      offset,
      sizeBytes,
      mmapOffset: mmapOffset ?? fakeOffsetOf(memory),
      mappedOn: new Set(),
      users: 0,
    };
    this.#buffers.set(handle, buffer);
    this.retain(memory);
    return buffer;
  }

  get(handle: bigint): Buffer | undefined {
    return this.#buffers.get(handle);
  }

  /** Takes a handle away; whether its memory is gone with it. */
  remove(buffer: Buffer): boolean {
    this.#buffers.delete(buffer.handle);
    return this.drop(buffer.memory);
  }

  retain(memory: MemoryObject): void {
    memory.references += 1;
  }

  /** Takes a {@link retain} back; whether it was the last. */
  drop(memory: MemoryObject): boolean {
    memory.references -= 1;
    if (memory.references > 0) return false;
    this.#memories.delete(memory);
    return true;
  }

  /** Buffers that have any of these addresses. */
  overlapping(address: bigint, sizeBytes: number): readonly Buffer[] {
    const end = address + BigInt(sizeBytes);
    return [...this.#buffers.values()].filter(
      (buffer) => address < buffer.address + BigInt(buffer.sizeBytes) && buffer.address < end,
    );
  }

  /** Mapped buffers that show some of these bytes: of memory that the process registered or imported, more than one may. */
  mappedOver(offset: number, sizeBytes: number): readonly Buffer[] {
    return [...this.#buffers.values()].filter((buffer) => buffer.mappedOn.size > 0 && overlap(buffer, { offset, sizeBytes }));
  }

  /** The buffer at exactly this range of addresses that is mapped on the GPU. */
  mappedAt(address: bigint, sizeBytes: number, gpuId: number): Buffer | undefined {
    for (const buffer of this.#buffers.values()) {
      if (buffer.address === address && buffer.sizeBytes === sizeBytes && buffer.mappedOn.has(gpuId)) return buffer;
    }
    return undefined;
  }

  /** The memory behind an offset of a render node's file. */
  byMmapOffset(mmapOffset: bigint, gpuIds: ReadonlySet<number>): MemoryObject | undefined {
    for (const buffer of this.#buffers.values()) {
      if (buffer.mmapOffset === mmapOffset && gpuIds.has(buffer.gpuId)) return buffer.memory;
    }
    return undefined;
  }

  /** Whether memory that somebody holds has some of these bytes. */
  hasMemoryAt(offset: number, sizeBytes: number): boolean {
    return [...this.#memories].some((memory) => memory.references > 0 && overlap(memory, { offset, sizeBytes }));
  }

  /** Bytes of one kind on one GPU (all GPUs: no id). */
  usedBytes(kind: BufferKind, gpuId?: number): number {
    let bytes = 0;
    for (const memory of this.#memories) {
      if (memory.kind === kind && (gpuId === undefined || memory.gpuId === gpuId)) bytes += memory.sizeBytes;
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

interface Place {
  readonly offset: number;
  readonly sizeBytes: number;
}

function overlap(a: Place, b: Place): boolean {
  return a.offset < b.offset + b.sizeBytes && b.offset < a.offset + a.sizeBytes;
}
