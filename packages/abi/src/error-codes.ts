/** What the documentation table says of one error code. */
export interface ErrorCodeInfo {
  /** The `hsa_status_t` that a C caller gets (hsa.h, hsa_ext_amd.h). */
  readonly hsaStatus: number;
  /** What happened. */
  readonly meaning: string;
  /** One action the reader can take, where there is one for every case of this code. */
  readonly cure?: string;
}

/**
 * The one list of error codes. Codes are stable API; messages are not. `docs/errors.md` is generated from this list.
 * Status numbers: hsa.h `hsa_status_t` (0x1000…) and hsa_ext_amd.h (40…).
 */
export const ERROR_CODES = {
  // arguments and objects
  ERR_INVALID_ARGUMENT: { hsaStatus: 0x1001, meaning: 'An argument is missing, of the wrong kind, or out of range.' },
  ERR_DISPOSED: { hsaStatus: 0x100b, meaning: 'The object, or the device it belongs to, was disposed.' },
  ERR_ABORTED: { hsaStatus: 0x1000, meaning: 'The caller aborted the operation through its AbortSignal.' },
  ERR_TIMEOUT: {
    hsaStatus: 0x1000,
    meaning: 'No progress within the time-out.',
    cure: 'Raise timeoutMs if the kernel is known to take that long.',
  },
  ERR_NOT_SUPPORTED: { hsaStatus: 0x1000, meaning: 'This function, device or feature is not supported (yet).' },
  ERR_NOT_INITIALIZED: {
    hsaStatus: 0x100b,
    meaning: 'The runtime was not initialised, or is shut down.',
    cure: 'Call hsa_init first.',
  },
  // the machine
  ERR_NO_DEVICE: { hsaStatus: 0x1008, meaning: 'No device of the asked kind is there.' },
  ERR_KFD_MISSING: {
    hsaStatus: 0x1008,
    meaning: 'The /dev/kfd device node does not exist.',
    cure: 'Load the amdgpu driver (modprobe amdgpu), or use the emulated GPU.',
  },
  ERR_KFD_PERMISSION: {
    hsaStatus: 0x1008,
    meaning: 'The /dev/kfd or render device node may not be opened by this user.',
    cure: 'Add the user to the group that owns the device nodes (usually render), and log in again.',
  },
  ERR_KFD_UNSUPPORTED: {
    hsaStatus: 0x1008,
    meaning: 'The kernel driver does not support this machine, card or interface version.',
  },
  ERR_KFD_IOCTL: { hsaStatus: 0x1000, meaning: 'An ioctl of the kernel driver failed; errno says how.' },
  ERR_DEVICE_FILE: { hsaStatus: 0x1008, meaning: 'A device file could not be opened or mapped; errno says how.' },
  ERR_TOPOLOGY: { hsaStatus: 0x1008, meaning: 'The topology in sysfs is missing or cannot be understood.' },
  ERR_THUNK_NOT_FOUND: {
    hsaStatus: 0x1008,
    meaning: 'No thunk could be loaded; the message lists every candidate with its reason.',
  },
  ERR_THUNK_SYMBOL: {
    hsaStatus: 0x1000,
    meaning: 'The loaded thunk library lacks this function.',
    cure: 'Use a newer libhsakmt, or the built-in kfd thunk.',
  },
  ERR_NATIVE_MODULE: {
    hsaStatus: 0x1000,
    meaning: 'The native koffi module could not be loaded.',
    cure: 'Do not bundle koffi: mark it external and ship node_modules/koffi.',
  },
  // memory
  ERR_OUT_OF_MEMORY: { hsaStatus: 0x1008, meaning: 'The memory pool has no room for this allocation.' },
  ERR_NOT_HOST_VISIBLE: { hsaStatus: 0x1000, meaning: 'The host cannot see this memory.' },
  ERR_INVALID_ADDRESS: { hsaStatus: 0x1003, meaning: 'The address does not belong to an allocation of this device.' },
  // code objects
  ERR_CODE_OBJECT: { hsaStatus: 0x1010, meaning: 'The bytes are not a valid AMDGPU code object.' },
  ERR_CODE_OBJECT_RELOCATABLE: {
    hsaStatus: 0x1010,
    meaning: 'The file is an unlinked object (ET_REL).',
    cure: 'Link it: ld.lld -shared, or clang without -c.',
  },
  ERR_CODE_OBJECT_VERSION: {
    hsaStatus: 0x1010,
    meaning: 'The code object version is not supported.',
    cure: 'Compile with -mcode-object-version=5.',
  },
  ERR_METADATA: { hsaStatus: 0x1010, meaning: 'The metadata of the code object is missing or malformed.' },
  ERR_ISA_MISMATCH: {
    hsaStatus: 0x100d,
    meaning: 'The code object was made for another target than the device has.',
    cure: 'Compile the code object for the target of the device.',
  },
  ERR_SYMBOL_NOT_FOUND: { hsaStatus: 0x1013, meaning: 'The code object has no kernel or symbol of this name.' },
  ERR_RELOCATION: {
    hsaStatus: 0x1010,
    meaning: 'A relocation cannot be applied: unknown kind, undefined symbol or value out of range.',
  },
  ERR_ASSEMBLY: { hsaStatus: 0x1010, meaning: 'Assembler source is wrong; details list every problem with line and column.' },
  ERR_FILE: { hsaStatus: 0x1000, meaning: 'A file could not be read; errno says how.' },
  // queues and kernels
  ERR_QUEUE_CREATION: { hsaStatus: 0x1002, meaning: 'The queue could not be created.' },
  ERR_QUEUE_ERROR: {
    hsaStatus: 0x1000,
    meaning: 'The queue is in the error state.',
    cure: 'Destroy the queue and create a new one.',
  },
  ERR_INVALID_PACKET: { hsaStatus: 0x1009, meaning: 'The queue met a packet it cannot process.' },
  ERR_MEMORY_FAULT: { hsaStatus: 43, meaning: 'A kernel touched memory that is not mapped, not writable or not executable.' },
  ERR_APERTURE_VIOLATION: {
    hsaStatus: 41,
    meaning: 'A kernel touched memory outside every aperture, or outside its private memory (stack overflow).',
  },
  ERR_ILLEGAL_INSTRUCTION: { hsaStatus: 42, meaning: 'A kernel met an instruction that the device cannot execute.' },
  ERR_KERNEL_TRAP: { hsaStatus: 0x1016, meaning: 'A kernel executed a trap (abort or assert).' },
  ERR_OUT_OF_REGISTERS: { hsaStatus: 45, meaning: 'The workgroup needs more registers than the device has.' },
  ERR_DEVICE_LOST: { hsaStatus: 0x1000, meaning: 'The device is lost; open it again.' },
  // tools and host
  ERR_TOOL: { hsaStatus: 0x1000, meaning: 'A tool could not be loaded or failed.' },
  ERR_HOST: {
    hsaStatus: 0x1000,
    meaning: 'The host environment lacks what the emulated GPU needs (threads, WebAssembly SIMD, memory).',
  },
} as const;

/** Every code an {@link HsaError} can carry. */
export type ErrorCode = keyof typeof ERROR_CODES;
