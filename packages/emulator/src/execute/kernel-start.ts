/** How a kernel's waves begin: registers from the descriptor and the dispatch (hsa-api.md §8.5; AMDHSAKernelDescriptor.h). */
import type { Dispatch } from '../executor.js';
import type { FloatMode } from '../ir/float-mode.js';
import { PRIVATE_BUFFER_HIGH } from '../ir/apertures.js';
import { FIRST_AGPR, SGPR_TTMP } from '../ir/block.js';
import { decodeMode, generationOf } from '../semantics/index.js';
import type { InitialSgpr } from '../compile/initial-registers.js';
import type { ItemIds } from './item-shapes.js';

/** kernel_code_properties. */
const PROPERTY_PRIVATE_SEGMENT_BUFFER = 1 << 0;
const PROPERTY_DISPATCH_PTR = 1 << 1;
const PROPERTY_QUEUE_PTR = 1 << 2;
const PROPERTY_KERNARG_PTR = 1 << 3;
const PROPERTY_DISPATCH_ID = 1 << 4;
const PROPERTY_FLAT_SCRATCH_INIT = 1 << 5;
const PROPERTY_PRIVATE_SEGMENT_SIZE = 1 << 6;
const PROPERTY_WAVE32 = 1 << 10;

/** compute_pgm_rsrc1 and 2. */
const RSRC1_FP16_OVERFLOW = 1 << 26;
const RSRC1_DX10_CLAMP = 1 << 21;
const RSRC1_IEEE = 1 << 23;

/** Wave size of a kernel: gfx9 has 64 lanes only; later the descriptor says. */
export function waveSizeOf(dispatch: Dispatch): 32 | 64 {
  const hasChoice = generationOf(dispatch.processor).isGfx10OrLater;
  return hasChoice && (dispatch.properties & PROPERTY_WAVE32) !== 0 ? 32 : 64;
}

export function modeOf(dispatch: Dispatch): FloatMode {
  const { rsrc1, processor } = dispatch;
  const floats = (rsrc1 >>> 12) & 0xff;
  const isOld = !generationOf(processor).isGfx12OrLater;
  const clamp = !isOld || (rsrc1 & RSRC1_DX10_CLAMP) !== 0 ? 1 << 8 : 0;
  const ieee = isOld && (rsrc1 & RSRC1_IEEE) !== 0 ? 1 << 9 : 0;
  return decodeMode(floats | clamp | ieee | ((rsrc1 & RSRC1_FP16_OVERFLOW) !== 0 ? 1 << 23 : 0));
}

/**
 * Vector registers that a wave has (hsa-api.md §8.1.1): on CDNA the accumulation registers, if it has any, are numbered from
 * FIRST_AGPR on.
 */
export function vgprCountOf(dispatch: Dispatch): number {
  const { processor } = dispatch;
  const { isCdna, family } = generationOf(processor);
  const granule = family === 'gfx1250' ? 16 : isCdna || waveSizeOf(dispatch) === 32 ? 8 : 4;
  const count = ((dispatch.rsrc1 & 0x3f) + 1) * granule;
  if (!isCdna) return count;
  // ACCUM_OFFSET: the first accumulation register of the wave's allocation.
  const vectors = Math.min(((dispatch.rsrc3 & 0x3f) + 1) * 4, FIRST_AGPR);
  return count > vectors ? FIRST_AGPR + count - vectors : vectors;
}

export interface InitialRegisters {
  /** Values of the user SGPRs, as the control block holds them. */
  readonly userSgprs: Uint32Array;
  readonly sgprs: ReadonlyMap<number, InitialSgpr>;
  readonly items: ItemIds;
}

/** User and system SGPRs. `preload` reads the kernel arguments that the descriptor wants in SGPRs. */
export function initialRegistersOf(
  dispatch: Dispatch,
  preload: (dwords: number, offset: number) => Uint32Array,
): InitialRegisters {
  const { properties, rsrc2, processor } = dispatch;
  const values: number[] = [];
  const push64 = (value: bigint): void => {
    values.push(Number(value & 0xffff_ffffn), Number((value >> 32n) & 0xffff_ffffn));
  };
  const has = (bit: number): boolean => (properties & bit) !== 0;
  if (has(PROPERTY_PRIVATE_SEGMENT_BUFFER)) values.push(...privateBuffer(waveSizeOf(dispatch)));
  if (has(PROPERTY_DISPATCH_PTR)) push64(dispatch.packetAddress);
  if (has(PROPERTY_QUEUE_PTR)) push64(dispatch.queueAddress);
  if (has(PROPERTY_KERNARG_PTR)) push64(dispatch.kernargAddress);
  if (has(PROPERTY_DISPATCH_ID)) push64(dispatch.dispatchId);
  if (has(PROPERTY_FLAT_SCRATCH_INIT)) push64(0n);
  if (has(PROPERTY_PRIVATE_SEGMENT_SIZE)) values.push(dispatch.privateBytes >>> 0);
  const preloadDwords = dispatch.kernargPreload & 0x7f;
  if (preloadDwords > 0) values.push(...preload(preloadDwords, (dispatch.kernargPreload >>> 7) & 0x1ff));
  const userSgprs = new Uint32Array(32);
  const count = (rsrc2 >>> 1) & (processor.startsWith('gfx125') ? 0x3f : 0x1f);
  userSgprs.set(values.slice(0, Math.min(32, count)));
  const sgprs = new Map<number, InitialSgpr>();
  for (let index = 0; index < Math.min(values.length, count); index++) sgprs.set(index, { kind: 'user', index });
  if (generationOf(processor).isGfx12OrLater) {
    sgprs.set(SGPR_TTMP + 9, { kind: 'group', axis: 0 });
    sgprs.set(SGPR_TTMP + 7, (rsrc2 & (1 << 9)) !== 0 ? { kind: 'groups-yz' } : { kind: 'group', axis: 1 });
    sgprs.set(SGPR_TTMP + 8, { kind: 'wave' });
  } else {
    let next = count;
    for (const axis of [0, 1, 2] as const) if ((rsrc2 & (1 << (7 + axis))) !== 0) sgprs.set(next++, { kind: 'group', axis });
  }
  const { family } = generationOf(processor);
  const kind = family === 'gfx9' || family === 'gfx10' ? 'separate' : 'packed';
  return { userSgprs, sgprs, items: { kind, lastAxis: (rsrc2 >>> 11) & 3 } };
}

/**
 * The buffer resource of private memory: dwords interleaved over the lanes (ROCr amd_aql_queue.cpp, FillBufRsrcWord0 and the like).
 * Lane 0 of every wave begins at offset 0, so the wave's offset is 0.
 */
function privateBuffer(waveSize: 32 | 64): readonly number[] {
  const swizzle = 1 << 31;
  const elementOf4Bytes = 1 << 19;
  const indexStride = (waveSize === 64 ? 3 : 2) << 21;
  const addThreadId = 1 << 23;
  return [0, (PRIVATE_BUFFER_HIGH | swizzle) >>> 0, 0xffff_ffff, elementOf4Bytes | indexStride | addThreadId];
}

/**
 * Packed ids of the work-items of a workgroup, x fastest, for whole waves: lanes behind the last item go on counting. All three, also
 * where the kernel has not asked for y or z: they say as well which lanes of a partial workgroup are in the grid.
 */
export function packedItemIds(workgroup: readonly [number, number, number], waveSize: number): Uint32Array {
  const [x, y, z] = workgroup;
  const lanes = Math.ceil((x * y * z) / waveSize) * waveSize;
  return Uint32Array.from({ length: lanes }, (_, flat) => {
    const ix = flat % x;
    const iy = Math.floor(flat / x) % y;
    const iz = Math.floor(flat / (x * y)) & 1023;
    return ix | (iy << 10) | (iz << 20);
  });
}
