/** Scalar bitwise operations, shifts, bit fields and counts (semantics.md §3). */
import type { Value } from '../ir/block.js';
import { SGPR_EXEC } from '../ir/block.js';
import type { OpName } from '../ir/ops.js';
import type { WaveBuilder } from '../ir/wave-builder.js';
import type { Operation, Semantic } from './operation.js';

/** Sets SCC to whether the value has a bit set. */
export function setSccNonZero(b: WaveBuilder, value: Value): void {
  b.setScc(b.op('not', value.type === 'i64' ? b.op('eq64', value, b.i64(0, 0)) : b.op('eq32', value, b.i32(0))));
}

type Bits = 32 | 64;

/** Operations of 32 and 64 bits by one name. */
const AND = { 32: 'and32', 64: 'and64' } as const;
const OR = { 32: 'or32', 64: 'or64' } as const;
const XOR = { 32: 'xor32', 64: 'xor64' } as const;

export function invert(b: WaveBuilder, value: Value): Value {
  return value.type === 'i64' ? b.op('xor64', value, b.i64(0xffff_ffff, 0xffff_ffff)) : b.op('xor32', value, b.i32(0xffff_ffff));
}

type Logic = (b: WaveBuilder, x: Value, y: Value, bits: Bits) => Value;

const LOGIC: Readonly<Record<string, Logic>> = {
  and: (b, x, y, bits) => b.op(AND[bits], x, y),
  or: (b, x, y, bits) => b.op(OR[bits], x, y),
  xor: (b, x, y, bits) => b.op(XOR[bits], x, y),
  nand: (b, x, y, bits) => invert(b, b.op(AND[bits], x, y)),
  nor: (b, x, y, bits) => invert(b, b.op(OR[bits], x, y)),
  xnor: (b, x, y, bits) => invert(b, b.op(XOR[bits], x, y)),
  and_not1: (b, x, y, bits) => b.op(AND[bits], x, invert(b, y)),
  or_not1: (b, x, y, bits) => b.op(OR[bits], x, invert(b, y)),
  and_not0: (b, x, y, bits) => b.op(AND[bits], invert(b, x), y),
  or_not0: (b, x, y, bits) => b.op(OR[bits], invert(b, x), y),
};

function source(o: Operation, n: number, bits: Bits): Value {
  return bits === 64 ? o.u64(n) : o.u32(n);
}

function setResult(o: Operation, value: Value): void {
  if (value.type === 'i64') o.set64(value);
  else o.set32(value);
}

function logic(name: Logic, bits: Bits): Semantic {
  return (o) => {
    const value = name(o.b, source(o, 0, bits), source(o, 1, bits), bits);
    setResult(o, value);
    setSccNonZero(o.b, value);
  };
}

function exec(b: WaveBuilder, bits: Bits): Value {
  return bits === 64 ? b.sgprPair(SGPR_EXEC) : b.sgpr(SGPR_EXEC);
}

function setExec(b: WaveBuilder, value: Value): void {
  if (value.type === 'i64') b.setSgprPair(SGPR_EXEC, value);
  else b.setSgpr(SGPR_EXEC, value);
}

/** D = EXEC; EXEC = S0 op EXEC; SCC = EXEC != 0. */
function saveExec(name: Logic, bits: Bits): Semantic {
  return (o) => {
    const before = exec(o.b, bits);
    const after = name(o.b, source(o, 0, bits), before, bits);
    setResult(o, before);
    setExec(o.b, after);
    setSccNonZero(o.b, after);
  };
}

/** D = EXEC = S0 op EXEC; SCC = EXEC != 0. */
function writeExec(name: Logic, bits: Bits): Semantic {
  return (o) => {
    const after = name(o.b, source(o, 0, bits), exec(o.b, bits), bits);
    setExec(o.b, after);
    setResult(o, after);
    setSccNonZero(o.b, after);
  };
}

function shift(op: OpName, bits: Bits): Semantic {
  return (o) => {
    const value = o.b.op(op, source(o, 0, bits), o.u32(1));
    setResult(o, value);
    setSccNonZero(o.b, value);
  };
}

/**
 * Field of `width` bits at `offset`, both below or at the value's width: shifted to the top and back. Width 0 gives 0; what would
 * lie beyond the top is cut off.
 */
export function extractField(b: WaveBuilder, value: Value, offset: Value, width: Value, type: 'U' | 'S'): Value {
  const bits = value.type === 'i64' ? 64 : 32;
  const kept = b.op('minU32', width, b.op('sub32', b.i32(bits), offset));
  const left = b.op('sub32', b.i32(bits), b.op('add32', offset, kept));
  const field = b.op(`shr${type}${bits}`, b.op(`shl${bits}`, value, left), b.op('sub32', b.i32(bits), kept));
  const zero = bits === 64 ? b.i64(0, 0) : b.i32(0);
  return b.op(`select${bits}`, b.op('eq32', kept, b.i32(0)), zero, field);
}

/** Offset in the low bits of S1, width in bits 22:16. */
function bitField(type: 'U' | 'S', bits: Bits): Semantic {
  return (o) => {
    const { b } = o;
    const control = o.u32(1);
    const offset = b.op('and32', control, b.i32(bits - 1));
    const width = b.op('and32', b.op('shrU32', control, b.i32(16)), b.i32(0x7f));
    const value = extractField(b, source(o, 0, bits), offset, width, type);
    setResult(o, value);
    setSccNonZero(b, value);
  };
}

/** A count, or -1 when the input is 0. */
function countOrNone(b: WaveBuilder, count: Value, isNone: Value): Value {
  return b.op('select32', isNone, b.i32(0xffff_ffff), count);
}

/** Number of leading bits equal to the sign; -1 when all are. */
function countSign(b: WaveBuilder, value: Value): Value {
  if (value.type === 'i64') {
    const bits = b.op('xor64', value, b.op('shrS64', value, b.i32(63)));
    return countOrNone(b, b.op('clz64', bits), b.op('eq64', bits, b.i64(0, 0)));
  }
  const bits = b.op('xor32', value, b.op('shrS32', value, b.i32(31)));
  return countOrNone(b, b.op('clz32', bits), b.op('eq32', bits, b.i32(0)));
}

/** v_cls_i32 and s_cls_i32. */
export const countSignBits: Semantic = (o) => {
  o.set32(countSign(o.b, o.u32(0)));
};
/** Leading zeros; -1 for 0. */
export const countLeading: Semantic = (o) => {
  o.set32(countOrNone(o.b, o.b.op('clz32', o.u32(0)), o.b.op('eq32', o.u32(0), o.b.i32(0))));
};
/** Trailing zeros; -1 for 0. */
export const countTrailing: Semantic = (o) => {
  o.set32(countOrNone(o.b, o.b.op('ctz32', o.u32(0)), o.b.op('eq32', o.u32(0), o.b.i32(0))));
};

function population(op: 'popcnt32' | 'popcnt64', of: 'ones' | 'zeros'): Semantic {
  return (o) => {
    const value = op === 'popcnt64' ? o.u64(0) : o.u32(0);
    const count = o.b.op(op, of === 'ones' ? value : invert(o.b, value));
    o.set32(count);
    setSccNonZero(o.b, count);
  };
}

function bitSet(value: 0 | 1, bits: Bits): Semantic {
  return (o) => {
    const { b } = o;
    const index = o.u32(0);
    if (bits === 64) {
      const bit = b.op('shl64', b.i64(1, 0), index);
      const old = o.read64(o.result());
      o.set64(value === 1 ? b.op('or64', old, bit) : b.op('and64', old, invert(b, bit)));
      return;
    }
    const bit = b.op('shl32', b.i32(1), index);
    const old = o.old32();
    o.set32(value === 1 ? b.op('or32', old, bit) : b.op('and32', old, invert(b, bit)));
  };
}

function bitCompare(value: 0 | 1, bits: Bits): Semantic {
  return (o) => {
    const { b } = o;
    const shifted = bits === 64 ? b.op('low64', b.op('shrU64', o.u64(0), o.u32(1))) : b.op('shrU32', o.u32(0), o.u32(1));
    b.setScc(b.op('eq32', b.op('and32', shifted, b.i32(1)), b.i32(value)));
  };
}

/** Bit 0 of each group of four: whether any of the four is set. */
function quadAny(b: WaveBuilder, value: Value): Value {
  const fold = b.op('or32', value, b.op('shrU32', value, b.i32(1)));
  return b.op('and32', b.op('or32', fold, b.op('shrU32', fold, b.i32(2))), b.i32(0x1111_1111));
}

function wholeQuad(b: WaveBuilder, value: Value): Value {
  return b.op('mul32', quadAny(b, value), b.i32(15));
}

/** Bits 0, 4, 8, … gathered at the bottom. */
function gatherQuads(b: WaveBuilder, quads: Value): Value {
  const step = (value: Value, shift: number, mask: number): Value =>
    b.op('and32', b.op('or32', value, b.op('shrU32', value, b.i32(shift))), b.i32(mask));
  return step(step(step(quads, 3, 0x0303_0303), 6, 0x000f_000f), 12, 0xff);
}

/** Each bit twice: bit i to bits 2i and 2i + 1 of a dword, from 16 bits. */
function replicate(b: WaveBuilder, half: Value): Value {
  const step = (value: Value, shift: number, mask: number): Value =>
    b.op('and32', b.op('or32', value, b.op('shl32', value, b.i32(shift))), b.i32(mask));
  const spread = step(step(step(step(half, 8, 0x00ff_00ff), 4, 0x0f0f_0f0f), 2, 0x3333_3333), 1, 0x5555_5555);
  return b.op('mul32', spread, b.i32(3));
}

function eachHalf(f: (b: WaveBuilder, half: Value) => Value): (b: WaveBuilder, value: Value) => Value {
  return (b, value) => b.op('pack64', f(b, b.op('low64', value)), f(b, b.op('high64', value)));
}

function unary(f: (b: WaveBuilder, value: Value) => Value, bits: Bits, setsScc: 'scc' | '' = ''): Semantic {
  return (o) => {
    const value = f(o.b, source(o, 0, bits));
    setResult(o, value);
    if (setsScc === 'scc') setSccNonZero(o.b, value);
  };
}

function logicTable(): Record<string, Semantic> {
  const table: Record<string, Semantic> = {};
  for (const [name, operation] of Object.entries(LOGIC)) {
    for (const bits of [32, 64] as const) {
      table[`s_${name}_b${bits}`] = logic(operation, bits);
      table[`s_${name}_saveexec_b${bits}`] = saveExec(operation, bits);
      table[`s_${name}_wrexec_b${bits}`] = writeExec(operation, bits);
    }
  }
  return table;
}

export const SALU_LOGIC: Readonly<Record<string, Semantic>> = {
  ...logicTable(),
  s_not_b32: unary(invert, 32, 'scc'),
  s_not_b64: unary(invert, 64, 'scc'),
  s_brev_b32: unary((b, value) => b.op('brev32', value), 32),
  s_brev_b64: unary(
    (b, value) => b.op('pack64', b.op('brev32', b.op('high64', value)), b.op('brev32', b.op('low64', value))),
    64,
  ),
  s_wqm_b32: unary(wholeQuad, 32, 'scc'),
  s_wqm_b64: unary(eachHalf(wholeQuad), 64, 'scc'),
  s_quadmask_b32: unary((b, value) => gatherQuads(b, quadAny(b, value)), 32, 'scc'),
  s_quadmask_b64: unary(
    (b, value) => {
      const part = (half: Value): Value => gatherQuads(b, quadAny(b, half));
      const high = b.op('shl32', part(b.op('high64', value)), b.i32(8));
      return b.op('pack64', b.op('or32', part(b.op('low64', value)), high), b.i32(0));
    },
    64,
    'scc',
  ),
  s_bitreplicate_b64_b32: (o) => {
    const { b } = o;
    const low = replicate(b, b.op('and32', o.u32(0), b.i32(0xffff)));
    o.set64(b.op('pack64', low, replicate(b, b.op('shrU32', o.u32(0), b.i32(16)))));
  },
  s_lshl_b32: shift('shl32', 32),
  s_lshl_b64: shift('shl64', 64),
  s_lshr_b32: shift('shrU32', 32),
  s_lshr_b64: shift('shrU64', 64),
  s_ashr_i32: shift('shrS32', 32),
  s_ashr_i64: shift('shrS64', 64),
  s_bfe_u32: bitField('U', 32),
  s_bfe_i32: bitField('S', 32),
  s_bfe_u64: bitField('U', 64),
  s_bfe_i64: bitField('S', 64),
  s_bfm_b32: (o) => {
    const { b } = o;
    const ones = b.op('sub32', b.op('shl32', b.i32(1), o.u32(0)), b.i32(1));
    o.set32(b.op('shl32', ones, o.u32(1)));
  },
  s_bfm_b64: (o) => {
    const { b } = o;
    const ones = b.op('sub64', b.op('shl64', b.i64(1, 0), o.u32(0)), b.i64(1, 0));
    o.set64(b.op('shl64', ones, o.u32(1)));
  },
  s_bitset0_b32: bitSet(0, 32),
  s_bitset0_b64: bitSet(0, 64),
  s_bitset1_b32: bitSet(1, 32),
  s_bitset1_b64: bitSet(1, 64),
  s_bitcmp0_b32: bitCompare(0, 32),
  s_bitcmp0_b64: bitCompare(0, 64),
  s_bitcmp1_b32: bitCompare(1, 32),
  s_bitcmp1_b64: bitCompare(1, 64),
  s_bcnt0_i32_b32: population('popcnt32', 'zeros'),
  s_bcnt0_i32_b64: population('popcnt64', 'zeros'),
  s_bcnt1_i32_b32: population('popcnt32', 'ones'),
  s_bcnt1_i32_b64: population('popcnt64', 'ones'),
  s_clz_i32_u32: countLeading,
  s_clz_i32_u64: (o) => {
    o.set32(countOrNone(o.b, o.b.op('clz64', o.u64(0)), o.b.op('eq64', o.u64(0), o.b.i64(0, 0))));
  },
  // The first zero bit, -1 if there is none.
  s_ff0_i32_b32: (o) => {
    const ones = invert(o.b, o.u32(0));
    o.set32(countOrNone(o.b, o.b.op('ctz32', ones), o.b.op('eq32', ones, o.b.i32(0))));
  },
  s_ff0_i32_b64: (o) => {
    const ones = invert(o.b, o.u64(0));
    o.set32(countOrNone(o.b, o.b.op('ctz64', ones), o.b.op('eq64', ones, o.b.i64(0, 0))));
  },
  s_ctz_i32_b32: countTrailing,
  s_ctz_i32_b64: (o) => {
    o.set32(countOrNone(o.b, o.b.op('ctz64', o.u64(0)), o.b.op('eq64', o.u64(0), o.b.i64(0, 0))));
  },
  s_cls_i32: countSignBits,
  s_cls_i32_i64: (o) => {
    o.set32(countSign(o.b, o.u64(0)));
  },
};
