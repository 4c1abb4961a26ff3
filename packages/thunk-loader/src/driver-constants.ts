/** What the interface of KFD says in other ways than by constants of its header; both providers go by it. */
import { kfd } from '@doorbell/abi';

/** The driver's signal slots, 8 bytes each. */
export const EVENT_PAGE_BYTES: number = kfd.KFD_SIGNAL_EVENT_LIMIT * 8;

/** Of the host, and the unit of every size and address that the driver takes. */
export const PAGE_BYTES = 4096;

/** 1024 doorbells of 8 bytes: the slice of a process on one GPU of gfx9 or later (amdkfd kfd_doorbell.c). */
export const DOORBELL_SLICE_BYTES = 8192;

/** Minor versions from which a call or a field is there (version history in kfd_ioctl.h). */
export const SINCE_MINOR = {
  SVM: 5,
  XNACK: 5,
  AVAILABLE_MEMORY: 9,
  EXPORT_DMABUF: 12,
  RUNTIME_ENABLE: 13,
  EVENT_AGE: 14,
  CONTIGUOUS: 16,
  SDMA_ENGINE: 17,
} as const;

/** HSA_QUEUE_PRIORITY −3…3 (hsakmttypes.h) as the driver's 0…15, whose normal is 7. */
export const PRIORITIES = {
  minimum: 0,
  low: 3,
  'below-normal': 5,
  normal: 7,
  'above-normal': 9,
  high: 11,
  maximum: 15,
} as const;

/** Registers that gfx7 and gfx8 have (GB_TILE_MODE0…31, GB_MACROTILE_MODE0…15); later GPUs have none. */
export const MAX_TILE_MODES = 32;
export const MAX_MACRO_TILE_MODES = 16;
