/** Which inline constant or literal stands for a number that is written (LLVM AMDGPUOperand::addLiteralImmOperand). */
import { inlineConstant, inlineInteger } from '../decode/constants.js';
import type { OperandPlan } from '../decode/operand-plan.js';

/** What the text gives: an integer, or a floating-point number. */
export type NumberText =
  | { readonly kind: 'integer'; readonly value: bigint }
  | { readonly kind: 'float'; readonly value: number };

export interface LiteralBits {
  readonly kind: 'literal';
  readonly low: number;
  /** Of a literal of 64 bits; else 0. */
  readonly high: number;
  readonly isWide: boolean;
}

/** The operand number of an inline constant, or the literal. */
export type ConstantEncoding = { readonly kind: 'inline'; readonly code: number } | LiteralBits;

/** How an operand sees constants. */
type View = 'f64' | 'i64' | 'f32' | 'f16' | 'bf16' | 'i16' | 'v2f16' | 'v2bf16';

const WORD_BITS = 32;
const FIRST_FLOAT = 240;
const LAST_FLOAT = 248;
const FIRST_INTEGER = 128;
const LAST_INTEGER = 208;

const PATTERN_TYPES: Readonly<Record<View, readonly [type: string, bits: number]>> = {
  f64: ['f64', 64],
  i64: ['f64', 64],
  f32: ['f32', 32],
  f16: ['f16', 16],
  bf16: ['bf16', 16],
  i16: ['f32', 32],
  v2f16: ['f16', 16],
  v2bf16: ['bf16', 16],
};

function viewOf(type: string, bits: number): View {
  if (type === 'f64') return 'f64';
  if (type === 'v2f16' || type === 'v2bf16') return type;
  const scalar16 = /^(b?f|[iub])16$/.exec(type)?.[1];
  if (scalar16 === 'f' || scalar16 === 'bf') return `${scalar16}16`;
  if (scalar16 !== undefined || bits === 16) return 'i16';
  return bits === 64 && !type.startsWith('v2') ? 'i64' : 'f32';
}

/**
 * The constant as the operand takes it; a text that says what the operand can be when it does not take it.
 *
 * @param form what the text asks for: a literal in place of an inline constant
 * @param takesWide whether literals of 64 bits are possible
 */
export function encodeConstant(
  plan: OperandPlan,
  bits: number,
  number: NumberText,
  form: '' | 'lit' | 'lit64',
  takesWide: boolean,
): ConstantEncoding | string {
  const view = viewOf(plan.description.t ?? '', bits);
  if (view === 'f64' || view === 'i64') {
    return encode64(view, number, form, { takesWide, isScalar: plan.description.k === 'ssrc' });
  }
  return number.kind === 'integer'
    ? encodeInteger(view, number.value, form !== '')
    : encodeFloat(view, number.value, form !== '');
}

/** A mandatory literal: there is no inline form. */
export function encodeMandatory(type: string, number: NumberText, isWide: boolean): LiteralBits | string {
  const view = viewOf(type, WORD_BITS);
  if (isWide) {
    // An integer of 32 bits is the high half of a double.
    const bits =
      number.kind === 'float' ? floatPattern('f64', number.value) : fits(number.value, 32) ? number.value << 32n : number.value;
    return bits === undefined ? 'a number' : wide(bits);
  }
  const encoded = number.kind === 'integer' ? encodeInteger(view, number.value, true) : encodeFloat(view, number.value, true);
  return typeof encoded === 'string' || encoded.kind === 'literal' ? encoded : 'a literal';
}

function encode64(
  view: 'f64' | 'i64',
  number: NumberText,
  form: '' | 'lit' | 'lit64',
  { takesWide, isScalar }: { readonly takesWide: boolean; readonly isScalar: boolean },
): ConstantEncoding | string {
  const pattern = number.kind === 'integer' ? BigInt.asUintN(64, number.value) : (floatPattern(view, number.value) ?? 0n);
  const code = form === '' ? inlineCode(view, BigInt.asIntN(64, pattern), pattern) : undefined;
  if (code !== undefined) return { kind: 'inline', code };
  // An integer of 32 bits is the high half of a double, which may be an inline constant.
  if (form === '' && view === 'f64' && number.kind === 'integer' && fits(number.value, 32)) {
    const half = BigInt.asUintN(64, number.value << 32n);
    const halfCode = inlineCode(view, BigInt.asIntN(64, half), half);
    if (halfCode !== undefined) return { kind: 'inline', code: halfCode };
  }
  // Where both sizes are possible, what is marked has the larger one.
  if (form !== '' && takesWide) return wide(pattern);
  if (form === 'lit64') return 'a literal of 32 bits';
  if (number.kind === 'integer') {
    // How 32 bits are extended for scalar sources depends on the operation: where there is a longer form it is taken.
    const isShort = isScalar && takesWide ? BigInt.asUintN(31, number.value) === number.value : fits(number.value, 32);
    if (isShort) return literal(BigInt.asUintN(32, number.value));
    return takesWide ? wide(pattern) : 'an integer of 32 bits';
  }
  if (view === 'i64') return 'an integer, or a floating-point inline constant';
  // What a literal of 32 bits does not hold of a double is lost where there is no longer one.
  return takesWide && BigInt.asUintN(32, pattern) !== 0n ? wide(pattern) : literal(pattern >> 32n);
}

function encodeInteger(view: View, value: bigint, isLiteral: boolean): ConstantEncoding | string {
  const width = view === 'f16' || view === 'bf16' || view === 'i16' ? 16 : 32;
  // A marked literal may be written as the whole dword that sign-extends it.
  const number = isLiteral && fits(value, 32) ? BigInt.asIntN(32, value) : value;
  if (!fits(value, width) && !fits(number, width)) return `an integer of ${width} bits`;
  const pattern = BigInt.asUintN(width, value);
  // 16-bit integers have no float constants by pattern.
  const code = isLiteral ? undefined : inlineCode(view, BigInt.asIntN(width, value), view === 'i16' ? undefined : pattern);
  return code === undefined ? literal(pattern) : { kind: 'inline', code };
}

function encodeFloat(view: View, value: number, isLiteral: boolean): ConstantEncoding | string {
  const pattern = floatPattern(view, value);
  if (pattern === undefined) return 'a number that the type can hold';
  const integer = view === 'i16' ? undefined : BigInt.asIntN(PATTERN_TYPES[view][1], pattern);
  const code = isLiteral ? undefined : inlineCode(view, integer, pattern);
  return code === undefined ? literal(pattern) : { kind: 'inline', code };
}

function literal(value: bigint): LiteralBits {
  return { kind: 'literal', low: Number(BigInt.asUintN(32, value)), high: 0, isWide: false };
}

function wide(value: bigint): LiteralBits {
  const bits = BigInt.asUintN(64, value);
  return { kind: 'literal', low: Number(BigInt.asUintN(32, bits)), high: Number(bits >> 32n), isWide: true };
}

/** Whether a number has so many bits, signed or not. */
function fits(value: bigint, bits: number): boolean {
  return value >= -(1n << BigInt(bits - 1)) && value < 1n << BigInt(bits);
}

function inlineCode(view: View, integer: bigint | undefined, pattern: bigint | undefined): number | undefined {
  for (let code = FIRST_INTEGER; integer !== undefined && code <= LAST_INTEGER; code++) {
    if (BigInt(inlineInteger(code) ?? 0) === integer) return code;
  }
  const [type, bits] = PATTERN_TYPES[view];
  for (let code = FIRST_FLOAT; pattern !== undefined && code <= LAST_FLOAT; code++) {
    const [low, high] = inlineConstant(code, type, bits);
    if ((BigInt(high) << 32n) + BigInt(low) === pattern) return code;
  }
  return undefined;
}

const buffer = new DataView(new ArrayBuffer(8));
/** 1/(2*pi) as it is written; in bf16 the inline constant is cut, not rounded. */
const INV_TWO_PI = 0.15915494;
const INV_TWO_PI_BF16 = 0x3e22n;

/** The bits of a float in the operand's format, rounded to nearest even; undefined where it overflows or vanishes. */
function floatPattern(view: View, value: number): bigint | undefined {
  switch (view) {
    case 'f64':
    case 'i64':
      buffer.setFloat64(0, value);
      return buffer.getBigUint64(0);
    case 'f16':
    case 'v2f16':
      return roundTo(value, 5, 10);
    case 'bf16':
    case 'v2bf16':
      return value === INV_TWO_PI ? INV_TWO_PI_BF16 : roundTo(value, 8, 7);
    case 'f32':
    case 'i16':
      return roundTo(value, 8, 23);
  }
}

/** A float with so many exponent and fraction bits. */
function roundTo(value: number, exponentBits: number, fractionBits: number): bigint | undefined {
  const sign = value < 0 || Object.is(value, -0) ? 1n << BigInt(exponentBits + fractionBits) : 0n;
  const magnitude = Math.abs(value);
  const bias = 2 ** (exponentBits - 1) - 1;
  if (magnitude === 0) return sign;
  const exponent = Math.max(Math.floor(Math.log2(magnitude)), 1 - bias);
  // log2 may be off by one next to a power of two; the sum below carries over by itself.
  const scaled = magnitude * 2 ** (fractionBits - exponent);
  const fraction = roundHalfEven(scaled);
  if (magnitude < 2 ** (1 - bias) && fraction !== scaled) return undefined;
  const pattern = BigInt(exponent + bias - 1) * (1n << BigInt(fractionBits)) + BigInt(fraction);
  return pattern >= BigInt(2 * bias + 1) << BigInt(fractionBits) ? undefined : sign + pattern;
}

function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  return rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor;
}
