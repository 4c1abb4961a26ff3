/** Which vector registers above v255 the operands of gfx1250 mean: bits 19…12 of MODE, and s_set_vgpr_msb. */
import type { FloatMode } from '../ir/float-mode.js';

export const BANK_REGISTERS = 256;

const SHIFT = 12;
const MASK = 0xff;

/**
 * As s_set_vgpr_msb has them: two bits each for src0, src1, src2, vdst from the lowest on. MODE has vdst first (LLVM SIDefines.h,
 * Hwreg, and AMDGPULowerVGPREncoding.cpp).
 */
export function vgprBanksOf({ others }: FloatMode): number {
  const bits = (others >>> SHIFT) & MASK;
  return ((bits >>> 2) | (bits << 6)) & MASK;
}

export function withVgprBanks(mode: FloatMode, banks: number): FloatMode {
  const bits = ((banks << 2) | (banks >>> 6)) & MASK;
  return { ...mode, others: ((mode.others & ~(MASK << SHIFT)) | (bits << SHIFT)) >>> 0 };
}

/** With the bits that a value for MODE has in their place. */
export function withVgprBits(mode: FloatMode, value: number): FloatMode {
  return { ...mode, others: ((mode.others & ~(MASK << SHIFT)) | (value & (MASK << SHIFT))) >>> 0 };
}
