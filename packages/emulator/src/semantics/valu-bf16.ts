/** bf16 arithmetic of gfx1250: one rounding to nearest even, denormals kept (semantics.md §12). */
import type { Operand } from '@doorbell/isa';
import type { Value } from '../ir/block.js';
import type { OpName } from '../ir/ops.js';
import type { WaveBuilder } from '../ir/wave-builder.js';
import { absF32, clampF32, isNaNF32, negF32 } from './float-bits.js';
import type { Operation, Semantic } from './operation.js';
import { fmaF32, sumToOdd } from './rounding.js';
import { tanhF32 } from './tanh.js';

/** f32 → bf16 bits in the low half, to nearest even; a NaN stays one. */
export function narrowToBf16(b: WaveBuilder, value: Value): Value {
  const isOdd = b.op('and32', b.op('shrU32', value, b.i32(16)), b.i32(1));
  const rounded = b.op('shrU32', b.op('add32', value, b.op('add32', isOdd, b.i32(0x7fff))), b.i32(16));
  const quiet = b.op('or32', b.op('shrU32', value, b.i32(16)), b.i32(0x40));
  return b.op('select32', isNaNF32(b, value), quiet, rounded);
}

/** bf16 bits, abs and neg applied, as f32. */
function widened(o: Operation, n: number): Value {
  const { b } = o;
  return o.modify32(o.source(n), b.op('shl32', o.u16(n), b.i32(16)));
}

type Part = 0 | 1;

/** A half of a packed source as f32. */
function half(o: Operation, n: number, part: Part): Value {
  const { b } = o;
  const operand = o.source(n);
  const isHigh = part === 0 ? operand.opSel : operand.opSelHi;
  const bits = o.read32(operand);
  const value = isHigh ? b.op('and32', bits, b.i32(0xffff_0000)) : b.op('shl32', bits, b.i32(16));
  return (part === 0 ? operand.neg : operand.abs) ? negF32(b, value) : value;
}

/** The result of one half from the f32 that it is rounded from. */
function output(o: Operation, value: Value): Value {
  return narrowToBf16(o.b, o.immediate('clamp') === 1 ? clampF32(o.b, value) : value);
}

function packed(f: (b: WaveBuilder, read: (n: number) => Value) => Value): Semantic {
  return (o) => {
    const { b } = o;
    const one = (part: Part): Value =>
      output(
        o,
        f(b, (n) => half(o, n, part)),
      );
    o.set32(b.op('or32', one(0), b.op('shl32', one(1), b.i32(16))));
  };
}

const packedOp = (op: OpName): Semantic => packed((b, read) => b.op(op, read(0), read(1)));

/** The exact sum in f64 as an f32 that is not a tie of bf16 unless the sum is one: 24 bits hold every other. */
function fusedForBf16(b: WaveBuilder, x: Value, y: Value, z: Value): Value {
  const wide = (value: Value): Value => b.op('f32ToF64', value);
  const exact = sumToOdd(b, b.op('mulF64', wide(x), wide(y)), wide(z));
  const nearest = b.op('f64ToF32', exact);
  const back = wide(nearest);
  const isTie = b.op('eq32', b.op('and32', nearest, b.i32(0xffff)), b.i32(0x8000));
  const isNegative = b.op('ltS32', nearest, b.i32(0));
  const grows = b.op('xor', b.op('ltF64', back, exact), isNegative);
  const isExact = b.op('eqF64', back, exact);
  const next = b.op('add32', nearest, b.op('select32', grows, b.i32(1), b.i32(0xffff_ffff)));
  const moved = b.op('select32', b.op('and', isTie, b.op('not', isExact)), next, nearest);
  return b.op('select32', isNaNF32(b, nearest), nearest, moved);
}

/** What has documented no more than a bound on its error is taken from the f32 operation. */
function transcendental(f: (b: WaveBuilder, x: Value) => Value): Semantic {
  return (o) => {
    o.set16(output(o, f(o.b, widened(o, 0))));
  };
}

const unary = (op: OpName): Semantic => transcendental((b, x) => b.op(op, x));
const ONE_F32 = 0x3f80_0000;

/**
 * Two f32 → two bf16, random bits added below the last place and cut off: the low half of S2 to the first number, the high half to the
 * second.
 */
const packStochastic: Semantic = (o) => {
  const { b } = o;
  const random = o.u32(2);
  const one = (n: 0 | 1): Value => {
    const value = o.immediate('clamp') === 1 ? clampF32(b, o.f32(n)) : o.f32(n);
    const isNumber = b.op('ltU32', absF32(b, value), b.i32(0x7f80_0000));
    const added = n === 0 ? b.op('and32', random, b.i32(0xffff)) : b.op('shrU32', random, b.i32(16));
    const cut = b.op('shrU32', b.op('add32', value, added), b.i32(16));
    return b.op('select32', isNumber, cut, narrowToBf16(b, value));
  };
  if (o.immediate('omod') !== 0) o.unsupported(`${o.name} with an output modifier`);
  o.set32(b.op('or32', one(0), b.op('shl32', one(1), b.i32(16))));
};

/** A source of v_fma_mix: with op_sel_hi a bf16 half, else an f32; the neg_hi field means abs. */
function mixSource(o: Operation, operand: Operand): Value {
  const { b } = o;
  const bits = o.read32(operand);
  let value = bits;
  if (operand.opSelHi) value = operand.opSel ? b.op('and32', bits, b.i32(0xffff_0000)) : b.op('shl32', bits, b.i32(16));
  if (operand.abs) value = absF32(b, value);
  return operand.neg ? negF32(b, value) : value;
}

const mixed = (o: Operation): Value =>
  fmaF32(o.b, mixSource(o, o.source(0)), mixSource(o, o.source(1)), mixSource(o, o.source(2)));

function mixHalf(part: 'low' | 'high'): Semantic {
  return (o) => {
    o.set16(output(o, mixed(o)), o.result(), part);
  };
}

export const VALU_BF16: Readonly<Record<string, Semantic>> = {
  v_pk_add_bf16: packedOp('addF32'),
  v_pk_mul_bf16: packedOp('mulF32'),
  v_pk_fma_bf16: packed((b, read) => fusedForBf16(b, read(0), read(1), read(2))),
  v_pk_min_num_bf16: packedOp('minNumF32'),
  v_pk_max_num_bf16: packedOp('maxNumF32'),
  v_rcp_bf16: transcendental((b, x) => b.op('divF32', b.i32(ONE_F32), x)),
  v_rsq_bf16: transcendental((b, x) => b.op('divF32', b.i32(ONE_F32), b.op('sqrtF32', x))),
  v_sqrt_bf16: unary('sqrtF32'),
  v_exp_bf16: unary('exp2F32'),
  v_log_bf16: unary('log2F32'),
  v_sin_bf16: unary('sinTurnsF32'),
  v_cos_bf16: unary('cosTurnsF32'),
  v_tanh_bf16: transcendental(tanhF32),
  v_cvt_f32_bf16: (o) => {
    o.set32(widened(o, 0));
  },
  v_cvt_pk_bf16_f32: (o) => {
    const { b } = o;
    const one = (n: number): Value => output(o, o.f32(n));
    o.set32(b.op('or32', one(0), b.op('shl32', one(1), b.i32(16))));
  },
  v_cvt_sr_pk_bf16_f32: packStochastic,
  v_fma_mix_f32_bf16: (o) => {
    o.setF32(mixed(o));
  },
  v_fma_mixlo_bf16: mixHalf('low'),
  v_fma_mixhi_bf16: mixHalf('high'),
};
