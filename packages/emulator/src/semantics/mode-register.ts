/** The MODE register's bits (ISA documents, MODE). */
import type { FloatMode } from '../ir/float-mode.js';
import type { Generation } from './generation.js';

const MODE_DX10_CLAMP = 1 << 8;
const MODE_IEEE = 1 << 9;
/** Enables of floating-point exceptions, up to gfx11; later ones have them in another register. */
const MODE_EXCEPTIONS = 0x1ff << 12;
const MODE_FP16_OVERFLOW = 1 << 23;
/** gfx9: GPR_IDX_EN; with VSKIP. */
const MODE_INDEXED = 1 << 27;
const MODE_INDEX_SKIP = 3 << 27;
/** The bits that {@link FloatMode} has names for. */
const MODE_NAMED = 0xff | MODE_DX10_CLAMP | MODE_IEEE | MODE_FP16_OVERFLOW;

/** The bits that gfx12 and later have no more: they are fixed. */
export const MODE_FIXED_ON_GFX12: number = MODE_DX10_CLAMP | MODE_IEEE;

/** Why code does not run with these bits of MODE; undefined: it does. */
export function problemOfMode(bits: number, { isGfx9, isGfx12OrLater }: Generation): string | undefined {
  if (!isGfx12OrLater && (bits & MODE_EXCEPTIONS) !== 0) return 'floating-point exceptions enabled in MODE';
  if (isGfx9 && (bits & MODE_INDEX_SKIP) !== 0) return 'register indexing or skipping by MODE';
  return undefined;
}

/** The MODE register's bits. */
export function encodeMode(mode: FloatMode): number {
  const floats = mode.roundF32 | (mode.roundF16F64 << 2) | (mode.denormF32 << 4) | (mode.denormF16F64 << 6);
  const switches = (mode.dx10Clamp ? MODE_DX10_CLAMP : 0) | (mode.ieee ? MODE_IEEE : 0);
  return (
    (floats |
      switches |
      (mode.indexed === undefined ? 0 : MODE_INDEXED) |
      (mode.fp16Overflow ? MODE_FP16_OVERFLOW : 0) |
      mode.others) >>>
    0
  );
}

const twoBits = (value: number, shift: number): 0 | 1 | 2 | 3 => {
  const bits = (value >>> shift) & 3;
  return bits === 0 ? 0 : bits === 1 ? 1 : bits === 2 ? 2 : 3;
};

export function decodeMode(bits: number): FloatMode {
  return {
    roundF32: twoBits(bits, 0),
    roundF16F64: twoBits(bits, 2),
    denormF32: twoBits(bits, 4),
    denormF16F64: twoBits(bits, 6),
    dx10Clamp: (bits & MODE_DX10_CLAMP) !== 0,
    ieee: (bits & MODE_IEEE) !== 0,
    fp16Overflow: (bits & MODE_FP16_OVERFLOW) !== 0,
    others: (bits & ~MODE_NAMED) >>> 0,
  };
}
