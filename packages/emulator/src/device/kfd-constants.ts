/** Values of kfd_ioctl.h (KFD 1.17) that are not layouts, and of amdkfd itself where the comment says so. */

/** The interface this driver speaks. */
export const KFD_IOCTL_MAJOR_VERSION = 1;
export const KFD_IOCTL_MINOR_VERSION = 17;

export const KFD_IOC_ALLOC_MEM_FLAGS_VRAM: number = 1 << 0;
export const KFD_IOC_ALLOC_MEM_FLAGS_GTT: number = 1 << 1;
export const KFD_IOC_ALLOC_MEM_FLAGS_USERPTR: number = 1 << 2;
export const KFD_IOC_ALLOC_MEM_FLAGS_DOORBELL: number = 1 << 3;
export const KFD_IOC_ALLOC_MEM_FLAGS_MMIO_REMAP: number = 1 << 4;
export const KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE: number = 1 << 31;
export const KFD_IOC_ALLOC_MEM_FLAGS_EXECUTABLE: number = 1 << 30;
export const KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC: number = 1 << 29;
export const KFD_IOC_ALLOC_MEM_FLAGS_COHERENT: number = 1 << 26;
export const KFD_IOC_ALLOC_MEM_FLAGS_UNCACHED: number = 1 << 25;
export const KFD_IOC_ALLOC_MEM_FLAGS_EXT_COHERENT: number = 1 << 24;

/** Type of an mmap offset on /dev/kfd, bits 63:62; bits 61:46 hold the gpu id. */
export const KFD_MMAP_TYPE_SHIFT = 62n;
export const KFD_MMAP_TYPE_DOORBELL = 3n;
export const KFD_MMAP_TYPE_EVENTS = 2n;
export const KFD_MMAP_TYPE_RESERVED_MEM = 1n;
export const KFD_MMAP_GPU_ID_SHIFT = 46n;
export const KFD_MMAP_GPU_ID_MASK = 0xffffn;

export const KFD_IOC_QUEUE_TYPE_COMPUTE_AQL = 2;
export const KFD_IOC_QUEUE_TYPE_SDMA_XGMI = 3;
export const KFD_IOC_QUEUE_TYPE_SDMA_BY_ENG_ID = 4;
export const KFD_MAX_QUEUE_PERCENTAGE = 100;
export const KFD_MAX_QUEUE_PRIORITY = 15;
/** amdkfd kfd_priv.h: smaller rings are raised to this. */
export const KFD_MIN_QUEUE_RING_SIZE = 1024;

export const KFD_IOC_EVENT_SIGNAL = 0;
export const KFD_IOC_EVENT_HW_EXCEPTION = 3;
export const KFD_IOC_EVENT_DEBUG = 5;
export const KFD_IOC_EVENT_MEMORY = 8;
export const KFD_SIGNAL_EVENT_LIMIT = 4096;
export const KFD_IOC_WAIT_RESULT_COMPLETE = 0;
export const KFD_IOC_WAIT_RESULT_TIMEOUT = 1;
export const KFD_IOC_WAIT_RESULT_FAIL = 2;
/** Slots of 8 bytes each; amdkfd kfd_events.c KFD_SIGNAL_EVENT_LIMIT * 8. */
export const EVENT_PAGE_BYTES: number = KFD_SIGNAL_EVENT_LIMIT * 8;
/** amdkfd kfd_events.c: what fits the page before user space brings a full one. */
export const KFD_SIGNAL_EVENTS_COMPAT = 256;

export const KFD_RUNTIME_ENABLE_MODE_ENABLE_MASK = 1;

/** Doorbells of one process on one GPU: 1024 of 8 bytes (amdkfd kfd_doorbell.c, gfx9 on). */
export const DOORBELL_BYTES = 8;
export const DOORBELL_SLICE_BYTES = 8192;
