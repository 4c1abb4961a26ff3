/** What memory accesses are generated with, and how an address is taken apart. */
import { PAGE_TABLE } from '../memory-map.js';
import type { MatrixOp } from '../matrix/matrix-op.js';
import type { FunctionBody } from '../wasm/module-builder.js';
import { OP } from '../wasm/opcodes.js';
import type { AccessKind } from './lane-function.js';
import type { TranslationContext, Translator } from './address-space.js';
import type { Dag } from './dag.js';
import type { LocalPool } from './local-pool.js';
import type { Vec, Wide } from './values.js';

export interface MemoryContext {
  readonly body: FunctionBody;
  readonly pool: LocalPool;
  readonly translator: Translator;
  readonly translation: TranslationContext;
  readonly control: number;
  /** Locals with the LDS base and size. */
  readonly lds: number;
  readonly ldsBytes: number;
  readonly softwarePages: boolean;
  readonly isOnlyWorker: boolean;
  /** Index of the access function of a kind. */
  readonly accessFunction: (kind: AccessKind) => number;
  /** Index of the function of a matrix instruction. */
  readonly matrixFunction: (op: MatrixOp) => number;
  /** Index of the function that records a failure and traps (fault-record.ts). */
  readonly fail: () => number;
  /** Emits a call that is seldom reached, in an arm of its own. */
  readonly emitRareCall: (emitCall: () => void) => void;
  /** Index of the imported clock. */
  readonly clock: number;
}

/** An address, taken apart. `base` is absent for LDS and private memory. */
export interface Place {
  readonly base: number | undefined;
  readonly offset: Vec;
  readonly multiplier: number;
  /** Set for 64-bit addresses that are no sums: then base is a constant and offset means nothing. */
  readonly wide: Wide | undefined;
}

/** i64 node: base + offset · multiplier. */
export function sumNode(dag: Dag, base: number, offset: number, multiplier: number): number {
  const known = dag.constant(offset);
  if (known !== undefined) {
    const product = (known >>> 0) * multiplier;
    return dag.binary(OP.i64Add, base, dag.i64(product | 0, Math.floor(product / 2 ** 32)));
  }
  const wide = dag.unary(OP.i64ExtendI32U, offset);
  const shift = 31 - Math.clz32(multiplier);
  const product =
    multiplier === 1
      ? wide
      : multiplier === 1 << shift
        ? dag.binary(OP.i64Shl, wide, dag.i64(shift, 0))
        : dag.binary(OP.i64Mul, wide, dag.i64(multiplier, 0));
  return dag.binary(OP.i64Add, base, product);
}

/** i32 node: all conditions hold. */
export function allOf(dag: Dag, conditions: readonly number[]): number {
  const both = (all: number, node: number): number => {
    if (dag.constant(node) === 1) return all;
    return dag.constant(all) === 1 ? node : dag.binary(OP.i32And, all, node);
  };
  return conditions.reduce(both, dag.i32(1));
}

/** i32 node: the first and the last page of a range that spans at most two allow the access. */
export function pagesAllow(dag: Dag, offset: number, bytes: number, access: number): number {
  if (bytes > 4096) return dag.i32(0);
  const flags = (at: number): number =>
    dag.load(OP.i32Load8U, dag.binary(OP.i32ShrU, dag.binary(OP.i32Add, offset, dag.i32(at)), dag.i32(12)), PAGE_TABLE);
  const both = dag.binary(OP.i32And, dag.binary(OP.i32And, flags(0), flags(bytes - 1)), dag.i32(access));
  return dag.binary(OP.i32Eq, both, dag.i32(access));
}

export function loadCode(bits: 8 | 16 | 32 | 64): number {
  return bits === 8 ? OP.i32Load8U : bits === 16 ? OP.i32Load16U : OP.i32Load;
}
