import type { hsa_ven_amd_loader_segment_descriptor_t } from './generated/hsa-structs.js';
import type { Memory, Ref } from './ref.js';

/**
 * The table of the AMD loader extension, major version 1 (hsa_ven_amd_loader.h, `hsa_ven_amd_loader_1_03_pfn_t`): what
 * hsa_system_get_major_extension_table gives for HSA_EXTENSION_AMD_LOADER.
 */
export interface AmdLoaderApi {
  hsa_ven_amd_loader_query_host_address: (device_address: bigint, host_address: Ref<Memory>) => number;
  hsa_ven_amd_loader_query_segment_descriptors: (
    segment_descriptors: Ref<readonly hsa_ven_amd_loader_segment_descriptor_t[]> | null,
    num_segment_descriptors: Ref<bigint>,
  ) => number;
  hsa_ven_amd_loader_query_executable: (device_address: bigint, executable: Ref<bigint>) => number;
  hsa_ven_amd_loader_executable_iterate_loaded_code_objects: (
    executable: bigint,
    callback: (executable: bigint, loaded_code_object: bigint, data: unknown) => number,
    data: unknown,
  ) => number;
  hsa_ven_amd_loader_loaded_code_object_get_info: (loaded_code_object: bigint, attribute: number, value: Ref<unknown>) => number;
  hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size: (
    file: number,
    offset: bigint,
    size: bigint,
    code_object_reader: Ref<bigint>,
  ) => number;
  hsa_ven_amd_loader_iterate_executables: (callback: (executable: bigint, data: unknown) => number, data: unknown) => number;
}

/** The functions in the order of C's table: 8 bytes each. Version 1.00 has three of them, 1.01 five, 1.02 six, 1.03 all. */
export const AMD_LOADER_SLOTS: readonly (keyof AmdLoaderApi)[] = [
  'hsa_ven_amd_loader_query_host_address',
  'hsa_ven_amd_loader_query_segment_descriptors',
  'hsa_ven_amd_loader_query_executable',
  'hsa_ven_amd_loader_executable_iterate_loaded_code_objects',
  'hsa_ven_amd_loader_loaded_code_object_get_info',
  'hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size',
  'hsa_ven_amd_loader_iterate_executables',
];
