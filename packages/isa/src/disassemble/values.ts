/** How llvm-mc prints registers, constants and literals (LLVM AMDGPUInstPrinter). */
import { inlineInteger } from '../decode/constants.js';
import { LITERAL64_CODE } from '../decode/registers.js';
import type { DecodedOperand } from '../decode/decoded-operand.js';

/** Inline float constants by operand number from 240. */
const FLOATS = ['0.5', '-0.5', '1.0', '-1.0', '2.0', '-2.0', '4.0', '-4.0', '0.15915494'];
const INV_TWO_PI_F64 = '0.15915494309189532';
const FIRST_FLOAT = 240;
const INV_TWO_PI = 248;
/** f16 patterns of the inline floats: what 16-bit integer operands are printed with. */
const F16_PATTERNS = [0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118];
const F32_PATTERNS = [0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000, 0xc0000000, 0x40800000, 0xc0800000, 0x3e22f983];
const BF16_PATTERNS = [0x3f00, 0xbf00, 0x3f80, 0xbf80, 0x4000, 0xc000, 0x4080, 0xc080, 0x3e22];
/** High dwords of the f64 constants. */
const F64_TEXTS = new Map([
  [0x3fe00000, '0.5'],
  [0xbfe00000, '-0.5'],
  [0x3ff00000, '1.0'],
  [0xbff00000, '-1.0'],
  [0x40000000, '2.0'],
  [0xc0000000, '-2.0'],
  [0x40100000, '4.0'],
  [0xc0100000, '-4.0'],
]);
/** A type of 16 bits; the element before the number. */
const SCALAR_16 = /^(b?f|[iub])16$/;
/** Two values of 32 bits, which have the constants of one. */
const PACKED_32 = /^v2[fiub]32$/;
/** Types whose constants are narrower than the operand: vectors, and 16-bit floats that fill several registers. */
const NARROW = /^v\d|^b?f16$/;
const MIN_INLINE_INTEGER = -16;
const MAX_INLINE_INTEGER = 64;

const PREFIX = { vgpr: 'v', agpr: 'a', sgpr: 's', ttmp: 'ttmp' } as const;

export function hex(value: number): string {
  return `0x${(value >>> 0).toString(16)}`;
}

/** A number as llvm-mc prints 32-bit immediates: decimal where it could be an inline constant, else hexadecimal. */
export function decimalOrHex(value: number): string {
  return isInlineInteger(value) ? String(value) : hex(value);
}

/**
 * Registers, constants and literals, without modifiers; immediates as plain numbers.
 *
 * @param words of the instruction, at whose end a literal is
 */
export function formatValue(operand: DecodedOperand, words: readonly number[]): string {
  switch (operand.kind) {
    case 'vgpr':
    case 'agpr':
    case 'sgpr':
    case 'ttmp':
      return formatRegister(operand, PREFIX[operand.kind]);
    case 'special':
      return operand.special;
    case 'inline':
      return formatInline(operand);
    case 'literal':
      return operand.code === LITERAL64_CODE
        ? formatWideLiteral(operand, words.at(-2) ?? 0, words.at(-1) ?? 0)
        : formatLiteral(operand, operand.described === 'f64' ? operand.high : (words.at(-1) ?? 0));
    case 'immediate':
      return String(operand.value);
  }
}

/** `v5`, `v[4:5]`, `v5.h`. */
export function formatRegister(
  { index, bits, kind, isHighHalf }: Pick<DecodedOperand, 'index' | 'bits' | 'kind' | 'isHighHalf'>,
  prefix: string,
): string {
  const count = Math.ceil(bits / 32);
  if (count > 1) return `${prefix}[${index}:${index + count - 1}]`;
  const half = bits === 16 && kind === 'vgpr' ? (isHighHalf ? '.h' : '.l') : '';
  return `${prefix}${index}${half}`;
}

function formatInline({ code, bits, described }: DecodedOperand): string {
  const integer = inlineInteger(code);
  if (integer !== undefined) return String(integer);
  if (/^[iub]16$/.test(described)) return hex(F16_PATTERNS[code - FIRST_FLOAT] ?? 0);
  if (code === INV_TWO_PI && ((bits === 64 && !NARROW.test(described)) || described === 'f64')) return INV_TWO_PI_F64;
  return FLOATS[code - FIRST_FLOAT] ?? '';
}

/**
 * A literal that an inline constant could express is marked, since the assembler would not encode it as one; a literal of an f64
 * operand is printed as the constant itself.
 */
function formatLiteral({ bits, described, name }: DecodedOperand, literal: number): string {
  const text = hex(literal);
  // The mandatory literal of v_fmaak and its like needs no mark.
  if (name === 'imm') return text;
  if (described === 'f64') return literal === 0 ? '0' : (F64_TEXTS.get(literal >>> 0) ?? text);
  if (bits === 64 && !PACKED_32.test(described)) return literal >>> 0 <= MAX_INLINE_INTEGER ? `lit(${text})` : text;
  const scalar16 = SCALAR_16.exec(described)?.[1];
  if (scalar16 === undefined && bits !== 16) return isInlinable32(described, literal) ? `lit(${text})` : text;
  if (isInlinable16(scalar16 ?? '', literal)) return `lit(${text})`;
  return scalar16 === 'bf' ? text : hex(literal & 0xffff);
}

/**
 * A literal of 64 bits is marked when its high half is 0, since the assembler would take fewer bits for it. Constants are printed as
 * such, and an f64 whose low half is 0 by its high half.
 */
function formatWideLiteral({ described, name }: DecodedOperand, low: number, high: number): string {
  if (high === 0) return `lit64(${hex(low)})`;
  const isMandatory = name === 'imm';
  if (!isMandatory && high === ALL_ONES && low >= ALL_ONES + 1 + MIN_INLINE_INTEGER) return String(low | 0);
  const float = low === 0 ? F64_TEXTS.get(high) : undefined;
  if (!isMandatory && float !== undefined) return float;
  if (!isMandatory && high === INV_TWO_PI_F64_HIGH && low === INV_TWO_PI_F64_LOW) return INV_TWO_PI_F64;
  if ((isMandatory || described === 'f64') && low === 0) return hex(high);
  return `${hex(high)}${low.toString(16).padStart(8, '0')}`;
}

const ALL_ONES = 0xffffffff;
const INV_TWO_PI_F64_HIGH = 0x3fc45f30;
const INV_TWO_PI_F64_LOW = 0x6dc9c882;

/** Float operands are judged by the half that they read, integer operands by the whole literal. */
function isInlinable16(element: string, literal: number): boolean {
  if (element !== 'f' && element !== 'bf') return isInlinable32('', literal);
  const half = literal & 0xffff;
  return isInlineInteger((half << 16) >> 16) || (element === 'f' ? F16_PATTERNS.includes(half) : BF16_PATTERNS.includes(half));
}

function isInlinable32(type: string, literal: number): boolean {
  if (isInlineInteger(literal | 0)) return true;
  if (type === 'v2f16') return F16_PATTERNS.includes(literal);
  if (type === 'v2bf16') return BF16_PATTERNS.includes(literal);
  return F32_PATTERNS.includes(literal >>> 0);
}

function isInlineInteger(value: number): boolean {
  return value >= MIN_INLINE_INTEGER && value <= MAX_INLINE_INTEGER;
}
