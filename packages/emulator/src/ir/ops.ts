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
 * operation with a NaN argument is: the first NaN argument, quieted; a NaN made from numbers is the positive one without payload
 * (0x7fc00000, 0x7ff8000000000000).
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

/** Signatures of the pure operations (no effect, no memory): arguments, result, and what the lanes have to do with it. */
const SIGNATURES = {
  // 32-bit integers
  add32: 'i32 i32 -> i32',
  sub32: 'i32 i32 -> i32',
  mul32: 'i32 i32 -> i32',
  /** High 32 bits of the unsigned, signed product. */
  mulHiU32: 'i32 i32 -> i32',
  mulHiS32: 'i32 i32 -> i32',
  and32: 'i32 i32 -> i32',
  or32: 'i32 i32 -> i32',
  xor32: 'i32 i32 -> i32',
  shl32: 'i32 i32 -> i32',
  shrU32: 'i32 i32 -> i32',
  shrS32: 'i32 i32 -> i32',
  /** Count of leading, trailing zeros (32 for 0), of set bits; bit reversal. */
  clz32: 'i32 -> i32',
  ctz32: 'i32 -> i32',
  popcnt32: 'i32 -> i32',
  brev32: 'i32 -> i32',
  minU32: 'i32 i32 -> i32',
  maxU32: 'i32 i32 -> i32',
  minS32: 'i32 i32 -> i32',
  maxS32: 'i32 i32 -> i32',
  eq32: 'i32 i32 -> bool',
  ltU32: 'i32 i32 -> bool',
  ltS32: 'i32 i32 -> bool',
  // 64-bit integers
  pack64: 'i32 i32 -> i64', // low, high
  low64: 'i64 -> i32',
  high64: 'i64 -> i32',
  add64: 'i64 i64 -> i64',
  sub64: 'i64 i64 -> i64',
  mul64: 'i64 i64 -> i64',
  /** Full 64-bit product of two 32-bit values. */
  mulWideU32: 'i32 i32 -> i64',
  mulWideS32: 'i32 i32 -> i64',
  and64: 'i64 i64 -> i64',
  or64: 'i64 i64 -> i64',
  xor64: 'i64 i64 -> i64',
  shl64: 'i64 i32 -> i64',
  shrU64: 'i64 i32 -> i64',
  shrS64: 'i64 i32 -> i64',
  clz64: 'i64 -> i32',
  ctz64: 'i64 -> i32',
  popcnt64: 'i64 -> i32',
  eq64: 'i64 i64 -> bool',
  ltU64: 'i64 i64 -> bool',
  ltS64: 'i64 i64 -> bool',
  // booleans
  not: 'bool -> bool',
  and: 'bool bool -> bool',
  or: 'bool bool -> bool',
  xor: 'bool bool -> bool',
  select32: 'bool i32 i32 -> i32', // condition, then, else
  select64: 'bool i64 i64 -> i64',
  // f32
  addF32: 'i32 i32 -> i32',
  subF32: 'i32 i32 -> i32',
  mulF32: 'i32 i32 -> i32',
  divF32: 'i32 i32 -> i32',
  /** Fused: one rounding. */
  fmaF32: 'i32 i32 i32 -> i32',
  sqrtF32: 'i32 -> i32',
  /** Number-preferring minimum/maximum: a NaN loses against a number, -0 < +0; both NaN: the first, quieted. */
  minNumF32: 'i32 i32 -> i32',
  maxNumF32: 'i32 i32 -> i32',
  ltF32: 'i32 i32 -> bool',
  leF32: 'i32 i32 -> bool',
  eqF32: 'i32 i32 -> bool',
  truncF32: 'i32 -> i32',
  floorF32: 'i32 -> i32',
  ceilF32: 'i32 -> i32',
  nearestF32: 'i32 -> i32',
  /** Truncating, saturating, NaN → 0. */
  f32ToS32: 'i32 -> i32',
  f32ToU32: 'i32 -> i32',
  s32ToF32: 'i32 -> i32',
  u32ToF32: 'i32 -> i32',
  f32ToF64: 'i32 -> i64',
  f64ToF32: 'i64 -> i32',
  /** To and from IEEE half in the low 16 bits; the upper bits of the result are 0. */
  f32ToF16: 'i32 -> i32',
  f16ToF32: 'i32 -> i32',
  f64ToF16: 'i64 -> i32',
  /** 2^x, log2 x: correctly rounded or within 1 ulp; sin, cos of x revolutions. Special cases as for v_exp_f32 and so on. */
  exp2F32: 'i32 -> i32',
  log2F32: 'i32 -> i32',
  sinTurnsF32: 'i32 -> i32',
  cosTurnsF32: 'i32 -> i32',
  // f64
  addF64: 'i64 i64 -> i64',
  subF64: 'i64 i64 -> i64',
  mulF64: 'i64 i64 -> i64',
  divF64: 'i64 i64 -> i64',
  fmaF64: 'i64 i64 i64 -> i64',
  /** (a·b + c)·2^-128 with one rounding (v_div_fmas_f64): fmaF64 times 2^-128 unless that is denormal. */
  fmaDown128F64: 'i64 i64 i64 -> i64',
  /** fmaF64 rounded toward -infinity; a sum that is exactly zero is -0 unless both parts are +0. */
  fmaDownwardF64: 'i64 i64 i64 -> i64',
  sqrtF64: 'i64 -> i64',
  minNumF64: 'i64 i64 -> i64',
  maxNumF64: 'i64 i64 -> i64',
  ltF64: 'i64 i64 -> bool',
  leF64: 'i64 i64 -> bool',
  eqF64: 'i64 i64 -> bool',
  truncF64: 'i64 -> i64',
  floorF64: 'i64 -> i64',
  ceilF64: 'i64 -> i64',
  nearestF64: 'i64 -> i64',
  f64ToS32: 'i64 -> i32',
  f64ToU32: 'i64 -> i32',
  s32ToF64: 'i32 -> i64',
  u32ToF64: 'i32 -> i64',
  // the wave
  laneId: '-> i32 perLane',
  /** Bit of each lane in the wave → wave mask; i64: the upper half is 0 in wave32. */
  ballot: 'bool -> i64 reduces',
  /** Wave mask → one bool per lane. */
  inverseBallot: 'i64 -> bool perLane',
  /** Any lane, no mask applied. */
  any: 'bool -> bool reduces',
  /** Value of lane number `index` (modulo the wave size). */
  readLane: 'i32 i32 -> i32 reduces',
  /** Value of the lowest lane whose bool is set; of lane 0 if none is. */
  readFirstLane: 'i32 bool -> i32 reduces',
  /** `value` with lane `index` (uniform) replaced by `replacement` (uniform). */
  insertLane: 'i32 i32 i32 -> i32 perLane', // value, index, replacement
  /**
   * Per lane: the value of lane `index` (per lane, modulo the wave size). An index made of laneId and constants alone is a fixed
   * shuffle (DPP, swizzle): see lane-pattern.ts.
   */
  shuffle: 'i32 i32 -> i32 perLane', // value, index
} as const;

export type OpName = keyof typeof SIGNATURES;

/** Pure operations: no effect, no memory. */
export const OPS: Readonly<Record<OpName, OpInfo>> = parseSignatures();

function parseSignatures(): Record<OpName, OpInfo> {
  const entries = Object.entries(SIGNATURES).map(([name, signature]) => {
    const [before = '', after = ''] = signature.split('->');
    const [result = '', lanes] = after.trim().split(' ');
    const info = {
      args: before.split(' ').filter((type) => type !== ''),
      result,
      ...(lanes === 'reduces' ? { reduces: true } : {}),
      ...(lanes === 'perLane' ? { perLane: true } : {}),
    };
    return [name, info];
  });
  // Safe: the strings above are of this form, and their keys are the names.
  return Object.fromEntries(entries) as Record<OpName, OpInfo>;
}

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
  /** old - data where that is not negative; else 0, or old. */
  | 'subClamp'
  | 'condSub'
  /** Compared as numbers. */
  | 'cmpswapF32'
  | 'cmpswapF64'
  | 'mskor'
  /** old >= data ? old - data : old + compare, unsigned. */
  | 'wrap'
  | 'addF32'
  /** Denormals are zeros, in the operands and in the sum. */
  | 'addFlushF32'
  /** Two sums of 16 bits. */
  | 'pkAddF16'
  | 'pkAddBf16'
  | 'minF32'
  | 'maxF32'
  | 'addF64'
  | 'minF64'
  | 'maxF64';
