/**
 * What the command processor puts into a queue's inactive signal (ROCr core/runtime/amd_aql_queue.cpp
 * DynamicQueueEventsHandler): user space tests these bits in this order.
 */
export const InactiveValue = {
  invalidDimension: 0x2,
  invalidGroupMemory: 0x4,
  invalidCode: 0x8,
  invalidPacket: 0x20,
  groupTooLarge: 0x40,
  outOfRegisters: 0x80,
  invalidVendorPacket: 0x100,
  memoryViolation: 0x2000_0000,
  illegalInstruction: 0x4000_0000,
  trap: 0x8000_0000,
  /** No bit that ROCr knows: it reports a general error. The device is lost, or the dispatch could not be executed. */
  other: 0x1000_0000,
  /** Scratch memory is too small for a kernel of 32 or 64 lanes; user space may enlarge it and clear the signal. */
  moreScratchWave64: 0x1,
  moreScratchWave32: 0x400,
} as const;
export type InactiveValue = (typeof InactiveValue)[keyof typeof InactiveValue];
