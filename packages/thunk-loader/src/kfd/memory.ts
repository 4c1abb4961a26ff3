import type { KfdDevice, Mapping } from '@doorbell/abi';
import { HsaError, kfd } from '@doorbell/abi';
import { EBUSY, EINVAL, ENOMEM, systemCallError } from '../errno.js';
import type { AllocateOptions, ThunkMemory } from '../thunk.js';
import { callKfd, tryKfd, ioctlError } from './ioctl.js';
import type { KfdProcess } from './process.js';
import { alignUp } from './queue-sizes.js';
import { Unwind } from './unwind.js';

const ALLOC_MEMORY_OF_GPU = {
  name: 'ALLOC_MEMORY_OF_GPU',
  request: kfd.AMDKFD_IOC_ALLOC_MEMORY_OF_GPU,
  layout: kfd.kfd_ioctl_alloc_memory_of_gpu_args,
};
const FREE_MEMORY_OF_GPU = {
  name: 'FREE_MEMORY_OF_GPU',
  request: kfd.AMDKFD_IOC_FREE_MEMORY_OF_GPU,
  layout: kfd.kfd_ioctl_free_memory_of_gpu_args,
};
const MAP_MEMORY_TO_GPU = {
  name: 'MAP_MEMORY_TO_GPU',
  request: kfd.AMDKFD_IOC_MAP_MEMORY_TO_GPU,
  layout: kfd.kfd_ioctl_map_memory_to_gpu_args,
};
const UNMAP_MEMORY_FROM_GPU = {
  name: 'UNMAP_MEMORY_FROM_GPU',
  request: kfd.AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU,
  layout: kfd.kfd_ioctl_unmap_memory_from_gpu_args,
};

const PAGE_BYTES = 4096;
/** Fragment of the GPU's page tables from which on translation gets cheap. */
const LARGE_PAGE_BYTES = 0x20_0000;

/** How far an allocation is given back; a failing step is where the next free goes on. */
interface Allocation {
  readonly memory: ThunkMemory;
  readonly mapping: Mapping | undefined;
  readonly mappedOn: Set<number>;
}

/** Allocations of one thunk. */
export class KfdMemory {
  readonly #device: KfdDevice;
  readonly #process: KfdProcess;
  readonly #live = new Map<bigint, Allocation>();

  constructor(device: KfdDevice, process: KfdProcess) {
    this.#device = device;
    this.#process = process;
  }

  /** Allocations that were not freed. */
  get live(): readonly ThunkMemory[] {
    return [...this.#live.values()].map(({ memory }) => memory);
  }

  allocate(options: AllocateOptions): ThunkMemory {
    const device = this.#device;
    const { kind, gpuIds, hostVisible = kind === 'gtt' } = options;
    const sizeBytes = checkSize(options.sizeBytes);
    const alignBytes = checkAlign(options.alignBytes ?? (sizeBytes >= LARGE_PAGE_BYTES ? LARGE_PAGE_BYTES : PAGE_BYTES));
    const renderFile = this.#renderFile(gpuIds[0]);
    const unwind = new Unwind();
    try {
      const address = device.reserve({ sizeBytes, alignBytes, heap: kind === 'vram' ? 'vram' : 'system' });
      if (typeof address === 'number') throw this.#reserveError(-address, sizeBytes);
      unwind.add(() => device.release(address, sizeBytes));
      const { handle, mmap_offset: offset } = callKfd(device, ALLOC_MEMORY_OF_GPU, {
        args: { va_addr: address, size: BigInt(sizeBytes), gpu_id: gpuIds[0], flags: allocFlags(options) },
        purpose: allocPurpose(kind, { sizeBytes, gpuId: gpuIds[0] }),
      });
      unwind.add(() => tryKfd(device, FREE_MEMORY_OF_GPU, { handle }));
      const mapping = hostVisible ? this.#mapForHost({ file: renderFile, offset, sizeBytes, address }) : undefined;
      if (mapping !== undefined) unwind.add(() => device.munmap(mapping));
      const mappedOn = new Set<number>();
      this.#mapOn({ handle, address }, gpuIds, mappedOn);
      const memory: ThunkMemory = Object.freeze({ kind, address, sizeBytes, handle, gpuIds, bytes: mapping?.bytes });
      this.#live.set(address, { memory, mapping, mappedOn });
      return memory;
    } catch (error) {
      unwind.run();
      throw error;
    }
  }

  mapToGpus(memory: ThunkMemory, gpuIds: readonly number[]): void {
    const { mappedOn } = this.#allocation(memory);
    this.#mapOn(memory, gpuIds, mappedOn);
  }

  unmapFromGpus(memory: ThunkMemory, gpuIds: readonly number[]): void {
    const { mappedOn } = this.#allocation(memory);
    this.#unmapFrom(
      memory,
      gpuIds.filter((gpuId) => mappedOn.has(gpuId)),
      mappedOn,
    );
  }

  free(memory: ThunkMemory): void {
    const { mapping, mappedOn } = this.#allocation(memory);
    this.#unmapFrom(memory, [...mappedOn], mappedOn);
    callKfd(this.#device, FREE_MEMORY_OF_GPU, {
      args: { handle: memory.handle },
      purpose: {
        doing: `freeing ${describe(memory)}`,
        errnos: { [EBUSY]: { meaning: 'a GPU or a queue still uses it' } },
      },
    });
    this.#live.delete(memory.address);
    const unmapped = mapping === undefined ? 0 : this.#device.munmap(mapping);
    const released = this.#device.release(memory.address, memory.sizeBytes);
    const failed = unmapped < 0 ? unmapped : released;
    if (failed >= 0) return;
    throw systemCallError({
      code: 'ERR_DEVICE_FILE',
      call: 'munmap',
      path: this.#device.path,
      errno: -failed,
      doing: `giving back the addresses of ${describe(memory)}`,
    });
  }

  /** Hands an allocation over to the process: it is no longer this thunk's to free. */
  disown(memory: ThunkMemory): void {
    this.#live.delete(memory.address);
  }

  #allocation(memory: ThunkMemory): Allocation {
    const allocation = this.#live.get(memory.address);
    if (allocation?.memory === memory) return allocation;
    throw new HsaError('ERR_INVALID_ADDRESS', {
      message: `${this.#device.path}: no allocation at 0x${memory.address.toString(16)}; it was freed, or is another thunk's`,
      details: { address: memory.address },
    });
  }

  #renderFile(gpuId: number): number {
    const file = this.#process.renderFiles.get(gpuId);
    if (file !== undefined) return file;
    throw new HsaError('ERR_INVALID_ARGUMENT', {
      message: `${this.#device.path}: there is no usable GPU ${gpuId}; usable are ${[...this.#process.renderFiles.keys()].join(', ')}`,
      details: { gpuId },
    });
  }

  #reserveError(errno: number, sizeBytes: number): HsaError {
    return systemCallError({
      code: errno === ENOMEM ? 'ERR_OUT_OF_MEMORY' : 'ERR_DEVICE_FILE',
      call: 'mmap',
      path: this.#device.path,
      errno,
      doing: `reserving ${sizeBytes} bytes of addresses`,
    });
  }

  #mapForHost(range: {
    readonly file: number;
    readonly offset: bigint;
    readonly sizeBytes: number;
    readonly address: bigint;
  }): Mapping {
    const mapping = this.#device.mmap({ ...range, protection: { read: true, write: true } });
    if (typeof mapping !== 'number') return mapping;
    throw systemCallError({
      code: 'ERR_DEVICE_FILE',
      call: 'mmap',
      path: this.#device.path,
      errno: -mapping,
      doing: `mapping ${range.sizeBytes} bytes of a render node for the host`,
    });
  }

  /** Maps on the GPUs that do not have it yet; all or none of them. */
  #mapOn(memory: { readonly handle: bigint; readonly address: bigint }, gpuIds: readonly number[], mappedOn: Set<number>): void {
    const wanted = [...new Set(gpuIds)].filter((gpuId) => !mappedOn.has(gpuId));
    if (wanted.length === 0) return;
    wanted.forEach((gpuId) => this.#renderFile(gpuId));
    const device = this.#device;
    using ids = device.hostBuffer(wanted.length * 4);
    writeIds(ids.bytes, wanted);
    const args = { handle: memory.handle, device_ids_array_ptr: ids.address, n_devices: wanted.length, n_success: 0 };
    const { value, errno } = tryKfd(device, MAP_MEMORY_TO_GPU, args);
    if (errno === 0) {
      for (const gpuId of wanted) mappedOn.add(gpuId);
      return;
    }
    if (value.n_success > 0) tryKfd(device, UNMAP_MEMORY_FROM_GPU, { ...args, n_devices: value.n_success });
    const purpose = {
      doing: `mapping memory at 0x${memory.address.toString(16)} on GPUs ${wanted.join(', ')}`,
      errnos: { [ENOMEM]: { code: 'ERR_OUT_OF_MEMORY', meaning: 'no room for page tables, or the handle is unknown' } },
    } as const;
    throw ioctlError(device, MAP_MEMORY_TO_GPU.name, { errno, purpose, args });
  }

  #unmapFrom(memory: ThunkMemory, gpuIds: readonly number[], mappedOn: Set<number>): void {
    if (gpuIds.length === 0) return;
    using ids = this.#device.hostBuffer(gpuIds.length * 4);
    writeIds(ids.bytes, gpuIds);
    callKfd(this.#device, UNMAP_MEMORY_FROM_GPU, {
      args: { handle: memory.handle, device_ids_array_ptr: ids.address, n_devices: gpuIds.length, n_success: 0 },
      purpose: { doing: `unmapping ${describe(memory)}`, errnos: { [EBUSY]: { meaning: 'a queue still uses it' } } },
    });
    for (const gpuId of gpuIds) mappedOn.delete(gpuId);
  }
}

function describe(memory: ThunkMemory): string {
  return `${memory.sizeBytes} bytes of ${memory.kind} at 0x${memory.address.toString(16)}`;
}

function writeIds(bytes: Uint8Array, ids: readonly number[]): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  ids.forEach((id, index) => view.setUint32(index * 4, id, true));
}

/** More than any address space holds (57 bits on x86-64 and arm64); up to here, sums of sizes and alignments are exact. */
const MAX_BYTES = 2 ** 52;

function checkSize(sizeBytes: number): number {
  if (Number.isInteger(sizeBytes) && sizeBytes > 0 && sizeBytes <= MAX_BYTES) return alignUp(sizeBytes, PAGE_BYTES);
  throw new HsaError('ERR_INVALID_ARGUMENT', { message: `sizeBytes must be an integer from 1 to 2^52, not ${sizeBytes}` });
}

function checkAlign(alignBytes: number): number {
  if (alignBytes >= 1 && alignBytes <= MAX_BYTES && alignBytes === 2 ** Math.round(Math.log2(alignBytes)))
    return Math.max(alignBytes, PAGE_BYTES);
  throw new HsaError('ERR_INVALID_ARGUMENT', { message: `alignBytes must be a power of two up to 2^52, not ${alignBytes}` });
}

/** The driver's flags; NO_SUBSTITUTE as libhsakmt always sets it: never system memory in place of VRAM. */
function allocFlags(options: AllocateOptions): number {
  const { kind, hostVisible = false, executable = false, writable = true, coherent = kind === 'gtt', uncached = false } = options;
  let flags: number =
    kfd.KFD_IOC_ALLOC_MEM_FLAGS_NO_SUBSTITUTE |
    (kind === 'vram' ? kfd.KFD_IOC_ALLOC_MEM_FLAGS_VRAM : kfd.KFD_IOC_ALLOC_MEM_FLAGS_GTT);
  if (kind === 'vram' && hostVisible) flags |= kfd.KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC;
  if (executable) flags |= kfd.KFD_IOC_ALLOC_MEM_FLAGS_EXECUTABLE;
  if (writable) flags |= kfd.KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE;
  if (coherent) flags |= kfd.KFD_IOC_ALLOC_MEM_FLAGS_COHERENT;
  if (uncached) flags |= kfd.KFD_IOC_ALLOC_MEM_FLAGS_UNCACHED;
  return flags >>> 0;
}

function allocPurpose(kind: string, wanted: { readonly sizeBytes: number; readonly gpuId: number }) {
  return {
    doing: `allocating ${wanted.sizeBytes} bytes of ${kind} on GPU ${wanted.gpuId}`,
    errnos: {
      [ENOMEM]: { code: 'ERR_OUT_OF_MEMORY', meaning: `the GPU's ${kind} has no room for it` },
      [EINVAL]: {
        meaning: kind === 'vram' ? 'a board with a small BAR cannot show VRAM to the host' : 'the driver refuses size or flags',
      },
    },
  } as const;
}
