/**
 * Sizes of what the driver demands beside a queue's ring. The driver compares them with its own figures and answers
 * EINVAL where they differ, so the rules are its rules: drivers/gpu/drm/amd/amdkfd/kfd_queue.c (per XCC).
 */
import { HsaError } from '@doorbell/abi';

const PAGE_BYTES = 4096;

/** Facts of a node that the rules look at: `properties` of the topology. */
export interface QueueSizeInputs {
  /** gfx_target_version: major · 10000 + minor · 100 + stepping. */
  readonly gfxTargetVersion: number;
  readonly simdCount: number;
  readonly simdPerCu: number;
  readonly arrayCount: number;
  readonly simdArraysPerEngine: number;
  readonly xccCount: number;
  readonly ldsSizeKb: number;
}

/** Sizes in bytes; save areas are for compute queues only. */
export interface QueueSizes {
  /** 0: the driver wants no EOP buffer. */
  readonly eopBytes: number;
  readonly controlStackBytes: number;
  /** Context save and restore area of one XCC: control stack and wave data. */
  readonly saveBytes: number;
  /** Debugger's area of one XCC. */
  readonly debugBytes: number;
  /** What to allocate for all XCCs. */
  readonly saveAreaBytes: number;
  readonly xccCount: number;
}

/** Reads the inputs from a node's properties. @throws {HsaError} ERR_TOPOLOGY when one is missing or makes no sense. */
export function queueSizeInputs(properties: ReadonlyMap<string, bigint>): QueueSizeInputs {
  const positive = (key: string): number => {
    const value = Number(properties.get(key) ?? 0n);
    if (value > 0 && Number.isSafeInteger(value)) return value;
    throw new HsaError('ERR_TOPOLOGY', {
      message: `the node's property ${key} is ${properties.has(key) ? value : 'missing'}; it is needed to size queues`,
      details: { property: key },
    });
  };
  return {
    gfxTargetVersion: positive('gfx_target_version'),
    simdCount: positive('simd_count'),
    simdPerCu: positive('simd_per_cu'),
    arrayCount: positive('array_count'),
    simdArraysPerEngine: positive('simd_arrays_per_engine'),
    // Absent on drivers older than partitions: one.
    xccCount: Math.max(1, Number(properties.get('num_xcc') ?? 1n)),
    ldsSizeKb: positive('lds_size_in_kb'),
  };
}

/** Sizes for an AQL queue. Save areas exist from gfx8.0.1 on. */
export function aqlQueueSizes(node: QueueSizeInputs): QueueSizes {
  const version = node.gfxTargetVersion;
  const cus = Math.floor(node.simdCount / node.simdPerCu / node.xccCount);
  const engines = Math.floor(node.arrayCount / node.simdArraysPerEngine);
  const isGfx10 = version >= 100_100;
  const waves = isGfx10 ? cus * 32 : Math.min(cus * 40, engines * 512);
  const stack = alignUp(40 + waves * (isGfx10 ? 12 : 8) + 8, PAGE_BYTES);
  const controlStackBytes = isGfx10 && version < 110_000 ? Math.min(stack, 0x7000) : stack;
  // SGPRs 0x4000 and hardware registers 0x1000 of one CU.
  const waveData = alignUp(cus * (vgprBytes(version) + 0x4000 + ldsBytes(node) + 0x1000), PAGE_BYTES);
  const saveBytes = controlStackBytes + waveData;
  const debugBytes = alignUp(waves * 32, 64);
  return {
    eopBytes: version >= 90_402 && version < 90_500 ? 0 : PAGE_BYTES,
    controlStackBytes,
    saveBytes,
    debugBytes,
    saveAreaBytes: alignUp((saveBytes + debugBytes) * node.xccCount, PAGE_BYTES),
    xccCount: node.xccCount,
  };
}

/** VGPRs of one CU, in bytes: 512 KiB with accumulation registers, 384 KiB with the large file of gfx11 and gfx12. */
function vgprBytes(version: number): number {
  if (version === 90_008 || version === 90_010 || (version >= 90_400 && version < 90_600)) return 0x8_0000;
  if (version === 110_000 || version === 110_001 || version === 120_000 || version === 120_001) return 0x6_0000;
  return 0x4_0000;
}

/** The driver reckons with 64 KiB but on gfx950, whose LDS is larger. */
function ldsBytes(node: QueueSizeInputs): number {
  return node.gfxTargetVersion === 90_500 ? node.ldsSizeKb * 1024 : 0x1_0000;
}

/** `value` rounded up to a multiple of `step`. */
function alignUp(value: number, step: number): number {
  return Math.ceil(value / step) * step;
}
