/** Allocation options as the driver takes them: flags, sizes, and what its refusals mean. */
import { HsaError, kfd } from '@doorbell/abi';
import { EADDRINUSE, EFAULT, EINVAL, ENOMEM } from '../errno.js';
import type { AllocateOptions, MemoryKind } from '../thunk.js';
import { DOORBELL_SLICE_BYTES } from './constants.js';
import type { IoctlPurpose } from './ioctl.js';
import { alignUp } from './queue-sizes.js';

export const PAGE_BYTES = 4096;
/** Fragment of the GPU's page tables from which on translation gets cheap. */
const LARGE_PAGE_BYTES = 0x20_0000;
/** More than any address space holds (57 bits on x86-64 and arm64); up to here, sums of sizes and alignments are exact. */
const MAX_BYTES = 2 ** 52;

const KIND_FLAGS: Readonly<Record<MemoryKind, number>> = {
  vram: kfd.KFD_IOC_ALLOC_MEM_FLAGS_VRAM,
  gtt: kfd.KFD_IOC_ALLOC_MEM_FLAGS_GTT,
  userptr: kfd.KFD_IOC_ALLOC_MEM_FLAGS_USERPTR,
  doorbell: kfd.KFD_IOC_ALLOC_MEM_FLAGS_DOORBELL,
  mmio: kfd.KFD_IOC_ALLOC_MEM_FLAGS_MMIO_REMAP,
};

/** Sizes that the driver prescribes. */
const FIXED_BYTES: Readonly<Partial<Record<MemoryKind, number>>> = { doorbell: DOORBELL_SLICE_BYTES, mmio: PAGE_BYTES };

/** Whole pages. @throws {HsaError} ERR_INVALID_ARGUMENT. */
export function checkSize(sizeBytes: number): number {
  if (Number.isInteger(sizeBytes) && sizeBytes > 0 && sizeBytes <= MAX_BYTES) return alignUp(sizeBytes, PAGE_BYTES);
  throw invalid(`sizeBytes must be an integer from 1 to 2^52, not ${sizeBytes}`);
}

/** Size and alignment of an allocation. @throws {HsaError} ERR_INVALID_ARGUMENT. */
export function checkSizes({ kind, sizeBytes: wanted, alignBytes: align, host }: AllocateOptions): {
  readonly sizeBytes: number;
  readonly alignBytes: number;
} {
  const sizeBytes = checkSize(wanted);
  const fixed = FIXED_BYTES[kind];
  if (fixed !== undefined && sizeBytes !== fixed) throw invalid(`sizeBytes of ${kind} must be ${fixed}, not ${wanted}`);
  if ((kind === 'userptr') !== (host !== undefined)) throw invalid(`host is for userptr, which needs it; kind is ${kind}`);
  if (host !== undefined && host.address % BigInt(PAGE_BYTES) !== 0n) {
    throw invalid(`host.address must be a multiple of ${PAGE_BYTES}, not 0x${host.address.toString(16)}`);
  }
  if (host !== undefined && checkSize(host.sizeBytes) !== sizeBytes) {
    throw invalid(`sizeBytes of userptr must be host.sizeBytes (${host.sizeBytes}), not ${wanted}`);
  }
  const alignBytes = checkAlign(align ?? (sizeBytes >= LARGE_PAGE_BYTES ? LARGE_PAGE_BYTES : PAGE_BYTES));
  return { sizeBytes, alignBytes };
}

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

function checkAlign(alignBytes: number): number {
  if (alignBytes >= 1 && alignBytes <= MAX_BYTES && alignBytes === 2 ** Math.round(Math.log2(alignBytes)))
    return Math.max(alignBytes, PAGE_BYTES);
  throw invalid(`alignBytes must be a power of two up to 2^52, not ${alignBytes}`);
}

function invalid(message: string): HsaError {
  return new HsaError('ERR_INVALID_ARGUMENT', { message });
}
