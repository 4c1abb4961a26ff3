/**
 * Operations on one group of four 32-bit lanes (a v128), as nodes of the graph; and on the two i64x2 halves of four 64-bit lanes.
 * Each means what `ir/ops.ts` says.
 */
import type { OpName } from '../ir/ops.js';
import { OP } from '../wasm/opcodes.js';
import type { Dag } from './dag.js';

/** What the engine and the caller allow. */
export interface OpContext {
  readonly dag: Dag;
  /** `relaxed_madd` is fused and `relaxed_laneselect` exists. */
  readonly relaxed: boolean;
  /** NaN results are exactly what the operation's definition says, at a cost. */
  readonly exactNan: boolean;
  /** Index of the imported function for an operation that has no WebAssembly form. */
  readonly imported: (name: string) => number;
}

type Node = number;
/** Arguments are v128 nodes of i32x4; the result too (a mask for bool results). */
export type VectorOp = (x: OpContext, a: Node, b: Node, c: Node) => Node;

const SIGN = 0x8000_0000 | 0;
const QUIET = 0x0040_0000;
const DEFAULT_NAN = 0x7fc0_0000;

const bin =
  (op: number): VectorOp =>
  ({ dag }, a, b) =>
    dag.binary(op, a, b);
const un =
  (op: number): VectorOp =>
  ({ dag }, a) =>
    dag.unary(op, a);

/** `yes` where `mask` is all ones, else `no`. */
export function blend(x: OpContext, mask: Node, yes: Node, no: Node): Node {
  if (yes === no) return yes;
  return x.dag.ternary(x.relaxed ? OP.i32x4RelaxedLaneselect : OP.v128Bitselect, yes, no, mask);
}

export function shiftBy(dag: Dag, op: number, a: Node, amount: number): Node {
  return dag.binary(op, a, dag.i32(amount));
}

/** Applies a function of scalars to each lane. */
function perLane(x: OpContext, a: Node, b: Node, c: Node, compute: (a: Node, b: Node, c: Node) => Node): Node {
  const { dag } = x;
  const lane = (v: Node, i: number): Node => (v < 0 ? -1 : dag.lane(OP.i32x4ExtractLane, i, v));
  let result = dag.unary(OP.i32x4Splat, compute(lane(a, 0), lane(b, 0), lane(c, 0)));
  for (let i = 1; i < 4; i++) result = dag.lane(OP.i32x4ReplaceLane, i, result, compute(lane(a, i), lane(b, i), lane(c, i)));
  return result;
}

function mulHigh(low: number, high: number): VectorOp {
  return ({ dag }, a, b) => dag.shuffle(dag.binary(low, a, b), dag.binary(high, a, b), 1, 3, 5, 7);
}

function popcount(dag: Dag, a: Node): Node {
  return dag.unary(OP.i32x4ExtaddPairwiseI16x8U, dag.unary(OP.i16x8ExtaddPairwiseI8x16U, dag.unary(OP.i8x16Popcnt, a)));
}

function leadingZeros({ dag }: OpContext, a: Node): Node {
  let bits = a;
  for (const shift of [1, 2, 4, 8, 16]) bits = dag.binary(OP.v128Or, bits, shiftBy(dag, OP.i32x4ShrU, bits, shift));
  return dag.binary(OP.i32x4Sub, dag.splatConst(32), popcount(dag, bits));
}

function reverseBits({ dag }: OpContext, a: Node): Node {
  let bits = a;
  for (const [shift, mask] of [
    [1, 0x5555_5555],
    [2, 0x3333_3333],
    [4, 0x0f0f_0f0f],
    [8, 0x00ff_00ff],
  ] as const) {
    const keep = dag.splatConst(mask);
    const down = dag.binary(OP.v128And, shiftBy(dag, OP.i32x4ShrU, bits, shift), keep);
    bits = dag.binary(OP.v128Or, down, shiftBy(dag, OP.i32x4Shl, dag.binary(OP.v128And, bits, keep), shift));
  }
  return dag.binary(OP.v128Or, shiftBy(dag, OP.i32x4ShrU, bits, 16), shiftBy(dag, OP.i32x4Shl, bits, 16));
}

/** 2^amount as a multiplier, through the exponent of a float. */
function shiftLeft({ dag }: OpContext, a: Node, b: Node): Node {
  const amount = dag.binary(OP.v128And, b, dag.splatConst(31));
  const power = shiftBy(dag, OP.i32x4Shl, dag.binary(OP.i32x4Add, amount, dag.splatConst(127)), 23);
  return dag.binary(OP.i32x4Mul, a, dag.unary(OP.i32x4TruncSatF32x4U, power));
}

function shiftRight(op: number): VectorOp {
  return (x, a, b) => perLane(x, a, b, -1, (v, amount) => x.dag.binary(op, v, amount));
}

const isNan = (dag: Dag, a: Node): Node => dag.binary(OP.f32x4Ne, a, a);

/** Puts right the NaN of a float result: the first NaN argument, quieted; else the default NaN. */
function fixNan(x: OpContext, result: Node, args: readonly Node[]): Node {
  if (!x.exactNan) return result;
  const { dag } = x;
  let nan = dag.splatConst(DEFAULT_NAN);
  for (let i = args.length - 1; i >= 0; i--) {
    const arg = args[i] ?? 0;
    nan = dag.ternary(OP.v128Bitselect, dag.binary(OP.v128Or, arg, dag.splatConst(QUIET)), nan, isNan(dag, arg));
  }
  return dag.ternary(OP.v128Bitselect, nan, result, isNan(dag, result));
}

const floatBin =
  (op: number): VectorOp =>
  (x, a, b) =>
    fixNan(x, x.dag.binary(op, a, b), [a, b]);
const floatUn =
  (op: number): VectorOp =>
  (x, a) =>
    fixNan(x, x.dag.unary(op, a), [a]);

function fma(x: OpContext, a: Node, b: Node, c: Node): Node {
  if (x.relaxed) return fixNan(x, x.dag.ternary(OP.f32x4RelaxedMadd, a, b, c), [a, b, c]);
  const fn = x.imported('fmaF32');
  return perLane(x, a, b, c, (p, q, r) => x.dag.call(fn, p, q, r));
}

/** Signed integers in the order of the floats, -0 before +0. */
function order(dag: Dag, a: Node): Node {
  return dag.binary(OP.v128Xor, a, shiftBy(dag, OP.i32x4ShrU, shiftBy(dag, OP.i32x4ShrS, a, 31), 1));
}

function minMax(compare: number): VectorOp {
  return (x, a, b) => {
    const { dag } = x;
    const nanA = isNan(dag, a);
    const nanB = isNan(dag, b);
    const number = blend(x, dag.binary(compare, order(dag, b), order(dag, a)), b, a);
    const withoutA = blend(x, nanA, b, number);
    const quietA = dag.binary(OP.v128Or, a, dag.binary(OP.v128And, nanA, dag.splatConst(QUIET)));
    return blend(x, nanB, quietA, withoutA);
  };
}

/** f32 to f16: to nearest even; see the standard steps: overflow, denormal by a float addition, normal by an integer one. */
function toHalf(x: OpContext, a: Node): Node {
  const { dag } = x;
  const sign = dag.binary(OP.v128And, shiftBy(dag, OP.i32x4ShrU, a, 16), dag.splatConst(0x8000));
  const size = dag.binary(OP.v128And, a, dag.splatConst(0x7fff_ffff));
  const half = dag.splatConst(0x3f00_0000); // 0.5: its last bit is worth 2^-24
  const small = dag.binary(OP.i32x4Sub, dag.binary(OP.f32x4Add, size, half), half);
  const odd = dag.binary(OP.v128And, shiftBy(dag, OP.i32x4ShrU, size, 13), dag.splatConst(1));
  const biased = dag.binary(OP.i32x4Add, dag.binary(OP.i32x4Add, size, dag.splatConst((-112 << 23) + 0xfff)), odd);
  const normal = shiftBy(dag, OP.i32x4ShrU, biased, 13);
  const payload = dag.binary(OP.v128And, shiftBy(dag, OP.i32x4ShrU, a, 13), dag.splatConst(0x3ff));
  const nan = dag.binary(OP.v128Or, payload, dag.splatConst(0x7e00));
  const isSmall = dag.binary(OP.i32x4LtS, size, dag.splatConst(0x3880_0000));
  const isLarge = dag.binary(OP.i32x4GtS, size, dag.splatConst(0x477f_efff));
  let result = blend(x, isSmall, small, normal);
  result = blend(x, isLarge, dag.splatConst(0x7c00), result);
  result = blend(x, dag.binary(OP.i32x4GtS, size, dag.splatConst(0x7f80_0000)), nan, result);
  return dag.binary(OP.v128Or, sign, result);
}

function fromHalf(x: OpContext, a: Node): Node {
  const { dag } = x;
  const sign = shiftBy(dag, OP.i32x4Shl, dag.binary(OP.v128And, a, dag.splatConst(0x8000)), 16);
  const size = dag.binary(OP.v128And, a, dag.splatConst(0x7fff));
  const isSmall = dag.binary(OP.i32x4LtS, size, dag.splatConst(0x400));
  const isSpecial = dag.binary(OP.i32x4GtS, size, dag.splatConst(0x7bff));
  const isNan16 = dag.binary(OP.i32x4GtS, size, dag.splatConst(0x7c00));
  const scale = dag.splatConst(0x3380_0000); // 2^-24
  const small = dag.binary(OP.f32x4Mul, dag.unary(OP.f32x4ConvertI32x4S, size), scale);
  const rebias = dag.splatConst(112 << 23);
  let normal = dag.binary(OP.i32x4Add, shiftBy(dag, OP.i32x4Shl, size, 13), rebias);
  normal = dag.binary(OP.i32x4Add, normal, dag.binary(OP.v128And, isSpecial, rebias));
  normal = dag.binary(OP.v128Or, normal, dag.binary(OP.v128And, isNan16, dag.splatConst(QUIET)));
  return dag.binary(OP.v128Or, sign, blend(x, isSmall, small, normal));
}

const imported =
  (name: string): VectorOp =>
  (x, a) => {
    const fn = x.imported(name);
    return perLane(x, a, -1, -1, (v) => x.dag.call(fn, v));
  };

/** Operations whose arguments and result are i32 or a lane mask. */
export const VECTOR_OPS: Readonly<Partial<Record<OpName, VectorOp>>> = {
  add32: bin(OP.i32x4Add),
  sub32: bin(OP.i32x4Sub),
  mul32: bin(OP.i32x4Mul),
  mulHiU32: mulHigh(OP.i64x2ExtmulLowI32x4U, OP.i64x2ExtmulHighI32x4U),
  mulHiS32: mulHigh(OP.i64x2ExtmulLowI32x4S, OP.i64x2ExtmulHighI32x4S),
  and32: bin(OP.v128And),
  or32: bin(OP.v128Or),
  xor32: bin(OP.v128Xor),
  shl32: shiftLeft,
  shrU32: shiftRight(OP.i32ShrU),
  shrS32: shiftRight(OP.i32ShrS),
  clz32: leadingZeros,
  ctz32: ({ dag }, a) => {
    const below = dag.binary(OP.i32x4Sub, a, dag.splatConst(1));
    return popcount(dag, dag.binary(OP.v128Andnot, below, a));
  },
  popcnt32: ({ dag }, a) => popcount(dag, a),
  brev32: reverseBits,
  minU32: bin(OP.i32x4MinU),
  maxU32: bin(OP.i32x4MaxU),
  minS32: bin(OP.i32x4MinS),
  maxS32: bin(OP.i32x4MaxS),
  eq32: bin(OP.i32x4Eq),
  ltU32: bin(OP.i32x4LtU),
  ltS32: bin(OP.i32x4LtS),
  addF32: floatBin(OP.f32x4Add),
  subF32: floatBin(OP.f32x4Sub),
  mulF32: floatBin(OP.f32x4Mul),
  divF32: floatBin(OP.f32x4Div),
  fmaF32: fma,
  sqrtF32: floatUn(OP.f32x4Sqrt),
  minNumF32: minMax(OP.i32x4LtS),
  maxNumF32: minMax(OP.i32x4GtS),
  ltF32: bin(OP.f32x4Lt),
  leF32: bin(OP.f32x4Le),
  eqF32: bin(OP.f32x4Eq),
  truncF32: un(OP.f32x4Trunc),
  floorF32: un(OP.f32x4Floor),
  ceilF32: un(OP.f32x4Ceil),
  nearestF32: un(OP.f32x4Nearest),
  f32ToS32: un(OP.i32x4TruncSatF32x4S),
  f32ToU32: un(OP.i32x4TruncSatF32x4U),
  s32ToF32: un(OP.f32x4ConvertI32x4S),
  u32ToF32: un(OP.f32x4ConvertI32x4U),
  f32ToF16: toHalf,
  f16ToF32: fromHalf,
  exp2F32: imported('exp2F32'),
  log2F32: imported('log2F32'),
  sinTurnsF32: imported('sinTurnsF32'),
  cosTurnsF32: imported('cosTurnsF32'),
};

/** Arguments and results are i64x2 nodes: called once for lanes 0, 1 and once for lanes 2, 3. */
export type WideOp = VectorOp;

function perLane64(x: OpContext, a: Node, b: Node, compute: (a: Node, b: Node) => Node): Node {
  const { dag } = x;
  const lane = (v: Node, i: number): Node => dag.lane(OP.i64x2ExtractLane, i, v);
  const first = dag.unary(OP.i64x2Splat, compute(lane(a, 0), lane(b, 0)));
  return dag.lane(OP.i64x2ReplaceLane, 1, first, compute(lane(a, 1), lane(b, 1)));
}

const SIGN64 = (dag: Dag): Node => dag.v128(0, SIGN, 0, SIGN);
const isNan64 = (dag: Dag, a: Node): Node => dag.binary(OP.f64x2Ne, a, a);
const splat64 = (dag: Dag, high: number): Node => dag.v128(0, high, 0, high);

function fixNan64(x: OpContext, result: Node, args: readonly Node[]): Node {
  if (!x.exactNan) return result;
  const { dag } = x;
  let nan = splat64(dag, 0x7ff8_0000);
  for (let i = args.length - 1; i >= 0; i--) {
    const arg = args[i] ?? 0;
    nan = dag.ternary(OP.v128Bitselect, dag.binary(OP.v128Or, arg, splat64(dag, 0x0008_0000)), nan, isNan64(dag, arg));
  }
  return dag.ternary(OP.v128Bitselect, nan, result, isNan64(dag, result));
}

const wideBin =
  (op: number): WideOp =>
  (x, a, b) =>
    fixNan64(x, x.dag.binary(op, a, b), [a, b]);
const wideUn =
  (op: number): WideOp =>
  (x, a) =>
    fixNan64(x, x.dag.unary(op, a), [a]);

function minMax64(isMin: number): WideOp {
  return ({ dag }, a, b) => {
    const positive = (v: Node): Node =>
      dag.binary(OP.v128Xor, v, shiftBy(dag, OP.i64x2ShrU, shiftBy(dag, OP.i64x2ShrS, v, 63), 1));
    const bits = (mask: Node, yes: Node, no: Node): Node => dag.ternary(OP.v128Bitselect, yes, no, mask);
    const [p, q] = [positive(a), positive(b)];
    const number = bits(isMin === 1 ? dag.binary(OP.i64x2LtS, q, p) : dag.binary(OP.i64x2LtS, p, q), b, a);
    const nanA = isNan64(dag, a);
    const quietA = dag.binary(OP.v128Or, a, dag.binary(OP.v128And, nanA, splat64(dag, 0x0008_0000)));
    return bits(isNan64(dag, b), quietA, bits(nanA, b, number));
  };
}

/** 64-bit operations with i64 arguments and i64 or bool results; a bool comes as an i64x2 mask. */
export const WIDE_OPS: Readonly<Partial<Record<OpName, WideOp>>> = {
  add64: bin(OP.i64x2Add),
  sub64: bin(OP.i64x2Sub),
  mul64: bin(OP.i64x2Mul),
  and64: bin(OP.v128And),
  or64: bin(OP.v128Or),
  xor64: bin(OP.v128Xor),
  eq64: bin(OP.i64x2Eq),
  ltS64: bin(OP.i64x2LtS),
  ltU64: ({ dag }, a, b) =>
    dag.binary(OP.i64x2LtS, dag.binary(OP.v128Xor, a, SIGN64(dag)), dag.binary(OP.v128Xor, b, SIGN64(dag))),
  addF64: wideBin(OP.f64x2Add),
  subF64: wideBin(OP.f64x2Sub),
  mulF64: wideBin(OP.f64x2Mul),
  divF64: wideBin(OP.f64x2Div),
  sqrtF64: wideUn(OP.f64x2Sqrt),
  minNumF64: minMax64(1),
  maxNumF64: minMax64(0),
  ltF64: bin(OP.f64x2Lt),
  leF64: bin(OP.f64x2Le),
  eqF64: bin(OP.f64x2Eq),
  truncF64: un(OP.f64x2Trunc),
  floorF64: un(OP.f64x2Floor),
  ceilF64: un(OP.f64x2Ceil),
  nearestF64: un(OP.f64x2Nearest),
};

/** Shifts of i64x2 by amounts in i64x2 lanes (already modulo 64). */
export const WIDE_SHIFTS: Readonly<Record<'shl64' | 'shrU64' | 'shrS64', { readonly vector: number; readonly scalar: number }>> =
  {
    shl64: { vector: OP.i64x2Shl, scalar: OP.i64Shl },
    shrU64: { vector: OP.i64x2ShrU, scalar: OP.i64ShrU },
    shrS64: { vector: OP.i64x2ShrS, scalar: OP.i64ShrS },
  };

export function variableShift64(x: OpContext, scalar: number, a: Node, amounts: Node): Node {
  return perLane64(x, a, amounts, (v, n) => x.dag.binary(scalar, v, n));
}

export function fma64(x: OpContext, a: Node, b: Node, c: Node): Node | undefined {
  return x.relaxed ? fixNan64(x, x.dag.ternary(OP.f64x2RelaxedMadd, a, b, c), [a, b, c]) : undefined;
}
