/** The condition of AMD's barrier-value packet (hsa_ext_amd.h hsa_amd_barrier_value_packet_t). */
import type { MemoryViews } from './shared-state.js';
import { loadValue } from './signals.js';

const VALUE = 16;
const MASK = 24;
const CONDITION = 32;
/** hsa.h hsa_signal_condition_t. */
const Condition = { eq: 0, ne: 1, lt: 2, gte: 3 } as const;

/** Whether `(signal & mask) condition value` holds, signed; undefined for an unknown condition. */
export function barrierValueHolds(views: MemoryViews, packet: number, signal: number): boolean | undefined {
  const { longs, words } = views;
  const value = longs[(packet + VALUE) / 8] ?? 0n;
  const masked = loadValue(views, signal) & (longs[(packet + MASK) / 8] ?? 0n);
  switch (words[(packet + CONDITION) / 4]) {
    case Condition.eq:
      return masked === value;
    case Condition.ne:
      return masked !== value;
    case Condition.lt:
      return masked < value;
    case Condition.gte:
      return masked >= value;
    default:
      return undefined;
  }
}
