/** Operations on one value for the wave, as nodes of the graph: i32 and i64 scalars; bool is an i32 of 0 or 1. */
import type { OpName } from '../ir/ops.js';
import { OP } from '../wasm/opcodes.js';
import type { Dag } from './dag.js';

export type ScalarOp = (d: Dag, a: number, b: number, c: number) => number;

const bin =
  (op: number): ScalarOp =>
  (d, a, b) =>
    d.binary(op, a, b);
const un =
  (op: number): ScalarOp =>
  (d, a) =>
    d.unary(op, a);

const lessOf =
  (op: number, swapped: 0 | 1): ScalarOp =>
  (d, a, b) =>
    swapped === 1 ? d.select(d.binary(op, a, b), b, a) : d.select(d.binary(op, a, b), a, b);

function mulHigh(extend: number): ScalarOp {
  return (d, a, b) =>
    d.unary(OP.i32WrapI64, d.binary(OP.i64ShrU, d.binary(OP.i64Mul, d.unary(extend, a), d.unary(extend, b)), d.i64(32, 0)));
}

const floats =
  (op: number): ScalarOp =>
  (d, a, b) =>
    d.binary(op, d.unary(OP.f32ReinterpretI32, a), d.unary(OP.f32ReinterpretI32, b));

/**
 * Integer operations and float comparisons with i32 or bool results. Float arithmetic on one value goes through the vector form, so
 * that it is the same operation.
 */
export const SCALAR_OPS: Readonly<Partial<Record<OpName, ScalarOp>>> = {
  add32: bin(OP.i32Add),
  sub32: bin(OP.i32Sub),
  mul32: bin(OP.i32Mul),
  mulHiU32: mulHigh(OP.i64ExtendI32U),
  mulHiS32: mulHigh(OP.i64ExtendI32S),
  and32: bin(OP.i32And),
  or32: bin(OP.i32Or),
  xor32: bin(OP.i32Xor),
  shl32: bin(OP.i32Shl),
  shrU32: bin(OP.i32ShrU),
  shrS32: bin(OP.i32ShrS),
  clz32: un(OP.i32Clz),
  ctz32: un(OP.i32Ctz),
  popcnt32: un(OP.i32Popcnt),
  minU32: lessOf(OP.i32LtU, 0),
  maxU32: lessOf(OP.i32LtU, 1),
  minS32: lessOf(OP.i32LtS, 0),
  maxS32: lessOf(OP.i32LtS, 1),
  eq32: bin(OP.i32Eq),
  ltU32: bin(OP.i32LtU),
  ltS32: bin(OP.i32LtS),
  select32: (d, a, b, c) => d.select(a, b, c),
  not: un(OP.i32Eqz),
  and: bin(OP.i32And),
  or: bin(OP.i32Or),
  xor: bin(OP.i32Xor),
  ltF32: floats(OP.f32Lt),
  leF32: floats(OP.f32Le),
  eqF32: floats(OP.f32Eq),
};

const doubles =
  (op: number): ScalarOp =>
  (d, a, b) =>
    d.binary(op, d.unary(OP.f64ReinterpretI64, a), d.unary(OP.f64ReinterpretI64, b));

/** Operations with i64 arguments: results i64, or bool for comparisons. */
export const SCALAR_WIDE_OPS: Readonly<Partial<Record<OpName, ScalarOp>>> = {
  add64: bin(OP.i64Add),
  sub64: bin(OP.i64Sub),
  mul64: bin(OP.i64Mul),
  and64: bin(OP.i64And),
  or64: bin(OP.i64Or),
  xor64: bin(OP.i64Xor),
  eq64: bin(OP.i64Eq),
  ltU64: bin(OP.i64LtU),
  ltS64: bin(OP.i64LtS),
  ltF64: doubles(OP.f64Lt),
  leF64: doubles(OP.f64Le),
  eqF64: doubles(OP.f64Eq),
};
