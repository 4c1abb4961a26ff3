/** v_div_scale, v_div_fmas, v_div_fixup for f32 and f64 (semantics.md §6). */
import type { Value } from '../ir/block.js';
import type { WaveBuilder } from '../ir/wave-builder.js';
import { isNaNF32, isNaNF64, quietF32, quietF64 } from './float-bits.js';
import { fmaF32, fmaF64, mulF32, mulF64, narrowToF32, sumToOdd } from './rounding.js';
import type { Operation, Semantic } from './operation.js';

/** What differs between the two widths. */
interface Width {
  readonly bits: 32 | 64;
  readonly exponentMax: number;
  /** Biased exponent of 1. */
  readonly bias: number;
  /** Exponent differences from which on the numerator is far larger, or far smaller. */
  readonly far: number;
  readonly near: number;
  /** exp(num) up to which the numerator is small. */
  readonly smallNumerator: number;
  /** exp(num) - exp(den) below which the quotient underflows in any case. */
  readonly underflow: number;
  /** Power of two of the scaling. */
  readonly scale: number;
}

const F32: Width = {
  bits: 32,
  exponentMax: 255,
  bias: 127,
  far: 96,
  near: -126,
  smallNumerator: 23,
  underflow: -150,
  scale: 64,
};
const F64: Width = {
  bits: 64,
  exponentMax: 2047,
  bias: 1023,
  far: 768,
  near: -1022,
  smallNumerator: 53,
  underflow: -1075,
  scale: 128,
};

const read = (o: Operation, width: Width, n: number): Value => (width.bits === 32 ? o.f32(n) : o.f64(n));

/** The dword with sign and exponent. */
const top = (b: WaveBuilder, value: Value): Value => (value.type === 'i64' ? b.op('high64', value) : value);

function exponent(b: WaveBuilder, value: Value): Value {
  return value.type === 'i64'
    ? b.op('and32', b.op('shrU32', top(b, value), b.i32(20)), b.i32(0x7ff))
    : b.op('and32', b.op('shrU32', value, b.i32(23)), b.i32(0xff));
}

function isZero(b: WaveBuilder, value: Value): Value {
  return value.type === 'i64'
    ? b.op('eq64', b.op('and64', value, b.i64(0xffff_ffff, 0x7fff_ffff)), b.i64(0, 0))
    : b.op('eq32', b.op('and32', value, b.i32(0x7fff_ffff)), b.i32(0));
}

function constant(b: WaveBuilder, width: Width, topBits: number): Value {
  return width.bits === 64 ? b.i64(0, topBits) : b.i32(topBits);
}

/** 2^n as a constant of the width. */
function power(b: WaveBuilder, width: Width, n: number): Value {
  return constant(b, width, (width.bias + n) * (width.bits === 64 ? 2 ** 20 : 2 ** 23));
}

function select(b: WaveBuilder, condition: Value, yes: Value, no: Value): Value {
  return b.op(yes.type === 'i64' ? 'select64' : 'select32', condition, yes, no);
}

const same = (b: WaveBuilder, x: Value, y: Value): Value => b.op(x.type === 'i64' ? 'eq64' : 'eq32', x, y);

function multiply(b: WaveBuilder, x: Value, y: Value): Value {
  return x.type === 'i64' ? mulF64(b, x, y) : mulF32(b, x, y);
}

/** D and the condition by the eight cases of semantics.md §6, in their order. */
function divScale(width: Width): Semantic {
  return (o) => {
    const { b } = o;
    const [value, den, num] = [read(o, width, 0), read(o, width, 1), read(o, width, 2)];
    const [expDen, expNum] = [exponent(b, den), exponent(b, num)];
    const difference = b.op('sub32', expNum, expDen);
    const isFar = b.op('not', b.op('ltS32', difference, b.i32(width.far)));
    const isNear = b.op('ltS32', difference, b.i32(width.near + 1));
    const hasZero = b.op('or', isZero(b, den), isZero(b, num));
    const isDenormal = b.op('eq32', expDen, b.i32(0)); // zero is case 1
    const isHuge = b.op('not', b.op('ltU32', expDen, b.i32(width.exponentMax - 2)));
    const isSmall = b.op('not', b.op('ltU32', b.i32(width.smallNumerator), expNum));
    const up = multiply(b, value, power(b, width, width.scale));
    const down = multiply(b, value, power(b, width, -width.scale));
    const isDen = same(b, value, den);
    const isNum = same(b, value, num);

    let result = select(b, isSmall, up, value);
    result = select(b, isNear, select(b, isNum, up, value), result);
    result = select(b, isHuge, select(b, b.op('and', isNear, b.op('not', isDen)), value, down), result);
    result = select(b, isDenormal, up, result);
    result = select(b, isFar, select(b, isDen, up, value), result);
    result = select(b, hasZero, constant(b, width, width.bits === 64 ? 0x7ff8_0000 : 0x7fc0_0000), result);
    if (width.bits === 64) o.setF64(result);
    else o.setF32(result);
    // Case 3 cannot be near: the difference is not negative there.
    o.setMask(b.op('or', isFar, isNear), o.results[1]);
  };
}

/** Lanes with VCC: the fma scaled by a power of two on the side that S2's exponent says, rounded once. */
function divFmas32(o: Operation): void {
  const { b } = o;
  const [x, y, z] = [o.f32(0), o.f32(1), o.f32(2)];
  const isLarge = b.op('ltU32', b.i32(F32.bias), exponent(b, z));
  const scaled = scaledFma(b, x, y, z, isLarge);
  o.setF32(b.op('select32', o.mask(undefined), scaled, fmaF32(b, x, y, z)));
}

/** (x·y + z)·2^±64 with one rounding: the product is exact in f64, the sum rounded to odd there. */
function scaledFma(b: WaveBuilder, x: Value, y: Value, z: Value, isLarge: Value): Value {
  const widen = (value: Value): Value => b.op('f32ToF64', value);
  const odd = sumToOdd(b, b.op('mulF64', widen(x), widen(y)), widen(z));
  const factor = b.op('select64', isLarge, power(b, F64, F32.scale), power(b, F64, -F32.scale));
  return narrowToF32(b, b.op('mulF64', odd, factor));
}

function divFmas64(o: Operation): void {
  const { b } = o;
  const [x, y, z] = [o.f64(0), o.f64(1), o.f64(2)];
  const isLarge = b.op('ltU32', b.i32(F64.bias), exponent(b, z));
  const sum = fmaF64(b, x, y, z);
  // Up: |z| ≥ 2, so the sum is no rounded denormal and the product with the power is exact.
  const up = multiply(b, sum, power(b, F64, F64.scale));
  // Down: rounding twice in one direction is rounding once; to nearest it is not.
  const isNearest = b.mode.roundF16F64 === 0;
  const down = isNearest ? b.op('fmaDown128F64', x, y, z) : multiply(b, sum, power(b, F64, -F64.scale));
  const scaled = b.op('select64', isLarge, up, down);
  o.setF64(b.op('select64', o.mask(undefined), scaled, sum));
}

/** What becomes of a quotient below every number: 0, or the least number where MODE rounds away from 0. */
function tiny(b: WaveBuilder, width: Width, sign: Value): Value {
  const rounding = width.bits === 64 ? b.mode.roundF16F64 : b.mode.roundF32;
  const isNegative = b.op('ltS32', sign, b.i32(0));
  const awayFrom = rounding === 1 ? b.op('not', isNegative) : rounding === 2 ? isNegative : b.bool(0);
  const least = b.op('select32', awayFrom, b.i32(1), b.i32(0));
  return width.bits === 64 ? b.op('pack64', least, sign) : b.op('or32', least, sign);
}

/** Special cases of a quotient S0 = S2 / S1, else S0 with the right sign. */
function divFixup(width: Width): Semantic {
  return (o) => {
    const { b } = o;
    const [quotient, den, num] = [read(o, width, 0), read(o, width, 1), read(o, width, 2)];
    const isWide = width.bits === 64;
    const [isNaN, quiet] = isWide ? ([isNaNF64, quietF64] as const) : ([isNaNF32, quietF32] as const);
    const sign = b.op('and32', b.op('xor32', top(b, den), top(b, num)), b.i32(0x8000_0000));
    const signed = (topBits: number, low: number = 0): Value =>
      isWide ? b.op('pack64', b.i32(low), b.op('or32', sign, b.i32(topBits))) : b.op('or32', sign, b.i32(topBits));
    const infinityTop = isWide ? 0x7ff0_0000 : 0x7f80_0000;
    const isInfinite = (value: Value): Value =>
      same(
        b,
        isWide ? b.op('and64', value, b.i64(0xffff_ffff, 0x7fff_ffff)) : b.op('and32', value, b.i32(0x7fff_ffff)),
        constant(b, width, infinityTop),
      );
    const zero = { den: isZero(b, den), num: isZero(b, num) };
    const infinite = { den: isInfinite(den), num: isInfinite(num) };
    const difference = b.op('sub32', exponent(b, num), exponent(b, den));

    const size = b.op('and32', top(b, quotient), b.i32(0x7fff_ffff));
    const plain = isWide ? b.op('pack64', b.op('low64', quotient), b.op('or32', size, sign)) : b.op('or32', size, sign);
    let result = select(b, isNaN(b, quotient), signed(infinityTop), plain);
    const isTop = b.op('eq32', exponent(b, den), b.i32(width.exponentMax));
    result = select(b, isTop, signed(infinityTop), result);
    result = select(b, b.op('ltS32', difference, b.i32(width.underflow)), tiny(b, width, sign), result);
    result = select(b, b.op('or', infinite.den, zero.num), signed(0), result);
    result = select(b, b.op('or', zero.den, infinite.num), signed(infinityTop), result);
    const isInvalid = b.op('or', b.op('and', zero.den, zero.num), b.op('and', infinite.den, infinite.num));
    result = select(b, isInvalid, constant(b, width, isWide ? 0xfff8_0000 : 0xffc0_0000), result);
    result = select(b, isNaN(b, den), quiet(b, den), result);
    result = select(b, isNaN(b, num), quiet(b, num), result);
    if (isWide) o.setF64(result);
    else o.setF32(result);
  };
}

export const DIVISION: Readonly<Record<string, Semantic>> = {
  v_div_scale_f32: divScale(F32),
  v_div_scale_f64: divScale(F64),
  v_div_fmas_f32: divFmas32,
  v_div_fmas_f64: divFmas64,
  v_div_fixup_f32: divFixup(F32),
  v_div_fixup_f64: divFixup(F64),
};
