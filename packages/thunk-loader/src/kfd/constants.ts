/**
 * Flags and kinds of the KFD interface that are no structures. Source: linux/kfd_ioctl.h; names as there, without the
 * prefixes KFD_IOC_ and KFD_.
 */

/** kfd_ioctl.h KFD_IOCTL_MAJOR_VERSION. */
export const INTERFACE_MAJOR = 1;

/** KFD_IOC_ALLOC_MEM_FLAGS_*. */
export const ALLOC_FLAGS = {
  VRAM: 0x0000_0001,
  GTT: 0x0000_0002,
  UNCACHED: 0x0200_0000,
  COHERENT: 0x0400_0000,
  NO_SUBSTITUTE: 0x1000_0000,
  PUBLIC: 0x2000_0000,
  EXECUTABLE: 0x4000_0000,
  WRITABLE: 0x8000_0000,
} as const;

/** KFD_IOC_QUEUE_TYPE_*. */
export const QUEUE_TYPES = { SDMA: 1, COMPUTE_AQL: 2, SDMA_XGMI: 3 } as const;

/** KFD_IOC_EVENT_*. */
export const EVENT_TYPES = { SIGNAL: 0, HW_EXCEPTION: 3, MEMORY: 8 } as const;

/** KFD_IOC_WAIT_RESULT_*. */
export const WAIT_RESULTS = { COMPLETE: 0, TIMEOUT: 1, FAIL: 2 } as const;

/** KFD_SIGNAL_EVENT_LIMIT slots of 8 bytes. */
export const EVENT_PAGE_BYTES = 32_768;

/** 1024 doorbells of 8 bytes: the slice of a process on one GPU of gfx9 or later. */
export const DOORBELL_SLICE_BYTES = 8192;

/** KFD_HW_EXCEPTION_*, KFD_MEM_ERR_*: names by number. */
export const RESET_TYPES = ['whole-gpu', 'engine'] as const;
export const RESET_CAUSES = ['hang', 'ecc'] as const;
export const MEMORY_ERRORS = ['none', 'sram-ecc', 'poison', 'gpu-hang'] as const;

/** Minor versions from which a call is there. */
export const SINCE_MINOR = { XNACK: 5, AVAILABLE_MEMORY: 9, RUNTIME_ENABLE: 13, EVENT_AGE: 14 } as const;

/** HSA_QUEUE_PRIORITY −3…3 as the driver's 0…15 (hsakmttypes.h; the driver's normal is 7). */
export const PRIORITIES = {
  minimum: 0,
  low: 3,
  'below-normal': 5,
  normal: 7,
  'above-normal': 9,
  high: 11,
  maximum: 15,
} as const;
