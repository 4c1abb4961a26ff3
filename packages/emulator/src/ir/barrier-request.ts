/**
 * What a wave asks the executor for about barriers: the low dword the barrier, in the high dword the operation and where its result
 * goes. The barrier is M0's layout: its number in bits 4…0, a count of members in bits 22…16 (LLVM, AMDGPUExecutionSynchronization).
 */

/** A workgroup has the named barriers 1…16. */
export const LAST_NAMED_BARRIER = 16;

/** Operations on the named barriers of a workgroup, and on what a wave has joined. */
export const BARRIER_REQUEST = {
  signal: 0,
  /** SCC: whether it was the first signal. */
  signalIsFirst: 1,
  wait: 2,
  init: 3,
  join: 4,
  /** SCC: whether no member is left. */
  leave: 5,
  /** A scalar register: the barrier's state. */
  state: 6,
  /** The last two for the workgroup's own barrier. */
  groupIsFirst: 7,
  groupState: 8,
} as const;

/** Result register of a request without one. */
export const NO_REGISTER = 0xffff;

export const encodeOperation = (operation: number, register: number = NO_REGISTER): number =>
  ((register << 16) | operation) >>> 0;

export interface BarrierRequest {
  readonly operation: number;
  /** Number of the scalar register for the result, or {@link NO_REGISTER}. */
  readonly register: number;
  readonly barrier: number;
  readonly members: number;
}

export function decodeRequest(low: number, high: number): BarrierRequest {
  return { operation: high & 0xffff, register: high >>> 16, barrier: low & 0x1f, members: (low >>> 16) & 0x7f };
}
