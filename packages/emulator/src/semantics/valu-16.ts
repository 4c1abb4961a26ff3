/** Vector operations on 16-bit halves: integers and f16 (semantics.md §4). */
import type { Value } from '../ir/block.js';
import type { OpName } from '../ir/ops.js';
import type { WaveBuilder } from '../ir/wave-builder.js';
import { flushF16 } from './float-bits.js';
import { extremeF16, medianF32 } from './min-max.js';
import type { Operation, Semantic } from './operation.js';
import { addF16, fmaF16, mulF16, narrowToF16, subF16 } from './rounding.js';

/** How 16-bit integers are read, and to what they saturate. */
export interface Integer16 {
  readonly extend: (b: WaveBuilder, half: Value) => Value;
  readonly min: number;
  readonly max: number;
}

export const SIGNED_16: Integer16 = {
  extend: (b, half) => b.op('shrS32', b.op('shl32', half, b.i32(16)), b.i32(16)),
  min: -0x8000,
  max: 0x7fff,
};
export const UNSIGNED_16: Integer16 = { extend: (_b, half) => half, min: 0, max: 0xffff };

/** Low 16 bits of a result, saturated where asked; the value is exact in 32 bits, signed. */
export function saturate16(b: WaveBuilder, value: Value, type: Integer16, clamp: number): Value {
  if (clamp !== 1) return value;
  return b.op('minS32', b.op('maxS32', value, b.i32(type.min)), b.i32(type.max));
}

type Halves = (b: WaveBuilder, x: Value, y: Value, z: Value) => Value;

/** D = f(S0, S1, S2) on extended halves, exact in 32 bits, saturated with clamp. */
function integers(type: Integer16, count: 2 | 3, f: Halves): Semantic {
  return (o) => {
    const { b } = o;
    const read = (n: number): Value => (n < count ? type.extend(b, o.u16(n)) : b.i32(0));
    o.set16(saturate16(b, f(b, read(0), read(1), read(2)), type, o.immediate('clamp')));
  };
}

const two = (type: Integer16, op: OpName): Semantic => integers(type, 2, (b, x, y) => b.op(op, x, y));

/** 16-bit multiply-add: with clamp an unsigned sum may not fit 32 signed bits. */
function multiplyAdd(type: Integer16): Semantic {
  return (o) => {
    const { b } = o;
    const [x, y, z] = [0, 1, 2].map((n) => type.extend(b, o.u16(n)));
    if (x === undefined || y === undefined || z === undefined) return;
    const sum = b.op('add32', b.op('mul32', x, y), z);
    o.set16(
      type === UNSIGNED_16 && o.immediate('clamp') === 1
        ? b.op('minU32', sum, b.i32(0xffff))
        : saturate16(b, sum, type, o.immediate('clamp')),
    );
  };
}

/** 16 × 16 + 32 bits. */
function multiplyAdd32(type: Integer16): Semantic {
  return (o) => {
    const { b } = o;
    if (o.immediate('clamp') === 1) o.unsupported(`clamp of ${o.name}`);
    const product = b.op('mul32', type.extend(b, o.u16(0)), type.extend(b, o.u16(1)));
    o.set32(b.op('add32', product, o.u32(2)));
  };
}

function minMaxIntegers(type: Integer16, suffix: string): Record<string, Semantic> {
  const [min, max] = type === SIGNED_16 ? (['minS32', 'maxS32'] as const) : (['minU32', 'maxU32'] as const);
  return {
    [`v_min_${suffix}`]: two(type, min),
    [`v_max_${suffix}`]: two(type, max),
    [`v_min3_${suffix}`]: integers(type, 3, (b, x, y, z) => b.op(min, b.op(min, x, y), z)),
    [`v_max3_${suffix}`]: integers(type, 3, (b, x, y, z) => b.op(max, b.op(max, x, y), z)),
    [`v_med3_${suffix}`]: integers(type, 3, (b, x, y, z) => b.op(max, b.op(min, x, y), b.op(min, b.op(max, x, y), z))),
  };
}

/** The amount is S0, modulo 16. */
function shift(op: OpName, type: Integer16): Semantic {
  return (o) => {
    const { b } = o;
    o.set16(b.op(op, type.extend(b, o.u16(1)), b.op('and32', o.u16(0), b.i32(15))));
  };
}

/** f16 arguments as f32, which holds every f16. */
const wide = (o: Operation, n: number): Value => o.b.op('f16ToF32', o.f16(n));

function arithmetic(f: (b: WaveBuilder, x: Value, y: Value) => Value): Semantic {
  return (o) => {
    o.setF16(f(o.b, o.f16(0), o.f16(1)));
  };
}

function fused(read: (o: Operation) => readonly [Value, Value, Value]): Semantic {
  return (o) => {
    o.setF16(fmaF16(o.b, ...read(o)));
  };
}

const unary =
  (f: (b: WaveBuilder, x: Value) => Value): Semantic =>
  (o) => {
    o.setF16(narrowToF16(o.b, f(o.b, wide(o, 0))));
  };
const unaryOp = (op: OpName): Semantic => unary((b, x) => b.op(op, x));

/** The result's register, read as a source. */
const accumulator = (o: Operation): Value => flushF16(o.b, o.old16(), 'input');

const extremes =
  (op: 'minNumF32' | 'maxNumF32'): Semantic =>
  (o) => {
    o.setF16(extremeF16(o.b, op, o.f16(0), o.f16(1)));
  };

const extremes3 =
  (first: 'minNumF32' | 'maxNumF32', second: 'minNumF32' | 'maxNumF32'): Semantic =>
  (o) => {
    o.setF16(extremeF16(o.b, second, extremeF16(o.b, first, o.f16(0), o.f16(1)), o.f16(2)));
  };

/** Scaling by a power of two: exact in f32 but for the rounding to f16. */
function scale(b: WaveBuilder, x: Value, n: Value): Value {
  const limited = b.op('minS32', b.op('maxS32', n, b.i32(-60)), b.i32(60));
  return b.op('mulF32', x, b.op('shl32', b.op('add32', limited, b.i32(127)), b.i32(23)));
}

/** Exponent of f16 as of the f32 of the same value, which is never denormal. */
const frexpExponent: Semantic = (o) => {
  const { b } = o;
  const x = b.op('and32', wide(o, 0), b.i32(0x7fff_ffff));
  const none = b.op('or', b.op('eq32', x, b.i32(0)), b.op('not', b.op('ltU32', x, b.i32(0x7f80_0000))));
  o.set16(b.op('select32', none, b.i32(0), b.op('sub32', b.op('shrU32', x, b.i32(23)), b.i32(126))));
};

function frexpMantissa(b: WaveBuilder, x: Value): Value {
  const size = b.op('and32', x, b.i32(0x7fff_ffff));
  const none = b.op('or', b.op('eq32', size, b.i32(0)), b.op('not', b.op('ltU32', size, b.i32(0x7f80_0000))));
  const mantissa = b.op('or32', b.op('and32', x, b.i32(0x807f_ffff)), b.i32(0x3f00_0000));
  return b.op('select32', none, x, mantissa);
}

/** x - floor(x), kept below 1. */
const fraction: Semantic = (o) => {
  const { b } = o;
  const x = wide(o, 0);
  const result = b.op('f32ToF16', b.op('subF32', x, b.op('floorF32', x)));
  o.setF16(b.op('select32', b.op('eq32', result, b.i32(0x3c00)), b.i32(0x3bff), result));
};

/** Special cases of a quotient S0 = S2 / S1, as for f32 but without underflow and overflow, which f32 arithmetic has handled. */
const divFixup: Semantic = (o) => {
  const { b } = o;
  const [quotient, den, num] = [o.f16(0), o.f16(1), o.f16(2)];
  const size = (value: Value): Value => b.op('and32', value, b.i32(0x7fff));
  const isNaN = (value: Value): Value => b.op('ltU32', b.i32(0x7c00), size(value));
  const is = (value: Value, bits: number): Value => b.op('eq32', size(value), b.i32(bits));
  const sign = b.op('and32', b.op('xor32', den, num), b.i32(0x8000));
  const quiet = (value: Value): Value => b.op('or32', value, b.i32(0x0200));
  const choose = (condition: Value, yes: Value, no: Value): Value => b.op('select32', condition, yes, no);
  let result = b.op('or32', size(quotient), sign);
  result = choose(b.op('or', is(den, 0x7c00), is(num, 0)), sign, result);
  result = choose(b.op('or', is(den, 0), is(num, 0x7c00)), b.op('or32', sign, b.i32(0x7c00)), result);
  const isInvalid = b.op('or', b.op('and', is(den, 0), is(num, 0)), b.op('and', is(den, 0x7c00), is(num, 0x7c00)));
  result = choose(isInvalid, b.i32(0xfe00), result);
  result = choose(isNaN(den), quiet(den), result);
  o.setF16(choose(isNaN(num), quiet(num), result));
};

const ONE_F32 = 0x3f80_0000;

export const VALU_16: Readonly<Record<string, Semantic>> = {
  ...minMaxIntegers(SIGNED_16, 'i16'),
  ...minMaxIntegers(UNSIGNED_16, 'u16'),
  v_mov_b16: (o) => {
    o.set16(o.u16(0));
  },
  v_not_b16: (o) => {
    o.set16(o.b.op('xor32', o.u16(0), o.b.i32(0xffff)));
  },
  v_and_b16: two(UNSIGNED_16, 'and32'),
  v_or_b16: two(UNSIGNED_16, 'or32'),
  v_xor_b16: two(UNSIGNED_16, 'xor32'),
  v_cndmask_b16: (o) => {
    const [no, yes] = [o.f16Unflushed(o.source(0)), o.f16Unflushed(o.source(1))];
    o.set16(o.b.op('select32', o.mask(o.sources[2]), yes, no));
  },
  v_swap_b16: (o) => {
    const [x, y] = [o.result(0), o.result(1)];
    const [first, second] = [o.read16(x), o.read16(y)];
    o.set16(second, x);
    o.set16(first, y);
  },
  v_add_nc_u16: two(UNSIGNED_16, 'add32'),
  v_add_nc_i16: two(SIGNED_16, 'add32'),
  v_sub_nc_u16: two(UNSIGNED_16, 'sub32'),
  v_sub_nc_i16: two(SIGNED_16, 'sub32'),
  v_subrev_u16: integers(UNSIGNED_16, 2, (b, x, y) => b.op('sub32', y, x)),
  v_mul_lo_u16: two(UNSIGNED_16, 'mul32'),
  v_mad_u16: multiplyAdd(UNSIGNED_16),
  v_mad_i16: multiplyAdd(SIGNED_16),
  v_mad_u32_u16: multiplyAdd32(UNSIGNED_16),
  v_mad_i32_i16: multiplyAdd32(SIGNED_16),
  v_lshlrev_b16: shift('shl32', UNSIGNED_16),
  v_lshrrev_b16: shift('shrU32', UNSIGNED_16),
  v_ashrrev_i16: shift('shrS32', SIGNED_16),
  v_pack_b32_f16: (o) => {
    const { b } = o;
    o.set32(b.op('or32', o.f16(0), b.op('shl32', o.f16(1), b.i32(16))));
  },
  v_add_f16: arithmetic(addF16),
  v_sub_f16: arithmetic(subF16),
  v_subrev_f16: arithmetic((b, x, y) => subF16(b, y, x)),
  v_mul_f16: arithmetic(mulF16),
  v_fma_f16: fused((o) => [o.f16(0), o.f16(1), o.f16(2)]),
  v_fmac_f16: fused((o) => [o.f16(0), o.f16(1), accumulator(o)]),
  v_fmaak_f16: fused((o) => [o.f16(0), o.f16(1), o.f16(2)]),
  v_fmamk_f16: fused((o) => [o.f16(0), o.f16(1), o.f16(2)]),
  v_min_f16: extremes('minNumF32'),
  v_max_f16: extremes('maxNumF32'),
  v_min3_f16: extremes3('minNumF32', 'minNumF32'),
  v_max3_f16: extremes3('maxNumF32', 'maxNumF32'),
  v_minmax_f16: extremes3('minNumF32', 'maxNumF32'),
  v_maxmin_f16: extremes3('maxNumF32', 'minNumF32'),
  v_med3_f16: (o) => {
    o.setF16(o.b.op('f32ToF16', medianF32(o.b, wide(o, 0), wide(o, 1), wide(o, 2))));
  },
  v_rcp_f16: unary((b, x) => b.op('divF32', b.i32(ONE_F32), x)),
  v_rsq_f16: unary((b, x) => b.op('divF32', b.i32(ONE_F32), b.op('sqrtF32', x))),
  v_sqrt_f16: unaryOp('sqrtF32'),
  v_exp_f16: unaryOp('exp2F32'),
  v_log_f16: unaryOp('log2F32'),
  v_sin_f16: unaryOp('sinTurnsF32'),
  v_cos_f16: unaryOp('cosTurnsF32'),
  v_trunc_f16: unaryOp('truncF32'),
  v_floor_f16: unaryOp('floorF32'),
  v_ceil_f16: unaryOp('ceilF32'),
  v_rndne_f16: unaryOp('nearestF32'),
  v_fract_f16: fraction,
  v_frexp_mant_f16: unary(frexpMantissa),
  v_frexp_exp_i16_f16: frexpExponent,
  v_ldexp_f16: (o) => {
    o.setF16(narrowToF16(o.b, scale(o.b, wide(o, 0), o.s16(1))));
  },
  v_div_fixup_f16: divFixup,
};
