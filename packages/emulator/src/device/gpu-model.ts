/** The limits of a GPU that the command processor checks dispatches against; plain data, so that it crosses to workers. */
import type { GpuNodeDescription } from '../sysfs/machine.js';
import { numberOf } from '../sysfs/machine.js';

export interface GpuModel {
  readonly id: number;
  /** `gfx1100`, …: what code it executes. */
  readonly processor: string;
  readonly ldsBytes: number;
  readonly maxWorkgroup: number;
  readonly simdPerCu: number;
  readonly maxWavesPerSimd: number;
  /** Vector registers, counted as in wave32 mode where the part has one; see {@link VgprFile}. */
  readonly vgprs: VgprFile;
}

/** The vector register file of one SIMD (AMDGPUUsage, kernel descriptor; LLVM AMDGPUBaseInfo). */
interface VgprFile {
  /** Registers of one SIMD, what a descriptor's field counts in, and what is allocated at least; for wave64. */
  readonly perSimd: number;
  readonly encodeGranule: number;
  readonly allocateGranule: number;
  /** Wave32 sees twice the registers in twice the granules. */
  readonly hasWave32: boolean;
}

const MAX_WORKGROUP = 1024;

export function gpuModelOf({ gpuId, target, properties }: GpuNodeDescription): GpuModel {
  return {
    id: gpuId,
    processor: target,
    ldsBytes: numberOf(properties, 'lds_size_in_kb') * 1024,
    maxWorkgroup: MAX_WORKGROUP,
    simdPerCu: numberOf(properties, 'simd_per_cu'),
    maxWavesPerSimd: numberOf(properties, 'max_waves_per_simd'),
    vgprs: vgprFileOf(target),
  };
}

function vgprFileOf(processor: string): VgprFile {
  if (/^gfx(90a|942|950)$/.test(processor)) return { perSimd: 512, encodeGranule: 8, allocateGranule: 8, hasWave32: false };
  if (/^gfx9/.test(processor)) return { perSimd: 256, encodeGranule: 4, allocateGranule: 4, hasWave32: false };
  if (/^gfx(1100|1101|1151|1200|1201)$/.test(processor)) {
    return { perSimd: 768, encodeGranule: 4, allocateGranule: 12, hasWave32: true };
  }
  if (/^gfx125/.test(processor)) return { perSimd: 512, encodeGranule: 8, allocateGranule: 8, hasWave32: true };
  if (/^gfx101/.test(processor)) return { perSimd: 512, encodeGranule: 4, allocateGranule: 4, hasWave32: true };
  return { perSimd: 512, encodeGranule: 4, allocateGranule: 8, hasWave32: true };
}

/** Waves of a workgroup that fit at once on a compute unit or, where the kernel asks for it, a pair of them. */
export function waveCapacity(
  gpu: GpuModel,
  kernel: { readonly vgprField: number; readonly isWave32: boolean; readonly cus: number },
): number {
  const scale = kernel.isWave32 && gpu.vgprs.hasWave32 ? 2 : 1;
  const { perSimd, encodeGranule, allocateGranule } = gpu.vgprs;
  const registers = (kernel.vgprField + 1) * encodeGranule * scale;
  const granule = allocateGranule * scale;
  const allocated = Math.ceil(registers / granule) * granule;
  const waves = Math.min(gpu.maxWavesPerSimd, Math.floor((perSimd * scale) / allocated));
  return waves * gpu.simdPerCu * kernel.cus;
}
