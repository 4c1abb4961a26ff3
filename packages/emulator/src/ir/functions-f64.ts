/** Operations on f64 bit patterns, and conversions from and to f64. NaNs are handled as bits. */
import { fromF32, isNaNF32, roundEven, roundToF16, toF32 } from './functions-f32.js';
import type { OpFunction, OpFunctions } from './op-function.js';
import { wide } from './op-function.js';

const doubles = new Float64Array(1);
const dwords = new Uint32Array(doubles.buffer);
const quads = new BigUint64Array(doubles.buffer);

/** High dword of the NaN that an invalid operation on numbers makes. */
const DEFAULT_NAN_HIGH = 0x7ff8_0000;
const QUIET_HIGH = 0x0008_0000;

function isNaNF64(low: number, high: number): boolean {
  const size = high & 0x7fff_ffff;
  return size > 0x7ff0_0000 || (size === 0x7ff0_0000 && low !== 0);
}

/** The value of f64 bits that are not a NaN. */
function fromF64(low: number, high: number): number {
  dwords[0] = low;
  dwords[1] = high;
  return doubles[0] ?? 0;
}

function toF64(value: number): number {
  if (value !== value) {
    wide.high = DEFAULT_NAN_HIGH;
    return 0;
  }
  doubles[0] = value;
  wide.high = dwords[1] ?? 0;
  return dwords[0] ?? 0;
}

function bitsResult(low: number, high: number): number {
  wide.high = high >>> 0;
  return low >>> 0;
}

const quiet = (low: number, high: number): number => bitsResult(low, high | QUIET_HIGH);

function arithmetic(compute: (a: number, b: number) => number): OpFunction {
  return (a, aHigh, b, bHigh) => {
    if (isNaNF64(a, aHigh)) return quiet(a, aHigh);
    if (isNaNF64(b, bHigh)) return quiet(b, bHigh);
    return toF64(compute(fromF64(a, aHigh), fromF64(b, bHigh)));
  };
}

function unary(compute: (a: number) => number): OpFunction {
  return (a, aHigh) => (isNaNF64(a, aHigh) ? quiet(a, aHigh) : toF64(compute(fromF64(a, aHigh))));
}

function compare(holds: (a: number, b: number) => boolean): OpFunction {
  return (a, aHigh, b, bHigh) =>
    !isNaNF64(a, aHigh) && !isNaNF64(b, bHigh) && holds(fromF64(a, aHigh), fromF64(b, bHigh)) ? 1 : 0;
}

/** Whether a is before b, with -0 before +0. */
function isLess(a: number, aHigh: number, b: number, bHigh: number): boolean {
  const [x, y] = [fromF64(a, aHigh), fromF64(b, bHigh)];
  return x < y || (x === y && aHigh > bHigh);
}

function minMax(which: 'min' | 'max'): OpFunction {
  return (a, aHigh, b, bHigh) => {
    if (isNaNF64(a, aHigh)) return isNaNF64(b, bHigh) ? quiet(a, aHigh) : bitsResult(b, bHigh);
    if (isNaNF64(b, bHigh)) return bitsResult(a, aHigh);
    const first = which === 'min' ? !isLess(b, bHigh, a, aHigh) : !isLess(a, aHigh, b, bHigh);
    return first ? bitsResult(a, aHigh) : bitsResult(b, bHigh);
  };
}

/** How a fused operation rounds: to nearest even or toward -infinity. */
type Direction = 'nearest' | 'downward';

/** (a·b + c)·2^scale over integers: exact, then rounded once. */
const fused =
  (scale: number, direction: Direction): OpFunction =>
  (a, aHigh, b, bHigh, c, cHigh) => {
    if (isNaNF64(a, aHigh)) return quiet(a, aHigh);
    if (isNaNF64(b, bHigh)) return quiet(b, bHigh);
    if (isNaNF64(c, cHigh)) return quiet(c, cHigh);
    const [x, y, z] = [fromF64(a, aHigh), fromF64(b, bHigh), fromF64(c, cHigh)];
    // Infinities, zeros: the plain operations are exact, but a finite product that overflows is not infinite.
    if (Number.isFinite(x) && Number.isFinite(y) && !Number.isFinite(z)) return bitsResult(c, cHigh);
    if (!Number.isFinite(x) || !Number.isFinite(y) || !Number.isFinite(z) || x === 0 || y === 0) {
      const sum = x * y + z;
      const isMixed = sum === 0 && (Object.is(x * y, -0) || Object.is(z, -0));
      return toF64(direction === 'downward' && isMixed ? -0 : sum * 2 ** scale);
    }
    const exponent = exponentOf(x) + exponentOf(y);
    const product = mantissaOf(x) * mantissaOf(y);
    if (z === 0) return toF64(compose(product, exponent + scale, direction));
    const difference = exponent - exponentOf(z);
    const sum =
      difference >= 0 ? (product << BigInt(difference)) + mantissaOf(z) : product + (mantissaOf(z) << BigInt(-difference));
    return toF64(compose(sum, (difference >= 0 ? exponentOf(z) : exponent) + scale, direction));
  };

/** Exponent of the last bit of a finite number. */
function exponentOf(value: number): number {
  doubles[0] = value;
  return Math.max(1, ((dwords[1] ?? 0) >>> 20) & 0x7ff) - 1075;
}

/** The number as an integer multiple of 2^exponentOf. */
function mantissaOf(value: number): bigint {
  doubles[0] = value;
  const all = quads[0] ?? 0n;
  const fraction = all & 0xf_ffff_ffff_ffffn;
  const size = ((all >> 52n) & 0x7ffn) === 0n ? fraction : fraction | 0x10_0000_0000_0000n;
  return all >> 63n === 1n ? -size : size;
}

/** mantissa · 2^exponent, rounded once. */
function compose(mantissa: bigint, exponent: number, direction: Direction): number {
  if (mantissa === 0n) return direction === 'downward' ? -0 : 0;
  const size = mantissa < 0n ? -mantissa : mantissa;
  const length = size.toString(16).length * 4 - Math.clz32(Number.parseInt(size.toString(16).charAt(0), 16)) + 28;
  // Bits to drop: all beyond 53, and what lies below the last place of a denormal.
  const drop = Math.max(length - 53, -1074 - exponent, 0);
  let kept = size >> BigInt(drop);
  const rest = size - (kept << BigInt(drop));
  const half = drop === 0 ? 0n : 1n << BigInt(drop - 1);
  const isUp = direction === 'downward' ? mantissa < 0n && rest > 0n : rest > half || (rest === half && (kept & 1n) === 1n);
  if (drop > 0 && isUp) kept += 1n;
  // Both factors are exact and the product is representable (or overflows, as it must).
  const scale = exponent + drop;
  const value = scale > 900 ? Number(kept) * 2 ** 900 * 2 ** (scale - 900) : Number(kept) * 2 ** scale;
  if (mantissa < 0n) return -value;
  return direction === 'downward' ? Math.min(value, Number.MAX_VALUE) : value;
}

function f32ToF64(a: number): number {
  if (!isNaNF32(a)) return toF64(fromF32(a));
  return quiet((a << 29) >>> 0, (a & 0x8000_0000) | 0x7ff0_0000 | ((a >>> 3) & 0x000f_ffff));
}

function f64ToF32(a: number, aHigh: number): number {
  if (!isNaNF64(a, aHigh)) return toF32(fromF64(a, aHigh));
  return ((aHigh & 0x8000_0000) | 0x7fc0_0000 | ((aHigh & 0x0007_ffff) << 3) | (a >>> 29)) >>> 0;
}

function f64ToF16(a: number, aHigh: number): number {
  const sign = (aHigh >>> 16) & 0x8000;
  if (isNaNF64(a, aHigh)) return sign | 0x7e00 | ((aHigh >>> 10) & 0x3ff);
  return sign | roundToF16(Math.abs(fromF64(a, aHigh)));
}

function f64ToS32(a: number, aHigh: number): number {
  if (isNaNF64(a, aHigh)) return 0;
  const value = fromF64(a, aHigh);
  if (value >= 0x7fff_ffff) return 0x7fff_ffff;
  return value <= -0x8000_0000 ? 0x8000_0000 : Math.trunc(value) >>> 0;
}

function f64ToU32(a: number, aHigh: number): number {
  if (isNaNF64(a, aHigh)) return 0;
  const value = fromF64(a, aHigh);
  if (value >= 0xffff_ffff) return 0xffff_ffff;
  return value <= 0 ? 0 : Math.trunc(value);
}

export const F64_FUNCTIONS: OpFunctions = {
  addF64: arithmetic((a, b) => a + b),
  subF64: arithmetic((a, b) => a - b),
  mulF64: arithmetic((a, b) => a * b),
  divF64: arithmetic((a, b) => a / b),
  fmaF64: fused(0, 'nearest'),
  fmaDown128F64: fused(-128, 'nearest'),
  fmaDownwardF64: fused(0, 'downward'),
  sqrtF64: unary(Math.sqrt),
  minNumF64: minMax('min'),
  maxNumF64: minMax('max'),
  ltF64: compare((a, b) => a < b),
  leF64: compare((a, b) => a <= b),
  eqF64: compare((a, b) => a === b),
  truncF64: unary(Math.trunc),
  floorF64: unary(Math.floor),
  ceilF64: unary(Math.ceil),
  nearestF64: unary((a) => (a < 0 || Object.is(a, -0) ? -roundEven(-a) : roundEven(a))),
  f32ToF64,
  f64ToF32,
  f64ToF16,
  f64ToS32,
  f64ToU32,
  s32ToF64: (a) => toF64(a | 0),
  u32ToF64: (a) => toF64(a),
};
