/** Vector comparisons: one bit per lane into a wave mask, or into EXEC (semantics.md §4). */
import type { Value } from '../ir/block.js';
import { SGPR_EXEC, SGPR_VCC } from '../ir/block.js';
import type { OpName } from '../ir/ops.js';
import type { WaveBuilder } from '../ir/wave-builder.js';
import { absF32 } from './float-bits.js';
import type { Operation, Semantic } from './operation.js';

/** Comparison of two operands as one bool per lane. */
type Predicate = (o: Operation) => Value;

/** A comparison by its `less`, `lessOrEqual` and `equal`: null where the type has none. */
interface Order {
  readonly less: (b: WaveBuilder, x: Value, y: Value) => Value;
  readonly equal: (b: WaveBuilder, x: Value, y: Value) => Value;
  readonly read: (o: Operation, n: number) => Value;
}

const ops = (less: OpName, equal: OpName, read: Order['read']): Order => ({
  less: (b, x, y) => b.op(less, x, y),
  equal: (b, x, y) => b.op(equal, x, y),
  read,
});

const INTEGERS: Readonly<Record<string, Order>> = {
  i16: ops('ltS32', 'eq32', (o, n) => o.s16(n)),
  u16: ops('ltU32', 'eq32', (o, n) => o.u16(n)),
  i32: ops('ltS32', 'eq32', (o, n) => o.u32(n)),
  u32: ops('ltU32', 'eq32', (o, n) => o.u32(n)),
  i64: ops('ltS64', 'eq64', (o, n) => o.u64(n)),
  u64: ops('ltU64', 'eq64', (o, n) => o.u64(n)),
};

const INTEGER_PREDICATES: Readonly<Record<string, (b: WaveBuilder, order: Order, x: Value, y: Value) => Value>> = {
  f: (b) => b.bool(0),
  lt: (b, order, x, y) => order.less(b, x, y),
  eq: (b, order, x, y) => order.equal(b, x, y),
  le: (b, order, x, y) => b.op('not', order.less(b, y, x)),
  gt: (b, order, x, y) => order.less(b, y, x),
  ne: (b, order, x, y) => b.op('not', order.equal(b, x, y)),
  ge: (b, order, x, y) => b.op('not', order.less(b, x, y)),
  t: (b) => b.bool(1),
};

/** Comparisons of floats; the f16 ones as f32, which represents every f16. */
interface FloatOrder {
  readonly lt: OpName;
  readonly le: OpName;
  readonly eq: OpName;
  readonly read: (o: Operation, n: number) => Value;
}

const F32_ORDER = { lt: 'ltF32', le: 'leF32', eq: 'eqF32' } as const;

const FLOATS: Readonly<Record<string, FloatOrder>> = {
  f16: { ...F32_ORDER, read: (o, n) => o.b.op('f16ToF32', o.f16(n)) },
  f32: { ...F32_ORDER, read: (o, n) => o.f32(n) },
  f64: { lt: 'ltF64', le: 'leF64', eq: 'eqF64', read: (o, n) => o.f64(n) },
};

export type FloatPredicate = (b: WaveBuilder, order: Pick<FloatOrder, 'lt' | 'le' | 'eq'>, x: Value, y: Value) => Value;

/** Neither is a NaN. */
const ordered: FloatPredicate = (b, order, x, y) => b.op('and', b.op(order.eq, x, x), b.op(order.eq, y, y));

const ORDERED_PREDICATES: Readonly<Record<string, FloatPredicate>> = {
  lt: (b, order, x, y) => b.op(order.lt, x, y),
  eq: (b, order, x, y) => b.op(order.eq, x, y),
  le: (b, order, x, y) => b.op(order.le, x, y),
  gt: (b, order, x, y) => b.op(order.lt, y, x),
  lg: (b, order, x, y) => b.op('or', b.op(order.lt, x, y), b.op(order.lt, y, x)),
  ge: (b, order, x, y) => b.op(order.le, y, x),
  o: ordered,
};

/** All float predicates by name; the negated ones hold for NaNs. */
export const FLOAT_PREDICATES: Readonly<Record<string, FloatPredicate>> = {
  ...ORDERED_PREDICATES,
  ...Object.fromEntries(
    Object.entries(ORDERED_PREDICATES).map(([name, predicate]): [string, FloatPredicate] => [
      name === 'o' ? 'u' : name === 'eq' ? 'neq' : `n${name}`,
      (b, order, x, y) => b.op('not', predicate(b, order, x, y)),
    ]),
  ),
  f: (b) => b.bool(0),
  t: (b) => b.bool(1),
};

/** Which of the ten classes of numbers: bit i of the mask asks for class i (semantics.md §4). */
function classF32(b: WaveBuilder, value: Value, mask: Value): Value {
  const size = absF32(b, value);
  const isNegative = b.op('ltS32', value, b.i32(0));
  const below = (limit: number): Value => b.op('ltU32', size, b.i32(limit));
  const bySign = (negative: number, positive: number): Value => b.op('select32', isNegative, b.i32(negative), b.i32(positive));
  const isQuiet = b.op('ltU32', b.i32(0x7fbf_ffff), size);
  let number = b.op('select32', isQuiet, b.i32(1), b.i32(0));
  number = b.op('select32', b.op('eq32', size, b.i32(0x7f80_0000)), bySign(2, 9), number);
  number = b.op('select32', below(0x7f80_0000), bySign(3, 8), number);
  number = b.op('select32', below(0x0080_0000), bySign(4, 7), number);
  number = b.op('select32', b.op('eq32', size, b.i32(0)), bySign(5, 6), number);
  return b.op('eq32', b.op('and32', b.op('shrU32', mask, number), b.i32(1)), b.i32(1));
}

/** f16 as the f32 of the same class: denormals and quiet bits stay what they are. */
function classF16(b: WaveBuilder, value: Value, mask: Value): Value {
  const sign = b.op('shl32', b.op('and32', value, b.i32(0x8000)), b.i32(16));
  const size = b.op('and32', value, b.i32(0x7fff));
  const exponent = b.op('and32', size, b.i32(0x7c00));
  const mantissa = b.op('shl32', b.op('and32', size, b.i32(0x3ff)), b.i32(13));
  const isTop = b.op('eq32', exponent, b.i32(0x7c00));
  const widened = b.op('select32', isTop, b.i32(0x7f80_0000), b.op('shl32', exponent, b.i32(13)));
  return classF32(b, b.op('or32', sign, b.op('or32', widened, mantissa)), mask);
}

function classF64(b: WaveBuilder, value: Value, mask: Value): Value {
  const high = b.op('high64', value);
  const rest = b.op('not', b.op('eq32', b.op('low64', value), b.i32(0)));
  const size = b.op('and32', high, b.i32(0x7fff_ffff));
  const exponent = b.op('and32', size, b.i32(0x7ff0_0000));
  const isTop = b.op('eq32', exponent, b.i32(0x7ff0_0000));
  const isSmall = b.op('eq32', exponent, b.i32(0));
  // As an f32 of the same class: exponent reduced to top, middle, bottom; the mantissa to its quiet bit and whether it is zero.
  const middle = b.op('select32', isTop, b.i32(0x7f80_0000), b.op('select32', isSmall, b.i32(0), b.i32(0x3f80_0000)));
  const quietBit = b.op('shl32', b.op('and32', size, b.i32(0x0008_0000)), b.i32(3));
  const others = b.op('or', rest, b.op('not', b.op('eq32', b.op('and32', size, b.i32(0x0007_ffff)), b.i32(0))));
  const mantissa = b.op('or32', quietBit, b.op('select32', others, b.i32(1), b.i32(0)));
  const sign = b.op('and32', high, b.i32(0x8000_0000));
  return classF32(b, b.op('or32', sign, b.op('or32', middle, mantissa)), mask);
}

const CLASSES: Readonly<Record<string, Predicate>> = {
  f16: (o) => classF16(o.b, o.f16Unflushed(o.source(0)), o.u16(1)),
  f32: (o) => classF32(o.b, o.f32Unflushed(o.source(0)), o.u32(1)),
  f64: (o) => classF64(o.b, o.f64Unflushed(o.source(0)), o.u32(1)),
};

/** Into sdst or VCC; lanes that are not active get 0. */
function toMask(predicate: Predicate): Semantic {
  return (o) => {
    o.setMask(predicate(o), o.results[0]);
  };
}

/** Into EXEC alone; gfx9 also writes sdst or VCC. */
function toExec(predicate: Predicate): Semantic {
  return (o) => {
    const { b } = o;
    const mask = b.op('ballot', b.op('and', predicate(o), o.writeMask()));
    if (o.generation.isGfx9) {
      const result = o.results[0];
      b.setWaveMask((result === undefined ? undefined : o.scalarIndex(result)) ?? SGPR_VCC, mask);
    }
    b.setWaveMask(SGPR_EXEC, mask);
  };
}

function compareTable(): Record<string, Semantic> {
  const table: Record<string, Semantic> = {};
  const add = (name: string, predicate: Predicate): void => {
    table[`v_cmp_${name}`] = toMask(predicate);
    table[`v_cmpx_${name}`] = toExec(predicate);
  };
  for (const [type, order] of Object.entries(INTEGERS)) {
    for (const [name, predicate] of Object.entries(INTEGER_PREDICATES)) {
      add(`${name}_${type}`, (o) => predicate(o.b, order, order.read(o, 0), order.read(o, 1)));
    }
  }
  for (const [type, order] of Object.entries(FLOATS)) {
    for (const [name, predicate] of Object.entries(FLOAT_PREDICATES)) {
      add(`${name}_${type}`, (o) => predicate(o.b, order, order.read(o, 0), order.read(o, 1)));
    }
    const classify = CLASSES[type];
    if (classify !== undefined) add(`class_${type}`, classify);
  }
  return table;
}

export const COMPARE: Readonly<Record<string, Semantic>> = compareTable();
