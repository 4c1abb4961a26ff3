// Made by tools/abi-generator (npm run generate). Do not edit.
// Source: ROCR-Runtime headers of October 2024 (runtime/hsa-runtime/inc), additions of 2025-08

import type { HsaCallback, HsaFunction, HsaTable } from '../hsa-signature.js';
import { lazyRecord } from '../lazy-record.js';
import type { HsaCallbackName, HsaFunctionName, HsaTableName } from './hsa-tables.js';

export const HSA_FUNCTIONS: { readonly [K in HsaFunctionName]: HsaFunction } = /* @__PURE__ */ lazyRecord<HsaFunctionName, HsaFunction>({
  hsa_init: function () {
    return {
    name: 'hsa_init',
    returns: 'hsa_status_t',
    params: [],
    };
  },
  hsa_shut_down: function () {
    return {
    name: 'hsa_shut_down',
    returns: 'hsa_status_t',
    params: [],
    };
  },
  hsa_system_get_info: function () {
    return {
    name: 'hsa_system_get_info',
    returns: 'hsa_status_t',
    params: [
      { name: 'attribute', cType: 'hsa_system_info_t', kind: 'u32' },
      { name: 'value', cType: 'void *', kind: 'out-any' },
    ],
    };
  },
  hsa_system_extension_supported: function () {
    return {
    name: 'hsa_system_extension_supported',
    returns: 'hsa_status_t',
    params: [
      { name: 'extension', cType: 'uint16_t', kind: 'u16' },
      { name: 'version_major', cType: 'uint16_t', kind: 'u16' },
      { name: 'version_minor', cType: 'uint16_t', kind: 'u16' },
      { name: 'result', cType: 'bool *', kind: 'out', element: 'bool' },
    ],
    };
  },
  hsa_system_get_extension_table: function () {
    return {
    name: 'hsa_system_get_extension_table',
    returns: 'hsa_status_t',
    params: [
      { name: 'extension', cType: 'uint16_t', kind: 'u16' },
      { name: 'version_major', cType: 'uint16_t', kind: 'u16' },
      { name: 'version_minor', cType: 'uint16_t', kind: 'u16' },
      { name: 'table', cType: 'void *', kind: 'out-any' },
    ],
    };
  },
  hsa_iterate_agents: function () {
    return {
    name: 'hsa_iterate_agents',
    returns: 'hsa_status_t',
    params: [
      { name: 'callback', cType: 'hsa_status_t (*)(hsa_agent_t, void *)', kind: 'callback', callback: 'AgentCallback' },
      { name: 'data', cType: 'void *', kind: 'user-data' },
    ],
    };
  },
  hsa_agent_get_info: function () {
    return {
    name: 'hsa_agent_get_info',
    returns: 'hsa_status_t',
    params: [
      { name: 'agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'attribute', cType: 'hsa_agent_info_t', kind: 'u32' },
      { name: 'value', cType: 'void *', kind: 'out-any' },
    ],
    };
  },
  hsa_queue_create: function () {
    return {
    name: 'hsa_queue_create',
    returns: 'hsa_status_t',
    params: [
      { name: 'agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'size', cType: 'uint32_t', kind: 'u32' },
      { name: 'type', cType: 'hsa_queue_type32_t', kind: 'u32' },
      { name: 'callback', cType: 'void (*)(hsa_status_t, hsa_queue_t *, void *)', kind: 'callback', callback: 'QueueErrorCallback', nullable: true },
      { name: 'data', cType: 'void *', kind: 'user-data' },
      { name: 'private_segment_size', cType: 'uint32_t', kind: 'u32' },
      { name: 'group_segment_size', cType: 'uint32_t', kind: 'u32' },
      { name: 'queue', cType: 'hsa_queue_t **', kind: 'out', element: 'pointer' },
    ],
    };
  },
  hsa_soft_queue_create: function () {
    return {
    name: 'hsa_soft_queue_create',
    returns: 'hsa_status_t',
    params: [
      { name: 'region', cType: 'hsa_region_t', kind: 'handle' },
      { name: 'size', cType: 'uint32_t', kind: 'u32' },
      { name: 'type', cType: 'hsa_queue_type32_t', kind: 'u32' },
      { name: 'features', cType: 'uint32_t', kind: 'u32' },
      { name: 'doorbell_signal', cType: 'hsa_signal_t', kind: 'handle' },
      { name: 'queue', cType: 'hsa_queue_t **', kind: 'out', element: 'pointer' },
    ],
    };
  },
  hsa_queue_destroy: function () {
    return {
    name: 'hsa_queue_destroy',
    returns: 'hsa_status_t',
    params: [
      { name: 'queue', cType: 'hsa_queue_t *', kind: 'pointer' },
    ],
    };
  },
  hsa_queue_inactivate: function () {
    return {
    name: 'hsa_queue_inactivate',
    returns: 'hsa_status_t',
    params: [
      { name: 'queue', cType: 'hsa_queue_t *', kind: 'pointer' },
    ],
    };
  },
  hsa_queue_load_read_index_scacquire: function () {
    return {
    name: 'hsa_queue_load_read_index_scacquire',
    returns: 'uint64_t',
    params: [
      { name: 'queue', cType: 'const hsa_queue_t *', kind: 'pointer' },
    ],
    };
  },
  hsa_queue_load_read_index_relaxed: function () {
    return {
    name: 'hsa_queue_load_read_index_relaxed',
    returns: 'uint64_t',
    params: [
      { name: 'queue', cType: 'const hsa_queue_t *', kind: 'pointer' },
    ],
    };
  },
  hsa_queue_load_write_index_scacquire: function () {
    return {
    name: 'hsa_queue_load_write_index_scacquire',
    returns: 'uint64_t',
    params: [
      { name: 'queue', cType: 'const hsa_queue_t *', kind: 'pointer' },
    ],
    };
  },
  hsa_queue_load_write_index_relaxed: function () {
    return {
    name: 'hsa_queue_load_write_index_relaxed',
    returns: 'uint64_t',
    params: [
      { name: 'queue', cType: 'const hsa_queue_t *', kind: 'pointer' },
    ],
    };
  },
  hsa_queue_store_write_index_relaxed: function () {
    return {
    name: 'hsa_queue_store_write_index_relaxed',
    returns: 'void',
    params: [
      { name: 'queue', cType: 'const hsa_queue_t *', kind: 'pointer' },
      { name: 'value', cType: 'uint64_t', kind: 'u64' },
    ],
    };
  },
  hsa_queue_store_write_index_screlease: function () {
    return {
    name: 'hsa_queue_store_write_index_screlease',
    returns: 'void',
    params: [
      { name: 'queue', cType: 'const hsa_queue_t *', kind: 'pointer' },
      { name: 'value', cType: 'uint64_t', kind: 'u64' },
    ],
    };
  },
  hsa_queue_cas_write_index_scacq_screl: function () {
    return {
    name: 'hsa_queue_cas_write_index_scacq_screl',
    returns: 'uint64_t',
    params: [
      { name: 'queue', cType: 'const hsa_queue_t *', kind: 'pointer' },
      { name: 'expected', cType: 'uint64_t', kind: 'u64' },
      { name: 'value', cType: 'uint64_t', kind: 'u64' },
    ],
    };
  },
  hsa_queue_cas_write_index_scacquire: function () {
    return {
    name: 'hsa_queue_cas_write_index_scacquire',
    returns: 'uint64_t',
    params: [
      { name: 'queue', cType: 'const hsa_queue_t *', kind: 'pointer' },
      { name: 'expected', cType: 'uint64_t', kind: 'u64' },
      { name: 'value', cType: 'uint64_t', kind: 'u64' },
    ],
    };
  },
  hsa_queue_cas_write_index_relaxed: function () {
    return {
    name: 'hsa_queue_cas_write_index_relaxed',
    returns: 'uint64_t',
    params: [
      { name: 'queue', cType: 'const hsa_queue_t *', kind: 'pointer' },
      { name: 'expected', cType: 'uint64_t', kind: 'u64' },
      { name: 'value', cType: 'uint64_t', kind: 'u64' },
    ],
    };
  },
  hsa_queue_cas_write_index_screlease: function () {
    return {
    name: 'hsa_queue_cas_write_index_screlease',
    returns: 'uint64_t',
    params: [
      { name: 'queue', cType: 'const hsa_queue_t *', kind: 'pointer' },
      { name: 'expected', cType: 'uint64_t', kind: 'u64' },
      { name: 'value', cType: 'uint64_t', kind: 'u64' },
    ],
    };
  },
  hsa_queue_add_write_index_scacq_screl: function () {
    return {
    name: 'hsa_queue_add_write_index_scacq_screl',
    returns: 'uint64_t',
    params: [
      { name: 'queue', cType: 'const hsa_queue_t *', kind: 'pointer' },
      { name: 'value', cType: 'uint64_t', kind: 'u64' },
    ],
    };
  },
  hsa_queue_add_write_index_scacquire: function () {
    return {
    name: 'hsa_queue_add_write_index_scacquire',
    returns: 'uint64_t',
    params: [
      { name: 'queue', cType: 'const hsa_queue_t *', kind: 'pointer' },
      { name: 'value', cType: 'uint64_t', kind: 'u64' },
    ],
    };
  },
  hsa_queue_add_write_index_relaxed: function () {
    return {
    name: 'hsa_queue_add_write_index_relaxed',
    returns: 'uint64_t',
    params: [
      { name: 'queue', cType: 'const hsa_queue_t *', kind: 'pointer' },
      { name: 'value', cType: 'uint64_t', kind: 'u64' },
    ],
    };
  },
  hsa_queue_add_write_index_screlease: function () {
    return {
    name: 'hsa_queue_add_write_index_screlease',
    returns: 'uint64_t',
    params: [
      { name: 'queue', cType: 'const hsa_queue_t *', kind: 'pointer' },
      { name: 'value', cType: 'uint64_t', kind: 'u64' },
    ],
    };
  },
  hsa_queue_store_read_index_relaxed: function () {
    return {
    name: 'hsa_queue_store_read_index_relaxed',
    returns: 'void',
    params: [
      { name: 'queue', cType: 'const hsa_queue_t *', kind: 'pointer' },
      { name: 'value', cType: 'uint64_t', kind: 'u64' },
    ],
    };
  },
  hsa_queue_store_read_index_screlease: function () {
    return {
    name: 'hsa_queue_store_read_index_screlease',
    returns: 'void',
    params: [
      { name: 'queue', cType: 'const hsa_queue_t *', kind: 'pointer' },
      { name: 'value', cType: 'uint64_t', kind: 'u64' },
    ],
    };
  },
  hsa_agent_iterate_regions: function () {
    return {
    name: 'hsa_agent_iterate_regions',
    returns: 'hsa_status_t',
    params: [
      { name: 'agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'callback', cType: 'hsa_status_t (*)(hsa_region_t, void *)', kind: 'callback', callback: 'RegionCallback' },
      { name: 'data', cType: 'void *', kind: 'user-data' },
    ],
    };
  },
  hsa_region_get_info: function () {
    return {
    name: 'hsa_region_get_info',
    returns: 'hsa_status_t',
    params: [
      { name: 'region', cType: 'hsa_region_t', kind: 'handle' },
      { name: 'attribute', cType: 'hsa_region_info_t', kind: 'u32' },
      { name: 'value', cType: 'void *', kind: 'out-any' },
    ],
    };
  },
  hsa_agent_get_exception_policies: function () {
    return {
    name: 'hsa_agent_get_exception_policies',
    returns: 'hsa_status_t',
    params: [
      { name: 'agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'profile', cType: 'hsa_profile_t', kind: 'u32' },
      { name: 'mask', cType: 'uint16_t *', kind: 'out', element: 'u16' },
    ],
    };
  },
  hsa_agent_extension_supported: function () {
    return {
    name: 'hsa_agent_extension_supported',
    returns: 'hsa_status_t',
    params: [
      { name: 'extension', cType: 'uint16_t', kind: 'u16' },
      { name: 'agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'version_major', cType: 'uint16_t', kind: 'u16' },
      { name: 'version_minor', cType: 'uint16_t', kind: 'u16' },
      { name: 'result', cType: 'bool *', kind: 'out', element: 'bool' },
    ],
    };
  },
  hsa_memory_register: function () {
    return {
    name: 'hsa_memory_register',
    returns: 'hsa_status_t',
    params: [
      { name: 'ptr', cType: 'void *', kind: 'pointer' },
      { name: 'size', cType: 'size_t', kind: 'u64' },
    ],
    };
  },
  hsa_memory_deregister: function () {
    return {
    name: 'hsa_memory_deregister',
    returns: 'hsa_status_t',
    params: [
      { name: 'ptr', cType: 'void *', kind: 'pointer' },
      { name: 'size', cType: 'size_t', kind: 'u64' },
    ],
    };
  },
  hsa_memory_allocate: function () {
    return {
    name: 'hsa_memory_allocate',
    returns: 'hsa_status_t',
    params: [
      { name: 'region', cType: 'hsa_region_t', kind: 'handle' },
      { name: 'size', cType: 'size_t', kind: 'u64' },
      { name: 'ptr', cType: 'void **', kind: 'out', element: 'pointer' },
    ],
    };
  },
  hsa_memory_free: function () {
    return {
    name: 'hsa_memory_free',
    returns: 'hsa_status_t',
    params: [
      { name: 'ptr', cType: 'void *', kind: 'pointer' },
    ],
    };
  },
  hsa_memory_copy: function () {
    return {
    name: 'hsa_memory_copy',
    returns: 'hsa_status_t',
    params: [
      { name: 'dst', cType: 'void *', kind: 'memory' },
      { name: 'src', cType: 'const void *', kind: 'memory' },
      { name: 'size', cType: 'size_t', kind: 'u64' },
    ],
    };
  },
  hsa_memory_assign_agent: function () {
    return {
    name: 'hsa_memory_assign_agent',
    returns: 'hsa_status_t',
    params: [
      { name: 'ptr', cType: 'void *', kind: 'pointer' },
      { name: 'agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'access', cType: 'hsa_access_permission_t', kind: 'u32' },
    ],
    };
  },
  hsa_signal_create: function () {
    return {
    name: 'hsa_signal_create',
    returns: 'hsa_status_t',
    params: [
      { name: 'initial_value', cType: 'hsa_signal_value_t', kind: 'i64' },
      { name: 'num_consumers', cType: 'uint32_t', kind: 'u32' },
      { name: 'consumers', cType: 'const hsa_agent_t *', kind: 'array', element: 'handle', nullable: true },
      { name: 'signal', cType: 'hsa_signal_t *', kind: 'out', element: 'handle' },
    ],
    };
  },
  hsa_signal_destroy: function () {
    return {
    name: 'hsa_signal_destroy',
    returns: 'hsa_status_t',
    params: [
      { name: 'signal', cType: 'hsa_signal_t', kind: 'handle' },
    ],
    };
  },
  hsa_signal_load_relaxed: function () {
    return {
    name: 'hsa_signal_load_relaxed',
    returns: 'hsa_signal_value_t',
    params: [
      { name: 'signal', cType: 'hsa_signal_t', kind: 'handle' },
    ],
    };
  },
  hsa_signal_load_scacquire: function () {
    return {
    name: 'hsa_signal_load_scacquire',
    returns: 'hsa_signal_value_t',
    params: [
      { name: 'signal', cType: 'hsa_signal_t', kind: 'handle' },
    ],
    };
  },
  hsa_signal_store_relaxed: function () {
    return {
    name: 'hsa_signal_store_relaxed',
    returns: 'void',
    params: [
      { name: 'signal', cType: 'hsa_signal_t', kind: 'handle' },
      { name: 'value', cType: 'hsa_signal_value_t', kind: 'i64' },
    ],
    };
  },
  hsa_signal_store_screlease: function () {
    return {
    name: 'hsa_signal_store_screlease',
    returns: 'void',
    params: [
      { name: 'signal', cType: 'hsa_signal_t', kind: 'handle' },
      { name: 'value', cType: 'hsa_signal_value_t', kind: 'i64' },
    ],
    };
  },
  hsa_signal_wait_relaxed: function () {
    return {
    name: 'hsa_signal_wait_relaxed',
    returns: 'hsa_signal_value_t',
    params: [
      { name: 'signal', cType: 'hsa_signal_t', kind: 'handle' },
      { name: 'condition', cType: 'hsa_signal_condition_t', kind: 'u32' },
      { name: 'compare_value', cType: 'hsa_signal_value_t', kind: 'i64' },
      { name: 'timeout_hint', cType: 'uint64_t', kind: 'u64' },
      { name: 'wait_state_hint', cType: 'hsa_wait_state_t', kind: 'u32' },
    ],
    };
  },
  hsa_signal_wait_scacquire: function () {
    return {
    name: 'hsa_signal_wait_scacquire',
    returns: 'hsa_signal_value_t',
    params: [
      { name: 'signal', cType: 'hsa_signal_t', kind: 'handle' },
      { name: 'condition', cType: 'hsa_signal_condition_t', kind: 'u32' },
      { name: 'compare_value', cType: 'hsa_signal_value_t', kind: 'i64' },
      { name: 'timeout_hint', cType: 'uint64_t', kind: 'u64' },
      { name: 'wait_state_hint', cType: 'hsa_wait_state_t', kind: 'u32' },
    ],
    };
  },
  hsa_signal_and_relaxed: function () {
    return {
    name: 'hsa_signal_and_relaxed',
    returns: 'void',
    params: [
      { name: 'signal', cType: 'hsa_signal_t', kind: 'handle' },
      { name: 'value', cType: 'hsa_signal_value_t', kind: 'i64' },
    ],
    };
  },
  hsa_signal_and_scacquire: function () {
    return {
    name: 'hsa_signal_and_scacquire',
    returns: 'void',
    params: [
      { name: 'signal', cType: 'hsa_signal_t', kind: 'handle' },
      { name: 'value', cType: 'hsa_signal_value_t', kind: 'i64' },
    ],
    };
  },
  hsa_signal_and_screlease: function () {
    return {
    name: 'hsa_signal_and_screlease',
    returns: 'void',
    params: [
      { name: 'signal', cType: 'hsa_signal_t', kind: 'handle' },
      { name: 'value', cType: 'hsa_signal_value_t', kind: 'i64' },
    ],
    };
  },
  hsa_signal_and_scacq_screl: function () {
    return {
    name: 'hsa_signal_and_scacq_screl',
    returns: 'void',
    params: [
      { name: 'signal', cType: 'hsa_signal_t', kind: 'handle' },
      { name: 'value', cType: 'hsa_signal_value_t', kind: 'i64' },
    ],
    };
  },
  hsa_signal_or_relaxed: function () {
    return {
    name: 'hsa_signal_or_relaxed',
    returns: 'void',
    params: [
      { name: 'signal', cType: 'hsa_signal_t', kind: 'handle' },
      { name: 'value', cType: 'hsa_signal_value_t', kind: 'i64' },
    ],
    };
  },
  hsa_signal_or_scacquire: function () {
    return {
    name: 'hsa_signal_or_scacquire',
    returns: 'void',
    params: [
      { name: 'signal', cType: 'hsa_signal_t', kind: 'handle' },
      { name: 'value', cType: 'hsa_signal_value_t', kind: 'i64' },
    ],
    };
  },
  hsa_signal_or_screlease: function () {
    return {
    name: 'hsa_signal_or_screlease',
    returns: 'void',
    params: [
      { name: 'signal', cType: 'hsa_signal_t', kind: 'handle' },
      { name: 'value', cType: 'hsa_signal_value_t', kind: 'i64' },
    ],
    };
  },
  hsa_signal_or_scacq_screl: function () {
    return {
    name: 'hsa_signal_or_scacq_screl',
    returns: 'void',
    params: [
      { name: 'signal', cType: 'hsa_signal_t', kind: 'handle' },
      { name: 'value', cType: 'hsa_signal_value_t', kind: 'i64' },
    ],
    };
  },
  hsa_signal_xor_relaxed: function () {
    return {
    name: 'hsa_signal_xor_relaxed',
    returns: 'void',
    params: [
      { name: 'signal', cType: 'hsa_signal_t', kind: 'handle' },
      { name: 'value', cType: 'hsa_signal_value_t', kind: 'i64' },
    ],
    };
  },
  hsa_signal_xor_scacquire: function () {
    return {
    name: 'hsa_signal_xor_scacquire',
    returns: 'void',
    params: [
      { name: 'signal', cType: 'hsa_signal_t', kind: 'handle' },
      { name: 'value', cType: 'hsa_signal_value_t', kind: 'i64' },
    ],
    };
  },
  hsa_signal_xor_screlease: function () {
    return {
    name: 'hsa_signal_xor_screlease',
    returns: 'void',
    params: [
      { name: 'signal', cType: 'hsa_signal_t', kind: 'handle' },
      { name: 'value', cType: 'hsa_signal_value_t', kind: 'i64' },
    ],
    };
  },
  hsa_signal_xor_scacq_screl: function () {
    return {
    name: 'hsa_signal_xor_scacq_screl',
    returns: 'void',
    params: [
      { name: 'signal', cType: 'hsa_signal_t', kind: 'handle' },
      { name: 'value', cType: 'hsa_signal_value_t', kind: 'i64' },
    ],
    };
  },
  hsa_signal_exchange_relaxed: function () {
    return {
    name: 'hsa_signal_exchange_relaxed',
    returns: 'hsa_signal_value_t',
    params: [
      { name: 'signal', cType: 'hsa_signal_t', kind: 'handle' },
      { name: 'value', cType: 'hsa_signal_value_t', kind: 'i64' },
    ],
    };
  },
  hsa_signal_exchange_scacquire: function () {
    return {
    name: 'hsa_signal_exchange_scacquire',
    returns: 'hsa_signal_value_t',
    params: [
      { name: 'signal', cType: 'hsa_signal_t', kind: 'handle' },
      { name: 'value', cType: 'hsa_signal_value_t', kind: 'i64' },
    ],
    };
  },
  hsa_signal_exchange_screlease: function () {
    return {
    name: 'hsa_signal_exchange_screlease',
    returns: 'hsa_signal_value_t',
    params: [
      { name: 'signal', cType: 'hsa_signal_t', kind: 'handle' },
      { name: 'value', cType: 'hsa_signal_value_t', kind: 'i64' },
    ],
    };
  },
  hsa_signal_exchange_scacq_screl: function () {
    return {
    name: 'hsa_signal_exchange_scacq_screl',
    returns: 'hsa_signal_value_t',
    params: [
      { name: 'signal', cType: 'hsa_signal_t', kind: 'handle' },
      { name: 'value', cType: 'hsa_signal_value_t', kind: 'i64' },
    ],
    };
  },
  hsa_signal_add_relaxed: function () {
    return {
    name: 'hsa_signal_add_relaxed',
    returns: 'void',
    params: [
      { name: 'signal', cType: 'hsa_signal_t', kind: 'handle' },
      { name: 'value', cType: 'hsa_signal_value_t', kind: 'i64' },
    ],
    };
  },
  hsa_signal_add_scacquire: function () {
    return {
    name: 'hsa_signal_add_scacquire',
    returns: 'void',
    params: [
      { name: 'signal', cType: 'hsa_signal_t', kind: 'handle' },
      { name: 'value', cType: 'hsa_signal_value_t', kind: 'i64' },
    ],
    };
  },
  hsa_signal_add_screlease: function () {
    return {
    name: 'hsa_signal_add_screlease',
    returns: 'void',
    params: [
      { name: 'signal', cType: 'hsa_signal_t', kind: 'handle' },
      { name: 'value', cType: 'hsa_signal_value_t', kind: 'i64' },
    ],
    };
  },
  hsa_signal_add_scacq_screl: function () {
    return {
    name: 'hsa_signal_add_scacq_screl',
    returns: 'void',
    params: [
      { name: 'signal', cType: 'hsa_signal_t', kind: 'handle' },
      { name: 'value', cType: 'hsa_signal_value_t', kind: 'i64' },
    ],
    };
  },
  hsa_signal_subtract_relaxed: function () {
    return {
    name: 'hsa_signal_subtract_relaxed',
    returns: 'void',
    params: [
      { name: 'signal', cType: 'hsa_signal_t', kind: 'handle' },
      { name: 'value', cType: 'hsa_signal_value_t', kind: 'i64' },
    ],
    };
  },
  hsa_signal_subtract_scacquire: function () {
    return {
    name: 'hsa_signal_subtract_scacquire',
    returns: 'void',
    params: [
      { name: 'signal', cType: 'hsa_signal_t', kind: 'handle' },
      { name: 'value', cType: 'hsa_signal_value_t', kind: 'i64' },
    ],
    };
  },
  hsa_signal_subtract_screlease: function () {
    return {
    name: 'hsa_signal_subtract_screlease',
    returns: 'void',
    params: [
      { name: 'signal', cType: 'hsa_signal_t', kind: 'handle' },
      { name: 'value', cType: 'hsa_signal_value_t', kind: 'i64' },
    ],
    };
  },
  hsa_signal_subtract_scacq_screl: function () {
    return {
    name: 'hsa_signal_subtract_scacq_screl',
    returns: 'void',
    params: [
      { name: 'signal', cType: 'hsa_signal_t', kind: 'handle' },
      { name: 'value', cType: 'hsa_signal_value_t', kind: 'i64' },
    ],
    };
  },
  hsa_signal_cas_relaxed: function () {
    return {
    name: 'hsa_signal_cas_relaxed',
    returns: 'hsa_signal_value_t',
    params: [
      { name: 'signal', cType: 'hsa_signal_t', kind: 'handle' },
      { name: 'expected', cType: 'hsa_signal_value_t', kind: 'i64' },
      { name: 'value', cType: 'hsa_signal_value_t', kind: 'i64' },
    ],
    };
  },
  hsa_signal_cas_scacquire: function () {
    return {
    name: 'hsa_signal_cas_scacquire',
    returns: 'hsa_signal_value_t',
    params: [
      { name: 'signal', cType: 'hsa_signal_t', kind: 'handle' },
      { name: 'expected', cType: 'hsa_signal_value_t', kind: 'i64' },
      { name: 'value', cType: 'hsa_signal_value_t', kind: 'i64' },
    ],
    };
  },
  hsa_signal_cas_screlease: function () {
    return {
    name: 'hsa_signal_cas_screlease',
    returns: 'hsa_signal_value_t',
    params: [
      { name: 'signal', cType: 'hsa_signal_t', kind: 'handle' },
      { name: 'expected', cType: 'hsa_signal_value_t', kind: 'i64' },
      { name: 'value', cType: 'hsa_signal_value_t', kind: 'i64' },
    ],
    };
  },
  hsa_signal_cas_scacq_screl: function () {
    return {
    name: 'hsa_signal_cas_scacq_screl',
    returns: 'hsa_signal_value_t',
    params: [
      { name: 'signal', cType: 'hsa_signal_t', kind: 'handle' },
      { name: 'expected', cType: 'hsa_signal_value_t', kind: 'i64' },
      { name: 'value', cType: 'hsa_signal_value_t', kind: 'i64' },
    ],
    };
  },
  hsa_isa_from_name: function () {
    return {
    name: 'hsa_isa_from_name',
    returns: 'hsa_status_t',
    params: [
      { name: 'name', cType: 'const char *', kind: 'string' },
      { name: 'isa', cType: 'hsa_isa_t *', kind: 'out', element: 'handle' },
    ],
    };
  },
  hsa_isa_get_info: function () {
    return {
    name: 'hsa_isa_get_info',
    returns: 'hsa_status_t',
    params: [
      { name: 'isa', cType: 'hsa_isa_t', kind: 'handle' },
      { name: 'attribute', cType: 'hsa_isa_info_t', kind: 'u32' },
      { name: 'index', cType: 'uint32_t', kind: 'u32' },
      { name: 'value', cType: 'void *', kind: 'out-any' },
    ],
    };
  },
  hsa_isa_compatible: function () {
    return {
    name: 'hsa_isa_compatible',
    returns: 'hsa_status_t',
    params: [
      { name: 'code_object_isa', cType: 'hsa_isa_t', kind: 'handle' },
      { name: 'agent_isa', cType: 'hsa_isa_t', kind: 'handle' },
      { name: 'result', cType: 'bool *', kind: 'out', element: 'bool' },
    ],
    };
  },
  hsa_code_object_serialize: function () {
    return {
    name: 'hsa_code_object_serialize',
    returns: 'hsa_status_t',
    params: [
      { name: 'code_object', cType: 'hsa_code_object_t', kind: 'handle' },
      { name: 'alloc_callback', cType: 'hsa_status_t (*)(size_t, hsa_callback_data_t, void **)', kind: 'callback', callback: 'SerializeAllocCallback' },
      { name: 'callback_data', cType: 'hsa_callback_data_t', kind: 'user-data' },
      { name: 'options', cType: 'const char *', kind: 'string', nullable: true },
      { name: 'serialized_code_object', cType: 'void **', kind: 'out', element: 'pointer' },
      { name: 'serialized_code_object_size', cType: 'size_t *', kind: 'out', element: 'u64' },
    ],
    };
  },
  hsa_code_object_deserialize: function () {
    return {
    name: 'hsa_code_object_deserialize',
    returns: 'hsa_status_t',
    params: [
      { name: 'serialized_code_object', cType: 'void *', kind: 'memory' },
      { name: 'serialized_code_object_size', cType: 'size_t', kind: 'u64' },
      { name: 'options', cType: 'const char *', kind: 'string', nullable: true },
      { name: 'code_object', cType: 'hsa_code_object_t *', kind: 'out', element: 'handle' },
    ],
    };
  },
  hsa_code_object_destroy: function () {
    return {
    name: 'hsa_code_object_destroy',
    returns: 'hsa_status_t',
    params: [
      { name: 'code_object', cType: 'hsa_code_object_t', kind: 'handle' },
    ],
    };
  },
  hsa_code_object_get_info: function () {
    return {
    name: 'hsa_code_object_get_info',
    returns: 'hsa_status_t',
    params: [
      { name: 'code_object', cType: 'hsa_code_object_t', kind: 'handle' },
      { name: 'attribute', cType: 'hsa_code_object_info_t', kind: 'u32' },
      { name: 'value', cType: 'void *', kind: 'out-any' },
    ],
    };
  },
  hsa_code_object_get_symbol: function () {
    return {
    name: 'hsa_code_object_get_symbol',
    returns: 'hsa_status_t',
    params: [
      { name: 'code_object', cType: 'hsa_code_object_t', kind: 'handle' },
      { name: 'symbol_name', cType: 'const char *', kind: 'string' },
      { name: 'symbol', cType: 'hsa_code_symbol_t *', kind: 'out', element: 'handle' },
    ],
    };
  },
  hsa_code_symbol_get_info: function () {
    return {
    name: 'hsa_code_symbol_get_info',
    returns: 'hsa_status_t',
    params: [
      { name: 'code_symbol', cType: 'hsa_code_symbol_t', kind: 'handle' },
      { name: 'attribute', cType: 'hsa_code_symbol_info_t', kind: 'u32' },
      { name: 'value', cType: 'void *', kind: 'out-any' },
    ],
    };
  },
  hsa_code_object_iterate_symbols: function () {
    return {
    name: 'hsa_code_object_iterate_symbols',
    returns: 'hsa_status_t',
    params: [
      { name: 'code_object', cType: 'hsa_code_object_t', kind: 'handle' },
      { name: 'callback', cType: 'hsa_status_t (*)(hsa_code_object_t, hsa_code_symbol_t, void *)', kind: 'callback', callback: 'CodeSymbolCallback' },
      { name: 'data', cType: 'void *', kind: 'user-data' },
    ],
    };
  },
  hsa_executable_create: function () {
    return {
    name: 'hsa_executable_create',
    returns: 'hsa_status_t',
    params: [
      { name: 'profile', cType: 'hsa_profile_t', kind: 'u32' },
      { name: 'executable_state', cType: 'hsa_executable_state_t', kind: 'u32' },
      { name: 'options', cType: 'const char *', kind: 'string', nullable: true },
      { name: 'executable', cType: 'hsa_executable_t *', kind: 'out', element: 'handle' },
    ],
    };
  },
  hsa_executable_destroy: function () {
    return {
    name: 'hsa_executable_destroy',
    returns: 'hsa_status_t',
    params: [
      { name: 'executable', cType: 'hsa_executable_t', kind: 'handle' },
    ],
    };
  },
  hsa_executable_load_code_object: function () {
    return {
    name: 'hsa_executable_load_code_object',
    returns: 'hsa_status_t',
    params: [
      { name: 'executable', cType: 'hsa_executable_t', kind: 'handle' },
      { name: 'agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'code_object', cType: 'hsa_code_object_t', kind: 'handle' },
      { name: 'options', cType: 'const char *', kind: 'string', nullable: true },
    ],
    };
  },
  hsa_executable_freeze: function () {
    return {
    name: 'hsa_executable_freeze',
    returns: 'hsa_status_t',
    params: [
      { name: 'executable', cType: 'hsa_executable_t', kind: 'handle' },
      { name: 'options', cType: 'const char *', kind: 'string', nullable: true },
    ],
    };
  },
  hsa_executable_get_info: function () {
    return {
    name: 'hsa_executable_get_info',
    returns: 'hsa_status_t',
    params: [
      { name: 'executable', cType: 'hsa_executable_t', kind: 'handle' },
      { name: 'attribute', cType: 'hsa_executable_info_t', kind: 'u32' },
      { name: 'value', cType: 'void *', kind: 'out-any' },
    ],
    };
  },
  hsa_executable_global_variable_define: function () {
    return {
    name: 'hsa_executable_global_variable_define',
    returns: 'hsa_status_t',
    params: [
      { name: 'executable', cType: 'hsa_executable_t', kind: 'handle' },
      { name: 'variable_name', cType: 'const char *', kind: 'string' },
      { name: 'address', cType: 'void *', kind: 'pointer' },
    ],
    };
  },
  hsa_executable_agent_global_variable_define: function () {
    return {
    name: 'hsa_executable_agent_global_variable_define',
    returns: 'hsa_status_t',
    params: [
      { name: 'executable', cType: 'hsa_executable_t', kind: 'handle' },
      { name: 'agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'variable_name', cType: 'const char *', kind: 'string' },
      { name: 'address', cType: 'void *', kind: 'pointer' },
    ],
    };
  },
  hsa_executable_readonly_variable_define: function () {
    return {
    name: 'hsa_executable_readonly_variable_define',
    returns: 'hsa_status_t',
    params: [
      { name: 'executable', cType: 'hsa_executable_t', kind: 'handle' },
      { name: 'agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'variable_name', cType: 'const char *', kind: 'string' },
      { name: 'address', cType: 'void *', kind: 'pointer' },
    ],
    };
  },
  hsa_executable_validate: function () {
    return {
    name: 'hsa_executable_validate',
    returns: 'hsa_status_t',
    params: [
      { name: 'executable', cType: 'hsa_executable_t', kind: 'handle' },
      { name: 'result', cType: 'uint32_t *', kind: 'out', element: 'u32' },
    ],
    };
  },
  hsa_executable_get_symbol: function () {
    return {
    name: 'hsa_executable_get_symbol',
    returns: 'hsa_status_t',
    params: [
      { name: 'executable', cType: 'hsa_executable_t', kind: 'handle' },
      { name: 'module_name', cType: 'const char *', kind: 'string', nullable: true },
      { name: 'symbol_name', cType: 'const char *', kind: 'string' },
      { name: 'agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'call_convention', cType: 'int32_t', kind: 'i32' },
      { name: 'symbol', cType: 'hsa_executable_symbol_t *', kind: 'out', element: 'handle' },
    ],
    };
  },
  hsa_executable_symbol_get_info: function () {
    return {
    name: 'hsa_executable_symbol_get_info',
    returns: 'hsa_status_t',
    params: [
      { name: 'executable_symbol', cType: 'hsa_executable_symbol_t', kind: 'handle' },
      { name: 'attribute', cType: 'hsa_executable_symbol_info_t', kind: 'u32' },
      { name: 'value', cType: 'void *', kind: 'out-any' },
    ],
    };
  },
  hsa_executable_iterate_symbols: function () {
    return {
    name: 'hsa_executable_iterate_symbols',
    returns: 'hsa_status_t',
    params: [
      { name: 'executable', cType: 'hsa_executable_t', kind: 'handle' },
      { name: 'callback', cType: 'hsa_status_t (*)(hsa_executable_t, hsa_executable_symbol_t, void *)', kind: 'callback', callback: 'ProgramSymbolCallback' },
      { name: 'data', cType: 'void *', kind: 'user-data' },
    ],
    };
  },
  hsa_status_string: function () {
    return {
    name: 'hsa_status_string',
    returns: 'hsa_status_t',
    params: [
      { name: 'status', cType: 'hsa_status_t', kind: 'u32' },
      { name: 'status_string', cType: 'const char **', kind: 'out', element: 'string' },
    ],
    };
  },
  hsa_extension_get_name: function () {
    return {
    name: 'hsa_extension_get_name',
    returns: 'hsa_status_t',
    params: [
      { name: 'extension', cType: 'uint16_t', kind: 'u16' },
      { name: 'name', cType: 'const char **', kind: 'out', element: 'string' },
    ],
    };
  },
  hsa_system_major_extension_supported: function () {
    return {
    name: 'hsa_system_major_extension_supported',
    returns: 'hsa_status_t',
    params: [
      { name: 'extension', cType: 'uint16_t', kind: 'u16' },
      { name: 'version_major', cType: 'uint16_t', kind: 'u16' },
      { name: 'version_minor', cType: 'uint16_t *', kind: 'in-out', element: 'u16' },
      { name: 'result', cType: 'bool *', kind: 'out', element: 'bool' },
    ],
    };
  },
  hsa_system_get_major_extension_table: function () {
    return {
    name: 'hsa_system_get_major_extension_table',
    returns: 'hsa_status_t',
    params: [
      { name: 'extension', cType: 'uint16_t', kind: 'u16' },
      { name: 'version_major', cType: 'uint16_t', kind: 'u16' },
      { name: 'table_length', cType: 'size_t', kind: 'u64' },
      { name: 'table', cType: 'void *', kind: 'out-any' },
    ],
    };
  },
  hsa_agent_major_extension_supported: function () {
    return {
    name: 'hsa_agent_major_extension_supported',
    returns: 'hsa_status_t',
    params: [
      { name: 'extension', cType: 'uint16_t', kind: 'u16' },
      { name: 'agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'version_major', cType: 'uint16_t', kind: 'u16' },
      { name: 'version_minor', cType: 'uint16_t *', kind: 'in-out', element: 'u16' },
      { name: 'result', cType: 'bool *', kind: 'out', element: 'bool' },
    ],
    };
  },
  hsa_cache_get_info: function () {
    return {
    name: 'hsa_cache_get_info',
    returns: 'hsa_status_t',
    params: [
      { name: 'cache', cType: 'hsa_cache_t', kind: 'handle' },
      { name: 'attribute', cType: 'hsa_cache_info_t', kind: 'u32' },
      { name: 'value', cType: 'void *', kind: 'out-any' },
    ],
    };
  },
  hsa_agent_iterate_caches: function () {
    return {
    name: 'hsa_agent_iterate_caches',
    returns: 'hsa_status_t',
    params: [
      { name: 'agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'callback', cType: 'hsa_status_t (*)(hsa_cache_t, void *)', kind: 'callback', callback: 'CacheCallback' },
      { name: 'data', cType: 'void *', kind: 'user-data' },
    ],
    };
  },
  hsa_signal_silent_store_relaxed: function () {
    return {
    name: 'hsa_signal_silent_store_relaxed',
    returns: 'void',
    params: [
      { name: 'signal', cType: 'hsa_signal_t', kind: 'handle' },
      { name: 'value', cType: 'hsa_signal_value_t', kind: 'i64' },
    ],
    };
  },
  hsa_signal_silent_store_screlease: function () {
    return {
    name: 'hsa_signal_silent_store_screlease',
    returns: 'void',
    params: [
      { name: 'signal', cType: 'hsa_signal_t', kind: 'handle' },
      { name: 'value', cType: 'hsa_signal_value_t', kind: 'i64' },
    ],
    };
  },
  hsa_signal_group_create: function () {
    return {
    name: 'hsa_signal_group_create',
    returns: 'hsa_status_t',
    params: [
      { name: 'num_signals', cType: 'uint32_t', kind: 'u32' },
      { name: 'signals', cType: 'const hsa_signal_t *', kind: 'array', element: 'handle' },
      { name: 'num_consumers', cType: 'uint32_t', kind: 'u32' },
      { name: 'consumers', cType: 'const hsa_agent_t *', kind: 'array', element: 'handle', nullable: true },
      { name: 'signal_group', cType: 'hsa_signal_group_t *', kind: 'out', element: 'handle' },
    ],
    };
  },
  hsa_signal_group_destroy: function () {
    return {
    name: 'hsa_signal_group_destroy',
    returns: 'hsa_status_t',
    params: [
      { name: 'signal_group', cType: 'hsa_signal_group_t', kind: 'handle' },
    ],
    };
  },
  hsa_signal_group_wait_any_scacquire: function () {
    return {
    name: 'hsa_signal_group_wait_any_scacquire',
    returns: 'hsa_status_t',
    params: [
      { name: 'signal_group', cType: 'hsa_signal_group_t', kind: 'handle' },
      { name: 'conditions', cType: 'const hsa_signal_condition_t *', kind: 'array', element: 'u32' },
      { name: 'compare_values', cType: 'const hsa_signal_value_t *', kind: 'array', element: 'i64' },
      { name: 'wait_state_hint', cType: 'hsa_wait_state_t', kind: 'u32' },
      { name: 'signal', cType: 'hsa_signal_t *', kind: 'out', element: 'handle' },
      { name: 'value', cType: 'hsa_signal_value_t *', kind: 'out', element: 'i64', nullable: true },
    ],
    };
  },
  hsa_signal_group_wait_any_relaxed: function () {
    return {
    name: 'hsa_signal_group_wait_any_relaxed',
    returns: 'hsa_status_t',
    params: [
      { name: 'signal_group', cType: 'hsa_signal_group_t', kind: 'handle' },
      { name: 'conditions', cType: 'const hsa_signal_condition_t *', kind: 'array', element: 'u32' },
      { name: 'compare_values', cType: 'const hsa_signal_value_t *', kind: 'array', element: 'i64' },
      { name: 'wait_state_hint', cType: 'hsa_wait_state_t', kind: 'u32' },
      { name: 'signal', cType: 'hsa_signal_t *', kind: 'out', element: 'handle' },
      { name: 'value', cType: 'hsa_signal_value_t *', kind: 'out', element: 'i64', nullable: true },
    ],
    };
  },
  hsa_agent_iterate_isas: function () {
    return {
    name: 'hsa_agent_iterate_isas',
    returns: 'hsa_status_t',
    params: [
      { name: 'agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'callback', cType: 'hsa_status_t (*)(hsa_isa_t, void *)', kind: 'callback', callback: 'IsaCallback' },
      { name: 'data', cType: 'void *', kind: 'user-data' },
    ],
    };
  },
  hsa_isa_get_info_alt: function () {
    return {
    name: 'hsa_isa_get_info_alt',
    returns: 'hsa_status_t',
    params: [
      { name: 'isa', cType: 'hsa_isa_t', kind: 'handle' },
      { name: 'attribute', cType: 'hsa_isa_info_t', kind: 'u32' },
      { name: 'value', cType: 'void *', kind: 'out-any' },
    ],
    };
  },
  hsa_isa_get_exception_policies: function () {
    return {
    name: 'hsa_isa_get_exception_policies',
    returns: 'hsa_status_t',
    params: [
      { name: 'isa', cType: 'hsa_isa_t', kind: 'handle' },
      { name: 'profile', cType: 'hsa_profile_t', kind: 'u32' },
      { name: 'mask', cType: 'uint16_t *', kind: 'out', element: 'u16' },
    ],
    };
  },
  hsa_isa_get_round_method: function () {
    return {
    name: 'hsa_isa_get_round_method',
    returns: 'hsa_status_t',
    params: [
      { name: 'isa', cType: 'hsa_isa_t', kind: 'handle' },
      { name: 'fp_type', cType: 'hsa_fp_type_t', kind: 'u32' },
      { name: 'flush_mode', cType: 'hsa_flush_mode_t', kind: 'u32' },
      { name: 'round_method', cType: 'hsa_round_method_t *', kind: 'out', element: 'u32' },
    ],
    };
  },
  hsa_wavefront_get_info: function () {
    return {
    name: 'hsa_wavefront_get_info',
    returns: 'hsa_status_t',
    params: [
      { name: 'wavefront', cType: 'hsa_wavefront_t', kind: 'handle' },
      { name: 'attribute', cType: 'hsa_wavefront_info_t', kind: 'u32' },
      { name: 'value', cType: 'void *', kind: 'out-any' },
    ],
    };
  },
  hsa_isa_iterate_wavefronts: function () {
    return {
    name: 'hsa_isa_iterate_wavefronts',
    returns: 'hsa_status_t',
    params: [
      { name: 'isa', cType: 'hsa_isa_t', kind: 'handle' },
      { name: 'callback', cType: 'hsa_status_t (*)(hsa_wavefront_t, void *)', kind: 'callback', callback: 'WavefrontCallback' },
      { name: 'data', cType: 'void *', kind: 'user-data' },
    ],
    };
  },
  hsa_code_object_get_symbol_from_name: function () {
    return {
    name: 'hsa_code_object_get_symbol_from_name',
    returns: 'hsa_status_t',
    params: [
      { name: 'code_object', cType: 'hsa_code_object_t', kind: 'handle' },
      { name: 'module_name', cType: 'const char *', kind: 'string', nullable: true },
      { name: 'symbol_name', cType: 'const char *', kind: 'string' },
      { name: 'symbol', cType: 'hsa_code_symbol_t *', kind: 'out', element: 'handle' },
    ],
    };
  },
  hsa_code_object_reader_create_from_file: function () {
    return {
    name: 'hsa_code_object_reader_create_from_file',
    returns: 'hsa_status_t',
    params: [
      { name: 'file', cType: 'hsa_file_t', kind: 'i32' },
      { name: 'code_object_reader', cType: 'hsa_code_object_reader_t *', kind: 'out', element: 'handle' },
    ],
    };
  },
  hsa_code_object_reader_create_from_memory: function () {
    return {
    name: 'hsa_code_object_reader_create_from_memory',
    returns: 'hsa_status_t',
    params: [
      { name: 'code_object', cType: 'const void *', kind: 'memory' },
      { name: 'size', cType: 'size_t', kind: 'u64' },
      { name: 'code_object_reader', cType: 'hsa_code_object_reader_t *', kind: 'out', element: 'handle' },
    ],
    };
  },
  hsa_code_object_reader_destroy: function () {
    return {
    name: 'hsa_code_object_reader_destroy',
    returns: 'hsa_status_t',
    params: [
      { name: 'code_object_reader', cType: 'hsa_code_object_reader_t', kind: 'handle' },
    ],
    };
  },
  hsa_executable_create_alt: function () {
    return {
    name: 'hsa_executable_create_alt',
    returns: 'hsa_status_t',
    params: [
      { name: 'profile', cType: 'hsa_profile_t', kind: 'u32' },
      { name: 'default_float_rounding_mode', cType: 'hsa_default_float_rounding_mode_t', kind: 'u32' },
      { name: 'options', cType: 'const char *', kind: 'string', nullable: true },
      { name: 'executable', cType: 'hsa_executable_t *', kind: 'out', element: 'handle' },
    ],
    };
  },
  hsa_executable_load_program_code_object: function () {
    return {
    name: 'hsa_executable_load_program_code_object',
    returns: 'hsa_status_t',
    params: [
      { name: 'executable', cType: 'hsa_executable_t', kind: 'handle' },
      { name: 'code_object_reader', cType: 'hsa_code_object_reader_t', kind: 'handle' },
      { name: 'options', cType: 'const char *', kind: 'string', nullable: true },
      { name: 'loaded_code_object', cType: 'hsa_loaded_code_object_t *', kind: 'out', element: 'handle', nullable: true },
    ],
    };
  },
  hsa_executable_load_agent_code_object: function () {
    return {
    name: 'hsa_executable_load_agent_code_object',
    returns: 'hsa_status_t',
    params: [
      { name: 'executable', cType: 'hsa_executable_t', kind: 'handle' },
      { name: 'agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'code_object_reader', cType: 'hsa_code_object_reader_t', kind: 'handle' },
      { name: 'options', cType: 'const char *', kind: 'string', nullable: true },
      { name: 'loaded_code_object', cType: 'hsa_loaded_code_object_t *', kind: 'out', element: 'handle', nullable: true },
    ],
    };
  },
  hsa_executable_validate_alt: function () {
    return {
    name: 'hsa_executable_validate_alt',
    returns: 'hsa_status_t',
    params: [
      { name: 'executable', cType: 'hsa_executable_t', kind: 'handle' },
      { name: 'options', cType: 'const char *', kind: 'string', nullable: true },
      { name: 'result', cType: 'uint32_t *', kind: 'out', element: 'u32' },
    ],
    };
  },
  hsa_executable_get_symbol_by_name: function () {
    return {
    name: 'hsa_executable_get_symbol_by_name',
    returns: 'hsa_status_t',
    params: [
      { name: 'executable', cType: 'hsa_executable_t', kind: 'handle' },
      { name: 'symbol_name', cType: 'const char *', kind: 'string' },
      { name: 'agent', cType: 'const hsa_agent_t *', kind: 'handle', nullable: true },
      { name: 'symbol', cType: 'hsa_executable_symbol_t *', kind: 'out', element: 'handle' },
    ],
    };
  },
  hsa_executable_iterate_agent_symbols: function () {
    return {
    name: 'hsa_executable_iterate_agent_symbols',
    returns: 'hsa_status_t',
    params: [
      { name: 'executable', cType: 'hsa_executable_t', kind: 'handle' },
      { name: 'agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'callback', cType: 'hsa_status_t (*)(hsa_executable_t, hsa_agent_t, hsa_executable_symbol_t, void *)', kind: 'callback', callback: 'AgentSymbolCallback' },
      { name: 'data', cType: 'void *', kind: 'user-data' },
    ],
    };
  },
  hsa_executable_iterate_program_symbols: function () {
    return {
    name: 'hsa_executable_iterate_program_symbols',
    returns: 'hsa_status_t',
    params: [
      { name: 'executable', cType: 'hsa_executable_t', kind: 'handle' },
      { name: 'callback', cType: 'hsa_status_t (*)(hsa_executable_t, hsa_executable_symbol_t, void *)', kind: 'callback', callback: 'ProgramSymbolCallback' },
      { name: 'data', cType: 'void *', kind: 'user-data' },
    ],
    };
  },
  hsa_amd_coherency_get_type: function () {
    return {
    name: 'hsa_amd_coherency_get_type',
    returns: 'hsa_status_t',
    params: [
      { name: 'agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'type', cType: 'hsa_amd_coherency_type_t *', kind: 'out', element: 'u32' },
    ],
    };
  },
  hsa_amd_coherency_set_type: function () {
    return {
    name: 'hsa_amd_coherency_set_type',
    returns: 'hsa_status_t',
    params: [
      { name: 'agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'type', cType: 'hsa_amd_coherency_type_t', kind: 'u32' },
    ],
    };
  },
  hsa_amd_profiling_set_profiler_enabled: function () {
    return {
    name: 'hsa_amd_profiling_set_profiler_enabled',
    returns: 'hsa_status_t',
    params: [
      { name: 'queue', cType: 'hsa_queue_t *', kind: 'pointer' },
      { name: 'enable', cType: 'int', kind: 'i32' },
    ],
    };
  },
  hsa_amd_profiling_async_copy_enable: function () {
    return {
    name: 'hsa_amd_profiling_async_copy_enable',
    returns: 'hsa_status_t',
    params: [
      { name: 'enable', cType: 'bool', kind: 'bool' },
    ],
    };
  },
  hsa_amd_profiling_get_dispatch_time: function () {
    return {
    name: 'hsa_amd_profiling_get_dispatch_time',
    returns: 'hsa_status_t',
    params: [
      { name: 'agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'signal', cType: 'hsa_signal_t', kind: 'handle' },
      { name: 'time', cType: 'hsa_amd_profiling_dispatch_time_t *', kind: 'out', element: 'struct', struct: 'hsa_amd_profiling_dispatch_time_t' },
    ],
    };
  },
  hsa_amd_profiling_get_async_copy_time: function () {
    return {
    name: 'hsa_amd_profiling_get_async_copy_time',
    returns: 'hsa_status_t',
    params: [
      { name: 'signal', cType: 'hsa_signal_t', kind: 'handle' },
      { name: 'time', cType: 'hsa_amd_profiling_async_copy_time_t *', kind: 'out', element: 'struct', struct: 'hsa_amd_profiling_async_copy_time_t' },
    ],
    };
  },
  hsa_amd_profiling_convert_tick_to_system_domain: function () {
    return {
    name: 'hsa_amd_profiling_convert_tick_to_system_domain',
    returns: 'hsa_status_t',
    params: [
      { name: 'agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'agent_tick', cType: 'uint64_t', kind: 'u64' },
      { name: 'system_tick', cType: 'uint64_t *', kind: 'out', element: 'u64' },
    ],
    };
  },
  hsa_amd_signal_async_handler: function () {
    return {
    name: 'hsa_amd_signal_async_handler',
    returns: 'hsa_status_t',
    params: [
      { name: 'signal', cType: 'hsa_signal_t', kind: 'handle' },
      { name: 'cond', cType: 'hsa_signal_condition_t', kind: 'u32' },
      { name: 'value', cType: 'hsa_signal_value_t', kind: 'i64' },
      { name: 'handler', cType: 'hsa_amd_signal_handler', kind: 'callback', callback: 'SignalHandler', nullable: true },
      { name: 'arg', cType: 'void *', kind: 'user-data' },
    ],
    };
  },
  hsa_amd_async_function: function () {
    return {
    name: 'hsa_amd_async_function',
    returns: 'hsa_status_t',
    params: [
      { name: 'callback', cType: 'void (*)(void *)', kind: 'callback', callback: 'AsyncFunctionCallback' },
      { name: 'arg', cType: 'void *', kind: 'user-data' },
    ],
    };
  },
  hsa_amd_signal_wait_any: function () {
    return {
    name: 'hsa_amd_signal_wait_any',
    returns: 'uint32_t',
    params: [
      { name: 'signal_count', cType: 'uint32_t', kind: 'u32' },
      { name: 'signals', cType: 'hsa_signal_t *', kind: 'array', element: 'handle' },
      { name: 'conds', cType: 'hsa_signal_condition_t *', kind: 'array', element: 'u32' },
      { name: 'values', cType: 'hsa_signal_value_t *', kind: 'array', element: 'i64' },
      { name: 'timeout_hint', cType: 'uint64_t', kind: 'u64' },
      { name: 'wait_hint', cType: 'hsa_wait_state_t', kind: 'u32' },
      { name: 'satisfying_value', cType: 'hsa_signal_value_t *', kind: 'out', element: 'i64', nullable: true },
    ],
    };
  },
  hsa_amd_queue_cu_set_mask: function () {
    return {
    name: 'hsa_amd_queue_cu_set_mask',
    returns: 'hsa_status_t',
    params: [
      { name: 'queue', cType: 'const hsa_queue_t *', kind: 'pointer' },
      { name: 'num_cu_mask_count', cType: 'uint32_t', kind: 'u32' },
      { name: 'cu_mask', cType: 'const uint32_t *', kind: 'array', element: 'u32', nullable: true },
    ],
    };
  },
  hsa_amd_memory_pool_get_info: function () {
    return {
    name: 'hsa_amd_memory_pool_get_info',
    returns: 'hsa_status_t',
    params: [
      { name: 'memory_pool', cType: 'hsa_amd_memory_pool_t', kind: 'handle' },
      { name: 'attribute', cType: 'hsa_amd_memory_pool_info_t', kind: 'u32' },
      { name: 'value', cType: 'void *', kind: 'out-any' },
    ],
    };
  },
  hsa_amd_agent_iterate_memory_pools: function () {
    return {
    name: 'hsa_amd_agent_iterate_memory_pools',
    returns: 'hsa_status_t',
    params: [
      { name: 'agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'callback', cType: 'hsa_status_t (*)(hsa_amd_memory_pool_t, void *)', kind: 'callback', callback: 'MemoryPoolCallback' },
      { name: 'data', cType: 'void *', kind: 'user-data' },
    ],
    };
  },
  hsa_amd_memory_pool_allocate: function () {
    return {
    name: 'hsa_amd_memory_pool_allocate',
    returns: 'hsa_status_t',
    params: [
      { name: 'memory_pool', cType: 'hsa_amd_memory_pool_t', kind: 'handle' },
      { name: 'size', cType: 'size_t', kind: 'u64' },
      { name: 'flags', cType: 'uint32_t', kind: 'u32' },
      { name: 'ptr', cType: 'void **', kind: 'out', element: 'pointer' },
    ],
    };
  },
  hsa_amd_memory_pool_free: function () {
    return {
    name: 'hsa_amd_memory_pool_free',
    returns: 'hsa_status_t',
    params: [
      { name: 'ptr', cType: 'void *', kind: 'pointer' },
    ],
    };
  },
  hsa_amd_memory_async_copy: function () {
    return {
    name: 'hsa_amd_memory_async_copy',
    returns: 'hsa_status_t',
    params: [
      { name: 'dst', cType: 'void *', kind: 'pointer' },
      { name: 'dst_agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'src', cType: 'const void *', kind: 'pointer' },
      { name: 'src_agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'size', cType: 'size_t', kind: 'u64' },
      { name: 'num_dep_signals', cType: 'uint32_t', kind: 'u32' },
      { name: 'dep_signals', cType: 'const hsa_signal_t *', kind: 'array', element: 'handle', nullable: true },
      { name: 'completion_signal', cType: 'hsa_signal_t', kind: 'handle' },
    ],
    };
  },
  hsa_amd_memory_async_copy_on_engine: function () {
    return {
    name: 'hsa_amd_memory_async_copy_on_engine',
    returns: 'hsa_status_t',
    params: [
      { name: 'dst', cType: 'void *', kind: 'pointer' },
      { name: 'dst_agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'src', cType: 'const void *', kind: 'pointer' },
      { name: 'src_agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'size', cType: 'size_t', kind: 'u64' },
      { name: 'num_dep_signals', cType: 'uint32_t', kind: 'u32' },
      { name: 'dep_signals', cType: 'const hsa_signal_t *', kind: 'array', element: 'handle', nullable: true },
      { name: 'completion_signal', cType: 'hsa_signal_t', kind: 'handle' },
      { name: 'engine_id', cType: 'hsa_amd_sdma_engine_id_t', kind: 'u32' },
      { name: 'force_copy_on_sdma', cType: 'bool', kind: 'bool' },
    ],
    };
  },
  hsa_amd_memory_copy_engine_status: function () {
    return {
    name: 'hsa_amd_memory_copy_engine_status',
    returns: 'hsa_status_t',
    params: [
      { name: 'dst_agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'src_agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'engine_ids_mask', cType: 'uint32_t *', kind: 'out', element: 'u32' },
    ],
    };
  },
  hsa_amd_agent_memory_pool_get_info: function () {
    return {
    name: 'hsa_amd_agent_memory_pool_get_info',
    returns: 'hsa_status_t',
    params: [
      { name: 'agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'memory_pool', cType: 'hsa_amd_memory_pool_t', kind: 'handle' },
      { name: 'attribute', cType: 'hsa_amd_agent_memory_pool_info_t', kind: 'u32' },
      { name: 'value', cType: 'void *', kind: 'out-any' },
    ],
    };
  },
  hsa_amd_agents_allow_access: function () {
    return {
    name: 'hsa_amd_agents_allow_access',
    returns: 'hsa_status_t',
    params: [
      { name: 'num_agents', cType: 'uint32_t', kind: 'u32' },
      { name: 'agents', cType: 'const hsa_agent_t *', kind: 'array', element: 'handle' },
      { name: 'flags', cType: 'const uint32_t *', kind: 'array', element: 'u32', nullable: true },
      { name: 'ptr', cType: 'const void *', kind: 'pointer' },
    ],
    };
  },
  hsa_amd_memory_pool_can_migrate: function () {
    return {
    name: 'hsa_amd_memory_pool_can_migrate',
    returns: 'hsa_status_t',
    params: [
      { name: 'src_memory_pool', cType: 'hsa_amd_memory_pool_t', kind: 'handle' },
      { name: 'dst_memory_pool', cType: 'hsa_amd_memory_pool_t', kind: 'handle' },
      { name: 'result', cType: 'bool *', kind: 'out', element: 'bool' },
    ],
    };
  },
  hsa_amd_memory_migrate: function () {
    return {
    name: 'hsa_amd_memory_migrate',
    returns: 'hsa_status_t',
    params: [
      { name: 'ptr', cType: 'const void *', kind: 'pointer' },
      { name: 'memory_pool', cType: 'hsa_amd_memory_pool_t', kind: 'handle' },
      { name: 'flags', cType: 'uint32_t', kind: 'u32' },
    ],
    };
  },
  hsa_amd_memory_lock: function () {
    return {
    name: 'hsa_amd_memory_lock',
    returns: 'hsa_status_t',
    params: [
      { name: 'host_ptr', cType: 'void *', kind: 'pointer' },
      { name: 'size', cType: 'size_t', kind: 'u64' },
      { name: 'agents', cType: 'hsa_agent_t *', kind: 'array', element: 'handle', nullable: true },
      { name: 'num_agent', cType: 'int', kind: 'i32' },
      { name: 'agent_ptr', cType: 'void **', kind: 'out', element: 'pointer' },
    ],
    };
  },
  hsa_amd_memory_unlock: function () {
    return {
    name: 'hsa_amd_memory_unlock',
    returns: 'hsa_status_t',
    params: [
      { name: 'host_ptr', cType: 'void *', kind: 'pointer' },
    ],
    };
  },
  hsa_amd_memory_fill: function () {
    return {
    name: 'hsa_amd_memory_fill',
    returns: 'hsa_status_t',
    params: [
      { name: 'ptr', cType: 'void *', kind: 'pointer' },
      { name: 'value', cType: 'uint32_t', kind: 'u32' },
      { name: 'count', cType: 'size_t', kind: 'u64' },
    ],
    };
  },
  hsa_amd_interop_map_buffer: function () {
    return {
    name: 'hsa_amd_interop_map_buffer',
    returns: 'hsa_status_t',
    params: [
      { name: 'num_agents', cType: 'uint32_t', kind: 'u32' },
      { name: 'agents', cType: 'hsa_agent_t *', kind: 'array', element: 'handle' },
      { name: 'interop_handle', cType: 'int', kind: 'i32' },
      { name: 'flags', cType: 'uint32_t', kind: 'u32' },
      { name: 'size', cType: 'size_t *', kind: 'out', element: 'u64' },
      { name: 'ptr', cType: 'void **', kind: 'out', element: 'pointer' },
      { name: 'metadata_size', cType: 'size_t *', kind: 'out', element: 'u64', nullable: true },
      { name: 'metadata', cType: 'const void **', kind: 'out', element: 'pointer', nullable: true },
    ],
    };
  },
  hsa_amd_interop_unmap_buffer: function () {
    return {
    name: 'hsa_amd_interop_unmap_buffer',
    returns: 'hsa_status_t',
    params: [
      { name: 'ptr', cType: 'void *', kind: 'pointer' },
    ],
    };
  },
  hsa_amd_image_create: function () {
    return {
    name: 'hsa_amd_image_create',
    returns: 'hsa_status_t',
    params: [
      { name: 'agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'image_descriptor', cType: 'const hsa_ext_image_descriptor_t *', kind: 'struct', struct: 'hsa_ext_image_descriptor_t' },
      { name: 'image_layout', cType: 'const hsa_amd_image_descriptor_t *', kind: 'struct', struct: 'hsa_amd_image_descriptor_t' },
      { name: 'image_data', cType: 'const void *', kind: 'pointer' },
      { name: 'access_permission', cType: 'hsa_access_permission_t', kind: 'u32' },
      { name: 'image', cType: 'hsa_ext_image_t *', kind: 'out', element: 'handle' },
    ],
    };
  },
  hsa_amd_pointer_info: function () {
    return {
    name: 'hsa_amd_pointer_info',
    returns: 'hsa_status_t',
    params: [
      { name: 'ptr', cType: 'const void *', kind: 'pointer' },
      { name: 'info', cType: 'hsa_amd_pointer_info_t *', kind: 'in-out', element: 'struct', struct: 'hsa_amd_pointer_info_t' },
      { name: 'alloc', cType: 'void *(*)(size_t)', kind: 'callback', callback: 'AllocCallback', nullable: true },
      { name: 'num_agents_accessible', cType: 'uint32_t *', kind: 'out', element: 'u32', nullable: true },
      { name: 'accessible', cType: 'hsa_agent_t **', kind: 'out-array', element: 'handle', nullable: true },
    ],
    };
  },
  hsa_amd_pointer_info_set_userdata: function () {
    return {
    name: 'hsa_amd_pointer_info_set_userdata',
    returns: 'hsa_status_t',
    params: [
      { name: 'ptr', cType: 'const void *', kind: 'pointer' },
      { name: 'userdata', cType: 'void *', kind: 'pointer' },
    ],
    };
  },
  hsa_amd_ipc_memory_create: function () {
    return {
    name: 'hsa_amd_ipc_memory_create',
    returns: 'hsa_status_t',
    params: [
      { name: 'ptr', cType: 'void *', kind: 'pointer' },
      { name: 'len', cType: 'size_t', kind: 'u64' },
      { name: 'handle', cType: 'hsa_amd_ipc_memory_t *', kind: 'out', element: 'struct', struct: 'hsa_amd_ipc_memory_t' },
    ],
    };
  },
  hsa_amd_ipc_memory_attach: function () {
    return {
    name: 'hsa_amd_ipc_memory_attach',
    returns: 'hsa_status_t',
    params: [
      { name: 'handle', cType: 'const hsa_amd_ipc_memory_t *', kind: 'struct', struct: 'hsa_amd_ipc_memory_t' },
      { name: 'len', cType: 'size_t', kind: 'u64' },
      { name: 'num_agents', cType: 'uint32_t', kind: 'u32' },
      { name: 'mapping_agents', cType: 'const hsa_agent_t *', kind: 'array', element: 'handle' },
      { name: 'mapped_ptr', cType: 'void **', kind: 'out', element: 'pointer' },
    ],
    };
  },
  hsa_amd_ipc_memory_detach: function () {
    return {
    name: 'hsa_amd_ipc_memory_detach',
    returns: 'hsa_status_t',
    params: [
      { name: 'mapped_ptr', cType: 'void *', kind: 'pointer' },
    ],
    };
  },
  hsa_amd_signal_create: function () {
    return {
    name: 'hsa_amd_signal_create',
    returns: 'hsa_status_t',
    params: [
      { name: 'initial_value', cType: 'hsa_signal_value_t', kind: 'i64' },
      { name: 'num_consumers', cType: 'uint32_t', kind: 'u32' },
      { name: 'consumers', cType: 'const hsa_agent_t *', kind: 'array', element: 'handle', nullable: true },
      { name: 'attributes', cType: 'uint64_t', kind: 'u64' },
      { name: 'signal', cType: 'hsa_signal_t *', kind: 'out', element: 'handle' },
    ],
    };
  },
  hsa_amd_ipc_signal_create: function () {
    return {
    name: 'hsa_amd_ipc_signal_create',
    returns: 'hsa_status_t',
    params: [
      { name: 'signal', cType: 'hsa_signal_t', kind: 'handle' },
      { name: 'handle', cType: 'hsa_amd_ipc_signal_t *', kind: 'out', element: 'struct', struct: 'hsa_amd_ipc_memory_t' },
    ],
    };
  },
  hsa_amd_ipc_signal_attach: function () {
    return {
    name: 'hsa_amd_ipc_signal_attach',
    returns: 'hsa_status_t',
    params: [
      { name: 'handle', cType: 'const hsa_amd_ipc_signal_t *', kind: 'struct', struct: 'hsa_amd_ipc_memory_t' },
      { name: 'signal', cType: 'hsa_signal_t *', kind: 'out', element: 'handle' },
    ],
    };
  },
  hsa_amd_register_system_event_handler: function () {
    return {
    name: 'hsa_amd_register_system_event_handler',
    returns: 'hsa_status_t',
    params: [
      { name: 'callback', cType: 'hsa_amd_system_event_callback_t', kind: 'callback', callback: 'SystemEventCallback' },
      { name: 'data', cType: 'void *', kind: 'user-data' },
    ],
    };
  },
  hsa_amd_queue_intercept_create: function () {
    return {
    name: 'hsa_amd_queue_intercept_create',
    returns: 'hsa_status_t',
    params: [
      { name: 'agent_handle', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'size', cType: 'uint32_t', kind: 'u32' },
      { name: 'type', cType: 'hsa_queue_type32_t', kind: 'u32' },
      { name: 'callback', cType: 'void (*)(hsa_status_t, hsa_queue_t *, void *)', kind: 'callback', callback: 'QueueErrorCallback', nullable: true },
      { name: 'data', cType: 'void *', kind: 'user-data' },
      { name: 'private_segment_size', cType: 'uint32_t', kind: 'u32' },
      { name: 'group_segment_size', cType: 'uint32_t', kind: 'u32' },
      { name: 'queue', cType: 'hsa_queue_t **', kind: 'out', element: 'pointer' },
    ],
    };
  },
  hsa_amd_queue_intercept_register: function () {
    return {
    name: 'hsa_amd_queue_intercept_register',
    returns: 'hsa_status_t',
    params: [
      { name: 'queue', cType: 'hsa_queue_t *', kind: 'pointer' },
      { name: 'callback', cType: 'hsa_amd_queue_intercept_handler', kind: 'callback', callback: 'PacketInterceptHandler' },
      { name: 'user_data', cType: 'void *', kind: 'user-data' },
    ],
    };
  },
  hsa_amd_queue_set_priority: function () {
    return {
    name: 'hsa_amd_queue_set_priority',
    returns: 'hsa_status_t',
    params: [
      { name: 'queue', cType: 'hsa_queue_t *', kind: 'pointer' },
      { name: 'priority', cType: 'hsa_amd_queue_priority_t', kind: 'u32' },
    ],
    };
  },
  hsa_amd_memory_async_copy_rect: function () {
    return {
    name: 'hsa_amd_memory_async_copy_rect',
    returns: 'hsa_status_t',
    params: [
      { name: 'dst', cType: 'const hsa_pitched_ptr_t *', kind: 'struct', struct: 'hsa_pitched_ptr_t' },
      { name: 'dst_offset', cType: 'const hsa_dim3_t *', kind: 'struct', struct: 'hsa_dim3_t' },
      { name: 'src', cType: 'const hsa_pitched_ptr_t *', kind: 'struct', struct: 'hsa_pitched_ptr_t' },
      { name: 'src_offset', cType: 'const hsa_dim3_t *', kind: 'struct', struct: 'hsa_dim3_t' },
      { name: 'range', cType: 'const hsa_dim3_t *', kind: 'struct', struct: 'hsa_dim3_t' },
      { name: 'copy_agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'dir', cType: 'hsa_amd_copy_direction_t', kind: 'u32' },
      { name: 'num_dep_signals', cType: 'uint32_t', kind: 'u32' },
      { name: 'dep_signals', cType: 'const hsa_signal_t *', kind: 'array', element: 'handle', nullable: true },
      { name: 'completion_signal', cType: 'hsa_signal_t', kind: 'handle' },
    ],
    };
  },
  hsa_amd_runtime_queue_create_register: function () {
    return {
    name: 'hsa_amd_runtime_queue_create_register',
    returns: 'hsa_status_t',
    params: [
      { name: 'callback', cType: 'hsa_amd_runtime_queue_notifier', kind: 'callback', callback: 'QueueCreateCallback' },
      { name: 'user_data', cType: 'void *', kind: 'user-data' },
    ],
    };
  },
  hsa_amd_memory_lock_to_pool: function () {
    return {
    name: 'hsa_amd_memory_lock_to_pool',
    returns: 'hsa_status_t',
    params: [
      { name: 'host_ptr', cType: 'void *', kind: 'pointer' },
      { name: 'size', cType: 'size_t', kind: 'u64' },
      { name: 'agents', cType: 'hsa_agent_t *', kind: 'array', element: 'handle', nullable: true },
      { name: 'num_agent', cType: 'int', kind: 'i32' },
      { name: 'pool', cType: 'hsa_amd_memory_pool_t', kind: 'handle' },
      { name: 'flags', cType: 'uint32_t', kind: 'u32' },
      { name: 'agent_ptr', cType: 'void **', kind: 'out', element: 'pointer' },
    ],
    };
  },
  hsa_amd_register_deallocation_callback: function () {
    return {
    name: 'hsa_amd_register_deallocation_callback',
    returns: 'hsa_status_t',
    params: [
      { name: 'ptr', cType: 'void *', kind: 'pointer' },
      { name: 'callback', cType: 'hsa_amd_deallocation_callback_t', kind: 'callback', callback: 'DeallocationCallback' },
      { name: 'user_data', cType: 'void *', kind: 'user-data' },
    ],
    };
  },
  hsa_amd_deregister_deallocation_callback: function () {
    return {
    name: 'hsa_amd_deregister_deallocation_callback',
    returns: 'hsa_status_t',
    params: [
      { name: 'ptr', cType: 'void *', kind: 'pointer' },
      { name: 'callback', cType: 'hsa_amd_deallocation_callback_t', kind: 'callback', callback: 'DeallocationCallback' },
    ],
    };
  },
  hsa_amd_signal_value_pointer: function () {
    return {
    name: 'hsa_amd_signal_value_pointer',
    returns: 'hsa_status_t',
    params: [
      { name: 'signal', cType: 'hsa_signal_t', kind: 'handle' },
      { name: 'value_ptr', cType: 'volatile hsa_signal_value_t **', kind: 'out', element: 'pointer' },
    ],
    };
  },
  hsa_amd_svm_attributes_set: function () {
    return {
    name: 'hsa_amd_svm_attributes_set',
    returns: 'hsa_status_t',
    params: [
      { name: 'ptr', cType: 'void *', kind: 'pointer' },
      { name: 'size', cType: 'size_t', kind: 'u64' },
      { name: 'attribute_list', cType: 'hsa_amd_svm_attribute_pair_t *', kind: 'array', element: 'struct', struct: 'hsa_amd_svm_attribute_pair_t' },
      { name: 'attribute_count', cType: 'size_t', kind: 'u64' },
    ],
    };
  },
  hsa_amd_svm_attributes_get: function () {
    return {
    name: 'hsa_amd_svm_attributes_get',
    returns: 'hsa_status_t',
    params: [
      { name: 'ptr', cType: 'void *', kind: 'pointer' },
      { name: 'size', cType: 'size_t', kind: 'u64' },
      { name: 'attribute_list', cType: 'hsa_amd_svm_attribute_pair_t *', kind: 'out-array', element: 'struct', struct: 'hsa_amd_svm_attribute_pair_t' },
      { name: 'attribute_count', cType: 'size_t', kind: 'u64' },
    ],
    };
  },
  hsa_amd_svm_prefetch_async: function () {
    return {
    name: 'hsa_amd_svm_prefetch_async',
    returns: 'hsa_status_t',
    params: [
      { name: 'ptr', cType: 'void *', kind: 'pointer' },
      { name: 'size', cType: 'size_t', kind: 'u64' },
      { name: 'agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'num_dep_signals', cType: 'uint32_t', kind: 'u32' },
      { name: 'dep_signals', cType: 'const hsa_signal_t *', kind: 'array', element: 'handle', nullable: true },
      { name: 'completion_signal', cType: 'hsa_signal_t', kind: 'handle' },
    ],
    };
  },
  hsa_amd_spm_acquire: function () {
    return {
    name: 'hsa_amd_spm_acquire',
    returns: 'hsa_status_t',
    params: [
      { name: 'preferred_agent', cType: 'hsa_agent_t', kind: 'handle' },
    ],
    };
  },
  hsa_amd_spm_release: function () {
    return {
    name: 'hsa_amd_spm_release',
    returns: 'hsa_status_t',
    params: [
      { name: 'preferred_agent', cType: 'hsa_agent_t', kind: 'handle' },
    ],
    };
  },
  hsa_amd_spm_set_dest_buffer: function () {
    return {
    name: 'hsa_amd_spm_set_dest_buffer',
    returns: 'hsa_status_t',
    params: [
      { name: 'preferred_agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'size_in_bytes', cType: 'size_t', kind: 'u64' },
      { name: 'timeout', cType: 'uint32_t *', kind: 'in-out', element: 'u32', nullable: true },
      { name: 'size_copied', cType: 'uint32_t *', kind: 'out', element: 'u32', nullable: true },
      { name: 'dest', cType: 'void *', kind: 'pointer' },
      { name: 'is_data_loss', cType: 'bool *', kind: 'out', element: 'bool', nullable: true },
    ],
    };
  },
  hsa_amd_queue_cu_get_mask: function () {
    return {
    name: 'hsa_amd_queue_cu_get_mask',
    returns: 'hsa_status_t',
    params: [
      { name: 'queue', cType: 'const hsa_queue_t *', kind: 'pointer' },
      { name: 'num_cu_mask_count', cType: 'uint32_t', kind: 'u32' },
      { name: 'cu_mask', cType: 'uint32_t *', kind: 'out-array', element: 'u32' },
    ],
    };
  },
  hsa_amd_portable_export_dmabuf: function () {
    return {
    name: 'hsa_amd_portable_export_dmabuf',
    returns: 'hsa_status_t',
    params: [
      { name: 'ptr', cType: 'const void *', kind: 'pointer' },
      { name: 'size', cType: 'size_t', kind: 'u64' },
      { name: 'dmabuf', cType: 'int *', kind: 'out', element: 'i32' },
      { name: 'offset', cType: 'uint64_t *', kind: 'out', element: 'u64' },
    ],
    };
  },
  hsa_amd_portable_close_dmabuf: function () {
    return {
    name: 'hsa_amd_portable_close_dmabuf',
    returns: 'hsa_status_t',
    params: [
      { name: 'dmabuf', cType: 'int', kind: 'i32' },
    ],
    };
  },
  hsa_amd_vmem_address_reserve: function () {
    return {
    name: 'hsa_amd_vmem_address_reserve',
    returns: 'hsa_status_t',
    params: [
      { name: 'va', cType: 'void **', kind: 'out', element: 'pointer' },
      { name: 'size', cType: 'size_t', kind: 'u64' },
      { name: 'address', cType: 'uint64_t', kind: 'u64' },
      { name: 'flags', cType: 'uint64_t', kind: 'u64' },
    ],
    };
  },
  hsa_amd_vmem_address_free: function () {
    return {
    name: 'hsa_amd_vmem_address_free',
    returns: 'hsa_status_t',
    params: [
      { name: 'va', cType: 'void *', kind: 'pointer' },
      { name: 'size', cType: 'size_t', kind: 'u64' },
    ],
    };
  },
  hsa_amd_vmem_handle_create: function () {
    return {
    name: 'hsa_amd_vmem_handle_create',
    returns: 'hsa_status_t',
    params: [
      { name: 'pool', cType: 'hsa_amd_memory_pool_t', kind: 'handle' },
      { name: 'size', cType: 'size_t', kind: 'u64' },
      { name: 'type', cType: 'hsa_amd_memory_type_t', kind: 'u32' },
      { name: 'flags', cType: 'uint64_t', kind: 'u64' },
      { name: 'memory_handle', cType: 'hsa_amd_vmem_alloc_handle_t *', kind: 'out', element: 'handle' },
    ],
    };
  },
  hsa_amd_vmem_handle_release: function () {
    return {
    name: 'hsa_amd_vmem_handle_release',
    returns: 'hsa_status_t',
    params: [
      { name: 'memory_handle', cType: 'hsa_amd_vmem_alloc_handle_t', kind: 'handle' },
    ],
    };
  },
  hsa_amd_vmem_map: function () {
    return {
    name: 'hsa_amd_vmem_map',
    returns: 'hsa_status_t',
    params: [
      { name: 'va', cType: 'void *', kind: 'pointer' },
      { name: 'size', cType: 'size_t', kind: 'u64' },
      { name: 'in_offset', cType: 'size_t', kind: 'u64' },
      { name: 'memory_handle', cType: 'hsa_amd_vmem_alloc_handle_t', kind: 'handle' },
      { name: 'flags', cType: 'uint64_t', kind: 'u64' },
    ],
    };
  },
  hsa_amd_vmem_unmap: function () {
    return {
    name: 'hsa_amd_vmem_unmap',
    returns: 'hsa_status_t',
    params: [
      { name: 'va', cType: 'void *', kind: 'pointer' },
      { name: 'size', cType: 'size_t', kind: 'u64' },
    ],
    };
  },
  hsa_amd_vmem_set_access: function () {
    return {
    name: 'hsa_amd_vmem_set_access',
    returns: 'hsa_status_t',
    params: [
      { name: 'va', cType: 'void *', kind: 'pointer' },
      { name: 'size', cType: 'size_t', kind: 'u64' },
      { name: 'desc', cType: 'const hsa_amd_memory_access_desc_t *', kind: 'array', element: 'struct', struct: 'hsa_amd_memory_access_desc_t' },
      { name: 'desc_cnt', cType: 'size_t', kind: 'u64' },
    ],
    };
  },
  hsa_amd_vmem_get_access: function () {
    return {
    name: 'hsa_amd_vmem_get_access',
    returns: 'hsa_status_t',
    params: [
      { name: 'va', cType: 'void *', kind: 'pointer' },
      { name: 'perms', cType: 'hsa_access_permission_t *', kind: 'out', element: 'u32' },
      { name: 'agent_handle', cType: 'hsa_agent_t', kind: 'handle' },
    ],
    };
  },
  hsa_amd_vmem_export_shareable_handle: function () {
    return {
    name: 'hsa_amd_vmem_export_shareable_handle',
    returns: 'hsa_status_t',
    params: [
      { name: 'dmabuf_fd', cType: 'int *', kind: 'out', element: 'i32' },
      { name: 'handle', cType: 'hsa_amd_vmem_alloc_handle_t', kind: 'handle' },
      { name: 'flags', cType: 'uint64_t', kind: 'u64' },
    ],
    };
  },
  hsa_amd_vmem_import_shareable_handle: function () {
    return {
    name: 'hsa_amd_vmem_import_shareable_handle',
    returns: 'hsa_status_t',
    params: [
      { name: 'dmabuf_fd', cType: 'int', kind: 'i32' },
      { name: 'handle', cType: 'hsa_amd_vmem_alloc_handle_t *', kind: 'out', element: 'handle' },
    ],
    };
  },
  hsa_amd_vmem_retain_alloc_handle: function () {
    return {
    name: 'hsa_amd_vmem_retain_alloc_handle',
    returns: 'hsa_status_t',
    params: [
      { name: 'memory_handle', cType: 'hsa_amd_vmem_alloc_handle_t *', kind: 'out', element: 'handle' },
      { name: 'addr', cType: 'void *', kind: 'pointer' },
    ],
    };
  },
  hsa_amd_vmem_get_alloc_properties_from_handle: function () {
    return {
    name: 'hsa_amd_vmem_get_alloc_properties_from_handle',
    returns: 'hsa_status_t',
    params: [
      { name: 'memory_handle', cType: 'hsa_amd_vmem_alloc_handle_t', kind: 'handle' },
      { name: 'pool', cType: 'hsa_amd_memory_pool_t *', kind: 'out', element: 'handle' },
      { name: 'type', cType: 'hsa_amd_memory_type_t *', kind: 'out', element: 'u32' },
    ],
    };
  },
  hsa_amd_agent_set_async_scratch_limit: function () {
    return {
    name: 'hsa_amd_agent_set_async_scratch_limit',
    returns: 'hsa_status_t',
    params: [
      { name: 'agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'threshold', cType: 'size_t', kind: 'u64' },
    ],
    };
  },
  hsa_amd_queue_get_info: function () {
    return {
    name: 'hsa_amd_queue_get_info',
    returns: 'hsa_status_t',
    params: [
      { name: 'queue', cType: 'hsa_queue_t *', kind: 'pointer' },
      { name: 'attribute', cType: 'hsa_queue_info_attribute_t', kind: 'u32' },
      { name: 'value', cType: 'void *', kind: 'out-any' },
    ],
    };
  },
  hsa_amd_vmem_address_reserve_align: function () {
    return {
    name: 'hsa_amd_vmem_address_reserve_align',
    returns: 'hsa_status_t',
    params: [
      { name: 'va', cType: 'void **', kind: 'out', element: 'pointer' },
      { name: 'size', cType: 'size_t', kind: 'u64' },
      { name: 'address', cType: 'uint64_t', kind: 'u64' },
      { name: 'alignment', cType: 'uint64_t', kind: 'u64' },
      { name: 'flags', cType: 'uint64_t', kind: 'u64' },
    ],
    };
  },
  hsa_amd_enable_logging: function () {
    return {
    name: 'hsa_amd_enable_logging',
    returns: 'hsa_status_t',
    params: [
      { name: 'flags', cType: 'uint8_t *', kind: 'array', element: 'u8', nullable: true },
      { name: 'file', cType: 'void *', kind: 'pointer' },
    ],
    };
  },
  hsa_amd_signal_wait_all: function () {
    return {
    name: 'hsa_amd_signal_wait_all',
    returns: 'uint32_t',
    params: [
      { name: 'signal_count', cType: 'uint32_t', kind: 'u32' },
      { name: 'signals', cType: 'hsa_signal_t *', kind: 'array', element: 'handle' },
      { name: 'conds', cType: 'hsa_signal_condition_t *', kind: 'array', element: 'u32' },
      { name: 'values', cType: 'hsa_signal_value_t *', kind: 'array', element: 'i64' },
      { name: 'timeout_hint', cType: 'uint64_t', kind: 'u64' },
      { name: 'wait_hint', cType: 'hsa_wait_state_t', kind: 'u32' },
      { name: 'satisfying_values', cType: 'hsa_signal_value_t *', kind: 'out-array', element: 'i64', nullable: true },
    ],
    };
  },
  hsa_amd_memory_get_preferred_copy_engine: function () {
    return {
    name: 'hsa_amd_memory_get_preferred_copy_engine',
    returns: 'hsa_status_t',
    params: [
      { name: 'dst_agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'src_agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'recommended_ids_mask', cType: 'uint32_t *', kind: 'out', element: 'u32' },
    ],
    };
  },
  hsa_amd_portable_export_dmabuf_v2: function () {
    return {
    name: 'hsa_amd_portable_export_dmabuf_v2',
    returns: 'hsa_status_t',
    params: [
      { name: 'ptr', cType: 'const void *', kind: 'pointer' },
      { name: 'size', cType: 'size_t', kind: 'u64' },
      { name: 'dmabuf', cType: 'int *', kind: 'out', element: 'i32' },
      { name: 'offset', cType: 'uint64_t *', kind: 'out', element: 'u64' },
      { name: 'flags', cType: 'uint64_t', kind: 'u64' },
    ],
    };
  },
  hsa_ext_program_create: function () {
    return {
    name: 'hsa_ext_program_create',
    returns: 'hsa_status_t',
    params: [
      { name: 'machine_model', cType: 'hsa_machine_model_t', kind: 'u32' },
      { name: 'profile', cType: 'hsa_profile_t', kind: 'u32' },
      { name: 'default_float_rounding_mode', cType: 'hsa_default_float_rounding_mode_t', kind: 'u32' },
      { name: 'options', cType: 'const char *', kind: 'string', nullable: true },
      { name: 'program', cType: 'hsa_ext_program_t *', kind: 'out', element: 'handle' },
    ],
    };
  },
  hsa_ext_program_destroy: function () {
    return {
    name: 'hsa_ext_program_destroy',
    returns: 'hsa_status_t',
    params: [
      { name: 'program', cType: 'hsa_ext_program_t', kind: 'handle' },
    ],
    };
  },
  hsa_ext_program_add_module: function () {
    return {
    name: 'hsa_ext_program_add_module',
    returns: 'hsa_status_t',
    params: [
      { name: 'program', cType: 'hsa_ext_program_t', kind: 'handle' },
      { name: 'module', cType: 'hsa_ext_module_t', kind: 'pointer' },
    ],
    };
  },
  hsa_ext_program_iterate_modules: function () {
    return {
    name: 'hsa_ext_program_iterate_modules',
    returns: 'hsa_status_t',
    params: [
      { name: 'program', cType: 'hsa_ext_program_t', kind: 'handle' },
      { name: 'callback', cType: 'hsa_status_t (*)(hsa_ext_program_t, hsa_ext_module_t, void *)', kind: 'callback', callback: 'ModuleCallback' },
      { name: 'data', cType: 'void *', kind: 'user-data' },
    ],
    };
  },
  hsa_ext_program_get_info: function () {
    return {
    name: 'hsa_ext_program_get_info',
    returns: 'hsa_status_t',
    params: [
      { name: 'program', cType: 'hsa_ext_program_t', kind: 'handle' },
      { name: 'attribute', cType: 'hsa_ext_program_info_t', kind: 'u32' },
      { name: 'value', cType: 'void *', kind: 'out-any' },
    ],
    };
  },
  hsa_ext_program_finalize: function () {
    return {
    name: 'hsa_ext_program_finalize',
    returns: 'hsa_status_t',
    params: [
      { name: 'program', cType: 'hsa_ext_program_t', kind: 'handle' },
      { name: 'isa', cType: 'hsa_isa_t', kind: 'handle' },
      { name: 'call_convention', cType: 'int32_t', kind: 'i32' },
      { name: 'control_directives', cType: 'hsa_ext_control_directives_t', kind: 'struct', struct: 'hsa_ext_control_directives_t' },
      { name: 'options', cType: 'const char *', kind: 'string', nullable: true },
      { name: 'code_object_type', cType: 'hsa_code_object_type_t', kind: 'u32' },
      { name: 'code_object', cType: 'hsa_code_object_t *', kind: 'out', element: 'handle' },
    ],
    };
  },
  hsa_ext_image_get_capability: function () {
    return {
    name: 'hsa_ext_image_get_capability',
    returns: 'hsa_status_t',
    params: [
      { name: 'agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'geometry', cType: 'hsa_ext_image_geometry_t', kind: 'u32' },
      { name: 'image_format', cType: 'const hsa_ext_image_format_t *', kind: 'struct', struct: 'hsa_ext_image_format_t' },
      { name: 'capability_mask', cType: 'uint32_t *', kind: 'out', element: 'u32' },
    ],
    };
  },
  hsa_ext_image_data_get_info: function () {
    return {
    name: 'hsa_ext_image_data_get_info',
    returns: 'hsa_status_t',
    params: [
      { name: 'agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'image_descriptor', cType: 'const hsa_ext_image_descriptor_t *', kind: 'struct', struct: 'hsa_ext_image_descriptor_t' },
      { name: 'access_permission', cType: 'hsa_access_permission_t', kind: 'u32' },
      { name: 'image_data_info', cType: 'hsa_ext_image_data_info_t *', kind: 'out', element: 'struct', struct: 'hsa_ext_image_data_info_t' },
    ],
    };
  },
  hsa_ext_image_create: function () {
    return {
    name: 'hsa_ext_image_create',
    returns: 'hsa_status_t',
    params: [
      { name: 'agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'image_descriptor', cType: 'const hsa_ext_image_descriptor_t *', kind: 'struct', struct: 'hsa_ext_image_descriptor_t' },
      { name: 'image_data', cType: 'const void *', kind: 'pointer' },
      { name: 'access_permission', cType: 'hsa_access_permission_t', kind: 'u32' },
      { name: 'image', cType: 'hsa_ext_image_t *', kind: 'out', element: 'handle' },
    ],
    };
  },
  hsa_ext_image_import: function () {
    return {
    name: 'hsa_ext_image_import',
    returns: 'hsa_status_t',
    params: [
      { name: 'agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'src_memory', cType: 'const void *', kind: 'pointer' },
      { name: 'src_row_pitch', cType: 'size_t', kind: 'u64' },
      { name: 'src_slice_pitch', cType: 'size_t', kind: 'u64' },
      { name: 'dst_image', cType: 'hsa_ext_image_t', kind: 'handle' },
      { name: 'image_region', cType: 'const hsa_ext_image_region_t *', kind: 'struct', struct: 'hsa_ext_image_region_t' },
    ],
    };
  },
  hsa_ext_image_export: function () {
    return {
    name: 'hsa_ext_image_export',
    returns: 'hsa_status_t',
    params: [
      { name: 'agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'src_image', cType: 'hsa_ext_image_t', kind: 'handle' },
      { name: 'dst_memory', cType: 'void *', kind: 'pointer' },
      { name: 'dst_row_pitch', cType: 'size_t', kind: 'u64' },
      { name: 'dst_slice_pitch', cType: 'size_t', kind: 'u64' },
      { name: 'image_region', cType: 'const hsa_ext_image_region_t *', kind: 'struct', struct: 'hsa_ext_image_region_t' },
    ],
    };
  },
  hsa_ext_image_copy: function () {
    return {
    name: 'hsa_ext_image_copy',
    returns: 'hsa_status_t',
    params: [
      { name: 'agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'src_image', cType: 'hsa_ext_image_t', kind: 'handle' },
      { name: 'src_offset', cType: 'const hsa_dim3_t *', kind: 'struct', struct: 'hsa_dim3_t' },
      { name: 'dst_image', cType: 'hsa_ext_image_t', kind: 'handle' },
      { name: 'dst_offset', cType: 'const hsa_dim3_t *', kind: 'struct', struct: 'hsa_dim3_t' },
      { name: 'range', cType: 'const hsa_dim3_t *', kind: 'struct', struct: 'hsa_dim3_t' },
    ],
    };
  },
  hsa_ext_image_clear: function () {
    return {
    name: 'hsa_ext_image_clear',
    returns: 'hsa_status_t',
    params: [
      { name: 'agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'image', cType: 'hsa_ext_image_t', kind: 'handle' },
      { name: 'data', cType: 'const void *', kind: 'pointer' },
      { name: 'image_region', cType: 'const hsa_ext_image_region_t *', kind: 'struct', struct: 'hsa_ext_image_region_t' },
    ],
    };
  },
  hsa_ext_image_destroy: function () {
    return {
    name: 'hsa_ext_image_destroy',
    returns: 'hsa_status_t',
    params: [
      { name: 'agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'image', cType: 'hsa_ext_image_t', kind: 'handle' },
    ],
    };
  },
  hsa_ext_sampler_create: function () {
    return {
    name: 'hsa_ext_sampler_create',
    returns: 'hsa_status_t',
    params: [
      { name: 'agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'sampler_descriptor', cType: 'const hsa_ext_sampler_descriptor_t *', kind: 'struct', struct: 'hsa_ext_sampler_descriptor_t' },
      { name: 'sampler', cType: 'hsa_ext_sampler_t *', kind: 'out', element: 'handle' },
    ],
    };
  },
  hsa_ext_sampler_destroy: function () {
    return {
    name: 'hsa_ext_sampler_destroy',
    returns: 'hsa_status_t',
    params: [
      { name: 'agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'sampler', cType: 'hsa_ext_sampler_t', kind: 'handle' },
    ],
    };
  },
  hsa_ext_image_get_capability_with_layout: function () {
    return {
    name: 'hsa_ext_image_get_capability_with_layout',
    returns: 'hsa_status_t',
    params: [
      { name: 'agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'geometry', cType: 'hsa_ext_image_geometry_t', kind: 'u32' },
      { name: 'image_format', cType: 'const hsa_ext_image_format_t *', kind: 'struct', struct: 'hsa_ext_image_format_t' },
      { name: 'image_data_layout', cType: 'hsa_ext_image_data_layout_t', kind: 'u32' },
      { name: 'capability_mask', cType: 'uint32_t *', kind: 'out', element: 'u32' },
    ],
    };
  },
  hsa_ext_image_data_get_info_with_layout: function () {
    return {
    name: 'hsa_ext_image_data_get_info_with_layout',
    returns: 'hsa_status_t',
    params: [
      { name: 'agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'image_descriptor', cType: 'const hsa_ext_image_descriptor_t *', kind: 'struct', struct: 'hsa_ext_image_descriptor_t' },
      { name: 'access_permission', cType: 'hsa_access_permission_t', kind: 'u32' },
      { name: 'image_data_layout', cType: 'hsa_ext_image_data_layout_t', kind: 'u32' },
      { name: 'image_data_row_pitch', cType: 'size_t', kind: 'u64' },
      { name: 'image_data_slice_pitch', cType: 'size_t', kind: 'u64' },
      { name: 'image_data_info', cType: 'hsa_ext_image_data_info_t *', kind: 'out', element: 'struct', struct: 'hsa_ext_image_data_info_t' },
    ],
    };
  },
  hsa_ext_image_create_with_layout: function () {
    return {
    name: 'hsa_ext_image_create_with_layout',
    returns: 'hsa_status_t',
    params: [
      { name: 'agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'image_descriptor', cType: 'const hsa_ext_image_descriptor_t *', kind: 'struct', struct: 'hsa_ext_image_descriptor_t' },
      { name: 'image_data', cType: 'const void *', kind: 'pointer' },
      { name: 'access_permission', cType: 'hsa_access_permission_t', kind: 'u32' },
      { name: 'image_data_layout', cType: 'hsa_ext_image_data_layout_t', kind: 'u32' },
      { name: 'image_data_row_pitch', cType: 'size_t', kind: 'u64' },
      { name: 'image_data_slice_pitch', cType: 'size_t', kind: 'u64' },
      { name: 'image', cType: 'hsa_ext_image_t *', kind: 'out', element: 'handle' },
    ],
    };
  },
  hsa_ext_sampler_create_v2: function () {
    return {
    name: 'hsa_ext_sampler_create_v2',
    returns: 'hsa_status_t',
    params: [
      { name: 'agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'sampler_descriptor', cType: 'const hsa_ext_sampler_descriptor_v2_t *', kind: 'struct', struct: 'hsa_ext_sampler_descriptor_v2_t' },
      { name: 'sampler', cType: 'hsa_ext_sampler_t *', kind: 'out', element: 'handle' },
    ],
    };
  },
  hsa_amd_tool_scratch_event_alloc_start: function () {
    return {
    name: 'hsa_amd_tool_scratch_event_alloc_start',
    returns: 'hsa_status_t',
    params: [
      { name: 'event', cType: 'hsa_amd_tool_event_t', kind: 'struct', struct: 'hsa_amd_event_scratch_alloc_start_t' },
    ],
    };
  },
  hsa_amd_tool_scratch_event_alloc_end: function () {
    return {
    name: 'hsa_amd_tool_scratch_event_alloc_end',
    returns: 'hsa_status_t',
    params: [
      { name: 'event', cType: 'hsa_amd_tool_event_t', kind: 'struct', struct: 'hsa_amd_event_scratch_alloc_end_t' },
    ],
    };
  },
  hsa_amd_tool_scratch_event_free_start: function () {
    return {
    name: 'hsa_amd_tool_scratch_event_free_start',
    returns: 'hsa_status_t',
    params: [
      { name: 'event', cType: 'hsa_amd_tool_event_t', kind: 'struct', struct: 'hsa_amd_event_scratch_free_start_t' },
    ],
    };
  },
  hsa_amd_tool_scratch_event_free_end: function () {
    return {
    name: 'hsa_amd_tool_scratch_event_free_end',
    returns: 'hsa_status_t',
    params: [
      { name: 'event', cType: 'hsa_amd_tool_event_t', kind: 'struct', struct: 'hsa_amd_event_scratch_free_end_t' },
    ],
    };
  },
  hsa_amd_tool_scratch_event_async_reclaim_start: function () {
    return {
    name: 'hsa_amd_tool_scratch_event_async_reclaim_start',
    returns: 'hsa_status_t',
    params: [
      { name: 'event', cType: 'hsa_amd_tool_event_t', kind: 'struct', struct: 'hsa_amd_event_scratch_async_reclaim_start_t' },
    ],
    };
  },
  hsa_amd_tool_scratch_event_async_reclaim_end: function () {
    return {
    name: 'hsa_amd_tool_scratch_event_async_reclaim_end',
    returns: 'hsa_status_t',
    params: [
      { name: 'event', cType: 'hsa_amd_tool_event_t', kind: 'struct', struct: 'hsa_amd_event_scratch_async_reclaim_end_t' },
    ],
    };
  },
  hsa_ven_amd_pcs_iterate_configuration: function () {
    return {
    name: 'hsa_ven_amd_pcs_iterate_configuration',
    returns: 'hsa_status_t',
    params: [
      { name: 'agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'configuration_callback', cType: 'hsa_ven_amd_pcs_iterate_configuration_callback_t', kind: 'callback', callback: 'PcSamplingConfigurationCallback' },
      { name: 'callback_data', cType: 'void *', kind: 'user-data' },
    ],
    };
  },
  hsa_ven_amd_pcs_create: function () {
    return {
    name: 'hsa_ven_amd_pcs_create',
    returns: 'hsa_status_t',
    params: [
      { name: 'agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'method', cType: 'hsa_ven_amd_pcs_method_kind_t', kind: 'u32' },
      { name: 'units', cType: 'hsa_ven_amd_pcs_units_t', kind: 'u32' },
      { name: 'interval', cType: 'size_t', kind: 'u64' },
      { name: 'latency', cType: 'size_t', kind: 'u64' },
      { name: 'buffer_size', cType: 'size_t', kind: 'u64' },
      { name: 'data_ready_callback', cType: 'hsa_ven_amd_pcs_data_ready_callback_t', kind: 'callback', callback: 'PcSamplingReadyCallback' },
      { name: 'client_callback_data', cType: 'void *', kind: 'user-data' },
      { name: 'pc_sampling', cType: 'hsa_ven_amd_pcs_t *', kind: 'out', element: 'handle' },
    ],
    };
  },
  hsa_ven_amd_pcs_create_from_id: function () {
    return {
    name: 'hsa_ven_amd_pcs_create_from_id',
    returns: 'hsa_status_t',
    params: [
      { name: 'pcs_id', cType: 'uint32_t', kind: 'u32' },
      { name: 'agent', cType: 'hsa_agent_t', kind: 'handle' },
      { name: 'method', cType: 'hsa_ven_amd_pcs_method_kind_t', kind: 'u32' },
      { name: 'units', cType: 'hsa_ven_amd_pcs_units_t', kind: 'u32' },
      { name: 'interval', cType: 'size_t', kind: 'u64' },
      { name: 'latency', cType: 'size_t', kind: 'u64' },
      { name: 'buffer_size', cType: 'size_t', kind: 'u64' },
      { name: 'data_ready_callback', cType: 'hsa_ven_amd_pcs_data_ready_callback_t', kind: 'callback', callback: 'PcSamplingReadyCallback' },
      { name: 'client_callback_data', cType: 'void *', kind: 'user-data' },
      { name: 'pc_sampling', cType: 'hsa_ven_amd_pcs_t *', kind: 'out', element: 'handle' },
    ],
    };
  },
  hsa_ven_amd_pcs_destroy: function () {
    return {
    name: 'hsa_ven_amd_pcs_destroy',
    returns: 'hsa_status_t',
    params: [
      { name: 'pc_sampling', cType: 'hsa_ven_amd_pcs_t', kind: 'handle' },
    ],
    };
  },
  hsa_ven_amd_pcs_start: function () {
    return {
    name: 'hsa_ven_amd_pcs_start',
    returns: 'hsa_status_t',
    params: [
      { name: 'pc_sampling', cType: 'hsa_ven_amd_pcs_t', kind: 'handle' },
    ],
    };
  },
  hsa_ven_amd_pcs_stop: function () {
    return {
    name: 'hsa_ven_amd_pcs_stop',
    returns: 'hsa_status_t',
    params: [
      { name: 'pc_sampling', cType: 'hsa_ven_amd_pcs_t', kind: 'handle' },
    ],
    };
  },
  hsa_ven_amd_pcs_flush: function () {
    return {
    name: 'hsa_ven_amd_pcs_flush',
    returns: 'hsa_status_t',
    params: [
      { name: 'pc_sampling', cType: 'hsa_ven_amd_pcs_t', kind: 'handle' },
    ],
    };
  },
});

export const HSA_CALLBACKS: { readonly [K in HsaCallbackName]: HsaCallback } = {
  AgentCallback: { cType: 'hsa_status_t (*)(hsa_agent_t, void *)', returns: 'hsa_status_t', params: ['hsa_agent_t', 'void *'] },
  RegionCallback: { cType: 'hsa_status_t (*)(hsa_region_t, void *)', returns: 'hsa_status_t', params: ['hsa_region_t', 'void *'] },
  CacheCallback: { cType: 'hsa_status_t (*)(hsa_cache_t, void *)', returns: 'hsa_status_t', params: ['hsa_cache_t', 'void *'] },
  IsaCallback: { cType: 'hsa_status_t (*)(hsa_isa_t, void *)', returns: 'hsa_status_t', params: ['hsa_isa_t', 'void *'] },
  WavefrontCallback: { cType: 'hsa_status_t (*)(hsa_wavefront_t, void *)', returns: 'hsa_status_t', params: ['hsa_wavefront_t', 'void *'] },
  MemoryPoolCallback: { cType: 'hsa_status_t (*)(hsa_amd_memory_pool_t, void *)', returns: 'hsa_status_t', params: ['hsa_amd_memory_pool_t', 'void *'] },
  CodeSymbolCallback: { cType: 'hsa_status_t (*)(hsa_code_object_t, hsa_code_symbol_t, void *)', returns: 'hsa_status_t', params: ['hsa_code_object_t', 'hsa_code_symbol_t', 'void *'] },
  ProgramSymbolCallback: { cType: 'hsa_status_t (*)(hsa_executable_t, hsa_executable_symbol_t, void *)', returns: 'hsa_status_t', params: ['hsa_executable_t', 'hsa_executable_symbol_t', 'void *'] },
  AgentSymbolCallback: { cType: 'hsa_status_t (*)(hsa_executable_t, hsa_agent_t, hsa_executable_symbol_t, void *)', returns: 'hsa_status_t', params: ['hsa_executable_t', 'hsa_agent_t', 'hsa_executable_symbol_t', 'void *'] },
  ModuleCallback: { cType: 'hsa_status_t (*)(hsa_ext_program_t, hsa_ext_module_t, void *)', returns: 'hsa_status_t', params: ['hsa_ext_program_t', 'hsa_ext_module_t', 'void *'] },
  SerializeAllocCallback: { cType: 'hsa_status_t (*)(size_t, hsa_callback_data_t, void **)', returns: 'hsa_status_t', params: ['size_t', 'hsa_callback_data_t', 'void **'] },
  QueueErrorCallback: { cType: 'void (*)(hsa_status_t, hsa_queue_t *, void *)', returns: 'void', params: ['hsa_status_t', 'hsa_queue_t *', 'void *'] },
  AsyncFunctionCallback: { cType: 'void (*)(void *)', returns: 'void', params: ['void *'] },
  AllocCallback: { cType: 'void *(*)(size_t)', returns: 'void *', params: ['size_t'] },
  SignalHandler: { cType: 'hsa_amd_signal_handler', returns: 'bool', params: ['hsa_signal_value_t', 'void *'] },
  SystemEventCallback: { cType: 'hsa_amd_system_event_callback_t', returns: 'hsa_status_t', params: ['const hsa_amd_event_t *', 'void *'] },
  DeallocationCallback: { cType: 'hsa_amd_deallocation_callback_t', returns: 'void', params: ['void *', 'void *'] },
  PacketWriter: { cType: 'hsa_amd_queue_intercept_packet_writer', returns: 'void', params: ['const void *', 'uint64_t'] },
  PacketInterceptHandler: { cType: 'hsa_amd_queue_intercept_handler', returns: 'void', params: ['const void *', 'uint64_t', 'uint64_t', 'void *', 'hsa_amd_queue_intercept_packet_writer'] },
  QueueCreateCallback: { cType: 'hsa_amd_runtime_queue_notifier', returns: 'void', params: ['const hsa_queue_t *', 'hsa_agent_t', 'void *'] },
  PcSamplingCopyCallback: { cType: 'hsa_ven_amd_pcs_data_copy_callback_t', returns: 'hsa_status_t', params: ['void *', 'size_t', 'void *'] },
  PcSamplingReadyCallback: { cType: 'hsa_ven_amd_pcs_data_ready_callback_t', returns: 'void', params: ['void *', 'size_t', 'size_t', 'hsa_ven_amd_pcs_data_copy_callback_t', 'void *'] },
  PcSamplingConfigurationCallback: { cType: 'hsa_ven_amd_pcs_iterate_configuration_callback_t', returns: 'hsa_status_t', params: ['const hsa_ven_amd_pcs_configuration_t *', 'void *'] },
};

export const HSA_TABLES: { readonly [K in HsaTableName]: HsaTable } = {
  core: {
    major: 2,
    step: 0,
    slots: [
      'hsa_init',
      'hsa_shut_down',
      'hsa_system_get_info',
      'hsa_system_extension_supported',
      'hsa_system_get_extension_table',
      'hsa_iterate_agents',
      'hsa_agent_get_info',
      'hsa_queue_create',
      'hsa_soft_queue_create',
      'hsa_queue_destroy',
      'hsa_queue_inactivate',
      'hsa_queue_load_read_index_scacquire',
      'hsa_queue_load_read_index_relaxed',
      'hsa_queue_load_write_index_scacquire',
      'hsa_queue_load_write_index_relaxed',
      'hsa_queue_store_write_index_relaxed',
      'hsa_queue_store_write_index_screlease',
      'hsa_queue_cas_write_index_scacq_screl',
      'hsa_queue_cas_write_index_scacquire',
      'hsa_queue_cas_write_index_relaxed',
      'hsa_queue_cas_write_index_screlease',
      'hsa_queue_add_write_index_scacq_screl',
      'hsa_queue_add_write_index_scacquire',
      'hsa_queue_add_write_index_relaxed',
      'hsa_queue_add_write_index_screlease',
      'hsa_queue_store_read_index_relaxed',
      'hsa_queue_store_read_index_screlease',
      'hsa_agent_iterate_regions',
      'hsa_region_get_info',
      'hsa_agent_get_exception_policies',
      'hsa_agent_extension_supported',
      'hsa_memory_register',
      'hsa_memory_deregister',
      'hsa_memory_allocate',
      'hsa_memory_free',
      'hsa_memory_copy',
      'hsa_memory_assign_agent',
      'hsa_signal_create',
      'hsa_signal_destroy',
      'hsa_signal_load_relaxed',
      'hsa_signal_load_scacquire',
      'hsa_signal_store_relaxed',
      'hsa_signal_store_screlease',
      'hsa_signal_wait_relaxed',
      'hsa_signal_wait_scacquire',
      'hsa_signal_and_relaxed',
      'hsa_signal_and_scacquire',
      'hsa_signal_and_screlease',
      'hsa_signal_and_scacq_screl',
      'hsa_signal_or_relaxed',
      'hsa_signal_or_scacquire',
      'hsa_signal_or_screlease',
      'hsa_signal_or_scacq_screl',
      'hsa_signal_xor_relaxed',
      'hsa_signal_xor_scacquire',
      'hsa_signal_xor_screlease',
      'hsa_signal_xor_scacq_screl',
      'hsa_signal_exchange_relaxed',
      'hsa_signal_exchange_scacquire',
      'hsa_signal_exchange_screlease',
      'hsa_signal_exchange_scacq_screl',
      'hsa_signal_add_relaxed',
      'hsa_signal_add_scacquire',
      'hsa_signal_add_screlease',
      'hsa_signal_add_scacq_screl',
      'hsa_signal_subtract_relaxed',
      'hsa_signal_subtract_scacquire',
      'hsa_signal_subtract_screlease',
      'hsa_signal_subtract_scacq_screl',
      'hsa_signal_cas_relaxed',
      'hsa_signal_cas_scacquire',
      'hsa_signal_cas_screlease',
      'hsa_signal_cas_scacq_screl',
      'hsa_isa_from_name',
      'hsa_isa_get_info',
      'hsa_isa_compatible',
      'hsa_code_object_serialize',
      'hsa_code_object_deserialize',
      'hsa_code_object_destroy',
      'hsa_code_object_get_info',
      'hsa_code_object_get_symbol',
      'hsa_code_symbol_get_info',
      'hsa_code_object_iterate_symbols',
      'hsa_executable_create',
      'hsa_executable_destroy',
      'hsa_executable_load_code_object',
      'hsa_executable_freeze',
      'hsa_executable_get_info',
      'hsa_executable_global_variable_define',
      'hsa_executable_agent_global_variable_define',
      'hsa_executable_readonly_variable_define',
      'hsa_executable_validate',
      'hsa_executable_get_symbol',
      'hsa_executable_symbol_get_info',
      'hsa_executable_iterate_symbols',
      'hsa_status_string',
      'hsa_extension_get_name',
      'hsa_system_major_extension_supported',
      'hsa_system_get_major_extension_table',
      'hsa_agent_major_extension_supported',
      'hsa_cache_get_info',
      'hsa_agent_iterate_caches',
      'hsa_signal_silent_store_relaxed',
      'hsa_signal_silent_store_screlease',
      'hsa_signal_group_create',
      'hsa_signal_group_destroy',
      'hsa_signal_group_wait_any_scacquire',
      'hsa_signal_group_wait_any_relaxed',
      'hsa_agent_iterate_isas',
      'hsa_isa_get_info_alt',
      'hsa_isa_get_exception_policies',
      'hsa_isa_get_round_method',
      'hsa_wavefront_get_info',
      'hsa_isa_iterate_wavefronts',
      'hsa_code_object_get_symbol_from_name',
      'hsa_code_object_reader_create_from_file',
      'hsa_code_object_reader_create_from_memory',
      'hsa_code_object_reader_destroy',
      'hsa_executable_create_alt',
      'hsa_executable_load_program_code_object',
      'hsa_executable_load_agent_code_object',
      'hsa_executable_validate_alt',
      'hsa_executable_get_symbol_by_name',
      'hsa_executable_iterate_agent_symbols',
      'hsa_executable_iterate_program_symbols',
    ],
  },
  amdExt: {
    major: 2,
    step: 7,
    slots: [
      'hsa_amd_coherency_get_type',
      'hsa_amd_coherency_set_type',
      'hsa_amd_profiling_set_profiler_enabled',
      'hsa_amd_profiling_async_copy_enable',
      'hsa_amd_profiling_get_dispatch_time',
      'hsa_amd_profiling_get_async_copy_time',
      'hsa_amd_profiling_convert_tick_to_system_domain',
      'hsa_amd_signal_async_handler',
      'hsa_amd_async_function',
      'hsa_amd_signal_wait_any',
      'hsa_amd_queue_cu_set_mask',
      'hsa_amd_memory_pool_get_info',
      'hsa_amd_agent_iterate_memory_pools',
      'hsa_amd_memory_pool_allocate',
      'hsa_amd_memory_pool_free',
      'hsa_amd_memory_async_copy',
      'hsa_amd_memory_async_copy_on_engine',
      'hsa_amd_memory_copy_engine_status',
      'hsa_amd_agent_memory_pool_get_info',
      'hsa_amd_agents_allow_access',
      'hsa_amd_memory_pool_can_migrate',
      'hsa_amd_memory_migrate',
      'hsa_amd_memory_lock',
      'hsa_amd_memory_unlock',
      'hsa_amd_memory_fill',
      'hsa_amd_interop_map_buffer',
      'hsa_amd_interop_unmap_buffer',
      'hsa_amd_image_create',
      'hsa_amd_pointer_info',
      'hsa_amd_pointer_info_set_userdata',
      'hsa_amd_ipc_memory_create',
      'hsa_amd_ipc_memory_attach',
      'hsa_amd_ipc_memory_detach',
      'hsa_amd_signal_create',
      'hsa_amd_ipc_signal_create',
      'hsa_amd_ipc_signal_attach',
      'hsa_amd_register_system_event_handler',
      'hsa_amd_queue_intercept_create',
      'hsa_amd_queue_intercept_register',
      'hsa_amd_queue_set_priority',
      'hsa_amd_memory_async_copy_rect',
      'hsa_amd_runtime_queue_create_register',
      'hsa_amd_memory_lock_to_pool',
      'hsa_amd_register_deallocation_callback',
      'hsa_amd_deregister_deallocation_callback',
      'hsa_amd_signal_value_pointer',
      'hsa_amd_svm_attributes_set',
      'hsa_amd_svm_attributes_get',
      'hsa_amd_svm_prefetch_async',
      'hsa_amd_spm_acquire',
      'hsa_amd_spm_release',
      'hsa_amd_spm_set_dest_buffer',
      'hsa_amd_queue_cu_get_mask',
      'hsa_amd_portable_export_dmabuf',
      'hsa_amd_portable_close_dmabuf',
      'hsa_amd_vmem_address_reserve',
      'hsa_amd_vmem_address_free',
      'hsa_amd_vmem_handle_create',
      'hsa_amd_vmem_handle_release',
      'hsa_amd_vmem_map',
      'hsa_amd_vmem_unmap',
      'hsa_amd_vmem_set_access',
      'hsa_amd_vmem_get_access',
      'hsa_amd_vmem_export_shareable_handle',
      'hsa_amd_vmem_import_shareable_handle',
      'hsa_amd_vmem_retain_alloc_handle',
      'hsa_amd_vmem_get_alloc_properties_from_handle',
      'hsa_amd_agent_set_async_scratch_limit',
      'hsa_amd_queue_get_info',
      'hsa_amd_vmem_address_reserve_align',
      'hsa_amd_enable_logging',
      'hsa_amd_signal_wait_all',
      'hsa_amd_memory_get_preferred_copy_engine',
      'hsa_amd_portable_export_dmabuf_v2',
    ],
  },
  finalizerExt: {
    major: 2,
    step: 0,
    slots: [
      'hsa_ext_program_create',
      'hsa_ext_program_destroy',
      'hsa_ext_program_add_module',
      'hsa_ext_program_iterate_modules',
      'hsa_ext_program_get_info',
      'hsa_ext_program_finalize',
    ],
  },
  imageExt: {
    major: 2,
    step: 1,
    slots: [
      'hsa_ext_image_get_capability',
      'hsa_ext_image_data_get_info',
      'hsa_ext_image_create',
      'hsa_ext_image_import',
      'hsa_ext_image_export',
      'hsa_ext_image_copy',
      'hsa_ext_image_clear',
      'hsa_ext_image_destroy',
      'hsa_ext_sampler_create',
      'hsa_ext_sampler_destroy',
      'hsa_ext_image_get_capability_with_layout',
      'hsa_ext_image_data_get_info_with_layout',
      'hsa_ext_image_create_with_layout',
      'hsa_ext_sampler_create_v2',
    ],
  },
  tools: {
    major: 1,
    step: 0,
    slots: [
      'hsa_amd_tool_scratch_event_alloc_start',
      'hsa_amd_tool_scratch_event_alloc_end',
      'hsa_amd_tool_scratch_event_free_start',
      'hsa_amd_tool_scratch_event_free_end',
      'hsa_amd_tool_scratch_event_async_reclaim_start',
      'hsa_amd_tool_scratch_event_async_reclaim_end',
    ],
  },
  pcSamplingExt: {
    major: 1,
    step: 0,
    slots: [
      'hsa_ven_amd_pcs_iterate_configuration',
      'hsa_ven_amd_pcs_create',
      'hsa_ven_amd_pcs_create_from_id',
      'hsa_ven_amd_pcs_destroy',
      'hsa_ven_amd_pcs_start',
      'hsa_ven_amd_pcs_stop',
      'hsa_ven_amd_pcs_flush',
    ],
  },
};

export const HSA_API_TABLE_MAJOR_VERSION = 3;
export const HSA_API_TABLE_STEP_VERSION = 1;
