// Made by tools/abi-generator (npm run generate). Do not edit.
// Source: ROCR-Runtime headers of October 2024 (runtime/hsa-runtime/inc), additions of 2025-08

import type { StructLayout, StructValue } from '../struct.js';
import { defineLazyStruct } from '../struct.js';

const hsa_dim3_t_fields = function () {
  return {
  x: { offset: 0, type: 'u32' },
  y: { offset: 4, type: 'u32' },
  z: { offset: 8, type: 'u32' },
  } as const;
};
export const hsa_dim3_t: StructLayout<ReturnType<typeof hsa_dim3_t_fields>> = /* @__PURE__ */ defineLazyStruct('hsa_dim3_t', 12, hsa_dim3_t_fields);
export type hsa_dim3_t = StructValue<ReturnType<typeof hsa_dim3_t_fields>>;

const hsa_queue_t_fields = function () {
  return {
  type: { offset: 0, type: 'u32' },
  features: { offset: 4, type: 'u32' },
  base_address: { offset: 8, type: 'u64' },
  doorbell_signal: { offset: 16, type: 'u64' },
  size: { offset: 24, type: 'u32' },
  reserved1: { offset: 28, type: 'u32' },
  id: { offset: 32, type: 'u64' },
  } as const;
};
export const hsa_queue_t: StructLayout<ReturnType<typeof hsa_queue_t_fields>> = /* @__PURE__ */ defineLazyStruct('hsa_queue_t', 40, hsa_queue_t_fields);
export type hsa_queue_t = StructValue<ReturnType<typeof hsa_queue_t_fields>>;

const hsa_kernel_dispatch_packet_t_fields = function () {
  return {
  header: { offset: 0, type: 'u16' },
  setup: { offset: 2, type: 'u16' },
  workgroup_size_x: { offset: 4, type: 'u16' },
  workgroup_size_y: { offset: 6, type: 'u16' },
  workgroup_size_z: { offset: 8, type: 'u16' },
  reserved0: { offset: 10, type: 'u16' },
  grid_size_x: { offset: 12, type: 'u32' },
  grid_size_y: { offset: 16, type: 'u32' },
  grid_size_z: { offset: 20, type: 'u32' },
  private_segment_size: { offset: 24, type: 'u32' },
  group_segment_size: { offset: 28, type: 'u32' },
  kernel_object: { offset: 32, type: 'u64' },
  kernarg_address: { offset: 40, type: 'u64' },
  reserved2: { offset: 48, type: 'u64' },
  completion_signal: { offset: 56, type: 'u64' },
  } as const;
};
export const hsa_kernel_dispatch_packet_t: StructLayout<ReturnType<typeof hsa_kernel_dispatch_packet_t_fields>> = /* @__PURE__ */ defineLazyStruct('hsa_kernel_dispatch_packet_t', 64, hsa_kernel_dispatch_packet_t_fields);
export type hsa_kernel_dispatch_packet_t = StructValue<ReturnType<typeof hsa_kernel_dispatch_packet_t_fields>>;

const hsa_agent_dispatch_packet_t_fields = function () {
  return {
  header: { offset: 0, type: 'u16' },
  type: { offset: 2, type: 'u16' },
  reserved0: { offset: 4, type: 'u32' },
  return_address: { offset: 8, type: 'u64' },
  arg: { offset: 16, type: { array: 'u64', length: 4 } },
  reserved2: { offset: 48, type: 'u64' },
  completion_signal: { offset: 56, type: 'u64' },
  } as const;
};
export const hsa_agent_dispatch_packet_t: StructLayout<ReturnType<typeof hsa_agent_dispatch_packet_t_fields>> = /* @__PURE__ */ defineLazyStruct('hsa_agent_dispatch_packet_t', 64, hsa_agent_dispatch_packet_t_fields);
export type hsa_agent_dispatch_packet_t = StructValue<ReturnType<typeof hsa_agent_dispatch_packet_t_fields>>;

const hsa_barrier_and_packet_t_fields = function () {
  return {
  header: { offset: 0, type: 'u16' },
  reserved0: { offset: 2, type: 'u16' },
  reserved1: { offset: 4, type: 'u32' },
  dep_signal: { offset: 8, type: { array: 'u64', length: 5 } },
  reserved2: { offset: 48, type: 'u64' },
  completion_signal: { offset: 56, type: 'u64' },
  } as const;
};
export const hsa_barrier_and_packet_t: StructLayout<ReturnType<typeof hsa_barrier_and_packet_t_fields>> = /* @__PURE__ */ defineLazyStruct('hsa_barrier_and_packet_t', 64, hsa_barrier_and_packet_t_fields);
export type hsa_barrier_and_packet_t = StructValue<ReturnType<typeof hsa_barrier_and_packet_t_fields>>;

const hsa_barrier_or_packet_t_fields = function () {
  return {
  header: { offset: 0, type: 'u16' },
  reserved0: { offset: 2, type: 'u16' },
  reserved1: { offset: 4, type: 'u32' },
  dep_signal: { offset: 8, type: { array: 'u64', length: 5 } },
  reserved2: { offset: 48, type: 'u64' },
  completion_signal: { offset: 56, type: 'u64' },
  } as const;
};
export const hsa_barrier_or_packet_t: StructLayout<ReturnType<typeof hsa_barrier_or_packet_t_fields>> = /* @__PURE__ */ defineLazyStruct('hsa_barrier_or_packet_t', 64, hsa_barrier_or_packet_t_fields);
export type hsa_barrier_or_packet_t = StructValue<ReturnType<typeof hsa_barrier_or_packet_t_fields>>;

const hsa_ext_image_format_t_fields = function () {
  return {
  channel_type: { offset: 0, type: 'u32' },
  channel_order: { offset: 4, type: 'u32' },
  } as const;
};
export const hsa_ext_image_format_t: StructLayout<ReturnType<typeof hsa_ext_image_format_t_fields>> = /* @__PURE__ */ defineLazyStruct('hsa_ext_image_format_t', 8, hsa_ext_image_format_t_fields);
export type hsa_ext_image_format_t = StructValue<ReturnType<typeof hsa_ext_image_format_t_fields>>;

const hsa_ext_image_descriptor_t_fields = function () {
  return {
  geometry: { offset: 0, type: 'u32' },
  width: { offset: 8, type: 'u64' },
  height: { offset: 16, type: 'u64' },
  depth: { offset: 24, type: 'u64' },
  array_size: { offset: 32, type: 'u64' },
  format: { offset: 40, type: {
    sizeBytes: 8,
    struct: {
      channel_type: { offset: 0, type: 'u32' },
      channel_order: { offset: 4, type: 'u32' },
    },
  } },
  } as const;
};
export const hsa_ext_image_descriptor_t: StructLayout<ReturnType<typeof hsa_ext_image_descriptor_t_fields>> = /* @__PURE__ */ defineLazyStruct('hsa_ext_image_descriptor_t', 48, hsa_ext_image_descriptor_t_fields);
export type hsa_ext_image_descriptor_t = StructValue<ReturnType<typeof hsa_ext_image_descriptor_t_fields>>;

const hsa_ext_image_data_info_t_fields = function () {
  return {
  size: { offset: 0, type: 'u64' },
  alignment: { offset: 8, type: 'u64' },
  } as const;
};
export const hsa_ext_image_data_info_t: StructLayout<ReturnType<typeof hsa_ext_image_data_info_t_fields>> = /* @__PURE__ */ defineLazyStruct('hsa_ext_image_data_info_t', 16, hsa_ext_image_data_info_t_fields);
export type hsa_ext_image_data_info_t = StructValue<ReturnType<typeof hsa_ext_image_data_info_t_fields>>;

const hsa_ext_image_region_t_fields = function () {
  return {
  offset: { offset: 0, type: {
    sizeBytes: 12,
    struct: {
      x: { offset: 0, type: 'u32' },
      y: { offset: 4, type: 'u32' },
      z: { offset: 8, type: 'u32' },
    },
  } },
  range: { offset: 12, type: {
    sizeBytes: 12,
    struct: {
      x: { offset: 0, type: 'u32' },
      y: { offset: 4, type: 'u32' },
      z: { offset: 8, type: 'u32' },
    },
  } },
  } as const;
};
export const hsa_ext_image_region_t: StructLayout<ReturnType<typeof hsa_ext_image_region_t_fields>> = /* @__PURE__ */ defineLazyStruct('hsa_ext_image_region_t', 24, hsa_ext_image_region_t_fields);
export type hsa_ext_image_region_t = StructValue<ReturnType<typeof hsa_ext_image_region_t_fields>>;

const hsa_ext_sampler_descriptor_t_fields = function () {
  return {
  coordinate_mode: { offset: 0, type: 'u32' },
  filter_mode: { offset: 4, type: 'u32' },
  address_mode: { offset: 8, type: 'u32' },
  } as const;
};
export const hsa_ext_sampler_descriptor_t: StructLayout<ReturnType<typeof hsa_ext_sampler_descriptor_t_fields>> = /* @__PURE__ */ defineLazyStruct('hsa_ext_sampler_descriptor_t', 12, hsa_ext_sampler_descriptor_t_fields);
export type hsa_ext_sampler_descriptor_t = StructValue<ReturnType<typeof hsa_ext_sampler_descriptor_t_fields>>;

const hsa_ven_amd_pcs_configuration_t_fields = function () {
  return {
  method: { offset: 0, type: 'u32' },
  units: { offset: 4, type: 'u32' },
  min_interval: { offset: 8, type: 'u64' },
  max_interval: { offset: 16, type: 'u64' },
  flags: { offset: 24, type: 'u64' },
  } as const;
};
export const hsa_ven_amd_pcs_configuration_t: StructLayout<ReturnType<typeof hsa_ven_amd_pcs_configuration_t_fields>> = /* @__PURE__ */ defineLazyStruct('hsa_ven_amd_pcs_configuration_t', 32, hsa_ven_amd_pcs_configuration_t_fields);
export type hsa_ven_amd_pcs_configuration_t = StructValue<ReturnType<typeof hsa_ven_amd_pcs_configuration_t_fields>>;

const hsa_amd_vendor_packet_header_t_fields = function () {
  return {
  header: { offset: 0, type: 'u16' },
  AmdFormat: { offset: 2, type: 'u8' },
  reserved: { offset: 3, type: 'u8' },
  } as const;
};
export const hsa_amd_vendor_packet_header_t: StructLayout<ReturnType<typeof hsa_amd_vendor_packet_header_t_fields>> = /* @__PURE__ */ defineLazyStruct('hsa_amd_vendor_packet_header_t', 4, hsa_amd_vendor_packet_header_t_fields);
export type hsa_amd_vendor_packet_header_t = StructValue<ReturnType<typeof hsa_amd_vendor_packet_header_t_fields>>;

const hsa_amd_barrier_value_packet_t_fields = function () {
  return {
  header: { offset: 0, type: {
    sizeBytes: 4,
    struct: {
      header: { offset: 0, type: 'u16' },
      AmdFormat: { offset: 2, type: 'u8' },
      reserved: { offset: 3, type: 'u8' },
    },
  } },
  reserved0: { offset: 4, type: 'u32' },
  signal: { offset: 8, type: 'u64' },
  value: { offset: 16, type: 'i64' },
  mask: { offset: 24, type: 'i64' },
  cond: { offset: 32, type: 'u32' },
  reserved1: { offset: 36, type: 'u32' },
  reserved2: { offset: 40, type: 'u64' },
  reserved3: { offset: 48, type: 'u64' },
  completion_signal: { offset: 56, type: 'u64' },
  } as const;
};
export const hsa_amd_barrier_value_packet_t: StructLayout<ReturnType<typeof hsa_amd_barrier_value_packet_t_fields>> = /* @__PURE__ */ defineLazyStruct('hsa_amd_barrier_value_packet_t', 64, hsa_amd_barrier_value_packet_t_fields);
export type hsa_amd_barrier_value_packet_t = StructValue<ReturnType<typeof hsa_amd_barrier_value_packet_t_fields>>;

const hsa_amd_hdp_flush_t_fields = function () {
  return {
  HDP_MEM_FLUSH_CNTL: { offset: 0, type: 'u64' },
  HDP_REG_FLUSH_CNTL: { offset: 8, type: 'u64' },
  } as const;
};
export const hsa_amd_hdp_flush_t: StructLayout<ReturnType<typeof hsa_amd_hdp_flush_t_fields>> = /* @__PURE__ */ defineLazyStruct('hsa_amd_hdp_flush_t', 16, hsa_amd_hdp_flush_t_fields);
export type hsa_amd_hdp_flush_t = StructValue<ReturnType<typeof hsa_amd_hdp_flush_t_fields>>;

const hsa_amd_profiling_dispatch_time_t_fields = function () {
  return {
  start: { offset: 0, type: 'u64' },
  end: { offset: 8, type: 'u64' },
  } as const;
};
export const hsa_amd_profiling_dispatch_time_t: StructLayout<ReturnType<typeof hsa_amd_profiling_dispatch_time_t_fields>> = /* @__PURE__ */ defineLazyStruct('hsa_amd_profiling_dispatch_time_t', 16, hsa_amd_profiling_dispatch_time_t_fields);
export type hsa_amd_profiling_dispatch_time_t = StructValue<ReturnType<typeof hsa_amd_profiling_dispatch_time_t_fields>>;

const hsa_amd_profiling_async_copy_time_t_fields = function () {
  return {
  start: { offset: 0, type: 'u64' },
  end: { offset: 8, type: 'u64' },
  } as const;
};
export const hsa_amd_profiling_async_copy_time_t: StructLayout<ReturnType<typeof hsa_amd_profiling_async_copy_time_t_fields>> = /* @__PURE__ */ defineLazyStruct('hsa_amd_profiling_async_copy_time_t', 16, hsa_amd_profiling_async_copy_time_t_fields);
export type hsa_amd_profiling_async_copy_time_t = StructValue<ReturnType<typeof hsa_amd_profiling_async_copy_time_t_fields>>;

const hsa_amd_image_descriptor_t_fields = function () {
  return {
  version: { offset: 0, type: 'u32' },
  deviceID: { offset: 4, type: 'u32' },
  data: { offset: 8, type: { array: 'u32', length: 1 } },
  } as const;
};
export const hsa_amd_image_descriptor_t: StructLayout<ReturnType<typeof hsa_amd_image_descriptor_t_fields>> = /* @__PURE__ */ defineLazyStruct('hsa_amd_image_descriptor_t', 12, hsa_amd_image_descriptor_t_fields);
export type hsa_amd_image_descriptor_t = StructValue<ReturnType<typeof hsa_amd_image_descriptor_t_fields>>;

const hsa_pitched_ptr_t_fields = function () {
  return {
  base: { offset: 0, type: 'u64' },
  pitch: { offset: 8, type: 'u64' },
  slice: { offset: 16, type: 'u64' },
  } as const;
};
export const hsa_pitched_ptr_t: StructLayout<ReturnType<typeof hsa_pitched_ptr_t_fields>> = /* @__PURE__ */ defineLazyStruct('hsa_pitched_ptr_t', 24, hsa_pitched_ptr_t_fields);
export type hsa_pitched_ptr_t = StructValue<ReturnType<typeof hsa_pitched_ptr_t_fields>>;

const hsa_amd_memory_pool_link_info_t_fields = function () {
  return {
  min_latency: { offset: 0, type: 'u32' },
  max_latency: { offset: 4, type: 'u32' },
  min_bandwidth: { offset: 8, type: 'u32' },
  max_bandwidth: { offset: 12, type: 'u32' },
  atomic_support_32bit: { offset: 16, type: 'u8' },
  atomic_support_64bit: { offset: 17, type: 'u8' },
  coherent_support: { offset: 18, type: 'u8' },
  link_type: { offset: 20, type: 'u32' },
  numa_distance: { offset: 24, type: 'u32' },
  } as const;
};
export const hsa_amd_memory_pool_link_info_t: StructLayout<ReturnType<typeof hsa_amd_memory_pool_link_info_t_fields>> = /* @__PURE__ */ defineLazyStruct('hsa_amd_memory_pool_link_info_t', 28, hsa_amd_memory_pool_link_info_t_fields);
export type hsa_amd_memory_pool_link_info_t = StructValue<ReturnType<typeof hsa_amd_memory_pool_link_info_t_fields>>;

const hsa_amd_pointer_info_t_fields = function () {
  return {
  size: { offset: 0, type: 'u32' },
  type: { offset: 4, type: 'u32' },
  agentBaseAddress: { offset: 8, type: 'u64' },
  hostBaseAddress: { offset: 16, type: 'u64' },
  sizeInBytes: { offset: 24, type: 'u64' },
  userData: { offset: 32, type: 'u64' },
  agentOwner: { offset: 40, type: 'u64' },
  global_flags: { offset: 48, type: 'u32' },
  } as const;
};
export const hsa_amd_pointer_info_t: StructLayout<ReturnType<typeof hsa_amd_pointer_info_t_fields>> = /* @__PURE__ */ defineLazyStruct('hsa_amd_pointer_info_t', 56, hsa_amd_pointer_info_t_fields);
export type hsa_amd_pointer_info_t = StructValue<ReturnType<typeof hsa_amd_pointer_info_t_fields>>;

const hsa_amd_ipc_memory_t_fields = function () {
  return {
  handle: { offset: 0, type: { array: 'u32', length: 8 } },
  } as const;
};
export const hsa_amd_ipc_memory_t: StructLayout<ReturnType<typeof hsa_amd_ipc_memory_t_fields>> = /* @__PURE__ */ defineLazyStruct('hsa_amd_ipc_memory_t', 32, hsa_amd_ipc_memory_t_fields);
export type hsa_amd_ipc_memory_t = StructValue<ReturnType<typeof hsa_amd_ipc_memory_t_fields>>;

const hsa_amd_gpu_memory_fault_info_t_fields = function () {
  return {
  agent: { offset: 0, type: 'u64' },
  virtual_address: { offset: 8, type: 'u64' },
  fault_reason_mask: { offset: 16, type: 'u32' },
  } as const;
};
export const hsa_amd_gpu_memory_fault_info_t: StructLayout<ReturnType<typeof hsa_amd_gpu_memory_fault_info_t_fields>> = /* @__PURE__ */ defineLazyStruct('hsa_amd_gpu_memory_fault_info_t', 24, hsa_amd_gpu_memory_fault_info_t_fields);
export type hsa_amd_gpu_memory_fault_info_t = StructValue<ReturnType<typeof hsa_amd_gpu_memory_fault_info_t_fields>>;

const hsa_amd_gpu_memory_error_info_t_fields = function () {
  return {
  agent: { offset: 0, type: 'u64' },
  virtual_address: { offset: 8, type: 'u64' },
  error_reason_mask: { offset: 16, type: 'u32' },
  } as const;
};
export const hsa_amd_gpu_memory_error_info_t: StructLayout<ReturnType<typeof hsa_amd_gpu_memory_error_info_t_fields>> = /* @__PURE__ */ defineLazyStruct('hsa_amd_gpu_memory_error_info_t', 24, hsa_amd_gpu_memory_error_info_t_fields);
export type hsa_amd_gpu_memory_error_info_t = StructValue<ReturnType<typeof hsa_amd_gpu_memory_error_info_t_fields>>;

const hsa_amd_gpu_hw_exception_info_t_fields = function () {
  return {
  agent: { offset: 0, type: 'u64' },
  reset_type: { offset: 8, type: 'u32' },
  reset_cause: { offset: 12, type: 'u32' },
  } as const;
};
export const hsa_amd_gpu_hw_exception_info_t: StructLayout<ReturnType<typeof hsa_amd_gpu_hw_exception_info_t_fields>> = /* @__PURE__ */ defineLazyStruct('hsa_amd_gpu_hw_exception_info_t', 16, hsa_amd_gpu_hw_exception_info_t_fields);
export type hsa_amd_gpu_hw_exception_info_t = StructValue<ReturnType<typeof hsa_amd_gpu_hw_exception_info_t_fields>>;

const hsa_amd_event_t_fields = function () {
  return {
  event_type: { offset: 0, type: 'u32' },
  memory_fault: { offset: 8, type: {
    sizeBytes: 24,
    struct: {
      agent: { offset: 0, type: 'u64' },
      virtual_address: { offset: 8, type: 'u64' },
      fault_reason_mask: { offset: 16, type: 'u32' },
    },
  } },
  hw_exception: { offset: 8, type: {
    sizeBytes: 16,
    struct: {
      agent: { offset: 0, type: 'u64' },
      reset_type: { offset: 8, type: 'u32' },
      reset_cause: { offset: 12, type: 'u32' },
    },
  } },
  memory_error: { offset: 8, type: {
    sizeBytes: 24,
    struct: {
      agent: { offset: 0, type: 'u64' },
      virtual_address: { offset: 8, type: 'u64' },
      error_reason_mask: { offset: 16, type: 'u32' },
    },
  } },
  } as const;
};
export const hsa_amd_event_t: StructLayout<ReturnType<typeof hsa_amd_event_t_fields>> = /* @__PURE__ */ defineLazyStruct('hsa_amd_event_t', 32, hsa_amd_event_t_fields);
export type hsa_amd_event_t = StructValue<ReturnType<typeof hsa_amd_event_t_fields>>;

const hsa_amd_svm_attribute_pair_t_fields = function () {
  return {
  attribute: { offset: 0, type: 'u64' },
  value: { offset: 8, type: 'u64' },
  } as const;
};
export const hsa_amd_svm_attribute_pair_t: StructLayout<ReturnType<typeof hsa_amd_svm_attribute_pair_t_fields>> = /* @__PURE__ */ defineLazyStruct('hsa_amd_svm_attribute_pair_t', 16, hsa_amd_svm_attribute_pair_t_fields);
export type hsa_amd_svm_attribute_pair_t = StructValue<ReturnType<typeof hsa_amd_svm_attribute_pair_t_fields>>;

const hsa_amd_memory_access_desc_t_fields = function () {
  return {
  permissions: { offset: 0, type: 'u32' },
  agent_handle: { offset: 8, type: 'u64' },
  } as const;
};
export const hsa_amd_memory_access_desc_t: StructLayout<ReturnType<typeof hsa_amd_memory_access_desc_t_fields>> = /* @__PURE__ */ defineLazyStruct('hsa_amd_memory_access_desc_t', 16, hsa_amd_memory_access_desc_t_fields);
export type hsa_amd_memory_access_desc_t = StructValue<ReturnType<typeof hsa_amd_memory_access_desc_t_fields>>;

const hsa_ext_control_directives_t_fields = function () {
  return {
  control_directives_mask: { offset: 0, type: 'u64' },
  break_exceptions_mask: { offset: 8, type: 'u16' },
  detect_exceptions_mask: { offset: 10, type: 'u16' },
  max_dynamic_group_size: { offset: 12, type: 'u32' },
  max_flat_grid_size: { offset: 16, type: 'u64' },
  max_flat_workgroup_size: { offset: 24, type: 'u32' },
  reserved1: { offset: 28, type: 'u32' },
  required_grid_size: { offset: 32, type: { array: 'u64', length: 3 } },
  required_workgroup_size: { offset: 56, type: {
    sizeBytes: 12,
    struct: {
      x: { offset: 0, type: 'u32' },
      y: { offset: 4, type: 'u32' },
      z: { offset: 8, type: 'u32' },
    },
  } },
  required_dim: { offset: 68, type: 'u8' },
  reserved2: { offset: 69, type: { array: 'u8', length: 75 } },
  } as const;
};
export const hsa_ext_control_directives_t: StructLayout<ReturnType<typeof hsa_ext_control_directives_t_fields>> = /* @__PURE__ */ defineLazyStruct('hsa_ext_control_directives_t', 144, hsa_ext_control_directives_t_fields);
export type hsa_ext_control_directives_t = StructValue<ReturnType<typeof hsa_ext_control_directives_t_fields>>;

const hsa_amd_tool_event_none_t_fields = function () {
  return {
  kind: { offset: 0, type: 'u32' },
  } as const;
};
export const hsa_amd_tool_event_none_t: StructLayout<ReturnType<typeof hsa_amd_tool_event_none_t_fields>> = /* @__PURE__ */ defineLazyStruct('hsa_amd_tool_event_none_t', 4, hsa_amd_tool_event_none_t_fields);
export type hsa_amd_tool_event_none_t = StructValue<ReturnType<typeof hsa_amd_tool_event_none_t_fields>>;

const hsa_amd_event_scratch_alloc_start_t_fields = function () {
  return {
  kind: { offset: 0, type: 'u32' },
  queue: { offset: 8, type: 'u64' },
  flags: { offset: 16, type: 'u32' },
  dispatch_id: { offset: 24, type: 'u64' },
  } as const;
};
export const hsa_amd_event_scratch_alloc_start_t: StructLayout<ReturnType<typeof hsa_amd_event_scratch_alloc_start_t_fields>> = /* @__PURE__ */ defineLazyStruct('hsa_amd_event_scratch_alloc_start_t', 32, hsa_amd_event_scratch_alloc_start_t_fields);
export type hsa_amd_event_scratch_alloc_start_t = StructValue<ReturnType<typeof hsa_amd_event_scratch_alloc_start_t_fields>>;

const hsa_amd_event_scratch_alloc_end_t_fields = function () {
  return {
  kind: { offset: 0, type: 'u32' },
  queue: { offset: 8, type: 'u64' },
  flags: { offset: 16, type: 'u32' },
  dispatch_id: { offset: 24, type: 'u64' },
  size: { offset: 32, type: 'u64' },
  num_slots: { offset: 40, type: 'u64' },
  } as const;
};
export const hsa_amd_event_scratch_alloc_end_t: StructLayout<ReturnType<typeof hsa_amd_event_scratch_alloc_end_t_fields>> = /* @__PURE__ */ defineLazyStruct('hsa_amd_event_scratch_alloc_end_t', 48, hsa_amd_event_scratch_alloc_end_t_fields);
export type hsa_amd_event_scratch_alloc_end_t = StructValue<ReturnType<typeof hsa_amd_event_scratch_alloc_end_t_fields>>;

const hsa_amd_event_scratch_free_start_t_fields = function () {
  return {
  kind: { offset: 0, type: 'u32' },
  queue: { offset: 8, type: 'u64' },
  flags: { offset: 16, type: 'u32' },
  } as const;
};
export const hsa_amd_event_scratch_free_start_t: StructLayout<ReturnType<typeof hsa_amd_event_scratch_free_start_t_fields>> = /* @__PURE__ */ defineLazyStruct('hsa_amd_event_scratch_free_start_t', 24, hsa_amd_event_scratch_free_start_t_fields);
export type hsa_amd_event_scratch_free_start_t = StructValue<ReturnType<typeof hsa_amd_event_scratch_free_start_t_fields>>;

const hsa_amd_event_scratch_free_end_t_fields = function () {
  return {
  kind: { offset: 0, type: 'u32' },
  queue: { offset: 8, type: 'u64' },
  flags: { offset: 16, type: 'u32' },
  } as const;
};
export const hsa_amd_event_scratch_free_end_t: StructLayout<ReturnType<typeof hsa_amd_event_scratch_free_end_t_fields>> = /* @__PURE__ */ defineLazyStruct('hsa_amd_event_scratch_free_end_t', 24, hsa_amd_event_scratch_free_end_t_fields);
export type hsa_amd_event_scratch_free_end_t = StructValue<ReturnType<typeof hsa_amd_event_scratch_free_end_t_fields>>;

const hsa_amd_event_scratch_async_reclaim_start_t_fields = function () {
  return {
  kind: { offset: 0, type: 'u32' },
  queue: { offset: 8, type: 'u64' },
  flags: { offset: 16, type: 'u32' },
  } as const;
};
export const hsa_amd_event_scratch_async_reclaim_start_t: StructLayout<ReturnType<typeof hsa_amd_event_scratch_async_reclaim_start_t_fields>> = /* @__PURE__ */ defineLazyStruct('hsa_amd_event_scratch_async_reclaim_start_t', 24, hsa_amd_event_scratch_async_reclaim_start_t_fields);
export type hsa_amd_event_scratch_async_reclaim_start_t = StructValue<ReturnType<typeof hsa_amd_event_scratch_async_reclaim_start_t_fields>>;

const hsa_amd_event_scratch_async_reclaim_end_t_fields = function () {
  return {
  kind: { offset: 0, type: 'u32' },
  queue: { offset: 8, type: 'u64' },
  flags: { offset: 16, type: 'u32' },
  } as const;
};
export const hsa_amd_event_scratch_async_reclaim_end_t: StructLayout<ReturnType<typeof hsa_amd_event_scratch_async_reclaim_end_t_fields>> = /* @__PURE__ */ defineLazyStruct('hsa_amd_event_scratch_async_reclaim_end_t', 24, hsa_amd_event_scratch_async_reclaim_end_t_fields);
export type hsa_amd_event_scratch_async_reclaim_end_t = StructValue<ReturnType<typeof hsa_amd_event_scratch_async_reclaim_end_t_fields>>;

const hsa_amd_tool_event_t_fields = function () {
  return {
  none: { offset: 0, type: 'u64' },
  scratch_alloc_start: { offset: 0, type: 'u64' },
  scratch_alloc_end: { offset: 0, type: 'u64' },
  scratch_free_start: { offset: 0, type: 'u64' },
  scratch_free_end: { offset: 0, type: 'u64' },
  scratch_async_reclaim_start: { offset: 0, type: 'u64' },
  scratch_async_reclaim_end: { offset: 0, type: 'u64' },
  } as const;
};
export const hsa_amd_tool_event_t: StructLayout<ReturnType<typeof hsa_amd_tool_event_t_fields>> = /* @__PURE__ */ defineLazyStruct('hsa_amd_tool_event_t', 8, hsa_amd_tool_event_t_fields);
export type hsa_amd_tool_event_t = StructValue<ReturnType<typeof hsa_amd_tool_event_t_fields>>;

const hsa_ven_amd_loader_segment_descriptor_t_fields = function () {
  return {
  agent: { offset: 0, type: 'u64' },
  executable: { offset: 8, type: 'u64' },
  code_object_storage_type: { offset: 16, type: 'u32' },
  code_object_storage_base: { offset: 24, type: 'u64' },
  code_object_storage_size: { offset: 32, type: 'u64' },
  code_object_storage_offset: { offset: 40, type: 'u64' },
  segment_base: { offset: 48, type: 'u64' },
  segment_size: { offset: 56, type: 'u64' },
  } as const;
};
export const hsa_ven_amd_loader_segment_descriptor_t: StructLayout<ReturnType<typeof hsa_ven_amd_loader_segment_descriptor_t_fields>> = /* @__PURE__ */ defineLazyStruct('hsa_ven_amd_loader_segment_descriptor_t', 64, hsa_ven_amd_loader_segment_descriptor_t_fields);
export type hsa_ven_amd_loader_segment_descriptor_t = StructValue<ReturnType<typeof hsa_ven_amd_loader_segment_descriptor_t_fields>>;

const hsa_ext_sampler_descriptor_v2_t_fields = function () {
  return {
  coordinate_mode: { offset: 0, type: 'u32' },
  filter_mode: { offset: 4, type: 'u32' },
  address_modes: { offset: 8, type: { array: 'u32', length: 3 } },
  } as const;
};
export const hsa_ext_sampler_descriptor_v2_t: StructLayout<ReturnType<typeof hsa_ext_sampler_descriptor_v2_t_fields>> = /* @__PURE__ */ defineLazyStruct('hsa_ext_sampler_descriptor_v2_t', 20, hsa_ext_sampler_descriptor_v2_t_fields);
export type hsa_ext_sampler_descriptor_v2_t = StructValue<ReturnType<typeof hsa_ext_sampler_descriptor_v2_t_fields>>;
