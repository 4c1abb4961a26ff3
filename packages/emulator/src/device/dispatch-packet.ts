/** A kernel dispatch packet as the command processor checks it. */
import { KERNEL_DISPATCH_OFFSETS as PACKET } from '@doorbell/abi';
import { PAGE_EXECUTE, PAGE_READ } from '../memory-map.js';
import type { GpuModel } from './gpu-model.js';
import { waveCapacity } from './gpu-model.js';
import { InactiveValue } from './inactive-values.js';
import type { MemoryViews } from './shared-state.js';
import { isMapped, readAddress } from './signals.js';

/** Kernel descriptor: offsets and bits of AMDHSAKernelDescriptor.h (LLVM 22). */
export const DESCRIPTOR = { bytes: 64, entryOffset: 16, rsrc3: 44, rsrc1: 48, rsrc2: 52, properties: 56, preload: 58 } as const;
/** Kernels begin at multiples of this (LLVM AMDGPUUsage, kernel descriptor). */
const ENTRY_ALIGN_BYTES = 256;
const VGPR_FIELD_MASK = 0x3f;
const WGP_MODE_BIT = 29;
const WAVE32_PROPERTY = 1 << 10;
/** More workgroups than this are claimed several at a time, so that the counters stay within 32 bits. */
const MAX_UNITS = 2 ** 30;
/** Compiled code counts the waves of a dispatch in 32 bits. */
const MAX_WAVES = 2 ** 32 - 1;

/** Why a packet cannot be executed. */
export interface PacketError {
  readonly value: InactiveValue;
  readonly message: string;
  /** What the command processor could not read or write. */
  readonly address?: bigint;
}

/** A checked dispatch: what goes into its slot beside the packet's own fields. */
export interface CheckedDispatch {
  readonly workgroup: readonly [number, number, number];
  readonly grid: readonly [number, number, number];
  readonly groups: readonly [number, number, number];
  readonly units: number;
  readonly unitGroups: number;
  readonly ldsBytes: number;
  readonly privateBytes: number;
  /** Offset of the kernel descriptor. */
  readonly descriptor: number;
  readonly descriptorAddress: bigint;
  readonly entryAddress: bigint;
  readonly isWave32: boolean;
}

/** Checks the packet at byte `packet`. Nothing is changed. */
export function checkDispatch(views: MemoryViews, packet: number, gpu: GpuModel): CheckedDispatch | PacketError {
  const view = new DataView(views.memory.buffer, packet, 64);
  const dimensions = view.getUint16(PACKET.setup, true) & 3;
  if (dimensions === 0) return error('invalidDimension', `${dimensions} dimensions; a dispatch has 1 to 3`);
  const workgroup = triple(dimensions, [PACKET.workgroupSizeX, PACKET.workgroupSizeY, PACKET.workgroupSizeZ], (at) =>
    view.getUint16(at, true),
  );
  const grid = triple(dimensions, [PACKET.gridSizeX, PACKET.gridSizeY, PACKET.gridSizeZ], (at) => view.getUint32(at, true));
  if (workgroup.includes(0)) return error('invalidDimension', `workgroup ${workgroup.join('×')} has an empty dimension`);
  if (grid.includes(0)) return error('invalidDimension', `grid ${grid.join('×')} has an empty dimension`);
  const workItems = product(workgroup);
  if (workItems > gpu.maxWorkgroup) {
    return error('groupTooLarge', `workgroup of ${workItems} work-items; at most ${gpu.maxWorkgroup} fit`);
  }
  const groups = [0, 1, 2].map((axis) => Math.ceil((grid[axis] ?? 1) / (workgroup[axis] ?? 1)));
  const total = product(groups);
  const ldsBytes = view.getUint32(PACKET.groupSegmentSize, true);
  if (ldsBytes > gpu.ldsBytes) return error('invalidGroupMemory', `${ldsBytes} bytes of LDS; a workgroup has ${gpu.ldsBytes}`);
  const kernel = checkDescriptor(views, packet + PACKET.kernelObject, gpu, workItems);
  if ('value' in kernel) return kernel;
  const waves = total * Math.ceil(workItems / (kernel.isWave32 ? 32 : 64));
  if (waves > MAX_WAVES) return error('invalidDimension', tooLarge(grid, waves));
  const unitGroups = Math.ceil(total / MAX_UNITS);
  return {
    workgroup,
    grid,
    groups: toTriple(groups),
    units: Math.ceil(total / unitGroups),
    unitGroups,
    ldsBytes,
    privateBytes: view.getUint32(PACKET.privateSegmentSize, true),
    ...kernel,
  };
}

function checkDescriptor(
  views: MemoryViews,
  at: number,
  gpu: GpuModel,
  workItems: number,
): Pick<CheckedDispatch, 'descriptor' | 'descriptorAddress' | 'entryAddress' | 'isWave32'> | PacketError {
  const address = BigInt.asUintN(64, new DataView(views.memory.buffer).getBigInt64(at, true));
  const descriptor = readAddress(views, at);
  const shown = `0x${address.toString(16)}`;
  if (address === 0n) return error('invalidCode', 'the kernel object is null');
  if (descriptor < 0 || descriptor % DESCRIPTOR.bytes !== 0 || !isMapped(views, descriptor, PAGE_READ)) {
    return error('invalidCode', `kernel object ${shown} is no kernel descriptor in memory of this GPU`);
  }
  const view = new DataView(views.memory.buffer, descriptor, DESCRIPTOR.bytes);
  const entryAddress = address + view.getBigInt64(DESCRIPTOR.entryOffset, true);
  const entry = views.addresses.offsetOf(entryAddress, ENTRY_ALIGN_BYTES);
  if (entry < 0 || entry % ENTRY_ALIGN_BYTES !== 0 || !isMapped(views, entry, PAGE_EXECUTE)) {
    return error('invalidCode', `the entry point of kernel object ${shown} is not in executable memory`);
  }
  const rsrc1 = view.getUint32(DESCRIPTOR.rsrc1, true);
  const isWave32 = (view.getUint16(DESCRIPTOR.properties, true) & WAVE32_PROPERTY) !== 0;
  const waves = Math.ceil(workItems / (isWave32 ? 32 : 64));
  const cus = ((rsrc1 >>> WGP_MODE_BIT) & 1) === 1 ? 2 : 1;
  const capacity = waveCapacity(gpu, { vgprField: rsrc1 & VGPR_FIELD_MASK, isWave32, cus });
  if (waves > capacity) {
    return error('outOfRegisters', `${waves} waves of a workgroup need more vector registers than there are for ${capacity}`);
  }
  return { descriptor, descriptorAddress: address, entryAddress, isWave32 };
}

function tooLarge(grid: readonly number[], waves: number): string {
  return `grid ${grid.join('×')} has about ${waves.toPrecision(2)} waves; this device counts ${MAX_WAVES}`;
}

function error(value: keyof typeof InactiveValue, message: string): PacketError {
  return { value: InactiveValue[value], message };
}

/** The used dimensions of three fields; the others count as 1. */
function triple(dimensions: number, offsets: readonly number[], read: (at: number) => number): readonly [number, number, number] {
  return toTriple(offsets.map((at, axis) => (axis < dimensions ? read(at) : 1)));
}

function toTriple(values: readonly number[]): readonly [number, number, number] {
  return [values[0] ?? 1, values[1] ?? 1, values[2] ?? 1];
}

function product(values: readonly number[]): number {
  return values.reduce((result, value) => result * value, 1);
}
