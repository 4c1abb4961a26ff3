/** Vector arithmetic on f32 and f64 (semantics.md §4–6). */
import type { Value } from '../ir/block.js';
import type { OpName } from '../ir/ops.js';
import type { WaveBuilder } from '../ir/wave-builder.js';
import { flushDenormalF32, isNaNF32, quietF32 } from './float-bits.js';
import { extreme, extreme3, medianF32 } from './min-max.js';
import type { Operation, Semantic } from './operation.js';
import { addF32, addF64, fmaF32, fmaF64, mulF32, mulF64, narrowToF32, subF32 } from './rounding.js';

type Two = (b: WaveBuilder, x: Value, y: Value) => Value;
type Three = (b: WaveBuilder, x: Value, y: Value, z: Value) => Value;

function result32(f: (o: Operation) => Value): Semantic {
  return (o) => {
    o.setF32(f(o));
  };
}

function result64(f: (o: Operation) => Value): Semantic {
  return (o) => {
    o.setF64(f(o));
  };
}

const binary32 = (f: Two): Semantic => result32((o) => f(o.b, o.f32(0), o.f32(1)));
const ternary32 = (f: Three): Semantic => result32((o) => f(o.b, o.f32(0), o.f32(1), o.f32(2)));
const binary64 = (f: Two): Semantic => result64((o) => f(o.b, o.f64(0), o.f64(1)));
const unary32 = (op: OpName): Semantic => result32((o) => o.b.op(op, o.f32(0)));
const unary64 = (op: OpName): Semantic => result64((o) => o.b.op(op, o.f64(0)));

/** 0 times anything is +0, also for infinities and NaNs. */
export function zeroWins(b: WaveBuilder, x: Value, y: Value, product: Value): Value {
  const isZero = (value: Value): Value => b.op('eq32', b.op('and32', value, b.i32(0x7fff_ffff)), b.i32(0));
  return b.op('select32', b.op('or', isZero(x), isZero(y)), b.i32(0), product);
}

const multiplyDx9: Two = (b, x, y) => zeroWins(b, x, y, mulF32(b, x, y));

const fmaDx9: Three = (b, x, y, z) => {
  // The product is +0, and the sum with it is z unless that is -0.
  const zeroSum = addF32(b, b.i32(0), z);
  const isZero = (value: Value): Value => b.op('eq32', b.op('and32', value, b.i32(0x7fff_ffff)), b.i32(0));
  return b.op('select32', b.op('or', isZero(x), isZero(y)), zeroSum, fmaF32(b, x, y, z));
};

/** The accumulator of v_fmac: its register, denormals flushed like the other sources. */
function accumulator32(o: Operation): Value {
  return o.f32Of(o.result());
}

const ONE_F32 = 0x3f80_0000;
const ONE_F64_HIGH = 0x3ff0_0000;

/** The transcendental unit takes denormals as zeros and makes none, whatever MODE says (semantics.md §6). */
function reciprocal32(o: Operation): Value {
  const { b } = o;
  return flushDenormalF32(b, b.op('divF32', b.i32(ONE_F32), flushDenormalF32(b, o.f32(0))));
}

function reciprocalRoot32(o: Operation): Value {
  const { b } = o;
  // In f64: root and quotient rounded to f32 each would be off by up to 1.5 places, and hardware's bound is 1.
  const root = b.op('sqrtF64', b.op('f32ToF64', flushDenormalF32(b, o.f32(0))));
  return b.op('f64ToF32', b.op('divF64', b.i64(0, ONE_F64_HIGH), root));
}

function reciprocal64(o: Operation): Value {
  return o.b.op('divF64', o.b.i64(0, ONE_F64_HIGH), o.f64(0));
}

/** x - floor(x); what rounds to 1 becomes the largest number below. */
function fraction32(o: Operation): Value {
  const { b } = o;
  const x = o.f32(0);
  const rest = b.op('subF32', x, b.op('floorF32', x));
  return b.op('select32', b.op('eq32', rest, b.i32(ONE_F32)), b.i32(0x3f7f_ffff), rest);
}

function fraction64(o: Operation): Value {
  const { b } = o;
  const x = o.f64(0);
  const rest = b.op('subF64', x, b.op('floorF64', x));
  const isOne = b.op('eq64', rest, b.i64(0, ONE_F64_HIGH));
  return b.op('select64', isOne, b.i64(0xffff_ffff, 0x3fef_ffff), rest);
}

/** x·2^n, rounded once. */
function scale32(b: WaveBuilder, x: Value, n: Value): Value {
  // In f64 the product is exact: |x| is 0 or 2^-149 … 2^128, and beyond ±400 every result is 0 or infinite.
  const limited = b.op('minS32', b.op('maxS32', n, b.i32(-400)), b.i32(400));
  return narrowToF32(b, b.op('mulF64', b.op('f32ToF64', x), powerOfTwo64(b, limited)));
}

/** 2^n as f64 for -1022 ≤ n ≤ 1023. */
function powerOfTwo64(b: WaveBuilder, n: Value): Value {
  return b.op('pack64', b.i32(0), b.op('shl32', b.op('add32', n, b.i32(1023)), b.i32(20)));
}

/**
 * x·2^n in f64, rounded once: large exponents go in up to three factors. The steps down are 2^-969, so that what is left for the
 * last one is at least 53 places: a value that a step made inexact ends as 0 or the least denormal either way.
 */
export function scale64(b: WaveBuilder, x: Value, n: Value): Value {
  let [value, rest] = [x, b.op('minS32', b.op('maxS32', n, b.i32(-3000)), b.i32(3000))];
  for (let step = 0; step < 2; step++) {
    const isUp = b.op('ltS32', b.i32(1023), rest);
    const isDown = b.op('ltS32', rest, b.i32(-1022));
    const amount = b.op('select32', isUp, b.i32(1023), b.op('select32', isDown, b.i32(-969), b.i32(0)));
    value = mulF64(b, value, powerOfTwo64(b, amount));
    rest = b.op('sub32', rest, amount);
  }
  const last = b.op('minS32', b.op('maxS32', rest, b.i32(-1022)), b.i32(1023));
  return mulF64(b, value, powerOfTwo64(b, last));
}

const frexpMantissa32 = (o: Operation): Value => {
  const { b } = o;
  const x = o.f32(0);
  const exponent = b.op('and32', x, b.i32(0x7f80_0000));
  const isSpecial = b.op('eq32', exponent, b.i32(0x7f80_0000));
  const isZero = b.op('eq32', b.op('and32', x, b.i32(0x7fff_ffff)), b.i32(0));
  const isDenormal = b.op('eq32', exponent, b.i32(0));
  const normal = b.op('select32', isDenormal, b.op('mulF32', x, b.i32(0x4b80_0000)), x); // 2^24
  const mantissa = b.op('or32', b.op('and32', normal, b.i32(0x807f_ffff)), b.i32(0x3f00_0000));
  const quiet = b.op('select32', isNaNF32(b, x), quietF32(b, x), x);
  return b.op('select32', b.op('or', isSpecial, isZero), quiet, mantissa);
};

/** Exponent such that x = mantissa·2^exponent, mantissa in 0.5 … 1; 0 for zero, infinities and NaNs. */
const frexpExponent32: Semantic = (o) => {
  const { b } = o;
  const x = o.f32(0);
  const size = b.op('and32', x, b.i32(0x7fff_ffff));
  const field = b.op('shrU32', size, b.i32(23));
  // A denormal's leading one at bit 31 - clz has the exponent that a field of 9 - clz would have.
  const denormal = b.op('sub32', b.i32(9), b.op('clz32', size));
  const effective = b.op('select32', b.op('eq32', field, b.i32(0)), denormal, field);
  const exponent = b.op('sub32', effective, b.i32(126));
  const none = b.op('or', b.op('eq32', size, b.i32(0)), b.op('eq32', field, b.i32(255)));
  o.set32(b.op('select32', none, b.i32(0), exponent));
};

const frexpMantissa64 = (o: Operation): Value => {
  const { b } = o;
  const x = o.f64(0);
  const high = b.op('high64', x);
  const exponent = b.op('and32', high, b.i32(0x7ff0_0000));
  const isSpecial = b.op('eq32', exponent, b.i32(0x7ff0_0000));
  const isZero = b.op('eqF64', x, b.i64(0, 0));
  const isDenormal = b.op('eq32', exponent, b.i32(0));
  const normal = b.op('select64', isDenormal, b.op('mulF64', x, powerOfTwo64(b, b.i32(54))), x);
  const top = b.op('or32', b.op('and32', b.op('high64', normal), b.i32(0x800f_ffff)), b.i32(0x3fe0_0000));
  const special = b.op('addF64', x, b.i64(0, 0x8000_0000)); // quiets a NaN, keeps the rest: -0 added
  return b.op('select64', b.op('or', isSpecial, isZero), special, b.op('pack64', b.op('low64', normal), top));
};

const frexpExponent64: Semantic = (o) => {
  const { b } = o;
  const x = o.f64(0);
  const size = b.op('pack64', b.op('low64', x), b.op('and32', b.op('high64', x), b.i32(0x7fff_ffff)));
  const field = b.op('shrU32', b.op('high64', size), b.i32(20));
  const denormal = b.op('sub32', b.i32(12), b.op('clz64', size));
  const effective = b.op('select32', b.op('eq32', field, b.i32(0)), denormal, field);
  const exponent = b.op('sub32', effective, b.i32(1022));
  const none = b.op('or', b.op('eq64', size, b.i64(0, 0)), b.op('eq32', field, b.i32(0x7ff)));
  o.set32(b.op('select32', none, b.i32(0), exponent));
};

export const VALU_FLOAT: Readonly<Record<string, Semantic>> = {
  v_add_f32: binary32(addF32),
  v_sub_f32: binary32(subF32),
  v_subrev_f32: binary32((b, x, y) => subF32(b, y, x)),
  v_mul_f32: binary32(mulF32),
  v_mul_dx9_zero_f32: binary32(multiplyDx9),
  v_fma_f32: ternary32(fmaF32),
  v_fma_dx9_zero_f32: ternary32(fmaDx9),
  v_fmac_f32: result32((o) => fmaF32(o.b, o.f32(0), o.f32(1), accumulator32(o))),
  v_fmac_dx9_zero_f32: result32((o) => fmaDx9(o.b, o.f32(0), o.f32(1), accumulator32(o))),
  // S0·S1 + K and S0·K + S1; sources come in assembly order.
  v_fmaak_f32: ternary32(fmaF32),
  v_fmamk_f32: ternary32(fmaF32),
  v_min_f32: result32((o) => extreme(o.b, 'minNumF32', o.f32(0), o.f32(1))),
  v_max_f32: result32((o) => extreme(o.b, 'maxNumF32', o.f32(0), o.f32(1))),
  v_min3_f32: result32((o) => extreme3(o.b, 'minNumF32', o.f32(0), o.f32(1), o.f32(2))),
  v_max3_f32: result32((o) => extreme3(o.b, 'maxNumF32', o.f32(0), o.f32(1), o.f32(2))),
  v_med3_f32: result32((o) => medianF32(o.b, o.f32(0), o.f32(1), o.f32(2))),
  v_minmax_f32: result32((o) => extreme(o.b, 'maxNumF32', extreme(o.b, 'minNumF32', o.f32(0), o.f32(1)), o.f32(2))),
  v_maxmin_f32: result32((o) => extreme(o.b, 'minNumF32', extreme(o.b, 'maxNumF32', o.f32(0), o.f32(1)), o.f32(2))),
  v_trunc_f32: unary32('truncF32'),
  v_floor_f32: unary32('floorF32'),
  v_ceil_f32: unary32('ceilF32'),
  v_rndne_f32: unary32('nearestF32'),
  v_fract_f32: result32(fraction32),
  v_sqrt_f32: result32((o) => o.b.op('sqrtF32', o.f32(0))),
  v_rcp_f32: result32(reciprocal32),
  v_rcp_iflag_f32: result32(reciprocal32),
  v_rsq_f32: result32(reciprocalRoot32),
  v_exp_f32: unary32('exp2F32'),
  v_log_f32: unary32('log2F32'),
  v_sin_f32: unary32('sinTurnsF32'),
  v_cos_f32: unary32('cosTurnsF32'),
  v_ldexp_f32: result32((o) => scale32(o.b, o.f32(0), o.u32(1))),
  v_frexp_mant_f32: result32(frexpMantissa32),
  v_frexp_exp_i32_f32: frexpExponent32,
  v_mullit_f32: ternary32((b, x, y, z) => {
    // -FLT_MAX where S1 is -FLT_MAX, an infinity, a NaN, or S2 is not positive (RDNA3 ISA document, V_MULLIT_F32).
    const lowest = b.i32(0xff7f_ffff);
    const isBad = b.op(
      'or',
      b.op('or', b.op('eq32', y, lowest), b.op('ltU32', b.i32(0x7f7f_ffff), b.op('and32', y, b.i32(0x7fff_ffff)))),
      b.op('not', b.op('ltF32', b.i32(0), z)),
    );
    return b.op('select32', isBad, lowest, multiplyDx9(b, x, y));
  }),
  v_add_f64: binary64(addF64),
  v_mul_f64: binary64(mulF64),
  v_fma_f64: result64((o) => fmaF64(o.b, o.f64(0), o.f64(1), o.f64(2))),
  v_fmac_f64: result64((o) => fmaF64(o.b, o.f64(0), o.f64(1), o.f64Of(o.result()))),
  v_min_f64: result64((o) => extreme(o.b, 'minNumF64', o.f64(0), o.f64(1))),
  v_max_f64: result64((o) => extreme(o.b, 'maxNumF64', o.f64(0), o.f64(1))),
  v_trunc_f64: unary64('truncF64'),
  v_floor_f64: unary64('floorF64'),
  v_ceil_f64: unary64('ceilF64'),
  v_rndne_f64: unary64('nearestF64'),
  v_fract_f64: result64(fraction64),
  v_sqrt_f64: result64((o) => o.b.op('sqrtF64', o.f64(0))),
  v_rcp_f64: result64(reciprocal64),
  v_rsq_f64: result64((o) => o.b.op('divF64', o.b.i64(0, ONE_F64_HIGH), o.b.op('sqrtF64', o.f64(0)))),
  v_ldexp_f64: result64((o) => scale64(o.b, o.f64(0), o.u32(1))),
  v_frexp_mant_f64: result64(frexpMantissa64),
  v_frexp_exp_i32_f64: frexpExponent64,
};
