/**
 * Scratch memory of a queue: sizes and the fields by which the device learns of it (ROCr core/runtime/amd_aql_queue.cpp
 * HandleInsufficientScratch and InitScratchSRD; core/inc/registers.h).
 */
import { AMD_QUEUE, HsaError, isHsaError } from '@doorbell/abi';
import type { Thunk, ThunkGpu, ThunkMemory } from '@doorbell/thunk-loader';
import { highHalf, lowHalf } from './words64.js';

/** Facts of a GPU that scratch sizes depend on. */
export interface ScratchNode {
  /** gfx major version: 9, 10, 11, 12. */
  readonly major: number;
  readonly cus: number;
  /** Shader engines of the whole GPU. */
  readonly engines: number;
  readonly xccs: number;
  /** Waves of a CU that may have scratch at the same time. */
  readonly slotsPerCu: number;
}

/** Scratch for every wave that can be resident. */
export interface ScratchLayout {
  readonly sizeBytes: number;
  /** As amd_queue_t tells it: bytes of a lane of a 64-lane wave. */
  readonly wave64LaneBytes: number;
  readonly tmpringSize: number;
}

/** COMPUTE_TMPRING_SIZE.WAVES has 12 bits. */
const MAX_WAVES = 0xfff;
/** Bits of COMPUTE_TMPRING_SIZE.WAVESIZE by major version. */
const WAVE_SIZE_BITS: Readonly<Record<number, number>> = { 11: 15, 12: 18 };
const DEFAULT_WAVE_SIZE_BITS = 13;

/** Reads the facts from a node's properties. */
function scratchNode(gpu: ThunkGpu): ScratchNode {
  const property = (key: string, least = 1): number => Math.max(least, Number(gpu.properties.get(key) ?? 0n));
  return {
    major: Math.floor(property('gfx_target_version') / 10_000),
    cus: Math.floor(property('simd_count') / property('simd_per_cu')),
    engines: Math.max(1, Math.floor(property('array_count') / property('simd_arrays_per_engine'))),
    xccs: property('num_xcc'),
    // Every GPU so far has 32; drivers before the property exist.
    slotsPerCu: Number(gpu.properties.get('max_slots_scratch_cu') ?? 32n),
  };
}

/** Sizes scratch for `slotsPerCu` waves a CU, each lane with `privateBytes`; undefined when a wave is larger than the hardware can say. */
export function layoutScratch(
  node: ScratchNode,
  wanted: { readonly privateBytes: number; readonly lanes: 32 | 64; readonly slotsPerCu: number },
): ScratchLayout | undefined {
  const granule = node.major >= 11 ? 256 : 1024;
  const waveBytes = Math.ceil((wanted.privateBytes * wanted.lanes) / granule) * granule;
  const waveSize = waveBytes / granule;
  if (waveSize >= 2 ** (WAVE_SIZE_BITS[node.major] ?? DEFAULT_WAVE_SIZE_BITS)) return undefined;
  const slots = Math.ceil(node.cus / node.engines) * node.engines * wanted.slotsPerCu;
  const sizeBytes = waveBytes * slots;
  // The register counts waves of a shader engine from gfx11 on, of an XCC before; there they are a multiple of its engines.
  const enginesPerXcc = Math.max(1, Math.floor(node.engines / node.xccs));
  const waves =
    node.major >= 11
      ? Math.min(Math.floor(slots / node.engines), MAX_WAVES)
      : Math.floor(Math.min(Math.floor(slots / node.xccs), MAX_WAVES) / enginesPerXcc) * enginesPerXcc;
  return { sizeBytes, wave64LaneBytes: waveBytes / 64, tmpringSize: (waves | (waveSize << 12)) >>> 0 };
}

/** The four words of the scratch buffer's resource (SQ_BUF_RSRC_WORD0…3 of each generation). */
export function scratchResource(
  node: ScratchNode,
  memory: { readonly address: bigint; readonly sizeBytes: number },
): readonly number[] {
  const { major } = node;
  // SWIZZLE_ENABLE: bit 31 up to gfx10, a field of two bits from bit 30 on since gfx11.
  const swizzle = major >= 11 ? 1 << 30 : 1 << 31;
  // DST_SEL X, Y, Z, W = 4, 5, 6, 7; ADD_TID_ENABLE.
  const common = 4 | (5 << 3) | (6 << 6) | (7 << 9) | (1 << 23);
  // gfx9: NUM_FORMAT UINT, DATA_FORMAT 32, INDEX_STRIDE 64. gfx10 and later: FORMAT 32_UINT, OOB_SELECT 2; gfx10: RESOURCE_LEVEL.
  const format = major <= 9 ? (4 << 12) | (4 << 15) | (3 << 21) : (20 << 12) | (2 << 28) | (major === 10 ? 1 << 24 : 0);
  return [
    lowHalf(memory.address),
    ((highHalf(memory.address) & 0xffff) | swizzle) >>> 0,
    Math.floor(memory.sizeBytes / node.xccs),
    (common | format) >>> 0,
  ];
}

/** Scratch memory of one queue; grows on the device's demand. */
export class QueueScratch {
  readonly #thunk: Thunk;
  readonly #gpuId: number;
  readonly #node: ScratchNode;
  #memory: ThunkMemory | undefined;

  constructor(thunk: Thunk, gpu: ThunkGpu) {
    this.#thunk = thunk;
    this.#gpuId = gpu.gpuId;
    this.#node = scratchNode(gpu);
  }

  /**
   * Allocates scratch for a dispatch, for fewer waves at a time where memory is short, and writes it into the `amd_queue_t`. What the
   * queue had before is freed first, as ROCr does: a queue that asks for scratch has nothing running that uses it.
   * @throws {HsaError} ERR_OUT_OF_MEMORY when there is not even room for one wave a CU.
   */
  grow(queueBytes: Uint8Array, wanted: { readonly privateBytes: number; readonly lanes: 32 | 64 }): void {
    this.release();
    let cause: unknown;
    for (let slotsPerCu = this.#node.slotsPerCu; slotsPerCu >= 1; slotsPerCu = Math.floor(slotsPerCu / 2)) {
      const layout = layoutScratch(this.#node, { ...wanted, slotsPerCu });
      if (layout === undefined) break;
      try {
        const memory = this.#thunk.allocate({ kind: 'vram', gpuIds: [this.#gpuId], sizeBytes: layout.sizeBytes });
        this.#memory = memory;
        this.#publish(queueBytes, layout, memory);
        return;
      } catch (error) {
        // Fewer waves need less; the last refusal is the one to report. Nothing else gets better with less.
        if (!isHsaError(error, 'ERR_OUT_OF_MEMORY')) throw error;
        cause = error;
      }
    }
    throw new HsaError('ERR_OUT_OF_MEMORY', {
      message: `there is no scratch memory for kernels with ${wanted.privateBytes} bytes a work-item`,
      details: { privateBytes: wanted.privateBytes, lanes: wanted.lanes, gpuId: this.#gpuId },
      cause,
    });
  }

  release(): void {
    const memory = this.#memory;
    this.#memory = undefined;
    if (memory !== undefined) this.#thunk.free(memory);
  }

  #publish(queueBytes: Uint8Array, layout: ScratchLayout, memory: ThunkMemory): void {
    AMD_QUEUE.write(queueBytes, {
      compute_tmpring_size: layout.tmpringSize,
      scratch_resource_descriptor: scratchResource(this.#node, { address: memory.address, sizeBytes: layout.sizeBytes }),
      scratch_backing_memory_location: memory.address,
      scratch_backing_memory_byte_size: BigInt(layout.sizeBytes),
      scratch_wave64_lane_byte_size: layout.wave64LaneBytes,
    });
  }
}
