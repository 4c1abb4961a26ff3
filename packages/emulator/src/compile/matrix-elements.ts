/** Elements of matrix operands, four lanes at a time: from codes in dwords to f32 or integers, and results back to codes. */
import type { ElementFormat, SmallFloat } from '../matrix/element-format.js';
import { INTEGER_BITS, SMALL_FLOATS, isInteger, isSmallFloat } from '../matrix/element-format.js';
import type { ScaleFormat } from '../matrix/matrix-op.js';
import { OP } from '../wasm/opcodes.js';
import type { Dag } from './dag.js';
import { VECTOR_OPS, blend, shiftBy, type OpContext } from './vector-ops.js';

const NAN_F32 = 0x7fc0_0000;
const INFINITY_F32 = 0x7f80_0000;
const SIGN = 0x8000_0000 | 0;

/** The f32 bits of 2^exponent, for normal numbers. */
const power = (exponent: number): number => (exponent + 127) << 23;

/** Denormals become zeros of their sign. */
export function flushed({ dag }: OpContext, value: number): number {
  const isNormal = dag.binary(OP.i32x4Ne, dag.binary(OP.v128And, value, dag.splatConst(INFINITY_F32)), dag.splatConst(0));
  return dag.binary(OP.v128And, value, dag.binary(OP.v128Or, isNormal, dag.splatConst(SIGN)));
}

/** Every NaN becomes the default one. */
export function defaultNan(x: OpContext, value: number): number {
  return blend(x, x.dag.binary(OP.f32x4Ne, value, value), x.dag.splatConst(NAN_F32), value);
}

/** f32 of four codes in the low bits of dwords; the bits above are 0. */
function smallFloat(x: OpContext, format: SmallFloat, code: number): number {
  const { dag } = x;
  const { bits, exponentBits, mantissaBits, bias, specials } = format;
  const size = dag.binary(OP.v128And, code, dag.splatConst((1 << (bits - 1)) - 1));
  const sign = shiftBy(dag, OP.i32x4Shl, dag.binary(OP.v128And, code, dag.splatConst(1 << (bits - 1))), 32 - bits);
  const small = dag.binary(OP.f32x4Mul, dag.unary(OP.f32x4ConvertI32x4S, size), dag.splatConst(power(1 - bias - mantissaBits)));
  const normal = dag.binary(OP.i32x4Add, shiftBy(dag, OP.i32x4Shl, size, 23 - mantissaBits), dag.splatConst((127 - bias) << 23));
  let value = blend(x, dag.binary(OP.i32x4LtS, size, dag.splatConst(1 << mantissaBits)), small, normal);
  const largest = ((1 << exponentBits) - 1) << mantissaBits;
  if (specials === 'ieee') {
    const isSpecial = dag.binary(OP.i32x4GtS, size, dag.splatConst(largest - 1));
    value = dag.binary(OP.v128Or, value, dag.binary(OP.v128And, isSpecial, dag.splatConst(INFINITY_F32)));
  } else if (specials === 'fn') {
    const isNan = dag.binary(OP.i32x4Eq, size, dag.splatConst(largest | ((1 << mantissaBits) - 1)));
    value = blend(x, isNan, dag.splatConst(NAN_F32), value);
  }
  const signed = dag.binary(OP.v128Or, value, sign);
  if (specials !== 'fnuz') return signed;
  return blend(x, dag.binary(OP.i32x4Eq, code, dag.splatConst(1 << (bits - 1))), dag.splatConst(NAN_F32), signed);
}

/** Bits `first` … of the dwords `low`, going on in `high`, as a number. */
function codeAt(dag: Dag, low: number, high: number, first: number, width: number): number {
  const down = first === 0 ? low : shiftBy(dag, OP.i32x4ShrU, low, first);
  if (first + width === 32) return down;
  const whole = first + width > 32 ? dag.binary(OP.v128Or, down, shiftBy(dag, OP.i32x4Shl, high, 32 - first)) : down;
  return dag.binary(OP.v128And, whole, dag.splatConst((1 << width) - 1));
}

/** f32 of the elements at bit `first` of four dwords. */
export function floatElement(
  x: OpContext,
  format: ElementFormat,
  flush: boolean,
  { low, high, first }: { readonly low: number; readonly high: number; readonly first: number },
): number {
  const { dag } = x;
  if (!isSmallFloat(format)) {
    return format === 'xf32' ? dag.binary(OP.v128And, low, dag.splatConst(0xffff_e000 | 0)) : low;
  }
  if (format === 'bf16') {
    const value = first === 0 ? shiftBy(dag, OP.i32x4Shl, low, 16) : dag.binary(OP.v128And, low, dag.splatConst(0xffff_0000 | 0));
    return flush ? flushed(x, value) : value;
  }
  const code = codeAt(dag, low, high, first, SMALL_FLOATS[format].bits);
  if (format !== 'f16' || !flush) return smallFloat(x, SMALL_FLOATS[format], code);
  const isNormal = dag.binary(OP.i32x4Ne, dag.binary(OP.v128And, code, dag.splatConst(0x7c00)), dag.splatConst(0));
  return smallFloat(x, SMALL_FLOATS.f16, dag.binary(OP.v128And, code, dag.binary(OP.v128Or, isNormal, dag.splatConst(0x8000))));
}

/** i32 of the integers at bit `first` of four dwords. */
export function integerElement(dag: Dag, format: ElementFormat, dwords: number, first: number): number {
  const width = isInteger(format) ? INTEGER_BITS[format] : 32;
  const up = shiftBy(dag, OP.i32x4Shl, dwords, 32 - first - width);
  return shiftBy(dag, format.startsWith('s') ? OP.i32x4ShrS : OP.i32x4ShrU, up, 32 - width);
}

/** 16-bit integers of the elements at bit `first` of each half of four dwords. */
export function integerPair(dag: Dag, format: ElementFormat, dwords: number, first: number): number {
  const width = isInteger(format) ? INTEGER_BITS[format] : 16;
  const up = shiftBy(dag, OP.i16x8Shl, dwords, 16 - first - width);
  return shiftBy(dag, format.startsWith('s') ? OP.i16x8ShrS : OP.i16x8ShrU, up, 16 - width);
}

/** f32 of scale factors: byte `byte` of four dwords. */
export function scaleFactor(x: OpContext, format: ScaleFormat, dwords: number, byte: number): number {
  const { dag } = x;
  const code = codeAt(dag, dwords, dwords, 8 * byte, 8);
  if (format === 'e4m3') return smallFloat(x, SMALL_FLOATS.fp8, code);
  if (format === 'e5m3') {
    // As a format of nine bits whose sign is 0: all ones is NaN.
    return smallFloat(x, { bits: 9, exponentBits: 5, mantissaBits: 3, bias: 15, specials: 'fn' }, code);
  }
  const value = shiftBy(dag, OP.i32x4Shl, code, 23);
  const smallest = blend(x, dag.binary(OP.i32x4Eq, code, dag.splatConst(0)), dag.splatConst(0x0040_0000), value);
  return blend(x, dag.binary(OP.i32x4Eq, code, dag.splatConst(255)), dag.splatConst(NAN_F32), smallest);
}

/** The 16-bit code of an f32 result, in the low half. */
export function halfResult(x: OpContext, format: 'f16' | 'bf16', value: number): number {
  const { dag } = x;
  if (format === 'f16') return VECTOR_OPS.f32ToF16?.(x, value, -1, -1) ?? value;
  const odd = dag.binary(OP.v128And, shiftBy(dag, OP.i32x4ShrU, value, 16), dag.splatConst(1));
  const rounded = dag.binary(OP.i32x4Add, dag.binary(OP.i32x4Add, value, dag.splatConst(0x7fff)), odd);
  const isNan = dag.binary(OP.f32x4Ne, value, value);
  return shiftBy(dag, OP.i32x4ShrU, blend(x, isNan, dag.splatConst(NAN_F32), rounded), 16);
}
