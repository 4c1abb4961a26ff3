/** Scalar integer arithmetic, comparisons, moves and selections (semantics.md §3). */
import type { Value } from '../ir/block.js';
import type { WaveBuilder } from '../ir/wave-builder.js';
import { addWithCarry, subtractWithBorrow } from './carry.js';
import type { Operation, Semantic } from './operation.js';
import { setSccNonZero } from './salu-logic.js';

/** Signed overflow of a sum: both operands differ in sign from the result. */
function overflowOfSum(b: WaveBuilder, x: Value, y: Value, sum: Value): Value {
  const signs = b.op('and32', b.op('xor32', x, sum), b.op('xor32', y, sum));
  return b.op('ltS32', signs, b.i32(0));
}

function overflowOfDifference(b: WaveBuilder, x: Value, y: Value, difference: Value): Value {
  const signs = b.op('and32', b.op('xor32', x, y), b.op('xor32', x, difference));
  return b.op('ltS32', signs, b.i32(0));
}

function addSigned(o: Operation, x: Value, y: Value): void {
  const sum = o.b.op('add32', x, y);
  o.set32(sum);
  o.b.setScc(overflowOfSum(o.b, x, y, sum));
}

/** D = (S0 << amount) + S1, SCC = carry beyond 32 bits. */
function shiftAdd(amount: number): Semantic {
  return (o) => {
    const { b } = o;
    const [x, y] = [o.u32(0), o.u32(1)];
    const shifted = b.op('shl32', x, b.i32(amount));
    const lost = b.op('not', b.op('eq32', b.op('shrU32', x, b.i32(32 - amount)), b.i32(0)));
    const { sum, carry } = addWithCarry(b, shifted, y, b.bool(0));
    o.set32(sum);
    b.setScc(b.op('or', lost, carry));
  };
}

/** SCC = S0 is the one that is taken; for a maximum also when equal. */
function extreme(which: 'min' | 'max', less: 'ltS32' | 'ltU32'): Semantic {
  return (o) => {
    const { b } = o;
    const [x, y] = [o.u32(0), o.u32(1)];
    const isLess = b.op(less, x, y);
    const takesFirst = which === 'min' ? isLess : b.op('not', isLess);
    o.set32(b.op('select32', takesFirst, x, y));
    b.setScc(takesFirst);
  };
}

type Comparison = (b: WaveBuilder, x: Value, y: Value, less: 'ltS32' | 'ltU32') => Value;

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  eq: (b, x, y) => b.op('eq32', x, y),
  lg: (b, x, y) => b.op('not', b.op('eq32', x, y)),
  lt: (b, x, y, less) => b.op(less, x, y),
  gt: (b, x, y, less) => b.op(less, y, x),
  le: (b, x, y, less) => b.op('not', b.op(less, y, x)),
  ge: (b, x, y, less) => b.op('not', b.op(less, x, y)),
};

function comparisonTable(): Record<string, Semantic> {
  const table: Record<string, Semantic> = {};
  for (const [name, compare] of Object.entries(COMPARISONS)) {
    for (const [type, less] of [
      ['i32', 'ltS32'],
      ['u32', 'ltU32'],
    ] as const) {
      table[`s_cmp_${name}_${type}`] = (o) => {
        o.b.setScc(compare(o.b, o.u32(0), o.u32(1), less));
      };
      // The immediate is sign-extended for signed, zero-extended for unsigned comparisons.
      table[`s_cmpk_${name}_${type}`] = (o) => {
        const immediate = o.immediate('simm16');
        o.b.setScc(compare(o.b, o.u32(0), o.b.i32(type === 'u32' ? immediate & 0xffff : signed16(immediate)), less));
      };
    }
  }
  return table;
}

/** A 16-bit field as a signed number, whether it was extended before or not. */
export function signed16(value: number): number {
  return (value << 16) >> 16;
}

function pack(first: 'l' | 'h', second: 'l' | 'h'): Semantic {
  return (o) => {
    const { b } = o;
    const [x, y] = [o.u32(0), o.u32(1)];
    const low = first === 'l' ? b.op('and32', x, b.i32(0xffff)) : b.op('shrU32', x, b.i32(16));
    const high = second === 'l' ? b.op('shl32', y, b.i32(16)) : b.op('and32', y, b.i32(0xffff_0000));
    o.set32(b.op('or32', low, high));
  };
}

export const SALU_ARITHMETIC: Readonly<Record<string, Semantic>> = {
  ...comparisonTable(),
  s_cmp_eq_u64: (o) => {
    o.b.setScc(o.b.op('eq64', o.u64(0), o.u64(1)));
  },
  s_cmp_lg_u64: (o) => {
    o.b.setScc(o.b.op('not', o.b.op('eq64', o.u64(0), o.u64(1))));
  },
  s_add_u32: (o) => {
    const { sum, carry } = addWithCarry(o.b, o.u32(0), o.u32(1), o.b.bool(0));
    o.set32(sum);
    o.b.setScc(carry);
  },
  s_addc_u32: (o) => {
    const { sum, carry } = addWithCarry(o.b, o.u32(0), o.u32(1), o.b.scc());
    o.set32(sum);
    o.b.setScc(carry);
  },
  s_sub_u32: (o) => {
    const { difference, borrow } = subtractWithBorrow(o.b, o.u32(0), o.u32(1), o.b.bool(0));
    o.set32(difference);
    o.b.setScc(borrow);
  },
  s_subb_u32: (o) => {
    const { difference, borrow } = subtractWithBorrow(o.b, o.u32(0), o.u32(1), o.b.scc());
    o.set32(difference);
    o.b.setScc(borrow);
  },
  s_add_i32: (o) => {
    addSigned(o, o.u32(0), o.u32(1));
  },
  s_addk_i32: (o) => {
    addSigned(o, o.old32(), o.b.i32(signed16(o.immediate('simm16'))));
  },
  s_sub_i32: (o) => {
    const [x, y] = [o.u32(0), o.u32(1)];
    const difference = o.b.op('sub32', x, y);
    o.set32(difference);
    o.b.setScc(overflowOfDifference(o.b, x, y, difference));
  },
  s_add_nc_u64: (o) => {
    o.set64(o.b.op('add64', o.u64(0), o.u64(1)));
  },
  s_sub_nc_u64: (o) => {
    o.set64(o.b.op('sub64', o.u64(0), o.u64(1)));
  },
  s_mul_u64: (o) => {
    o.set64(o.b.op('mul64', o.u64(0), o.u64(1)));
  },
  s_mul_i32: (o) => {
    o.set32(o.b.op('mul32', o.u32(0), o.u32(1)));
  },
  s_mulk_i32: (o) => {
    o.set32(o.b.op('mul32', o.old32(), o.b.i32(signed16(o.immediate('simm16')))));
  },
  s_mul_hi_u32: (o) => {
    o.set32(o.b.op('mulHiU32', o.u32(0), o.u32(1)));
  },
  s_mul_hi_i32: (o) => {
    o.set32(o.b.op('mulHiS32', o.u32(0), o.u32(1)));
  },
  s_lshl1_add_u32: shiftAdd(1),
  s_lshl2_add_u32: shiftAdd(2),
  s_lshl3_add_u32: shiftAdd(3),
  s_lshl4_add_u32: shiftAdd(4),
  s_min_i32: extreme('min', 'ltS32'),
  s_min_u32: extreme('min', 'ltU32'),
  s_max_i32: extreme('max', 'ltS32'),
  s_max_u32: extreme('max', 'ltU32'),
  s_abs_i32: (o) => {
    const { b } = o;
    const x = o.u32(0);
    const value = b.op('select32', b.op('ltS32', x, b.i32(0)), b.op('sub32', b.i32(0), x), x);
    o.set32(value);
    setSccNonZero(b, value);
  },
  s_absdiff_i32: (o) => {
    const { b } = o;
    const difference = b.op('sub32', o.u32(0), o.u32(1));
    const isNegative = b.op('ltS32', difference, b.i32(0));
    const value = b.op('select32', isNegative, b.op('sub32', b.i32(0), difference), difference);
    o.set32(value);
    setSccNonZero(b, value);
  },
  s_mov_b32: (o) => {
    o.set32(o.u32(0));
  },
  s_mov_b64: (o) => {
    o.set64(o.u64(0));
  },
  s_movk_i32: (o) => {
    o.set32(o.b.i32(signed16(o.immediate('simm16'))));
  },
  s_cmov_b32: (o) => {
    o.set32(o.b.op('select32', o.b.scc(), o.u32(0), o.old32()));
  },
  s_cmov_b64: (o) => {
    const [value, old] = [o.u64(0), o.read64(o.result())];
    const part = (half: 'low64' | 'high64'): Value => o.b.op('select32', o.b.scc(), o.b.op(half, value), o.b.op(half, old));
    o.set64(o.b.op('pack64', part('low64'), part('high64')));
  },
  s_cmovk_i32: (o) => {
    o.set32(o.b.op('select32', o.b.scc(), o.b.i32(signed16(o.immediate('simm16'))), o.old32()));
  },
  s_cselect_b32: (o) => {
    o.set32(o.b.op('select32', o.b.scc(), o.u32(0), o.u32(1)));
  },
  s_cselect_b64: (o) => {
    // By halves, so that a wave mask stays recognisable.
    const [yes, no] = [o.u64(0), o.u64(1)];
    const part = (half: 'low64' | 'high64'): Value => o.b.op('select32', o.b.scc(), o.b.op(half, yes), o.b.op(half, no));
    o.set64(o.b.op('pack64', part('low64'), part('high64')));
  },
  s_sext_i32_i8: (o) => {
    o.set32(o.signExtend(o.u32(0), 8));
  },
  s_sext_i32_i16: (o) => {
    o.set32(o.signExtend(o.u32(0), 16));
  },
  s_pack_ll_b32_b16: pack('l', 'l'),
  s_pack_lh_b32_b16: pack('l', 'h'),
  s_pack_hl_b32_b16: pack('h', 'l'),
  s_pack_hh_b32_b16: pack('h', 'h'),
};
