/**
 * Number formats of matrix elements and of the small float conversions: floats of up to 16 bits by their fields, integers by
 * width and sign. `fp8`, `bf8` are the OCP formats (OCP 8-bit Floating Point Specification 1.0), `fp8fnuz`, `bf8fnuz` those of
 * gfx942 (no infinities, one NaN, which is the code of -0); `fp6`, `bf6`, `fp4` are OCP Microscaling Formats 1.0.
 */

/** What the codes with the largest exponent mean. */
type Specials =
  /** Infinities and NaNs, as in IEEE 754. */
  | 'ieee'
  /** One NaN in either sign: all ones; else numbers. */
  | 'fn'
  /** One NaN: the code of -0. */
  | 'fnuz'
  /** Numbers only. */
  | 'none';

export interface SmallFloat {
  readonly bits: number;
  readonly exponentBits: number;
  readonly mantissaBits: number;
  readonly bias: number;
  readonly specials: Specials;
}

const small = (exponentBits: number, mantissaBits: number, bias: number, specials: Specials): SmallFloat => ({
  bits: 1 + exponentBits + mantissaBits,
  exponentBits,
  mantissaBits,
  bias,
  specials,
});

export type SmallFloatName = 'f16' | 'bf16' | 'fp8' | 'bf8' | 'fp8fnuz' | 'bf8fnuz' | 'fp6' | 'bf6' | 'fp4';

export const SMALL_FLOATS: Readonly<Record<SmallFloatName, SmallFloat>> = {
  f16: small(5, 10, 15, 'ieee'),
  bf16: small(8, 7, 127, 'ieee'),
  fp8: small(4, 3, 7, 'fn'),
  bf8: small(5, 2, 15, 'ieee'),
  fp8fnuz: small(4, 3, 8, 'fnuz'),
  bf8fnuz: small(5, 2, 16, 'fnuz'),
  fp6: small(2, 3, 1, 'none'),
  bf6: small(3, 2, 3, 'none'),
  fp4: small(2, 1, 1, 'none'),
};

export const INTEGER_BITS = { s8: 8, u8: 8, s4: 4, u4: 4 } as const;
export type IntegerFormat = keyof typeof INTEGER_BITS;

/** Format of the elements of A or B. `xf32`: f32 whose mantissa is cut to 10 bits. */
export type ElementFormat = 'f32' | 'xf32' | 'f64' | SmallFloatName | IntegerFormat;

/** Format of the elements of C or D. */
export type ResultFormat = 'f32' | 'f64' | 'f16' | 'bf16' | 'i32';

export function isInteger(format: ElementFormat): format is IntegerFormat {
  return format in INTEGER_BITS;
}

export function isSmallFloat(format: ElementFormat): format is SmallFloatName {
  return format in SMALL_FLOATS;
}

/** Bits of one element. */
export function elementBits(format: ElementFormat): number {
  if (isInteger(format)) return INTEGER_BITS[format];
  return isSmallFloat(format) ? SMALL_FLOATS[format].bits : format === 'f64' ? 64 : 32;
}

/** The value of a code of a small float. */
export function decodeSmallFloat({ exponentBits, mantissaBits, bias, specials, bits }: SmallFloat, code: number): number {
  const sign = (code >>> (bits - 1)) & 1 ? -1 : 1;
  const exponent = (code >>> mantissaBits) & ((1 << exponentBits) - 1);
  const mantissa = code & ((1 << mantissaBits) - 1);
  const isTop = exponent === (1 << exponentBits) - 1;
  if (specials === 'ieee' && isTop) return mantissa === 0 ? sign * Infinity : NaN;
  if (specials === 'fn' && isTop && mantissa === (1 << mantissaBits) - 1) return NaN;
  if (specials === 'fnuz' && code === 1 << (bits - 1)) return NaN;
  const fraction = mantissa / (1 << mantissaBits);
  return exponent === 0 ? sign * fraction * 2 ** (1 - bias) : sign * (1 + fraction) * 2 ** (exponent - bias);
}

/** The value of a code of an integer format. */
export function decodeInteger(format: IntegerFormat, code: number): number {
  const bits = INTEGER_BITS[format];
  return format.startsWith('s') ? (code << (32 - bits)) >> (32 - bits) : code;
}
