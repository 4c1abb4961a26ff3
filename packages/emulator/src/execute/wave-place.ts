/**
 * Where a wave runs, as registers say it (ROCm HIP amd_device_functions.h, HW_ID; AMD RDNA ISA documents, HW_ID1 and HW_ID2): a worker
 * is a compute unit, the waves of a workgroup are spread over its four SIMDs. Queue, pipe, engine and virtual memory ids are 0.
 */
import { InternalError } from '@doorbell/abi';
import { WAVE_PLACE } from '../ir/wave-request.js';

export interface WavePlace {
  readonly worker: number;
  readonly group: number;
  /** Number of the wave in its workgroup. */
  readonly wave: number;
}

/** The field of a register that a request names (ir/wave-request.ts, encodePlaceField). */
export function placeField(field: number, place: WavePlace): number {
  const word = placeRegister(field & 0xff, place);
  const size = field >>> 16;
  return ((word >>> ((field >>> 8) & 0x1f)) & (size >= 32 ? 0xffff_ffff : 2 ** size - 1)) >>> 0;
}

function placeRegister(register: number, { worker, group, wave }: WavePlace): number {
  const [simd, slot] = [wave & 3, wave >> 2];
  const [unit, engine] = [worker & 15, worker >> 4];
  switch (register) {
    case WAVE_PLACE.id:
      return slot | (simd << 4) | (unit << 8) | ((engine & 3) << 13) | ((group & 15) << 16);
    case WAVE_PLACE.id1:
      return slot | (simd << 8) | (unit << 10) | ((engine & 7) << 18);
    case WAVE_PLACE.id2:
      return (group & 31) << 16;
    default:
      throw new InternalError(`register ${register} says no place`);
  }
}
