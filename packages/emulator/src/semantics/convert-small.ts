/** Conversions between f32 or f16 and 8-bit floats, and dot products of 8-bit floats (semantics.md §12). */
import type { Operand } from '@doorbell/isa';
import type { Value } from '../ir/block.js';
import type { WaveBuilder } from '../ir/wave-builder.js';
import { SMALL_FLOATS, type SmallFloat } from '../matrix/element-format.js';
import { absF32, flushDenormalF32, isNaNF32 } from './float-bits.js';
import type { Operation, Semantic } from './operation.js';
import { narrowToF16 } from './rounding.js';

type Name = 'fp8' | 'bf8';

/** gfx942 has formats without infinities and -0; all others those of OCP. */
function formatOf({ generation }: Operation, name: Name): SmallFloat {
  const isFnuz = generation.family === 'gfx940' && !generation.processor.startsWith('gfx95');
  return SMALL_FLOATS[isFnuz ? (name === 'fp8' ? 'fp8fnuz' : 'bf8fnuz') : name];
}

/** The f32 bits of 2^exponent. */
const power = (exponent: number): number => (exponent + 127) << 23;

/** f32 of a code in the low bits; bits above the code are ignored. */
export function fromSmall(b: WaveBuilder, { bits, exponentBits, mantissaBits, bias, specials }: SmallFloat, code: Value): Value {
  const size = b.op('and32', code, b.i32((1 << (bits - 1)) - 1));
  const sign = b.op('shl32', b.op('and32', code, b.i32(1 << (bits - 1))), b.i32(32 - bits));
  const small = b.op('mulF32', b.op('s32ToF32', size), b.i32(power(1 - bias - mantissaBits)));
  const normal = b.op('add32', b.op('shl32', size, b.i32(23 - mantissaBits)), b.i32((127 - bias) << 23));
  let value = b.op('select32', b.op('ltU32', size, b.i32(1 << mantissaBits)), small, normal);
  const largest = ((1 << exponentBits) - 1) << mantissaBits;
  if (specials === 'ieee') {
    value = b.op('select32', b.op('ltU32', size, b.i32(largest)), value, b.i32(0x7f80_0000));
    value = b.op('select32', b.op('ltU32', b.i32(largest), size), b.i32(0x7fc0_0000), value);
  } else if (specials === 'fn') {
    const isNan = b.op('eq32', size, b.i32(largest | ((1 << mantissaBits) - 1)));
    value = b.op('select32', isNan, b.i32(0x7fc0_0000), value);
  }
  const signed = b.op('or32', value, sign);
  if (specials !== 'fnuz') return signed;
  const isNan = b.op('eq32', b.op('and32', code, b.i32((1 << bits) - 1)), b.i32(1 << (bits - 1)));
  return b.op('select32', isNan, b.i32(0x7fc0_0000), signed);
}

/**
 * Rounding to a small float: to nearest even, or with random bits added below the last place and then cut off. The last place is that
 * of the number before its exponent is limited to the format's, as AMD's pseudo-code of V_CVT_SR_FP8_F32 has it, or that of the
 * result (`ofResult`), as AMD's host functions for the scaled conversions do it (HIP, amd_hip_ocp_host.hpp, from_float_sr).
 */
type SmallRounding = 'nearest' | { readonly random: Value; readonly ofResult?: boolean };

/**
 * The code of an f32 in a small float. Too large: the largest number if `saturates` or where the format has numbers only, else infinity
 * or NaN; a NaN of a format without one is the largest number. `isNumber`: false for infinities, which saturate in formats without them.
 */
export function toSmall(
  b: WaveBuilder,
  format: SmallFloat,
  value: Value,
  rounding: SmallRounding,
  saturates: boolean,
  isNumber: Value = b.op('ltU32', absF32(b, value), b.i32(0x7f80_0000)),
): Value {
  const { bits, exponentBits, mantissaBits, specials } = format;
  const size = absF32(b, value);
  const sign = b.op('shrU32', b.op('and32', value, b.i32(0x8000_0000)), b.i32(32 - bits));
  const code = rounding === 'nearest' ? nearestCode(b, format, size) : stochasticCode(b, format, size, rounding);
  const top = (1 << (exponentBits + mantissaBits)) - 1;
  const infinity = ((1 << exponentBits) - 1) << mantissaBits;
  const largest = specials === 'ieee' ? infinity - 1 : specials === 'fn' ? top - 1 : top;
  const nan = specials === 'fnuz' ? b.i32(1 << (bits - 1)) : b.op('or32', b.i32(top), sign);
  const beyond = specials === 'ieee' ? b.op('or32', b.i32(infinity), sign) : nan;
  const over = saturates ? b.op('select32', isNumber, b.op('or32', b.i32(largest), sign), beyond) : beyond;
  let signed = b.op('or32', code, sign);
  // No code for -0.
  if (specials === 'fnuz') signed = b.op('select32', b.op('eq32', code, b.i32(0)), b.i32(0), signed);
  const isFinite = b.op('ltU32', size, b.i32(0x7f80_0000));
  const fits = b.op('and', isFinite, b.op('not', b.op('ltU32', b.i32(largest), code)));
  return b.op('select32', isNaNF32(b, value), nan, b.op('select32', fits, signed, over));
}

/** The code nearest to a positive number; above the largest one where it does not fit. */
function nearestCode(b: WaveBuilder, { mantissaBits, bias }: SmallFloat, size: Value): Value {
  const cut = 23 - mantissaBits;
  const odd = b.op('and32', b.op('shrU32', size, b.i32(cut)), b.i32(1));
  const biased = b.op('add32', b.op('add32', size, b.i32((1 << (cut - 1)) - 1)), odd);
  const normal = b.op('sub32', b.op('shrU32', biased, b.i32(cut)), b.i32((127 - bias) << mantissaBits));
  // The unit of this number's last place is the denormals' unit.
  const unit = b.i32(power(24 - bias - mantissaBits));
  const small = b.op('sub32', b.op('addF32', size, unit), unit);
  return b.op('select32', b.op('ltU32', size, b.i32(power(1 - bias))), small, normal);
}

function stochasticCode(
  b: WaveBuilder,
  { mantissaBits, bias }: SmallFloat,
  size: Value,
  { random, ofResult = false }: Exclude<SmallRounding, 'nearest'>,
): Value {
  const cut = 23 - mantissaBits;
  const added = b.op('shrU32', random, b.i32(32 - cut));
  const sum = b.op('add32', size, added);
  const normal = b.op('sub32', b.op('shrU32', sum, b.i32(cut)), b.i32((127 - bias) << mantissaBits));
  const smallest = b.i32(power(1 - bias));
  if (!ofResult) {
    const small = b.op('f32ToU32', b.op('mulF32', sum, b.i32(power(bias + mantissaBits - 1))));
    return b.op('select32', b.op('ltU32', sum, smallest), small, normal);
  }
  // The smallest normal number has bit 23 of this, as an f32's mantissa.
  const fixed = b.op('f32ToU32', b.op('mulF32', size, b.i32(power(bias + 22))));
  const small = b.op('shrU32', b.op('add32', fixed, added), b.i32(cut));
  return b.op('select32', b.op('ltU32', size, smallest), small, normal);
}

/** MODE.FP16_OVFL. gfx1250's clamp of conversions to and from fp8 means another format (LLVM, v_cvt_pk_fp8_f32_e5m3). */
function saturates(o: Operation): boolean {
  if (o.immediate('clamp') === 1) o.unsupported(`${o.name} with clamp: the format E5M3`);
  return o.b.mode.fp16Overflow;
}

/** The byte that byte_sel names; SDWA has already chosen. */
function byteOf(o: Operation): Value {
  return o.b.op('shrU32', o.read32(o.source(0)), o.b.i32(8 * o.immediate('byte_sel')));
}

/** The half of a source with two 8-bit floats. */
function wordOf(o: Operation): Value {
  const operand = o.source(0);
  const value = o.read32(operand);
  return operand.opSel || operand.isHighHalf ? o.b.op('shrU32', value, o.b.i32(16)) : value;
}

function one(name: Name): Semantic {
  return (o) => {
    if (o.immediate('clamp') === 1) o.unsupported(`${o.name} with clamp: the format E5M3`);
    o.setF32(fromSmall(o.b, formatOf(o, name), byteOf(o)));
  };
}

/** f16 of a code; every number has one. */
const asF16 = (o: Operation, name: Name, code: Value): Value => narrowToF16(o.b, fromSmall(o.b, formatOf(o, name), code));

function oneF16(name: Name): Semantic {
  return (o) => {
    o.set16(asF16(o, name, byteOf(o)));
  };
}

function twoF16(name: Name): Semantic {
  return (o) => {
    const { b } = o;
    const word = wordOf(o);
    const high = asF16(o, name, b.op('shrU32', word, b.i32(8)));
    o.set32(b.op('or32', asF16(o, name, word), b.op('shl32', high, b.i32(16))));
  };
}

function two(name: Name): Semantic {
  return (o) => {
    const { b } = o;
    const word = wordOf(o);
    o.set32(fromSmall(b, formatOf(o, name), word), o.result(), 0);
    o.set32(fromSmall(b, formatOf(o, name), b.op('shrU32', word, b.i32(8))), o.result(), 1);
  };
}

/** Two codes into a half of the result: that of op_sel[3]. */
function pack(name: Name): Semantic {
  return (o) => {
    const { b } = o;
    const code = (n: number): Value => toSmall(b, formatOf(o, name), o.f32Unflushed(o.source(n)), 'nearest', saturates(o));
    const word = b.op('or32', code(0), b.op('shl32', code(1), b.i32(8)));
    const result = o.result();
    o.set16(word, result, result.opSel || result.isHighHalf ? 'high' : 'low');
  };
}

/** A half of a source with two f16, as f32. */
function halfOf(o: Operation, part: 0 | 1): Value {
  const { b } = o;
  const operand = o.source(0);
  if (operand.neg || operand.abs || operand.opSel) o.unsupported(`${o.name} with a modifier of its pair`);
  const bits = o.read32(operand);
  return b.op('f16ToF32', b.op('and32', part === 1 ? b.op('shrU32', bits, b.i32(16)) : bits, b.i32(0xffff)));
}

/** Two f16 of one source, into a half of the result. */
function packF16(name: Name): Semantic {
  return (o) => {
    const { b } = o;
    const code = (part: 0 | 1): Value => toSmall(b, formatOf(o, name), halfOf(o, part), 'nearest', saturates(o));
    o.set16(b.op('or32', code(0), b.op('shl32', code(1), b.i32(8))));
  };
}

/** One code into a byte of the result; the random bits are the high ones of source 1. */
function stochastic(name: Name, read: (o: Operation) => Value): Semantic {
  return (o) => {
    const { b } = o;
    const rounding = { random: o.read32(o.source(1)) };
    const code = toSmall(b, formatOf(o, name), read(o), rounding, saturates(o));
    const shift = 8 * resultByte(o);
    const kept = b.op('and32', o.old32(), b.i32(~(0xff << shift) >>> 0));
    o.set32(b.op('or32', kept, b.op('shl32', code, b.i32(shift))));
  };
}

/** CDNA: op_sel[3:2], bits 14 and 13 of the encoding (op_sel[2] has no operand); later a field of its own. */
function resultByte(o: Operation): number {
  const own = o.find('byte_sel');
  return own === undefined ? ((o.instruction.words[0] ?? 0) >>> 13) & 3 : own.value;
}

/** f32 sum of four products; denormals are zeros, as in the other dot products. */
function dot4(first: Name, second: Name): Semantic {
  return (o) => {
    const { b } = o;
    const element = (operand: Operand, name: Name, n: number): Value =>
      fromSmall(b, formatOf(o, name), b.op('shrU32', o.read32(operand), b.i32(8 * n)));
    let sum = flushDenormalF32(b, o.f32Unflushed(o.source(2)));
    for (let n = 0; n < 4; n++) {
      sum = flushDenormalF32(b, b.op('fmaF32', element(o.source(0), first, n), element(o.source(1), second, n), sum));
    }
    o.set32(sum);
  };
}

const fromF32 = (o: Operation): Value => o.f32Unflushed(o.source(0));
const fromF16 = (o: Operation): Value => o.b.op('f16ToF32', o.f16Unflushed(o.source(0)));

export const CONVERT_SMALL: Readonly<Record<string, Semantic>> = {
  v_cvt_f32_fp8: one('fp8'),
  v_cvt_f32_bf8: one('bf8'),
  v_cvt_pk_f32_fp8: two('fp8'),
  v_cvt_pk_f32_bf8: two('bf8'),
  v_cvt_pk_fp8_f32: pack('fp8'),
  v_cvt_pk_bf8_f32: pack('bf8'),
  v_cvt_sr_fp8_f32: stochastic('fp8', fromF32),
  v_cvt_sr_bf8_f32: stochastic('bf8', fromF32),
  v_cvt_f16_fp8: oneF16('fp8'),
  v_cvt_f16_bf8: oneF16('bf8'),
  v_cvt_pk_f16_fp8: twoF16('fp8'),
  v_cvt_pk_f16_bf8: twoF16('bf8'),
  v_cvt_pk_fp8_f16: packF16('fp8'),
  v_cvt_pk_bf8_f16: packF16('bf8'),
  v_cvt_sr_fp8_f16: stochastic('fp8', fromF16),
  v_cvt_sr_bf8_f16: stochastic('bf8', fromF16),
  v_dot4_f32_fp8_fp8: dot4('fp8', 'fp8'),
  v_dot4_f32_fp8_bf8: dot4('fp8', 'bf8'),
  v_dot4_f32_bf8_fp8: dot4('bf8', 'fp8'),
  v_dot4_f32_bf8_bf8: dot4('bf8', 'bf8'),
};
