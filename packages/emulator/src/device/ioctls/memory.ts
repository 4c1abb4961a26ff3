/** Ioctls about memory: VM, buffers, mappings (amdkfd kfd_chardev.c, amdgpu_amdkfd_gpuvm.c). */
import { kfd } from '@doorbell/abi';
import { PAGE_BYTES } from '../../memory-map.js';
import { alignUp } from '../address.js';
import type { Buffer, BufferKind } from '../buffers.js';
import { EBUSY, EFAULT, EINVAL, ENODEV, ENOMEM, EPERM } from '../errno.js';
import type { Gpu } from '../gpu.js';
import type { Ioctl } from '../ioctl.js';
import { defineIoctl } from '../ioctl.js';
import {
  DOORBELL_SLICE_BYTES,
  KFD_IOC_ALLOC_MEM_FLAGS_DOORBELL,
  KFD_IOC_ALLOC_MEM_FLAGS_GTT,
  KFD_IOC_ALLOC_MEM_FLAGS_MMIO_REMAP,
  KFD_IOC_ALLOC_MEM_FLAGS_USERPTR,
  KFD_IOC_ALLOC_MEM_FLAGS_VRAM,
  KFD_MMAP_GPU_ID_SHIFT,
} from '../kfd-constants.js';
import type { Process } from '../process.js';

const KIND_FLAGS: readonly (readonly [flag: number, kind: BufferKind])[] = [
  [KFD_IOC_ALLOC_MEM_FLAGS_VRAM, 'vram'],
  [KFD_IOC_ALLOC_MEM_FLAGS_GTT, 'gtt'],
  [KFD_IOC_ALLOC_MEM_FLAGS_USERPTR, 'userptr'],
  [KFD_IOC_ALLOC_MEM_FLAGS_DOORBELL, 'doorbell'],
  [KFD_IOC_ALLOC_MEM_FLAGS_MMIO_REMAP, 'mmio'],
];

export const acquireVm: Ioctl = defineIoctl(kfd.kfd_ioctl_acquire_vm_args, 'W', ({ process, args }) => {
  const gpu = process.gpu(args.gpu_id);
  if (gpu === undefined) return -EINVAL;
  const file = process.files.render(args.drm_fd);
  if (file?.minor !== gpu.description.renderMinor) return -EINVAL;
  // By the file and not by its number, which another one may have had.
  if (gpu.vmFile !== undefined) return gpu.vmFile === file ? 0 : -EBUSY;
  gpu.vmFile = file;
  return 0;
});

export const availableMemory: Ioctl = defineIoctl(kfd.kfd_ioctl_get_available_memory_args, 'WR', ({ process, args, put }) => {
  const gpu = process.gpu(args.gpu_id);
  if (gpu === undefined) return -EINVAL;
  put({ available: BigInt(process.availableVram(gpu)) });
  return 0;
});

export const allocMemoryOfGpu: Ioctl = defineIoctl(kfd.kfd_ioctl_alloc_memory_of_gpu_args, 'WR', ({ process, args, put }) => {
  const gpu = process.gpu(args.gpu_id);
  const sizeBytes = Number(args.size);
  if (gpu === undefined || args.size === 0n) return -EINVAL;
  if (gpu.vmFile === undefined) return -ENODEV;
  const kinds = KIND_FLAGS.filter(([flag]) => (args.flags & flag) !== 0);
  const kind = kinds[0]?.[1];
  if (kind === undefined || kinds.length > 1) return -EINVAL;
  const status = checkSize({ process, gpu, kind, sizeBytes, hostAddress: args.mmap_offset });
  if (status !== 0) return status;
  const place = { kind, address: args.va_addr, hostAddress: args.mmap_offset, sizeBytes, doorbells: gpu.doorbells };
  const offset = process.placement.place(place);
  if (offset < 0) return offset;
  if (kind === 'vram' || kind === 'gtt') process.pageTable.clear(offset, sizeBytes, process.host.discardPages);
  const mmapOffset = kind === 'mmio' ? { mmapOffset: BigInt(gpu.id) << KFD_MMAP_GPU_ID_SHIFT } : {};
  const memory = process.buffers.createMemory({ gpuId: gpu.id, kind, flags: args.flags, offset, sizeBytes });
  const buffer = process.buffers.add(memory, { gpuId: gpu.id, address: args.va_addr, ...mmapOffset });
  put({ handle: buffer.handle, mmap_offset: buffer.mmapOffset });
  // Whoever takes VRAM makes a queue soon: the threads load while the program fills its buffers.
  if (kind === 'vram') process.queues.startThreads();
  return 0;
});

export const freeMemoryOfGpu: Ioctl = defineIoctl(kfd.kfd_ioctl_free_memory_of_gpu_args, 'W', ({ process, args }) => {
  const buffer = process.buffers.get(args.handle);
  if (buffer === undefined) return -EINVAL;
  if (buffer === process.eventBuffer) return -EPERM;
  if (buffer.mappedOn.size > 0) return -EBUSY;
  process.freeBuffer(buffer);
  return 0;
});

export const mapMemoryToGpu: Ioctl = defineIoctl(kfd.kfd_ioctl_map_memory_to_gpu_args, 'WR', ({ process, args, put }) =>
  forEachGpu(process, args, put, (buffer, gpu) => {
    if (gpu.vmFile === undefined) return -ENODEV;
    // Two buffers at one address do not fit the page tables (amdgpu_vm.c amdgpu_vm_bo_map); here those of one memory do.
    const others = process.buffers.overlapping(buffer.address, buffer.sizeBytes);
    if (others.some((other) => other.memory !== buffer.memory && other.mappedOn.has(gpu.id))) return -EINVAL;
    buffer.mappedOn.add(gpu.id);
    process.applyGpuAccess(buffer);
    return 0;
  }),
);

export const unmapMemoryFromGpu: Ioctl = defineIoctl(kfd.kfd_ioctl_unmap_memory_from_gpu_args, 'WR', ({ process, args, put }) =>
  forEachGpu(process, args, put, (buffer, gpu) => {
    if (buffer.users > 0 && buffer.mappedOn.has(gpu.id)) return -EBUSY;
    if (buffer.mappedOn.delete(gpu.id) && buffer.mappedOn.size === 0) process.applyGpuAccess(buffer);
    return 0;
  }),
);

interface Request {
  readonly process: Process;
  readonly gpu: Gpu;
  readonly kind: BufferKind;
  readonly sizeBytes: number;
}

function checkSize({ process, gpu, kind, sizeBytes, hostAddress }: Request & { readonly hostAddress: bigint }): number {
  switch (kind) {
    case 'vram':
      return alignUp(sizeBytes, PAGE_BYTES) <= process.availableVram(gpu) ? 0 : -ENOMEM;
    case 'gtt':
      return process.hasSystemMemory(sizeBytes) ? 0 : -ENOMEM;
    case 'userptr':
      return hostAddress % BigInt(PAGE_BYTES) === 0n ? 0 : -EINVAL;
    case 'doorbell':
      return sizeBytes === DOORBELL_SLICE_BYTES ? 0 : -EINVAL;
    case 'mmio':
      return sizeBytes === PAGE_BYTES ? 0 : -EINVAL;
  }
}

interface DeviceArray {
  readonly handle: bigint;
  readonly device_ids_array_ptr: bigint;
  readonly n_devices: number;
  readonly n_success: number;
}

/** The common part of MAP and UNMAP: goes on after the devices that succeeded before, and counts as it goes. */
function forEachGpu(
  process: Process,
  args: DeviceArray,
  put: (values: { readonly n_success: number }) => void,
  apply: (buffer: Buffer, gpu: Gpu) => number,
): number {
  if (args.n_devices === 0 || args.n_success > args.n_devices) return -EINVAL;
  const ids = process.resolve(args.device_ids_array_ptr, args.n_devices * 4);
  if (ids === undefined) return -EFAULT;
  if (process.gpu(Number(args.handle >> 32n)) === undefined) return -EINVAL;
  const buffer = process.buffers.get(args.handle);
  if (buffer === undefined) return -ENOMEM;
  const view = new DataView(ids.buffer, ids.byteOffset, ids.byteLength);
  for (let index = args.n_success; index < args.n_devices; index += 1) {
    const gpu = process.gpu(view.getUint32(index * 4, true));
    const status = gpu === undefined ? -EINVAL : apply(buffer, gpu);
    if (status !== 0) return status;
    put({ n_success: index + 1 });
  }
  return 0;
}
