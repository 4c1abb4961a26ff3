import {
  AQL_BARRIER_DEPENDENCIES,
  AQL_COMPLETION_SIGNAL_OFFSET,
  AQL_PACKET_BYTES,
  AqlFenceScope,
  AqlPacketType,
  AqlVendorFormat,
  HsaError,
  KERNEL_DISPATCH_OFFSETS,
  aqlPackets,
  packAqlHeader,
} from '@doorbell/abi';
import type { Signal } from './signal.js';
import type { SignalCondition } from './wait-signal.js';
import { highHalf, lowHalf } from './words64.js';

/** What the header of a packet says beside its type; see {@link AqlPacket}. */
export interface PacketOptions {
  /** Waits until all packets before it are complete. Default: no. */
  readonly barrier?: boolean;
  /** Caches that are made current before the packet runs. Default: `system`. */
  readonly acquire?: 'none' | 'agent' | 'system';
  /** Caches that are written back before it completes. Default: `system`. */
  readonly release?: 'none' | 'agent' | 'system';
  /** Decremented by 1 when the packet completes. */
  readonly completion?: Signal;
}

/** One to three sizes; the count of them is the count of dimensions. */
export type Sizes = readonly [x: number, y?: number, z?: number];

/** A kernel dispatch. */
export interface DispatchFields extends PacketOptions {
  /** Total work-items. */
  readonly grid: Sizes;
  /** Work-items of a workgroup. */
  readonly workgroup: Sizes;
  /** Address of the kernel descriptor. */
  readonly kernelObject: bigint;
  /** Address of the kernarg segment; 16-byte aligned. */
  readonly kernargAddress: bigint;
  /** Scratch of a work-item. Default: 0. */
  readonly privateBytes?: number;
  /** LDS of a workgroup. Default: 0. */
  readonly groupBytes?: number;
}

/** A barrier on up to five signals, each met when its value is 0. */
export interface BarrierFields extends PacketOptions {
  readonly dependencies?: readonly Signal[];
}

/** A barrier on one signal: (value AND mask) compared with `value`. */
export interface BarrierValueFields extends PacketOptions {
  readonly dependency: Signal;
  readonly condition: SignalCondition;
  readonly value: bigint;
  /** Default: all bits. */
  readonly mask?: bigint;
}

const WORDS = AQL_PACKET_BYTES / 4;
const COMPLETION = AQL_COMPLETION_SIGNAL_OFFSET / 4;
const KERNARG = KERNEL_DISPATCH_OFFSETS.kernargAddress / 4;
const BARRIER_VALUE = aqlPackets.barrierValue.fields;
/** `hsa_signal_condition32_t` of a barrier-value packet. */
const CONDITIONS: Readonly<Record<SignalCondition, number>> = { eq: 0, ne: 1, lt: 2, gte: 3 };

/**
 * The 64 bytes of a packet, outside any ring: filled once, submitted as often as wanted. Between submissions only what
 * changes is set ({@link setKernarg}, {@link setCompletion}), without allocation.
 */
export class AqlPacket {
  /** The packet as it goes into the ring; word 0 is header and setup. */
  readonly words: Uint32Array = new Uint32Array(WORDS);

  /** @throws {HsaError} ERR_INVALID_ARGUMENT for sizes and addresses that no packet can hold. */
  kernelDispatch(fields: DispatchFields): this {
    const { grid, workgroup } = fields;
    if (grid.length !== workgroup.length) throw invalid(`grid has ${grid.length} dimensions, workgroup ${workgroup.length}`);
    if (fields.kernargAddress % 16n !== 0n)
      throw invalid(`kernargAddress 0x${fields.kernargAddress.toString(16)} is not 16-byte aligned`);
    const words = this.#begin(AqlPacketType.kernelDispatch, fields, grid.length);
    const [wx, wy, wz] = sizes('workgroup', workgroup, 0xffff);
    const [gx, gy, gz] = sizes('grid', grid, 0xffff_ffff);
    words[KERNEL_DISPATCH_OFFSETS.workgroupSizeX / 4] = wx | (wy << 16);
    words[KERNEL_DISPATCH_OFFSETS.workgroupSizeZ / 4] = wz;
    words[KERNEL_DISPATCH_OFFSETS.gridSizeX / 4] = gx;
    words[KERNEL_DISPATCH_OFFSETS.gridSizeY / 4] = gy;
    words[KERNEL_DISPATCH_OFFSETS.gridSizeZ / 4] = gz;
    words[KERNEL_DISPATCH_OFFSETS.privateSegmentSize / 4] = bytesField('privateBytes', fields.privateBytes ?? 0);
    words[KERNEL_DISPATCH_OFFSETS.groupSegmentSize / 4] = bytesField('groupBytes', fields.groupBytes ?? 0);
    setAddress(words, KERNEL_DISPATCH_OFFSETS.kernelObject / 4, fields.kernelObject);
    setAddress(words, KERNARG, fields.kernargAddress);
    return this;
  }

  barrierAnd(fields: BarrierFields = {}): this {
    return this.#barrier(AqlPacketType.barrierAnd, fields);
  }

  barrierOr(fields: BarrierFields = {}): this {
    return this.#barrier(AqlPacketType.barrierOr, fields);
  }

  barrierValue(fields: BarrierValueFields): this {
    const words = this.#begin(AqlPacketType.vendorSpecific, fields, AqlVendorFormat.barrierValue);
    const { dependency, condition, value, mask = -1n } = fields;
    setHandle(words, BARRIER_VALUE.signal.offset / 4, dependency);
    setAddress(words, BARRIER_VALUE.value.offset / 4, BigInt.asUintN(64, value));
    setAddress(words, BARRIER_VALUE.mask.offset / 4, BigInt.asUintN(64, mask));
    words[BARRIER_VALUE.cond.offset / 4] = CONDITIONS[condition];
    return this;
  }

  // hot
  setKernarg(addressLow: number, addressHigh: number): this {
    this.words[KERNARG] = addressLow;
    this.words[KERNARG + 1] = addressHigh;
    return this;
  }

  // hot
  setCompletion(signal: Signal): this {
    this.words[COMPLETION] = signal.handleLow;
    this.words[COMPLETION + 1] = signal.handleHigh;
    return this;
  }

  copy(): AqlPacket {
    const packet = new AqlPacket();
    packet.words.set(this.words);
    return packet;
  }

  #barrier(type: AqlPacketType, fields: BarrierFields): this {
    const { dependencies = [] } = fields;
    const { count, offset } = AQL_BARRIER_DEPENDENCIES;
    if (dependencies.length > count)
      throw invalid(`a barrier packet has at most ${count} dependencies, not ${dependencies.length}`);
    const words = this.#begin(type, fields, 0);
    dependencies.forEach((signal, i) => setHandle(words, offset / 4 + i * 2, signal));
    return this;
  }

  #begin(type: AqlPacketType, options: PacketOptions, upperHalf: number): Uint32Array {
    const { barrier = false, acquire = 'system', release = 'system', completion } = options;
    const words = this.words.fill(0);
    const header = packAqlHeader(type, { barrier, acquire: AqlFenceScope[acquire], release: AqlFenceScope[release] });
    words[0] = header | (upperHalf << 16);
    if (completion !== undefined) this.setCompletion(completion);
    return words;
  }
}

function setAddress(words: Uint32Array, index: number, value: bigint): void {
  words[index] = lowHalf(value);
  words[index + 1] = highHalf(value);
}

function setHandle(words: Uint32Array, index: number, signal: Signal): void {
  words[index] = signal.handleLow;
  words[index + 1] = signal.handleHigh;
}

/** Three checked sizes; those of dimensions that are not used are 1. */
function sizes(name: string, given: Sizes, max: number): readonly [number, number, number] {
  const [x, y = 1, z = 1] = given;
  for (const size of [x, y, z]) {
    if (!Number.isInteger(size) || size < 1 || size > max)
      throw invalid(`${name} has a size of ${size}; 1 to ${max} are possible`);
  }
  return [x, y, z];
}

function bytesField(name: string, value: number): number {
  if (Number.isInteger(value) && value >= 0 && value <= 0xffff_ffff) return value;
  throw invalid(`${name} must be an integer of 32 bits, not ${value}`);
}

function invalid(message: string): HsaError {
  return new HsaError('ERR_INVALID_ARGUMENT', { message });
}
