import type { KfdDevice, Mapping } from '@doorbell/abi';
import { HsaError, kfd } from '@doorbell/abi';
import { checkAllocate, checkSize, describeMemory } from '../arguments/memory.js';
import { PAGE_BYTES, SINCE_MINOR } from '../driver-constants.js';
import { EBUSY, EINVAL, ENOMEM, systemCallError } from '../errno.js';
import type { AllocateOptions, HostMemory, ImportDmabufOptions, MemoryKind, ThunkMemory } from '../thunk.js';
import { allocFlags, allocPurpose } from './alloc-flags.js';
import { readDmabufInfo } from './dmabuf.js';
import { doorbellPageOf, requireWideDoorbells } from './doorbells.js';
import { callKfd, tryKfd, ioctlError } from './ioctl.js';
import type { KfdProcess } from './process.js';
import { requireMinor, usableGpu } from './process.js';
import { Unwind } from '../unwind.js';

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
const IMPORT_DMABUF = {
  name: 'IMPORT_DMABUF',
  request: kfd.AMDKFD_IOC_IMPORT_DMABUF,
  layout: kfd.kfd_ioctl_import_dmabuf_args,
};

/** How far an allocation is given back; a failing step is where the next free goes on. */
interface Allocation {
  readonly mapping: Mapping | undefined;
  /** The addresses are this allocation's own, to be given back. */
  readonly isReserved: boolean;
  readonly mappedOn: Set<number>;
}

/** Where an allocation lies, and how the host sees it. */
interface Place {
  readonly address: bigint;
  readonly isReserved: boolean;
  readonly bytes?: Uint8Array | undefined;
}

/** Allocations of one thunk. */
export class KfdMemory {
  readonly #device: KfdDevice;
  readonly #process: KfdProcess;
  readonly #live = new Map<ThunkMemory, Allocation>();
  readonly #hostMemories = new Set<HostMemory>();

  constructor(device: KfdDevice, process: KfdProcess) {
    this.#device = device;
    this.#process = process;
  }

  /** Allocations that were not freed. */
  get live(): readonly ThunkMemory[] {
    return [...this.#live.keys()];
  }

  /** System memory that was not given back. */
  get liveHostMemory(): readonly HostMemory[] {
    return [...this.#hostMemories];
  }

  allocate(options: AllocateOptions): ThunkMemory {
    const { sizeBytes, alignBytes } = checkAllocate(options);
    const device = this.#device;
    const { kind, gpuIds, host } = options;
    const { hostVisible = kind !== 'vram' && kind !== 'doorbell' } = options;
    if (options.contiguous === true) requireMinor(device, this.#process, SINCE_MINOR.CONTIGUOUS, 'contiguous memory');
    const { file, gpu } = usableGpu(device, this.#process, gpuIds[0]);
    if (kind === 'doorbell') requireWideDoorbells(gpu);
    const unwind = new Unwind();
    try {
      const place = this.#place(options, { sizeBytes, alignBytes, hostVisible }, unwind);
      const { handle, mmap_offset: offset } = callKfd(device, ALLOC_MEMORY_OF_GPU, {
        args: {
          va_addr: place.address,
          size: BigInt(sizeBytes),
          gpu_id: gpuIds[0],
          flags: allocFlags({ ...options, hostVisible }),
          ...(host === undefined ? {} : { mmap_offset: host.address }),
        },
        purpose: allocPurpose(kind, { sizeBytes, gpuId: gpuIds[0], hostVisible }),
      });
      unwind.add(() => tryKfd(device, FREE_MEMORY_OF_GPU, { handle }));
      const isMapped = hostVisible && place.isReserved;
      const from = kind === 'mmio' ? 'kfd' : file;
      const mapping = isMapped ? this.#mapForHost({ file: from, offset, sizeBytes, address: place.address }) : undefined;
      if (mapping !== undefined) unwind.add(() => device.munmap(mapping));
      return this.#finish({ kind, handle, gpuIds, sizeBytes, mapping, place });
    } catch (error) {
      unwind.run();
      throw error;
    }
  }

  /** Imports a dma-buf; the descriptor stays the caller's. */
  importDmabuf({ file, gpuIds, hostVisible = false }: ImportDmabufOptions): ThunkMemory {
    const device = this.#device;
    usableGpu(device, this.#process, gpuIds[0]);
    const { kind, sizeBytes } = readDmabufInfo(device, file);
    const unwind = new Unwind();
    try {
      const address = this.#reserve({ sizeBytes, alignBytes: PAGE_BYTES, kind, dmabuf: file }, unwind);
      const { handle } = callKfd(device, IMPORT_DMABUF, {
        args: { va_addr: address, gpu_id: gpuIds[0], dmabuf_fd: file },
        purpose: {
          doing: `importing dma-buf ${file} on GPU ${gpuIds[0]}`,
          errnos: { [EINVAL]: { meaning: 'it is no dma-buf of an AMD GPU, or not of this one' } },
        },
      });
      unwind.add(() => tryKfd(device, FREE_MEMORY_OF_GPU, { handle }));
      const range = { file: { dmabuf: file }, offset: 0n, sizeBytes, address };
      const mapping = hostVisible ? this.#mapForHost(range) : undefined;
      if (mapping !== undefined) unwind.add(() => device.munmap(mapping));
      return this.#finish({ kind, handle, gpuIds, sizeBytes, mapping, place: { address, isReserved: true } });
    } catch (error) {
      unwind.run();
      throw error;
    }
  }

  hostMemory(wantedBytes: number): HostMemory {
    const sizeBytes = checkSize(wantedBytes);
    const mapping = this.#device.mapAnonymous({ sizeBytes });
    if (typeof mapping === 'number') throw this.#noMemory(-mapping, `taking ${sizeBytes} bytes of system memory`);
    const { address, bytes } = mapping;
    const memory: HostMemory = Object.freeze({
      address,
      sizeBytes,
      bytes,
      [Symbol.dispose]: (): void => {
        if (this.#hostMemories.delete(memory)) this.#device.munmap(mapping);
      },
    });
    this.#hostMemories.add(memory);
    return memory;
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
    const { mapping, mappedOn, isReserved } = this.#allocation(memory);
    this.#unmapFrom(memory, [...mappedOn], mappedOn);
    callKfd(this.#device, FREE_MEMORY_OF_GPU, {
      args: { handle: memory.handle },
      purpose: {
        doing: `freeing ${describeMemory(memory)}`,
        errnos: { [EBUSY]: { meaning: 'a GPU or a queue still uses it' } },
      },
    });
    this.#live.delete(memory);
    const unmapped = mapping === undefined ? 0 : this.#device.munmap(mapping);
    const released = isReserved ? this.#device.release(memory.address, memory.sizeBytes) : 0;
    const failed = unmapped < 0 ? unmapped : released;
    if (failed >= 0) return;
    throw systemCallError({
      code: 'ERR_DEVICE_FILE',
      call: 'munmap',
      path: this.#device.path,
      errno: -failed,
      doing: `giving back the addresses of ${describeMemory(memory)}`,
    });
  }

  /** Hands an allocation over to the process: it is no longer this thunk's to free. */
  disown(memory: ThunkMemory): void {
    this.#live.delete(memory);
  }

  /** @throws {HsaError} ERR_INVALID_ADDRESS when the memory is not there, or not this thunk's. */
  check(memory: ThunkMemory): void {
    this.#allocation(memory);
  }

  /** Addresses for an allocation: the caller's own memory, the process's doorbells, or a fresh range. */
  #place(
    options: AllocateOptions,
    size: { readonly sizeBytes: number; readonly alignBytes: number; readonly hostVisible: boolean },
    unwind: Unwind,
  ): Place {
    const { kind, host, gpuIds } = options;
    if (host !== undefined) return { address: host.address, isReserved: false, bytes: host.bytes };
    if (kind === 'doorbell') {
      // Host and GPU see the doorbells at one address.
      const page = doorbellPageOf(this.#device, this.#process, { gpuId: gpuIds[0], code: 'ERR_DEVICE_FILE' });
      return { address: page.address, isReserved: false, bytes: size.hostVisible ? page.bytes : undefined };
    }
    return { address: this.#reserve({ ...size, kind }, unwind), isReserved: true };
  }

  #reserve(
    range: { readonly sizeBytes: number; readonly alignBytes: number; readonly kind: MemoryKind; readonly dmabuf?: number },
    unwind: Unwind,
  ): bigint {
    const { kind, sizeBytes, alignBytes, dmabuf } = range;
    const heap = kind === 'vram' ? 'vram' : 'system';
    const address = this.#device.reserve({ sizeBytes, alignBytes, heap, ...(dmabuf === undefined ? {} : { dmabuf }) });
    if (typeof address === 'number') throw this.#noMemory(-address, `reserving ${sizeBytes} bytes of addresses`);
    unwind.add(() => this.#device.release(address, sizeBytes));
    return address;
  }

  /** Maps on the GPUs and notes the allocation. */
  #finish(made: {
    readonly kind: MemoryKind;
    readonly handle: bigint;
    readonly gpuIds: readonly [number, ...number[]];
    readonly sizeBytes: number;
    readonly mapping: Mapping | undefined;
    readonly place: Place;
  }): ThunkMemory {
    const { kind, handle, gpuIds, sizeBytes, mapping, place } = made;
    const { address, isReserved } = place;
    const mappedOn = new Set<number>();
    this.#mapOn({ handle, address }, gpuIds, mappedOn);
    const bytes = mapping?.bytes ?? place.bytes;
    const memory: ThunkMemory = Object.freeze({ kind, address, sizeBytes, handle, gpuIds, bytes });
    this.#live.set(memory, { mapping, mappedOn, isReserved });
    return memory;
  }

  #allocation(memory: ThunkMemory): Allocation {
    const allocation = this.#live.get(memory);
    if (allocation !== undefined) return allocation;
    throw new HsaError('ERR_INVALID_ADDRESS', {
      message: `${this.#device.path}: no allocation at 0x${memory.address.toString(16)}; it was freed, or is another thunk's`,
      details: { address: memory.address },
    });
  }

  #noMemory(errno: number, doing: string): HsaError {
    const code = errno === ENOMEM ? 'ERR_OUT_OF_MEMORY' : 'ERR_DEVICE_FILE';
    return systemCallError({ code, call: 'mmap', path: this.#device.path, errno, doing });
  }

  #mapForHost(range: {
    readonly file: 'kfd' | number | { readonly dmabuf: number };
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
      doing: `mapping ${range.sizeBytes} bytes of ${describeFile(range.file)} for the host`,
    });
  }

  /** Maps on the GPUs that do not have it yet; all or none of them. */
  #mapOn(memory: { readonly handle: bigint; readonly address: bigint }, gpuIds: readonly number[], mappedOn: Set<number>): void {
    const wanted = [...new Set(gpuIds)].filter((gpuId) => !mappedOn.has(gpuId));
    if (wanted.length === 0) return;
    wanted.forEach((gpuId) => usableGpu(this.#device, this.#process, gpuId));
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
    const failed = wanted[value.n_success] ?? 0;
    const purpose = {
      doing: `mapping memory at 0x${memory.address.toString(16)} on GPU ${failed} of ${wanted.join(', ')}`,
      errnos: { [ENOMEM]: { code: 'ERR_OUT_OF_MEMORY', meaning: 'no room for page tables, or the handle is unknown' } },
    } as const;
    throw ioctlError(device, MAP_MEMORY_TO_GPU.name, { errno, purpose, args: { ...args, n_success: value.n_success } });
  }

  #unmapFrom(memory: ThunkMemory, gpuIds: readonly number[], mappedOn: Set<number>): void {
    if (gpuIds.length === 0) return;
    using ids = this.#device.hostBuffer(gpuIds.length * 4);
    writeIds(ids.bytes, gpuIds);
    const args = { handle: memory.handle, device_ids_array_ptr: ids.address, n_devices: gpuIds.length, n_success: 0 };
    const { value, errno } = tryKfd(this.#device, UNMAP_MEMORY_FROM_GPU, args);
    // Those before the one that failed are unmapped.
    for (const gpuId of errno === 0 ? gpuIds : gpuIds.slice(0, value.n_success)) mappedOn.delete(gpuId);
    if (errno === 0) return;
    const purpose = { doing: `unmapping ${describeMemory(memory)}`, errnos: { [EBUSY]: { meaning: 'a queue still uses it' } } };
    throw ioctlError(this.#device, UNMAP_MEMORY_FROM_GPU.name, { errno, purpose, args: { ...args, n_success: value.n_success } });
  }
}

function describeFile(file: 'kfd' | number | { readonly dmabuf: number }): string {
  if (file === 'kfd') return 'the driver’s file';
  return typeof file === 'number' ? 'a render node' : `dma-buf ${file.dmabuf}`;
}

function writeIds(bytes: Uint8Array, ids: readonly number[]): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  ids.forEach((id, index) => view.setUint32(index * 4, id, true));
}
