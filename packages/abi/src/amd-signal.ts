/** The signal in memory that devices and host share (amd_hsa_signal.h). */
import type { StructLayout } from './struct.js';
import { defineStruct } from './struct.js';

/** Size and alignment of {@link AMD_SIGNAL}. */
export const AMD_SIGNAL_BYTES = 64;

/** `amd_signal_kind_t`. */
export const AmdSignalKind = {
  invalid: 0n,
  user: 1n,
  /** A queue's doorbell: `value` is the address of the doorbell register. */
  doorbell: -1n,
  legacyDoorbell: -2n,
} as const;
export type AmdSignalKind = (typeof AmdSignalKind)[keyof typeof AmdSignalKind];

const signalFields = {
  kind: { offset: 0, type: 'i64' },
  /** Of doorbells the same bytes are `hardware_doorbell_ptr`. */
  value: { offset: 8, type: 'i64' },
  hardware_doorbell_ptr: { offset: 8, type: 'u64' },
  /** Where the device writes `event_id` when it completes the signal; 0: nowhere. */
  event_mailbox_ptr: { offset: 16, type: 'u64' },
  event_id: { offset: 24, type: 'u32' },
  reserved1: { offset: 28, type: 'u32' },
  start_ts: { offset: 32, type: 'u64' },
  end_ts: { offset: 40, type: 'u64' },
  /** Of doorbells: the `amd_queue_t`. */
  queue_ptr: { offset: 48, type: 'u64' },
  reserved3: { offset: 56, type: { array: 'u32', length: 2 } },
} as const;

/** `amd_signal_t`; the handle of a signal is its address. */
export const AMD_SIGNAL: StructLayout<typeof signalFields> = /* @__PURE__ */ defineStruct(
  'amd_signal_t',
  AMD_SIGNAL_BYTES,
  signalFields,
);

/** Size of the block that ROCr allocates around each signal (core/inc/signal.h `SharedSignal`). */
export const SHARED_SIGNAL_BYTES = 128;

/** What a valid shared block holds at `id`, also across processes. */
export const SHARED_SIGNAL_ID = 0x71fc_ca6a_3d5d_5276n;

const sharedSignalFields = {
  sdma_start_ts: { offset: 64, type: 'u64' },
  /** 0 in a signal that another process owns. */
  core_signal: { offset: 72, type: 'u64' },
  id: { offset: 80, type: 'u64' },
  reserved1: { offset: 88, type: 'u64' },
  sdma_end_ts: { offset: 96, type: 'u64' },
  reserved2: { offset: 104, type: { array: 'u64', length: 3 } },
} as const;

/** The shared block; its first 64 bytes are {@link AMD_SIGNAL}. SDMA time stamps lie where SDMA can write them, 32-byte aligned. */
export const SHARED_SIGNAL: StructLayout<typeof sharedSignalFields> = /* @__PURE__ */ defineStruct(
  'SharedSignal',
  SHARED_SIGNAL_BYTES,
  sharedSignalFields,
);
