/** What the documentation table says of one error code. */
export interface ErrorCodeInfo {
  /** The `hsa_status_t` that a C caller gets (hsa.h, hsa_ext_amd.h). */
  readonly hsaStatus: number;
  /** What happened. */
  readonly meaning: string;
  /** One action the reader can take, where there is one for every case of this code. */
  readonly cure?: string;
}

const info = (hsaStatus: number, meaning: string, cure?: string): ErrorCodeInfo =>
  cure === undefined ? { hsaStatus, meaning } : { hsaStatus, meaning, cure };

/**
 * The one list of error codes. Codes are stable API; messages are not. `docs/errors.md` is generated from this list.
 * Status numbers: hsa.h `hsa_status_t` (0x1000…) and hsa_ext_amd.h (40…).
 */
export const ERROR_CODES = {
  // arguments and objects
  ERR_INVALID_ARGUMENT: info(0x1001, 'An argument is missing, of the wrong kind, or out of range.'),
  ERR_DISPOSED: info(0x100b, 'The object, or the device it belongs to, was disposed.'),
  ERR_ABORTED: info(0x1000, 'The caller aborted the operation through its AbortSignal.'),
  ERR_TIMEOUT: info(0x1000, 'No progress within the time-out.', 'Raise timeoutMs if the kernel is known to take that long.'),
  ERR_NOT_SUPPORTED: info(0x1000, 'This function, device or feature is not supported (yet).'),
  ERR_NOT_INITIALIZED: info(0x100b, 'The runtime was not initialised, or is shut down.'),
  // the machine
  ERR_NO_DEVICE: info(0x1008, 'No device of the asked kind is there.'),
  ERR_KFD_MISSING: info(0x1008, 'The /dev/kfd device node does not exist.'),
  ERR_KFD_PERMISSION: info(0x1008, 'The /dev/kfd or render device node may not be opened by this user.'),
  ERR_KFD_UNSUPPORTED: info(0x1008, 'The kernel driver does not support this machine, card or interface version.'),
  ERR_KFD_IOCTL: info(0x1000, 'An ioctl of the kernel driver failed; errno says how.'),
  ERR_DEVICE_FILE: info(0x1008, 'A device file could not be opened or mapped; errno says how.'),
  ERR_TOPOLOGY: info(0x1008, 'The topology in sysfs is missing or cannot be understood.'),
  ERR_THUNK_NOT_FOUND: info(0x1008, 'No thunk could be loaded; the message lists every candidate with its reason.'),
  ERR_THUNK_SYMBOL: info(0x1000, 'The loaded thunk library lacks this function.'),
  ERR_NATIVE_MODULE: info(
    0x1000,
    'The native koffi module could not be loaded.',
    'Do not bundle koffi: mark it external and ship node_modules/koffi.',
  ),
  // memory
  ERR_OUT_OF_MEMORY: info(0x1008, 'The memory pool has no room for this allocation.'),
  ERR_NOT_HOST_VISIBLE: info(0x1000, 'The host cannot see this memory.'),
  ERR_INVALID_ADDRESS: info(0x1003, 'The address does not belong to an allocation of this device.'),
  // code objects
  ERR_CODE_OBJECT: info(0x1010, 'The bytes are not a valid AMDGPU code object.'),
  ERR_CODE_OBJECT_RELOCATABLE: info(0x1010, 'The file is an unlinked object (ET_REL).'),
  ERR_CODE_OBJECT_VERSION: info(0x1010, 'The code object version is not supported.'),
  ERR_METADATA: info(0x1010, 'The metadata of the code object is missing or malformed.'),
  ERR_ISA_MISMATCH: info(0x1009, 'The code object was made for another target than the device has.'),
  ERR_SYMBOL_NOT_FOUND: info(0x1013, 'The code object has no kernel or symbol of this name.'),
  ERR_RELOCATION: info(0x1010, 'A relocation cannot be applied: unknown kind, undefined symbol or value out of range.'),
  ERR_FILE: info(0x1000, 'A file could not be read; errno says how.'),
  // queues and kernels
  ERR_QUEUE_CREATION: info(0x1004, 'The queue could not be created.'),
  ERR_QUEUE_ERROR: info(0x1000, 'The queue is in the error state.'),
  ERR_INVALID_PACKET: info(0x1007, 'The queue met a packet it cannot process.'),
  ERR_MEMORY_FAULT: info(43, 'A kernel touched memory that is not mapped, not writable or not executable.'),
  ERR_APERTURE_VIOLATION: info(41, 'A kernel touched memory outside every aperture.'),
  ERR_ILLEGAL_INSTRUCTION: info(42, 'A kernel met an instruction that the device cannot execute.'),
  ERR_KERNEL_TRAP: info(0x1016, 'A kernel executed a trap (abort or assert).'),
  ERR_OUT_OF_REGISTERS: info(45, 'The workgroup needs more registers than the device has.'),
  ERR_DEVICE_LOST: info(0x1000, 'The device is lost; open it again.'),
  // tools and host
  ERR_TOOL: info(0x1000, 'A tool could not be loaded or failed.'),
  ERR_HOST: info(0x1000, 'The host environment lacks what the emulated GPU needs (threads, WebAssembly SIMD, memory).'),
} as const satisfies Readonly<Record<string, ErrorCodeInfo>>;

/** Every code an {@link HsaError} can carry. */
export type ErrorCode = keyof typeof ERROR_CODES;
