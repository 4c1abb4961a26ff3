/** Packed 16-bit operations, mixed-precision fused multiply-add and dot products (semantics.md §12). */
import type { Operand } from '@doorbell/isa';
import type { Value } from '../ir/block.js';
import type { OpName } from '../ir/ops.js';
import type { WaveBuilder } from '../ir/wave-builder.js';
import { absF32, flushDenormalF32, flushF16, flushF32, isNaNF32, negF16, negF32, quietF32 } from './float-bits.js';
import { extremeF16 } from './min-max.js';
import { minimumF16 } from './minimum.js';
import type { Operation, Semantic } from './operation.js';
import type { Integer16 } from './valu-16.js';
import { addF16, fmaF16, fmaF32, mulF16, narrowToF16 } from './rounding.js';
import { saturate16, SIGNED_16, UNSIGNED_16 } from './valu-16.js';

/** The low or the high result. */
type Part = 0 | 1;

/** A half of a packed source, 16 bits: op_sel for the low result, op_sel_hi for the high one. */
function half(o: Operation, n: number, part: Part): Value {
  const { b } = o;
  const operand = o.source(n);
  const isHigh = part === 0 ? operand.opSel : operand.opSelHi;
  const value = o.read32(operand);
  return isHigh ? b.op('shrU32', value, b.i32(16)) : b.op('and32', value, b.i32(0xffff));
}

/** An f16 half: negated by neg_lo or neg_hi, denormals flushed. */
function floatHalf(o: Operation, n: number, part: Part): Value {
  const operand = o.source(n);
  const value = half(o, n, part);
  const isNegated = part === 0 ? operand.neg : operand.abs;
  return flushF16(o.b, isNegated ? negF16(o.b, value) : value, 'input');
}

function join(b: WaveBuilder, low: Value, high: Value): Value {
  return b.op('or32', b.op('and32', low, b.i32(0xffff)), b.op('shl32', high, b.i32(16)));
}

function each(f: (o: Operation, part: Part) => Value): Semantic {
  return (o) => {
    o.set32(join(o.b, f(o, 0), f(o, 1)));
  };
}

/** Integers of 16 bits; without clamp the result wraps. */
function integers(type: Integer16, f: (b: WaveBuilder, x: Value, y: Value) => Value): Semantic {
  return each((o, part) => {
    const { b } = o;
    const [x, y] = [type.extend(b, half(o, 0, part)), type.extend(b, half(o, 1, part))];
    return saturate16(b, f(b, x, y), type, o.immediate('clamp'));
  });
}

const two = (type: Integer16, op: OpName): Semantic => integers(type, (b, x, y) => b.op(op, x, y));

/** Three integers of 16 bits; the first two become one by `first`, saturated with clamp, and that and the third one by `second`. */
function chained(type: Integer16, first: OpName, second: OpName): Semantic {
  return each((o, part) => {
    const { b } = o;
    const [x, y, z] = [0, 1, 2].map((n) => type.extend(b, half(o, n, part)));
    if (x === undefined || y === undefined || z === undefined) return b.i32(0);
    const joined = b.op('and32', saturate16(b, b.op(first, x, y), type, o.immediate('clamp')), b.i32(0xffff));
    return b.op(second, type.extend(b, joined), z);
  });
}

function multiplyAdd(type: Integer16): Semantic {
  return each((o, part) => {
    const { b } = o;
    if (o.immediate('clamp') === 1) o.unsupported(`clamp of ${o.name}`);
    const product = b.op('mul32', half(o, 0, part), half(o, 1, part));
    return type.extend(b, b.op('add32', product, half(o, 2, part)));
  });
}

/** The amount is S0, modulo 16. */
function shift(op: OpName, type: Integer16): Semantic {
  return each((o, part) => {
    const { b } = o;
    return b.op(op, type.extend(b, half(o, 1, part)), b.op('and32', half(o, 0, part), b.i32(15)));
  });
}

function floats(f: (o: Operation, part: Part) => Value): Semantic {
  return each((o, part) => o.outputF16(f(o, part)));
}

const arithmetic = (f: (b: WaveBuilder, x: Value, y: Value) => Value): Semantic =>
  floats((o, part) => f(o.b, floatHalf(o, 0, part), floatHalf(o, 1, part)));

const extremes = (op: 'minNumF32' | 'maxNumF32'): Semantic =>
  floats((o, part) => extremeF16(o.b, op, floatHalf(o, 0, part), floatHalf(o, 1, part)));

/** Minimum or maximum that passes NaNs on. */
const minimum = (which: 'min' | 'max'): Semantic =>
  floats((o, part) => minimumF16(o.b, which, floatHalf(o, 0, part), floatHalf(o, 1, part)));

/** The smallest or largest of three, by a rule for two. */
const threeFloats = (f: (b: WaveBuilder, x: Value, y: Value) => Value): Semantic =>
  floats((o, part) => f(o.b, f(o.b, floatHalf(o, 0, part), floatHalf(o, 1, part)), floatHalf(o, 2, part)));

/** A source of v_fma_mix: with op_sel_hi an f16 half, else an f32. The neg_hi field means abs. */
function mixSource(o: Operation, operand: Operand): Value {
  const { b } = o;
  const bits = o.read32(operand);
  let value = bits;
  if (operand.opSelHi) {
    const selected = operand.opSel ? b.op('shrU32', bits, b.i32(16)) : b.op('and32', bits, b.i32(0xffff));
    value = b.op('f16ToF32', flushF16(b, selected, 'input'));
  } else value = flushF32(b, value, 'input');
  if (operand.abs) value = absF32(b, value);
  return operand.neg ? negF32(b, value) : value;
}

function mixed(o: Operation): Value {
  const [x, y, z] = [0, 1, 2].map((n) => mixSource(o, o.source(n)));
  if (x === undefined || y === undefined || z === undefined) return o.b.i32(0);
  return fmaF32(o.b, x, y, z);
}

/** One half of the result, the other stays. */
function mixHalf(part: 'low' | 'high'): Semantic {
  return (o) => {
    o.set16(o.outputF16(narrowToF16(o.b, flushF32(o.b, mixed(o), 'output'))), o.result(), part);
  };
}

/** Sum of products of f16 or bf16 pairs onto an f32; f32 denormals are always flushed. */
function dot2(o: Operation, widen: (o: Operation, n: number, part: Part) => Value, addend: Value): Value {
  const { b } = o;
  let sum = flushDenormalF32(b, addend);
  for (const part of [0, 1] as const) {
    sum = flushDenormalF32(b, b.op('fmaF32', widen(o, 0, part), widen(o, 1, part), sum));
  }
  return sum;
}

const wideF16 = (o: Operation, n: number, part: Part): Value => o.b.op('f16ToF32', floatHalf(o, n, part));
const wideBf16 = (o: Operation, n: number, part: Part): Value => {
  const { b } = o;
  const operand = o.source(n);
  const value = b.op('shl32', half(o, n, part), b.i32(16));
  return (part === 0 ? operand.neg : operand.abs) ? negF32(b, value) : value;
};

/** Sum of products of f16 pairs onto an f16, one rounding after each. */
function dot2F16(o: Operation): Value {
  const { b } = o;
  const low = (n: number): Value => flushF16(b, b.op('and32', o.u32(n), b.i32(0xffff)), 'input');
  const high = (n: number): Value => flushF16(b, b.op('shrU32', o.u32(n), b.i32(16)), 'input');
  return fmaF16(b, high(0), high(1), fmaF16(b, low(0), low(1), o.f16(2)));
}

/** f32 → bf16 bits, to nearest even; NaNs stay NaNs. */
function roundToBf16(b: WaveBuilder, value: Value): Value {
  const last = b.op('and32', b.op('shrU32', value, b.i32(16)), b.i32(1));
  const rounded = b.op('add32', value, b.op('add32', last, b.i32(0x7fff)));
  return b.op('shrU32', b.op('select32', isNaNF32(b, value), quietF32(b, value), rounded), b.i32(16));
}

/** The same of bf16: products are exact in f32. */
function dot2Bf16(o: Operation): Value {
  const { b } = o;
  return [0, 1].reduce((sum, part) => {
    const side: Part = part === 0 ? 0 : 1;
    const total = b.op('fmaF32', plainBf16(o, 0, side), plainBf16(o, 1, side), b.op('shl32', sum, b.i32(16)));
    return roundToBf16(b, total);
  }, o.u16(2));
}

/** VOP2 and VOPD forms have no op_sel: low with low, high with high. */
const plainF16 = (o: Operation, n: number, part: Part): Value => {
  const { b } = o;
  const bits = o.u32(n);
  const value = part === 1 ? b.op('shrU32', bits, b.i32(16)) : b.op('and32', bits, b.i32(0xffff));
  return b.op('f16ToF32', flushF16(b, value, 'input'));
};
const plainBf16 = (o: Operation, n: number, part: Part): Value => {
  const { b } = o;
  const bits = o.u32(n);
  return part === 1 ? b.op('and32', bits, b.i32(0xffff_0000)) : b.op('shl32', bits, b.i32(16));
};

/** Third source, or the result's register. */
type Addend = (o: Operation) => Value;
const source2: Addend = (o) => o.u32(2);
const accumulator: Addend = (o) => o.old32();

/** These have no op_sel for their pairs, and what sign modifiers mean to a pair is not documented. */
function plainDot(semantic: Semantic): Semantic {
  return (o) => {
    if (o.sources.some(({ neg, abs }) => neg || abs)) o.unsupported(`sign modifiers of ${o.name}`);
    semantic(o);
  };
}

/** Products of 8 or 4 bit integers; a source is signed where its neg bit says so (`mixed`), always or never. */
function dotIntegers(bits: 8 | 4, signs: 'mixed' | 'signed' | 'unsigned', addendOf: Addend = source2): Semantic {
  return (o) => {
    const { b } = o;
    const element = (n: number, index: number): Value => {
      const top = b.op('shl32', o.u32(n), b.i32(32 - bits * (index + 1)));
      const isSigned = signs === 'signed' || (signs === 'mixed' && o.source(n).neg);
      return b.op(isSigned ? 'shrS32' : 'shrU32', top, b.i32(32 - bits));
    };
    let sum = b.i32(0);
    for (let index = 0; index < 32 / bits; index++) {
      sum = b.op('add32', sum, b.op('mul32', element(0, index), element(1, index)));
    }
    const addend = addendOf(o);
    const total = b.op('add32', sum, addend);
    if (o.immediate('clamp') !== 1) {
      o.set32(total);
      return;
    }
    if (signs === 'unsigned') {
      o.set32(b.op('select32', b.op('ltU32', total, addend), b.i32(0xffff_ffff), total));
      return;
    }
    const changed = b.op('and32', b.op('xor32', sum, total), b.op('xor32', addend, total));
    const bound = b.op('xor32', b.op('shrS32', addend, b.i32(31)), b.i32(0x7fff_ffff));
    o.set32(b.op('select32', b.op('ltS32', changed, b.i32(0)), bound, total));
  };
}

/** Products of two pairs of 16-bit integers and a third number, exact in 64 bits, then cut off or saturated. */
function dot2Integers(type: 'U' | 'S', read: (o: Operation, n: number, part: Part) => Value, addendOf: Addend): Semantic {
  return (o) => {
    const { b } = o;
    const extend = (value: Value): Value =>
      type === 'S' ? b.op('shrS32', b.op('shl32', value, b.i32(16)), b.i32(16)) : b.op('and32', value, b.i32(0xffff));
    const wide = (value: Value): Value => b.op('pack64', value, type === 'S' ? b.op('shrS32', value, b.i32(31)) : b.i32(0));
    let sum = wide(addendOf(o));
    for (const part of [0, 1] as const) {
      sum = b.op('add64', sum, b.op(`mulWide${type}32`, extend(read(o, 0, part)), extend(read(o, 1, part))));
    }
    const [low, high] = [b.op('low64', sum), b.op('high64', sum)];
    if (o.immediate('clamp') !== 1) {
      o.set32(low);
      return;
    }
    const fits = b.op('eq32', high, type === 'S' ? b.op('shrS32', low, b.i32(31)) : b.i32(0));
    const bound = type === 'S' ? b.op('xor32', b.op('shrS32', high, b.i32(31)), b.i32(0x7fff_ffff)) : b.i32(0xffff_ffff);
    o.set32(b.op('select32', fits, low, bound));
  };
}

const plain = (o: Operation, n: number, part: Part): Value => (part === 1 ? o.b.op('shrU32', o.u32(n), o.b.i32(16)) : o.u32(n));

export const VALU_PACKED: Readonly<Record<string, Semantic>> = {
  v_pk_add_u16: two(UNSIGNED_16, 'add32'),
  v_pk_add_i16: two(SIGNED_16, 'add32'),
  v_pk_sub_u16: two(UNSIGNED_16, 'sub32'),
  v_pk_sub_i16: two(SIGNED_16, 'sub32'),
  v_pk_mul_lo_u16: (o) => {
    if (o.immediate('clamp') === 1) o.unsupported('clamp of v_pk_mul_lo_u16');
    two(UNSIGNED_16, 'mul32')(o);
  },
  v_pk_min_u16: two(UNSIGNED_16, 'minU32'),
  v_pk_max_u16: two(UNSIGNED_16, 'maxU32'),
  v_pk_min_i16: two(SIGNED_16, 'minS32'),
  v_pk_max_i16: two(SIGNED_16, 'maxS32'),
  v_pk_mad_u16: multiplyAdd(UNSIGNED_16),
  v_pk_mad_i16: multiplyAdd(SIGNED_16),
  v_pk_lshlrev_b16: shift('shl32', UNSIGNED_16),
  v_pk_lshrrev_b16: shift('shrU32', UNSIGNED_16),
  v_pk_ashrrev_i16: shift('shrS32', SIGNED_16),
  v_pk_add_f16: arithmetic(addF16),
  v_pk_mul_f16: arithmetic(mulF16),
  v_pk_min_f16: extremes('minNumF32'),
  v_pk_max_f16: extremes('maxNumF32'),
  v_pk_fma_f16: floats((o, part) => fmaF16(o.b, floatHalf(o, 0, part), floatHalf(o, 1, part), floatHalf(o, 2, part))),
  v_pk_fmac_f16: each((o, part) => {
    const { b } = o;
    const [x, y] = [o.u32(0), o.u32(1)];
    const of = (value: Value): Value => {
      const bits = part === 1 ? b.op('shrU32', value, b.i32(16)) : b.op('and32', value, b.i32(0xffff));
      return flushF16(b, bits, 'input');
    };
    return o.outputF16(fmaF16(b, of(x), of(y), of(o.old32())));
  }),
  v_pk_min3_i16: chained(SIGNED_16, 'minS32', 'minS32'),
  v_pk_max3_i16: chained(SIGNED_16, 'maxS32', 'maxS32'),
  v_pk_min3_u16: chained(UNSIGNED_16, 'minU32', 'minU32'),
  v_pk_max3_u16: chained(UNSIGNED_16, 'maxU32', 'maxU32'),
  v_pk_add_min_i16: chained(SIGNED_16, 'add32', 'minS32'),
  v_pk_add_max_i16: chained(SIGNED_16, 'add32', 'maxS32'),
  v_pk_add_min_u16: chained(UNSIGNED_16, 'add32', 'minU32'),
  v_pk_add_max_u16: chained(UNSIGNED_16, 'add32', 'maxU32'),
  v_pk_min3_num_f16: threeFloats((b, x, y) => extremeF16(b, 'minNumF32', x, y)),
  v_pk_max3_num_f16: threeFloats((b, x, y) => extremeF16(b, 'maxNumF32', x, y)),
  v_pk_minimum3_f16: threeFloats((b, x, y) => minimumF16(b, 'min', x, y)),
  v_pk_maximum3_f16: threeFloats((b, x, y) => minimumF16(b, 'max', x, y)),
  v_pk_minimum_f16: minimum('min'),
  v_pk_maximum_f16: minimum('max'),
  v_fma_mix_f32: (o) => {
    o.setF32(mixed(o));
  },
  v_fma_mixlo_f16: mixHalf('low'),
  v_fma_mixhi_f16: mixHalf('high'),
  v_dot2_f32_f16: (o) => {
    o.setF32(dot2(o, wideF16, o.f32(2)));
  },
  v_dot2_f32_bf16: (o) => {
    o.setF32(dot2(o, wideBf16, o.f32(2)));
  },
  v_dot2_f16_f16: plainDot((o) => {
    o.setF16(dot2F16(o));
  }),
  v_dot2_bf16_bf16: plainDot((o) => {
    o.set16(dot2Bf16(o));
  }),
  v_dot2acc_f32_f16: (o) => {
    o.setF32(dot2(o, plainF16, o.old32()));
  },
  v_dot2acc_f32_bf16: (o) => {
    o.setF32(dot2(o, plainBf16, o.old32()));
  },
  v_dot4_i32_iu8: dotIntegers(8, 'mixed'),
  v_dot2_i32_i16: dot2Integers('S', half, source2),
  v_dot2_u32_u16: dot2Integers('U', half, source2),
  v_dot2c_i32_i16: dot2Integers('S', plain, accumulator),
  v_dot4_i32_i8: dotIntegers(8, 'signed'),
  v_dot8_i32_i4: dotIntegers(4, 'signed'),
  v_dot4c_i32_i8: dotIntegers(8, 'signed', accumulator),
  v_dot8c_i32_i4: dotIntegers(4, 'signed', accumulator),
  v_dot4_u32_u8: dotIntegers(8, 'unsigned'),
  v_dot8_i32_iu4: dotIntegers(4, 'mixed'),
  v_dot8_u32_u4: dotIntegers(4, 'unsigned'),
};
