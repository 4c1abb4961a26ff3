/** Vector integer operations of 32 and 64 bits (semantics.md §4). */
import type { Value } from '../ir/block.js';
import type { OpName } from '../ir/ops.js';
import type { WaveBuilder } from '../ir/wave-builder.js';
import { addWithCarry, subtractWithBorrow } from './carry.js';
import type { Operation, Semantic } from './operation.js';
import { countLeading, countSignBits, countTrailing, extractField, invert } from './salu-logic.js';

/** D = f(S0, S1, S2) on dwords. */
type Dwords = (b: WaveBuilder, x: Value, y: Value, z: Value) => Value;

function two(f: (b: WaveBuilder, x: Value, y: Value) => Value): Semantic {
  return (o) => {
    o.set32(f(o.b, o.u32(0), o.u32(1)));
  };
}

function three(f: Dwords): Semantic {
  return (o) => {
    o.set32(f(o.b, o.u32(0), o.u32(1), o.u32(2)));
  };
}

const binary = (op: OpName): Semantic => two((b, x, y) => b.op(op, x, y));
/** The amount is S0. */
const reversed = (op: OpName): Semantic => two((b, x, y) => b.op(op, y, x));

/** Two operations one after the other: (S0 first S1) second S2. */
const chained = (first: OpName, second: OpName): Semantic => three((b, x, y, z) => b.op(second, b.op(first, x, y), z));

/** The median of three. */
function median(b: WaveBuilder, type: 'S32' | 'U32', x: Value, y: Value, z: Value): Value {
  const smaller = b.op(`min${type}`, x, y);
  const larger = b.op(`max${type}`, x, y);
  return b.op(`max${type}`, smaller, b.op(`min${type}`, larger, z));
}

const low24 = (b: WaveBuilder, x: Value): Value => b.op('and32', x, b.i32(0xff_ffff));
const signed24 = (b: WaveBuilder, x: Value): Value => b.op('shrS32', b.op('shl32', x, b.i32(8)), b.i32(8));

const maxSigned = 0x7fff_ffff;

/** Clamped to the type where the instruction asks for it. */
function saturateUnsignedSum(o: Operation, x: Value, y: Value): Value {
  const { b } = o;
  const { sum, carry } = addWithCarry(b, x, y, b.bool(0));
  return o.immediate('clamp') === 1 ? b.op('select32', carry, b.i32(0xffff_ffff), sum) : sum;
}

function saturateUnsignedDifference(o: Operation, x: Value, y: Value): Value {
  const { b } = o;
  const difference = b.op('sub32', x, y);
  return o.immediate('clamp') === 1 ? b.op('select32', b.op('ltU32', x, y), b.i32(0), difference) : difference;
}

/** A signed result that overflowed becomes the bound on the side of `x`. */
function saturateSigned(o: Operation, x: Value, overflow: Value, value: Value): Value {
  const { b } = o;
  if (o.immediate('clamp') !== 1) return value;
  const bound = b.op('xor32', b.op('shrS32', x, b.i32(31)), b.i32(maxSigned));
  return b.op('select32', overflow, bound, value);
}

function signedSum(o: Operation, x: Value, y: Value): Value {
  const { b } = o;
  const sum = b.op('add32', x, y);
  const signs = b.op('and32', b.op('xor32', x, sum), b.op('xor32', y, sum));
  return saturateSigned(o, x, b.op('ltS32', signs, b.i32(0)), sum);
}

function signedDifference(o: Operation, x: Value, y: Value): Value {
  const { b } = o;
  const difference = b.op('sub32', x, y);
  const signs = b.op('and32', b.op('xor32', x, y), b.op('xor32', x, difference));
  return saturateSigned(o, x, b.op('ltS32', signs, b.i32(0)), difference);
}

/** The carry of vector additions: into `sdst` or VCC; the sum saturates with clamp. */
function addCarryOut(carryIn: 'carry-in' | ''): Semantic {
  return (o) => {
    const { b } = o;
    const carry = carryIn === '' ? b.bool(0) : o.mask(o.sources[2]);
    const result = addWithCarry(b, o.u32(0), o.u32(1), carry);
    o.set32(o.immediate('clamp') === 1 ? b.op('select32', result.carry, b.i32(0xffff_ffff), result.sum) : result.sum);
    o.setMask(result.carry, o.results[1]);
  };
}

function subtractCarryOut(order: 'forward' | 'reversed', carryIn: 'carry-in' | ''): Semantic {
  return (o) => {
    const { b } = o;
    const borrow = carryIn === '' ? b.bool(0) : o.mask(o.sources[2]);
    const [x, y] = order === 'forward' ? [o.u32(0), o.u32(1)] : [o.u32(1), o.u32(0)];
    const result = subtractWithBorrow(b, x, y, borrow);
    o.set32(o.immediate('clamp') === 1 ? b.op('select32', result.borrow, b.i32(0), result.difference) : result.difference);
    o.setMask(result.borrow, o.results[1]);
  };
}

/** D = S0·S1 + S2 in 64 bits, carry out of bit 63 (signed: overflow) to sdst. */
function multiplyAddWide(type: 'U32' | 'S32'): Semantic {
  return (o) => {
    const { b } = o;
    const product = b.op(`mulWide${type}`, o.u32(0), o.u32(1));
    const addend = o.u64(2);
    const sum = b.op('add64', product, addend);
    const carry =
      type === 'U32'
        ? b.op('ltU64', sum, addend)
        : b.op(
            'ltS32',
            b.op(
              'and32',
              b.op('xor32', b.op('high64', product), b.op('high64', sum)),
              b.op('xor32', b.op('high64', addend), b.op('high64', sum)),
            ),
            b.i32(0),
          );
    if (o.immediate('clamp') === 1) o.unsupported('clamp of a 64-bit multiply-add');
    o.set64(sum);
    o.setMask(carry, o.results[1]);
  };
}

/** S0·S1 + S2 on 24 bits. */
function multiplyAdd24(of: (b: WaveBuilder, x: Value) => Value): Semantic {
  return (o) => {
    const { b } = o;
    const product = b.op('mul32', of(b, o.u32(0)), of(b, o.u32(1)));
    if (o.immediate('clamp') === 1) o.unsupported('clamp of a 24-bit multiply-add');
    o.set32(b.op('add32', product, o.u32(2)));
  };
}

function bitField(type: 'U' | 'S'): Semantic {
  return three((b, value, offset, width) => {
    const low5 = (control: Value): Value => b.op('and32', control, b.i32(31));
    return extractField(b, value, low5(offset), low5(width), type);
  });
}

/** The low dword of {S0, S1} >> amount, amount below 32. */
function align(b: WaveBuilder, high: Value, low: Value, amount: Value): Value {
  return b.op('low64', b.op('shrU64', b.op('pack64', low, high), amount));
}

function byteOf(b: WaveBuilder, value: Value, n: number): Value {
  return b.op('and32', b.op('shrU32', value, b.i32(8 * n)), b.i32(0xff));
}

/** v_perm_b32: one byte of {S0, S1} by one byte of the selector. */
function permuteByte(b: WaveBuilder, high: Value, low: Value, selector: Value): Value {
  const shift = b.op('shl32', b.op('and32', selector, b.i32(3)), b.i32(3));
  const word = b.op('select32', b.op('ltU32', selector, b.i32(4)), low, high);
  const byte = b.op('and32', b.op('shrU32', word, shift), b.i32(0xff));
  // 8 … 11: the sign of bytes 1, 3, 5, 7 in every bit.
  const signWord = b.op('select32', b.op('ltU32', selector, b.i32(10)), low, high);
  const signShift = b.op('select32', b.op('eq32', b.op('and32', selector, b.i32(1)), b.i32(0)), b.i32(15), b.i32(31));
  const sign = b.op('and32', b.op('shrU32', signWord, signShift), b.i32(1));
  const replicated = b.op('mul32', sign, b.i32(0xff));
  const constant = b.op('select32', b.op('eq32', selector, b.i32(12)), b.i32(0), b.i32(0xff));
  const beyond = b.op('select32', b.op('ltU32', selector, b.i32(12)), replicated, constant);
  return b.op('select32', b.op('ltU32', selector, b.i32(8)), byte, beyond);
}

function permute(b: WaveBuilder, high: Value, low: Value, selector: Value): Value {
  let result = b.i32(0);
  for (let n = 0; n < 4; n++) {
    const byte = permuteByte(b, high, low, byteOf(b, selector, n));
    result = b.op('or32', result, b.op('shl32', byte, b.i32(8 * n)));
  }
  return result;
}

/** |x - y| of small unsigned numbers. */
function distance(b: WaveBuilder, x: Value, y: Value): Value {
  return b.op('sub32', b.op('maxU32', x, y), b.op('minU32', x, y));
}

function sumOfByteDistances(b: WaveBuilder, x: Value, y: Value, skipsZeroReference: 'masked' | ''): Value {
  let sum = b.i32(0);
  for (let n = 0; n < 4; n++) {
    const [p, q] = [byteOf(b, x, n), byteOf(b, y, n)];
    const part = distance(b, p, q);
    const counted = skipsZeroReference === '' ? part : b.op('select32', b.op('eq32', q, b.i32(0)), b.i32(0), part);
    sum = b.op('add32', sum, counted);
  }
  return sum;
}

/** The dword `bytes` bytes into a pair of dwords. */
function window(b: WaveBuilder, pair: Value, bytes: number): Value {
  return b.op('low64', b.op('shrU64', pair, b.i32(8 * bytes)));
}

/** Sums at four places of S0 against the reference S1, each added to 16 bits of S2. */
function quadSums16(skipsZeroReference: 'masked' | ''): Semantic {
  return withoutClamp((o) => {
    const { b } = o;
    const [pair, reference, addends] = [o.u64(0), o.u32(1), [o.read32(o.source(2), 0), o.read32(o.source(2), 1)] as const];
    const sum = (n: number): Value => {
      const addend = b.op('shrU32', addends[n < 2 ? 0 : 1], b.i32(16 * (n % 2)));
      const total = b.op('add32', sumOfByteDistances(b, window(b, pair, n), reference, skipsZeroReference), addend);
      return b.op('and32', total, b.i32(0xffff));
    };
    const word = (n: number): Value => b.op('or32', sum(n), b.op('shl32', sum(n + 1), b.i32(16)));
    o.set64(b.op('pack64', word(0), word(2)));
  });
}

/** The same with four dwords. */
const quadSums32: Semantic = (o) => {
  const { b } = o;
  const [pair, reference] = [o.u64(0), o.u32(1)];
  const sums = [0, 1, 2, 3].map((n) =>
    b.op('add32', sumOfByteDistances(b, window(b, pair, n), reference, 'masked'), o.read32(o.source(2), n)),
  );
  for (const [n, value] of sums.entries()) o.set32(value, o.result(), n);
};

function withoutClamp(semantic: Semantic): Semantic {
  return (o) => {
    if (o.immediate('clamp') === 1) o.unsupported(`clamp of ${o.name}`);
    semantic(o);
  };
}

/** Bytes averaged, rounded up where the selector's byte is odd. */
function lerp(b: WaveBuilder, x: Value, y: Value, selector: Value): Value {
  let result = b.i32(0);
  for (let n = 0; n < 4; n++) {
    const round = b.op('and32', b.op('shrU32', selector, b.i32(8 * n)), b.i32(1));
    const sum = b.op('add32', b.op('add32', byteOf(b, x, n), byteOf(b, y, n)), round);
    const byte = b.op('and32', b.op('shrU32', sum, b.i32(1)), b.i32(0xff));
    result = b.op('or32', result, b.op('shl32', byte, b.i32(8 * n)));
  }
  return result;
}

/** abs and neg of v_cndmask sources act on the sign bit. */
const conditionalMask: Semantic = (o) => {
  const [no, yes] = [o.f32Unflushed(o.source(0)), o.f32Unflushed(o.source(1))];
  o.set32(o.b.op('select32', o.mask(o.sources[2]), yes, no));
};

function minMax3(type: 'S32' | 'U32', suffix: string): Record<string, Semantic> {
  return {
    [`v_min3_${suffix}`]: chained(`min${type}`, `min${type}`),
    [`v_max3_${suffix}`]: chained(`max${type}`, `max${type}`),
    [`v_minmax_${suffix}`]: chained(`min${type}`, `max${type}`),
    [`v_maxmin_${suffix}`]: chained(`max${type}`, `min${type}`),
    [`v_med3_${suffix}`]: three((b, x, y, z) => median(b, type, x, y, z)),
    [`v_min_${suffix}`]: binary(`min${type}`),
    [`v_max_${suffix}`]: binary(`max${type}`),
  };
}

function shift64(op: OpName): Semantic {
  return (o) => {
    o.set64(o.b.op(op, o.u64(1), o.u32(0)));
  };
}

export const VALU_INT: Readonly<Record<string, Semantic>> = {
  ...minMax3('S32', 'i32'),
  ...minMax3('U32', 'u32'),
  v_mov_b32: (o) => {
    o.set32(o.u32(0));
  },
  v_mov_b64: (o) => {
    o.set64(o.u64(0));
  },
  v_not_b32: (o) => {
    o.set32(invert(o.b, o.u32(0)));
  },
  v_bfrev_b32: (o) => {
    o.set32(o.b.op('brev32', o.u32(0)));
  },
  v_clz_i32_u32: countLeading,
  v_ctz_i32_b32: countTrailing,
  v_cls_i32: countSignBits,
  v_cndmask_b32: conditionalMask,
  v_swap_b32: (o) => {
    const [x, y] = [o.result(0), o.result(1)];
    const [first, second] = [o.read32(x), o.read32(y)];
    o.set32(second, x);
    o.set32(first, y);
  },
  v_and_b32: binary('and32'),
  v_or_b32: binary('or32'),
  v_xor_b32: binary('xor32'),
  v_xnor_b32: two((b, x, y) => invert(b, b.op('xor32', x, y))),
  v_lshlrev_b32: reversed('shl32'),
  v_lshrrev_b32: reversed('shrU32'),
  v_ashrrev_i32: reversed('shrS32'),
  v_lshlrev_b64: shift64('shl64'),
  v_lshrrev_b64: shift64('shrU64'),
  v_ashrrev_i64: shift64('shrS64'),
  v_add_nc_u32: (o) => {
    o.set32(saturateUnsignedSum(o, o.u32(0), o.u32(1)));
  },
  v_sub_nc_u32: (o) => {
    o.set32(saturateUnsignedDifference(o, o.u32(0), o.u32(1)));
  },
  v_subrev_nc_u32: (o) => {
    o.set32(saturateUnsignedDifference(o, o.u32(1), o.u32(0)));
  },
  v_add_nc_i32: (o) => {
    o.set32(signedSum(o, o.u32(0), o.u32(1)));
  },
  v_sub_nc_i32: (o) => {
    o.set32(signedDifference(o, o.u32(0), o.u32(1)));
  },
  v_add_co_u32: addCarryOut(''),
  v_add_co_ci_u32: addCarryOut('carry-in'),
  v_sub_co_u32: subtractCarryOut('forward', ''),
  v_sub_co_ci_u32: subtractCarryOut('forward', 'carry-in'),
  v_subrev_co_u32: subtractCarryOut('reversed', ''),
  v_subrev_co_ci_u32: subtractCarryOut('reversed', 'carry-in'),
  v_mul_lo_u32: binary('mul32'),
  v_mul_hi_u32: binary('mulHiU32'),
  v_mul_hi_i32: binary('mulHiS32'),
  v_mul_u32_u24: withoutClamp(two((b, x, y) => b.op('mul32', low24(b, x), low24(b, y)))),
  v_mul_hi_u32_u24: two((b, x, y) => b.op('mulHiU32', low24(b, x), low24(b, y))),
  v_mul_i32_i24: withoutClamp(two((b, x, y) => b.op('mul32', signed24(b, x), signed24(b, y)))),
  v_mul_hi_i32_i24: two((b, x, y) => b.op('mulHiS32', signed24(b, x), signed24(b, y))),
  v_mad_u32_u24: multiplyAdd24(low24),
  v_mad_i32_i24: multiplyAdd24(signed24),
  v_mad_u64_u32: multiplyAddWide('U32'),
  v_mad_i64_i32: multiplyAddWide('S32'),
  v_add3_u32: chained('add32', 'add32'),
  v_add_lshl_u32: chained('add32', 'shl32'),
  v_lshl_add_u32: chained('shl32', 'add32'),
  v_lshl_add_u64: (o) => {
    const { b } = o;
    // Shift amounts of 0 to 4 (CDNA3 ISA document, V_LSHL_ADD_U64).
    o.set64(b.op('add64', b.op('shl64', o.u64(0), b.op('and32', o.u32(1), b.i32(7))), o.u64(2)));
  },
  v_lshl_or_b32: chained('shl32', 'or32'),
  v_and_or_b32: chained('and32', 'or32'),
  v_or3_b32: chained('or32', 'or32'),
  v_xor3_b32: chained('xor32', 'xor32'),
  v_xad_u32: chained('xor32', 'add32'),
  v_bfe_u32: bitField('U'),
  v_bfe_i32: bitField('S'),
  v_bfi_b32: three((b, mask, x, y) => b.op('or32', b.op('and32', mask, x), b.op('and32', invert(b, mask), y))),
  v_bfm_b32: two((b, x, y) => b.op('shl32', b.op('sub32', b.op('shl32', b.i32(1), x), b.i32(1)), y)),
  v_bcnt_u32_b32: two((b, x, y) => b.op('add32', b.op('popcnt32', x), y)),
  v_alignbit_b32: (o) => {
    o.set32(align(o.b, o.u32(0), o.u32(1), o.b.op('and32', o.u16(2), o.b.i32(31))));
  },
  v_alignbyte_b32: (o) => {
    const bytes = o.b.op('and32', o.u16(2), o.b.i32(3));
    o.set32(align(o.b, o.u32(0), o.u32(1), o.b.op('shl32', bytes, o.b.i32(3))));
  },
  v_perm_b32: three(permute),
  v_lerp_u8: three(lerp),
  v_sad_u8: withoutClamp(three((b, x, y, z) => b.op('add32', sumOfByteDistances(b, x, y, ''), z))),
  v_msad_u8: withoutClamp(three((b, x, y, z) => b.op('add32', sumOfByteDistances(b, x, y, 'masked'), z))),
  v_qsad_pk_u16_u8: quadSums16(''),
  v_mqsad_pk_u16_u8: quadSums16('masked'),
  v_mqsad_u32_u8: withoutClamp(quadSums32),
  v_sad_hi_u8: withoutClamp(three((b, x, y, z) => b.op('add32', b.op('shl32', sumOfByteDistances(b, x, y, ''), b.i32(16)), z))),
  v_sad_u16: withoutClamp(
    three((b, x, y, z) => {
      const half = (value: Value, n: number): Value => b.op('and32', b.op('shrU32', value, b.i32(16 * n)), b.i32(0xffff));
      const sum = b.op('add32', distance(b, half(x, 0), half(y, 0)), distance(b, half(x, 1), half(y, 1)));
      return b.op('add32', sum, z);
    }),
  ),
  v_sad_u32: withoutClamp(three((b, x, y, z) => b.op('add32', distance(b, x, y), z))),
};
