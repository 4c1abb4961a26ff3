/** mmap and munmap on the device files (amdkfd kfd_chardev.c kfd_mmap, amdgpu_gem.c). */
import { InternalError } from '@doorbell/abi';
import type { Mapping, MmapOptions } from '@doorbell/abi';
import { PAGE_BYTES } from '../memory-map.js';
import { alignUp } from './address.js';
import type { MemoryObject } from './buffers.js';
import { fakeOffsetOf } from './buffers.js';
import type { DevicePages } from './device-pages.js';
import { EBADF, EINVAL, ENODEV, ENOMEM, EPERM } from './errno.js';
import {
  EVENT_PAGE_BYTES,
  KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC,
  KFD_MMAP_GPU_ID_MASK,
  KFD_MMAP_GPU_ID_SHIFT,
  KFD_MMAP_TYPE_DOORBELL,
  KFD_MMAP_TYPE_EVENTS,
  KFD_MMAP_TYPE_RESERVED_MEM,
  KFD_MMAP_TYPE_SHIFT,
} from './kfd-constants.js';
import type { HostAccess } from './page-table.js';
import type { Process } from './process.js';

/** The live mappings of a process, and what ends each. */
export class Mappings {
  readonly #process: Process;
  readonly #undo = new Map<Mapping, () => void>();
  /** How many mappings each memory has. */
  readonly #counts = new Map<MemoryObject, number>();

  constructor(process: Process) {
    this.#process = process;
  }

  mmap(options: MmapOptions): Mapping | number {
    const { file, offset, sizeBytes, address, protection } = options;
    if (!Number.isSafeInteger(sizeBytes) || sizeBytes <= 0) return -EINVAL;
    const isFixed = this.#process.views.addresses.form === 'fixed';
    const at = address === undefined || !isFixed ? undefined : this.#process.offsetOf(address, sizeBytes);
    if (address !== undefined && isFixed && at === undefined) return -ENOMEM;
    if (address !== undefined && address % BigInt(PAGE_BYTES) !== 0n) return -EINVAL;
    const access: HostAccess = protection.write ? 'write' : protection.read ? 'read' : 'none';
    const request = { offset: BigInt.asUintN(64, offset), sizeBytes, address, at, access };
    if (file === 'kfd') return this.#mapKfd(request);
    return typeof file === 'number' ? this.#mapRenderNode(file, request) : this.#mapDmabuf(file.dmabuf, request);
  }

  /** Zeroed system memory of the process, as mmap with MAP_ANONYMOUS gives it. */
  mapAnonymous({ sizeBytes, address }: { readonly sizeBytes: number; readonly address?: bigint }): Mapping | number {
    const { host, pageTable, placement, svm } = this.#process;
    if (!Number.isSafeInteger(sizeBytes) || sizeBytes <= 0) return -EINVAL;
    if (address !== undefined && address % BigInt(PAGE_BYTES) !== 0n) return -EINVAL;
    const bytes = alignUp(sizeBytes, PAGE_BYTES);
    const place = placement.placeHost(bytes, address);
    if (typeof place === 'number') return place;
    const { offset } = place;
    pageTable.clear(offset, bytes, host.discardPages);
    pageTable.setHost(offset, bytes, 'write');
    svm.addArea(offset, bytes);
    return this.#add({ offset, sizeBytes: bytes, address: place.address }, () => {
      svm.removeArea(offset, bytes);
      pageTable.setHost(offset, bytes, 'none');
      place.release();
    });
  }

  munmap(mapping: Mapping): number {
    const undo = this.#undo.get(mapping);
    if (undo === undefined) return -EINVAL;
    this.#undo.delete(mapping);
    undo();
    return 0;
  }

  #mapKfd(request: Request): Mapping | number {
    const type = request.offset >> KFD_MMAP_TYPE_SHIFT;
    const gpu = this.#process.gpu(Number((request.offset >> KFD_MMAP_GPU_ID_SHIFT) & KFD_MMAP_GPU_ID_MASK));
    if (type === KFD_MMAP_TYPE_EVENTS) {
      const pages = this.#process.eventPages;
      if (pages.offset === undefined || request.sizeBytes > EVENT_PAGE_BYTES) return -EINVAL;
      const mapping = this.#mapPages(pages, request);
      if (typeof mapping !== 'number' && request.sizeBytes === EVENT_PAGE_BYTES) {
        this.#process.events.usePage(this.#process.slotsAt(pages.offset), 'full');
      }
      return mapping;
    }
    if (gpu === undefined || type === KFD_MMAP_TYPE_RESERVED_MEM) return -ENODEV;
    if (type === KFD_MMAP_TYPE_DOORBELL) {
      return request.sizeBytes === gpu.doorbells.sizeBytes ? this.#mapPages(gpu.doorbells, request) : -EINVAL;
    }
    return request.sizeBytes === PAGE_BYTES ? this.#mapRegisters(request) : -EINVAL;
  }

  #mapPages(pages: DevicePages, { sizeBytes, address, at, access }: Request): Mapping | number {
    if (at !== undefined && !pages.placeAt(at)) return -EINVAL;
    const offset = pages.place();
    if (offset === undefined) return -ENOMEM;
    pages.map(access);
    return this.#add({ offset, sizeBytes, address }, () => {
      pages.unmap();
    });
  }

  /** The page of HDP flush registers: whatever is stored there has no effect, since the host sees all memory as it is. */
  #mapRegisters({ sizeBytes, address, at, access }: Request): Mapping | number {
    const { addressSpace, pageTable } = this.#process;
    const offset = at ?? addressSpace.reserve('device', sizeBytes, PAGE_BYTES);
    if (offset === undefined || !addressSpace.use(offset, sizeBytes)) return -ENOMEM;
    pageTable.setHost(offset, sizeBytes, access);
    return this.#add({ offset, sizeBytes, address }, () => {
      pageTable.setHost(offset, sizeBytes, 'none');
      addressSpace.unuse(offset, sizeBytes);
      if (at === undefined) addressSpace.release(offset, sizeBytes);
    });
  }

  #mapRenderNode(file: number, request: Request): Mapping | number {
    const { buffers, files, gpus } = this.#process;
    const render = files.render(file);
    if (render === undefined) return -EBADF;
    const ids = new Set(gpus.filter((gpu) => gpu.description.renderMinor === render.minor).map((gpu) => gpu.id));
    const gem = [...render.handles.values()].find(({ memory }) => fakeOffsetOf(memory) === request.offset);
    const memory = buffers.byMmapOffset(request.offset, ids) ?? gem?.memory;
    return memory === undefined ? -EINVAL : this.#mapMemory(memory, request);
  }

  #mapDmabuf(file: number, request: Request): Mapping | number {
    const dmabuf = this.#process.files.dmabuf(file);
    if (dmabuf === undefined) return -EBADF;
    return request.offset === 0n ? this.#mapMemory(dmabuf.memory, request) : -EINVAL;
  }

  #mapMemory(memory: MemoryObject, { sizeBytes, address, at, access }: Request): Mapping | number {
    const { addressSpace, pageTable } = this.#process;
    if (sizeBytes > memory.sizeBytes) return -EINVAL;
    // libhsakmt maps what it must not touch with PROT_NONE, for debuggers (amdgpu_gem.c amdgpu_gem_object_mmap).
    const isHidden = memory.kind === 'vram' && (memory.flags & KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC) === 0;
    if (isHidden && access !== 'none') return -EPERM;
    if (memory.kind === 'doorbell' || memory.kind === 'mmio') return -EINVAL;
    // The bytes behind memory are where its GPU address says; they cannot be shown at a second address.
    if (at !== undefined && at !== memory.offset) return -EINVAL;
    addressSpace.use(memory.offset, sizeBytes);
    this.#counts.set(memory, (this.#counts.get(memory) ?? 0) + 1);
    pageTable.setHost(memory.offset, alignUp(sizeBytes, PAGE_BYTES), access);
    return this.#add({ offset: memory.offset, sizeBytes, address }, () => {
      const count = (this.#counts.get(memory) ?? 1) - 1;
      if (count > 0) this.#counts.set(memory, count);
      else this.#counts.delete(memory);
      const isDrivers = memory === this.#process.eventBuffer?.memory;
      if (count === 0 && !isDrivers) pageTable.setHost(memory.offset, memory.sizeBytes, 'none');
      // Mostly its buffer is freed before the program unmaps it.
      this.#process.discard(memory);
      addressSpace.unuse(memory.offset, sizeBytes);
    });
  }

  #add({ offset, sizeBytes, address }: Place, undo: () => void): Mapping {
    const { views, placement } = this.#process;
    const shown =
      address ?? views.addresses.addressOf(offset) ?? placement.reserve({ sizeBytes, alignBytes: PAGE_BYTES, heap: 'system' });
    if (shown === undefined) throw new InternalError(`no address for a mapping of ${sizeBytes} bytes`);
    const mapping = { address: shown, sizeBytes, bytes: new Uint8Array(views.memory.buffer, offset, sizeBytes) };
    this.#undo.set(mapping, undo);
    return mapping;
  }
}

interface Place {
  readonly offset: number;
  readonly sizeBytes: number;
  readonly address: bigint | undefined;
}

interface Request {
  readonly offset: bigint;
  readonly sizeBytes: number;
  /** Where the caller wants it. */
  readonly address: bigint | undefined;
  /** The place that goes with the address, where an address is a place. */
  readonly at: number | undefined;
  readonly access: HostAccess;
}
