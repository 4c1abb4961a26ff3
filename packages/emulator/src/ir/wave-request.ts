/**
 * What a wave asks the executor for: in the low dword about what, in the high dword the operation and where its result goes. A barrier is
 * M0's layout: its number in bits 4…0, a count of members in bits 22…16 (LLVM, AMDGPUExecutionSynchronization).
 */

/** A workgroup has the named barriers 1…16. */
export const LAST_NAMED_BARRIER = 16;

/** Operations: on the named barriers of a workgroup and what a wave has joined, and others. */
export const WAVE_REQUEST = {
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
  /** The workgroup's own barrier. */
  groupIsFirst: 7,
  groupState: 8,
  /** Tells the host; M0 is the event. */
  interrupt: 9,
  /** A scalar register: a field of a register that says where the wave runs, see {@link encodePlaceField}. */
  place: 10,
} as const;

/** Result register of a request without one. */
export const NO_REGISTER = 0xffff;

export const encodeOperation = (operation: number, register: number = NO_REGISTER): number =>
  ((register << 16) | operation) >>> 0;

/** Registers that say where a wave runs: HW_ID of gfx9, HW_ID1 and HW_ID2 of later ones. */
export const WAVE_PLACE = { id: 0, id1: 1, id2: 2 } as const;

export const encodePlaceField = (register: number, offset: number, size: number): number =>
  register | (offset << 8) | (size << 16);

export interface WaveRequest {
  readonly operation: number;
  /** Number of the scalar register for the result, or {@link NO_REGISTER}. */
  readonly register: number;
  /** What it is about, whole. */
  readonly about: number;
  readonly barrier: number;
  readonly members: number;
}

export function decodeRequest(low: number, high: number): WaveRequest {
  return { operation: high & 0xffff, register: high >>> 16, about: low, barrier: low & 0x1f, members: (low >>> 16) & 0x7f };
}
