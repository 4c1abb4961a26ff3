import type { ErrorCode } from '@doorbell/abi';
import { HsaError } from '@doorbell/abi';
import type { DeviceFault } from '@doorbell/emulator';
import type { DeviceContext } from './device-context.js';

/** The kernel whose launch failed. */
export interface FaultedLaunch {
  readonly kernel: string;
}

type WaveFault = Extract<
  DeviceFault['fault'],
  { readonly kind: 'memory' | 'aperture' | 'illegal-instruction' | 'trap' | 'code-fetch' }
>;

const WAVE_FAULT_CODES: Readonly<Record<WaveFault['kind'], ErrorCode>> = {
  memory: 'ERR_MEMORY_FAULT',
  aperture: 'ERR_APERTURE_VIOLATION',
  'illegal-instruction': 'ERR_ILLEGAL_INSTRUCTION',
  trap: 'ERR_KERNEL_TRAP',
  'code-fetch': 'ERR_MEMORY_FAULT',
};

/**
 * A queue's error as the program should see it: with the kernel, and with everything the device knows: address and access, the
 * nearest buffer, instruction, source line (with debug information), workgroup, wave and lane.
 */
export function describeFault(
  context: DeviceContext,
  error: HsaError,
  launch: FaultedLaunch & { readonly deviceFault?: DeviceFault | undefined },
): HsaError {
  const fault = launch.deviceFault?.fault;
  if (fault === undefined) return withKernel(context, error, launch);
  if (fault.kind === 'packet' || fault.kind === 'dispatch') {
    return new HsaError(error.code, {
      message: `${launch.kernel}: ${fault.message}`,
      hsaStatus: error.hsaStatus,
      details: { ...error.details, kernel: launch.kernel, ...(fault.kind === 'packet' ? { packetBytes: fault.bytes } : {}) },
      ...hintOf(context, error.hint),
      cause: error,
    });
  }
  return waveError(context, error, { ...launch, fault });
}

function waveError(
  context: DeviceContext,
  error: HsaError,
  { kernel, fault }: FaultedLaunch & { readonly fault: WaveFault },
): HsaError {
  const { kind: _kind, message, ...facts } = fault;
  const where = `workgroup ${fault.workgroup.join(',')}, wave ${fault.wave}${fault.lane === undefined ? '' : `, lane ${fault.lane}`}`;
  // An address of private memory is an offset that all work-items have.
  const isPrivate = fault.kind === 'aperture';
  const neighbour = fault.address === undefined || isPrivate ? undefined : nearestBuffer(context, fault.address);
  const code = WAVE_FAULT_CODES[fault.kind];
  const source = context.runtime.loader.sourceLineOf(fault.pc);
  const lines = [
    `${kernel}: ${message}${neighbour ? `; ${neighbour.text}` : ''}`,
    `at 0x${fault.pc.toString(16)}: ${fault.disassembly}`,
    ...(source === undefined ? [] : [`in ${source.file}:${source.line}:${source.column}`]),
    where,
  ];
  return new HsaError(code, {
    message: lines.join('\n  '),
    ...(code === error.code ? { hsaStatus: error.hsaStatus } : {}),
    details: {
      ...error.details,
      kernel,
      ...facts,
      ...(source ? { source } : {}),
      ...(neighbour ? { nearest: neighbour.details } : {}),
    },
    ...hintOf(context, isPrivate ? STACK_HINT : neighbour?.hint),
    cause: error,
  });
}

const STACK_HINT =
  'Recursion needs more stack: launch with more stackBytes. In other kernels an index of a private array is out of range.';

/** A hint of the fault's own, and the reminder of an override. */
function hintOf({ runtime }: DeviceContext, own: string | undefined): { readonly hint?: string } {
  const hints = [own, runtime.flags.overrideHint].filter((hint) => hint !== undefined);
  return hints.length === 0 ? {} : { hint: hints.join(' ') };
}

/** A real driver reports the address alone. */
function withKernel(context: DeviceContext, error: HsaError, { kernel }: FaultedLaunch): HsaError {
  const { address } = error.details;
  const neighbour = typeof address === 'bigint' ? nearestBuffer(context, address) : undefined;
  return new HsaError(error.code, {
    message: `${kernel}: ${error.message}${neighbour ? `; ${neighbour.text}` : ''}`,
    hsaStatus: error.hsaStatus,
    details: { ...error.details, kernel, ...(neighbour ? { nearest: neighbour.details } : {}) },
    ...hintOf(context, neighbour?.hint ?? error.hint),
    cause: error,
  });
}

interface Neighbour {
  readonly text: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly hint?: string;
}

/** A buffer further away than this has nothing to do with a stray access. */
const FARTHEST = 1n << 28n;

/** The allocation that an address lies in or nearest to, in words. */
function nearestBuffer({ runtime }: DeviceContext, address: bigint): Neighbour | undefined {
  const inside = runtime.memory.find(address);
  const nearest = inside ? { allocation: inside, distanceBytes: 0n } : runtime.memory.nearest(address);
  if (nearest === undefined || nearest.distanceBytes > FARTHEST) return undefined;
  const { allocation, distanceBytes } = nearest;
  const name =
    allocation.label === undefined
      ? `a buffer of ${allocation.sizeBytes} bytes`
      : `${allocation.label} (${allocation.sizeBytes} bytes)`;
  const isBehind = address >= allocation.address;
  const place = distanceBytes === 0n ? 'inside' : `${distanceBytes} bytes ${isBehind ? 'behind the end of' : 'before'}`;
  return {
    text: `the address lies ${place} ${name} at 0x${allocation.address.toString(16)}`,
    details: { label: allocation.label, address: allocation.address, sizeBytes: allocation.sizeBytes, distanceBytes },
    ...(isBehind && distanceBytes > 0n
      ? { hint: `Check the kernel's index against the ${allocation.sizeBytes} bytes of ${allocation.label ?? 'the buffer'}.` }
      : {}),
  };
}
