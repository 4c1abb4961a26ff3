/** Allocation options as the driver takes them: flags, and what its refusals mean. */
import { kfd } from '@doorbell/abi';
import { EADDRINUSE, EFAULT, EINVAL, ENOMEM } from '../errno.js';
import type { AllocateOptions, MemoryKind } from '../thunk.js';
import type { IoctlPurpose } from './ioctl.js';

const KIND_FLAGS: Readonly<Record<MemoryKind, number>> = {
  vram: kfd.KFD_IOC_ALLOC_MEM_FLAGS_VRAM,
  gtt: kfd.KFD_IOC_ALLOC_MEM_FLAGS_GTT,
  userptr: kfd.KFD_IOC_ALLOC_MEM_FLAGS_USERPTR,
  doorbell: kfd.KFD_IOC_ALLOC_MEM_FLAGS_DOORBELL,
  mmio: kfd.KFD_IOC_ALLOC_MEM_FLAGS_MMIO_REMAP,
};

/** The driver's flags; NO_SUBSTITUTE as libhsakmt always sets it: never system memory in place of VRAM. */
export function allocFlags(options: AllocateOptions): number {
  const { kind, executable = false, writable = true, coherent = kind !== 'vram', uncached = false } = options;
  const { hostVisible = false, extendedCoherent = false, contiguous = false } = options;
  let flags: number = kfd.KFD_IOC_ALLOC_MEM_FLAGS_NO_SUBSTITUTE | KIND_FLAGS[kind];
  if (kind === 'vram' && hostVisible) flags |= kfd.KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC;
  if (kind === 'vram' && contiguous) flags |= kfd.KFD_IOC_ALLOC_MEM_FLAGS_CONTIGUOUS_BEST_EFFORT;
  if (executable) flags |= kfd.KFD_IOC_ALLOC_MEM_FLAGS_EXECUTABLE;
  if (writable) flags |= kfd.KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE;
  if (coherent) flags |= kfd.KFD_IOC_ALLOC_MEM_FLAGS_COHERENT;
  if (uncached) flags |= kfd.KFD_IOC_ALLOC_MEM_FLAGS_UNCACHED;
  if (extendedCoherent) flags |= kfd.KFD_IOC_ALLOC_MEM_FLAGS_EXT_COHERENT;
  return flags >>> 0;
}

/** What an allocation was for, and what the driver's refusals mean there. */
export function allocPurpose(
  kind: MemoryKind,
  wanted: { readonly sizeBytes: number; readonly gpuId: number; readonly hostVisible: boolean },
): IoctlPurpose {
  const refused =
    kind === 'vram' && wanted.hostVisible
      ? 'a board with a small BAR cannot show VRAM to the host'
      : 'the driver refuses size, flags or address';
  return {
    doing: `allocating ${wanted.sizeBytes} bytes of ${kind} on GPU ${wanted.gpuId}`,
    errnos: {
      [ENOMEM]: {
        code: 'ERR_OUT_OF_MEMORY',
        meaning: kind === 'mmio' ? 'the GPU has no such registers for processes' : `the GPU's ${kind} has no room for it`,
      },
      [EFAULT]: { code: 'ERR_INVALID_ADDRESS', meaning: 'the process has no memory at this address' },
      [EADDRINUSE]: { code: 'ERR_INVALID_ADDRESS', meaning: 'the address range is in use' },
      [EINVAL]: { meaning: refused },
    },
  };
}
