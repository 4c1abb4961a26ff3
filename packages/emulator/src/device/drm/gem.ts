/** Buffers of amdgpu by GEM handle (amdgpu_gem.c). */
import { drm } from '@doorbell/abi';
import { PAGE_BYTES } from '../../memory-map.js';
import { alignUp } from '../address.js';
import type { MemoryObject } from '../buffers.js';
import { fakeOffsetOf } from '../buffers.js';
import { EINVAL, ENOENT, ENOMEM, EPERM } from '../errno.js';
import type { RenderFile } from '../files.js';
import {
  KFD_IOC_ALLOC_MEM_FLAGS_COHERENT,
  KFD_IOC_ALLOC_MEM_FLAGS_EXECUTABLE,
  KFD_IOC_ALLOC_MEM_FLAGS_GTT,
  KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC,
  KFD_IOC_ALLOC_MEM_FLAGS_UNCACHED,
  KFD_IOC_ALLOC_MEM_FLAGS_VRAM,
  KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE,
} from '../kfd-constants.js';
import type { Process } from '../process.js';
import type { DrmIoctl } from './drm-ioctl.js';
import { defineDrmIoctl } from './drm-ioctl.js';

/** amdgpu_drm.h AMDGPU_GEM_DOMAIN_GTT, _VRAM; AMDGPU_GEM_CREATE_NO_CPU_ACCESS. */
const DOMAIN_GTT = 0x2n;
const DOMAIN_VRAM = 0x4n;
const CREATE_NO_CPU_ACCESS = 0x2n;
/** AMDGPU_VA_OP_MAP, _UNMAP; AMDGPU_VM_PAGE_WRITEABLE, _EXECUTABLE and all that GEM_VA knows. */
const VA_OP_MAP = 1;
const VA_OP_UNMAP = 2;
const PAGE_WRITEABLE = 1 << 2;
const PAGE_EXECUTABLE = 1 << 3;
const KNOWN_VA_FLAGS = 0x7ff;
/** AMDGPU_GEM_METADATA_OP_SET_METADATA, _GET_METADATA. */
const METADATA_SET = 1;
const METADATA_GET = 2;
const METADATA_BYTES = 256;
/** AMDGPU_GEM_OP_GET_GEM_CREATE_INFO. */
const OP_CREATE_INFO = 0;

/** The lowest free handle, from 1 on, for memory that it holds from now on. */
export function addGemHandle(process: Process, file: RenderFile, memory: MemoryObject): number {
  let handle = 1;
  while (file.handles.has(handle)) handle += 1;
  file.handles.set(handle, { memory, mappings: new Map() });
  process.retainMemory(memory);
  return handle;
}

export const gemCreate: DrmIoctl = defineDrmIoctl(drm.drm_amdgpu_gem_create, 'WR', ({ process, file, gpu, args, put }) => {
  const { bo_size: size, alignment, domains, domain_flags: domainFlags } = args.in;
  const isVram = (domains & DOMAIN_VRAM) !== 0n;
  if (size === 0n || (domains & (DOMAIN_GTT | DOMAIN_VRAM)) === 0n) return -EINVAL;
  const sizeBytes = alignUp(Number(size), PAGE_BYTES);
  if (isVram ? sizeBytes > process.availableVram(gpu) : !process.hasSystemMemory(sizeBytes)) return -ENOMEM;
  const alignBytes = Math.max(PAGE_BYTES, 2 ** Math.ceil(Math.log2(Math.max(1, Number(alignment)))));
  const offset = process.addressSpace.reserve(isVram ? 'vram' : 'system', sizeBytes, alignBytes);
  if (offset === undefined) return -ENOMEM;
  process.pageTable.clear(offset, sizeBytes, process.host.discardPages);
  const kind = isVram ? 'vram' : 'gtt';
  const place = isVram ? KFD_IOC_ALLOC_MEM_FLAGS_VRAM : KFD_IOC_ALLOC_MEM_FLAGS_GTT | KFD_IOC_ALLOC_MEM_FLAGS_COHERENT;
  const flags = (domainFlags & CREATE_NO_CPU_ACCESS) === 0n ? place | KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC : place;
  const memory = process.buffers.createMemory({ gpuId: gpu.id, kind, flags, offset, sizeBytes });
  put({ out: { handle: addGemHandle(process, file, memory), _pad: 0 } });
  // The handle holds the range from now on.
  process.addressSpace.release(offset, sizeBytes);
  return 0;
});

export const gemMmap: DrmIoctl = defineDrmIoctl(drm.drm_amdgpu_gem_mmap, 'WR', ({ file, args, put }) => {
  const memory = file.handles.get(args.in.handle)?.memory;
  if (memory === undefined) return -ENOENT;
  if ((memory.flags & KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC) === 0 && memory.kind === 'vram') return -EPERM;
  put({ out: { addr_ptr: fakeOffsetOf(memory) } });
  return 0;
});

export const gemVa: DrmIoctl = defineDrmIoctl(drm.drm_amdgpu_gem_va, 'W', ({ process, file, gpu, args }) => {
  if ((args.flags & ~KNOWN_VA_FLAGS) !== 0) return -EINVAL;
  if (args.operation !== VA_OP_MAP && args.operation !== VA_OP_UNMAP) return -EINVAL;
  const object = file.handles.get(args.handle);
  if (object === undefined) return -ENOENT;
  const { memory, mappings } = object;
  if (args.operation === VA_OP_UNMAP) {
    const buffer = mappings.get(args.va_address);
    if (buffer === undefined) return -ENOENT;
    mappings.delete(args.va_address);
    process.unmapGem(buffer);
    return 0;
  }
  const sizeBytes = Number(args.map_size);
  if (sizeBytes === 0 || sizeBytes % PAGE_BYTES !== 0 || args.offset_in_bo % BigInt(PAGE_BYTES) !== 0n) return -EINVAL;
  if (Number(args.offset_in_bo) + sizeBytes > memory.sizeBytes || mappings.has(args.va_address)) return -EINVAL;
  // A mapping is all of the memory.
  if (sizeBytes !== memory.sizeBytes) return -ENOMEM;
  const status = process.placement.show(memory, args.va_address);
  if (status !== 0) return status;
  const flags = (memory.flags & SHARED_FLAGS) | pageFlags(args.flags);
  const buffer = process.buffers.add(memory, { gpuId: gpu.id, address: args.va_address, flags });
  buffer.mappedOn.add(gpu.id);
  mappings.set(args.va_address, buffer);
  process.applyGpuAccess(buffer);
  return 0;
});

export const gemMetadata: DrmIoctl = defineDrmIoctl(drm.drm_amdgpu_gem_metadata, 'WR', ({ file, args, put }) => {
  const memory = file.handles.get(args.handle)?.memory;
  if (memory === undefined) return -ENOENT;
  if (args.op === METADATA_GET) {
    const { flags, tilingInfo, data } = memory.metadata;
    const words = new Uint32Array(METADATA_BYTES / 4);
    new Uint8Array(words.buffer).set(data);
    put({ data: { flags, tiling_info: tilingInfo, data_size_bytes: data.byteLength, data: [...words] } });
    return 0;
  }
  if (args.op !== METADATA_SET || args.data.data_size_bytes > METADATA_BYTES) return -EINVAL;
  const bytes = new Uint8Array(Uint32Array.from(args.data.data).buffer).slice(0, args.data.data_size_bytes);
  memory.metadata = { flags: args.data.flags, tilingInfo: args.data.tiling_info, data: bytes };
  return 0;
});

export const gemOp: DrmIoctl = defineDrmIoctl(drm.drm_amdgpu_gem_op, 'WR', ({ process, file, args }) => {
  const memory = file.handles.get(args.handle)?.memory;
  if (memory === undefined) return -ENOENT;
  if (args.op !== OP_CREATE_INFO) return -EINVAL;
  const layout = drm.drm_amdgpu_gem_create_in;
  const bytes = process.resolve(args.value, layout.sizeBytes);
  if (bytes === undefined) return -EINVAL;
  const domains = memory.kind === 'vram' ? DOMAIN_VRAM : DOMAIN_GTT;
  layout.write(bytes, { bo_size: BigInt(memory.sizeBytes), alignment: BigInt(PAGE_BYTES), domains, domain_flags: 0n });
  return 0;
});

/** Nothing is submitted through DRM, so that every buffer is idle. */
export const gemWaitIdle: DrmIoctl = defineDrmIoctl(drm.drm_amdgpu_gem_wait_idle, 'WR', ({ file, args, put }) => {
  if (!file.handles.has(args.in.handle)) return -ENOENT;
  put({ out: { status: 0, domain: 0 } });
  return 0;
});

const SHARED_FLAGS =
  KFD_IOC_ALLOC_MEM_FLAGS_VRAM |
  KFD_IOC_ALLOC_MEM_FLAGS_GTT |
  KFD_IOC_ALLOC_MEM_FLAGS_COHERENT |
  KFD_IOC_ALLOC_MEM_FLAGS_UNCACHED |
  KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC;

function pageFlags(vaFlags: number): number {
  return (
    ((vaFlags & PAGE_WRITEABLE) === 0 ? 0 : KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE) |
    ((vaFlags & PAGE_EXECUTABLE) === 0 ? 0 : KFD_IOC_ALLOC_MEM_FLAGS_EXECUTABLE)
  );
}
