/**
 * Arithmetic rounded as MODE says (semantics.md §1). To nearest even is what the operations do; the other modes correct that result
 * by the sign of its error, which is known where the exact value is at hand: as an f64 for f32 and f16, rounded to odd there if it
 * has more bits. f64 products are rounded downward by an operation of their own, from which upward and toward zero follow.
 */
import type { Value } from '../ir/block.js';
import type { FloatMode } from '../ir/float-mode.js';
import type { WaveBuilder } from '../ir/wave-builder.js';
import { absF64, isNaNF64, negF64 } from './float-bits.js';

type Rounding = FloatMode['roundF32'];
const NEAREST = 0;
const UPWARD = 1;
const DOWNWARD = 2;
export const TOWARD_ZERO = 3;

const SIGN = 0x8000_0000;
const INFINITY_F64_HIGH = 0x7ff0_0000;
const INFINITY_F16 = 0x7c00;
const LARGEST_F16 = 0x7bff;

/**
 * The neighbour of a nearest result that the mode wants: `above` where the exact value is greater than the result, `below` where it
 * is less. A result has the sign of the exact value, so it grows in size or shrinks by one place.
 */
function step(b: WaveBuilder, rounding: Rounding, isNegative: Value, nearest: Value, above: Value, below: Value): Value {
  const isWide = nearest.type === 'i64';
  const one = isWide ? b.i64(1, 0) : b.i32(1);
  const select = isWide ? 'select64' : 'select32';
  const isPositive = b.op('not', isNegative);
  const [shrinksUp, shrinksDown] = [b.op('and', above, isNegative), b.op('and', below, isPositive)];
  const shrinks = rounding === UPWARD ? shrinksUp : rounding === DOWNWARD ? shrinksDown : b.op('or', shrinksUp, shrinksDown);
  const smaller = b.op(select, shrinks, b.op(isWide ? 'sub64' : 'sub32', nearest, one), nearest);
  if (rounding === TOWARD_ZERO) return smaller;
  const grows = rounding === UPWARD ? b.op('and', above, isPositive) : b.op('and', below, isNegative);
  return b.op(select, grows, b.op(isWide ? 'add64' : 'add32', nearest, one), smaller);
}

/** f64 → f32. */
export function narrowToF32(b: WaveBuilder, value: Value): Value {
  const nearest = b.op('f64ToF32', value);
  const rounding = b.mode.roundF32;
  if (rounding === NEAREST) return nearest;
  const back = b.op('f32ToF64', nearest);
  return step(b, rounding, b.op('ltS32', nearest, b.i32(0)), nearest, b.op('ltF64', back, value), b.op('ltF64', value, back));
}

/** f32 or f64 → f16 bits; MODE.FP16_OVFL turns the infinity of a finite value into the largest number. */
export function narrowToF16(b: WaveBuilder, value: Value, rounding: Rounding = b.mode.roundF16F64): Value {
  const isWide = value.type === 'i64';
  const less = isWide ? 'ltF64' : 'ltF32';
  const nearest = b.op(isWide ? 'f64ToF16' : 'f32ToF16', value);
  const widen = (half: Value): Value => {
    const single = b.op('f16ToF32', half);
    return isWide ? b.op('f32ToF64', single) : single;
  };
  let result = nearest;
  if (rounding !== NEAREST) {
    const back = widen(nearest);
    const isNegative = b.op('ltU32', b.i32(0x7fff), nearest);
    result = step(b, rounding, isNegative, nearest, b.op(less, back, value), b.op(less, value, back));
  }
  if (!b.mode.fp16Overflow) return result;
  const size = isWide ? absF64(b, value) : b.op('and32', value, b.i32(0x7fff_ffff));
  const isFinite = b.op(less, size, isWide ? b.i64(0, INFINITY_F64_HIGH) : b.i32(0x7f80_0000));
  const isInfinite = b.op('eq32', b.op('and32', result, b.i32(0x7fff)), b.i32(INFINITY_F16));
  const largest = b.op('or32', b.op('and32', result, b.i32(0x8000)), b.i32(LARGEST_F16));
  return b.op('select32', b.op('and', isFinite, isInfinite), largest, result);
}

/** x + y in f64, rounded to odd: a later rounding to fewer bits is then the only one. */
export function sumToOdd(b: WaveBuilder, x: Value, y: Value): Value {
  const sum = b.op('addF64', x, y);
  const part = b.op('subF64', sum, x);
  const error = b.op('addF64', b.op('subF64', x, b.op('subF64', sum, part)), b.op('subF64', y, part));
  const isExact = b.op('eqF64', error, b.i64(0, 0));
  const isOdd = b.op('eq32', b.op('and32', b.op('low64', sum), b.i32(1)), b.i32(1));
  const isFinite = b.op('ltF64', absF64(b, sum), b.i64(0, INFINITY_F64_HIGH));
  // Away from zero where the error has the sum's sign, else toward it.
  const signs = b.op('xor32', b.op('high64', sum), b.op('high64', error));
  const away = b.op('not', b.op('ltS32', signs, b.i32(0)));
  const next = b.op('select64', away, b.op('add64', sum, b.i64(1, 0)), b.op('sub64', sum, b.i64(1, 0)));
  const keep = b.op('or', b.op('or', isExact, isOdd), b.op('not', isFinite));
  return b.op('select64', keep, sum, next);
}

/** A sum that is exactly zero is -0 downward unless both parts are +0. */
function signZero(b: WaveBuilder, rounding: Rounding, sum: Value, x: Value, y: Value): Value {
  if (rounding !== DOWNWARD) return sum;
  const signs = b.op('and32', b.op('or32', b.op('high64', x), b.op('high64', y)), b.i32(SIGN));
  return b.op('select64', b.op('eqF64', sum, b.i64(0, 0)), b.op('pack64', b.i32(0), signs), sum);
}

const widen32 = (b: WaveBuilder, x: Value): Value => b.op('f32ToF64', x);
const widen16 = (b: WaveBuilder, x: Value): Value => b.op('f32ToF64', b.op('f16ToF32', x));

/** -x; a NaN stays as it is. */
function negated(b: WaveBuilder, x: Value): Value {
  return b.op('select64', isNaNF64(b, x), x, negF64(b, x));
}

// f32

export function addF32(b: WaveBuilder, x: Value, y: Value): Value {
  if (b.mode.roundF32 === NEAREST) return b.op('addF32', x, y);
  return sumF32(b, widen32(b, x), widen32(b, y));
}

export function subF32(b: WaveBuilder, x: Value, y: Value): Value {
  if (b.mode.roundF32 === NEAREST) return b.op('subF32', x, y);
  return sumF32(b, widen32(b, x), negated(b, widen32(b, y)));
}

export function mulF32(b: WaveBuilder, x: Value, y: Value): Value {
  if (b.mode.roundF32 === NEAREST) return b.op('mulF32', x, y);
  return narrowToF32(b, b.op('mulF64', widen32(b, x), widen32(b, y)));
}

export function fmaF32(b: WaveBuilder, x: Value, y: Value, z: Value): Value {
  if (b.mode.roundF32 === NEAREST) return b.op('fmaF32', x, y, z);
  return sumF32(b, b.op('mulF64', widen32(b, x), widen32(b, y)), widen32(b, z));
}

function sumF32(b: WaveBuilder, x: Value, y: Value): Value {
  return narrowToF32(b, signZero(b, b.mode.roundF32, sumToOdd(b, x, y), x, y));
}

/** A 32-bit integer → f32. */
export function integerToF32(b: WaveBuilder, op: 's32ToF32' | 'u32ToF32', x: Value): Value {
  if (b.mode.roundF32 === NEAREST) return b.op(op, x);
  return narrowToF32(b, b.op(op === 's32ToF32' ? 's32ToF64' : 'u32ToF64', x));
}

// f16, as bits in the low half

/** To nearest a sum in f32 is enough, as 24 ≥ 2·11 + 2 bits; f64 holds every sum. */
export function addF16(b: WaveBuilder, x: Value, y: Value): Value {
  if (b.mode.roundF16F64 === NEAREST) return narrowToF16(b, b.op('addF32', b.op('f16ToF32', x), b.op('f16ToF32', y)));
  return sumF16(b, widen16(b, x), widen16(b, y));
}

export function subF16(b: WaveBuilder, x: Value, y: Value): Value {
  if (b.mode.roundF16F64 === NEAREST) return narrowToF16(b, b.op('subF32', b.op('f16ToF32', x), b.op('f16ToF32', y)));
  return sumF16(b, widen16(b, x), negated(b, widen16(b, y)));
}

/** The product is exact in f32. */
export function mulF16(b: WaveBuilder, x: Value, y: Value): Value {
  return narrowToF16(b, b.op('mulF32', b.op('f16ToF32', x), b.op('f16ToF32', y)));
}

/**
 * The product is exact in f64. To nearest the sum needs no care: it is off only where one part is so small that it cannot decide a
 * tie of 11 bits.
 */
export function fmaF16(b: WaveBuilder, x: Value, y: Value, z: Value): Value {
  const [product, addend] = [b.op('mulF64', widen16(b, x), widen16(b, y)), widen16(b, z)];
  return b.mode.roundF16F64 === NEAREST ? narrowToF16(b, b.op('addF64', product, addend)) : sumF16(b, product, addend);
}

function sumF16(b: WaveBuilder, x: Value, y: Value): Value {
  return narrowToF16(b, signZero(b, b.mode.roundF16F64, sumToOdd(b, x, y), x, y));
}

// f64

export function addF64(b: WaveBuilder, x: Value, y: Value): Value {
  const sum = b.op('addF64', x, y);
  const rounding = b.mode.roundF16F64;
  if (rounding === NEAREST) return sum;
  // The larger part first: then nothing but the sum itself can overflow, and the error is exact.
  const isSwapped = b.op('ltF64', absF64(b, x), absF64(b, y));
  const large = b.op('select64', isSwapped, y, x);
  const small = b.op('select64', isSwapped, x, y);
  const error = b.op('subF64', small, b.op('subF64', sum, large));
  const [above, below] = [b.op('ltF64', b.i64(0, 0), error), b.op('ltF64', error, b.i64(0, 0))];
  const result = step(b, rounding, b.op('ltS32', b.op('high64', sum), b.i32(0)), sum, above, below);
  return signZero(b, rounding, result, x, y);
}

export function fmaF64(b: WaveBuilder, x: Value, y: Value, z: Value): Value {
  const rounding = b.mode.roundF16F64;
  if (rounding === NEAREST) return b.op('fmaF64', x, y, z);
  if (rounding === DOWNWARD) return b.op('fmaDownwardF64', x, y, z);
  const up = negated(b, b.op('fmaDownwardF64', negated(b, x), y, negated(b, z)));
  if (rounding === UPWARD) return up;
  const down = b.op('fmaDownwardF64', x, y, z);
  return b.op('select64', b.op('ltS32', b.op('high64', down), b.i32(0)), up, down);
}

export function mulF64(b: WaveBuilder, x: Value, y: Value): Value {
  if (b.mode.roundF16F64 === NEAREST) return b.op('mulF64', x, y);
  // A zero of the product's sign adds nothing, not even a sign.
  const sign = b.op('and32', b.op('xor32', b.op('high64', x), b.op('high64', y)), b.i32(SIGN));
  return fmaF64(b, x, y, b.op('pack64', b.i32(0), sign));
}
