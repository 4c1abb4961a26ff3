/**
 * Atomics that need no atomic instruction: those of LDS, which one worker alone sees while it runs the workgroup, and those of
 * coarse-grained memory where one worker alone executes kernels. Wholly active ones are done lane by lane in line, in the order of
 * the lanes; the rest goes through the access functions.
 */
import type { AtomicNode } from '../ir/block.js';
import type { AtomicOp } from '../ir/ops.js';
import { PAGE_BYTES, PAGE_COARSE, PAGE_READ, PAGE_TABLE, PAGE_WRITE } from '../memory-map.js';
import { OP, VOID } from '../wasm/opcodes.js';
import { allOf, pagesAllow, type MemoryContext, type Place } from './access-parts.js';
import { emitAtomicUpdate } from './atomic-update.js';
import type { Dag } from './dag.js';
import type { FastAccess, FastPlace } from './fast-access.js';
import type { Lanes } from './lanes.js';
import type { Mask, Vec } from './values.js';

/** Short enough to be written once for each lane. */
const IN_LINE: ReadonlySet<AtomicOp> = new Set<AtomicOp>([
  'add',
  'sub',
  'rsub',
  'and',
  'or',
  'xor',
  'swap',
  'minS',
  'minU',
  'maxS',
  'maxU',
  'inc',
  'dec',
  'cmpswap',
  'mskor',
]);
/** Pool types of locals. */
const POOL_I32 = 0;
const POOL_I64 = 1;
const PAGE_SHIFT = 12;
const NEEDED = PAGE_READ | PAGE_WRITE | PAGE_COARSE;

/** An atomic with all that it takes. */
export interface AtomicAccessRequest {
  readonly node: AtomicNode;
  readonly place: Place;
  readonly mask: Mask;
  /** Halves of the operands. */
  readonly data: readonly Vec[];
  readonly compare: readonly Vec[];
  /** v128 locals for the old values, halves behind each other; empty: nobody reads them. */
  readonly results: readonly number[];
}

export class AtomicAccess {
  readonly #lanes: Lanes;
  readonly #dag: Dag;
  readonly #context: MemoryContext;
  readonly #fast: FastAccess;

  constructor(lanes: Lanes, context: MemoryContext, fast: FastAccess) {
    this.#lanes = lanes;
    this.#dag = lanes.dag;
    this.#context = context;
    this.#fast = fast;
  }

  /** In line under a test, with the code of `slow` where the test fails; false: nothing was emitted. */
  emit(request: AtomicAccessRequest, slow: () => void): boolean {
    const dag = this.#dag;
    const { body } = this.#context;
    const bytes = request.node.bits / 8;
    const fast = this.#condition(request);
    if (fast === undefined || fast.pattern?.some((distance) => distance % bytes !== 0) === true) return false;
    const pages = request.node.space === 'global' ? this.#pages(request.place, fast, bytes) : dag.i32(1);
    if (dag.constant(pages) === 0) return false;
    body.open(OP.block, VOID);
    body.open(OP.block, VOID);
    const scope = dag.openScope();
    dag.emit(dag.unary(OP.i32Eqz, fast.ok));
    body.brIf(0);
    for (const address of fast.settled) dag.settle(address);
    dag.emit(dag.unary(OP.i32Eqz, allOf(dag, [this.#isAligned(fast, bytes), pages])));
    body.brIf(0);
    this.#update(request, fast);
    body.br(1);
    dag.closeScope(scope);
    body.end();
    slow();
    body.end();
    return true;
  }

  #condition({ node, place, mask }: AtomicAccessRequest): FastPlace | undefined {
    if (!IN_LINE.has(node.op)) return undefined;
    const bytes = node.bits / 8;
    if (node.space === 'lds') {
      const full = this.#lanes.surelyAll(mask);
      if (this.#dag.constant(full) === 0) return undefined;
      const fast = this.#fast.ldsCondition(place.offset, bytes);
      return { ...fast, ok: allOf(this.#dag, [full, fast.ok]) };
    }
    if (node.space !== 'global' || !this.#context.isOnlyWorker) return undefined;
    return this.#fast.condition(place, mask, bytes, NEEDED);
  }

  /** i32 node: every lane's place is a multiple of the size. */
  #isAligned({ pattern, bases, addresses }: FastPlace, bytes: number): number {
    const dag = this.#dag;
    if (pattern !== undefined) {
      const low = bases.reduce((all, base) => dag.binary(OP.i32Or, all, base), dag.i32(0));
      return dag.unary(OP.i32Eqz, dag.binary(OP.i32And, low, dag.i32(bytes - 1)));
    }
    const all = addresses.reduce((low, group) => dag.binary(OP.v128Or, low, group));
    return dag.unary(OP.i32Eqz, dag.unary(OP.v128AnyTrue, dag.binary(OP.v128And, all, dag.splatConst(bytes - 1))));
  }

  /** i32 node: the pages of all lanes are coarse-grained memory that may be read and written. */
  #pages({ base, offset, multiplier, wide }: Place, { pattern, bases, classes, addresses }: FastPlace, bytes: number): number {
    const dag = this.#dag;
    const { translator, translation } = this.#context;
    if (pattern !== undefined) {
      const tests = bases.map((start, index) => {
        const reach = pattern.reduce(
          (far, distance, lane) => (classes?.[lane >> 2] === index ? Math.max(far, distance) : far),
          0,
        );
        return pagesAllow(dag, start, reach + bytes, NEEDED);
      });
      return allOf(dag, tests);
    }
    const reach = (~this.#lanes.zerosOf(offset) >>> 0) * multiplier + bytes;
    if (wide === undefined && base !== undefined && reach <= PAGE_BYTES) {
      return pagesAllow(dag, translator.reach(dag, translation, base, bytes).offset, reach, NEEDED);
    }
    const flags = addresses.flatMap((group) => {
      const pages = dag.binary(OP.i32x4ShrU, group, dag.i32(PAGE_SHIFT));
      return [0, 1, 2, 3].map((lane) => dag.load(OP.i32Load8U, dag.lane(OP.i32x4ExtractLane, lane, pages), PAGE_TABLE));
    });
    const all = flags.reduce((both, next) => dag.binary(OP.i32And, both, next), dag.i32(NEEDED));
    return dag.binary(OP.i32Eq, all, dag.i32(NEEDED));
  }

  #update({ node, data, compare, results }: AtomicAccessRequest, fast: FastPlace): void {
    const { body, pool } = this.#context;
    const is64 = node.bits === 64;
    const type = is64 ? POOL_I64 : POOL_I32;
    const [place, next] = [pool.take(POOL_I32), pool.take(type)];
    const operands = { old: pool.take(type), data: pool.take(type), compare: pool.take(type) };
    const { waveSize } = this.#lanes.shapes;
    for (let lane = 0; lane < waveSize; lane++) {
      const at = this.#fast.laneAddress(fast, lane >> 2, lane & 3, 0);
      body.set(place);
      this.#operand(data, lane, operands.data);
      this.#operand(compare, lane, operands.compare);
      body.get(place);
      body.access(is64 ? OP.i64Load : OP.i32Load, 0, at);
      body.set(operands.old);
      emitAtomicUpdate(body, node.op, is64, operands);
      body.set(next);
      body.get(place);
      body.get(next);
      body.access(is64 ? OP.i64Store : OP.i32Store, 0, at);
      this.#keep(results, lane, operands.old, is64);
    }
  }

  /** Puts a lane of an operand into a local; one that all lanes share stays there. */
  #operand([low, high]: readonly Vec[], lane: number, local: number): void {
    if (low === undefined) return;
    const { body } = this.#context;
    const isUniform = [low, high].every((half) => half === undefined || this.#lanes.scalarOf(half) !== undefined);
    if (isUniform && lane > 0) return;
    this.#pushLane(low, lane);
    if (high !== undefined) {
      body.op(OP.i64ExtendI32U);
      this.#pushLane(high, lane);
      body.op(OP.i64ExtendI32U);
      body.i64(32, 0);
      body.op(OP.i64Shl);
      body.op(OP.i64Or);
    }
    body.set(local);
  }

  #pushLane(value: Vec, lane: number): void {
    const dag = this.#dag;
    const scalar = this.#lanes.scalarOf(value);
    dag.emit(scalar ?? dag.lane(OP.i32x4ExtractLane, lane & 3, this.#lanes.groups(value)[lane >> 2] ?? 0));
  }

  /** Puts the old value of a lane into the results. */
  #keep(results: readonly number[], lane: number, old: number, is64: boolean): void {
    if (results.length === 0) return;
    const { body } = this.#context;
    const { groups } = this.#lanes.shapes;
    const put = (result: number, push: () => void): void => {
      body.get(result);
      push();
      body.op(OP.i32x4ReplaceLane);
      body.code.byte(lane & 3);
      body.set(result);
    };
    put(results[lane >> 2] ?? 0, () => {
      body.get(old);
      if (is64) body.op(OP.i32WrapI64);
    });
    if (!is64) return;
    put(results[groups + (lane >> 2)] ?? 0, () => {
      body.get(old);
      body.i64(32, 0);
      body.op(OP.i64ShrU);
      body.op(OP.i32WrapI64);
    });
  }
}
