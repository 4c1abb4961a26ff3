import type { ErrorCode } from '@doorbell/abi';
import { HsaError, hsa } from '@doorbell/abi';
import type { HwException, MemoryException } from '@doorbell/thunk-loader';

/** What stopped a queue, as one row of AMD's tables. */
interface Reason {
  readonly code: ErrorCode;
  readonly hsaStatus: number;
  readonly text: string;
  /** Where the code's own cure does not help. */
  readonly hint?: string;
}

const queueError = (hsaStatus: number, text: string, hint?: string): Reason => ({
  code: 'ERR_QUEUE_ERROR',
  hsaStatus,
  text,
  ...(hint === undefined ? {} : { hint }),
});

const GRID_HINT = 'Give grid and workgroup sizes that the device can count, and launch in a new queue.';
const LDS_HINT = 'Ask for less LDS, and launch in a new queue.';
const WORKGROUP_HINT = 'Make the workgroup smaller, and launch in a new queue.';

const MEMORY_VIOLATION = 0x2000_0000n;
/** The queue wants scratch for a dispatch of 64-lane waves (bit 0) or 32-lane waves (bit 10). */
export const NEEDS_SCRATCH = 0x401n;
export const NEEDS_SCRATCH_WAVE32 = 0x400n;

/** Bits of the queue-inactive signal in the order of testing (ROCr amd_aql_queue.cpp, DynamicQueueEventsHandler). */
const INACTIVE_REASONS: readonly (readonly [bigint, Reason])[] = [
  [NEEDS_SCRATCH, queueError(hsa.HSA_STATUS_ERROR_OUT_OF_RESOURCES, 'a kernel needs scratch memory that could not be had')],
  [0x2n, queueError(hsa.HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS, 'a dispatch has an invalid dimension', GRID_HINT)],
  [0x4n, queueError(hsa.HSA_STATUS_ERROR_INVALID_ALLOCATION, 'a dispatch asks for an invalid amount of LDS', LDS_HINT)],
  [0x8n, queueError(hsa.HSA_STATUS_ERROR_INVALID_CODE_OBJECT, 'a dispatch names no valid kernel')],
  [0x120n, queueError(hsa.HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, 'the device cannot process a packet')],
  [0x40n, queueError(hsa.HSA_STATUS_ERROR_INVALID_ARGUMENT, 'the workgroup of a dispatch is too large', WORKGROUP_HINT)],
  [
    0x80n,
    {
      code: 'ERR_OUT_OF_REGISTERS',
      hsaStatus: hsa.HSA_STATUS_ERROR_OUT_OF_REGISTERS,
      text: 'a workgroup needs more registers than there are',
    },
  ],
  [
    MEMORY_VIOLATION,
    {
      code: 'ERR_APERTURE_VIOLATION',
      hsaStatus: hsa.HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION,
      text: 'a kernel touched memory outside every aperture',
    },
  ],
  [
    0x4000_0000n,
    {
      code: 'ERR_ILLEGAL_INSTRUCTION',
      hsaStatus: hsa.HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION,
      text: 'a kernel met an instruction that the device cannot execute',
    },
  ],
  [0x8000_0000n, { code: 'ERR_KERNEL_TRAP', hsaStatus: hsa.HSA_STATUS_ERROR_EXCEPTION, text: 'a kernel executed a trap' }],
];

const trap = (text: string): Reason => ({ code: 'ERR_KERNEL_TRAP', hsaStatus: hsa.HSA_STATUS_ERROR_EXCEPTION, text });
const memory = (hsaStatus: number, text: string): Reason => ({ code: 'ERR_APERTURE_VIOLATION', hsaStatus, text });
const lost = (text: string): Reason => ({ code: 'ERR_DEVICE_LOST', hsaStatus: hsa.HSA_STATUS_ERROR, text });

/** Codes of the driver's exceptions, bit = code − 1, in the order of testing (ROCr amd_aql_queue.cpp, ExceptionHandler). */
const EXCEPTION_REASONS: readonly (readonly [number, Reason])[] = [
  [1, trap('a wave was aborted')],
  [2, trap('a kernel executed a trap')],
  [3, trap('a kernel raised a math exception')],
  [
    4,
    {
      code: 'ERR_ILLEGAL_INSTRUCTION',
      hsaStatus: hsa.HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION,
      text: 'a kernel met an instruction that the device cannot execute',
    },
  ],
  [
    5,
    { code: 'ERR_MEMORY_FAULT', hsaStatus: hsa.HSA_STATUS_ERROR_MEMORY_FAULT, text: 'a kernel touched memory that it may not' },
  ],
  [6, memory(hsa.HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION, 'a kernel touched memory outside every aperture')],
  [16, queueError(hsa.HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS, 'a dispatch has an invalid dimension', GRID_HINT)],
  [17, queueError(hsa.HSA_STATUS_ERROR_INVALID_ALLOCATION, 'a dispatch asks for an invalid amount of LDS', LDS_HINT)],
  [18, queueError(hsa.HSA_STATUS_ERROR_INVALID_CODE_OBJECT, 'a dispatch names no valid kernel')],
  [20, queueError(hsa.HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, 'the device cannot process a packet')],
  [21, queueError(hsa.HSA_STATUS_ERROR_INVALID_ARGUMENT, 'the workgroup of a dispatch is too large', WORKGROUP_HINT)],
  [
    22,
    {
      code: 'ERR_OUT_OF_REGISTERS',
      hsaStatus: hsa.HSA_STATUS_ERROR_INVALID_ISA,
      text: 'a workgroup needs more registers than there are',
    },
  ],
  [23, queueError(hsa.HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, 'the device cannot process a vendor packet')],
  [31, queueError(hsa.HSA_STATUS_ERROR, 'the queue could not be preempted')],
  [33, memory(hsa.HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION, 'the device reports a memory violation')],
  [34, lost('the device reports an uncorrectable memory error')],
  [35, lost('the device halted')],
  [36, lost('the device was reset')],
  [50, lost('the device was removed')],
];

/** What device and driver say of a stopped queue. */
export interface StopFacts {
  /** Value of the queue-inactive signal; 0n: not set. */
  readonly inactive: bigint;
  /** Value of the exception signal (the driver's error reason); 0n: not set. */
  readonly exception: bigint;
  readonly memoryException: MemoryException | undefined;
  readonly hwException: HwException | undefined;
}

/** Facts of a stopped queue. */
export interface StoppedQueue extends StopFacts {
  readonly label: string;
  readonly gpuId: number;
  /** The packet at the read index: the one that failed, or a later one where several ran at once. */
  readonly packetIndex: number;
  readonly packet: Uint8Array;
}

/** Whether an inactive value says that memory was violated, so that the driver's report of the address is worth waiting for. */
export function isMemoryViolation(inactive: bigint): boolean {
  return (inactive & MEMORY_VIOLATION) !== 0n;
}

/** The error of a stopped queue, with AMD's status for each reason. */
export function queueErrorOf(queue: StoppedQueue): HsaError {
  const reason = reasonOf(queue);
  const where = `${queue.label} stopped at packet ${queue.packetIndex}`;
  const values = `inactive 0x${queue.inactive.toString(16)}, exception 0x${queue.exception.toString(16)}`;
  return new HsaError(reason.code, {
    message: `${where}: ${reason.text} (${values}; packet ${hexBytes(queue.packet)})`,
    hsaStatus: reason.hsaStatus,
    ...(reason.hint === undefined ? {} : { hint: reason.hint }),
    details: {
      queue: queue.label,
      gpuId: queue.gpuId,
      packetIndex: queue.packetIndex,
      packet: queue.packet,
      inactive: queue.inactive,
      exception: queue.exception,
      ...(queue.memoryException === undefined
        ? {}
        : { memoryException: queue.memoryException, address: queue.memoryException.address }),
    },
  });
}

function reasonOf({ inactive, exception, memoryException, hwException }: StoppedQueue): Reason {
  if (memoryException !== undefined) {
    return { code: 'ERR_MEMORY_FAULT', hsaStatus: hsa.HSA_STATUS_ERROR_MEMORY_FAULT, text: describeFault(memoryException) };
  }
  if (inactive !== 0n) {
    const row = INACTIVE_REASONS.find(([bits]) => (inactive & bits) !== 0n);
    return row?.[1] ?? queueError(hsa.HSA_STATUS_ERROR, 'the device stopped it for an unknown reason');
  }
  if (exception === 0n && hwException !== undefined) {
    const memoryText = hwException.memoryLost ? '; the contents of its memory are lost' : '';
    return lost(`the driver reset the device after a ${hwException.resetCause} (${hwException.resetType})${memoryText}`);
  }
  const row = EXCEPTION_REASONS.find(([code]) => ((exception >> BigInt(code - 1)) & 1n) === 1n);
  return row?.[1] ?? queueError(hsa.HSA_STATUS_ERROR, 'the driver stopped it for an unknown reason');
}

function describeFault(fault: MemoryException): string {
  const causes = [
    fault.notPresent ? 'not mapped' : '',
    fault.readOnly ? 'not writable' : '',
    fault.noExecute ? 'not executable' : '',
    fault.errorType === 'none' ? '' : fault.errorType,
  ].filter((cause) => cause !== '');
  const near = fault.imprecise ? ' (or near it)' : '';
  return `a kernel touched memory that is ${causes.join(', ') || 'not accessible'} at 0x${fault.address.toString(16)}${near}`;
}

function hexBytes(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
