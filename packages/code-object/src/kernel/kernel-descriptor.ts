import type { Generation } from '@doorbell/abi/core';
import { ByteReader } from '../internal/byte-reader.js';

/** Bytes of a kernel descriptor, and its alignment. */
export const KERNEL_DESCRIPTOR_BYTES = 64;

export type RoundMode = 'nearest-even' | 'plus-infinity' | 'minus-infinity' | 'zero';
export type DenormMode = 'flush-source-and-result' | 'flush-result' | 'flush-source' | 'keep';

/** Which user SGPRs the kernel asks for, in their order from s0. */
export interface UserSgprs {
  readonly privateSegmentBuffer: boolean;
  readonly dispatchPointer: boolean;
  readonly queuePointer: boolean;
  readonly kernargSegmentPointer: boolean;
  readonly dispatchId: boolean;
  readonly flatScratchInit: boolean;
  readonly privateSegmentSize: boolean;
}

/** One enabled user SGPR item: its first register and how many. */
export interface UserSgprItem {
  readonly item: keyof UserSgprs | 'kernargPreload';
  readonly first: number;
  readonly count: number;
}

/**
 * A kernel descriptor with every field decoded for its generation (AMDHSAKernelDescriptor.h; LLVM AMDGPUUsage, "Kernel
 * Descriptor"). Fields that a generation lacks are undefined.
 */
export interface KernelDescriptor {
  /** The fields as stored. */
  readonly raw: {
    readonly groupBytes: number;
    readonly privateBytes: number;
    readonly kernargBytes: number;
    readonly entryOffset: bigint;
    readonly rsrc1: number;
    readonly rsrc2: number;
    readonly rsrc3: number;
    readonly properties: number;
    readonly kernargPreload: number;
  };
  readonly waveSize: 32 | 64;
  /** Registers a wave is given by the encoded count; `vgprs` counts AGPRs too where the file is unified. */
  readonly vgprs: number;
  /** Granule of the VGPR field. */
  readonly vgprGranule: number;
  /** Allocated SGPRs: from the field up to gfx9, fixed from gfx10 on. */
  readonly sgprs: number;
  /** First AGPR in the unified file. */
  readonly accumOffset?: number;
  readonly sharedVgprs?: number;
  readonly roundMode32: RoundMode;
  readonly roundMode16And64: RoundMode;
  readonly denormMode32: DenormMode;
  readonly denormMode16And64: DenormMode;
  readonly dx10Clamp?: boolean;
  readonly ieeeMode?: boolean;
  readonly fp16Overflow?: boolean;
  readonly workgroupRoundRobin?: boolean;
  readonly disablePerf?: boolean;
  readonly flatScratchIsNonVolatile?: boolean;
  readonly workgroupProcessorMode?: boolean;
  readonly memoryOrdered?: boolean;
  readonly forwardProgress?: boolean;
  readonly usesPrivateSegment: boolean;
  readonly userSgprCount: number;
  readonly dynamicVgprs?: boolean;
  readonly workgroupIdX: boolean;
  readonly workgroupIdY: boolean;
  readonly workgroupIdZ: boolean;
  readonly workgroupInfo: boolean;
  /** How many work-item id dimensions the kernel reads: 1, 2 or 3. */
  readonly workitemIdDims: 1 | 2 | 3;
  /** Exception enables, bits 24…30 of rsrc2. */
  readonly exceptions: number;
  readonly instructionPrefetchBytes?: number;
  readonly threadgroupSplit?: boolean;
  readonly groupLaunchGuarantee?: boolean;
  readonly namedBarriers?: number;
  readonly imageOp?: boolean;
  readonly userSgprs: UserSgprs;
  /** Where the enabled user SGPRs lie, from s0. */
  readonly userSgprLayout: readonly UserSgprItem[];
  /** Kernel arguments that come preloaded in SGPRs: dwords, and the dword offset in the kernarg segment. */
  readonly kernargPreload?: { readonly dwords: number; readonly offsetDwords: number };
  readonly usesDynamicStack: boolean;
}

/**
 * Decodes a kernel descriptor.
 *
 * @throws {HsaError} ERR_CODE_OBJECT when `bytes` has fewer than 64 bytes.
 */
export function parseKernelDescriptor(bytes: Uint8Array, generation: Generation): KernelDescriptor {
  const reader = new ByteReader(bytes);
  reader.slice(0, KERNEL_DESCRIPTOR_BYTES, 'kernel descriptor');
  const word = (offset: number): number => reader.u32(offset, 'kernel descriptor');
  const raw = {
    groupBytes: word(0),
    privateBytes: word(4),
    kernargBytes: word(8),
    entryOffset: reader.i64(16, 'kernel descriptor'),
    rsrc1: word(48),
    rsrc2: word(52),
    rsrc3: word(44),
    properties: reader.u16(56, 'kernel descriptor'),
    kernargPreload: reader.u16(58, 'kernel descriptor'),
  };
  const isGfx10Plus = isAtLeastGfx10(generation);
  const waveSize = isGfx10Plus && bit(raw.properties, 10) ? 32 : 64;
  const userSgprs: UserSgprs = {
    privateSegmentBuffer: bit(raw.properties, 0),
    dispatchPointer: bit(raw.properties, 1),
    queuePointer: bit(raw.properties, 2),
    kernargSegmentPointer: bit(raw.properties, 3),
    dispatchId: bit(raw.properties, 4),
    flatScratchInit: bit(raw.properties, 5),
    privateSegmentSize: bit(raw.properties, 6),
  };
  const preload = { dwords: bits(raw.kernargPreload, 0, 7), offsetDwords: bits(raw.kernargPreload, 7, 9) };
  const vgprGranule = vgprEncodeGranule(generation, waveSize);
  return {
    raw,
    waveSize,
    vgprs: (bits(raw.rsrc1, 0, 6) + 1) * vgprGranule,
    vgprGranule,
    sgprs: isGfx10Plus ? 128 : Math.ceil(((bits(raw.rsrc1, 6, 4) + 1) * 8) / 16) * 16,
    ...floatModes(raw.rsrc1),
    ...rsrc1Fields(raw.rsrc1, generation),
    ...rsrc2Fields(raw.rsrc2, generation),
    ...rsrc3Fields(raw.rsrc3, generation),
    userSgprs,
    userSgprLayout: layoutUserSgprs(userSgprs, preload.dwords),
    ...(preload.dwords === 0 ? {} : { kernargPreload: preload }),
    usesDynamicStack: bit(raw.properties, 11),
  };
}

/** Whether the generation is gfx10 or later. */
export function isAtLeastGfx10(generation: Generation): boolean {
  switch (generation) {
    case 'gfx6':
    case 'gfx7':
    case 'gfx8':
    case 'gfx9':
    case 'gfx90a':
      return false;
    case 'gfx10':
    case 'gfx11':
    case 'gfx12':
    case 'gfx125':
    case 'gfx13':
      return true;
  }
}

/** LLVM AMDGPUUsage, GRANULATED_WORKITEM_VGPR_COUNT. */
export function vgprEncodeGranule(generation: Generation, waveSize: 32 | 64): number {
  switch (generation) {
    case 'gfx125':
      return waveSize === 32 ? 16 : 8;
    case 'gfx90a':
      return 8;
    default:
      return waveSize === 32 ? 8 : 4;
  }
}

const ROUND_MODES: readonly RoundMode[] = ['nearest-even', 'plus-infinity', 'minus-infinity', 'zero'];
const DENORM_MODES: readonly DenormMode[] = ['flush-source-and-result', 'flush-result', 'flush-source', 'keep'];

type Fields<K extends keyof KernelDescriptor> = Pick<KernelDescriptor, K>;

function floatModes(rsrc1: number): Fields<'roundMode32' | 'roundMode16And64' | 'denormMode32' | 'denormMode16And64'> {
  return {
    roundMode32: ROUND_MODES[bits(rsrc1, 12, 2)] ?? 'zero',
    roundMode16And64: ROUND_MODES[bits(rsrc1, 14, 2)] ?? 'zero',
    denormMode32: DENORM_MODES[bits(rsrc1, 16, 2)] ?? 'keep',
    denormMode16And64: DENORM_MODES[bits(rsrc1, 18, 2)] ?? 'keep',
  };
}

function rsrc1Fields(rsrc1: number, generation: Generation): Partial<KernelDescriptor> {
  const isGfx12Plus = generation === 'gfx12' || generation === 'gfx125' || generation === 'gfx13';
  const hasFp16Overflow = generation !== 'gfx6' && generation !== 'gfx7' && generation !== 'gfx8';
  return {
    ...(isGfx12Plus
      ? { workgroupRoundRobin: bit(rsrc1, 21), disablePerf: bit(rsrc1, 23) }
      : { dx10Clamp: bit(rsrc1, 21), ieeeMode: bit(rsrc1, 23) }),
    ...(hasFp16Overflow ? { fp16Overflow: bit(rsrc1, 26) } : {}),
    ...(generation === 'gfx125' ? { flatScratchIsNonVolatile: bit(rsrc1, 27) } : {}),
    ...(isAtLeastGfx10(generation)
      ? {
          ...(generation === 'gfx125' ? {} : { workgroupProcessorMode: bit(rsrc1, 29) }),
          memoryOrdered: bit(rsrc1, 30),
          forwardProgress: bit(rsrc1, 31),
        }
      : {}),
  };
}

type Rsrc2Fields = Fields<
  | 'usesPrivateSegment'
  | 'userSgprCount'
  | 'workgroupIdX'
  | 'workgroupIdY'
  | 'workgroupIdZ'
  | 'workgroupInfo'
  | 'workitemIdDims'
  | 'exceptions'
>;

function rsrc2Fields(rsrc2: number, generation: Generation): Rsrc2Fields & Partial<KernelDescriptor> {
  const dims = bits(rsrc2, 11, 2);
  return {
    usesPrivateSegment: bit(rsrc2, 0),
    userSgprCount: bits(rsrc2, 1, generation === 'gfx125' ? 6 : 5),
    ...(generation === 'gfx12' ? { dynamicVgprs: bit(rsrc2, 6) } : {}),
    workgroupIdX: bit(rsrc2, 7),
    workgroupIdY: bit(rsrc2, 8),
    workgroupIdZ: bit(rsrc2, 9),
    workgroupInfo: bit(rsrc2, 10),
    workitemIdDims: dims === 0 ? 1 : dims === 1 ? 2 : 3,
    exceptions: bits(rsrc2, 24, 7),
  };
}

function rsrc3Fields(rsrc3: number, generation: Generation): Partial<KernelDescriptor> {
  switch (generation) {
    case 'gfx90a':
      return { accumOffset: (bits(rsrc3, 0, 6) + 1) * 4, threadgroupSplit: bit(rsrc3, 16) };
    case 'gfx10':
      // In granules of 8 (AMDGPUUsage, SHARED_VGPR_COUNT).
      return { sharedVgprs: bits(rsrc3, 0, 4) * 8 };
    case 'gfx11':
      return { sharedVgprs: bits(rsrc3, 0, 4) * 8, instructionPrefetchBytes: bits(rsrc3, 4, 6) * 128, imageOp: bit(rsrc3, 31) };
    case 'gfx12':
    case 'gfx13':
      return { instructionPrefetchBytes: bits(rsrc3, 4, 8) * 128, groupLaunchGuarantee: bit(rsrc3, 13), imageOp: bit(rsrc3, 31) };
    case 'gfx125':
      return {
        instructionPrefetchBytes: bits(rsrc3, 4, 8) * 128,
        groupLaunchGuarantee: bit(rsrc3, 13),
        namedBarriers: bits(rsrc3, 14, 3) * 4,
        dynamicVgprs: bit(rsrc3, 17),
        imageOp: bit(rsrc3, 31),
      };
    default:
      return {};
  }
}

/** Order and sizes: LLVM AMDGPUUsage, "SGPR Register Set Up Order". */
const USER_SGPR_ITEMS: readonly (readonly [keyof UserSgprs, number])[] = [
  ['privateSegmentBuffer', 4],
  ['dispatchPointer', 2],
  ['queuePointer', 2],
  ['kernargSegmentPointer', 2],
  ['dispatchId', 2],
  ['flatScratchInit', 2],
  ['privateSegmentSize', 1],
];

function layoutUserSgprs(enabled: UserSgprs, preloadDwords: number): UserSgprItem[] {
  const layout: UserSgprItem[] = [];
  let first = 0;
  for (const [item, count] of USER_SGPR_ITEMS) {
    if (!enabled[item]) continue;
    layout.push({ item, first, count });
    first += count;
  }
  if (preloadDwords > 0) layout.push({ item: 'kernargPreload', first, count: preloadDwords });
  return layout;
}

function bits(word: number, low: number, count: number): number {
  return (word >>> low) & (2 ** count - 1);
}

function bit(word: number, index: number): boolean {
  return ((word >>> index) & 1) === 1;
}
