/**
 * What the functions that answer `void *` write, by attribute: the header's words at each attribute (hsa.h, hsa_ext_amd.h,
 * hsa_ext_image.h). TypeScript has the values themselves; only C needs their widths.
 */
import type { HsaFunctionName } from '@doorbell/abi';
import { hsa } from '@doorbell/abi';
import type { ElementType } from './elements.js';
import { elementBytes, readElement, writeElement } from './elements.js';

/** What an attribute's value is in C. */
export type InfoType =
  | { readonly is: 'one'; readonly element: ElementType }
  | { readonly is: 'array'; readonly element: ElementType; readonly length: number }
  /** As many as another attribute says: whatever the value has. */
  | { readonly is: 'list'; readonly element: ElementType }
  /** `char[length]`, with a NUL. */
  | { readonly is: 'characters'; readonly length: number }
  /** As many characters as another attribute says; with a NUL where `end` says so. */
  | { readonly is: 'text'; readonly end: '' | '\0' }
  /** `const char *`. */
  | { readonly is: 'string' };

const one = (kind: ElementType['kind'], struct?: string): InfoType => ({ is: 'one', element: { kind, struct } });
const array = (kind: ElementType['kind'], length: number): InfoType => ({ is: 'array', element: { kind }, length });
const characters = (length: number): InfoType => ({ is: 'characters', length });
const TEXT: InfoType = { is: 'text', end: '' };
const TERMINATED: InfoType = { is: 'text', end: '\0' };
const U8 = one('u8');
const U16 = one('u16');
const U32 = one('u32');
const U64 = one('u64');
const BOOL = one('bool');
const HANDLE = one('handle');

type Attributes = ReadonlyMap<number, InfoType>;

const SYSTEM: Attributes = new Map([
  [hsa.HSA_SYSTEM_INFO_VERSION_MAJOR, U16],
  [hsa.HSA_SYSTEM_INFO_VERSION_MINOR, U16],
  [hsa.HSA_SYSTEM_INFO_TIMESTAMP, U64],
  [hsa.HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY, U64],
  [hsa.HSA_SYSTEM_INFO_SIGNAL_MAX_WAIT, U64],
  [hsa.HSA_SYSTEM_INFO_ENDIANNESS, U32],
  [hsa.HSA_SYSTEM_INFO_MACHINE_MODEL, U32],
  [hsa.HSA_SYSTEM_INFO_EXTENSIONS, array('u8', 128)],
  [hsa.HSA_AMD_SYSTEM_INFO_BUILD_VERSION, { is: 'string' }],
  [hsa.HSA_AMD_SYSTEM_INFO_SVM_SUPPORTED, BOOL],
  [hsa.HSA_AMD_SYSTEM_INFO_SVM_ACCESSIBLE_BY_DEFAULT, BOOL],
  [hsa.HSA_AMD_SYSTEM_INFO_MWAITX_ENABLED, BOOL],
  [hsa.HSA_AMD_SYSTEM_INFO_DMABUF_SUPPORTED, BOOL],
  [hsa.HSA_AMD_SYSTEM_INFO_VIRTUAL_MEM_API_SUPPORTED, BOOL],
  [hsa.HSA_AMD_SYSTEM_INFO_XNACK_ENABLED, BOOL],
  [hsa.HSA_AMD_SYSTEM_INFO_EXT_VERSION_MAJOR, U16],
  [hsa.HSA_AMD_SYSTEM_INFO_EXT_VERSION_MINOR, U16],
]);

const AGENT: Attributes = new Map([
  [hsa.HSA_AGENT_INFO_NAME, characters(64)],
  [hsa.HSA_AGENT_INFO_VENDOR_NAME, characters(64)],
  [hsa.HSA_AGENT_INFO_FEATURE, U32],
  [hsa.HSA_AGENT_INFO_MACHINE_MODEL, U32],
  [hsa.HSA_AGENT_INFO_PROFILE, U32],
  [hsa.HSA_AGENT_INFO_DEFAULT_FLOAT_ROUNDING_MODE, U32],
  [hsa.HSA_AGENT_INFO_BASE_PROFILE_DEFAULT_FLOAT_ROUNDING_MODES, U32],
  [hsa.HSA_AGENT_INFO_FAST_F16_OPERATION, BOOL],
  [hsa.HSA_AGENT_INFO_WAVEFRONT_SIZE, U32],
  [hsa.HSA_AGENT_INFO_WORKGROUP_MAX_DIM, array('u16', 3)],
  [hsa.HSA_AGENT_INFO_WORKGROUP_MAX_SIZE, U32],
  [hsa.HSA_AGENT_INFO_GRID_MAX_DIM, one('struct', 'hsa_dim3_t')],
  [hsa.HSA_AGENT_INFO_GRID_MAX_SIZE, U32],
  [hsa.HSA_AGENT_INFO_FBARRIER_MAX_SIZE, U32],
  [hsa.HSA_AGENT_INFO_QUEUES_MAX, U32],
  [hsa.HSA_AGENT_INFO_QUEUE_MIN_SIZE, U32],
  [hsa.HSA_AGENT_INFO_QUEUE_MAX_SIZE, U32],
  [hsa.HSA_AGENT_INFO_QUEUE_TYPE, U32],
  [hsa.HSA_AGENT_INFO_NODE, U32],
  [hsa.HSA_AGENT_INFO_DEVICE, U32],
  [hsa.HSA_AGENT_INFO_CACHE_SIZE, array('u32', 4)],
  [hsa.HSA_AGENT_INFO_ISA, HANDLE],
  [hsa.HSA_AGENT_INFO_EXTENSIONS, array('u8', 128)],
  [hsa.HSA_AGENT_INFO_VERSION_MAJOR, U16],
  [hsa.HSA_AGENT_INFO_VERSION_MINOR, U16],
  [hsa.HSA_AMD_AGENT_INFO_CHIP_ID, U32],
  [hsa.HSA_AMD_AGENT_INFO_CACHELINE_SIZE, U32],
  [hsa.HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT, U32],
  [hsa.HSA_AMD_AGENT_INFO_MAX_CLOCK_FREQUENCY, U32],
  [hsa.HSA_AMD_AGENT_INFO_DRIVER_NODE_ID, U32],
  [hsa.HSA_AMD_AGENT_INFO_MAX_ADDRESS_WATCH_POINTS, U32],
  [hsa.HSA_AMD_AGENT_INFO_BDFID, U32],
  [hsa.HSA_AMD_AGENT_INFO_MEMORY_WIDTH, U32],
  [hsa.HSA_AMD_AGENT_INFO_MEMORY_MAX_FREQUENCY, U32],
  [hsa.HSA_AMD_AGENT_INFO_PRODUCT_NAME, characters(64)],
  [hsa.HSA_AMD_AGENT_INFO_MAX_WAVES_PER_CU, U32],
  [hsa.HSA_AMD_AGENT_INFO_NUM_SIMDS_PER_CU, U32],
  [hsa.HSA_AMD_AGENT_INFO_NUM_SHADER_ENGINES, U32],
  [hsa.HSA_AMD_AGENT_INFO_NUM_SHADER_ARRAYS_PER_SE, U32],
  [hsa.HSA_AMD_AGENT_INFO_HDP_FLUSH, one('struct', 'hsa_amd_hdp_flush_t')],
  [hsa.HSA_AMD_AGENT_INFO_DOMAIN, U32],
  [hsa.HSA_AMD_AGENT_INFO_COOPERATIVE_QUEUES, BOOL],
  [hsa.HSA_AMD_AGENT_INFO_UUID, characters(21)],
  [hsa.HSA_AMD_AGENT_INFO_ASIC_REVISION, U32],
  [hsa.HSA_AMD_AGENT_INFO_SVM_DIRECT_HOST_ACCESS, BOOL],
  [hsa.HSA_AMD_AGENT_INFO_COOPERATIVE_COMPUTE_UNIT_COUNT, U32],
  [hsa.HSA_AMD_AGENT_INFO_MEMORY_AVAIL, U64],
  [hsa.HSA_AMD_AGENT_INFO_TIMESTAMP_FREQUENCY, U64],
  [hsa.HSA_AMD_AGENT_INFO_ASIC_FAMILY_ID, U32],
  [hsa.HSA_AMD_AGENT_INFO_UCODE_VERSION, U32],
  [hsa.HSA_AMD_AGENT_INFO_SDMA_UCODE_VERSION, U32],
  [hsa.HSA_AMD_AGENT_INFO_NUM_SDMA_ENG, U32],
  [hsa.HSA_AMD_AGENT_INFO_NUM_SDMA_XGMI_ENG, U32],
  [hsa.HSA_AMD_AGENT_INFO_IOMMU_SUPPORT, U32],
  [hsa.HSA_AMD_AGENT_INFO_NUM_XCC, U32],
  [hsa.HSA_AMD_AGENT_INFO_DRIVER_UID, U32],
  [hsa.HSA_AMD_AGENT_INFO_NEAREST_CPU, HANDLE],
  [hsa.HSA_AMD_AGENT_INFO_MEMORY_PROPERTIES, array('u8', 8)],
  [hsa.HSA_AMD_AGENT_INFO_AQL_EXTENSIONS, array('u8', 8)],
  [hsa.HSA_AMD_AGENT_INFO_SCRATCH_LIMIT_MAX, U64],
  [hsa.HSA_AMD_AGENT_INFO_SCRATCH_LIMIT_CURRENT, U64],
  [hsa.HSA_AMD_AGENT_INFO_CLOCK_COUNTERS, one('struct', 'hsa_amd_clock_counters_t')],
]);

const REGION: Attributes = new Map([
  [hsa.HSA_REGION_INFO_SEGMENT, U32],
  [hsa.HSA_REGION_INFO_GLOBAL_FLAGS, U32],
  [hsa.HSA_REGION_INFO_SIZE, U64],
  [hsa.HSA_REGION_INFO_ALLOC_MAX_SIZE, U64],
  [hsa.HSA_REGION_INFO_ALLOC_MAX_PRIVATE_WORKGROUP_SIZE, U32],
  [hsa.HSA_REGION_INFO_RUNTIME_ALLOC_ALLOWED, BOOL],
  [hsa.HSA_REGION_INFO_RUNTIME_ALLOC_GRANULE, U64],
  [hsa.HSA_REGION_INFO_RUNTIME_ALLOC_ALIGNMENT, U64],
  [hsa.HSA_AMD_REGION_INFO_HOST_ACCESSIBLE, BOOL],
  [hsa.HSA_AMD_REGION_INFO_BASE, U64],
  [hsa.HSA_AMD_REGION_INFO_BUS_WIDTH, U32],
  [hsa.HSA_AMD_REGION_INFO_MAX_CLOCK_FREQUENCY, U32],
]);

const POOL: Attributes = new Map([
  [hsa.HSA_AMD_MEMORY_POOL_INFO_SEGMENT, U32],
  [hsa.HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, U32],
  [hsa.HSA_AMD_MEMORY_POOL_INFO_SIZE, U64],
  [hsa.HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED, BOOL],
  [hsa.HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_GRANULE, U64],
  [hsa.HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALIGNMENT, U64],
  [hsa.HSA_AMD_MEMORY_POOL_INFO_ACCESSIBLE_BY_ALL, BOOL],
  [hsa.HSA_AMD_MEMORY_POOL_INFO_ALLOC_MAX_SIZE, U64],
  [hsa.HSA_AMD_MEMORY_POOL_INFO_LOCATION, U32],
  [hsa.HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_REC_GRANULE, U64],
]);

const AGENT_POOL: Attributes = new Map<number, InfoType>([
  [hsa.HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS, U32],
  [hsa.HSA_AMD_AGENT_MEMORY_POOL_INFO_NUM_LINK_HOPS, U32],
  [
    hsa.HSA_AMD_AGENT_MEMORY_POOL_INFO_LINK_INFO,
    { is: 'list', element: { kind: 'struct', struct: 'hsa_amd_memory_pool_link_info_t' } },
  ],
]);

const ISA: Attributes = new Map([
  [hsa.HSA_ISA_INFO_NAME_LENGTH, U32],
  [hsa.HSA_ISA_INFO_NAME, TERMINATED],
  [hsa.HSA_ISA_INFO_CALL_CONVENTION_COUNT, U32],
  [hsa.HSA_ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONT_SIZE, U32],
  [hsa.HSA_ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONTS_PER_COMPUTE_UNIT, U32],
  [hsa.HSA_ISA_INFO_MACHINE_MODELS, array('bool', 2)],
  [hsa.HSA_ISA_INFO_PROFILES, array('bool', 2)],
  [hsa.HSA_ISA_INFO_DEFAULT_FLOAT_ROUNDING_MODES, array('bool', 3)],
  [hsa.HSA_ISA_INFO_BASE_PROFILE_DEFAULT_FLOAT_ROUNDING_MODES, array('bool', 3)],
  [hsa.HSA_ISA_INFO_FAST_F16_OPERATION, BOOL],
  [hsa.HSA_ISA_INFO_WORKGROUP_MAX_DIM, array('u16', 3)],
  [hsa.HSA_ISA_INFO_WORKGROUP_MAX_SIZE, U32],
  [hsa.HSA_ISA_INFO_GRID_MAX_DIM, one('struct', 'hsa_dim3_t')],
  [hsa.HSA_ISA_INFO_GRID_MAX_SIZE, U64],
  [hsa.HSA_ISA_INFO_FBARRIER_MAX_SIZE, U32],
]);

const EXECUTABLE: Attributes = new Map([
  [hsa.HSA_EXECUTABLE_INFO_PROFILE, U32],
  [hsa.HSA_EXECUTABLE_INFO_STATE, U32],
  [hsa.HSA_EXECUTABLE_INFO_DEFAULT_FLOAT_ROUNDING_MODE, U32],
]);

/** Attributes that symbols of executables and of code objects share by number. */
const CODE_SYMBOL: Attributes = new Map([
  [hsa.HSA_CODE_SYMBOL_INFO_TYPE, U32],
  [hsa.HSA_CODE_SYMBOL_INFO_NAME_LENGTH, U32],
  [hsa.HSA_CODE_SYMBOL_INFO_NAME, TEXT],
  [hsa.HSA_CODE_SYMBOL_INFO_MODULE_NAME_LENGTH, U32],
  [hsa.HSA_CODE_SYMBOL_INFO_MODULE_NAME, TEXT],
  [hsa.HSA_CODE_SYMBOL_INFO_LINKAGE, U32],
  [hsa.HSA_CODE_SYMBOL_INFO_IS_DEFINITION, BOOL],
  [hsa.HSA_CODE_SYMBOL_INFO_VARIABLE_ALLOCATION, U32],
  [hsa.HSA_CODE_SYMBOL_INFO_VARIABLE_SEGMENT, U32],
  [hsa.HSA_CODE_SYMBOL_INFO_VARIABLE_ALIGNMENT, U32],
  [hsa.HSA_CODE_SYMBOL_INFO_VARIABLE_SIZE, U32],
  [hsa.HSA_CODE_SYMBOL_INFO_VARIABLE_IS_CONST, BOOL],
  [hsa.HSA_CODE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE, U32],
  [hsa.HSA_CODE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_ALIGNMENT, U32],
  [hsa.HSA_CODE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE, U32],
  [hsa.HSA_CODE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE, U32],
  [hsa.HSA_CODE_SYMBOL_INFO_KERNEL_DYNAMIC_CALLSTACK, BOOL],
  [hsa.HSA_CODE_SYMBOL_INFO_KERNEL_CALL_CONVENTION, U32],
  [hsa.HSA_CODE_SYMBOL_INFO_KERNEL_WAVEFRONT_SIZE, U32],
  [hsa.HSA_CODE_SYMBOL_INFO_INDIRECT_FUNCTION_CALL_CONVENTION, U32],
]);

const EXECUTABLE_SYMBOL: Attributes = new Map([
  ...[...CODE_SYMBOL].filter(([attribute]) => attribute !== hsa.HSA_CODE_SYMBOL_INFO_KERNEL_WAVEFRONT_SIZE),
  [hsa.HSA_EXECUTABLE_SYMBOL_INFO_AGENT, HANDLE],
  [hsa.HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS, U64],
  [hsa.HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, U64],
  [hsa.HSA_EXECUTABLE_SYMBOL_INFO_INDIRECT_FUNCTION_OBJECT, U64],
]);

const TYPES: Partial<Record<HsaFunctionName, Attributes>> = {
  hsa_system_get_info: SYSTEM,
  hsa_agent_get_info: AGENT,
  hsa_region_get_info: REGION,
  hsa_isa_get_info: ISA,
  hsa_isa_get_info_alt: ISA,
  hsa_wavefront_get_info: new Map([[hsa.HSA_WAVEFRONT_INFO_SIZE, U32]]),
  hsa_cache_get_info: new Map([
    [hsa.HSA_CACHE_INFO_NAME_LENGTH, U32],
    [hsa.HSA_CACHE_INFO_NAME, TEXT],
    [hsa.HSA_CACHE_INFO_LEVEL, U8],
    [hsa.HSA_CACHE_INFO_SIZE, U32],
  ]),
  hsa_code_object_get_info: new Map([
    [hsa.HSA_CODE_OBJECT_INFO_VERSION, characters(64)],
    [hsa.HSA_CODE_OBJECT_INFO_TYPE, U32],
    [hsa.HSA_CODE_OBJECT_INFO_ISA, HANDLE],
    [hsa.HSA_CODE_OBJECT_INFO_MACHINE_MODEL, U32],
    [hsa.HSA_CODE_OBJECT_INFO_PROFILE, U32],
    [hsa.HSA_CODE_OBJECT_INFO_DEFAULT_FLOAT_ROUNDING_MODE, U32],
  ]),
  hsa_code_symbol_get_info: CODE_SYMBOL,
  hsa_executable_get_info: EXECUTABLE,
  hsa_executable_symbol_get_info: EXECUTABLE_SYMBOL,
  hsa_amd_memory_pool_get_info: POOL,
  hsa_amd_agent_memory_pool_get_info: AGENT_POOL,
  hsa_amd_queue_get_info: new Map([
    [hsa.HSA_AMD_QUEUE_INFO_AGENT, HANDLE],
    [hsa.HSA_AMD_QUEUE_INFO_DOORBELL_ID, U64],
  ]),
  hsa_ext_program_get_info: new Map([
    [hsa.HSA_EXT_PROGRAM_INFO_MACHINE_MODEL, U32],
    [hsa.HSA_EXT_PROGRAM_INFO_PROFILE, U32],
    [hsa.HSA_EXT_PROGRAM_INFO_DEFAULT_FLOAT_ROUNDING_MODE, U32],
  ]),
};

/** The type of an attribute's value; `undefined`: not known. */
export function infoTypeOf(name: HsaFunctionName, attribute: number): InfoType | undefined {
  return TYPES[name]?.get(attribute);
}

/** The bytes that C gets for a value. `string` values are addresses by now. */
export function encodeInfo(type: InfoType, value: unknown): Uint8Array {
  switch (type.is) {
    case 'one':
      return encodeAll(type.element, [value], 1);
    case 'string':
      return encodeAll({ kind: 'string' }, [value], 1);
    case 'array':
      return encodeAll(type.element, elementsOf(value), type.length);
    case 'list': {
      const elements = elementsOf(value);
      return encodeAll(type.element, elements, elements.length);
    }
    case 'characters': {
      const bytes = new Uint8Array(type.length);
      bytes.set(new TextEncoder().encode(String(value)).subarray(0, type.length - 1));
      return bytes;
    }
    case 'text':
      return new TextEncoder().encode(`${String(value)}${type.end}`);
  }
}

/** The value of what C wrote into zeroed memory. Lists are as long as the last element that is not zero. */
export function decodeInfo(type: InfoType, bytes: Uint8Array): unknown {
  switch (type.is) {
    case 'one':
      return readElement(bytes, 0, type.element);
    case 'string':
      return readElement(bytes, 0, { kind: 'string' });
    case 'array':
      return decodeAll(type.element, bytes, type.length);
    case 'list': {
      const size = elementBytes(type.element);
      const used = bytes.findLastIndex((byte) => byte !== 0) + 1;
      return decodeAll(type.element, bytes, Math.ceil(used / size));
    }
    case 'characters':
    case 'text': {
      const end = bytes.indexOf(0);
      return new TextDecoder().decode(bytes.slice(0, end === -1 ? bytes.length : end));
    }
  }
}

function encodeAll(element: ElementType, values: ArrayLike<unknown>, length: number): Uint8Array {
  const size = elementBytes(element);
  const bytes = new Uint8Array(size * length);
  for (let index = 0; index < Math.min(length, values.length); index++) writeElement(bytes, index * size, element, values[index]);
  return bytes;
}

function decodeAll(element: ElementType, bytes: Uint8Array, length: number): unknown {
  // As the runtime itself gives them: bytes as an array of bytes.
  if (element.kind === 'u8') return bytes.slice(0, length);
  const size = elementBytes(element);
  return Array.from({ length }, (_, index) => readElement(bytes, index * size, element));
}

function elementsOf(value: unknown): ArrayLike<unknown> {
  return value instanceof Uint8Array || Array.isArray(value) ? value : [value];
}
