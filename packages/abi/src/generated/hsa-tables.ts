// Made by tools/abi-generator (npm run generate). Do not edit.
// Source: ROCR-Runtime headers of October 2024 (runtime/hsa-runtime/inc), additions of 2025-08

import type { Memory, Ref } from '../ref.js';
import type { hsa_amd_event_scratch_alloc_end_t, hsa_amd_event_scratch_alloc_start_t, hsa_amd_event_scratch_async_reclaim_end_t, hsa_amd_event_scratch_async_reclaim_start_t, hsa_amd_event_scratch_free_end_t, hsa_amd_event_scratch_free_start_t, hsa_amd_event_t, hsa_amd_image_descriptor_t, hsa_amd_ipc_memory_t, hsa_amd_memory_access_desc_t, hsa_amd_pointer_info_t, hsa_amd_profiling_async_copy_time_t, hsa_amd_profiling_dispatch_time_t, hsa_amd_svm_attribute_pair_t, hsa_dim3_t, hsa_ext_control_directives_t, hsa_ext_image_data_info_t, hsa_ext_image_descriptor_t, hsa_ext_image_format_t, hsa_ext_image_region_t, hsa_ext_sampler_descriptor_t, hsa_ext_sampler_descriptor_v2_t, hsa_pitched_ptr_t, hsa_ven_amd_pcs_configuration_t } from './hsa-structs.js';

/** C: `hsa_status_t (*)(hsa_agent_t, void *)`. */
export type AgentCallback = (agent: bigint, data: unknown) => number;

/** C: `hsa_status_t (*)(hsa_region_t, void *)`. */
export type RegionCallback = (region: bigint, data: unknown) => number;

/** C: `hsa_status_t (*)(hsa_cache_t, void *)`. */
export type CacheCallback = (cache: bigint, data: unknown) => number;

/** C: `hsa_status_t (*)(hsa_isa_t, void *)`. */
export type IsaCallback = (isa: bigint, data: unknown) => number;

/** C: `hsa_status_t (*)(hsa_wavefront_t, void *)`. */
export type WavefrontCallback = (wavefront: bigint, data: unknown) => number;

/** C: `hsa_status_t (*)(hsa_amd_memory_pool_t, void *)`. */
export type MemoryPoolCallback = (pool: bigint, data: unknown) => number;

/** C: `hsa_status_t (*)(hsa_code_object_t, hsa_code_symbol_t, void *)`. */
export type CodeSymbolCallback = (codeObject: bigint, symbol: bigint, data: unknown) => number;

/** C: `hsa_status_t (*)(hsa_executable_t, hsa_executable_symbol_t, void *)`. */
export type ProgramSymbolCallback = (executable: bigint, symbol: bigint, data: unknown) => number;

/** C: `hsa_status_t (*)(hsa_executable_t, hsa_agent_t, hsa_executable_symbol_t, void *)`. */
export type AgentSymbolCallback = (executable: bigint, agent: bigint, symbol: bigint, data: unknown) => number;

/** C: `hsa_status_t (*)(hsa_ext_program_t, hsa_ext_module_t, void *)`. */
export type ModuleCallback = (program: bigint, module: bigint, data: unknown) => number;

/** C: `hsa_status_t (*)(size_t, hsa_callback_data_t, void **)`. */
export type SerializeAllocCallback = (size: bigint, data: unknown, address: Ref<bigint>) => number;

/** C: `void (*)(hsa_status_t, hsa_queue_t *, void *)`. */
export type QueueErrorCallback = (status: number, queue: bigint, data: unknown) => void;

/** C: `void (*)(void *)`. */
export type AsyncFunctionCallback = (arg: unknown) => void;

/** C: `void *(*)(size_t)`. */
export type AllocCallback = (size: bigint) => bigint;

/** C: `hsa_amd_signal_handler`. */
export type SignalHandler = (value: bigint, arg: unknown) => boolean;

/** C: `hsa_amd_system_event_callback_t`. */
export type SystemEventCallback = (event: hsa_amd_event_t, data: unknown) => number;

/** C: `hsa_amd_deallocation_callback_t`. */
export type DeallocationCallback = (ptr: bigint, data: unknown) => void;

/** C: `hsa_amd_queue_intercept_packet_writer`. */
export type PacketWriter = (packets: Memory, count: bigint) => void;

/** C: `hsa_amd_queue_intercept_handler`. */
export type PacketInterceptHandler = (packets: Memory, count: bigint, firstIndex: bigint, data: unknown, writer: PacketWriter) => void;

/** C: `hsa_amd_runtime_queue_notifier`. */
export type QueueCreateCallback = (queue: bigint, agent: bigint, data: unknown) => void;

/** C: `hsa_ven_amd_pcs_data_copy_callback_t`. */
export type PcSamplingCopyCallback = (context: unknown, sizeBytes: bigint, destination: Memory) => number;

/** C: `hsa_ven_amd_pcs_data_ready_callback_t`. */
export type PcSamplingReadyCallback = (data: unknown, sizeBytes: bigint, lostSamples: bigint, copy: PcSamplingCopyCallback, context: unknown) => void;

/** C: `hsa_ven_amd_pcs_iterate_configuration_callback_t`. */
export type PcSamplingConfigurationCallback = (configuration: hsa_ven_amd_pcs_configuration_t, data: unknown) => number;

/** Slots of the table, in their order, as C declares them. */
export interface CoreApi {
  hsa_init: () => number;
  hsa_shut_down: () => number;
  hsa_system_get_info: (attribute: number, value: Ref<unknown>) => number;
  hsa_system_extension_supported: (extension: number, version_major: number, version_minor: number, result: Ref<boolean>) => number;
  hsa_system_get_extension_table: (extension: number, version_major: number, version_minor: number, table: Ref<unknown>) => number;
  hsa_iterate_agents: (callback: AgentCallback, data: unknown) => number;
  hsa_agent_get_info: (agent: bigint, attribute: number, value: Ref<unknown>) => number;
  hsa_queue_create: (agent: bigint, size: number, type: number, callback: QueueErrorCallback | null, data: unknown, private_segment_size: number, group_segment_size: number, queue: Ref<bigint>) => number;
  hsa_soft_queue_create: (region: bigint, size: number, type: number, features: number, doorbell_signal: bigint, queue: Ref<bigint>) => number;
  hsa_queue_destroy: (queue: bigint) => number;
  hsa_queue_inactivate: (queue: bigint) => number;
  hsa_queue_load_read_index_scacquire: (queue: bigint) => bigint;
  hsa_queue_load_read_index_relaxed: (queue: bigint) => bigint;
  hsa_queue_load_write_index_scacquire: (queue: bigint) => bigint;
  hsa_queue_load_write_index_relaxed: (queue: bigint) => bigint;
  hsa_queue_store_write_index_relaxed: (queue: bigint, value: bigint) => void;
  hsa_queue_store_write_index_screlease: (queue: bigint, value: bigint) => void;
  hsa_queue_cas_write_index_scacq_screl: (queue: bigint, expected: bigint, value: bigint) => bigint;
  hsa_queue_cas_write_index_scacquire: (queue: bigint, expected: bigint, value: bigint) => bigint;
  hsa_queue_cas_write_index_relaxed: (queue: bigint, expected: bigint, value: bigint) => bigint;
  hsa_queue_cas_write_index_screlease: (queue: bigint, expected: bigint, value: bigint) => bigint;
  hsa_queue_add_write_index_scacq_screl: (queue: bigint, value: bigint) => bigint;
  hsa_queue_add_write_index_scacquire: (queue: bigint, value: bigint) => bigint;
  hsa_queue_add_write_index_relaxed: (queue: bigint, value: bigint) => bigint;
  hsa_queue_add_write_index_screlease: (queue: bigint, value: bigint) => bigint;
  hsa_queue_store_read_index_relaxed: (queue: bigint, value: bigint) => void;
  hsa_queue_store_read_index_screlease: (queue: bigint, value: bigint) => void;
  hsa_agent_iterate_regions: (agent: bigint, callback: RegionCallback, data: unknown) => number;
  hsa_region_get_info: (region: bigint, attribute: number, value: Ref<unknown>) => number;
  hsa_agent_get_exception_policies: (agent: bigint, profile: number, mask: Ref<number>) => number;
  hsa_agent_extension_supported: (extension: number, agent: bigint, version_major: number, version_minor: number, result: Ref<boolean>) => number;
  hsa_memory_register: (ptr: bigint, size: bigint) => number;
  hsa_memory_deregister: (ptr: bigint, size: bigint) => number;
  hsa_memory_allocate: (region: bigint, size: bigint, ptr: Ref<bigint>) => number;
  hsa_memory_free: (ptr: bigint) => number;
  hsa_memory_copy: (dst: Memory, src: Memory, size: bigint) => number;
  hsa_memory_assign_agent: (ptr: bigint, agent: bigint, access: number) => number;
  hsa_signal_create: (initial_value: bigint, num_consumers: number, consumers: readonly bigint[] | null, signal: Ref<bigint>) => number;
  hsa_signal_destroy: (signal: bigint) => number;
  hsa_signal_load_relaxed: (signal: bigint) => bigint;
  hsa_signal_load_scacquire: (signal: bigint) => bigint;
  hsa_signal_store_relaxed: (signal: bigint, value: bigint) => void;
  hsa_signal_store_screlease: (signal: bigint, value: bigint) => void;
  hsa_signal_wait_relaxed: (signal: bigint, condition: number, compare_value: bigint, timeout_hint: bigint, wait_state_hint: number) => bigint;
  hsa_signal_wait_scacquire: (signal: bigint, condition: number, compare_value: bigint, timeout_hint: bigint, wait_state_hint: number) => bigint;
  hsa_signal_and_relaxed: (signal: bigint, value: bigint) => void;
  hsa_signal_and_scacquire: (signal: bigint, value: bigint) => void;
  hsa_signal_and_screlease: (signal: bigint, value: bigint) => void;
  hsa_signal_and_scacq_screl: (signal: bigint, value: bigint) => void;
  hsa_signal_or_relaxed: (signal: bigint, value: bigint) => void;
  hsa_signal_or_scacquire: (signal: bigint, value: bigint) => void;
  hsa_signal_or_screlease: (signal: bigint, value: bigint) => void;
  hsa_signal_or_scacq_screl: (signal: bigint, value: bigint) => void;
  hsa_signal_xor_relaxed: (signal: bigint, value: bigint) => void;
  hsa_signal_xor_scacquire: (signal: bigint, value: bigint) => void;
  hsa_signal_xor_screlease: (signal: bigint, value: bigint) => void;
  hsa_signal_xor_scacq_screl: (signal: bigint, value: bigint) => void;
  hsa_signal_exchange_relaxed: (signal: bigint, value: bigint) => bigint;
  hsa_signal_exchange_scacquire: (signal: bigint, value: bigint) => bigint;
  hsa_signal_exchange_screlease: (signal: bigint, value: bigint) => bigint;
  hsa_signal_exchange_scacq_screl: (signal: bigint, value: bigint) => bigint;
  hsa_signal_add_relaxed: (signal: bigint, value: bigint) => void;
  hsa_signal_add_scacquire: (signal: bigint, value: bigint) => void;
  hsa_signal_add_screlease: (signal: bigint, value: bigint) => void;
  hsa_signal_add_scacq_screl: (signal: bigint, value: bigint) => void;
  hsa_signal_subtract_relaxed: (signal: bigint, value: bigint) => void;
  hsa_signal_subtract_scacquire: (signal: bigint, value: bigint) => void;
  hsa_signal_subtract_screlease: (signal: bigint, value: bigint) => void;
  hsa_signal_subtract_scacq_screl: (signal: bigint, value: bigint) => void;
  hsa_signal_cas_relaxed: (signal: bigint, expected: bigint, value: bigint) => bigint;
  hsa_signal_cas_scacquire: (signal: bigint, expected: bigint, value: bigint) => bigint;
  hsa_signal_cas_screlease: (signal: bigint, expected: bigint, value: bigint) => bigint;
  hsa_signal_cas_scacq_screl: (signal: bigint, expected: bigint, value: bigint) => bigint;
  hsa_isa_from_name: (name: string, isa: Ref<bigint>) => number;
  hsa_isa_get_info: (isa: bigint, attribute: number, index: number, value: Ref<unknown>) => number;
  hsa_isa_compatible: (code_object_isa: bigint, agent_isa: bigint, result: Ref<boolean>) => number;
  hsa_code_object_serialize: (code_object: bigint, alloc_callback: SerializeAllocCallback, callback_data: unknown, options: string | null, serialized_code_object: Ref<bigint>, serialized_code_object_size: Ref<bigint>) => number;
  hsa_code_object_deserialize: (serialized_code_object: Memory, serialized_code_object_size: bigint, options: string | null, code_object: Ref<bigint>) => number;
  hsa_code_object_destroy: (code_object: bigint) => number;
  hsa_code_object_get_info: (code_object: bigint, attribute: number, value: Ref<unknown>) => number;
  hsa_code_object_get_symbol: (code_object: bigint, symbol_name: string, symbol: Ref<bigint>) => number;
  hsa_code_symbol_get_info: (code_symbol: bigint, attribute: number, value: Ref<unknown>) => number;
  hsa_code_object_iterate_symbols: (code_object: bigint, callback: CodeSymbolCallback, data: unknown) => number;
  hsa_executable_create: (profile: number, executable_state: number, options: string | null, executable: Ref<bigint>) => number;
  hsa_executable_destroy: (executable: bigint) => number;
  hsa_executable_load_code_object: (executable: bigint, agent: bigint, code_object: bigint, options: string | null) => number;
  hsa_executable_freeze: (executable: bigint, options: string | null) => number;
  hsa_executable_get_info: (executable: bigint, attribute: number, value: Ref<unknown>) => number;
  hsa_executable_global_variable_define: (executable: bigint, variable_name: string, address: bigint) => number;
  hsa_executable_agent_global_variable_define: (executable: bigint, agent: bigint, variable_name: string, address: bigint) => number;
  hsa_executable_readonly_variable_define: (executable: bigint, agent: bigint, variable_name: string, address: bigint) => number;
  hsa_executable_validate: (executable: bigint, result: Ref<number>) => number;
  hsa_executable_get_symbol: (executable: bigint, module_name: string | null, symbol_name: string, agent: bigint, call_convention: number, symbol: Ref<bigint>) => number;
  hsa_executable_symbol_get_info: (executable_symbol: bigint, attribute: number, value: Ref<unknown>) => number;
  hsa_executable_iterate_symbols: (executable: bigint, callback: ProgramSymbolCallback, data: unknown) => number;
  hsa_status_string: (status: number, status_string: Ref<string>) => number;
  hsa_extension_get_name: (extension: number, name: Ref<string>) => number;
  hsa_system_major_extension_supported: (extension: number, version_major: number, version_minor: Ref<number>, result: Ref<boolean>) => number;
  hsa_system_get_major_extension_table: (extension: number, version_major: number, table_length: bigint, table: Ref<unknown>) => number;
  hsa_agent_major_extension_supported: (extension: number, agent: bigint, version_major: number, version_minor: Ref<number>, result: Ref<boolean>) => number;
  hsa_cache_get_info: (cache: bigint, attribute: number, value: Ref<unknown>) => number;
  hsa_agent_iterate_caches: (agent: bigint, callback: CacheCallback, data: unknown) => number;
  hsa_signal_silent_store_relaxed: (signal: bigint, value: bigint) => void;
  hsa_signal_silent_store_screlease: (signal: bigint, value: bigint) => void;
  hsa_signal_group_create: (num_signals: number, signals: readonly bigint[], num_consumers: number, consumers: readonly bigint[] | null, signal_group: Ref<bigint>) => number;
  hsa_signal_group_destroy: (signal_group: bigint) => number;
  hsa_signal_group_wait_any_scacquire: (signal_group: bigint, conditions: readonly number[], compare_values: readonly bigint[], wait_state_hint: number, signal: Ref<bigint>, value: Ref<bigint> | null) => number;
  hsa_signal_group_wait_any_relaxed: (signal_group: bigint, conditions: readonly number[], compare_values: readonly bigint[], wait_state_hint: number, signal: Ref<bigint>, value: Ref<bigint> | null) => number;
  hsa_agent_iterate_isas: (agent: bigint, callback: IsaCallback, data: unknown) => number;
  hsa_isa_get_info_alt: (isa: bigint, attribute: number, value: Ref<unknown>) => number;
  hsa_isa_get_exception_policies: (isa: bigint, profile: number, mask: Ref<number>) => number;
  hsa_isa_get_round_method: (isa: bigint, fp_type: number, flush_mode: number, round_method: Ref<number>) => number;
  hsa_wavefront_get_info: (wavefront: bigint, attribute: number, value: Ref<unknown>) => number;
  hsa_isa_iterate_wavefronts: (isa: bigint, callback: WavefrontCallback, data: unknown) => number;
  hsa_code_object_get_symbol_from_name: (code_object: bigint, module_name: string | null, symbol_name: string, symbol: Ref<bigint>) => number;
  hsa_code_object_reader_create_from_file: (file: number, code_object_reader: Ref<bigint>) => number;
  hsa_code_object_reader_create_from_memory: (code_object: Memory, size: bigint, code_object_reader: Ref<bigint>) => number;
  hsa_code_object_reader_destroy: (code_object_reader: bigint) => number;
  hsa_executable_create_alt: (profile: number, default_float_rounding_mode: number, options: string | null, executable: Ref<bigint>) => number;
  hsa_executable_load_program_code_object: (executable: bigint, code_object_reader: bigint, options: string | null, loaded_code_object: Ref<bigint> | null) => number;
  hsa_executable_load_agent_code_object: (executable: bigint, agent: bigint, code_object_reader: bigint, options: string | null, loaded_code_object: Ref<bigint> | null) => number;
  hsa_executable_validate_alt: (executable: bigint, options: string | null, result: Ref<number>) => number;
  hsa_executable_get_symbol_by_name: (executable: bigint, symbol_name: string, agent: bigint | null, symbol: Ref<bigint>) => number;
  hsa_executable_iterate_agent_symbols: (executable: bigint, agent: bigint, callback: AgentSymbolCallback, data: unknown) => number;
  hsa_executable_iterate_program_symbols: (executable: bigint, callback: ProgramSymbolCallback, data: unknown) => number;
}

/** Slots of the table, in their order, as C declares them. */
export interface AmdExtApi {
  hsa_amd_coherency_get_type: (agent: bigint, type: Ref<number>) => number;
  hsa_amd_coherency_set_type: (agent: bigint, type: number) => number;
  hsa_amd_profiling_set_profiler_enabled: (queue: bigint, enable: number) => number;
  hsa_amd_profiling_async_copy_enable: (enable: boolean) => number;
  hsa_amd_profiling_get_dispatch_time: (agent: bigint, signal: bigint, time: Ref<hsa_amd_profiling_dispatch_time_t>) => number;
  hsa_amd_profiling_get_async_copy_time: (signal: bigint, time: Ref<hsa_amd_profiling_async_copy_time_t>) => number;
  hsa_amd_profiling_convert_tick_to_system_domain: (agent: bigint, agent_tick: bigint, system_tick: Ref<bigint>) => number;
  hsa_amd_signal_async_handler: (signal: bigint, cond: number, value: bigint, handler: SignalHandler | null, arg: unknown) => number;
  hsa_amd_async_function: (callback: AsyncFunctionCallback, arg: unknown) => number;
  hsa_amd_signal_wait_any: (signal_count: number, signals: readonly bigint[], conds: readonly number[], values: readonly bigint[], timeout_hint: bigint, wait_hint: number, satisfying_value: Ref<bigint> | null) => number;
  hsa_amd_queue_cu_set_mask: (queue: bigint, num_cu_mask_count: number, cu_mask: readonly number[] | null) => number;
  hsa_amd_memory_pool_get_info: (memory_pool: bigint, attribute: number, value: Ref<unknown>) => number;
  hsa_amd_agent_iterate_memory_pools: (agent: bigint, callback: MemoryPoolCallback, data: unknown) => number;
  hsa_amd_memory_pool_allocate: (memory_pool: bigint, size: bigint, flags: number, ptr: Ref<bigint>) => number;
  hsa_amd_memory_pool_free: (ptr: bigint) => number;
  hsa_amd_memory_async_copy: (dst: bigint, dst_agent: bigint, src: bigint, src_agent: bigint, size: bigint, num_dep_signals: number, dep_signals: readonly bigint[] | null, completion_signal: bigint) => number;
  hsa_amd_memory_async_copy_on_engine: (dst: bigint, dst_agent: bigint, src: bigint, src_agent: bigint, size: bigint, num_dep_signals: number, dep_signals: readonly bigint[] | null, completion_signal: bigint, engine_id: number, force_copy_on_sdma: boolean) => number;
  hsa_amd_memory_copy_engine_status: (dst_agent: bigint, src_agent: bigint, engine_ids_mask: Ref<number>) => number;
  hsa_amd_agent_memory_pool_get_info: (agent: bigint, memory_pool: bigint, attribute: number, value: Ref<unknown>) => number;
  hsa_amd_agents_allow_access: (num_agents: number, agents: readonly bigint[], flags: readonly number[] | null, ptr: bigint) => number;
  hsa_amd_memory_pool_can_migrate: (src_memory_pool: bigint, dst_memory_pool: bigint, result: Ref<boolean>) => number;
  hsa_amd_memory_migrate: (ptr: bigint, memory_pool: bigint, flags: number) => number;
  hsa_amd_memory_lock: (host_ptr: bigint, size: bigint, agents: readonly bigint[] | null, num_agent: number, agent_ptr: Ref<bigint>) => number;
  hsa_amd_memory_unlock: (host_ptr: bigint) => number;
  hsa_amd_memory_fill: (ptr: bigint, value: number, count: bigint) => number;
  hsa_amd_interop_map_buffer: (num_agents: number, agents: readonly bigint[], interop_handle: number, flags: number, size: Ref<bigint>, ptr: Ref<bigint>, metadata_size: Ref<bigint> | null, metadata: Ref<bigint> | null) => number;
  hsa_amd_interop_unmap_buffer: (ptr: bigint) => number;
  hsa_amd_image_create: (agent: bigint, image_descriptor: hsa_ext_image_descriptor_t, image_layout: hsa_amd_image_descriptor_t, image_data: bigint, access_permission: number, image: Ref<bigint>) => number;
  hsa_amd_pointer_info: (ptr: bigint, info: Ref<hsa_amd_pointer_info_t>, alloc: AllocCallback | null, num_agents_accessible: Ref<number> | null, accessible: Ref<readonly bigint[]> | null) => number;
  hsa_amd_pointer_info_set_userdata: (ptr: bigint, userdata: bigint) => number;
  hsa_amd_ipc_memory_create: (ptr: bigint, len: bigint, handle: Ref<hsa_amd_ipc_memory_t>) => number;
  hsa_amd_ipc_memory_attach: (handle: hsa_amd_ipc_memory_t, len: bigint, num_agents: number, mapping_agents: readonly bigint[], mapped_ptr: Ref<bigint>) => number;
  hsa_amd_ipc_memory_detach: (mapped_ptr: bigint) => number;
  hsa_amd_signal_create: (initial_value: bigint, num_consumers: number, consumers: readonly bigint[] | null, attributes: bigint, signal: Ref<bigint>) => number;
  hsa_amd_ipc_signal_create: (signal: bigint, handle: Ref<hsa_amd_ipc_memory_t>) => number;
  hsa_amd_ipc_signal_attach: (handle: hsa_amd_ipc_memory_t, signal: Ref<bigint>) => number;
  hsa_amd_register_system_event_handler: (callback: SystemEventCallback, data: unknown) => number;
  hsa_amd_queue_intercept_create: (agent_handle: bigint, size: number, type: number, callback: QueueErrorCallback | null, data: unknown, private_segment_size: number, group_segment_size: number, queue: Ref<bigint>) => number;
  hsa_amd_queue_intercept_register: (queue: bigint, callback: PacketInterceptHandler, user_data: unknown) => number;
  hsa_amd_queue_set_priority: (queue: bigint, priority: number) => number;
  hsa_amd_memory_async_copy_rect: (dst: hsa_pitched_ptr_t, dst_offset: hsa_dim3_t, src: hsa_pitched_ptr_t, src_offset: hsa_dim3_t, range: hsa_dim3_t, copy_agent: bigint, dir: number, num_dep_signals: number, dep_signals: readonly bigint[] | null, completion_signal: bigint) => number;
  hsa_amd_runtime_queue_create_register: (callback: QueueCreateCallback, user_data: unknown) => number;
  hsa_amd_memory_lock_to_pool: (host_ptr: bigint, size: bigint, agents: readonly bigint[] | null, num_agent: number, pool: bigint, flags: number, agent_ptr: Ref<bigint>) => number;
  hsa_amd_register_deallocation_callback: (ptr: bigint, callback: DeallocationCallback, user_data: unknown) => number;
  hsa_amd_deregister_deallocation_callback: (ptr: bigint, callback: DeallocationCallback) => number;
  hsa_amd_signal_value_pointer: (signal: bigint, value_ptr: Ref<bigint>) => number;
  hsa_amd_svm_attributes_set: (ptr: bigint, size: bigint, attribute_list: readonly hsa_amd_svm_attribute_pair_t[], attribute_count: bigint) => number;
  hsa_amd_svm_attributes_get: (ptr: bigint, size: bigint, attribute_list: Ref<readonly hsa_amd_svm_attribute_pair_t[]>, attribute_count: bigint) => number;
  hsa_amd_svm_prefetch_async: (ptr: bigint, size: bigint, agent: bigint, num_dep_signals: number, dep_signals: readonly bigint[] | null, completion_signal: bigint) => number;
  hsa_amd_spm_acquire: (preferred_agent: bigint) => number;
  hsa_amd_spm_release: (preferred_agent: bigint) => number;
  hsa_amd_spm_set_dest_buffer: (preferred_agent: bigint, size_in_bytes: bigint, timeout: Ref<number> | null, size_copied: Ref<number> | null, dest: bigint, is_data_loss: Ref<boolean> | null) => number;
  hsa_amd_queue_cu_get_mask: (queue: bigint, num_cu_mask_count: number, cu_mask: Ref<readonly number[]>) => number;
  hsa_amd_portable_export_dmabuf: (ptr: bigint, size: bigint, dmabuf: Ref<number>, offset: Ref<bigint>) => number;
  hsa_amd_portable_close_dmabuf: (dmabuf: number) => number;
  hsa_amd_vmem_address_reserve: (va: Ref<bigint>, size: bigint, address: bigint, flags: bigint) => number;
  hsa_amd_vmem_address_free: (va: bigint, size: bigint) => number;
  hsa_amd_vmem_handle_create: (pool: bigint, size: bigint, type: number, flags: bigint, memory_handle: Ref<bigint>) => number;
  hsa_amd_vmem_handle_release: (memory_handle: bigint) => number;
  hsa_amd_vmem_map: (va: bigint, size: bigint, in_offset: bigint, memory_handle: bigint, flags: bigint) => number;
  hsa_amd_vmem_unmap: (va: bigint, size: bigint) => number;
  hsa_amd_vmem_set_access: (va: bigint, size: bigint, desc: readonly hsa_amd_memory_access_desc_t[], desc_cnt: bigint) => number;
  hsa_amd_vmem_get_access: (va: bigint, perms: Ref<number>, agent_handle: bigint) => number;
  hsa_amd_vmem_export_shareable_handle: (dmabuf_fd: Ref<number>, handle: bigint, flags: bigint) => number;
  hsa_amd_vmem_import_shareable_handle: (dmabuf_fd: number, handle: Ref<bigint>) => number;
  hsa_amd_vmem_retain_alloc_handle: (memory_handle: Ref<bigint>, addr: bigint) => number;
  hsa_amd_vmem_get_alloc_properties_from_handle: (memory_handle: bigint, pool: Ref<bigint>, type: Ref<number>) => number;
  hsa_amd_agent_set_async_scratch_limit: (agent: bigint, threshold: bigint) => number;
  hsa_amd_queue_get_info: (queue: bigint, attribute: number, value: Ref<unknown>) => number;
  hsa_amd_vmem_address_reserve_align: (va: Ref<bigint>, size: bigint, address: bigint, alignment: bigint, flags: bigint) => number;
  hsa_amd_enable_logging: (flags: readonly number[] | null, file: bigint) => number;
  hsa_amd_signal_wait_all: (signal_count: number, signals: readonly bigint[], conds: readonly number[], values: readonly bigint[], timeout_hint: bigint, wait_hint: number, satisfying_values: Ref<readonly bigint[]> | null) => number;
  hsa_amd_memory_get_preferred_copy_engine: (dst_agent: bigint, src_agent: bigint, recommended_ids_mask: Ref<number>) => number;
  hsa_amd_portable_export_dmabuf_v2: (ptr: bigint, size: bigint, dmabuf: Ref<number>, offset: Ref<bigint>, flags: bigint) => number;
}

/** Slots of the table, in their order, as C declares them. */
export interface FinalizerExtApi {
  hsa_ext_program_create: (machine_model: number, profile: number, default_float_rounding_mode: number, options: string | null, program: Ref<bigint>) => number;
  hsa_ext_program_destroy: (program: bigint) => number;
  hsa_ext_program_add_module: (program: bigint, module: bigint) => number;
  hsa_ext_program_iterate_modules: (program: bigint, callback: ModuleCallback, data: unknown) => number;
  hsa_ext_program_get_info: (program: bigint, attribute: number, value: Ref<unknown>) => number;
  hsa_ext_program_finalize: (program: bigint, isa: bigint, call_convention: number, control_directives: hsa_ext_control_directives_t, options: string | null, code_object_type: number, code_object: Ref<bigint>) => number;
}

/** Slots of the table, in their order, as C declares them. */
export interface ImageExtApi {
  hsa_ext_image_get_capability: (agent: bigint, geometry: number, image_format: hsa_ext_image_format_t, capability_mask: Ref<number>) => number;
  hsa_ext_image_data_get_info: (agent: bigint, image_descriptor: hsa_ext_image_descriptor_t, access_permission: number, image_data_info: Ref<hsa_ext_image_data_info_t>) => number;
  hsa_ext_image_create: (agent: bigint, image_descriptor: hsa_ext_image_descriptor_t, image_data: bigint, access_permission: number, image: Ref<bigint>) => number;
  hsa_ext_image_import: (agent: bigint, src_memory: bigint, src_row_pitch: bigint, src_slice_pitch: bigint, dst_image: bigint, image_region: hsa_ext_image_region_t) => number;
  hsa_ext_image_export: (agent: bigint, src_image: bigint, dst_memory: bigint, dst_row_pitch: bigint, dst_slice_pitch: bigint, image_region: hsa_ext_image_region_t) => number;
  hsa_ext_image_copy: (agent: bigint, src_image: bigint, src_offset: hsa_dim3_t, dst_image: bigint, dst_offset: hsa_dim3_t, range: hsa_dim3_t) => number;
  hsa_ext_image_clear: (agent: bigint, image: bigint, data: bigint, image_region: hsa_ext_image_region_t) => number;
  hsa_ext_image_destroy: (agent: bigint, image: bigint) => number;
  hsa_ext_sampler_create: (agent: bigint, sampler_descriptor: hsa_ext_sampler_descriptor_t, sampler: Ref<bigint>) => number;
  hsa_ext_sampler_destroy: (agent: bigint, sampler: bigint) => number;
  hsa_ext_image_get_capability_with_layout: (agent: bigint, geometry: number, image_format: hsa_ext_image_format_t, image_data_layout: number, capability_mask: Ref<number>) => number;
  hsa_ext_image_data_get_info_with_layout: (agent: bigint, image_descriptor: hsa_ext_image_descriptor_t, access_permission: number, image_data_layout: number, image_data_row_pitch: bigint, image_data_slice_pitch: bigint, image_data_info: Ref<hsa_ext_image_data_info_t>) => number;
  hsa_ext_image_create_with_layout: (agent: bigint, image_descriptor: hsa_ext_image_descriptor_t, image_data: bigint, access_permission: number, image_data_layout: number, image_data_row_pitch: bigint, image_data_slice_pitch: bigint, image: Ref<bigint>) => number;
  hsa_ext_sampler_create_v2: (agent: bigint, sampler_descriptor: hsa_ext_sampler_descriptor_v2_t, sampler: Ref<bigint>) => number;
}

/** Slots of the table, in their order, as C declares them. */
export interface ToolsApi {
  hsa_amd_tool_scratch_event_alloc_start: ((event: hsa_amd_event_scratch_alloc_start_t) => number) | null;
  hsa_amd_tool_scratch_event_alloc_end: ((event: hsa_amd_event_scratch_alloc_end_t) => number) | null;
  hsa_amd_tool_scratch_event_free_start: ((event: hsa_amd_event_scratch_free_start_t) => number) | null;
  hsa_amd_tool_scratch_event_free_end: ((event: hsa_amd_event_scratch_free_end_t) => number) | null;
  hsa_amd_tool_scratch_event_async_reclaim_start: ((event: hsa_amd_event_scratch_async_reclaim_start_t) => number) | null;
  hsa_amd_tool_scratch_event_async_reclaim_end: ((event: hsa_amd_event_scratch_async_reclaim_end_t) => number) | null;
}

/** Slots of the table, in their order, as C declares them. */
export interface PcSamplingExtApi {
  hsa_ven_amd_pcs_iterate_configuration: (agent: bigint, configuration_callback: PcSamplingConfigurationCallback, callback_data: unknown) => number;
  hsa_ven_amd_pcs_create: (agent: bigint, method: number, units: number, interval: bigint, latency: bigint, buffer_size: bigint, data_ready_callback: PcSamplingReadyCallback, client_callback_data: unknown, pc_sampling: Ref<bigint>) => number;
  hsa_ven_amd_pcs_create_from_id: (pcs_id: number, agent: bigint, method: number, units: number, interval: bigint, latency: bigint, buffer_size: bigint, data_ready_callback: PcSamplingReadyCallback, client_callback_data: unknown, pc_sampling: Ref<bigint>) => number;
  hsa_ven_amd_pcs_destroy: (pc_sampling: bigint) => number;
  hsa_ven_amd_pcs_start: (pc_sampling: bigint) => number;
  hsa_ven_amd_pcs_stop: (pc_sampling: bigint) => number;
  hsa_ven_amd_pcs_flush: (pc_sampling: bigint) => number;
}

export interface HsaTableTypes {
  readonly core: CoreApi;
  readonly amdExt: AmdExtApi;
  readonly finalizerExt: FinalizerExtApi;
  readonly imageExt: ImageExtApi;
  readonly tools: ToolsApi;
  readonly pcSamplingExt: PcSamplingExtApi;
}

export type HsaTableName = keyof HsaTableTypes;

export type HsaCallbackName = 'AgentCallback' | 'RegionCallback' | 'CacheCallback' | 'IsaCallback' | 'WavefrontCallback' | 'MemoryPoolCallback' | 'CodeSymbolCallback' | 'ProgramSymbolCallback' | 'AgentSymbolCallback' | 'ModuleCallback' | 'SerializeAllocCallback' | 'QueueErrorCallback' | 'AsyncFunctionCallback' | 'AllocCallback' | 'SignalHandler' | 'SystemEventCallback' | 'DeallocationCallback' | 'PacketWriter' | 'PacketInterceptHandler' | 'QueueCreateCallback' | 'PcSamplingCopyCallback' | 'PcSamplingReadyCallback' | 'PcSamplingConfigurationCallback';

export type HsaFunctionName = keyof CoreApi | keyof AmdExtApi | keyof FinalizerExtApi | keyof ImageExtApi | keyof ToolsApi | keyof PcSamplingExtApi;
