/** The queue in memory that the command processor and the host share (amd_hsa_queue.h). */
import type { StructLayout } from './struct.js';
import { defineStruct } from './struct.js';

/** Size of the second version, `amd_queue_v2_t`. */
export const AMD_QUEUE_BYTES = 2304;

/** The first version is a prefix of the second. */
export const AMD_QUEUE_V1_BYTES = 256;
export const AMD_QUEUE_ALIGN_BYTES = 64;

/** Entries of `scratch_last_used_index`, one for each XCC. */
export const AMD_QUEUE_MAX_XCC = 128;

/** `amd_queue_properties_t`. */
export const AmdQueueProperties = {
  enableTrapHandler: 0x1,
  isPtr64: 0x2,
  enableTrapHandlerDebugSgprs: 0x4,
  enableProfiling: 0x8,
  useScratchOnce: 0x10,
} as const;

/** `amd_queue_capabilities_t`. */
export const AmdQueueCapabilities = {
  /** Set by the command processor. */
  cpAsyncReclaim: 0x1,
  /** Set by the runtime: the command processor may use what lies past the first version. */
  swAsyncReclaim: 0x2,
} as const;

const queueFields = {
  hsa_queue: {
    offset: 0,
    type: {
      sizeBytes: 40,
      struct: {
        type: { offset: 0, type: 'u32' },
        features: { offset: 4, type: 'u32' },
        base_address: { offset: 8, type: 'u64' },
        doorbell_signal: { offset: 16, type: 'u64' },
        /** Packets. */
        size: { offset: 24, type: 'u32' },
        reserved1: { offset: 28, type: 'u32' },
        id: { offset: 32, type: 'u64' },
      },
    },
  },
  caps: { offset: 40, type: 'u32' },
  reserved1: { offset: 44, type: { array: 'u32', length: 3 } },
  write_dispatch_id: { offset: 56, type: 'u64' },
  /** High halves of the LDS and scratch apertures. */
  group_segment_aperture_base_hi: { offset: 64, type: 'u32' },
  private_segment_aperture_base_hi: { offset: 68, type: 'u32' },
  max_cu_id: { offset: 72, type: 'u32' },
  max_wave_id: { offset: 76, type: 'u32' },
  max_legacy_doorbell_dispatch_id_plus_1: { offset: 80, type: 'u64' },
  legacy_doorbell_lock: { offset: 88, type: 'u32' },
  reserved2: { offset: 92, type: { array: 'u32', length: 9 } },
  /** Written by the command processor. */
  read_dispatch_id: { offset: 128, type: 'u64' },
  /** Offset of `read_dispatch_id` in this structure. */
  read_dispatch_id_field_base_byte_offset: { offset: 136, type: 'u32' },
  compute_tmpring_size: { offset: 140, type: 'u32' },
  scratch_resource_descriptor: { offset: 144, type: { array: 'u32', length: 4 } },
  scratch_backing_memory_location: { offset: 160, type: 'u64' },
  scratch_backing_memory_byte_size: { offset: 168, type: 'u64' },
  scratch_wave64_lane_byte_size: { offset: 176, type: 'u32' },
  queue_properties: { offset: 180, type: 'u32' },
  scratch_max_use_index: { offset: 184, type: 'u64' },
  /** Handle of the signal that reports the queue's errors and its need of scratch. */
  queue_inactive_signal: { offset: 192, type: 'u64' },
  alt_scratch_max_use_index: { offset: 200, type: 'u64' },
  alt_scratch_resource_descriptor: { offset: 208, type: { array: 'u32', length: 4 } },
  alt_scratch_backing_memory_location: { offset: 224, type: 'u64' },
  alt_scratch_dispatch_limit_x: { offset: 232, type: 'u32' },
  alt_scratch_dispatch_limit_y: { offset: 236, type: 'u32' },
  alt_scratch_dispatch_limit_z: { offset: 240, type: 'u32' },
  alt_scratch_wave64_lane_byte_size: { offset: 244, type: 'u32' },
  alt_compute_tmpring_size: { offset: 248, type: 'u32' },
  reserved5: { offset: 252, type: 'u32' },
  /** Written by the command processor when it disconnects the queue. */
  scratch_last_used_index: {
    offset: 256,
    type: {
      array: { sizeBytes: 16, struct: { main: { offset: 0, type: 'u64' }, alt: { offset: 8, type: 'u64' } } },
      length: 128,
    },
  },
} as const;

/** `amd_queue_v2_t`; `hsa_queue_t` is its first member, so the address of a queue is also that of its `hsa_queue_t`. */
export const AMD_QUEUE: StructLayout<typeof queueFields> = /* @__PURE__ */ defineStruct(
  'amd_queue_v2_t',
  AMD_QUEUE_BYTES,
  queueFields,
);
