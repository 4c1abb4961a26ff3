/** Rows of a matrix product: up to eight rows of D by four columns at a time, sums in locals, k from first to last. */
import { InternalError } from '@doorbell/abi';
import { placeOf } from '../matrix/layout.js';
import type { MatrixOp, MatrixScale } from '../matrix/matrix-op.js';
import type { FunctionBody } from '../wasm/module-builder.js';
import { I32, OP, V128, VOID } from '../wasm/opcodes.js';
import { Dag } from './dag.js';
import { LocalPool } from './local-pool.js';
import { elementBytes, matrixArea, rowBytes, rowCounts, rowForm, type RowForm } from './matrix-area.js';
import { defaultNan, floatElement, flushed, halfResult } from './matrix-elements.js';
import type { MatrixContext } from './matrix-functions.js';
import { advance } from './matrix-rows.js';
import { VECTOR_OPS, blend, fma64, shiftBy, type OpContext } from './vector-ops.js';

/** Parameters: offset of A's first element in its rows plus the control block, addresses of B's first element, of C's and D's register. */
const ROW = 0;
const B = 1;
const C = 2;
const D = 3;

const NAN_F64_HIGH = 0x7ff8_0000;
/** Most rows of k in one turn of the loop. */
const UNROLL = 4;

/** Rows of D in one call. */
export function tileRows(op: MatrixOp): number {
  return Math.min(op.m, rowForm(op) === 'f64' ? 4 : 8);
}

export function emitTile(body: FunctionBody, op: MatrixOp, context: MatrixContext): void {
  new TileWriter(body, op, context).write();
}

class TileWriter {
  readonly #body: FunctionBody;
  readonly #op: MatrixOp;
  readonly #form: RowForm;
  readonly #context: MatrixContext;
  readonly #dag = new Dag();
  readonly #x: OpContext;
  readonly #rows: readonly number[];
  /** Sums: one v128 a row, two for f64. */
  readonly #sums: readonly (readonly number[])[];
  /** Partial sums of one block of scale factors. */
  readonly #parts: readonly number[];
  readonly #a: number;
  readonly #b: number;
  readonly #count: number;
  readonly #columns: number;

  constructor(body: FunctionBody, op: MatrixOp, context: MatrixContext) {
    this.#body = body;
    this.#op = op;
    this.#context = context;
    this.#form = rowForm(op);
    this.#rows = Array.from({ length: tileRows(op) }, (_, row) => row);
    const vectors = this.#form === 'f64' ? [0, 1] : [0];
    this.#sums = this.#rows.map(() => vectors.map(() => body.local(V128)));
    this.#parts = op.scale === undefined ? [] : this.#rows.map(() => body.local(V128));
    this.#a = body.local(I32);
    this.#b = body.local(I32);
    this.#count = body.local(I32);
    this.#columns = body.local(I32);
    this.#dag.body = body;
    this.#dag.pool = new LocalPool(body);
    this.#x = { dag: this.#dag, relaxed: context.relaxed, exactNan: false, imported: context.imported };
  }

  write(): void {
    const body = this.#body;
    const area = matrixArea(this.#op);
    body.i32(this.#op.n / 4);
    body.set(this.#columns);
    body.open(OP.loop, VOID);
    this.#loadC();
    body.get(ROW);
    body.i32(area.rowsOfA);
    body.op(OP.i32Add);
    body.set(this.#a);
    body.get(B);
    body.set(this.#b);
    if (this.#op.scale === undefined) this.#sumRows(rowCounts(this.#op)[0]);
    else this.#scaledSums(this.#op.scale);
    this.#storeD();
    advance(body, C, 16);
    advance(body, D, 16);
    advance(body, B, 4 * elementBytes(this.#op));
    this.#repeat(this.#columns);
    body.end();
  }

  // Sums

  /** Adds the products of `count` rows of A (and B) from where the pointers are; moves them on. */
  #sumRows(count: number): void {
    const { order, index } = this.#op;
    const group = order === 'pairs4' ? 4 : order === 'pairs2' || index !== undefined ? 2 : 1;
    const turn = Math.min(count, Math.max(group, UNROLL));
    this.#loop(this.#count, count / turn, () => {
      const [rowOfA, rowOfB] = rowBytes(this.#op);
      for (let row = 0; row < turn; row += group) {
        if (index !== undefined) this.#sparse(row, rowOfA, (row / 2) * 4 * rowOfB);
        else if (group > 1) this.#tree(row, group, rowOfA, rowOfB);
        else this.#dense(row, rowOfA, rowOfB);
      }
      advance(this.#body, this.#a, turn * rowOfA);
      advance(this.#body, this.#b, (index === undefined ? turn : turn * 2) * rowOfB);
    });
  }

  #dense(k: number, rowOfA: number, rowOfB: number): void {
    const vectors = this.#sums[0]?.length ?? 1;
    const columns = Array.from({ length: vectors }, (_, part) => this.#loaded(this.#b, k * rowOfB + part * 16));
    for (const row of this.#rows) {
      const a = this.#splat(k * rowOfA, row);
      for (const [part, column] of columns.entries()) this.#add(row, part, a, column);
    }
    this.#forget();
  }

  /** The two stored values of a group of four k: each takes its own row of B. */
  #sparse(s: number, rowOfA: number, groupOfB: number): void {
    const body = this.#body;
    const { positions, rowsOfA } = matrixArea(this.#op);
    for (const which of [0, 1]) {
      for (const row of this.#rows) {
        const at = (s + which) * rowOfA;
        const a = this.#splat(at, row);
        body.get(this.#b);
        body.get(this.#a);
        body.access(OP.i32Load, 2, positions - rowsOfA + at + row * 4);
        body.op(OP.i32Add);
        body.access(OP.v128Load, 2, groupOfB);
        this.#add(row, 0, a, this.#dag.fromStack(V128));
      }
    }
    this.#forget();
  }

  /** Products of a group of rows added as a tree, then to the sum; each step rounded, and flushed. */
  #tree(k: number, group: number, rowOfA: number, rowOfB: number): void {
    const { dag } = this.#x;
    const columns = Array.from({ length: group }, (_, n) => this.#loaded(this.#b, (k + n) * rowOfB));
    const step = (op: number, a: number, b: number): number => {
      const value = dag.binary(op, a, b);
      return this.#mayUnderflow() ? flushed(this.#x, value) : value;
    };
    for (const row of this.#rows) {
      let values = columns.map((column, n) => step(OP.f32x4Mul, this.#splat((k + n) * rowOfA, row), column));
      while (values.length > 1) {
        values = Array.from({ length: values.length / 2 }, (_, n) =>
          step(OP.f32x4Add, values[2 * n] ?? 0, values[2 * n + 1] ?? 0),
        );
      }
      const sum = this.#sums[row]?.[0] ?? 0;
      dag.emit(step(OP.f32x4Add, dag.get(sum, V128), values[0] ?? 0));
      this.#body.set(sum);
    }
    this.#forget();
  }

  /** Sums of f16 products are multiples of 2^-48 while normal numbers are flushed to: they are never denormal. */
  #mayUnderflow(): boolean {
    return this.#op.flush && this.#op.formats[0] !== 'f16';
  }

  /** sum += a · column. */
  #add(row: number, part: number, a: number, column: number): void {
    const { dag } = this.#x;
    const target = this.#op.scale === undefined ? (this.#sums[row]?.[part] ?? 0) : (this.#parts[row] ?? 0);
    dag.emit(this.#product(a, column, this.#current(target)));
    this.#body.set(target);
  }

  #product(a: number, column: number, sum: number): number {
    const { dag } = this.#x;
    switch (this.#form) {
      case 'pairs':
        return dag.binary(OP.i32x4Add, sum, dag.binary(OP.i32x4DotI16x8S, a, column));
      case 'i32':
        return dag.binary(OP.i32x4Add, sum, dag.binary(OP.i32x4Mul, a, column));
      case 'f64':
        return fma64(this.#x, a, column, sum) ?? this.#softwareFma64(a, column, sum);
      case 'f32':
        return VECTOR_OPS.fmaF32?.(this.#x, a, column, sum) ?? sum;
      default:
        return this.#form satisfies never;
    }
  }

  #softwareFma64(a: number, b: number, c: number): number {
    const { dag } = this.#x;
    const fn = this.#context.imported('fmaF64');
    const lane = (v: number, n: number): number => dag.lane(OP.i64x2ExtractLane, n, v);
    const result = (n: number): number => dag.callWide(fn, lane(a, n), lane(b, n), lane(c, n));
    return dag.lane(OP.i64x2ReplaceLane, 1, dag.unary(OP.i64x2Splat, result(0)), result(1));
  }

  /** Each block of k is summed from 0, multiplied by its two factors in f64, added to the sum there, and rounded to f32. */
  #scaledSums(scale: MatrixScale): void {
    const body = this.#body;
    const { factors, rowsOfB } = matrixArea(this.#op);
    const blocks = this.#op.k / scale.block;
    const [rowOfA, rowOfB] = rowBytes(this.#op);
    for (let block = 0; block < blocks; block++) {
      for (const part of this.#parts) {
        body.v128([0, 0, 0, 0]);
        body.set(part);
      }
      this.#sumRows(scale.block);
      const column = this.#loaded(B, factors[1] - rowsOfB + block * rowOfB);
      for (const row of this.#rows) {
        const a = this.#loadSplat(ROW, factors[0] + block * rowOfA + row * 4);
        this.#addScaled(row, a, column);
      }
      this.#forget();
    }
  }

  #addScaled(row: number, a: number, column: number): void {
    const { dag } = this.#x;
    const sum = this.#sums[row]?.[0] ?? 0;
    const half = (value: number, n: 0 | 1): number =>
      dag.unary(OP.f64x2PromoteLowF32x4, n === 0 ? value : dag.shuffle(value, value, 2, 3, 2, 3));
    const [part, old] = [this.#current(this.#parts[row] ?? 0), this.#current(sum)];
    const [low, high] = ([0, 1] as const).map((n) => {
      const scaled = dag.binary(OP.f64x2Mul, dag.binary(OP.f64x2Mul, half(part, n), half(a, n)), half(column, n));
      return dag.unary(OP.f32x4DemoteF64x2Zero, dag.binary(OP.f64x2Add, half(old, n), scaled));
    });
    dag.emit(dag.shuffle(low ?? 0, high ?? 0, 0, 1, 4, 5));
    this.#body.set(sum);
  }

  // C and D

  /** Offset of a row's first dword from the tile's, and its first bit there. */
  #place(side: 'c' | 'd', row: number): { readonly offset: number; readonly bit: number } {
    const { register, lane, bit } = placeOf(this.#op[side], { i: row });
    return { offset: (register * this.#op.waveSize + lane) * 4, bit };
  }

  #loadC(): void {
    const body = this.#body;
    const { dag } = this.#x;
    const { cFormat, clamp, flush, waveSize } = this.#op;
    for (const row of this.#rows) {
      const [sum = 0, second = 0] = this.#sums[row] ?? [];
      const { offset, bit } = this.#place('c', row);
      if (clamp) {
        body.v128([0, 0, 0, 0]);
        body.set(sum);
        continue;
      }
      const dwords = this.#loaded(C, offset);
      if (cFormat === 'f64') {
        const high = this.#loaded(C, offset + waveSize * 4);
        dag.emit(dag.shuffle(dwords, high, 0, 4, 1, 5));
        body.set(sum);
        dag.emit(dag.shuffle(dwords, high, 2, 6, 3, 7));
        body.set(second);
      } else if (cFormat === 'i32') {
        dag.emit(dwords);
        body.set(sum);
      } else {
        const value =
          cFormat === 'f32' ? dwords : floatElement(this.#x, cFormat, false, { low: dwords, high: dwords, first: bit });
        dag.emit(flush ? flushed(this.#x, value) : value);
        body.set(sum);
      }
      this.#forget();
    }
  }

  #storeD(): void {
    const body = this.#body;
    const { dag } = this.#x;
    const { dFormat, waveSize } = this.#op;
    if (dFormat === 'f16' || dFormat === 'bf16') {
      this.#storeHalves(dFormat);
      return;
    }
    const store = (offset: number, value: number): void => {
      body.get(D);
      dag.emit(value);
      body.access(OP.v128Store, 2, offset);
    };
    for (const row of this.#rows) {
      const { offset } = this.#place('d', row);
      const [low = 0, high = 0] = (this.#sums[row] ?? []).map((sum) => this.#current(sum));
      if (dFormat === 'f64') {
        const [first, second] = [this.#defaultNan64(low), this.#defaultNan64(high)];
        dag.use(first);
        dag.use(second);
        store(offset, dag.shuffle(first, second, 0, 2, 4, 6));
        store(offset + waveSize * 4, dag.shuffle(first, second, 1, 3, 5, 7));
      } else store(offset, dFormat === 'i32' ? this.#clamped(row, low) : this.#finished(low));
      this.#forget();
    }
  }

  #finished(value: number): number {
    return defaultNan(this.#x, this.#op.flush ? flushed(this.#x, value) : value);
  }

  #defaultNan64(value: number): number {
    const { dag } = this.#x;
    const isNan = dag.binary(OP.f64x2Ne, value, value);
    return dag.ternary(OP.v128Bitselect, dag.v128(0, NAN_F64_HIGH, 0, NAN_F64_HIGH), value, isNan);
  }

  /** C + sum, saturated: products alone never leave 32 bits. */
  #clamped(row: number, sum: number): number {
    if (!this.#op.clamp) return sum;
    const { dag } = this.#x;
    const c = this.#loaded(C, this.#place('c', row).offset);
    const total = dag.binary(OP.i32x4Add, c, sum);
    const isOver = dag.binary(OP.v128And, dag.binary(OP.v128Xor, c, total), dag.binary(OP.v128Xor, sum, total));
    const limit = dag.binary(OP.v128Xor, shiftBy(dag, OP.i32x4ShrS, c, 31), dag.splatConst(0x7fff_ffff));
    return blend(this.#x, shiftBy(dag, OP.i32x4ShrS, isOver, 31), limit, total);
  }

  /** 16-bit results: rows that share a register are stored together. */
  #storeHalves(format: 'f16' | 'bf16'): void {
    const { dag } = this.#x;
    const byRegister = new Map<number, number>();
    for (const row of this.#rows) {
      const { offset, bit } = this.#place('d', row);
      const code = halfResult(this.#x, format, this.#finished(this.#current(this.#sums[row]?.[0] ?? 0)));
      const placed = bit === 0 ? code : shiftBy(dag, OP.i32x4Shl, code, bit);
      const other = byRegister.get(offset);
      byRegister.set(offset, other === undefined ? placed : dag.binary(OP.v128Or, other, placed));
    }
    for (const [offset, value] of byRegister) {
      this.#body.get(D);
      dag.emit(value);
      this.#body.access(OP.v128Store, 2, offset);
    }
    this.#forget();
  }

  // Nodes

  /** A local's value now: nodes made before it changes must have been emitted. */
  #current(local: number): number {
    return this.#dag.get(local, V128);
  }

  /** Forgets nodes, so that locals which have changed are read anew. */
  #forget(): void {
    this.#dag.reset();
    this.#dag.pool?.reset();
  }

  #loaded(local: number, offset: number): number {
    this.#body.get(local);
    this.#body.access(OP.v128Load, 2, offset);
    return this.#dag.fromStack(V128);
  }

  /** A row's element of A in all lanes. */
  #splat(offset: number, row: number): number {
    return this.#loadSplat(this.#a, offset + row * elementBytes(this.#op));
  }

  #loadSplat(local: number, offset: number): number {
    this.#body.get(local);
    if (this.#form === 'f64') this.#body.access(OP.v128Load64Splat, 3, offset);
    else this.#body.access(OP.v128Load32Splat, 2, offset);
    return this.#dag.fromStack(V128);
  }

  // Loops

  #loop(counter: number, turns: number, turn: () => void): void {
    if (!Number.isInteger(turns)) throw new InternalError('a loop of no whole number of turns');
    const body = this.#body;
    if (turns === 1) {
      turn();
      return;
    }
    body.i32(turns);
    body.set(counter);
    body.open(OP.loop, VOID);
    turn();
    this.#repeat(counter);
    body.end();
  }

  #repeat(counter: number): void {
    const body = this.#body;
    body.get(counter);
    body.i32(-1);
    body.op(OP.i32Add);
    body.tee(counter);
    body.brIf(0);
  }
}
