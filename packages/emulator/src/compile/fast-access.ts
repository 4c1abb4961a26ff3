/**
 * Wide accesses: what must hold so that a whole place can be accessed under one check, and the accesses themselves. Consecutive lanes
 * are one v128; other lanes are moved one by one, with constant distances where the shape gives them.
 */
import type { LoadNode } from '../ir/block.js';
import { I32, OP } from '../wasm/opcodes.js';
import { allOf, loadCode, pagesAllow, sumNode, type MemoryContext, type Place } from './access-parts.js';
import type { Dag } from './dag.js';
import type { Lanes } from './lanes.js';
import type { Lowering } from './lowering.js';
import type { Mask, Vec } from './values.js';

const POOL_V128 = 4;

/** Where the lanes of an access lie once it is known to be in range. */
export interface FastPlace {
  /** i32 node. */
  readonly ok: number;
  /** Memory offsets lane by lane, for each group; or */
  readonly addresses: readonly number[];
  /** constants of each lane above the base of its class. */
  readonly pattern: Int32Array | undefined;
  readonly bases: readonly number[];
  readonly classes?: Uint8Array;
  /** Nodes that several accesses use. */
  readonly settled: readonly number[];
}

export class FastAccess {
  readonly #lowering: Lowering;
  readonly #lanes: Lanes;
  readonly #dag: Dag;
  readonly #context: MemoryContext;

  constructor(lowering: Lowering, context: MemoryContext) {
    this.#lowering = lowering;
    this.#lanes = lowering.lanes;
    this.#dag = lowering.dag;
    this.#context = context;
  }

  /** What must hold for wide accesses to the whole place, and where it lies; undefined: only lane by lane. */
  condition(place: Place, mask: Mask, bytes: number, access: number): FastPlace | undefined {
    const dag = this.#dag;
    const lanes = this.#lanes;
    const full = lanes.surelyAll(mask);
    if (dag.constant(full) === 0) return undefined;
    if (place.wide !== undefined) return this.#gatherWide(place, full, bytes);
    const { offset, multiplier } = place;
    const base = place.base ?? 0;
    if (offset.partition === undefined) {
      if (this.#context.softwarePages) return undefined;
      if ((multiplier & (multiplier - 1)) !== 0) return undefined;
      const reach = this.#context.translator.reach(dag, this.#context.translation, base, bytes);
      const limit = dag.unary(OP.i32x4Splat, dag.binary(OP.i32ShrU, reach.limit, dag.i32(31 - Math.clz32(multiplier))));
      const groups = lanes.groups(offset);
      const inside = lanes.all(lanes.mask(groups.map((node) => dag.binary(OP.i32x4LeU, node, limit))));
      const shift = 31 - Math.clz32(multiplier);
      const start = dag.unary(OP.i32x4Splat, reach.offset);
      const addresses = groups.map((node) => dag.binary(OP.i32x4Add, dag.binary(OP.i32x4Shl, node, dag.i32(shift)), start));
      return { ok: allOf(this.#dag, [full, reach.inside, inside]), addresses, pattern: undefined, bases: [], settled: addresses };
    }
    // Shape S: the lowest lane of each class is checked with the span of the pattern.
    const conditions = [full];
    const bases: number[] = [];
    const first = new Int32Array(lanes.shapes.groups);
    for (let index = 0; index < offset.partition.count; index++) {
      const { min, max } = classRange(offset, index);
      const lowest = dag.binary(OP.i32Add, offset.bases[index] ?? 0, dag.i32(min));
      const reach = max - min;
      // The lanes of a class must not wrap around 2^32.
      if (!((~dag.zeros(lowest) >>> 0) + reach <= 0xffff_ffff)) {
        conditions.push(dag.binary(OP.i32LeU, lowest, dag.i32(-1 - reach)));
      }
      const address = sumNode(this.#dag, base, lowest, multiplier);
      const range = this.#context.translator.range(dag, this.#context.translation, address, bytes + reach * multiplier);
      conditions.push(range.inside);
      if (this.#context.softwarePages) conditions.push(pagesAllow(this.#dag, range.offset, bytes + reach * multiplier, access));
      bases.push(range.offset);
      for (let group = 0; group < first.length; group++) if (offset.partition.classes[group] === index) first[group] = min;
    }
    const pattern = offset.pattern.lanes.map((value, lane) => (value - (first[lane >> 2] ?? 0)) * multiplier);
    return { ok: allOf(this.#dag, conditions), addresses: [], pattern, bases, classes: offset.partition.classes, settled: bases };
  }

  /** Any 64-bit addresses, all of which lie in one window. */
  #gatherWide(place: Place, full: number, bytes: number): FastPlace | undefined {
    const dag = this.#dag;
    const lanes = this.#lanes;
    if (this.#context.softwarePages || place.wide === undefined) return undefined;
    const lowVec = this.#lowering.lowOf(place.wide);
    const highVec = this.#lowering.highOf(place.wide);
    // Relative to the address of lane 0 with its low dword cleared: same high dword in all lanes, low dwords in reach.
    const highs = lanes.groups(highVec);
    const lows = lanes.groups(lowVec);
    const high = dag.lane(OP.i32x4ExtractLane, 0, highs[0] ?? 0);
    const lowest = dag.lane(OP.i32x4ExtractLane, 0, lows[0] ?? 0);
    const page = dag.binary(OP.i32And, lowest, dag.i32(this.#context.translator.name === 'fixed' ? 0xf000_0000 : -4096));
    const start = dag.binary(
      OP.i64Or,
      dag.unary(OP.i64ExtendI32U, page),
      dag.binary(OP.i64Shl, dag.unary(OP.i64ExtendI32U, high), dag.i64(32, 0)),
    );
    const base = dag.binary(OP.i64Add, start, place.base ?? 0);
    const reach = this.#context.translator.reach(dag, this.#context.translation, base, bytes);
    const splatHigh = dag.unary(OP.i32x4Splat, high);
    const splatPage = dag.unary(OP.i32x4Splat, page);
    const limit = dag.unary(OP.i32x4Splat, reach.limit);
    const offsets = lows.map((node) => dag.binary(OP.i32x4Sub, node, splatPage));
    const inside = lanes.all(
      lanes.mask(
        offsets.map((node, i) =>
          dag.binary(OP.v128And, dag.binary(OP.i32x4LeU, node, limit), dag.binary(OP.i32x4Eq, highs[i] ?? 0, splatHigh)),
        ),
      ),
    );
    const first = dag.unary(OP.i32x4Splat, reach.offset);
    const addresses = offsets.map((node) => dag.binary(OP.i32x4Add, node, first));
    return { ok: allOf(this.#dag, [full, reach.inside, inside]), addresses, pattern: undefined, bases: [], settled: addresses };
  }

  ldsInside(address: number, bytes: number): number {
    const dag = this.#dag;
    const size = dag.get(this.#context.ldsBytes, I32);
    return allOf(this.#dag, [
      dag.binary(OP.i32LeU, address, dag.binary(OP.i32Sub, size, dag.i32(bytes))),
      dag.binary(OP.i32GeU, size, dag.i32(bytes)),
    ]);
  }

  ldsCondition(offset: Vec, bytes: number): FastPlace {
    const dag = this.#dag;
    const lanes = this.#lanes;
    const lds = dag.get(this.#context.lds, I32);
    if (offset.partition === undefined) {
      const size = dag.get(this.#context.ldsBytes, I32);
      const limit = dag.unary(OP.i32x4Splat, dag.binary(OP.i32Sub, size, dag.i32(bytes)));
      const groups = lanes.groups(offset);
      const inside = lanes.all(lanes.mask(groups.map((node) => dag.binary(OP.i32x4LeU, node, limit))));
      const start = dag.unary(OP.i32x4Splat, lds);
      const addresses = groups.map((node) => dag.binary(OP.i32x4Add, node, start));
      const ok = allOf(this.#dag, [inside, dag.binary(OP.i32GeU, size, dag.i32(bytes))]);
      return { ok, addresses, pattern: undefined, bases: [], settled: addresses };
    }
    const conditions: number[] = [];
    const bases: number[] = [];
    const first = new Int32Array(lanes.shapes.groups);
    for (let index = 0; index < offset.partition.count; index++) {
      const { min, max } = classRange(offset, index);
      const lowest = dag.binary(OP.i32Add, offset.bases[index] ?? 0, dag.i32(min));
      conditions.push(this.ldsInside(lowest, max - min + bytes));
      bases.push(dag.binary(OP.i32Add, lds, lowest));
      for (let group = 0; group < first.length; group++) if (offset.partition.classes[group] === index) first[group] = min;
    }
    const pattern = offset.pattern.lanes.map((value, lane) => value - (first[lane >> 2] ?? 0));
    return { ok: allOf(this.#dag, conditions), addresses: [], pattern, bases, classes: offset.partition.classes, settled: bases };
  }

  isConsecutive(place: FastPlace, bytes: number): boolean {
    const { pattern } = place;
    return pattern !== undefined && pattern.every((value, lane) => value === (pattern[lane & ~3] ?? 0) + (lane & 3) * bytes);
  }

  #groupBase(place: FastPlace, group: number): number {
    return place.bases[place.classes?.[group] ?? 0] ?? 0;
  }

  load(part: LoadNode, place: FastPlace, at: number, results: readonly number[]): void {
    const { body } = this.#context;
    const dag = this.#dag;
    const groups = this.#lanes.shapes.groups;
    const bytes = part.bits / 8;
    const isRun = this.isConsecutive(place, bytes);
    for (let group = 0; group < groups; group++) {
      if (isRun && part.bits === 32) {
        dag.emit(this.#groupBase(place, group));
        body.access(OP.v128Load, 0, (place.pattern?.[group * 4] ?? 0) + at);
        body.set(results[group] ?? 0);
      } else if (isRun && part.bits === 64) {
        const [a, b] = [this.#context.pool.take(POOL_V128), this.#context.pool.take(POOL_V128)];
        for (const [local, more] of [
          [a, 0],
          [b, 16],
        ] as const) {
          dag.emit(this.#groupBase(place, group));
          body.access(OP.v128Load, 0, (place.pattern?.[group * 4] ?? 0) + at + more);
          body.set(local);
        }
        this.#shuffle(a, b, [0, 2, 4, 6], results[group] ?? 0);
        this.#shuffle(a, b, [1, 3, 5, 7], results[groups + group] ?? 0);
      } else {
        this.#gather(part.bits === 64 ? 32 : part.bits, place, group, at, results[group] ?? 0);
        if (part.bits === 64) this.#gather(32, place, group, at + 4, results[groups + group] ?? 0);
      }
    }
  }

  /** Four lanes one by one. */
  #gather(bits: 8 | 16 | 32, place: FastPlace, group: number, at: number, result: number): void {
    const { body } = this.#context;
    const code = loadCode(bits);
    for (let lane = 0; lane < 4; lane++) {
      if (lane === 0) {
        const offset = this.laneAddress(place, group, lane, at);
        body.access(bits === 32 ? OP.v128Load32Zero : code, 0, offset);
        if (bits !== 32) body.op(OP.i32x4Splat);
        body.set(result);
        continue;
      }
      if (bits === 32) {
        const offset = this.laneAddress(place, group, lane, at);
        body.get(result);
        body.access(OP.v128Load32Lane, 0, offset);
        body.code.byte(lane);
      } else {
        body.get(result);
        const offset = this.laneAddress(place, group, lane, at);
        body.access(code, 0, offset);
        body.op(OP.i32x4ReplaceLane);
        body.code.byte(lane);
      }
      body.set(result);
    }
  }

  /** Pushes a lane's address; returns the constant that goes into the access. */
  laneAddress(place: FastPlace, group: number, lane: number, at: number): number {
    const dag = this.#dag;
    if (place.pattern !== undefined) {
      dag.emit(this.#groupBase(place, group));
      return (place.pattern[group * 4 + lane] ?? 0) + at;
    }
    dag.emit(dag.lane(OP.i32x4ExtractLane, lane, place.addresses[group] ?? 0));
    return at;
  }

  store(bits: number, place: FastPlace, at: number, data: readonly Vec[], mask: Mask | undefined): void {
    const { body } = this.#context;
    const dag = this.#dag;
    const lanes = this.#lanes;
    const groups = lanes.shapes.groups;
    const isRun = this.isConsecutive(place, bits / 8);
    const [low, high] = data.map((half) => lanes.groups(half));
    for (let group = 0; group < groups; group++) {
      const value = low?.[group] ?? 0;
      const other = high?.[group] ?? 0;
      const start = (place.pattern?.[group * 4] ?? 0) + at;
      if (isRun && bits === 32) {
        dag.emit(this.#groupBase(place, group));
        dag.emit(value);
        if (mask !== undefined) {
          dag.emit(this.#groupBase(place, group));
          body.access(OP.v128Load, 0, start);
          dag.emit(lanes.maskGroups(mask)[group] ?? 0);
          body.op(OP.v128Bitselect);
        }
        body.access(OP.v128Store, 0, start);
      } else if (isRun && bits === 64) {
        for (const [order, more] of [
          [[0, 4, 1, 5], 0],
          [[2, 6, 3, 7], 16],
        ] as const) {
          dag.emit(this.#groupBase(place, group));
          dag.emit(dag.shuffle(value, other, order[0], order[1], order[2], order[3]));
          body.access(OP.v128Store, 0, start + more);
        }
      } else {
        for (let lane = 0; lane < 4; lane++) {
          this.#scatter(bits === 64 ? 32 : bits, this.laneAddress(place, group, lane, at), lane, value);
          if (bits === 64) this.#scatter(32, this.laneAddress(place, group, lane, at + 4), lane, other);
        }
      }
    }
  }

  /** With the address on the stack. */
  #scatter(bits: number, offset: number, lane: number, value: number): void {
    const { body } = this.#context;
    this.#dag.emit(value);
    const code = bits === 8 ? OP.v128Store8Lane : bits === 16 ? OP.v128Store16Lane : OP.v128Store32Lane;
    body.access(code, 0, offset);
    body.code.byte(lane * (32 / bits));
  }

  #shuffle(a: number, b: number, order: readonly number[], result: number): void {
    const { body } = this.#context;
    body.get(a);
    body.get(b);
    body.op(OP.i8x16Shuffle);
    for (const dword of order) for (let byte = 0; byte < 4; byte++) body.code.byte(dword * 4 + byte);
    body.set(result);
  }
}

function classRange(offset: Vec, index: number): { readonly min: number; readonly max: number } {
  let min = Infinity;
  let max = -Infinity;
  for (const [lane, value] of offset.pattern.lanes.entries()) {
    if (offset.partition?.classes[lane >> 2] !== index) continue;
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  return { min, max };
}
