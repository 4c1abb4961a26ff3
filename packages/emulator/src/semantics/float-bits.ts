/** Floats as bits: sign operations, denormal flushing, output modifiers, clamping, the rounding steps that several instructions share. */
import type { Value } from '../ir/block.js';
import type { WaveBuilder } from '../ir/wave-builder.js';

/** Which flush of MODE applies: of an operand or of a result. */
export type FlushSide = 'input' | 'output';

const KEEP = { input: 1, output: 2 } as const;

export function absF32(b: WaveBuilder, a: Value): Value {
  return b.op('and32', a, b.i32(0x7fff_ffff));
}

export function negF32(b: WaveBuilder, a: Value): Value {
  return b.op('xor32', a, b.i32(0x8000_0000));
}

export function absF64(b: WaveBuilder, a: Value): Value {
  return b.op('pack64', b.op('low64', a), absF32(b, b.op('high64', a)));
}

export function negF64(b: WaveBuilder, a: Value): Value {
  return b.op('pack64', b.op('low64', a), negF32(b, b.op('high64', a)));
}

export function absF16(b: WaveBuilder, a: Value): Value {
  return b.op('and32', a, b.i32(0x7fff));
}

export function negF16(b: WaveBuilder, a: Value): Value {
  return b.op('xor32', a, b.i32(0x8000));
}

export function isNaNF32(b: WaveBuilder, a: Value): Value {
  return b.op('ltU32', b.i32(0x7f80_0000), absF32(b, a));
}

export function isNaNF64(b: WaveBuilder, a: Value): Value {
  return b.op('ltU64', b.i64(0, 0x7ff0_0000), absF64(b, a));
}

/** A NaN whose quiet bit is clear. */
export function isSignallingF32(b: WaveBuilder, a: Value): Value {
  return b.op('and', isNaNF32(b, a), b.op('eq32', b.op('and32', a, b.i32(0x0040_0000)), b.i32(0)));
}

export function isSignallingF64(b: WaveBuilder, a: Value): Value {
  const quietBit = b.op('and32', b.op('high64', a), b.i32(0x0008_0000));
  return b.op('and', isNaNF64(b, a), b.op('eq32', quietBit, b.i32(0)));
}

export function quietF32(b: WaveBuilder, a: Value): Value {
  return b.op('or32', a, b.i32(0x0040_0000));
}

export function quietF64(b: WaveBuilder, a: Value): Value {
  return b.op('pack64', b.op('low64', a), b.op('or32', b.op('high64', a), b.i32(0x0008_0000)));
}

/** f16 bits: a NaN whose quiet bit is clear. */
export function isSignallingF16(b: WaveBuilder, a: Value): Value {
  const isNaN = b.op('ltU32', b.i32(0x7c00), absF16(b, a));
  return b.op('and', isNaN, b.op('eq32', b.op('and32', a, b.i32(0x0200)), b.i32(0)));
}

/** Denormals become zeros of the same sign. */
export function flushDenormalF32(b: WaveBuilder, a: Value): Value {
  const isSmall = b.op('eq32', b.op('and32', a, b.i32(0x7f80_0000)), b.i32(0));
  return b.op('select32', isSmall, b.op('and32', a, b.i32(0x8000_0000)), a);
}

export function flushF32(b: WaveBuilder, a: Value, side: FlushSide): Value {
  return (b.mode.denormF32 & KEEP[side]) !== 0 ? a : flushDenormalF32(b, a);
}

export function flushF64(b: WaveBuilder, a: Value, side: FlushSide): Value {
  if ((b.mode.denormF16F64 & KEEP[side]) !== 0) return a;
  const high = b.op('high64', a);
  const isSmall = b.op('eq32', b.op('and32', high, b.i32(0x7ff0_0000)), b.i32(0));
  return b.op('select64', isSmall, b.op('pack64', b.i32(0), b.op('and32', high, b.i32(0x8000_0000))), a);
}

/** {@link flushDenormalF32} of f16 bits. */
export function flushDenormalF16(b: WaveBuilder, a: Value): Value {
  const isSmall = b.op('eq32', b.op('and32', a, b.i32(0x7c00)), b.i32(0));
  return b.op('select32', isSmall, b.op('and32', a, b.i32(0x8000)), a);
}

export function flushF16(b: WaveBuilder, a: Value, side: FlushSide): Value {
  return (b.mode.denormF16F64 & KEEP[side]) !== 0 ? a : flushDenormalF16(b, a);
}

const ONE_F32 = 0x3f80_0000;
/** Factors of the output modifier by its code: none, 2, 4, 1/2. */
export const OMOD_F32: readonly number[] = [0, 0x4000_0000, 0x4080_0000, 0x3f00_0000];
export const OMOD_F64_HIGH: readonly number[] = [0, 0x4000_0000, 0x4010_0000, 0x3fe0_0000];

/** Clamps to 0 … 1; a NaN becomes 0 with DX10_CLAMP, else stays. */
export function clampF32(b: WaveBuilder, a: Value): Value {
  // maxNum prefers the number, so a NaN becomes 0.
  const clamped = b.op('minNumF32', b.op('maxNumF32', a, b.i32(0)), b.i32(ONE_F32));
  return b.mode.dx10Clamp ? clamped : b.op('select32', isNaNF32(b, a), a, clamped);
}

export function clampF64(b: WaveBuilder, a: Value): Value {
  const clamped = b.op('minNumF64', b.op('maxNumF64', a, b.i64(0, 0)), b.i64(0, 0x3ff0_0000));
  return b.mode.dx10Clamp ? clamped : b.op('select64', isNaNF64(b, a), a, clamped);
}

/**
 * Whether an output modifier counts: not with MODE.IEEE, nor where MODE keeps denormal results. Where it does, -0 becomes +0
 * (RDNA3 ISA document, "Output modifiers").
 */
export function modifiesOutput(b: WaveBuilder, omod: number, denorm: number): boolean {
  return omod !== 0 && !b.mode.ieee && (denorm & KEEP.output) === 0;
}

/** What becomes of an f32 result: denormals flushed, multiplied by the output modifier, clamped. */
export function outputF32(b: WaveBuilder, a: Value, omod: number, clamp: number): Value {
  let value = flushF32(b, a, 'output');
  if (modifiesOutput(b, omod, b.mode.denormF32)) {
    value = flushF32(b, b.op('mulF32', value, b.i32(OMOD_F32[omod] ?? 0)), 'output');
    value = b.op('select32', b.op('eq32', value, b.i32(0x8000_0000)), b.i32(0), value);
  }
  return clamp === 1 ? clampF32(b, value) : value;
}
