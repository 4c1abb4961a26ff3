/**
 * What a wave asks the executor for about barriers: the low dword the barrier, in the high dword the operation and where its result
 * goes. The barrier is M0's layout: its number in bits 4…0, a count of members in bits 22…16 (LLVM, AMDGPUExecutionSynchronization).
 */

/** Operations on the named barriers 1…16 of a workgroup, and on what a wave has joined. */
export const REQUEST_SIGNAL = 0;
/** SCC: whether it was the first signal. */
export const REQUEST_SIGNAL_IS_FIRST = 1;
export const REQUEST_WAIT = 2;
export const REQUEST_INIT = 3;
export const REQUEST_JOIN = 4;
/** SCC: whether no member is left. */
export const REQUEST_LEAVE = 5;
/** A scalar register: the barrier's state. */
export const REQUEST_STATE = 6;
/** The last two for the workgroup's own barrier. */
export const REQUEST_GROUP_IS_FIRST = 7;
export const REQUEST_GROUP_STATE = 8;

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
