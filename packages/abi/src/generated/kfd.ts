// Made by tools/abi-generator (npm run generate). Do not edit.
// Source: projects/rocr-runtime/libhsakmt/include/hsakmt/linux/kfd_ioctl.h (KFD 1.17 plus out-of-tree ioctls); names ending in _1_11: /usr/include/linux/kfd_ioctl.h (Debian linux-libc-dev 6.1.187, KFD 1.11)

import type { StructLayout } from '../struct.js';
import { defineLazyStruct } from '../struct.js';

export const AMDKFD_IOC_GET_VERSION = 0x80084b01;
export const AMDKFD_IOC_CREATE_QUEUE = 0xc0604b02;
export const AMDKFD_IOC_DESTROY_QUEUE = 0xc0084b03;
export const AMDKFD_IOC_SET_MEMORY_POLICY = 0x40204b04;
export const AMDKFD_IOC_GET_CLOCK_COUNTERS = 0xc0284b05;
export const AMDKFD_IOC_GET_PROCESS_APERTURES = 0x81904b06;
export const AMDKFD_IOC_UPDATE_QUEUE = 0x40184b07;
export const AMDKFD_IOC_CREATE_EVENT = 0xc0204b08;
export const AMDKFD_IOC_DESTROY_EVENT = 0x40084b09;
export const AMDKFD_IOC_SET_EVENT = 0x40084b0a;
export const AMDKFD_IOC_RESET_EVENT = 0x40084b0b;
export const AMDKFD_IOC_WAIT_EVENTS = 0xc0184b0c;
export const AMDKFD_IOC_DBG_REGISTER_DEPRECATED = 0x40084b0d;
export const AMDKFD_IOC_DBG_UNREGISTER_DEPRECATED = 0x40084b0e;
export const AMDKFD_IOC_DBG_ADDRESS_WATCH_DEPRECATED = 0x40104b0f;
export const AMDKFD_IOC_DBG_WAVE_CONTROL_DEPRECATED = 0x40104b10;
export const AMDKFD_IOC_SET_SCRATCH_BACKING_VA = 0xc0104b11;
export const AMDKFD_IOC_GET_TILE_CONFIG = 0xc0284b12;
export const AMDKFD_IOC_SET_TRAP_HANDLER = 0x40184b13;
export const AMDKFD_IOC_GET_PROCESS_APERTURES_NEW = 0xc0104b14;
export const AMDKFD_IOC_ACQUIRE_VM = 0x40084b15;
export const AMDKFD_IOC_ALLOC_MEMORY_OF_GPU = 0xc0284b16;
export const AMDKFD_IOC_FREE_MEMORY_OF_GPU = 0x40084b17;
export const AMDKFD_IOC_MAP_MEMORY_TO_GPU = 0xc0184b18;
export const AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU = 0xc0184b19;
export const AMDKFD_IOC_SET_CU_MASK = 0x40104b1a;
export const AMDKFD_IOC_GET_QUEUE_WAVE_STATE = 0xc0184b1b;
export const AMDKFD_IOC_GET_DMABUF_INFO = 0xc0204b1c;
export const AMDKFD_IOC_IMPORT_DMABUF = 0xc0184b1d;
export const AMDKFD_IOC_ALLOC_QUEUE_GWS = 0xc0104b1e;
export const AMDKFD_IOC_SMI_EVENTS = 0xc0084b1f;
export const AMDKFD_IOC_SVM = 0xc0184b20;
export const AMDKFD_IOC_SET_XNACK_MODE = 0xc0044b21;
export const AMDKFD_IOC_CRIU_OP = 0xc0384b22;
export const AMDKFD_IOC_AVAILABLE_MEMORY = 0xc0104b23;
export const AMDKFD_IOC_EXPORT_DMABUF = 0xc0104b24;
export const AMDKFD_IOC_RUNTIME_ENABLE = 0xc0104b25;
export const AMDKFD_IOC_DBG_TRAP = 0xc0204b26;
export const AMDKFD_IOC_IPC_IMPORT_HANDLE = 0xc0304b80;
export const AMDKFD_IOC_IPC_EXPORT_HANDLE = 0xc0204b81;
export const AMDKFD_IOC_CROSS_MEMORY_COPY = 0xc0304b83;
export const AMDKFD_IOC_RLC_SPM = 0xc0204b84;
export const AMDKFD_IOC_PC_SAMPLE = 0xc0204b85;
export const AMDKFD_IOC_CREATE_PROCESS = 0x4b27;

export const AMDKFD_IOC_CREATE_QUEUE_1_11 = 0xc0584b02;

export const KFD_IOCTL_MAJOR_VERSION = 0x1;
export const KFD_IOCTL_MINOR_VERSION = 0x11;
export const KFD_IOC_QUEUE_TYPE_COMPUTE = 0x0;
export const KFD_IOC_QUEUE_TYPE_SDMA = 0x1;
export const KFD_IOC_QUEUE_TYPE_COMPUTE_AQL = 0x2;
export const KFD_IOC_QUEUE_TYPE_SDMA_XGMI = 0x3;
export const KFD_MAX_QUEUE_PERCENTAGE = 0x64;
export const KFD_MAX_QUEUE_PRIORITY = 0xf;
export const KFD_MIN_QUEUE_RING_SIZE = 0x400;
export const KFD_IOC_CACHE_POLICY_COHERENT = 0x0;
export const KFD_IOC_CACHE_POLICY_NONCOHERENT = 0x1;
export const NUM_OF_SUPPORTED_GPUS = 0x7;
export const MAX_ALLOWED_NUM_POINTS = 0x64;
export const MAX_ALLOWED_AW_BUFF_SIZE = 0x1000;
export const MAX_ALLOWED_WAC_BUFF_SIZE = 0x80;
export const KFD_INVALID_FD = 0xffffffff;
export const KFD_IOC_EVENT_SIGNAL = 0x0;
export const KFD_IOC_EVENT_NODECHANGE = 0x1;
export const KFD_IOC_EVENT_DEVICESTATECHANGE = 0x2;
export const KFD_IOC_EVENT_HW_EXCEPTION = 0x3;
export const KFD_IOC_EVENT_SYSTEM_EVENT = 0x4;
export const KFD_IOC_EVENT_DEBUG_EVENT = 0x5;
export const KFD_IOC_EVENT_PROFILE_EVENT = 0x6;
export const KFD_IOC_EVENT_QUEUE_EVENT = 0x7;
export const KFD_IOC_EVENT_MEMORY = 0x8;
export const KFD_IOC_WAIT_RESULT_COMPLETE = 0x0;
export const KFD_IOC_WAIT_RESULT_TIMEOUT = 0x1;
export const KFD_IOC_WAIT_RESULT_FAIL = 0x2;
export const KFD_SIGNAL_EVENT_LIMIT = 0x1000;
export const KFD_HW_EXCEPTION_WHOLE_GPU_RESET = 0x0;
export const KFD_HW_EXCEPTION_PER_ENGINE_RESET = 0x1;
export const KFD_HW_EXCEPTION_GPU_HANG = 0x0;
export const KFD_HW_EXCEPTION_ECC = 0x1;
export const KFD_MEM_ERR_NO_RAS = 0x0;
export const KFD_MEM_ERR_SRAM_ECC = 0x1;
export const KFD_MEM_ERR_POISON_CONSUMED = 0x2;
export const KFD_MEM_ERR_GPU_HANG = 0x3;
export const KFD_IOC_ALLOC_MEM_FLAGS_VRAM = 0x1;
export const KFD_IOC_ALLOC_MEM_FLAGS_GTT = 0x2;
export const KFD_IOC_ALLOC_MEM_FLAGS_USERPTR = 0x4;
export const KFD_IOC_ALLOC_MEM_FLAGS_DOORBELL = 0x8;
export const KFD_IOC_ALLOC_MEM_FLAGS_MMIO_REMAP = 0x10;
export const KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE = 0x80000000;
export const KFD_IOC_ALLOC_MEM_FLAGS_EXECUTABLE = 0x40000000;
export const KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC = 0x20000000;
export const KFD_IOC_ALLOC_MEM_FLAGS_NO_SUBSTITUTE = 0x10000000;
export const KFD_IOC_ALLOC_MEM_FLAGS_AQL_QUEUE_MEM = 0x8000000;
export const KFD_IOC_ALLOC_MEM_FLAGS_COHERENT = 0x4000000;
export const KFD_IOC_ALLOC_MEM_FLAGS_UNCACHED = 0x2000000;
export const KFD_SMI_EVENT_MSG_SIZE = 0x60;
export const KFD_IOCTL_SVM_FLAG_HOST_ACCESS = 0x1;
export const KFD_IOCTL_SVM_FLAG_COHERENT = 0x2;
export const KFD_IOCTL_SVM_FLAG_HIVE_LOCAL = 0x4;
export const KFD_IOCTL_SVM_FLAG_GPU_RO = 0x8;
export const KFD_IOCTL_SVM_FLAG_GPU_EXEC = 0x10;
export const KFD_IOCTL_SVM_FLAG_GPU_READ_MOSTLY = 0x20;
export const KFD_IOCTL_SVM_FLAG_GPU_ALWAYS_MAPPED = 0x40;
export const KFD_SMI_EVENT_NONE = 0x0;
export const KFD_SMI_EVENT_VMFAULT = 0x1;
export const KFD_SMI_EVENT_THERMAL_THROTTLE = 0x2;
export const KFD_SMI_EVENT_GPU_PRE_RESET = 0x3;
export const KFD_SMI_EVENT_GPU_POST_RESET = 0x4;
export const KFD_SMI_EVENT_MIGRATE_START = 0x5;
export const KFD_SMI_EVENT_MIGRATE_END = 0x6;
export const KFD_SMI_EVENT_PAGE_FAULT_START = 0x7;
export const KFD_SMI_EVENT_PAGE_FAULT_END = 0x8;
export const KFD_SMI_EVENT_QUEUE_EVICTION = 0x9;
export const KFD_SMI_EVENT_QUEUE_RESTORE = 0xa;
export const KFD_SMI_EVENT_UNMAP_FROM_GPU = 0xb;
export const KFD_SMI_EVENT_ALL_PROCESS = 0x40;
export const KFD_MIGRATE_TRIGGER_PREFETCH = 0x0;
export const KFD_MIGRATE_TRIGGER_PAGEFAULT_GPU = 0x1;
export const KFD_MIGRATE_TRIGGER_PAGEFAULT_CPU = 0x2;
export const KFD_MIGRATE_TRIGGER_TTM_EVICTION = 0x3;
export const KFD_QUEUE_EVICTION_TRIGGER_SVM = 0x0;
export const KFD_QUEUE_EVICTION_TRIGGER_USERPTR = 0x1;
export const KFD_QUEUE_EVICTION_TRIGGER_TTM = 0x2;
export const KFD_QUEUE_EVICTION_TRIGGER_SUSPEND = 0x3;
export const KFD_QUEUE_EVICTION_CRIU_CHECKPOINT = 0x4;
export const KFD_QUEUE_EVICTION_CRIU_RESTORE = 0x5;
export const KFD_SVM_UNMAP_TRIGGER_MMU_NOTIFY = 0x0;
export const KFD_SVM_UNMAP_TRIGGER_MMU_NOTIFY_MIGRATE = 0x1;
export const KFD_SVM_UNMAP_TRIGGER_UNMAP_FROM_CPU = 0x2;
export const KFD_CRIU_OP_PROCESS_INFO = 0x0;
export const KFD_CRIU_OP_CHECKPOINT = 0x1;
export const KFD_CRIU_OP_UNPAUSE = 0x2;
export const KFD_CRIU_OP_RESTORE = 0x3;
export const KFD_CRIU_OP_RESUME = 0x4;
export const KFD_MMIO_REMAP_HDP_MEM_FLUSH_CNTL = 0x0;
export const KFD_MMIO_REMAP_HDP_REG_FLUSH_CNTL = 0x4;
export const KFD_IOCTL_SVM_OP_SET_ATTR = 0x0;
export const KFD_IOCTL_SVM_OP_GET_ATTR = 0x1;
export const KFD_IOCTL_SVM_LOCATION_SYSMEM = 0x0;
export const KFD_IOCTL_SVM_LOCATION_UNDEFINED = 0xffffffff;
export const KFD_IOCTL_SVM_ATTR_PREFERRED_LOC = 0x0;
export const KFD_IOCTL_SVM_ATTR_PREFETCH_LOC = 0x1;
export const KFD_IOCTL_SVM_ATTR_ACCESS = 0x2;
export const KFD_IOCTL_SVM_ATTR_ACCESS_IN_PLACE = 0x3;
export const KFD_IOCTL_SVM_ATTR_NO_ACCESS = 0x4;
export const KFD_IOCTL_SVM_ATTR_SET_FLAGS = 0x5;
export const KFD_IOCTL_SVM_ATTR_CLR_FLAGS = 0x6;
export const KFD_IOCTL_SVM_ATTR_GRANULARITY = 0x7;
export const KFD_IOC_QUEUE_TYPE_SDMA_BY_ENG_ID = 0x4;
export const KFD_DBG_EV_FLAG_CLEAR_STATUS = 0x1;
export const KFD_DBG_QUEUE_ERROR_BIT = 0x1e;
export const KFD_DBG_QUEUE_INVALID_BIT = 0x1f;
export const KFD_DBG_QUEUE_ERROR_MASK = 0x40000000;
export const KFD_DBG_QUEUE_INVALID_MASK = 0x80000000;
export const KFD_INVALID_GPUID = 0xffffffff;
export const KFD_INVALID_QUEUEID = 0xffffffff;
export const KFD_EC_MASK_QUEUE = 0x607b803f;
export const KFD_EC_MASK_DEVICE = 0xf80000000n;
export const KFD_EC_MASK_PROCESS = 0x1800000000000n;
export const KFD_RUNTIME_ENABLE_MODE_ENABLE_MASK = 0x1;
export const KFD_RUNTIME_ENABLE_MODE_TTMP_SAVE_MASK = 0x2;
export const KFD_RUNTIME_ENABLE_CAPS_SUPPORTS_CORE_DUMP_MASK = 0x80000000;
export const KFD_IOC_ALLOC_MEM_FLAGS_EXT_COHERENT = 0x1000000;
export const KFD_IOC_ALLOC_MEM_FLAGS_CONTIGUOUS_BEST_EFFORT = 0x800000;
export const KFD_CROSS_MEMORY_RW_BIT = 0x1;
export const KFD_IOCTL_SVM_FLAG_EXT_COHERENT = 0x80;
export const KFD_IOCTL_PCS_FLAG_POWER_OF_2 = 0x1;
export const KFD_IOCTL_PCS_QUERY_TYPE_FULL = 0x1;
export const KFD_DBG_TRAP_OVERRIDE_OR = 0x0;
export const KFD_DBG_TRAP_OVERRIDE_REPLACE = 0x1;
export const KFD_DBG_TRAP_MASK_FP_INVALID = 0x1;
export const KFD_DBG_TRAP_MASK_FP_INPUT_DENORMAL = 0x2;
export const KFD_DBG_TRAP_MASK_FP_DIVIDE_BY_ZERO = 0x4;
export const KFD_DBG_TRAP_MASK_FP_OVERFLOW = 0x8;
export const KFD_DBG_TRAP_MASK_FP_UNDERFLOW = 0x10;
export const KFD_DBG_TRAP_MASK_FP_INEXACT = 0x20;
export const KFD_DBG_TRAP_MASK_INT_DIVIDE_BY_ZERO = 0x40;
export const KFD_DBG_TRAP_MASK_DBG_ADDRESS_WATCH = 0x80;
export const KFD_DBG_TRAP_MASK_DBG_MEMORY_VIOLATION = 0x100;
export const KFD_DBG_TRAP_MASK_TRAP_ON_WAVE_START = 0x40000000;
export const KFD_DBG_TRAP_MASK_TRAP_ON_WAVE_END = 0x80000000;
export const KFD_DBG_TRAP_WAVE_LAUNCH_MODE_NORMAL = 0x0;
export const KFD_DBG_TRAP_WAVE_LAUNCH_MODE_HALT = 0x1;
export const KFD_DBG_TRAP_WAVE_LAUNCH_MODE_DEBUG = 0x3;
export const KFD_DBG_TRAP_ADDRESS_WATCH_MODE_READ = 0x0;
export const KFD_DBG_TRAP_ADDRESS_WATCH_MODE_NONREAD = 0x1;
export const KFD_DBG_TRAP_ADDRESS_WATCH_MODE_ATOMIC = 0x2;
export const KFD_DBG_TRAP_ADDRESS_WATCH_MODE_ALL = 0x3;
export const KFD_DBG_TRAP_FLAG_SINGLE_MEM_OP = 0x1;
export const EC_NONE = 0x0;
export const EC_QUEUE_WAVE_ABORT = 0x1;
export const EC_QUEUE_WAVE_TRAP = 0x2;
export const EC_QUEUE_WAVE_MATH_ERROR = 0x3;
export const EC_QUEUE_WAVE_ILLEGAL_INSTRUCTION = 0x4;
export const EC_QUEUE_WAVE_MEMORY_VIOLATION = 0x5;
export const EC_QUEUE_WAVE_APERTURE_VIOLATION = 0x6;
export const EC_QUEUE_PACKET_DISPATCH_DIM_INVALID = 0x10;
export const EC_QUEUE_PACKET_DISPATCH_GROUP_SEGMENT_SIZE_INVALID = 0x11;
export const EC_QUEUE_PACKET_DISPATCH_CODE_INVALID = 0x12;
export const EC_QUEUE_PACKET_RESERVED = 0x13;
export const EC_QUEUE_PACKET_UNSUPPORTED = 0x14;
export const EC_QUEUE_PACKET_DISPATCH_WORK_GROUP_SIZE_INVALID = 0x15;
export const EC_QUEUE_PACKET_DISPATCH_REGISTER_INVALID = 0x16;
export const EC_QUEUE_PACKET_VENDOR_UNSUPPORTED = 0x17;
export const EC_QUEUE_PREEMPTION_ERROR = 0x1e;
export const EC_QUEUE_NEW = 0x1f;
export const EC_DEVICE_QUEUE_DELETE = 0x20;
export const EC_DEVICE_MEMORY_VIOLATION = 0x21;
export const EC_DEVICE_RAS_ERROR = 0x22;
export const EC_DEVICE_FATAL_HALT = 0x23;
export const EC_DEVICE_NEW = 0x24;
export const EC_PROCESS_RUNTIME = 0x30;
export const EC_PROCESS_DEVICE_REMOVE = 0x31;
export const EC_MAX = 0x32;
export const DEBUG_RUNTIME_STATE_DISABLED = 0x0;
export const DEBUG_RUNTIME_STATE_ENABLED = 0x1;
export const DEBUG_RUNTIME_STATE_ENABLED_BUSY = 0x2;
export const DEBUG_RUNTIME_STATE_ENABLED_ERROR = 0x3;
export const KFD_IOC_DBG_TRAP_ENABLE = 0x0;
export const KFD_IOC_DBG_TRAP_DISABLE = 0x1;
export const KFD_IOC_DBG_TRAP_SEND_RUNTIME_EVENT = 0x2;
export const KFD_IOC_DBG_TRAP_SET_EXCEPTIONS_ENABLED = 0x3;
export const KFD_IOC_DBG_TRAP_SET_WAVE_LAUNCH_OVERRIDE = 0x4;
export const KFD_IOC_DBG_TRAP_SET_WAVE_LAUNCH_MODE = 0x5;
export const KFD_IOC_DBG_TRAP_SUSPEND_QUEUES = 0x6;
export const KFD_IOC_DBG_TRAP_RESUME_QUEUES = 0x7;
export const KFD_IOC_DBG_TRAP_SET_NODE_ADDRESS_WATCH = 0x8;
export const KFD_IOC_DBG_TRAP_CLEAR_NODE_ADDRESS_WATCH = 0x9;
export const KFD_IOC_DBG_TRAP_SET_FLAGS = 0xa;
export const KFD_IOC_DBG_TRAP_QUERY_DEBUG_EVENT = 0xb;
export const KFD_IOC_DBG_TRAP_QUERY_EXCEPTION_INFO = 0xc;
export const KFD_IOC_DBG_TRAP_GET_QUEUE_SNAPSHOT = 0xd;
export const KFD_IOC_DBG_TRAP_GET_DEVICE_SNAPSHOT = 0xe;
export const KFD_IOCTL_SPM_OP_ACQUIRE = 0x0;
export const KFD_IOCTL_SPM_OP_RELEASE = 0x1;
export const KFD_IOCTL_SPM_OP_SET_DEST_BUF = 0x2;
export const KFD_IOCTL_PCS_OP_QUERY_CAPABILITIES = 0x0;
export const KFD_IOCTL_PCS_OP_CREATE = 0x1;
export const KFD_IOCTL_PCS_OP_DESTROY = 0x2;
export const KFD_IOCTL_PCS_OP_START = 0x3;
export const KFD_IOCTL_PCS_OP_STOP = 0x4;
export const KFD_IOCTL_PCS_METHOD_HOSTTRAP = 0x1;
export const KFD_IOCTL_PCS_METHOD_STOCHASTIC = 0x2;
export const KFD_IOCTL_PCS_TYPE_TIME_US = 0x0;
export const KFD_IOCTL_PCS_TYPE_CLOCK_CYCLES = 0x1;
export const KFD_IOCTL_PCS_TYPE_INSTRUCTIONS = 0x2;
export const KFD_MMAP_TYPE_DOORBELL = 0xc000000000000000n;
export const KFD_MMAP_TYPE_EVENTS = 0x8000000000000000n;
export const KFD_MMAP_TYPE_RESERVED_MEM = 0x4000000000000000n;
export const KFD_MMAP_TYPE_MMIO = 0x0n;
export const KFD_MMAP_TYPE_MASK = 0xc000000000000000n;
export const KFD_MMAP_GPU_ID_MASK = 0x3fffc00000000000n;

export const KFD_MMAP_TYPE_SHIFT = 0x3e;
export const KFD_MMAP_GPU_ID_SHIFT = 0x2e;

const kfd_context_save_area_header_fields = function () {
  return {
  wave_state: { offset: 0, type: {
    sizeBytes: 16,
    struct: {
      control_stack_offset: { offset: 0, type: 'u32' },
      control_stack_size: { offset: 4, type: 'u32' },
      wave_state_offset: { offset: 8, type: 'u32' },
      wave_state_size: { offset: 12, type: 'u32' },
    },
  } },
  debug_offset: { offset: 16, type: 'u32' },
  debug_size: { offset: 20, type: 'u32' },
  err_payload_addr: { offset: 24, type: 'u64' },
  err_event_id: { offset: 32, type: 'u32' },
  reserved1: { offset: 36, type: 'u32' },
  } as const;
};
export const kfd_context_save_area_header: StructLayout<ReturnType<typeof kfd_context_save_area_header_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_context_save_area_header', 40, kfd_context_save_area_header_fields);

const kfd_criu_bo_bucket_fields = function () {
  return {
  addr: { offset: 0, type: 'u64' },
  size: { offset: 8, type: 'u64' },
  offset: { offset: 16, type: 'u64' },
  restored_offset: { offset: 24, type: 'u64' },
  gpu_id: { offset: 32, type: 'u32' },
  alloc_flags: { offset: 36, type: 'u32' },
  dmabuf_fd: { offset: 40, type: 'u32' },
  pad: { offset: 44, type: 'u32' },
  } as const;
};
export const kfd_criu_bo_bucket: StructLayout<ReturnType<typeof kfd_criu_bo_bucket_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_criu_bo_bucket', 48, kfd_criu_bo_bucket_fields);

const kfd_criu_device_bucket_fields = function () {
  return {
  user_gpu_id: { offset: 0, type: 'u32' },
  actual_gpu_id: { offset: 4, type: 'u32' },
  drm_fd: { offset: 8, type: 'u32' },
  pad: { offset: 12, type: 'u32' },
  } as const;
};
export const kfd_criu_device_bucket: StructLayout<ReturnType<typeof kfd_criu_device_bucket_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_criu_device_bucket', 16, kfd_criu_device_bucket_fields);

const kfd_dbg_device_info_entry_fields = function () {
  return {
  exception_status: { offset: 0, type: 'u64' },
  lds_base: { offset: 8, type: 'u64' },
  lds_limit: { offset: 16, type: 'u64' },
  scratch_base: { offset: 24, type: 'u64' },
  scratch_limit: { offset: 32, type: 'u64' },
  gpuvm_base: { offset: 40, type: 'u64' },
  gpuvm_limit: { offset: 48, type: 'u64' },
  gpu_id: { offset: 56, type: 'u32' },
  location_id: { offset: 60, type: 'u32' },
  vendor_id: { offset: 64, type: 'u32' },
  device_id: { offset: 68, type: 'u32' },
  revision_id: { offset: 72, type: 'u32' },
  subsystem_vendor_id: { offset: 76, type: 'u32' },
  subsystem_device_id: { offset: 80, type: 'u32' },
  fw_version: { offset: 84, type: 'u32' },
  gfx_target_version: { offset: 88, type: 'u32' },
  simd_count: { offset: 92, type: 'u32' },
  max_waves_per_simd: { offset: 96, type: 'u32' },
  array_count: { offset: 100, type: 'u32' },
  simd_arrays_per_engine: { offset: 104, type: 'u32' },
  num_xcc: { offset: 108, type: 'u32' },
  capability: { offset: 112, type: 'u32' },
  debug_prop: { offset: 116, type: 'u32' },
  } as const;
};
export const kfd_dbg_device_info_entry: StructLayout<ReturnType<typeof kfd_dbg_device_info_entry_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_dbg_device_info_entry', 120, kfd_dbg_device_info_entry_fields);

const kfd_event_data_fields = function () {
  return {
  memory_exception_data: { offset: 0, type: {
    sizeBytes: 32,
    struct: {
      failure: { offset: 0, type: {
        sizeBytes: 16,
        struct: {
          NotPresent: { offset: 0, type: 'u32' },
          ReadOnly: { offset: 4, type: 'u32' },
          NoExecute: { offset: 8, type: 'u32' },
          imprecise: { offset: 12, type: 'u32' },
        },
      } },
      va: { offset: 16, type: 'u64' },
      gpu_id: { offset: 24, type: 'u32' },
      ErrorType: { offset: 28, type: 'u32' },
    },
  } },
  hw_exception_data: { offset: 0, type: {
    sizeBytes: 16,
    struct: {
      reset_type: { offset: 0, type: 'u32' },
      reset_cause: { offset: 4, type: 'u32' },
      memory_lost: { offset: 8, type: 'u32' },
      gpu_id: { offset: 12, type: 'u32' },
    },
  } },
  signal_event_data: { offset: 0, type: {
    sizeBytes: 8,
    struct: {
      last_event_age: { offset: 0, type: 'u64' },
    },
  } },
  kfd_event_data_ext: { offset: 32, type: 'u64' },
  event_id: { offset: 40, type: 'u32' },
  pad: { offset: 44, type: 'u32' },
  } as const;
};
export const kfd_event_data: StructLayout<ReturnType<typeof kfd_event_data_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_event_data', 48, kfd_event_data_fields);

const kfd_hsa_hw_exception_data_fields = function () {
  return {
  reset_type: { offset: 0, type: 'u32' },
  reset_cause: { offset: 4, type: 'u32' },
  memory_lost: { offset: 8, type: 'u32' },
  gpu_id: { offset: 12, type: 'u32' },
  } as const;
};
export const kfd_hsa_hw_exception_data: StructLayout<ReturnType<typeof kfd_hsa_hw_exception_data_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_hsa_hw_exception_data', 16, kfd_hsa_hw_exception_data_fields);

const kfd_hsa_memory_exception_data_fields = function () {
  return {
  failure: { offset: 0, type: {
    sizeBytes: 16,
    struct: {
      NotPresent: { offset: 0, type: 'u32' },
      ReadOnly: { offset: 4, type: 'u32' },
      NoExecute: { offset: 8, type: 'u32' },
      imprecise: { offset: 12, type: 'u32' },
    },
  } },
  va: { offset: 16, type: 'u64' },
  gpu_id: { offset: 24, type: 'u32' },
  ErrorType: { offset: 28, type: 'u32' },
  } as const;
};
export const kfd_hsa_memory_exception_data: StructLayout<ReturnType<typeof kfd_hsa_memory_exception_data_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_hsa_memory_exception_data', 32, kfd_hsa_memory_exception_data_fields);

const kfd_hsa_signal_event_data_fields = function () {
  return {
  last_event_age: { offset: 0, type: 'u64' },
  } as const;
};
export const kfd_hsa_signal_event_data: StructLayout<ReturnType<typeof kfd_hsa_signal_event_data_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_hsa_signal_event_data', 8, kfd_hsa_signal_event_data_fields);

const kfd_ioctl_acquire_vm_args_fields = function () {
  return {
  drm_fd: { offset: 0, type: 'u32' },
  gpu_id: { offset: 4, type: 'u32' },
  } as const;
};
export const kfd_ioctl_acquire_vm_args: StructLayout<ReturnType<typeof kfd_ioctl_acquire_vm_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_acquire_vm_args', 8, kfd_ioctl_acquire_vm_args_fields);

const kfd_ioctl_alloc_memory_of_gpu_args_fields = function () {
  return {
  va_addr: { offset: 0, type: 'u64' },
  size: { offset: 8, type: 'u64' },
  handle: { offset: 16, type: 'u64' },
  mmap_offset: { offset: 24, type: 'u64' },
  gpu_id: { offset: 32, type: 'u32' },
  flags: { offset: 36, type: 'u32' },
  } as const;
};
export const kfd_ioctl_alloc_memory_of_gpu_args: StructLayout<ReturnType<typeof kfd_ioctl_alloc_memory_of_gpu_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_alloc_memory_of_gpu_args', 40, kfd_ioctl_alloc_memory_of_gpu_args_fields);

const kfd_ioctl_alloc_queue_gws_args_fields = function () {
  return {
  queue_id: { offset: 0, type: 'u32' },
  num_gws: { offset: 4, type: 'u32' },
  first_gws: { offset: 8, type: 'u32' },
  pad: { offset: 12, type: 'u32' },
  } as const;
};
export const kfd_ioctl_alloc_queue_gws_args: StructLayout<ReturnType<typeof kfd_ioctl_alloc_queue_gws_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_alloc_queue_gws_args', 16, kfd_ioctl_alloc_queue_gws_args_fields);

const kfd_ioctl_create_event_args_fields = function () {
  return {
  event_page_offset: { offset: 0, type: 'u64' },
  event_trigger_data: { offset: 8, type: 'u32' },
  event_type: { offset: 12, type: 'u32' },
  auto_reset: { offset: 16, type: 'u32' },
  node_id: { offset: 20, type: 'u32' },
  event_id: { offset: 24, type: 'u32' },
  event_slot_index: { offset: 28, type: 'u32' },
  } as const;
};
export const kfd_ioctl_create_event_args: StructLayout<ReturnType<typeof kfd_ioctl_create_event_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_create_event_args', 32, kfd_ioctl_create_event_args_fields);

const kfd_ioctl_create_queue_args_fields = function () {
  return {
  ring_base_address: { offset: 0, type: 'u64' },
  write_pointer_address: { offset: 8, type: 'u64' },
  read_pointer_address: { offset: 16, type: 'u64' },
  doorbell_offset: { offset: 24, type: 'u64' },
  ring_size: { offset: 32, type: 'u32' },
  gpu_id: { offset: 36, type: 'u32' },
  queue_type: { offset: 40, type: 'u32' },
  queue_percentage: { offset: 44, type: 'u32' },
  queue_priority: { offset: 48, type: 'u32' },
  queue_id: { offset: 52, type: 'u32' },
  eop_buffer_address: { offset: 56, type: 'u64' },
  eop_buffer_size: { offset: 64, type: 'u64' },
  ctx_save_restore_address: { offset: 72, type: 'u64' },
  ctx_save_restore_size: { offset: 80, type: 'u32' },
  ctl_stack_size: { offset: 84, type: 'u32' },
  sdma_engine_id: { offset: 88, type: 'u32' },
  pad: { offset: 92, type: 'u32' },
  } as const;
};
export const kfd_ioctl_create_queue_args: StructLayout<ReturnType<typeof kfd_ioctl_create_queue_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_create_queue_args', 96, kfd_ioctl_create_queue_args_fields);

const kfd_ioctl_criu_args_fields = function () {
  return {
  devices: { offset: 0, type: 'u64' },
  bos: { offset: 8, type: 'u64' },
  priv_data: { offset: 16, type: 'u64' },
  priv_data_size: { offset: 24, type: 'u64' },
  num_devices: { offset: 32, type: 'u32' },
  num_bos: { offset: 36, type: 'u32' },
  num_objects: { offset: 40, type: 'u32' },
  pid: { offset: 44, type: 'u32' },
  op: { offset: 48, type: 'u32' },
  } as const;
};
export const kfd_ioctl_criu_args: StructLayout<ReturnType<typeof kfd_ioctl_criu_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_criu_args', 56, kfd_ioctl_criu_args_fields);

const kfd_ioctl_cross_memory_copy_args_fields = function () {
  return {
  pid: { offset: 0, type: 'u32' },
  flags: { offset: 4, type: 'u32' },
  src_mem_range_array: { offset: 8, type: 'u64' },
  src_mem_array_size: { offset: 16, type: 'u64' },
  dst_mem_range_array: { offset: 24, type: 'u64' },
  dst_mem_array_size: { offset: 32, type: 'u64' },
  bytes_copied: { offset: 40, type: 'u64' },
  } as const;
};
export const kfd_ioctl_cross_memory_copy_args: StructLayout<ReturnType<typeof kfd_ioctl_cross_memory_copy_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_cross_memory_copy_args', 48, kfd_ioctl_cross_memory_copy_args_fields);

const kfd_ioctl_dbg_address_watch_args_fields = function () {
  return {
  content_ptr: { offset: 0, type: 'u64' },
  gpu_id: { offset: 8, type: 'u32' },
  buf_size_in_bytes: { offset: 12, type: 'u32' },
  } as const;
};
export const kfd_ioctl_dbg_address_watch_args: StructLayout<ReturnType<typeof kfd_ioctl_dbg_address_watch_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_dbg_address_watch_args', 16, kfd_ioctl_dbg_address_watch_args_fields);

const kfd_ioctl_dbg_register_args_fields = function () {
  return {
  gpu_id: { offset: 0, type: 'u32' },
  pad: { offset: 4, type: 'u32' },
  } as const;
};
export const kfd_ioctl_dbg_register_args: StructLayout<ReturnType<typeof kfd_ioctl_dbg_register_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_dbg_register_args', 8, kfd_ioctl_dbg_register_args_fields);

const kfd_ioctl_dbg_trap_args_fields = function () {
  return {
  pid: { offset: 0, type: 'u32' },
  op: { offset: 4, type: 'u32' },
  enable: { offset: 8, type: {
    sizeBytes: 24,
    struct: {
      exception_mask: { offset: 0, type: 'u64' },
      rinfo_ptr: { offset: 8, type: 'u64' },
      rinfo_size: { offset: 16, type: 'u32' },
      dbg_fd: { offset: 20, type: 'u32' },
    },
  } },
  send_runtime_event: { offset: 8, type: {
    sizeBytes: 16,
    struct: {
      exception_mask: { offset: 0, type: 'u64' },
      gpu_id: { offset: 8, type: 'u32' },
      queue_id: { offset: 12, type: 'u32' },
    },
  } },
  set_exceptions_enabled: { offset: 8, type: {
    sizeBytes: 8,
    struct: {
      exception_mask: { offset: 0, type: 'u64' },
    },
  } },
  launch_override: { offset: 8, type: {
    sizeBytes: 16,
    struct: {
      override_mode: { offset: 0, type: 'u32' },
      enable_mask: { offset: 4, type: 'u32' },
      support_request_mask: { offset: 8, type: 'u32' },
      pad: { offset: 12, type: 'u32' },
    },
  } },
  launch_mode: { offset: 8, type: {
    sizeBytes: 8,
    struct: {
      launch_mode: { offset: 0, type: 'u32' },
      pad: { offset: 4, type: 'u32' },
    },
  } },
  suspend_queues: { offset: 8, type: {
    sizeBytes: 24,
    struct: {
      exception_mask: { offset: 0, type: 'u64' },
      queue_array_ptr: { offset: 8, type: 'u64' },
      num_queues: { offset: 16, type: 'u32' },
      grace_period: { offset: 20, type: 'u32' },
    },
  } },
  resume_queues: { offset: 8, type: {
    sizeBytes: 16,
    struct: {
      queue_array_ptr: { offset: 0, type: 'u64' },
      num_queues: { offset: 8, type: 'u32' },
      pad: { offset: 12, type: 'u32' },
    },
  } },
  set_node_address_watch: { offset: 8, type: {
    sizeBytes: 24,
    struct: {
      address: { offset: 0, type: 'u64' },
      mode: { offset: 8, type: 'u32' },
      mask: { offset: 12, type: 'u32' },
      gpu_id: { offset: 16, type: 'u32' },
      id: { offset: 20, type: 'u32' },
    },
  } },
  clear_node_address_watch: { offset: 8, type: {
    sizeBytes: 8,
    struct: {
      gpu_id: { offset: 0, type: 'u32' },
      id: { offset: 4, type: 'u32' },
    },
  } },
  set_flags: { offset: 8, type: {
    sizeBytes: 8,
    struct: {
      flags: { offset: 0, type: 'u32' },
      pad: { offset: 4, type: 'u32' },
    },
  } },
  query_debug_event: { offset: 8, type: {
    sizeBytes: 16,
    struct: {
      exception_mask: { offset: 0, type: 'u64' },
      gpu_id: { offset: 8, type: 'u32' },
      queue_id: { offset: 12, type: 'u32' },
    },
  } },
  query_exception_info: { offset: 8, type: {
    sizeBytes: 24,
    struct: {
      info_ptr: { offset: 0, type: 'u64' },
      info_size: { offset: 8, type: 'u32' },
      source_id: { offset: 12, type: 'u32' },
      exception_code: { offset: 16, type: 'u32' },
      clear_exception: { offset: 20, type: 'u32' },
    },
  } },
  queue_snapshot: { offset: 8, type: {
    sizeBytes: 24,
    struct: {
      exception_mask: { offset: 0, type: 'u64' },
      snapshot_buf_ptr: { offset: 8, type: 'u64' },
      num_queues: { offset: 16, type: 'u32' },
      entry_size: { offset: 20, type: 'u32' },
    },
  } },
  device_snapshot: { offset: 8, type: {
    sizeBytes: 24,
    struct: {
      exception_mask: { offset: 0, type: 'u64' },
      snapshot_buf_ptr: { offset: 8, type: 'u64' },
      num_devices: { offset: 16, type: 'u32' },
      entry_size: { offset: 20, type: 'u32' },
    },
  } },
  } as const;
};
export const kfd_ioctl_dbg_trap_args: StructLayout<ReturnType<typeof kfd_ioctl_dbg_trap_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_dbg_trap_args', 32, kfd_ioctl_dbg_trap_args_fields);

const kfd_ioctl_dbg_trap_clear_node_address_watch_args_fields = function () {
  return {
  gpu_id: { offset: 0, type: 'u32' },
  id: { offset: 4, type: 'u32' },
  } as const;
};
export const kfd_ioctl_dbg_trap_clear_node_address_watch_args: StructLayout<ReturnType<typeof kfd_ioctl_dbg_trap_clear_node_address_watch_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_dbg_trap_clear_node_address_watch_args', 8, kfd_ioctl_dbg_trap_clear_node_address_watch_args_fields);

const kfd_ioctl_dbg_trap_device_snapshot_args_fields = function () {
  return {
  exception_mask: { offset: 0, type: 'u64' },
  snapshot_buf_ptr: { offset: 8, type: 'u64' },
  num_devices: { offset: 16, type: 'u32' },
  entry_size: { offset: 20, type: 'u32' },
  } as const;
};
export const kfd_ioctl_dbg_trap_device_snapshot_args: StructLayout<ReturnType<typeof kfd_ioctl_dbg_trap_device_snapshot_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_dbg_trap_device_snapshot_args', 24, kfd_ioctl_dbg_trap_device_snapshot_args_fields);

const kfd_ioctl_dbg_trap_enable_args_fields = function () {
  return {
  exception_mask: { offset: 0, type: 'u64' },
  rinfo_ptr: { offset: 8, type: 'u64' },
  rinfo_size: { offset: 16, type: 'u32' },
  dbg_fd: { offset: 20, type: 'u32' },
  } as const;
};
export const kfd_ioctl_dbg_trap_enable_args: StructLayout<ReturnType<typeof kfd_ioctl_dbg_trap_enable_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_dbg_trap_enable_args', 24, kfd_ioctl_dbg_trap_enable_args_fields);

const kfd_ioctl_dbg_trap_query_debug_event_args_fields = function () {
  return {
  exception_mask: { offset: 0, type: 'u64' },
  gpu_id: { offset: 8, type: 'u32' },
  queue_id: { offset: 12, type: 'u32' },
  } as const;
};
export const kfd_ioctl_dbg_trap_query_debug_event_args: StructLayout<ReturnType<typeof kfd_ioctl_dbg_trap_query_debug_event_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_dbg_trap_query_debug_event_args', 16, kfd_ioctl_dbg_trap_query_debug_event_args_fields);

const kfd_ioctl_dbg_trap_query_exception_info_args_fields = function () {
  return {
  info_ptr: { offset: 0, type: 'u64' },
  info_size: { offset: 8, type: 'u32' },
  source_id: { offset: 12, type: 'u32' },
  exception_code: { offset: 16, type: 'u32' },
  clear_exception: { offset: 20, type: 'u32' },
  } as const;
};
export const kfd_ioctl_dbg_trap_query_exception_info_args: StructLayout<ReturnType<typeof kfd_ioctl_dbg_trap_query_exception_info_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_dbg_trap_query_exception_info_args', 24, kfd_ioctl_dbg_trap_query_exception_info_args_fields);

const kfd_ioctl_dbg_trap_queue_snapshot_args_fields = function () {
  return {
  exception_mask: { offset: 0, type: 'u64' },
  snapshot_buf_ptr: { offset: 8, type: 'u64' },
  num_queues: { offset: 16, type: 'u32' },
  entry_size: { offset: 20, type: 'u32' },
  } as const;
};
export const kfd_ioctl_dbg_trap_queue_snapshot_args: StructLayout<ReturnType<typeof kfd_ioctl_dbg_trap_queue_snapshot_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_dbg_trap_queue_snapshot_args', 24, kfd_ioctl_dbg_trap_queue_snapshot_args_fields);

const kfd_ioctl_dbg_trap_resume_queues_args_fields = function () {
  return {
  queue_array_ptr: { offset: 0, type: 'u64' },
  num_queues: { offset: 8, type: 'u32' },
  pad: { offset: 12, type: 'u32' },
  } as const;
};
export const kfd_ioctl_dbg_trap_resume_queues_args: StructLayout<ReturnType<typeof kfd_ioctl_dbg_trap_resume_queues_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_dbg_trap_resume_queues_args', 16, kfd_ioctl_dbg_trap_resume_queues_args_fields);

const kfd_ioctl_dbg_trap_send_runtime_event_args_fields = function () {
  return {
  exception_mask: { offset: 0, type: 'u64' },
  gpu_id: { offset: 8, type: 'u32' },
  queue_id: { offset: 12, type: 'u32' },
  } as const;
};
export const kfd_ioctl_dbg_trap_send_runtime_event_args: StructLayout<ReturnType<typeof kfd_ioctl_dbg_trap_send_runtime_event_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_dbg_trap_send_runtime_event_args', 16, kfd_ioctl_dbg_trap_send_runtime_event_args_fields);

const kfd_ioctl_dbg_trap_set_exceptions_enabled_args_fields = function () {
  return {
  exception_mask: { offset: 0, type: 'u64' },
  } as const;
};
export const kfd_ioctl_dbg_trap_set_exceptions_enabled_args: StructLayout<ReturnType<typeof kfd_ioctl_dbg_trap_set_exceptions_enabled_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_dbg_trap_set_exceptions_enabled_args', 8, kfd_ioctl_dbg_trap_set_exceptions_enabled_args_fields);

const kfd_ioctl_dbg_trap_set_flags_args_fields = function () {
  return {
  flags: { offset: 0, type: 'u32' },
  pad: { offset: 4, type: 'u32' },
  } as const;
};
export const kfd_ioctl_dbg_trap_set_flags_args: StructLayout<ReturnType<typeof kfd_ioctl_dbg_trap_set_flags_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_dbg_trap_set_flags_args', 8, kfd_ioctl_dbg_trap_set_flags_args_fields);

const kfd_ioctl_dbg_trap_set_node_address_watch_args_fields = function () {
  return {
  address: { offset: 0, type: 'u64' },
  mode: { offset: 8, type: 'u32' },
  mask: { offset: 12, type: 'u32' },
  gpu_id: { offset: 16, type: 'u32' },
  id: { offset: 20, type: 'u32' },
  } as const;
};
export const kfd_ioctl_dbg_trap_set_node_address_watch_args: StructLayout<ReturnType<typeof kfd_ioctl_dbg_trap_set_node_address_watch_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_dbg_trap_set_node_address_watch_args', 24, kfd_ioctl_dbg_trap_set_node_address_watch_args_fields);

const kfd_ioctl_dbg_trap_set_wave_launch_mode_args_fields = function () {
  return {
  launch_mode: { offset: 0, type: 'u32' },
  pad: { offset: 4, type: 'u32' },
  } as const;
};
export const kfd_ioctl_dbg_trap_set_wave_launch_mode_args: StructLayout<ReturnType<typeof kfd_ioctl_dbg_trap_set_wave_launch_mode_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_dbg_trap_set_wave_launch_mode_args', 8, kfd_ioctl_dbg_trap_set_wave_launch_mode_args_fields);

const kfd_ioctl_dbg_trap_set_wave_launch_override_args_fields = function () {
  return {
  override_mode: { offset: 0, type: 'u32' },
  enable_mask: { offset: 4, type: 'u32' },
  support_request_mask: { offset: 8, type: 'u32' },
  pad: { offset: 12, type: 'u32' },
  } as const;
};
export const kfd_ioctl_dbg_trap_set_wave_launch_override_args: StructLayout<ReturnType<typeof kfd_ioctl_dbg_trap_set_wave_launch_override_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_dbg_trap_set_wave_launch_override_args', 16, kfd_ioctl_dbg_trap_set_wave_launch_override_args_fields);

const kfd_ioctl_dbg_trap_suspend_queues_args_fields = function () {
  return {
  exception_mask: { offset: 0, type: 'u64' },
  queue_array_ptr: { offset: 8, type: 'u64' },
  num_queues: { offset: 16, type: 'u32' },
  grace_period: { offset: 20, type: 'u32' },
  } as const;
};
export const kfd_ioctl_dbg_trap_suspend_queues_args: StructLayout<ReturnType<typeof kfd_ioctl_dbg_trap_suspend_queues_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_dbg_trap_suspend_queues_args', 24, kfd_ioctl_dbg_trap_suspend_queues_args_fields);

const kfd_ioctl_dbg_unregister_args_fields = function () {
  return {
  gpu_id: { offset: 0, type: 'u32' },
  pad: { offset: 4, type: 'u32' },
  } as const;
};
export const kfd_ioctl_dbg_unregister_args: StructLayout<ReturnType<typeof kfd_ioctl_dbg_unregister_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_dbg_unregister_args', 8, kfd_ioctl_dbg_unregister_args_fields);

const kfd_ioctl_dbg_wave_control_args_fields = function () {
  return {
  content_ptr: { offset: 0, type: 'u64' },
  gpu_id: { offset: 8, type: 'u32' },
  buf_size_in_bytes: { offset: 12, type: 'u32' },
  } as const;
};
export const kfd_ioctl_dbg_wave_control_args: StructLayout<ReturnType<typeof kfd_ioctl_dbg_wave_control_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_dbg_wave_control_args', 16, kfd_ioctl_dbg_wave_control_args_fields);

const kfd_ioctl_destroy_event_args_fields = function () {
  return {
  event_id: { offset: 0, type: 'u32' },
  pad: { offset: 4, type: 'u32' },
  } as const;
};
export const kfd_ioctl_destroy_event_args: StructLayout<ReturnType<typeof kfd_ioctl_destroy_event_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_destroy_event_args', 8, kfd_ioctl_destroy_event_args_fields);

const kfd_ioctl_destroy_queue_args_fields = function () {
  return {
  queue_id: { offset: 0, type: 'u32' },
  pad: { offset: 4, type: 'u32' },
  } as const;
};
export const kfd_ioctl_destroy_queue_args: StructLayout<ReturnType<typeof kfd_ioctl_destroy_queue_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_destroy_queue_args', 8, kfd_ioctl_destroy_queue_args_fields);

const kfd_ioctl_export_dmabuf_args_fields = function () {
  return {
  handle: { offset: 0, type: 'u64' },
  flags: { offset: 8, type: 'u32' },
  dmabuf_fd: { offset: 12, type: 'u32' },
  } as const;
};
export const kfd_ioctl_export_dmabuf_args: StructLayout<ReturnType<typeof kfd_ioctl_export_dmabuf_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_export_dmabuf_args', 16, kfd_ioctl_export_dmabuf_args_fields);

const kfd_ioctl_free_memory_of_gpu_args_fields = function () {
  return {
  handle: { offset: 0, type: 'u64' },
  } as const;
};
export const kfd_ioctl_free_memory_of_gpu_args: StructLayout<ReturnType<typeof kfd_ioctl_free_memory_of_gpu_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_free_memory_of_gpu_args', 8, kfd_ioctl_free_memory_of_gpu_args_fields);

const kfd_ioctl_get_available_memory_args_fields = function () {
  return {
  available: { offset: 0, type: 'u64' },
  gpu_id: { offset: 8, type: 'u32' },
  pad: { offset: 12, type: 'u32' },
  } as const;
};
export const kfd_ioctl_get_available_memory_args: StructLayout<ReturnType<typeof kfd_ioctl_get_available_memory_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_get_available_memory_args', 16, kfd_ioctl_get_available_memory_args_fields);

const kfd_ioctl_get_clock_counters_args_fields = function () {
  return {
  gpu_clock_counter: { offset: 0, type: 'u64' },
  cpu_clock_counter: { offset: 8, type: 'u64' },
  system_clock_counter: { offset: 16, type: 'u64' },
  system_clock_freq: { offset: 24, type: 'u64' },
  gpu_id: { offset: 32, type: 'u32' },
  pad: { offset: 36, type: 'u32' },
  } as const;
};
export const kfd_ioctl_get_clock_counters_args: StructLayout<ReturnType<typeof kfd_ioctl_get_clock_counters_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_get_clock_counters_args', 40, kfd_ioctl_get_clock_counters_args_fields);

const kfd_ioctl_get_dmabuf_info_args_fields = function () {
  return {
  size: { offset: 0, type: 'u64' },
  metadata_ptr: { offset: 8, type: 'u64' },
  metadata_size: { offset: 16, type: 'u32' },
  gpu_id: { offset: 20, type: 'u32' },
  flags: { offset: 24, type: 'u32' },
  dmabuf_fd: { offset: 28, type: 'u32' },
  } as const;
};
export const kfd_ioctl_get_dmabuf_info_args: StructLayout<ReturnType<typeof kfd_ioctl_get_dmabuf_info_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_get_dmabuf_info_args', 32, kfd_ioctl_get_dmabuf_info_args_fields);

const kfd_ioctl_get_process_apertures_args_fields = function () {
  return {
  process_apertures: { offset: 0, type: { array: {
    sizeBytes: 56,
    struct: {
      lds_base: { offset: 0, type: 'u64' },
      lds_limit: { offset: 8, type: 'u64' },
      scratch_base: { offset: 16, type: 'u64' },
      scratch_limit: { offset: 24, type: 'u64' },
      gpuvm_base: { offset: 32, type: 'u64' },
      gpuvm_limit: { offset: 40, type: 'u64' },
      gpu_id: { offset: 48, type: 'u32' },
      pad: { offset: 52, type: 'u32' },
    },
  }, length: 7 } },
  num_of_nodes: { offset: 392, type: 'u32' },
  pad: { offset: 396, type: 'u32' },
  } as const;
};
export const kfd_ioctl_get_process_apertures_args: StructLayout<ReturnType<typeof kfd_ioctl_get_process_apertures_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_get_process_apertures_args', 400, kfd_ioctl_get_process_apertures_args_fields);

const kfd_ioctl_get_process_apertures_new_args_fields = function () {
  return {
  kfd_process_device_apertures_ptr: { offset: 0, type: 'u64' },
  num_of_nodes: { offset: 8, type: 'u32' },
  pad: { offset: 12, type: 'u32' },
  } as const;
};
export const kfd_ioctl_get_process_apertures_new_args: StructLayout<ReturnType<typeof kfd_ioctl_get_process_apertures_new_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_get_process_apertures_new_args', 16, kfd_ioctl_get_process_apertures_new_args_fields);

const kfd_ioctl_get_queue_wave_state_args_fields = function () {
  return {
  ctl_stack_address: { offset: 0, type: 'u64' },
  ctl_stack_used_size: { offset: 8, type: 'u32' },
  save_area_used_size: { offset: 12, type: 'u32' },
  queue_id: { offset: 16, type: 'u32' },
  pad: { offset: 20, type: 'u32' },
  } as const;
};
export const kfd_ioctl_get_queue_wave_state_args: StructLayout<ReturnType<typeof kfd_ioctl_get_queue_wave_state_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_get_queue_wave_state_args', 24, kfd_ioctl_get_queue_wave_state_args_fields);

const kfd_ioctl_get_tile_config_args_fields = function () {
  return {
  tile_config_ptr: { offset: 0, type: 'u64' },
  macro_tile_config_ptr: { offset: 8, type: 'u64' },
  num_tile_configs: { offset: 16, type: 'u32' },
  num_macro_tile_configs: { offset: 20, type: 'u32' },
  gpu_id: { offset: 24, type: 'u32' },
  gb_addr_config: { offset: 28, type: 'u32' },
  num_banks: { offset: 32, type: 'u32' },
  num_ranks: { offset: 36, type: 'u32' },
  } as const;
};
export const kfd_ioctl_get_tile_config_args: StructLayout<ReturnType<typeof kfd_ioctl_get_tile_config_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_get_tile_config_args', 40, kfd_ioctl_get_tile_config_args_fields);

const kfd_ioctl_get_version_args_fields = function () {
  return {
  major_version: { offset: 0, type: 'u32' },
  minor_version: { offset: 4, type: 'u32' },
  } as const;
};
export const kfd_ioctl_get_version_args: StructLayout<ReturnType<typeof kfd_ioctl_get_version_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_get_version_args', 8, kfd_ioctl_get_version_args_fields);

const kfd_ioctl_import_dmabuf_args_fields = function () {
  return {
  va_addr: { offset: 0, type: 'u64' },
  handle: { offset: 8, type: 'u64' },
  gpu_id: { offset: 16, type: 'u32' },
  dmabuf_fd: { offset: 20, type: 'u32' },
  } as const;
};
export const kfd_ioctl_import_dmabuf_args: StructLayout<ReturnType<typeof kfd_ioctl_import_dmabuf_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_import_dmabuf_args', 24, kfd_ioctl_import_dmabuf_args_fields);

const kfd_ioctl_ipc_export_handle_args_fields = function () {
  return {
  handle: { offset: 0, type: 'u64' },
  share_handle: { offset: 8, type: { array: 'u32', length: 4 } },
  gpu_id: { offset: 24, type: 'u32' },
  flags: { offset: 28, type: 'u32' },
  } as const;
};
export const kfd_ioctl_ipc_export_handle_args: StructLayout<ReturnType<typeof kfd_ioctl_ipc_export_handle_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_ipc_export_handle_args', 32, kfd_ioctl_ipc_export_handle_args_fields);

const kfd_ioctl_ipc_import_handle_args_fields = function () {
  return {
  handle: { offset: 0, type: 'u64' },
  va_addr: { offset: 8, type: 'u64' },
  mmap_offset: { offset: 16, type: 'u64' },
  share_handle: { offset: 24, type: { array: 'u32', length: 4 } },
  gpu_id: { offset: 40, type: 'u32' },
  flags: { offset: 44, type: 'u32' },
  } as const;
};
export const kfd_ioctl_ipc_import_handle_args: StructLayout<ReturnType<typeof kfd_ioctl_ipc_import_handle_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_ipc_import_handle_args', 48, kfd_ioctl_ipc_import_handle_args_fields);

const kfd_ioctl_map_memory_to_gpu_args_fields = function () {
  return {
  handle: { offset: 0, type: 'u64' },
  device_ids_array_ptr: { offset: 8, type: 'u64' },
  n_devices: { offset: 16, type: 'u32' },
  n_success: { offset: 20, type: 'u32' },
  } as const;
};
export const kfd_ioctl_map_memory_to_gpu_args: StructLayout<ReturnType<typeof kfd_ioctl_map_memory_to_gpu_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_map_memory_to_gpu_args', 24, kfd_ioctl_map_memory_to_gpu_args_fields);

const kfd_ioctl_pc_sample_args_fields = function () {
  return {
  sample_info_ptr: { offset: 0, type: 'u64' },
  num_sample_info: { offset: 8, type: 'u32' },
  op: { offset: 12, type: 'u32' },
  gpu_id: { offset: 16, type: 'u32' },
  trace_id: { offset: 20, type: 'u32' },
  flags: { offset: 24, type: 'u32' },
  reserved: { offset: 28, type: 'u32' },
  } as const;
};
export const kfd_ioctl_pc_sample_args: StructLayout<ReturnType<typeof kfd_ioctl_pc_sample_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_pc_sample_args', 32, kfd_ioctl_pc_sample_args_fields);

const kfd_ioctl_reset_event_args_fields = function () {
  return {
  event_id: { offset: 0, type: 'u32' },
  pad: { offset: 4, type: 'u32' },
  } as const;
};
export const kfd_ioctl_reset_event_args: StructLayout<ReturnType<typeof kfd_ioctl_reset_event_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_reset_event_args', 8, kfd_ioctl_reset_event_args_fields);

const kfd_ioctl_runtime_enable_args_fields = function () {
  return {
  r_debug: { offset: 0, type: 'u64' },
  mode_mask: { offset: 8, type: 'u32' },
  capabilities_mask: { offset: 12, type: 'u32' },
  } as const;
};
export const kfd_ioctl_runtime_enable_args: StructLayout<ReturnType<typeof kfd_ioctl_runtime_enable_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_runtime_enable_args', 16, kfd_ioctl_runtime_enable_args_fields);

const kfd_ioctl_set_cu_mask_args_fields = function () {
  return {
  queue_id: { offset: 0, type: 'u32' },
  num_cu_mask: { offset: 4, type: 'u32' },
  cu_mask_ptr: { offset: 8, type: 'u64' },
  } as const;
};
export const kfd_ioctl_set_cu_mask_args: StructLayout<ReturnType<typeof kfd_ioctl_set_cu_mask_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_set_cu_mask_args', 16, kfd_ioctl_set_cu_mask_args_fields);

const kfd_ioctl_set_event_args_fields = function () {
  return {
  event_id: { offset: 0, type: 'u32' },
  pad: { offset: 4, type: 'u32' },
  } as const;
};
export const kfd_ioctl_set_event_args: StructLayout<ReturnType<typeof kfd_ioctl_set_event_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_set_event_args', 8, kfd_ioctl_set_event_args_fields);

const kfd_ioctl_set_memory_policy_args_fields = function () {
  return {
  alternate_aperture_base: { offset: 0, type: 'u64' },
  alternate_aperture_size: { offset: 8, type: 'u64' },
  gpu_id: { offset: 16, type: 'u32' },
  default_policy: { offset: 20, type: 'u32' },
  alternate_policy: { offset: 24, type: 'u32' },
  misc_process_flag: { offset: 28, type: 'u32' },
  } as const;
};
export const kfd_ioctl_set_memory_policy_args: StructLayout<ReturnType<typeof kfd_ioctl_set_memory_policy_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_set_memory_policy_args', 32, kfd_ioctl_set_memory_policy_args_fields);

const kfd_ioctl_set_scratch_backing_va_args_fields = function () {
  return {
  va_addr: { offset: 0, type: 'u64' },
  gpu_id: { offset: 8, type: 'u32' },
  pad: { offset: 12, type: 'u32' },
  } as const;
};
export const kfd_ioctl_set_scratch_backing_va_args: StructLayout<ReturnType<typeof kfd_ioctl_set_scratch_backing_va_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_set_scratch_backing_va_args', 16, kfd_ioctl_set_scratch_backing_va_args_fields);

const kfd_ioctl_set_trap_handler_args_fields = function () {
  return {
  tba_addr: { offset: 0, type: 'u64' },
  tma_addr: { offset: 8, type: 'u64' },
  gpu_id: { offset: 16, type: 'u32' },
  pad: { offset: 20, type: 'u32' },
  } as const;
};
export const kfd_ioctl_set_trap_handler_args: StructLayout<ReturnType<typeof kfd_ioctl_set_trap_handler_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_set_trap_handler_args', 24, kfd_ioctl_set_trap_handler_args_fields);

const kfd_ioctl_set_xnack_mode_args_fields = function () {
  return {
  xnack_enabled: { offset: 0, type: 'i32' },
  } as const;
};
export const kfd_ioctl_set_xnack_mode_args: StructLayout<ReturnType<typeof kfd_ioctl_set_xnack_mode_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_set_xnack_mode_args', 4, kfd_ioctl_set_xnack_mode_args_fields);

const kfd_ioctl_smi_events_args_fields = function () {
  return {
  gpuid: { offset: 0, type: 'u32' },
  anon_fd: { offset: 4, type: 'u32' },
  } as const;
};
export const kfd_ioctl_smi_events_args: StructLayout<ReturnType<typeof kfd_ioctl_smi_events_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_smi_events_args', 8, kfd_ioctl_smi_events_args_fields);

const kfd_ioctl_spm_args_fields = function () {
  return {
  dest_buf: { offset: 0, type: 'u64' },
  buf_size: { offset: 8, type: 'u32' },
  op: { offset: 12, type: 'u32' },
  timeout: { offset: 16, type: 'u32' },
  gpu_id: { offset: 20, type: 'u32' },
  bytes_copied: { offset: 24, type: 'u32' },
  has_data_loss: { offset: 28, type: 'u32' },
  } as const;
};
export const kfd_ioctl_spm_args: StructLayout<ReturnType<typeof kfd_ioctl_spm_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_spm_args', 32, kfd_ioctl_spm_args_fields);

const kfd_ioctl_spm_buffer_header_fields = function () {
  return {
  version: { offset: 0, type: 'u32' },
  bytes_copied: { offset: 4, type: 'u32' },
  has_data_loss: { offset: 8, type: 'u32' },
  reserved: { offset: 12, type: { array: 'u32', length: 5 } },
  } as const;
};
export const kfd_ioctl_spm_buffer_header: StructLayout<ReturnType<typeof kfd_ioctl_spm_buffer_header_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_spm_buffer_header', 32, kfd_ioctl_spm_buffer_header_fields);

const kfd_ioctl_svm_args_fields = function () {
  return {
  start_addr: { offset: 0, type: 'u64' },
  size: { offset: 8, type: 'u64' },
  op: { offset: 16, type: 'u32' },
  nattr: { offset: 20, type: 'u32' },
  attrs: { offset: 24, type: { array: {
    sizeBytes: 8,
    struct: {
      type: { offset: 0, type: 'u32' },
      value: { offset: 4, type: 'u32' },
    },
  }, length: 0 } },
  } as const;
};
export const kfd_ioctl_svm_args: StructLayout<ReturnType<typeof kfd_ioctl_svm_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_svm_args', 24, kfd_ioctl_svm_args_fields);

const kfd_ioctl_svm_attribute_fields = function () {
  return {
  type: { offset: 0, type: 'u32' },
  value: { offset: 4, type: 'u32' },
  } as const;
};
export const kfd_ioctl_svm_attribute: StructLayout<ReturnType<typeof kfd_ioctl_svm_attribute_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_svm_attribute', 8, kfd_ioctl_svm_attribute_fields);

const kfd_ioctl_unmap_memory_from_gpu_args_fields = function () {
  return {
  handle: { offset: 0, type: 'u64' },
  device_ids_array_ptr: { offset: 8, type: 'u64' },
  n_devices: { offset: 16, type: 'u32' },
  n_success: { offset: 20, type: 'u32' },
  } as const;
};
export const kfd_ioctl_unmap_memory_from_gpu_args: StructLayout<ReturnType<typeof kfd_ioctl_unmap_memory_from_gpu_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_unmap_memory_from_gpu_args', 24, kfd_ioctl_unmap_memory_from_gpu_args_fields);

const kfd_ioctl_update_queue_args_fields = function () {
  return {
  ring_base_address: { offset: 0, type: 'u64' },
  queue_id: { offset: 8, type: 'u32' },
  ring_size: { offset: 12, type: 'u32' },
  queue_percentage: { offset: 16, type: 'u32' },
  queue_priority: { offset: 20, type: 'u32' },
  } as const;
};
export const kfd_ioctl_update_queue_args: StructLayout<ReturnType<typeof kfd_ioctl_update_queue_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_update_queue_args', 24, kfd_ioctl_update_queue_args_fields);

const kfd_ioctl_wait_events_args_fields = function () {
  return {
  events_ptr: { offset: 0, type: 'u64' },
  num_events: { offset: 8, type: 'u32' },
  wait_for_all: { offset: 12, type: 'u32' },
  timeout: { offset: 16, type: 'u32' },
  wait_result: { offset: 20, type: 'u32' },
  } as const;
};
export const kfd_ioctl_wait_events_args: StructLayout<ReturnType<typeof kfd_ioctl_wait_events_args_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_wait_events_args', 24, kfd_ioctl_wait_events_args_fields);

const kfd_memory_exception_failure_fields = function () {
  return {
  NotPresent: { offset: 0, type: 'u32' },
  ReadOnly: { offset: 4, type: 'u32' },
  NoExecute: { offset: 8, type: 'u32' },
  imprecise: { offset: 12, type: 'u32' },
  } as const;
};
export const kfd_memory_exception_failure: StructLayout<ReturnType<typeof kfd_memory_exception_failure_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_memory_exception_failure', 16, kfd_memory_exception_failure_fields);

const kfd_memory_range_fields = function () {
  return {
  va_addr: { offset: 0, type: 'u64' },
  size: { offset: 8, type: 'u64' },
  } as const;
};
export const kfd_memory_range: StructLayout<ReturnType<typeof kfd_memory_range_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_memory_range', 16, kfd_memory_range_fields);

const kfd_pc_sample_info_fields = function () {
  return {
  interval: { offset: 0, type: 'u64' },
  interval_min: { offset: 8, type: 'u64' },
  interval_max: { offset: 16, type: 'u64' },
  flags: { offset: 24, type: 'u64' },
  method: { offset: 32, type: 'u32' },
  type: { offset: 36, type: 'u32' },
  } as const;
};
export const kfd_pc_sample_info: StructLayout<ReturnType<typeof kfd_pc_sample_info_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_pc_sample_info', 40, kfd_pc_sample_info_fields);

const kfd_process_device_apertures_fields = function () {
  return {
  lds_base: { offset: 0, type: 'u64' },
  lds_limit: { offset: 8, type: 'u64' },
  scratch_base: { offset: 16, type: 'u64' },
  scratch_limit: { offset: 24, type: 'u64' },
  gpuvm_base: { offset: 32, type: 'u64' },
  gpuvm_limit: { offset: 40, type: 'u64' },
  gpu_id: { offset: 48, type: 'u32' },
  pad: { offset: 52, type: 'u32' },
  } as const;
};
export const kfd_process_device_apertures: StructLayout<ReturnType<typeof kfd_process_device_apertures_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_process_device_apertures', 56, kfd_process_device_apertures_fields);

const kfd_queue_snapshot_entry_fields = function () {
  return {
  exception_status: { offset: 0, type: 'u64' },
  ring_base_address: { offset: 8, type: 'u64' },
  write_pointer_address: { offset: 16, type: 'u64' },
  read_pointer_address: { offset: 24, type: 'u64' },
  ctx_save_restore_address: { offset: 32, type: 'u64' },
  queue_id: { offset: 40, type: 'u32' },
  gpu_id: { offset: 44, type: 'u32' },
  ring_size: { offset: 48, type: 'u32' },
  queue_type: { offset: 52, type: 'u32' },
  ctx_save_restore_area_size: { offset: 56, type: 'u32' },
  reserved: { offset: 60, type: 'u32' },
  } as const;
};
export const kfd_queue_snapshot_entry: StructLayout<ReturnType<typeof kfd_queue_snapshot_entry_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_queue_snapshot_entry', 64, kfd_queue_snapshot_entry_fields);

const kfd_runtime_info_fields = function () {
  return {
  r_debug: { offset: 0, type: 'u64' },
  runtime_state: { offset: 8, type: 'u32' },
  ttmp_setup: { offset: 12, type: 'u32' },
  } as const;
};
export const kfd_runtime_info: StructLayout<ReturnType<typeof kfd_runtime_info_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_runtime_info', 16, kfd_runtime_info_fields);

const kfd_event_data_1_11_fields = function () {
  return {
  memory_exception_data: { offset: 0, type: {
    sizeBytes: 32,
    struct: {
      failure: { offset: 0, type: {
        sizeBytes: 16,
        struct: {
          NotPresent: { offset: 0, type: 'u32' },
          ReadOnly: { offset: 4, type: 'u32' },
          NoExecute: { offset: 8, type: 'u32' },
          imprecise: { offset: 12, type: 'u32' },
        },
      } },
      va: { offset: 16, type: 'u64' },
      gpu_id: { offset: 24, type: 'u32' },
      ErrorType: { offset: 28, type: 'u32' },
    },
  } },
  hw_exception_data: { offset: 0, type: {
    sizeBytes: 16,
    struct: {
      reset_type: { offset: 0, type: 'u32' },
      reset_cause: { offset: 4, type: 'u32' },
      memory_lost: { offset: 8, type: 'u32' },
      gpu_id: { offset: 12, type: 'u32' },
    },
  } },
  kfd_event_data_ext: { offset: 32, type: 'u64' },
  event_id: { offset: 40, type: 'u32' },
  pad: { offset: 44, type: 'u32' },
  } as const;
};
export const kfd_event_data_1_11: StructLayout<ReturnType<typeof kfd_event_data_1_11_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_event_data', 48, kfd_event_data_1_11_fields);

const kfd_ioctl_create_queue_args_1_11_fields = function () {
  return {
  ring_base_address: { offset: 0, type: 'u64' },
  write_pointer_address: { offset: 8, type: 'u64' },
  read_pointer_address: { offset: 16, type: 'u64' },
  doorbell_offset: { offset: 24, type: 'u64' },
  ring_size: { offset: 32, type: 'u32' },
  gpu_id: { offset: 36, type: 'u32' },
  queue_type: { offset: 40, type: 'u32' },
  queue_percentage: { offset: 44, type: 'u32' },
  queue_priority: { offset: 48, type: 'u32' },
  queue_id: { offset: 52, type: 'u32' },
  eop_buffer_address: { offset: 56, type: 'u64' },
  eop_buffer_size: { offset: 64, type: 'u64' },
  ctx_save_restore_address: { offset: 72, type: 'u64' },
  ctx_save_restore_size: { offset: 80, type: 'u32' },
  ctl_stack_size: { offset: 84, type: 'u32' },
  } as const;
};
export const kfd_ioctl_create_queue_args_1_11: StructLayout<ReturnType<typeof kfd_ioctl_create_queue_args_1_11_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_create_queue_args', 88, kfd_ioctl_create_queue_args_1_11_fields);

const kfd_ioctl_set_memory_policy_args_1_11_fields = function () {
  return {
  alternate_aperture_base: { offset: 0, type: 'u64' },
  alternate_aperture_size: { offset: 8, type: 'u64' },
  gpu_id: { offset: 16, type: 'u32' },
  default_policy: { offset: 20, type: 'u32' },
  alternate_policy: { offset: 24, type: 'u32' },
  pad: { offset: 28, type: 'u32' },
  } as const;
};
export const kfd_ioctl_set_memory_policy_args_1_11: StructLayout<ReturnType<typeof kfd_ioctl_set_memory_policy_args_1_11_fields>> = /* @__PURE__ */ defineLazyStruct('kfd_ioctl_set_memory_policy_args', 32, kfd_ioctl_set_memory_policy_args_1_11_fields);
