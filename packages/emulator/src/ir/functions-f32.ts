/**
 * Operations on f32 and f16 bit patterns. NaNs are handled as bits and never pass through a JavaScript number: reading one from a
 * Float32Array may quieten it. Sums, products, quotients and square roots are computed in f64 and rounded once more to f32, which
 * gives the correctly rounded result, as 53 ≥ 2·24 + 2 bits.
 */
import type { OpFunction, OpFunctions } from './op-function.js';

const floats = new Float32Array(1);
const bits = new Uint32Array(floats.buffer);
const doubles = new Float64Array(1);
const doubleBits = new Uint32Array(doubles.buffer);

/** The NaN that an invalid operation on numbers makes. */
const DEFAULT_NAN_F32 = 0x7fc0_0000;
const QUIET_F32 = 0x0040_0000;
const TWO_52 = 2 ** 52;

export function isNaNF32(a: number): boolean {
  return (a & 0x7fff_ffff) > 0x7f80_0000;
}

/** The value of f32 bits that are not a NaN. */
export function fromF32(a: number): number {
  bits[0] = a;
  return floats[0] ?? 0;
}

/** The bits of a number rounded to f32. */
export function toF32(value: number): number {
  if (value !== value) return DEFAULT_NAN_F32;
  floats[0] = value;
  return bits[0] ?? 0;
}

/** The nearest integer to a non-negative number, ties to even. */
export function roundEven(value: number): number {
  return value < TWO_52 ? value + TWO_52 - TWO_52 : value;
}

const quiet = (a: number): number => (a | QUIET_F32) >>> 0;

type Binary = (a: number, b: number) => number;

function arithmetic(compute: Binary): OpFunction {
  return (a, _a, b) => {
    if (isNaNF32(a)) return quiet(a);
    if (isNaNF32(b)) return quiet(b);
    return toF32(compute(fromF32(a), fromF32(b)));
  };
}

function unary(compute: (a: number) => number): OpFunction {
  return (a) => (isNaNF32(a) ? quiet(a) : toF32(compute(fromF32(a))));
}

function compare(holds: (a: number, b: number) => boolean): OpFunction {
  return (a, _a, b) => (!isNaNF32(a) && !isNaNF32(b) && holds(fromF32(a), fromF32(b)) ? 1 : 0);
}

/** Total order of numbers as signed integers: -0 before +0. */
const order = (a: number): number => (a >> 31 === 0 ? a : ~(a & 0x7fff_ffff));

function minMax(prefersFirst: Binary): OpFunction {
  return (a, _a, b) => {
    if (isNaNF32(a)) return isNaNF32(b) ? quiet(a) : b;
    if (isNaNF32(b)) return a;
    return prefersFirst(order(a), order(b)) <= 0 ? a : b;
  };
}

/**
 * a·b + c, rounded once. The product of two f32 is exact in f64; the sum is rounded to odd there, after which the rounding to f32
 * is the only one that counts.
 */
function fmaF32(a: number, _a: number, b: number, _b: number, c: number): number {
  if (isNaNF32(a)) return quiet(a);
  if (isNaNF32(b)) return quiet(b);
  if (isNaNF32(c)) return quiet(c);
  const product = fromF32(a) * fromF32(b);
  const addend = fromF32(c);
  const sum = product + addend;
  if (!Number.isFinite(sum)) return toF32(sum);
  const part = sum - product;
  const error = product - (sum - part) + (addend - part);
  return toF32(error === 0 ? sum : toOdd(sum, error));
}

/** The neighbour of `sum` with an odd last bit on the side of `error`, or `sum` if its own is odd. */
function toOdd(sum: number, error: number): number {
  doubles[0] = sum;
  const low = doubleBits[0] ?? 0;
  if ((low & 1) === 1) return sum;
  if (sum > 0 === error > 0) {
    doubleBits[0] = low | 1;
    return doubles[0];
  }
  doubleBits[0] = low - 1;
  if (low === 0) doubleBits[1] = (doubleBits[1] ?? 0) - 1;
  return doubles[0];
}

function f32ToF16(a: number): number {
  const sign = (a >>> 16) & 0x8000;
  if (isNaNF32(a)) return sign | 0x7e00 | ((a >>> 13) & 0x3ff);
  return sign | roundToF16(Math.abs(fromF32(a)));
}

/** f16 bits of a non-negative number, rounded to nearest even. */
export function roundToF16(value: number): number {
  if (value >= 65_520) return 0x7c00;
  if (value < 2 ** -14) return roundEven(value * 2 ** 24);
  doubles[0] = value;
  const exponent = ((doubleBits[1] ?? 0) >>> 20) - 1023;
  // 1024 … 2048: a carry out of the mantissa counts the exponent up.
  return roundEven(value * 2 ** (10 - exponent)) + ((exponent + 14) << 10);
}

function f16ToF32(a: number): number {
  const sign = (a & 0x8000) << 16;
  const exponent = (a >>> 10) & 0x1f;
  const mantissa = a & 0x3ff;
  if (exponent === 0x1f) return (sign | (mantissa === 0 ? 0x7f80_0000 : 0x7fc0_0000 | (mantissa << 13))) >>> 0;
  const value = exponent === 0 ? mantissa * 2 ** -24 : (1024 + mantissa) * 2 ** (exponent - 25);
  return (sign | toF32(value)) >>> 0;
}

function toSigned(value: number): number {
  if (value >= 0x7fff_ffff) return 0x7fff_ffff;
  return (value <= -0x8000_0000 ? 0x8000_0000 : Math.trunc(value)) >>> 0;
}

function toUnsigned(value: number): number {
  if (value >= 0xffff_ffff) return 0xffff_ffff;
  return value <= 0 ? 0 : Math.trunc(value);
}

const flush = (a: number): number => ((a & 0x7f80_0000) === 0 ? (a & 0x8000_0000) >>> 0 : a);

/** Argument and result of the transcendental unit: denormals count as zero. */
function transcendental(compute: (a: number) => number): OpFunction {
  return (a) => (isNaNF32(a) ? quiet(a) : flush(toF32(compute(fromF32(flush(a))))));
}

/** sin(2π·turns), the argument reduced exactly to a quarter turn. */
function sinTurns(turns: number): number {
  if (!Number.isFinite(turns)) return NaN;
  const rest = turns - Math.round(turns);
  const size = Math.abs(rest);
  const value = Math.sin(2 * Math.PI * (size > 0.25 ? 0.5 - size : size));
  if (value === 0) return turns * 0;
  return rest < 0 ? -value : value;
}

function cosTurns(turns: number): number {
  if (!Number.isFinite(turns)) return NaN;
  const size = Math.abs(turns - Math.round(turns));
  return Math.sin(2 * Math.PI * (0.25 - size));
}

export const F32_FUNCTIONS: OpFunctions = {
  addF32: arithmetic((a, b) => a + b),
  subF32: arithmetic((a, b) => a - b),
  mulF32: arithmetic((a, b) => a * b),
  divF32: arithmetic((a, b) => a / b),
  fmaF32,
  sqrtF32: unary(Math.sqrt),
  minNumF32: minMax((a, b) => a - b),
  maxNumF32: minMax((a, b) => b - a),
  ltF32: compare((a, b) => a < b),
  leF32: compare((a, b) => a <= b),
  eqF32: compare((a, b) => a === b),
  truncF32: unary(Math.trunc),
  floorF32: unary(Math.floor),
  ceilF32: unary(Math.ceil),
  nearestF32: unary((a) => (a < 0 || Object.is(a, -0) ? -roundEven(-a) : roundEven(a))),
  f32ToS32: (a) => (isNaNF32(a) ? 0 : toSigned(fromF32(a))),
  f32ToU32: (a) => (isNaNF32(a) ? 0 : toUnsigned(fromF32(a))),
  s32ToF32: (a) => toF32(a | 0),
  u32ToF32: (a) => toF32(a),
  f32ToF16,
  f16ToF32,
  exp2F32: transcendental((a) => 2 ** a),
  log2F32: transcendental(Math.log2),
  sinTurnsF32: transcendental(sinTurns),
  cosTurnsF32: transcendental(cosTurns),
};
