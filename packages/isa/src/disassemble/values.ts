/** How llvm-mc prints registers, constants and literals (LLVM AMDGPUInstPrinter). */
import { inlineInteger } from '../decode/constants.js';
import type { DecodedOperand } from '../decode/decoded-operand.js';

/** Inline float constants by operand number from 240. */
const FLOATS = ['0.5', '-0.5', '1.0', '-1.0', '2.0', '-2.0', '4.0', '-4.0', '0.15915494'];
const INV_TWO_PI_F64 = '0.15915494309189532';
const FIRST_FLOAT = 240;
const INV_TWO_PI = 248;
/** f16 patterns of the inline floats: what 16-bit integer operands are printed with. */
const F16_PATTERNS = [0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118];
const F32_PATTERNS = new Set([
  0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000, 0xc0000000, 0x40800000, 0xc0800000, 0x3e22f983,
]);
const BF16_PATTERNS = new Set([0x3f00, 0xbf00, 0x3f80, 0xbf80, 0x4000, 0xc000, 0x4080, 0xc080, 0x3e22]);
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

/** Registers, constants and literals, without modifiers; immediates as plain numbers. `literal`: the dword as encoded. */
export function formatValue(operand: DecodedOperand, literal: number): string {
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
      return formatLiteral(operand, literal);
    case 'immediate':
      return String(operand.value);
  }
}

/** `v5`, `v[4:5]`, `v5.h`. */
function formatRegister({ index, bits, kind, isHighHalf }: DecodedOperand, prefix: string): string {
  const count = Math.ceil(bits / 32);
  if (count > 1) return `${prefix}[${index}:${index + count - 1}]`;
  const half = bits === 16 && kind === 'vgpr' ? (isHighHalf ? '.h' : '.l') : '';
  return `${prefix}${index}${half}`;
}

function formatInline({ code, bits, described }: DecodedOperand): string {
  const integer = inlineInteger(code);
  if (integer !== undefined) return String(integer);
  if (/^[iub]16$/.test(described)) return hex(F16_PATTERNS[code - FIRST_FLOAT] ?? 0);
  if (code === INV_TWO_PI && (bits === 64 || described === 'f64')) return INV_TWO_PI_F64;
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
  if (bits === 64) return literal >>> 0 <= MAX_INLINE_INTEGER ? `lit(${text})` : text;
  const scalar16 = /^(b?f|[iub])16$/.exec(described)?.[1];
  if (scalar16 === undefined && bits !== 16) return isInlinable32(described, literal) ? `lit(${text})` : text;
  const half = literal & 0xffff;
  return isInlinable16(scalar16 ?? '', literal) ? `lit(${text})` : hex(half);
}

/** Float operands are judged by the half that they read, integer operands by the whole literal. */
function isInlinable16(element: string, literal: number): boolean {
  if (element !== 'f' && element !== 'bf') return isInlinable32('', literal);
  const half = literal & 0xffff;
  return isInlineInteger((half << 16) >> 16) || (element === 'f' ? F16_PATTERNS.includes(half) : BF16_PATTERNS.has(half));
}

function isInlinable32(type: string, literal: number): boolean {
  if (isInlineInteger(literal | 0)) return true;
  if (type === 'v2f16') return F16_PATTERNS.includes(literal);
  if (type === 'v2bf16') return BF16_PATTERNS.has(literal);
  return F32_PATTERNS.has(literal >>> 0);
}

function isInlineInteger(value: number): boolean {
  return value >= MIN_INLINE_INTEGER && value <= MAX_INLINE_INTEGER;
}
