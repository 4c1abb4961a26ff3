/** Whether a queue has scratch memory enough for a kernel (amd_hsa_queue.h scratch fields). */
import { AMD_QUEUE } from '@doorbell/abi';
import type { CheckedDispatch } from './dispatch-packet.js';
import type { MemoryViews } from './shared-state.js';

const LANE_BYTES = AMD_QUEUE.offsetOf('scratch_wave64_lane_byte_size');

/** The queue says what a lane of a 64-lane wave has; a wave of 32 lanes has the same memory for half the lanes. */
export function needsScratch(
  { words }: MemoryViews,
  amdQueue: number,
  { privateBytes, isWave32 }: Pick<CheckedDispatch, 'privateBytes' | 'isWave32'>,
): boolean {
  if (privateBytes === 0) return false;
  if (amdQueue < 0) return true;
  const laneBytes = ((words[(amdQueue + LANE_BYTES) / 4] ?? 0) >>> 0) * (isWave32 ? 2 : 1);
  return laneBytes < privateBytes;
}
