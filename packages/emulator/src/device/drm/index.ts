/** The DRM ioctls of a render node: those that the emulated driver has, and those of amdgpu that it has not. */
import { drm } from '@doorbell/abi';
import { EACCES, EBADF, EFAULT, EINVAL, ENOTTY } from '../errno.js';
import type { RenderFile } from '../files.js';
import { decodeRequest, runIoctl } from '../ioctl.js';
import type { Process } from '../process.js';
import { gemClose, getCap, getVersion, primeFdToHandle, primeHandleToFd } from './core.js';
import type { DrmIoctl } from './drm-ioctl.js';
import { gemCreate, gemMetadata, gemMmap, gemOp, gemVa, gemWaitIdle } from './gem.js';
import { info } from './info.js';

/** drm.h DRM_IOCTL_BASE. */
const DRM_IOCTL_TYPE = 0x64;

/** One ioctl of the render node. */
export interface DrmIoctlEntry {
  readonly name: string;
  readonly number: number;
  /** Absent: the kernel has it and the emulated driver answers with {@link errno}. */
  readonly ioctl?: DrmIoctl;
  /** Positive; with it the kernel, too, refuses the ioctl on a render node. */
  readonly errno?: number;
}

/** drm.h DRM_IOCTL_*; the numbers of amdgpu_drm.h begin at 0x40 (DRM_COMMAND_BASE). */
const amdgpu = (request: number): number => decodeRequest(request).number;

/** Every ioctl that libdrm and libdrm_amdgpu issue on a render node. */
export const DRM_IOCTLS: readonly DrmIoctlEntry[] = [
  { name: 'VERSION', number: 0x00, ioctl: getVersion },
  // Not for render nodes (drm_ioctl.c drm_ioctl_permit).
  { name: 'GET_UNIQUE', number: 0x01, errno: EACCES },
  { name: 'GET_MAGIC', number: 0x02, errno: EACCES },
  { name: 'GET_CLIENT', number: 0x05, errno: EACCES },
  { name: 'GEM_CLOSE', number: 0x09, ioctl: gemClose },
  { name: 'GET_CAP', number: 0x0c, ioctl: getCap },
  { name: 'PRIME_HANDLE_TO_FD', number: 0x2d, ioctl: primeHandleToFd },
  { name: 'PRIME_FD_TO_HANDLE', number: 0x2e, ioctl: primeFdToHandle },
  { name: 'AMDGPU_GEM_CREATE', number: amdgpu(drm.DRM_IOCTL_AMDGPU_GEM_CREATE), ioctl: gemCreate },
  { name: 'AMDGPU_GEM_MMAP', number: amdgpu(drm.DRM_IOCTL_AMDGPU_GEM_MMAP), ioctl: gemMmap },
  { name: 'AMDGPU_CTX', number: amdgpu(drm.DRM_IOCTL_AMDGPU_CTX), errno: ENOTTY },
  { name: 'AMDGPU_BO_LIST', number: amdgpu(drm.DRM_IOCTL_AMDGPU_BO_LIST), errno: ENOTTY },
  { name: 'AMDGPU_CS', number: amdgpu(drm.DRM_IOCTL_AMDGPU_CS), errno: ENOTTY },
  { name: 'AMDGPU_INFO', number: amdgpu(drm.DRM_IOCTL_AMDGPU_INFO), ioctl: info },
  { name: 'AMDGPU_GEM_METADATA', number: amdgpu(drm.DRM_IOCTL_AMDGPU_GEM_METADATA), ioctl: gemMetadata },
  { name: 'AMDGPU_GEM_WAIT_IDLE', number: amdgpu(drm.DRM_IOCTL_AMDGPU_GEM_WAIT_IDLE), ioctl: gemWaitIdle },
  { name: 'AMDGPU_GEM_VA', number: amdgpu(drm.DRM_IOCTL_AMDGPU_GEM_VA), ioctl: gemVa },
  { name: 'AMDGPU_WAIT_CS', number: amdgpu(drm.DRM_IOCTL_AMDGPU_WAIT_CS), errno: ENOTTY },
  { name: 'AMDGPU_GEM_OP', number: amdgpu(drm.DRM_IOCTL_AMDGPU_GEM_OP), ioctl: gemOp },
  { name: 'AMDGPU_GEM_USERPTR', number: amdgpu(drm.DRM_IOCTL_AMDGPU_GEM_USERPTR), errno: ENOTTY },
  { name: 'AMDGPU_WAIT_FENCES', number: amdgpu(drm.DRM_IOCTL_AMDGPU_WAIT_FENCES), errno: ENOTTY },
  { name: 'AMDGPU_VM', number: amdgpu(drm.DRM_IOCTL_AMDGPU_VM), errno: ENOTTY },
  { name: 'AMDGPU_FENCE_TO_HANDLE', number: amdgpu(drm.DRM_IOCTL_AMDGPU_FENCE_TO_HANDLE), errno: ENOTTY },
  { name: 'AMDGPU_SCHED', number: amdgpu(drm.DRM_IOCTL_AMDGPU_SCHED), errno: ENOTTY },
];

const BY_NUMBER: ReadonlyMap<number, DrmIoctlEntry> = new Map(DRM_IOCTLS.map((entry) => [entry.number, entry]));

/** Runs a DRM ioctl: 0 or a negative errno. Numbers that DRM does not know are EINVAL there (drm_ioctl.c). */
export function runDrmIoctl(
  process: Process,
  file: RenderFile,
  { request, arg }: { readonly request: number; readonly arg: Uint8Array },
): number {
  const { type, number, sizeBytes } = decodeRequest(request);
  if (type !== DRM_IOCTL_TYPE) return -ENOTTY;
  const entry = BY_NUMBER.get(number);
  if (entry === undefined) return -EINVAL;
  const { ioctl } = entry;
  if (ioctl === undefined) return -(entry.errno ?? ENOTTY);
  if (arg.byteLength < sizeBytes) return -EFAULT;
  const gpu = process.gpus.find(({ description }) => description.renderMinor === file.minor);
  if (gpu === undefined) return -EBADF;
  process.pageTable.flush();
  const bound = {
    sizeBytes: ioctl.sizeBytes,
    direction: ioctl.direction,
    run: (_: Process, bytes: Uint8Array) => ioctl.run({ process, file, gpu }, bytes),
  };
  const status = runIoctl(process, bound, arg, sizeBytes);
  // DRM's handlers never wait.
  return typeof status === 'number' ? status : -EINVAL;
}
