/** `hsa_status_t`: names and texts. The numbers are not one range: AMD's own are 40–47, the extensions' 0x2000 and 0x3000. */
import * as hsa from './generated/hsa.js';

/** What each status says, by its C name; `hsa_status_string` gives name and text. */
const TEXTS = {
  HSA_STATUS_SUCCESS: 'The function did what it was asked to do.',
  HSA_STATUS_INFO_BREAK: 'A callback asked to stop before the end of the list.',
  HSA_STATUS_ERROR: 'Something failed that has no code of its own.',
  HSA_STATUS_ERROR_INVALID_ARGUMENT: 'An argument is NULL, out of range or not allowed here.',
  HSA_STATUS_ERROR_INVALID_QUEUE_CREATION: 'A queue with these properties cannot be created.',
  HSA_STATUS_ERROR_INVALID_ALLOCATION: 'This memory cannot be allocated from here, or was not allocated.',
  HSA_STATUS_ERROR_INVALID_AGENT: 'There is no such agent.',
  HSA_STATUS_ERROR_INVALID_REGION: 'There is no such memory region.',
  HSA_STATUS_ERROR_INVALID_SIGNAL: 'There is no such signal.',
  HSA_STATUS_ERROR_INVALID_QUEUE: 'There is no such queue.',
  HSA_STATUS_ERROR_OUT_OF_RESOURCES: 'The machine has not enough of something: memory, queues, events or devices.',
  HSA_STATUS_ERROR_INVALID_PACKET_FORMAT: 'A packet in the queue is malformed.',
  HSA_STATUS_ERROR_RESOURCE_FREE: 'Something could not be given back.',
  HSA_STATUS_ERROR_NOT_INITIALIZED: 'hsa_init was not called, or the runtime is shut down.',
  HSA_STATUS_ERROR_REFCOUNT_OVERFLOW: 'Too many references to one object.',
  HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS: 'The arguments do not go together.',
  HSA_STATUS_ERROR_INVALID_INDEX: 'The index is out of range.',
  HSA_STATUS_ERROR_INVALID_ISA: 'There is no such instruction set architecture.',
  HSA_STATUS_ERROR_INVALID_CODE_OBJECT: 'The code object is not valid.',
  HSA_STATUS_ERROR_INVALID_EXECUTABLE: 'There is no such executable.',
  HSA_STATUS_ERROR_FROZEN_EXECUTABLE: 'The executable is frozen and cannot change.',
  HSA_STATUS_ERROR_INVALID_SYMBOL_NAME: 'There is no symbol of this name.',
  HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED: 'The variable is defined already.',
  HSA_STATUS_ERROR_VARIABLE_UNDEFINED: 'The variable is not defined.',
  HSA_STATUS_ERROR_EXCEPTION: 'A kernel raised a hardware exception.',
  HSA_STATUS_ERROR_INVALID_ISA_NAME: 'The name is not that of a known instruction set architecture.',
  HSA_STATUS_ERROR_INVALID_CODE_SYMBOL: 'There is no such code symbol.',
  HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL: 'There is no such executable symbol.',
  HSA_STATUS_ERROR_INVALID_FILE: 'The file descriptor cannot be read.',
  HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER: 'There is no such code object reader.',
  HSA_STATUS_ERROR_INVALID_CACHE: 'There is no such cache.',
  HSA_STATUS_ERROR_INVALID_WAVEFRONT: 'There is no such wavefront.',
  HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP: 'There is no such signal group.',
  HSA_STATUS_ERROR_INVALID_RUNTIME_STATE: 'The runtime is in a state that does not allow this.',
  HSA_STATUS_ERROR_FATAL: 'The queue met an error after which the process may have to end.',
  HSA_STATUS_ERROR_INVALID_MEMORY_POOL: 'There is no such memory pool.',
  HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION: 'A kernel touched memory outside every aperture.',
  HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION: 'A kernel met an instruction that the agent cannot execute.',
  HSA_STATUS_ERROR_MEMORY_FAULT: 'A kernel touched memory that it may not access.',
  HSA_STATUS_CU_MASK_REDUCED: 'The mask is set, without compute units that this process may not use.',
  HSA_STATUS_ERROR_OUT_OF_REGISTERS: 'The workgroup needs more registers than the agent has.',
  HSA_STATUS_ERROR_RESOURCE_BUSY: 'Somebody else has it at the moment.',
  HSA_STATUS_ERROR_NOT_SUPPORTED: 'This is not supported here.',
  HSA_EXT_STATUS_ERROR_INVALID_PROGRAM: 'There is no such HSAIL program.',
  HSA_EXT_STATUS_ERROR_INVALID_MODULE: 'The HSAIL module is not valid.',
  HSA_EXT_STATUS_ERROR_INCOMPATIBLE_MODULE: 'The HSAIL module does not fit the program.',
  HSA_EXT_STATUS_ERROR_MODULE_ALREADY_INCLUDED: 'The HSAIL module is in the program already.',
  HSA_EXT_STATUS_ERROR_SYMBOL_MISMATCH: 'A symbol is declared in two ways.',
  HSA_EXT_STATUS_ERROR_FINALIZATION_FAILED: 'The finalizer failed.',
  HSA_EXT_STATUS_ERROR_DIRECTIVE_MISMATCH: 'Control directives contradict each other.',
  HSA_EXT_STATUS_ERROR_IMAGE_FORMAT_UNSUPPORTED: 'The image format is not supported.',
  HSA_EXT_STATUS_ERROR_IMAGE_SIZE_UNSUPPORTED: 'The image size is not supported.',
  HSA_EXT_STATUS_ERROR_IMAGE_PITCH_UNSUPPORTED: 'The row or slice pitch is not supported.',
  HSA_EXT_STATUS_ERROR_SAMPLER_DESCRIPTOR_UNSUPPORTED: 'The sampler is not supported.',
} as const;

/** C name of a status. */
export type HsaStatusName = keyof typeof TEXTS;

const names: ReadonlyMap<number, HsaStatusName> = new Map(
  // Safe: Object.keys of a literal gives its own keys.
  (Object.keys(TEXTS) as HsaStatusName[]).map((name) => [hsa[name], name]),
);

/** C name of a status number, or `undefined` when no status has it. */
export function hsaStatusName(status: number): HsaStatusName | undefined {
  return names.get(status);
}

/** What `hsa_status_string` gives, `NAME: text`, or `undefined` when no status has this number. */
export function hsaStatusString(status: number): string | undefined {
  const name = names.get(status);
  return name === undefined ? undefined : `${name}: ${TEXTS[name]}`;
}

/** Whether a status means failure: neither success nor one of the two that only inform. */
export function isHsaFailure(status: number): boolean {
  return status !== hsa.HSA_STATUS_SUCCESS && status !== hsa.HSA_STATUS_INFO_BREAK && status !== hsa.HSA_STATUS_CU_MASK_REDUCED;
}
