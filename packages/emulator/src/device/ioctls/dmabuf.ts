/** Ioctls about dma-bufs (amdkfd kfd_chardev.c, amdgpu_amdkfd.c amdgpu_amdkfd_get_dmabuf_info). */
import { kfd } from '@doorbell/abi';
import { EBADF, EFAULT, EINVAL, ENODEV, EPERM } from '../errno.js';
import type { Ioctl } from '../ioctl.js';
import { defineIoctl } from '../ioctl.js';
import { KFD_IOC_ALLOC_MEM_FLAGS_GTT, KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC, KFD_IOC_ALLOC_MEM_FLAGS_VRAM } from '../kfd-constants.js';
import type { DmabufOpenFile } from '../files.js';
import type { Process } from '../process.js';

export const exportDmabuf: Ioctl = defineIoctl(kfd.kfd_ioctl_export_dmabuf_args, 'WR', ({ process, args, put }) => {
  const buffer = process.buffers.get(args.handle);
  if (buffer === undefined) return -EINVAL;
  // amdgpu_dma_buf.c amdgpu_gem_prime_export.
  if (buffer.kind === 'userptr') return -EPERM;
  if (buffer.kind !== 'vram' && buffer.kind !== 'gtt') return -EINVAL;
  process.retainMemory(buffer.memory);
  put({ dmabuf_fd: process.files.open({ kind: 'dmabuf', memory: buffer.memory }) });
  return 0;
});

export const getDmabufInfo: Ioctl = defineIoctl(kfd.kfd_ioctl_get_dmabuf_info_args, 'WR', ({ process, args, put }) => {
  const file = dmabufOf(process, args.dmabuf_fd);
  if (typeof file === 'number') return file;
  const { gpuId, kind, flags, sizeBytes, metadata } = file.memory;
  if (args.metadata_ptr !== 0n && args.metadata_size < metadata.data.byteLength) return -EINVAL;
  const domain = kind === 'vram' ? KFD_IOC_ALLOC_MEM_FLAGS_VRAM : KFD_IOC_ALLOC_MEM_FLAGS_GTT;
  put({
    size: BigInt(sizeBytes),
    gpu_id: gpuId,
    metadata_size: metadata.data.byteLength,
    flags: (domain | (flags & KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC)) >>> 0,
  });
  if (args.metadata_ptr === 0n || metadata.data.byteLength === 0) return 0;
  const bytes = process.resolve(args.metadata_ptr, metadata.data.byteLength);
  if (bytes === undefined) return -EFAULT;
  bytes.set(metadata.data);
  return 0;
});

export const importDmabuf: Ioctl = defineIoctl(kfd.kfd_ioctl_import_dmabuf_args, 'WR', ({ process, args, put }) => {
  const gpu = process.gpu(args.gpu_id);
  if (gpu === undefined) return -EINVAL;
  if (gpu.vmFile === undefined) return -ENODEV;
  const file = dmabufOf(process, args.dmabuf_fd);
  if (typeof file === 'number') return file;
  const status = process.placement.show(file.memory, args.va_addr);
  if (status !== 0) return status;
  put({ handle: process.buffers.add(file.memory, { gpuId: gpu.id, address: args.va_addr }).handle });
  return 0;
});

/** dma_buf_get: EBADF without a file, EINVAL for one of another kind. */
function dmabufOf({ files }: Process, descriptor: number): DmabufOpenFile | number {
  if (files.get(descriptor) === undefined) return -EBADF;
  return files.dmabuf(descriptor) ?? -EINVAL;
}
