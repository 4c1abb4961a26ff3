/** Memory pools of an agent, in the order and with the flags that ROCr gives them (rocr amd_cpu_agent.cpp, amd_gpu_agent.cpp InitRegionList). */
import type { MemoryBank } from '../topology-types.js';
import type { MemoryPool } from './agent-types.js';

/** hsakmttypes.h HSA_HEAPTYPE. */
const HEAP_SYSTEM = 0;
const HEAP_VRAM_PUBLIC = 1;
export const HEAP_VRAM_PRIVATE = 2;

/** hsa_ext_amd.h hsa_amd_memory_pool_global_flag_t. */
const FLAG_KERNARG = 1;
const FLAG_FINE = 2;
const FLAG_COARSE = 4;
const FLAG_EXTENDED_FINE = 8;

const PAGE_BYTES = 4096;
/** Block of ROCr's sub-allocator of VRAM (rocr memory_region.h). */
const VRAM_GRANULE_BYTES = 2 * 1024 * 1024;

type Coherence = Exclude<MemoryPool['coherence'], 'none'>;
const COHERENCE_FLAGS: Readonly<Record<Coherence, number>> = {
  fine: FLAG_FINE,
  'extended-fine': FLAG_EXTENDED_FINE,
  coarse: FLAG_COARSE,
};

/** Pools of a CPU agent: fine, extended fine, kernarg, and coarse unless the node also has a GPU. */
export function systemPools(options: {
  readonly banks: readonly MemoryBank[];
  /** System memory of all CPU nodes: an allocation may spread over them. */
  readonly allSystemBytes: bigint;
  readonly isApu: boolean;
}): readonly MemoryPool[] {
  const bank = options.banks.find(({ heapType }) => heapType === HEAP_SYSTEM);
  const pool = (coherence: Coherence, kernarg = false): MemoryPool => ({
    kind: 'system',
    coherence,
    kernarg,
    globalFlags: COHERENCE_FLAGS[coherence] | (kernarg ? FLAG_KERNARG : 0),
    sizeBytes: bank?.sizeInBytes ?? 0n,
    allocMaxBytes: options.allSystemBytes,
    runtimeAllocAllowed: true,
    allocGranuleBytes: PAGE_BYTES,
    recommendedGranuleBytes: PAGE_BYTES,
    alignmentBytes: PAGE_BYTES,
    accessibleByAll: true,
    hostVisible: true,
    busWidthBits: bank?.width ?? 0,
    maxClockMhz: bank?.memClkMax ?? 0,
    userVisible: true,
  });
  const kernarg = pool('fine', true);
  return [pool('fine'), pool('extended-fine'), kernarg, ...(options.isApu ? [] : [pool('coarse')])];
}

/** Bytes that can be allocated of the system bank of a node. */
export function systemBankBytes(banks: readonly MemoryBank[]): bigint {
  return pageFloor(banks.find(({ heapType }) => heapType === HEAP_SYSTEM)?.sizeInBytes ?? 0n);
}

/** Pools of a GPU agent: coarse, extended fine and fine for each VRAM bank, then LDS. */
export function gpuPools(options: {
  readonly banks: readonly MemoryBank[];
  readonly ldsBytes: number;
  /** gfx12.0 has no extended fine-grained VRAM. */
  readonly hasExtendedFine: boolean;
  /** Whether programs get fine-grained VRAM: in an XGMI hive, or when asked for over PCIe. */
  readonly fineVisible: boolean;
}): readonly MemoryPool[] {
  const vram = options.banks.filter(({ heapType, sizeInBytes }) => isVram(heapType) && sizeInBytes > 0n);
  const pools = vram.flatMap((bank) => {
    const pool = (coherence: Coherence, userVisible = true): MemoryPool => vramPool(bank, { coherence, userVisible });
    return [pool('coarse'), ...(options.hasExtendedFine ? [pool('extended-fine')] : []), pool('fine', options.fineVisible)];
  });
  return options.ldsBytes > 0 ? [...pools, groupPool(options.ldsBytes)] : pools;
}

/** Whether the heap is local memory of a GPU. */
export function isVram(heapType: number): boolean {
  return heapType === HEAP_VRAM_PUBLIC || heapType === HEAP_VRAM_PRIVATE;
}

function vramPool(
  bank: MemoryBank,
  { coherence, userVisible }: { readonly coherence: Coherence; readonly userVisible: boolean },
): MemoryPool {
  return {
    kind: 'vram',
    coherence,
    kernarg: false,
    globalFlags: COHERENCE_FLAGS[coherence],
    sizeBytes: bank.sizeInBytes,
    allocMaxBytes: pageFloor(bank.sizeInBytes),
    runtimeAllocAllowed: true,
    allocGranuleBytes: PAGE_BYTES,
    recommendedGranuleBytes: VRAM_GRANULE_BYTES,
    alignmentBytes: PAGE_BYTES,
    accessibleByAll: false,
    hostVisible: bank.heapType === HEAP_VRAM_PUBLIC,
    busWidthBits: bank.width,
    maxClockMhz: bank.memClkMax,
    userVisible,
  };
}

function groupPool(ldsBytes: number): MemoryPool {
  return {
    kind: 'group',
    coherence: 'none',
    kernarg: false,
    globalFlags: 0,
    sizeBytes: BigInt(ldsBytes),
    allocMaxBytes: 0n,
    runtimeAllocAllowed: false,
    allocGranuleBytes: 0,
    recommendedGranuleBytes: 0,
    alignmentBytes: 0,
    accessibleByAll: false,
    hostVisible: false,
    busWidthBits: 0,
    maxClockMhz: 0,
    userVisible: true,
  };
}

function pageFloor(bytes: bigint): bigint {
  return bytes - (bytes % BigInt(PAGE_BYTES));
}
