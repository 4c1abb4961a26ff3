/** Doorbells of the process, mapped once for each GPU and kept as long as the device. */
import type { DoorbellPage, KfdDevice } from '@doorbell/abi';
import { HsaError, kfd } from '@doorbell/abi';
import type { ErrorCode } from '@doorbell/abi';
import { systemCallError } from '../errno.js';
import type { ThunkGpu } from '../thunk.js';
import { DOORBELL_SLICE_BYTES } from '../driver-constants.js';
import type { KfdProcess } from './process.js';

/** The doorbells of a GPU: mapped now, or before. `code` is for the error when they cannot be. */
export function doorbellPageOf(
  device: KfdDevice,
  process: KfdProcess,
  { gpuId, code }: { readonly gpuId: number; readonly code: ErrorCode },
): DoorbellPage {
  const known = process.doorbells.get(gpuId);
  if (known !== undefined) return known;
  const offset = kfd.KFD_MMAP_TYPE_DOORBELL | (BigInt(gpuId) << BigInt(kfd.KFD_MMAP_GPU_ID_SHIFT));
  const page = device.mapDoorbells({ offset, sizeBytes: DOORBELL_SLICE_BYTES });
  if (typeof page === 'number') {
    throw systemCallError({
      code,
      call: 'mmap',
      path: device.path,
      errno: -page,
      doing: `mapping the doorbells of GPU ${gpuId}`,
      details: { offset },
    });
  }
  process.doorbells.set(gpuId, page);
  return page;
}

/** capability bits 13:12 (kfd_topology.h HSA_CAP_DOORBELL_TYPE): 2 is the 64-bit doorbell of gfx9 and later. */
export function requireWideDoorbells(gpu: ThunkGpu): void {
  const type = Number(((gpu.properties.get('capability') ?? 0n) >> 12n) & 3n);
  if (type === 2) return;
  throw new HsaError('ERR_NOT_SUPPORTED', {
    message: `GPU ${gpu.gpuId} has doorbells of type ${type}; the 64-bit ones (type 2) of gfx9 and later are needed`,
    details: { gpuId: gpu.gpuId, doorbellType: type },
  });
}
