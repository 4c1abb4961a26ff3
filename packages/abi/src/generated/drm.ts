// Made by tools/abi-generator (npm run generate). Do not edit.
// Source: /usr/include/libdrm/amdgpu_drm.h (libdrm 2.4.114)

import type { StructLayout } from '../struct.js';
import { defineLazyStruct } from '../struct.js';

export const DRM_IOCTL_AMDGPU_GEM_CREATE = 0xc0206440;
export const DRM_IOCTL_AMDGPU_GEM_MMAP = 0xc0086441;
export const DRM_IOCTL_AMDGPU_CTX = 0xc0106442;
export const DRM_IOCTL_AMDGPU_BO_LIST = 0xc0186443;
export const DRM_IOCTL_AMDGPU_CS = 0xc0186444;
export const DRM_IOCTL_AMDGPU_INFO = 0x40206445;
export const DRM_IOCTL_AMDGPU_GEM_METADATA = 0xc1206446;
export const DRM_IOCTL_AMDGPU_GEM_WAIT_IDLE = 0xc0106447;
export const DRM_IOCTL_AMDGPU_GEM_VA = 0x40286448;
export const DRM_IOCTL_AMDGPU_WAIT_CS = 0xc0206449;
export const DRM_IOCTL_AMDGPU_GEM_OP = 0xc0106450;
export const DRM_IOCTL_AMDGPU_GEM_USERPTR = 0xc0186451;
export const DRM_IOCTL_AMDGPU_WAIT_FENCES = 0xc0186452;
export const DRM_IOCTL_AMDGPU_VM = 0xc0086453;
export const DRM_IOCTL_AMDGPU_FENCE_TO_HANDLE = 0xc0206454;
export const DRM_IOCTL_AMDGPU_SCHED = 0x40106455;

const drm_amdgpu_bo_list_entry_fields = function () {
  return {
  bo_handle: { offset: 0, type: 'u32' },
  bo_priority: { offset: 4, type: 'u32' },
  } as const;
};
export const drm_amdgpu_bo_list_entry: StructLayout<ReturnType<typeof drm_amdgpu_bo_list_entry_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_bo_list_entry', 8, drm_amdgpu_bo_list_entry_fields);

const drm_amdgpu_bo_list_in_fields = function () {
  return {
  operation: { offset: 0, type: 'u32' },
  list_handle: { offset: 4, type: 'u32' },
  bo_number: { offset: 8, type: 'u32' },
  bo_info_size: { offset: 12, type: 'u32' },
  bo_info_ptr: { offset: 16, type: 'u64' },
  } as const;
};
export const drm_amdgpu_bo_list_in: StructLayout<ReturnType<typeof drm_amdgpu_bo_list_in_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_bo_list_in', 24, drm_amdgpu_bo_list_in_fields);

const drm_amdgpu_bo_list_out_fields = function () {
  return {
  list_handle: { offset: 0, type: 'u32' },
  _pad: { offset: 4, type: 'u32' },
  } as const;
};
export const drm_amdgpu_bo_list_out: StructLayout<ReturnType<typeof drm_amdgpu_bo_list_out_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_bo_list_out', 8, drm_amdgpu_bo_list_out_fields);

const drm_amdgpu_cs_chunk_fields = function () {
  return {
  chunk_id: { offset: 0, type: 'u32' },
  length_dw: { offset: 4, type: 'u32' },
  chunk_data: { offset: 8, type: 'u64' },
  } as const;
};
export const drm_amdgpu_cs_chunk: StructLayout<ReturnType<typeof drm_amdgpu_cs_chunk_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_cs_chunk', 16, drm_amdgpu_cs_chunk_fields);

const drm_amdgpu_cs_chunk_data_fields = function () {
  return {
  ib_data: { offset: 0, type: {
    sizeBytes: 32,
    struct: {
      _pad: { offset: 0, type: 'u32' },
      flags: { offset: 4, type: 'u32' },
      va_start: { offset: 8, type: 'u64' },
      ib_bytes: { offset: 16, type: 'u32' },
      ip_type: { offset: 20, type: 'u32' },
      ip_instance: { offset: 24, type: 'u32' },
      ring: { offset: 28, type: 'u32' },
    },
  } },
  fence_data: { offset: 0, type: {
    sizeBytes: 8,
    struct: {
      handle: { offset: 0, type: 'u32' },
      offset: { offset: 4, type: 'u32' },
    },
  } },
  } as const;
};
export const drm_amdgpu_cs_chunk_data: StructLayout<ReturnType<typeof drm_amdgpu_cs_chunk_data_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_cs_chunk_data', 32, drm_amdgpu_cs_chunk_data_fields);

const drm_amdgpu_cs_chunk_dep_fields = function () {
  return {
  ip_type: { offset: 0, type: 'u32' },
  ip_instance: { offset: 4, type: 'u32' },
  ring: { offset: 8, type: 'u32' },
  ctx_id: { offset: 12, type: 'u32' },
  handle: { offset: 16, type: 'u64' },
  } as const;
};
export const drm_amdgpu_cs_chunk_dep: StructLayout<ReturnType<typeof drm_amdgpu_cs_chunk_dep_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_cs_chunk_dep', 24, drm_amdgpu_cs_chunk_dep_fields);

const drm_amdgpu_cs_chunk_fence_fields = function () {
  return {
  handle: { offset: 0, type: 'u32' },
  offset: { offset: 4, type: 'u32' },
  } as const;
};
export const drm_amdgpu_cs_chunk_fence: StructLayout<ReturnType<typeof drm_amdgpu_cs_chunk_fence_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_cs_chunk_fence', 8, drm_amdgpu_cs_chunk_fence_fields);

const drm_amdgpu_cs_chunk_ib_fields = function () {
  return {
  _pad: { offset: 0, type: 'u32' },
  flags: { offset: 4, type: 'u32' },
  va_start: { offset: 8, type: 'u64' },
  ib_bytes: { offset: 16, type: 'u32' },
  ip_type: { offset: 20, type: 'u32' },
  ip_instance: { offset: 24, type: 'u32' },
  ring: { offset: 28, type: 'u32' },
  } as const;
};
export const drm_amdgpu_cs_chunk_ib: StructLayout<ReturnType<typeof drm_amdgpu_cs_chunk_ib_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_cs_chunk_ib', 32, drm_amdgpu_cs_chunk_ib_fields);

const drm_amdgpu_cs_chunk_sem_fields = function () {
  return {
  handle: { offset: 0, type: 'u32' },
  } as const;
};
export const drm_amdgpu_cs_chunk_sem: StructLayout<ReturnType<typeof drm_amdgpu_cs_chunk_sem_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_cs_chunk_sem', 4, drm_amdgpu_cs_chunk_sem_fields);

const drm_amdgpu_cs_chunk_syncobj_fields = function () {
  return {
  handle: { offset: 0, type: 'u32' },
  flags: { offset: 4, type: 'u32' },
  point: { offset: 8, type: 'u64' },
  } as const;
};
export const drm_amdgpu_cs_chunk_syncobj: StructLayout<ReturnType<typeof drm_amdgpu_cs_chunk_syncobj_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_cs_chunk_syncobj', 16, drm_amdgpu_cs_chunk_syncobj_fields);

const drm_amdgpu_cs_in_fields = function () {
  return {
  ctx_id: { offset: 0, type: 'u32' },
  bo_list_handle: { offset: 4, type: 'u32' },
  num_chunks: { offset: 8, type: 'u32' },
  flags: { offset: 12, type: 'u32' },
  chunks: { offset: 16, type: 'u64' },
  } as const;
};
export const drm_amdgpu_cs_in: StructLayout<ReturnType<typeof drm_amdgpu_cs_in_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_cs_in', 24, drm_amdgpu_cs_in_fields);

const drm_amdgpu_cs_out_fields = function () {
  return {
  handle: { offset: 0, type: 'u64' },
  } as const;
};
export const drm_amdgpu_cs_out: StructLayout<ReturnType<typeof drm_amdgpu_cs_out_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_cs_out', 8, drm_amdgpu_cs_out_fields);

const drm_amdgpu_ctx_in_fields = function () {
  return {
  op: { offset: 0, type: 'u32' },
  flags: { offset: 4, type: 'u32' },
  ctx_id: { offset: 8, type: 'u32' },
  priority: { offset: 12, type: 'i32' },
  } as const;
};
export const drm_amdgpu_ctx_in: StructLayout<ReturnType<typeof drm_amdgpu_ctx_in_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_ctx_in', 16, drm_amdgpu_ctx_in_fields);

const drm_amdgpu_fence_fields = function () {
  return {
  ctx_id: { offset: 0, type: 'u32' },
  ip_type: { offset: 4, type: 'u32' },
  ip_instance: { offset: 8, type: 'u32' },
  ring: { offset: 12, type: 'u32' },
  seq_no: { offset: 16, type: 'u64' },
  } as const;
};
export const drm_amdgpu_fence: StructLayout<ReturnType<typeof drm_amdgpu_fence_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_fence', 24, drm_amdgpu_fence_fields);

const drm_amdgpu_gem_create_in_fields = function () {
  return {
  bo_size: { offset: 0, type: 'u64' },
  alignment: { offset: 8, type: 'u64' },
  domains: { offset: 16, type: 'u64' },
  domain_flags: { offset: 24, type: 'u64' },
  } as const;
};
export const drm_amdgpu_gem_create_in: StructLayout<ReturnType<typeof drm_amdgpu_gem_create_in_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_gem_create_in', 32, drm_amdgpu_gem_create_in_fields);

const drm_amdgpu_gem_create_out_fields = function () {
  return {
  handle: { offset: 0, type: 'u32' },
  _pad: { offset: 4, type: 'u32' },
  } as const;
};
export const drm_amdgpu_gem_create_out: StructLayout<ReturnType<typeof drm_amdgpu_gem_create_out_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_gem_create_out', 8, drm_amdgpu_gem_create_out_fields);

const drm_amdgpu_gem_metadata_fields = function () {
  return {
  handle: { offset: 0, type: 'u32' },
  op: { offset: 4, type: 'u32' },
  data: { offset: 8, type: {
    sizeBytes: 280,
    struct: {
      flags: { offset: 0, type: 'u64' },
      tiling_info: { offset: 8, type: 'u64' },
      data_size_bytes: { offset: 16, type: 'u32' },
      data: { offset: 20, type: { array: 'u32', length: 64 } },
    },
  } },
  } as const;
};
export const drm_amdgpu_gem_metadata: StructLayout<ReturnType<typeof drm_amdgpu_gem_metadata_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_gem_metadata', 288, drm_amdgpu_gem_metadata_fields);

const drm_amdgpu_gem_mmap_in_fields = function () {
  return {
  handle: { offset: 0, type: 'u32' },
  _pad: { offset: 4, type: 'u32' },
  } as const;
};
export const drm_amdgpu_gem_mmap_in: StructLayout<ReturnType<typeof drm_amdgpu_gem_mmap_in_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_gem_mmap_in', 8, drm_amdgpu_gem_mmap_in_fields);

const drm_amdgpu_gem_mmap_out_fields = function () {
  return {
  addr_ptr: { offset: 0, type: 'u64' },
  } as const;
};
export const drm_amdgpu_gem_mmap_out: StructLayout<ReturnType<typeof drm_amdgpu_gem_mmap_out_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_gem_mmap_out', 8, drm_amdgpu_gem_mmap_out_fields);

const drm_amdgpu_gem_op_fields = function () {
  return {
  handle: { offset: 0, type: 'u32' },
  op: { offset: 4, type: 'u32' },
  value: { offset: 8, type: 'u64' },
  } as const;
};
export const drm_amdgpu_gem_op: StructLayout<ReturnType<typeof drm_amdgpu_gem_op_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_gem_op', 16, drm_amdgpu_gem_op_fields);

const drm_amdgpu_gem_userptr_fields = function () {
  return {
  addr: { offset: 0, type: 'u64' },
  size: { offset: 8, type: 'u64' },
  flags: { offset: 16, type: 'u32' },
  handle: { offset: 20, type: 'u32' },
  } as const;
};
export const drm_amdgpu_gem_userptr: StructLayout<ReturnType<typeof drm_amdgpu_gem_userptr_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_gem_userptr', 24, drm_amdgpu_gem_userptr_fields);

const drm_amdgpu_gem_va_fields = function () {
  return {
  handle: { offset: 0, type: 'u32' },
  _pad: { offset: 4, type: 'u32' },
  operation: { offset: 8, type: 'u32' },
  flags: { offset: 12, type: 'u32' },
  va_address: { offset: 16, type: 'u64' },
  offset_in_bo: { offset: 24, type: 'u64' },
  map_size: { offset: 32, type: 'u64' },
  } as const;
};
export const drm_amdgpu_gem_va: StructLayout<ReturnType<typeof drm_amdgpu_gem_va_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_gem_va', 40, drm_amdgpu_gem_va_fields);

const drm_amdgpu_gem_wait_idle_in_fields = function () {
  return {
  handle: { offset: 0, type: 'u32' },
  flags: { offset: 4, type: 'u32' },
  timeout: { offset: 8, type: 'u64' },
  } as const;
};
export const drm_amdgpu_gem_wait_idle_in: StructLayout<ReturnType<typeof drm_amdgpu_gem_wait_idle_in_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_gem_wait_idle_in', 16, drm_amdgpu_gem_wait_idle_in_fields);

const drm_amdgpu_gem_wait_idle_out_fields = function () {
  return {
  status: { offset: 0, type: 'u32' },
  domain: { offset: 4, type: 'u32' },
  } as const;
};
export const drm_amdgpu_gem_wait_idle_out: StructLayout<ReturnType<typeof drm_amdgpu_gem_wait_idle_out_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_gem_wait_idle_out', 8, drm_amdgpu_gem_wait_idle_out_fields);

const drm_amdgpu_heap_info_fields = function () {
  return {
  total_heap_size: { offset: 0, type: 'u64' },
  usable_heap_size: { offset: 8, type: 'u64' },
  heap_usage: { offset: 16, type: 'u64' },
  max_allocation: { offset: 24, type: 'u64' },
  } as const;
};
export const drm_amdgpu_heap_info: StructLayout<ReturnType<typeof drm_amdgpu_heap_info_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_heap_info', 32, drm_amdgpu_heap_info_fields);

const drm_amdgpu_info_fields = function () {
  return {
  return_pointer: { offset: 0, type: 'u64' },
  return_size: { offset: 8, type: 'u32' },
  query: { offset: 12, type: 'u32' },
  mode_crtc: { offset: 16, type: {
    sizeBytes: 8,
    struct: {
      id: { offset: 0, type: 'u32' },
      _pad: { offset: 4, type: 'u32' },
    },
  } },
  query_hw_ip: { offset: 16, type: {
    sizeBytes: 8,
    struct: {
      type: { offset: 0, type: 'u32' },
      ip_instance: { offset: 4, type: 'u32' },
    },
  } },
  read_mmr_reg: { offset: 16, type: {
    sizeBytes: 16,
    struct: {
      dword_offset: { offset: 0, type: 'u32' },
      count: { offset: 4, type: 'u32' },
      instance: { offset: 8, type: 'u32' },
      flags: { offset: 12, type: 'u32' },
    },
  } },
  query_fw: { offset: 16, type: {
    sizeBytes: 16,
    struct: {
      fw_type: { offset: 0, type: 'u32' },
      ip_instance: { offset: 4, type: 'u32' },
      index: { offset: 8, type: 'u32' },
      _pad: { offset: 12, type: 'u32' },
    },
  } },
  vbios_info: { offset: 16, type: {
    sizeBytes: 8,
    struct: {
      type: { offset: 0, type: 'u32' },
      offset: { offset: 4, type: 'u32' },
    },
  } },
  sensor_info: { offset: 16, type: {
    sizeBytes: 4,
    struct: {
      type: { offset: 0, type: 'u32' },
    },
  } },
  video_cap: { offset: 16, type: {
    sizeBytes: 4,
    struct: {
      type: { offset: 0, type: 'u32' },
    },
  } },
  } as const;
};
export const drm_amdgpu_info: StructLayout<ReturnType<typeof drm_amdgpu_info_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_info', 32, drm_amdgpu_info_fields);

const drm_amdgpu_info_device_fields = function () {
  return {
  device_id: { offset: 0, type: 'u32' },
  chip_rev: { offset: 4, type: 'u32' },
  external_rev: { offset: 8, type: 'u32' },
  pci_rev: { offset: 12, type: 'u32' },
  family: { offset: 16, type: 'u32' },
  num_shader_engines: { offset: 20, type: 'u32' },
  num_shader_arrays_per_engine: { offset: 24, type: 'u32' },
  gpu_counter_freq: { offset: 28, type: 'u32' },
  max_engine_clock: { offset: 32, type: 'u64' },
  max_memory_clock: { offset: 40, type: 'u64' },
  cu_active_number: { offset: 48, type: 'u32' },
  cu_ao_mask: { offset: 52, type: 'u32' },
  cu_bitmap: { offset: 56, type: { array: 'u32', length: 16 } },
  enabled_rb_pipes_mask: { offset: 120, type: 'u32' },
  num_rb_pipes: { offset: 124, type: 'u32' },
  num_hw_gfx_contexts: { offset: 128, type: 'u32' },
  _pad: { offset: 132, type: 'u32' },
  ids_flags: { offset: 136, type: 'u64' },
  virtual_address_offset: { offset: 144, type: 'u64' },
  virtual_address_max: { offset: 152, type: 'u64' },
  virtual_address_alignment: { offset: 160, type: 'u32' },
  pte_fragment_size: { offset: 164, type: 'u32' },
  gart_page_size: { offset: 168, type: 'u32' },
  ce_ram_size: { offset: 172, type: 'u32' },
  vram_type: { offset: 176, type: 'u32' },
  vram_bit_width: { offset: 180, type: 'u32' },
  vce_harvest_config: { offset: 184, type: 'u32' },
  gc_double_offchip_lds_buf: { offset: 188, type: 'u32' },
  prim_buf_gpu_addr: { offset: 192, type: 'u64' },
  pos_buf_gpu_addr: { offset: 200, type: 'u64' },
  cntl_sb_buf_gpu_addr: { offset: 208, type: 'u64' },
  param_buf_gpu_addr: { offset: 216, type: 'u64' },
  prim_buf_size: { offset: 224, type: 'u32' },
  pos_buf_size: { offset: 228, type: 'u32' },
  cntl_sb_buf_size: { offset: 232, type: 'u32' },
  param_buf_size: { offset: 236, type: 'u32' },
  wave_front_size: { offset: 240, type: 'u32' },
  num_shader_visible_vgprs: { offset: 244, type: 'u32' },
  num_cu_per_sh: { offset: 248, type: 'u32' },
  num_tcc_blocks: { offset: 252, type: 'u32' },
  gs_vgt_table_depth: { offset: 256, type: 'u32' },
  gs_prim_buffer_depth: { offset: 260, type: 'u32' },
  max_gs_waves_per_vgt: { offset: 264, type: 'u32' },
  _pad1: { offset: 268, type: 'u32' },
  cu_ao_bitmap: { offset: 272, type: { array: 'u32', length: 16 } },
  high_va_offset: { offset: 336, type: 'u64' },
  high_va_max: { offset: 344, type: 'u64' },
  pa_sc_tile_steering_override: { offset: 352, type: 'u32' },
  tcc_disabled_mask: { offset: 360, type: 'u64' },
  } as const;
};
export const drm_amdgpu_info_device: StructLayout<ReturnType<typeof drm_amdgpu_info_device_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_info_device', 368, drm_amdgpu_info_device_fields);

const drm_amdgpu_info_firmware_fields = function () {
  return {
  ver: { offset: 0, type: 'u32' },
  feature: { offset: 4, type: 'u32' },
  } as const;
};
export const drm_amdgpu_info_firmware: StructLayout<ReturnType<typeof drm_amdgpu_info_firmware_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_info_firmware', 8, drm_amdgpu_info_firmware_fields);

const drm_amdgpu_info_gds_fields = function () {
  return {
  gds_gfx_partition_size: { offset: 0, type: 'u32' },
  compute_partition_size: { offset: 4, type: 'u32' },
  gds_total_size: { offset: 8, type: 'u32' },
  gws_per_gfx_partition: { offset: 12, type: 'u32' },
  gws_per_compute_partition: { offset: 16, type: 'u32' },
  oa_per_gfx_partition: { offset: 20, type: 'u32' },
  oa_per_compute_partition: { offset: 24, type: 'u32' },
  _pad: { offset: 28, type: 'u32' },
  } as const;
};
export const drm_amdgpu_info_gds: StructLayout<ReturnType<typeof drm_amdgpu_info_gds_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_info_gds', 32, drm_amdgpu_info_gds_fields);

const drm_amdgpu_info_hw_ip_fields = function () {
  return {
  hw_ip_version_major: { offset: 0, type: 'u32' },
  hw_ip_version_minor: { offset: 4, type: 'u32' },
  capabilities_flags: { offset: 8, type: 'u64' },
  ib_start_alignment: { offset: 16, type: 'u32' },
  ib_size_alignment: { offset: 20, type: 'u32' },
  available_rings: { offset: 24, type: 'u32' },
  _pad: { offset: 28, type: 'u32' },
  } as const;
};
export const drm_amdgpu_info_hw_ip: StructLayout<ReturnType<typeof drm_amdgpu_info_hw_ip_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_info_hw_ip', 32, drm_amdgpu_info_hw_ip_fields);

const drm_amdgpu_info_num_handles_fields = function () {
  return {
  uvd_max_handles: { offset: 0, type: 'u32' },
  uvd_used_handles: { offset: 4, type: 'u32' },
  } as const;
};
export const drm_amdgpu_info_num_handles: StructLayout<ReturnType<typeof drm_amdgpu_info_num_handles_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_info_num_handles', 8, drm_amdgpu_info_num_handles_fields);

const drm_amdgpu_info_vbios_fields = function () {
  return {
  name: { offset: 0, type: { array: 'u8', length: 64 } },
  vbios_pn: { offset: 64, type: { array: 'u8', length: 64 } },
  version: { offset: 128, type: 'u32' },
  pad: { offset: 132, type: 'u32' },
  vbios_ver_str: { offset: 136, type: { array: 'u8', length: 32 } },
  date: { offset: 168, type: { array: 'u8', length: 32 } },
  } as const;
};
export const drm_amdgpu_info_vbios: StructLayout<ReturnType<typeof drm_amdgpu_info_vbios_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_info_vbios', 200, drm_amdgpu_info_vbios_fields);

const drm_amdgpu_info_vce_clock_table_fields = function () {
  return {
  entries: { offset: 0, type: { array: {
    sizeBytes: 16,
    struct: {
      sclk: { offset: 0, type: 'u32' },
      mclk: { offset: 4, type: 'u32' },
      eclk: { offset: 8, type: 'u32' },
      pad: { offset: 12, type: 'u32' },
    },
  }, length: 6 } },
  num_valid_entries: { offset: 96, type: 'u32' },
  pad: { offset: 100, type: 'u32' },
  } as const;
};
export const drm_amdgpu_info_vce_clock_table: StructLayout<ReturnType<typeof drm_amdgpu_info_vce_clock_table_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_info_vce_clock_table', 104, drm_amdgpu_info_vce_clock_table_fields);

const drm_amdgpu_info_vce_clock_table_entry_fields = function () {
  return {
  sclk: { offset: 0, type: 'u32' },
  mclk: { offset: 4, type: 'u32' },
  eclk: { offset: 8, type: 'u32' },
  pad: { offset: 12, type: 'u32' },
  } as const;
};
export const drm_amdgpu_info_vce_clock_table_entry: StructLayout<ReturnType<typeof drm_amdgpu_info_vce_clock_table_entry_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_info_vce_clock_table_entry', 16, drm_amdgpu_info_vce_clock_table_entry_fields);

const drm_amdgpu_info_video_caps_fields = function () {
  return {
  codec_info: { offset: 0, type: { array: {
    sizeBytes: 24,
    struct: {
      valid: { offset: 0, type: 'u32' },
      max_width: { offset: 4, type: 'u32' },
      max_height: { offset: 8, type: 'u32' },
      max_pixels_per_frame: { offset: 12, type: 'u32' },
      max_level: { offset: 16, type: 'u32' },
      pad: { offset: 20, type: 'u32' },
    },
  }, length: 8 } },
  } as const;
};
export const drm_amdgpu_info_video_caps: StructLayout<ReturnType<typeof drm_amdgpu_info_video_caps_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_info_video_caps', 192, drm_amdgpu_info_video_caps_fields);

const drm_amdgpu_info_video_codec_info_fields = function () {
  return {
  valid: { offset: 0, type: 'u32' },
  max_width: { offset: 4, type: 'u32' },
  max_height: { offset: 8, type: 'u32' },
  max_pixels_per_frame: { offset: 12, type: 'u32' },
  max_level: { offset: 16, type: 'u32' },
  pad: { offset: 20, type: 'u32' },
  } as const;
};
export const drm_amdgpu_info_video_codec_info: StructLayout<ReturnType<typeof drm_amdgpu_info_video_codec_info_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_info_video_codec_info', 24, drm_amdgpu_info_video_codec_info_fields);

const drm_amdgpu_info_vram_gtt_fields = function () {
  return {
  vram_size: { offset: 0, type: 'u64' },
  vram_cpu_accessible_size: { offset: 8, type: 'u64' },
  gtt_size: { offset: 16, type: 'u64' },
  } as const;
};
export const drm_amdgpu_info_vram_gtt: StructLayout<ReturnType<typeof drm_amdgpu_info_vram_gtt_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_info_vram_gtt', 24, drm_amdgpu_info_vram_gtt_fields);

const drm_amdgpu_memory_info_fields = function () {
  return {
  vram: { offset: 0, type: {
    sizeBytes: 32,
    struct: {
      total_heap_size: { offset: 0, type: 'u64' },
      usable_heap_size: { offset: 8, type: 'u64' },
      heap_usage: { offset: 16, type: 'u64' },
      max_allocation: { offset: 24, type: 'u64' },
    },
  } },
  cpu_accessible_vram: { offset: 32, type: {
    sizeBytes: 32,
    struct: {
      total_heap_size: { offset: 0, type: 'u64' },
      usable_heap_size: { offset: 8, type: 'u64' },
      heap_usage: { offset: 16, type: 'u64' },
      max_allocation: { offset: 24, type: 'u64' },
    },
  } },
  gtt: { offset: 64, type: {
    sizeBytes: 32,
    struct: {
      total_heap_size: { offset: 0, type: 'u64' },
      usable_heap_size: { offset: 8, type: 'u64' },
      heap_usage: { offset: 16, type: 'u64' },
      max_allocation: { offset: 24, type: 'u64' },
    },
  } },
  } as const;
};
export const drm_amdgpu_memory_info: StructLayout<ReturnType<typeof drm_amdgpu_memory_info_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_memory_info', 96, drm_amdgpu_memory_info_fields);

const drm_amdgpu_query_fw_fields = function () {
  return {
  fw_type: { offset: 0, type: 'u32' },
  ip_instance: { offset: 4, type: 'u32' },
  index: { offset: 8, type: 'u32' },
  _pad: { offset: 12, type: 'u32' },
  } as const;
};
export const drm_amdgpu_query_fw: StructLayout<ReturnType<typeof drm_amdgpu_query_fw_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_query_fw', 16, drm_amdgpu_query_fw_fields);

const drm_amdgpu_sched_in_fields = function () {
  return {
  op: { offset: 0, type: 'u32' },
  fd: { offset: 4, type: 'u32' },
  priority: { offset: 8, type: 'i32' },
  ctx_id: { offset: 12, type: 'u32' },
  } as const;
};
export const drm_amdgpu_sched_in: StructLayout<ReturnType<typeof drm_amdgpu_sched_in_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_sched_in', 16, drm_amdgpu_sched_in_fields);

const drm_amdgpu_vm_in_fields = function () {
  return {
  op: { offset: 0, type: 'u32' },
  flags: { offset: 4, type: 'u32' },
  } as const;
};
export const drm_amdgpu_vm_in: StructLayout<ReturnType<typeof drm_amdgpu_vm_in_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_vm_in', 8, drm_amdgpu_vm_in_fields);

const drm_amdgpu_vm_out_fields = function () {
  return {
  flags: { offset: 0, type: 'u64' },
  } as const;
};
export const drm_amdgpu_vm_out: StructLayout<ReturnType<typeof drm_amdgpu_vm_out_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_vm_out', 8, drm_amdgpu_vm_out_fields);

const drm_amdgpu_wait_cs_in_fields = function () {
  return {
  handle: { offset: 0, type: 'u64' },
  timeout: { offset: 8, type: 'u64' },
  ip_type: { offset: 16, type: 'u32' },
  ip_instance: { offset: 20, type: 'u32' },
  ring: { offset: 24, type: 'u32' },
  ctx_id: { offset: 28, type: 'u32' },
  } as const;
};
export const drm_amdgpu_wait_cs_in: StructLayout<ReturnType<typeof drm_amdgpu_wait_cs_in_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_wait_cs_in', 32, drm_amdgpu_wait_cs_in_fields);

const drm_amdgpu_wait_cs_out_fields = function () {
  return {
  status: { offset: 0, type: 'u64' },
  } as const;
};
export const drm_amdgpu_wait_cs_out: StructLayout<ReturnType<typeof drm_amdgpu_wait_cs_out_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_wait_cs_out', 8, drm_amdgpu_wait_cs_out_fields);

const drm_amdgpu_wait_fences_in_fields = function () {
  return {
  fences: { offset: 0, type: 'u64' },
  fence_count: { offset: 8, type: 'u32' },
  wait_all: { offset: 12, type: 'u32' },
  timeout_ns: { offset: 16, type: 'u64' },
  } as const;
};
export const drm_amdgpu_wait_fences_in: StructLayout<ReturnType<typeof drm_amdgpu_wait_fences_in_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_wait_fences_in', 24, drm_amdgpu_wait_fences_in_fields);

const drm_amdgpu_wait_fences_out_fields = function () {
  return {
  status: { offset: 0, type: 'u32' },
  first_signaled: { offset: 4, type: 'u32' },
  } as const;
};
export const drm_amdgpu_wait_fences_out: StructLayout<ReturnType<typeof drm_amdgpu_wait_fences_out_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_wait_fences_out', 8, drm_amdgpu_wait_fences_out_fields);

const drm_amdgpu_bo_list_fields = function () {
  return {
  in: { offset: 0, type: {
    sizeBytes: 24,
    struct: {
      operation: { offset: 0, type: 'u32' },
      list_handle: { offset: 4, type: 'u32' },
      bo_number: { offset: 8, type: 'u32' },
      bo_info_size: { offset: 12, type: 'u32' },
      bo_info_ptr: { offset: 16, type: 'u64' },
    },
  } },
  out: { offset: 0, type: {
    sizeBytes: 8,
    struct: {
      list_handle: { offset: 0, type: 'u32' },
      _pad: { offset: 4, type: 'u32' },
    },
  } },
  } as const;
};
export const drm_amdgpu_bo_list: StructLayout<ReturnType<typeof drm_amdgpu_bo_list_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_bo_list', 24, drm_amdgpu_bo_list_fields);

const drm_amdgpu_cs_fields = function () {
  return {
  in: { offset: 0, type: {
    sizeBytes: 24,
    struct: {
      ctx_id: { offset: 0, type: 'u32' },
      bo_list_handle: { offset: 4, type: 'u32' },
      num_chunks: { offset: 8, type: 'u32' },
      flags: { offset: 12, type: 'u32' },
      chunks: { offset: 16, type: 'u64' },
    },
  } },
  out: { offset: 0, type: {
    sizeBytes: 8,
    struct: {
      handle: { offset: 0, type: 'u64' },
    },
  } },
  } as const;
};
export const drm_amdgpu_cs: StructLayout<ReturnType<typeof drm_amdgpu_cs_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_cs', 24, drm_amdgpu_cs_fields);

const drm_amdgpu_ctx_fields = function () {
  return {
  in: { offset: 0, type: {
    sizeBytes: 16,
    struct: {
      op: { offset: 0, type: 'u32' },
      flags: { offset: 4, type: 'u32' },
      ctx_id: { offset: 8, type: 'u32' },
      priority: { offset: 12, type: 'i32' },
    },
  } },
  out: { offset: 0, type: {
    sizeBytes: 16,
    struct: {
      alloc: { offset: 0, type: {
        sizeBytes: 8,
        struct: {
          ctx_id: { offset: 0, type: 'u32' },
          _pad: { offset: 4, type: 'u32' },
        },
      } },
      state: { offset: 0, type: {
        sizeBytes: 16,
        struct: {
          flags: { offset: 0, type: 'u64' },
          hangs: { offset: 8, type: 'u32' },
          reset_status: { offset: 12, type: 'u32' },
        },
      } },
      pstate: { offset: 0, type: {
        sizeBytes: 8,
        struct: {
          flags: { offset: 0, type: 'u32' },
          _pad: { offset: 4, type: 'u32' },
        },
      } },
    },
  } },
  } as const;
};
export const drm_amdgpu_ctx: StructLayout<ReturnType<typeof drm_amdgpu_ctx_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_ctx', 16, drm_amdgpu_ctx_fields);

const drm_amdgpu_ctx_out_fields = function () {
  return {
  alloc: { offset: 0, type: {
    sizeBytes: 8,
    struct: {
      ctx_id: { offset: 0, type: 'u32' },
      _pad: { offset: 4, type: 'u32' },
    },
  } },
  state: { offset: 0, type: {
    sizeBytes: 16,
    struct: {
      flags: { offset: 0, type: 'u64' },
      hangs: { offset: 8, type: 'u32' },
      reset_status: { offset: 12, type: 'u32' },
    },
  } },
  pstate: { offset: 0, type: {
    sizeBytes: 8,
    struct: {
      flags: { offset: 0, type: 'u32' },
      _pad: { offset: 4, type: 'u32' },
    },
  } },
  } as const;
};
export const drm_amdgpu_ctx_out: StructLayout<ReturnType<typeof drm_amdgpu_ctx_out_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_ctx_out', 16, drm_amdgpu_ctx_out_fields);

const drm_amdgpu_fence_to_handle_fields = function () {
  return {
  in: { offset: 0, type: {
    sizeBytes: 32,
    struct: {
      fence: { offset: 0, type: {
        sizeBytes: 24,
        struct: {
          ctx_id: { offset: 0, type: 'u32' },
          ip_type: { offset: 4, type: 'u32' },
          ip_instance: { offset: 8, type: 'u32' },
          ring: { offset: 12, type: 'u32' },
          seq_no: { offset: 16, type: 'u64' },
        },
      } },
      what: { offset: 24, type: 'u32' },
      pad: { offset: 28, type: 'u32' },
    },
  } },
  out: { offset: 0, type: {
    sizeBytes: 4,
    struct: {
      handle: { offset: 0, type: 'u32' },
    },
  } },
  } as const;
};
export const drm_amdgpu_fence_to_handle: StructLayout<ReturnType<typeof drm_amdgpu_fence_to_handle_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_fence_to_handle', 32, drm_amdgpu_fence_to_handle_fields);

const drm_amdgpu_gem_create_fields = function () {
  return {
  in: { offset: 0, type: {
    sizeBytes: 32,
    struct: {
      bo_size: { offset: 0, type: 'u64' },
      alignment: { offset: 8, type: 'u64' },
      domains: { offset: 16, type: 'u64' },
      domain_flags: { offset: 24, type: 'u64' },
    },
  } },
  out: { offset: 0, type: {
    sizeBytes: 8,
    struct: {
      handle: { offset: 0, type: 'u32' },
      _pad: { offset: 4, type: 'u32' },
    },
  } },
  } as const;
};
export const drm_amdgpu_gem_create: StructLayout<ReturnType<typeof drm_amdgpu_gem_create_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_gem_create', 32, drm_amdgpu_gem_create_fields);

const drm_amdgpu_gem_mmap_fields = function () {
  return {
  in: { offset: 0, type: {
    sizeBytes: 8,
    struct: {
      handle: { offset: 0, type: 'u32' },
      _pad: { offset: 4, type: 'u32' },
    },
  } },
  out: { offset: 0, type: {
    sizeBytes: 8,
    struct: {
      addr_ptr: { offset: 0, type: 'u64' },
    },
  } },
  } as const;
};
export const drm_amdgpu_gem_mmap: StructLayout<ReturnType<typeof drm_amdgpu_gem_mmap_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_gem_mmap', 8, drm_amdgpu_gem_mmap_fields);

const drm_amdgpu_gem_wait_idle_fields = function () {
  return {
  in: { offset: 0, type: {
    sizeBytes: 16,
    struct: {
      handle: { offset: 0, type: 'u32' },
      flags: { offset: 4, type: 'u32' },
      timeout: { offset: 8, type: 'u64' },
    },
  } },
  out: { offset: 0, type: {
    sizeBytes: 8,
    struct: {
      status: { offset: 0, type: 'u32' },
      domain: { offset: 4, type: 'u32' },
    },
  } },
  } as const;
};
export const drm_amdgpu_gem_wait_idle: StructLayout<ReturnType<typeof drm_amdgpu_gem_wait_idle_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_gem_wait_idle', 16, drm_amdgpu_gem_wait_idle_fields);

const drm_amdgpu_sched_fields = function () {
  return {
  in: { offset: 0, type: {
    sizeBytes: 16,
    struct: {
      op: { offset: 0, type: 'u32' },
      fd: { offset: 4, type: 'u32' },
      priority: { offset: 8, type: 'i32' },
      ctx_id: { offset: 12, type: 'u32' },
    },
  } },
  } as const;
};
export const drm_amdgpu_sched: StructLayout<ReturnType<typeof drm_amdgpu_sched_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_sched', 16, drm_amdgpu_sched_fields);

const drm_amdgpu_vm_fields = function () {
  return {
  in: { offset: 0, type: {
    sizeBytes: 8,
    struct: {
      op: { offset: 0, type: 'u32' },
      flags: { offset: 4, type: 'u32' },
    },
  } },
  out: { offset: 0, type: {
    sizeBytes: 8,
    struct: {
      flags: { offset: 0, type: 'u64' },
    },
  } },
  } as const;
};
export const drm_amdgpu_vm: StructLayout<ReturnType<typeof drm_amdgpu_vm_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_vm', 8, drm_amdgpu_vm_fields);

const drm_amdgpu_wait_cs_fields = function () {
  return {
  in: { offset: 0, type: {
    sizeBytes: 32,
    struct: {
      handle: { offset: 0, type: 'u64' },
      timeout: { offset: 8, type: 'u64' },
      ip_type: { offset: 16, type: 'u32' },
      ip_instance: { offset: 20, type: 'u32' },
      ring: { offset: 24, type: 'u32' },
      ctx_id: { offset: 28, type: 'u32' },
    },
  } },
  out: { offset: 0, type: {
    sizeBytes: 8,
    struct: {
      status: { offset: 0, type: 'u64' },
    },
  } },
  } as const;
};
export const drm_amdgpu_wait_cs: StructLayout<ReturnType<typeof drm_amdgpu_wait_cs_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_wait_cs', 32, drm_amdgpu_wait_cs_fields);

const drm_amdgpu_wait_fences_fields = function () {
  return {
  in: { offset: 0, type: {
    sizeBytes: 24,
    struct: {
      fences: { offset: 0, type: 'u64' },
      fence_count: { offset: 8, type: 'u32' },
      wait_all: { offset: 12, type: 'u32' },
      timeout_ns: { offset: 16, type: 'u64' },
    },
  } },
  out: { offset: 0, type: {
    sizeBytes: 8,
    struct: {
      status: { offset: 0, type: 'u32' },
      first_signaled: { offset: 4, type: 'u32' },
    },
  } },
  } as const;
};
export const drm_amdgpu_wait_fences: StructLayout<ReturnType<typeof drm_amdgpu_wait_fences_fields>> = /* @__PURE__ */ defineLazyStruct('drm_amdgpu_wait_fences', 24, drm_amdgpu_wait_fences_fields);
