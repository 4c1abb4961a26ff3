/**
 * The operations of the IR, as data. An instruction's meaning is written once, as calls of {@link WaveBuilder} that make nodes of
 * these operations; evaluator and compiler each implement every operation of this list and nothing else.
 *
 * A node is *uniform* (one value for the wave) when all its arguments are, else it has one value per lane. Operations mean the
 * same either way. Values are bit patterns: `i32`, `i64`; floats travel as their bits. `bool` per lane is a lane mask; uniform
 * `bool` is a scalar condition.
 *
 * Integer shifts take the amount modulo the width. Float arithmetic is IEEE 754, round to nearest even, denormals kept (flushing,
 * clamping and output modifiers are separate nodes that the semantics add), NaN results quiet; which NaN payload comes out of an
 * operation with a NaN argument is: the first NaN argument, quieted.
 */
export type ValueType = 'i32' | 'i64' | 'bool';

export interface OpInfo {
  readonly args: readonly ValueType[];
  readonly result: ValueType;
  /** Which value an argument must have before the operation is allowed to be uniform: reductions over lanes are always uniform. */
  readonly reduces?: true;
  /** The result differs by lane even if the arguments do not (laneId, shuffles). */
  readonly perLane?: true;
}

const op = (result: ValueType, ...args: ValueType[]): OpInfo => ({ args, result });
const reduce = (result: ValueType, ...args: ValueType[]): OpInfo => ({ args, result, reduces: true });
const lanes = (result: ValueType, ...args: ValueType[]): OpInfo => ({ args, result, perLane: true });

/** Pure operations: no effect, no memory. */
export const OPS = {
  // 32-bit integers
  add32: op('i32', 'i32', 'i32'),
  sub32: op('i32', 'i32', 'i32'),
  mul32: op('i32', 'i32', 'i32'),
  /** High 32 bits of the unsigned, signed product. */
  mulHiU32: op('i32', 'i32', 'i32'),
  mulHiS32: op('i32', 'i32', 'i32'),
  and32: op('i32', 'i32', 'i32'),
  or32: op('i32', 'i32', 'i32'),
  xor32: op('i32', 'i32', 'i32'),
  shl32: op('i32', 'i32', 'i32'),
  shrU32: op('i32', 'i32', 'i32'),
  shrS32: op('i32', 'i32', 'i32'),
  /** Count of leading, trailing zeros (32 for 0), of set bits; bit reversal. */
  clz32: op('i32', 'i32'),
  ctz32: op('i32', 'i32'),
  popcnt32: op('i32', 'i32'),
  brev32: op('i32', 'i32'),
  minU32: op('i32', 'i32', 'i32'),
  maxU32: op('i32', 'i32', 'i32'),
  minS32: op('i32', 'i32', 'i32'),
  maxS32: op('i32', 'i32', 'i32'),
  eq32: op('bool', 'i32', 'i32'),
  ltU32: op('bool', 'i32', 'i32'),
  ltS32: op('bool', 'i32', 'i32'),
  // 64-bit integers
  pack64: op('i64', 'i32', 'i32'), // low, high
  low64: op('i32', 'i64'),
  high64: op('i32', 'i64'),
  add64: op('i64', 'i64', 'i64'),
  sub64: op('i64', 'i64', 'i64'),
  mul64: op('i64', 'i64', 'i64'),
  /** Full 64-bit product of two 32-bit values. */
  mulWideU32: op('i64', 'i32', 'i32'),
  mulWideS32: op('i64', 'i32', 'i32'),
  and64: op('i64', 'i64', 'i64'),
  or64: op('i64', 'i64', 'i64'),
  xor64: op('i64', 'i64', 'i64'),
  shl64: op('i64', 'i64', 'i32'),
  shrU64: op('i64', 'i64', 'i32'),
  shrS64: op('i64', 'i64', 'i32'),
  clz64: op('i32', 'i64'),
  ctz64: op('i32', 'i64'),
  popcnt64: op('i32', 'i64'),
  eq64: op('bool', 'i64', 'i64'),
  ltU64: op('bool', 'i64', 'i64'),
  ltS64: op('bool', 'i64', 'i64'),
  // booleans
  not: op('bool', 'bool'),
  and: op('bool', 'bool', 'bool'),
  or: op('bool', 'bool', 'bool'),
  xor: op('bool', 'bool', 'bool'),
  select32: op('i32', 'bool', 'i32', 'i32'), // condition, then, else
  select64: op('i64', 'bool', 'i64', 'i64'),
  // f32
  addF32: op('i32', 'i32', 'i32'),
  subF32: op('i32', 'i32', 'i32'),
  mulF32: op('i32', 'i32', 'i32'),
  divF32: op('i32', 'i32', 'i32'),
  /** Fused: one rounding. */
  fmaF32: op('i32', 'i32', 'i32', 'i32'),
  sqrtF32: op('i32', 'i32'),
  /** Number-preferring minimum/maximum: a NaN loses against a number, -0 < +0; both NaN: the first, quieted. */
  minNumF32: op('i32', 'i32', 'i32'),
  maxNumF32: op('i32', 'i32', 'i32'),
  ltF32: op('bool', 'i32', 'i32'),
  leF32: op('bool', 'i32', 'i32'),
  eqF32: op('bool', 'i32', 'i32'),
  truncF32: op('i32', 'i32'),
  floorF32: op('i32', 'i32'),
  ceilF32: op('i32', 'i32'),
  nearestF32: op('i32', 'i32'),
  /** Truncating, saturating, NaN → 0. */
  f32ToS32: op('i32', 'i32'),
  f32ToU32: op('i32', 'i32'),
  s32ToF32: op('i32', 'i32'),
  u32ToF32: op('i32', 'i32'),
  f32ToF64: op('i64', 'i32'),
  f64ToF32: op('i32', 'i64'),
  /** To and from IEEE half in the low 16 bits; the upper bits of the result are 0. */
  f32ToF16: op('i32', 'i32'),
  f16ToF32: op('i32', 'i32'),
  f64ToF16: op('i32', 'i64'),
  /** 2^x, log2 x: correctly rounded or within 1 ulp; sin, cos of x revolutions. Special cases as for v_exp_f32 and so on. */
  exp2F32: op('i32', 'i32'),
  log2F32: op('i32', 'i32'),
  sinTurnsF32: op('i32', 'i32'),
  cosTurnsF32: op('i32', 'i32'),
  // f64
  addF64: op('i64', 'i64', 'i64'),
  subF64: op('i64', 'i64', 'i64'),
  mulF64: op('i64', 'i64', 'i64'),
  divF64: op('i64', 'i64', 'i64'),
  fmaF64: op('i64', 'i64', 'i64', 'i64'),
  sqrtF64: op('i64', 'i64'),
  minNumF64: op('i64', 'i64', 'i64'),
  maxNumF64: op('i64', 'i64', 'i64'),
  ltF64: op('bool', 'i64', 'i64'),
  leF64: op('bool', 'i64', 'i64'),
  eqF64: op('bool', 'i64', 'i64'),
  truncF64: op('i64', 'i64'),
  floorF64: op('i64', 'i64'),
  ceilF64: op('i64', 'i64'),
  nearestF64: op('i64', 'i64'),
  f64ToS32: op('i32', 'i64'),
  f64ToU32: op('i32', 'i64'),
  s32ToF64: op('i64', 'i32'),
  u32ToF64: op('i64', 'i32'),
  // the wave
  laneId: lanes('i32'),
  /** Bit of each lane in the wave → wave mask; i64: the upper half is 0 in wave32. */
  ballot: reduce('i64', 'bool'),
  /** Wave mask → one bool per lane. */
  inverseBallot: lanes('bool', 'i64'),
  /** Any lane, no mask applied. */
  any: reduce('bool', 'bool'),
  /** Value of lane number `index` (modulo the wave size). */
  readLane: reduce('i32', 'i32', 'i32'),
  /** Value of the lowest lane whose bool is set; of lane 0 if none is. */
  readFirstLane: reduce('i32', 'i32', 'bool'),
  /** `value` with lane `index` (uniform) replaced by `replacement` (uniform). */
  insertLane: lanes('i32', 'i32', 'i32', 'i32'), // value, index, replacement
  /** Per lane: the value of lane `index` (per lane, modulo the wave size). A constant index is a fixed shuffle (DPP, swizzle). */
  shuffle: lanes('i32', 'i32', 'i32'), // value, index
} as const satisfies Readonly<Record<string, OpInfo>>;

export type OpName = keyof typeof OPS;

/** Read-modify-write operations of memory, on 32 or 64 bits; inc, dec, cond_sub as semantics.md §10 has them. */
export type AtomicOp =
  | 'add'
  | 'sub'
  | 'rsub'
  | 'and'
  | 'or'
  | 'xor'
  | 'swap'
  | 'minS'
  | 'minU'
  | 'maxS'
  | 'maxU'
  | 'inc'
  | 'dec'
  | 'cmpswap'
  | 'mskor'
  | 'addF32'
  | 'minF32'
  | 'maxF32'
  | 'addF64'
  | 'minF64'
  | 'maxF64';
