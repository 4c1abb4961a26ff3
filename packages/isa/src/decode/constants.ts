/** Inline constants and literals as the operand's type sees them. */

/** f32, f16, bf16 patterns and high dword of the f64 pattern, by operand number 240…248 (AMD ISA documents, "Operand encoding"). */
const FLOAT_CONSTANTS: readonly (readonly [f32: number, f16: number, bf16: number, f64High: number])[] = [
  [0x3f000000, 0x3800, 0x3f00, 0x3fe00000], // 0.5
  [0xbf000000, 0xb800, 0xbf00, 0xbfe00000],
  [0x3f800000, 0x3c00, 0x3f80, 0x3ff00000], // 1
  [0xbf800000, 0xbc00, 0xbf80, 0xbff00000],
  [0x40000000, 0x4000, 0x4000, 0x40000000], // 2
  [0xc0000000, 0xc000, 0xc000, 0xc0000000],
  [0x40800000, 0x4400, 0x4080, 0x40100000], // 4
  [0xc0800000, 0xc400, 0xc080, 0xc0100000],
  [0x3e22f983, 0x3118, 0x3e22, 0x3fc45f30], // 1/(2*pi)
];
/** Low dword of the f64 pattern of 1/(2*pi); the other constants have 0. */
const INV_TWO_PI_F64_LOW = 0x6dc9c882;
const INV_TWO_PI_CODE = 248;

/** A value's bits in two dwords, unsigned. */
export type DwordPair = readonly [low: number, high: number];

/** The value of an integer inline constant: 128…192 are 0…64, 193…208 are -1…-16; undefined for other operand numbers. */
export function inlineInteger(code: number): number | undefined {
  if (code >= 128 && code <= 192) return code - 128;
  if (code >= 193 && code <= 208) return 192 - code;
  return undefined;
}

export function isInlineFloat(code: number): boolean {
  return code >= 240 && code <= INV_TWO_PI_CODE;
}

/**
 * The bits of an inline constant for an operand of this type and width. Integers are sign-extended and keep their pattern in
 * float operands. Floats take the operand's format; an integer operand of 16 bits sees the low half of the f32 pattern, a packed
 * 16-bit integer operand the whole f32 pattern.
 */
export function inlineConstant(code: number, type: string, bits: number): DwordPair {
  const integer = inlineInteger(code);
  if (integer !== undefined) {
    const low = bits === 16 ? integer & 0xffff : integer >>> 0;
    return [low, bits >= 64 && integer < 0 ? 0xffffffff : 0];
  }
  const constant = FLOAT_CONSTANTS[code - 240];
  if (!constant) return [0, 0];
  const [f32, f16, bf16, f64High] = constant;
  const element = elementType(type);
  if (element === 'f16') return [f16, 0];
  if (element === 'bf16') return [bf16, 0];
  if (element === 'f32' || element === 'i32' || element === 'u32') return [f32, 0];
  if (element === 'f64' || bits === 64) return [code === INV_TWO_PI_CODE ? INV_TWO_PI_F64_LOW : 0, f64High];
  return [bits === 16 ? f32 & 0xffff : f32, 0];
}

/** A 32-bit literal extended for the operand: f64 takes it as the high dword, i64 sign-extends, other 64-bit types zero-extend. */
export function extendLiteral(literal: number, type: string, bits: number): DwordPair {
  const value = literal >>> 0;
  if (bits === 64) {
    if (type === 'f64') return [0, value];
    return [value, type === 'i64' && literal < 0 ? 0xffffffff : 0];
  }
  return [isScalar16(type, bits) ? value & 0xffff : value, 0];
}

/** Whether the operand reads 16 bits: by width, or a 16-bit type described with a whole register. */
function isScalar16(type: string, bits: number): boolean {
  return bits === 16 || type === 'f16' || type === 'i16' || type === 'u16' || type === 'b16' || type === 'bf16';
}

/** `v2f16` → `f16`. */
function elementType(type: string): string {
  return type.replace(/^v\d+/, '');
}
