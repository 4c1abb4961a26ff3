/**
 * Memory effects of a block. What is uniform or consecutive by shape and wholly active and in range is done by wide accesses under one
 * check; the rest goes lane by lane through the module's access functions.
 */
import { InternalError } from '@doorbell/abi';
import type { Address, AtomicNode, ClockNode, Effect, LoadNode, StoreEffect, Value } from '../ir/block.js';
import { PAGE_READ, PAGE_TABLE, PAGE_WRITE } from '../memory-map.js';
import type { FunctionBody } from '../wasm/module-builder.js';
import { I32, I64, OP, V128, VOID } from '../wasm/opcodes.js';
import type { AccessKind } from './access-functions.js';
import type { TranslationContext, Translator } from './address-space.js';
import type { Dag, LocalPool } from './dag.js';
import type { Lanes } from './lanes.js';
import type { Lowering } from './lowering.js';
import type { Partition } from './shapes.js';
import { ALL, type Mask, type Vec, type Wide } from './values.js';
import {
  AREA_COMPARE,
  AREA_COMPARE_HIGH,
  AREA_DATA,
  AREA_DATA_HIGH,
  AREA_OFFSET,
  AREA_OFFSET_HIGH,
  AREA_RESULT,
  AREA_RESULT_HIGH,
} from './wave-state.js';

/** More scalar loads than this for one uniform-by-group load are not worth it. */
const MAX_UNIFORM_CLASSES = 4;

/** Pool types of locals. */
const POOL_I32 = 0;
const POOL_V128 = 4;

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
  /** Index of the access function of a kind. */
  readonly accessFunction: (kind: AccessKind) => number;
  /** Index of the imported clock. */
  readonly clock: number;
}

/** An address, taken apart. `base` is absent for LDS and private memory. */
interface Place {
  readonly base: number | undefined;
  readonly offset: Vec;
  readonly multiplier: number;
  /** Set for 64-bit addresses that are no sums: then base is a constant and offset means nothing. */
  readonly wide: Wide | undefined;
}

/** Follows or emits the effects of one block, in order. */
export class MemoryAccess {
  readonly #lowering: Lowering;
  readonly #lanes: Lanes;
  readonly #dag: Dag;
  /** Absent while facts are followed. */
  readonly #context: MemoryContext | undefined;

  #isRead: (node: AtomicNode) => boolean = () => true;

  constructor(lowering: Lowering, context: MemoryContext | undefined) {
    this.#lowering = lowering;
    this.#lanes = lowering.lanes;
    this.#dag = lowering.dag;
    this.#context = context;
  }

  /** The effects of a block. `isRead` says which atomics' old values matter. */
  run(effects: readonly Effect[], isRead: (node: AtomicNode) => boolean): void {
    this.#isRead = isRead;
    for (let first = 0; first < effects.length; ) {
      const effect = effects[first];
      if (effect === undefined) return;
      let end = first + 1;
      if (effect.kind === 'load' || effect.kind === 'store') {
        while (end < effects.length && isSameAccess(effect, effects[end])) end++;
      }
      this.#step(effects.slice(first, end));
      first = end;
    }
  }

  #step(parts: readonly Effect[]): void {
    const [first] = parts;
    switch (first?.kind) {
      case 'load':
        // Safe: the parts of an access are of one kind.
        this.#load(parts as readonly LoadNode[], first);
        return;
      case 'store':
        this.#store(parts as readonly StoreEffect[], first);
        return;
      case 'atomic':
        this.#atomic(first);
        return;
      case 'clock':
        this.#clock(first);
        return;
      case undefined:
        return;
      default:
        first satisfies never;
    }
  }

  // Addresses

  #place(address: Address): Place {
    const dag = this.#dag;
    const lanes = this.#lanes;
    const zero = lanes.uniform(dag.i32(0));
    const constant = dag.i64(address.constant, address.constant < 0 ? -1 : 0);
    let base = address.base === undefined ? constant : dag.binary(OP.i64Add, this.#lowering.scalarWide(address.base), constant);
    const offset = address.offset === undefined ? zero : this.#lowering.forced(address.offset);
    if (address.vector === undefined) return { base, offset, multiplier: 1, wide: undefined };
    const wide = this.#lowering.wide(address.vector);
    if (wide.sum !== undefined) {
      const isPlain = lanes.constantOf(offset) === 0;
      if (isPlain || lanes.constantOf(wide.sum.offset) === 0) {
        base = dag.binary(OP.i64Add, wide.sum.base, base);
        return isPlain
          ? { base, offset: wide.sum.offset, multiplier: wide.sum.multiplier, wide: undefined }
          : { base, offset, multiplier: 1, wide: undefined };
      }
    }
    if (address.base !== undefined || address.offset !== undefined) throw new InternalError('an address of three parts');
    return { base, offset: zero, multiplier: 1, wide };
  }

  #localPlace(address: Address): Vec {
    const offset = address.offset === undefined ? this.#lanes.uniform(this.#dag.i32(0)) : this.#lowering.forced(address.offset);
    return this.#lanes.apply('add32', offset, this.#lanes.uniform(this.#dag.i32(address.constant)), undefined);
  }

  // Loads

  #load(parts: readonly LoadNode[], first: LoadNode): void {
    if (first.mask === undefined) {
      this.#scalarLoad(parts, first);
      return;
    }
    const mask = this.#lowering.mask(first.mask);
    if (first.space === 'lds') this.#ldsLoad(parts);
    else if (first.space === 'scratch') this.#laneLoad(parts, mask);
    else this.#globalLoad(parts, first, mask);
  }

  #scalarLoad(parts: readonly LoadNode[], first: LoadNode): void {
    const context = this.#context;
    const dag = this.#dag;
    if (context === undefined) {
      for (const part of parts) {
        if (part.bits === 64) this.#lowering.setUniformWide(part, { node: dag.fresh(I64), low: undefined, high: undefined });
        else this.#lowering.setUniform(part, { node: dag.fresh(I32, narrowZeros(part.bits)), mask: undefined });
      }
      return;
    }
    const { body } = context;
    const [low, high] = span(parts);
    const parted = this.#place({ ...first.address, constant: low });
    const offset = this.#lanes.scalarOf(parted.offset);
    if (parted.base === undefined || offset === undefined) throw new InternalError('a scalar load at a vector address');
    const address = this.#sum(parted.base, offset, parted.multiplier);
    const place = this.#checkedScalar(context, address, high - low);
    for (const part of parts) {
      dag.emit(place);
      const at = part.address.constant - low;
      if (part.bits === 64) {
        body.access(OP.i64Load, 0, at);
        this.#lowering.setUniformWide(part, { node: dag.fromStack(I64), low: undefined, high: undefined });
      } else {
        body.access(loadCode(part.bits), 0, at);
        this.#lowering.setUniform(part, { node: dag.fromStack(I32, narrowZeros(part.bits)), mask: undefined });
      }
    }
  }

  /** Traps unless the bytes may be read; the memory offset's node, settled. */
  #checkedScalar(context: MemoryContext, address: number, bytes: number): number {
    const dag = this.#dag;
    const { body } = context;
    const range = context.translator.range(dag, context.translation, address, bytes);
    const ok = context.softwarePages
      ? dag.select(range.inside, this.#pagesAllow(range.offset, bytes, PAGE_READ), dag.i32(0))
      : range.inside;
    dag.use(range.offset);
    dag.use(range.offset);
    dag.emit(dag.unary(OP.i32Eqz, ok));
    body.open(OP.if, VOID);
    body.op(OP.unreachable);
    body.end();
    dag.settle(range.offset);
    return range.offset;
  }

  #globalLoad(parts: readonly LoadNode[], first: LoadNode, mask: Mask): void {
    const lanes = this.#lanes;
    const [low, high] = span(parts);
    const place = this.#place({ ...first.address, constant: low });
    const classes = this.#uniformClasses(place);
    if (classes !== undefined) {
      this.#uniformLoad(parts, place, classes, mask, low, high);
      return;
    }
    const context = this.#context;
    if (context === undefined || !lanes.emitting) {
      this.#unknownResults(parts);
      return;
    }
    const results = this.#resultLocals(context, parts);
    const wideOk = this.#fastCondition(context, place, mask, high - low, PAGE_READ);
    if (wideOk !== undefined) {
      this.#settlePlace(place, mask);
      const scope = this.#openIf(context, wideOk);
      for (const [i, part] of parts.entries())
        this.#fastLoad(context, part, wideOk, part.address.constant - low, results[i] ?? []);
      this.#else(context, scope);
      this.#slowLoads(context, parts, place, mask, low, results);
      this.#closeIf(context, scope);
    } else this.#slowLoads(context, parts, place, mask, low, results);
    this.#takeResults(parts, results);
  }

  #ldsLoad(parts: readonly LoadNode[]): void {
    const lanes = this.#lanes;
    const context = this.#context;
    for (const part of parts) {
      const offset = this.#localPlace(part.address);
      const partition = this.#flatPartition(offset);
      const { bits } = part;
      if (partition !== undefined && bits !== 64) {
        const bases = partition.first.map((group) => this.#ldsScalar(context, lanes.laneScalar(offset, group * 4), bits));
        this.#lowering.setVec(part, lanes.shaped(partition, bases, lanes.shapes.zero));
        continue;
      }
      if (context === undefined) {
        this.#unknownResults([part]);
        continue;
      }
      const results = this.#resultLocals(context, [part]);
      const fast = this.#ldsCondition(context, offset, part.bits / 8);
      const scope = this.#openIf(context, fast);
      this.#fastLoad(context, part, fast, 0, results[0] ?? []);
      this.#else(context, scope);
      this.#callAccess(context, { space: 'lds', action: 'load', bits: part.bits, wide: false }, ALL, {
        base: undefined,
        offset,
        multiplier: 1,
        wide: undefined,
      });
      this.#readResults(context, part, results[0] ?? []);
      this.#closeIf(context, scope);
      this.#takeResults([part], results);
    }
  }

  /** One dword or less of LDS for lanes with the same address; 0 if out of range. */
  #ldsScalar(context: MemoryContext | undefined, address: number, bits: 8 | 16 | 32): number {
    const dag = this.#dag;
    if (context === undefined) return dag.fresh(I32, narrowZeros(bits));
    const { body } = context;
    const ok = this.#ldsInside(context, address, bits / 8);
    const place = dag.binary(OP.i32Add, dag.get(context.lds, I32), address);
    dag.settle(place);
    dag.emit(ok);
    body.open(OP.if, I32);
    dag.emit(place);
    body.access(loadCode(bits), 0, 0);
    body.op(OP.else);
    body.i32(0);
    body.end();
    return dag.fromStack(I32, narrowZeros(bits));
  }

  #laneLoad(parts: readonly LoadNode[], mask: Mask): void {
    const context = this.#context;
    if (context === undefined) {
      this.#unknownResults(parts);
      return;
    }
    const results = this.#resultLocals(context, parts);
    for (const [i, part] of parts.entries()) {
      const offset = this.#localPlace(part.address);
      this.#callAccess(context, { space: part.space, action: 'load', bits: part.bits, wide: false }, mask, {
        base: undefined,
        offset,
        multiplier: 1,
        wide: undefined,
      });
      this.#readResults(context, part, results[i] ?? []);
    }
    this.#takeResults(parts, results);
  }

  /** The partition of an address that is the same in all lanes of a group, if it has few classes. */
  #uniformClasses(place: Place): Partition | undefined {
    return place.wide === undefined ? this.#flatPartition(place.offset) : undefined;
  }

  #flatPartition(offset: Vec): Partition | undefined {
    if (offset.partition === undefined || !offset.pattern.isFlat) return undefined;
    const { partition } = this.#lanes.shapes.flatten(offset.partition, offset.pattern);
    return partition.count <= MAX_UNIFORM_CLASSES ? partition : undefined;
  }

  /** One scalar load for each class that has an active lane. */
  #uniformLoad(parts: readonly LoadNode[], place: Place, partition: Partition, mask: Mask, low: number, high: number): void {
    const context = this.#context;
    const dag = this.#dag;
    const lanes = this.#lanes;
    const bases: number[][] = parts.map(() => []);
    const highBases: number[][] = parts.map(() => []);
    for (const [index, group] of partition.first.entries()) {
      if (context === undefined) {
        for (const [i, part] of parts.entries()) {
          bases[i]?.push(dag.fresh(I32, narrowZeros(part.bits)));
          highBases[i]?.push(dag.fresh(I32));
        }
        continue;
      }
      const { body, pool } = context;
      const address = this.#sum(place.base ?? 0, lanes.laneScalar(place.offset, group * 4), place.multiplier);
      const isActive = this.#anyInClass(mask, partition, index);
      dag.settle(address);
      const locals = parts.map((part) => [pool.take(POOL_I32), part.bits === 64 ? pool.take(POOL_I32) : -1] as const);
      const emit = (): void => {
        const offset = this.#checkedScalar(context, address, high - low);
        for (const [i, part] of parts.entries()) {
          const at = part.address.constant - low;
          dag.emit(offset);
          body.access(part.bits === 64 ? OP.i32Load : loadCode(part.bits), 0, at);
          body.set(locals[i]?.[0] ?? 0);
          if (part.bits !== 64) continue;
          dag.emit(offset);
          body.access(OP.i32Load, 0, at + 4);
          body.set(locals[i]?.[1] ?? 0);
        }
      };
      if (dag.constant(isActive) === 1) emit();
      else {
        // A class without an active lane keeps what the locals hold: nobody reads it.
        dag.emit(isActive);
        body.open(OP.if, VOID);
        const scope = dag.openScope();
        emit();
        dag.closeScope(scope);
        body.end();
      }
      for (const [i, part] of parts.entries()) {
        bases[i]?.push(dag.get(locals[i]?.[0] ?? 0, I32, narrowZeros(part.bits)));
        if (part.bits === 64) highBases[i]?.push(dag.get(locals[i]?.[1] ?? 0, I32));
      }
    }
    for (const [i, part] of parts.entries()) {
      const vec = lanes.shaped(partition, bases[i] ?? [], lanes.shapes.zero);
      if (part.bits !== 64) this.#lowering.setVec(part, vec);
      else
        this.#lowering.setWide(
          part,
          this.#lowering.wideFromHalves(vec, lanes.shaped(partition, highBases[i] ?? [], lanes.shapes.zero)),
        );
    }
  }

  #anyInClass(mask: Mask, partition: Partition, index: number): number {
    const lanes = this.#lanes;
    if (mask.groups === undefined) return lanes.any(mask);
    return lanes.any(lanes.mask(mask.groups.filter((_, group) => partition.classes[group] === index)));
  }

  // Stores

  #store(parts: readonly StoreEffect[], first: StoreEffect): void {
    const context = this.#context;
    if (context === undefined) return;
    const mask = this.#lowering.mask(first.mask);
    if (mask.known === 0) return;
    if (first.space === 'lds' || first.space === 'scratch') {
      for (const part of parts) this.#localStore(context, part, mask);
      return;
    }
    const [low, high] = span(parts);
    const place = this.#place({ ...first.address, constant: low });
    const data = parts.map((part) => this.#data(part));
    const fast = this.#fastCondition(context, place, mask, high - low, PAGE_WRITE);
    for (const halves of data) for (const half of halves) this.#settleGroups(half);
    this.#settlePlace(place, mask);
    const slow = (): void => {
      for (const [i, part] of parts.entries()) {
        const base = this.#dag.binary(OP.i64Add, place.base ?? 0, this.#dag.i64(part.address.constant - low, 0));
        this.#writeData(context, data[i] ?? []);
        this.#callAccess(context, { space: part.space, action: 'store', bits: part.bits, wide: place.wide !== undefined }, mask, {
          ...place,
          base,
        });
      }
    };
    if (fast === undefined) {
      slow();
      return;
    }
    const scope = this.#openIf(context, fast);
    for (const [i, part] of parts.entries())
      this.#fastStore(context, part.bits, fast, part.address.constant - low, data[i] ?? [], undefined);
    this.#else(context, scope);
    slow();
    this.#closeIf(context, scope);
  }

  #localStore(context: MemoryContext, part: StoreEffect, mask: Mask): void {
    const offset = this.#localPlace(part.address);
    const data = this.#data(part);
    const slow = (): void => {
      this.#writeData(context, data);
      this.#callAccess(context, { space: part.space, action: 'store', bits: part.bits, wide: false }, mask, {
        base: undefined,
        offset,
        multiplier: 1,
        wide: undefined,
      });
    };
    if (part.space === 'scratch') {
      slow();
      return;
    }
    const dag = this.#dag;
    const fast = this.#ldsCondition(context, offset, part.bits / 8);
    // Nobody else sees the group's LDS while this wave runs: a masked store may write back what is there.
    const canBlend = part.bits === 32 && fast.pattern !== undefined && this.#isConsecutive(fast, 4);
    const full = canBlend ? dag.i32(1) : this.#lanes.surelyAll(mask);
    for (const half of data) this.#settleGroups(half);
    if (mask.groups !== undefined) for (const node of mask.groups) dag.settle(node);
    const scope = this.#openIf(context, fast, dag.select(fast.ok, full, dag.i32(0)));
    this.#fastStore(context, part.bits, fast, 0, data, canBlend && mask.known === undefined ? mask : undefined);
    this.#else(context, scope);
    slow();
    this.#closeIf(context, scope);
  }

  #data(part: StoreEffect | AtomicNode): readonly Vec[] {
    const lowering = this.#lowering;
    if (part.data.type !== 'i64') return [lowering.forced(part.data)];
    const wide = lowering.wide(part.data);
    return [lowering.lowOf(wide), lowering.highOf(wide)];
  }

  #atomic(node: AtomicNode): void {
    const context = this.#context;
    if (context === undefined) {
      this.#unknownResults([node]);
      return;
    }
    const mask = this.#lowering.mask(node.mask);
    const isLocal = node.space === 'lds' || node.space === 'scratch';
    const place: Place = isLocal
      ? { base: undefined, offset: this.#localPlace(node.address), multiplier: 1, wide: undefined }
      : this.#place(node.address);
    this.#writeData(context, this.#data(node));
    if (node.compare !== undefined) {
      const [low, high] = this.#halves(node.compare);
      this.#writeArea(context, AREA_COMPARE, low);
      if (high !== undefined) this.#writeArea(context, AREA_COMPARE_HIGH, high);
    }
    const isSilent = !this.#isRead(node);
    const kind: AccessKind = { space: node.space, action: node.op, bits: node.bits, wide: place.wide !== undefined, isSilent };
    this.#callAccess(context, kind, mask, place);
    if (isSilent) return;
    const results = this.#resultLocals(context, [node]);
    this.#readResults(context, node, results[0] ?? []);
    this.#takeResults([node], results);
  }

  #halves(value: Value): readonly [Vec, Vec | undefined] {
    if (value.type !== 'i64') return [this.#lowering.forced(value), undefined];
    const wide = this.#lowering.wide(value);
    return [this.#lowering.lowOf(wide), this.#lowering.highOf(wide)];
  }

  #clock(node: ClockNode): void {
    const context = this.#context;
    if (context !== undefined) {
      context.body.i32(node.counter === 'realtime' ? 1 : 0);
      context.body.call(context.clock);
    }
    const value = context === undefined ? this.#dag.fresh(I64) : this.#dag.fromStack(I64);
    this.#lowering.setUniformWide(node, { node: value, low: undefined, high: undefined });
  }

  // Fast paths

  /** What must hold for wide accesses to the whole place, and where it lies; undefined: only lane by lane. */
  #fastCondition(context: MemoryContext, place: Place, mask: Mask, bytes: number, access: number): FastPlace | undefined {
    const dag = this.#dag;
    const lanes = this.#lanes;
    const full = lanes.surelyAll(mask);
    if (dag.constant(full) === 0) return undefined;
    if (place.wide !== undefined) return this.#gatherWide(context, place, full, bytes);
    const { offset, multiplier } = place;
    const base = place.base ?? 0;
    if (offset.partition === undefined) {
      if (context.softwarePages) return undefined;
      if ((multiplier & (multiplier - 1)) !== 0) return undefined;
      const reach = context.translator.reach(dag, context.translation, base, bytes);
      const limit = dag.unary(OP.i32x4Splat, dag.binary(OP.i32ShrU, reach.limit, dag.i32(31 - Math.clz32(multiplier))));
      const groups = lanes.groups(offset);
      const inside = lanes.all(lanes.mask(groups.map((node) => dag.binary(OP.i32x4LeU, node, limit))));
      const shift = 31 - Math.clz32(multiplier);
      const start = dag.unary(OP.i32x4Splat, reach.offset);
      const addresses = groups.map((node) => dag.binary(OP.i32x4Add, dag.binary(OP.i32x4Shl, node, dag.i32(shift)), start));
      return { ok: this.#allOf([full, reach.inside, inside]), addresses, pattern: undefined, bases: [], settled: addresses };
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
      const address = this.#sum(base, lowest, multiplier);
      const range = context.translator.range(dag, context.translation, address, bytes + reach * multiplier);
      conditions.push(range.inside);
      if (context.softwarePages) conditions.push(this.#pagesAllow(range.offset, bytes + reach * multiplier, access));
      bases.push(range.offset);
      for (let group = 0; group < first.length; group++) if (offset.partition.classes[group] === index) first[group] = min;
    }
    const pattern = offset.pattern.lanes.map((value, lane) => (value - (first[lane >> 2] ?? 0)) * multiplier);
    return { ok: this.#allOf(conditions), addresses: [], pattern, bases, classes: offset.partition.classes, settled: bases };
  }

  /** Any 64-bit addresses, all of which lie in one window. */
  #gatherWide(context: MemoryContext, place: Place, full: number, bytes: number): FastPlace | undefined {
    const dag = this.#dag;
    const lanes = this.#lanes;
    if (context.softwarePages || place.wide === undefined) return undefined;
    const lowVec = this.#lowering.lowOf(place.wide);
    const highVec = this.#lowering.highOf(place.wide);
    // Relative to the address of lane 0 with its low dword cleared: same high dword in all lanes, low dwords in reach.
    const highs = lanes.groups(highVec);
    const lows = lanes.groups(lowVec);
    const high = dag.lane(OP.i32x4ExtractLane, 0, highs[0] ?? 0);
    const lowest = dag.lane(OP.i32x4ExtractLane, 0, lows[0] ?? 0);
    const page = dag.binary(OP.i32And, lowest, dag.i32(context.translator.name === 'fixed' ? 0xf000_0000 : -4096));
    const start = dag.binary(
      OP.i64Or,
      dag.unary(OP.i64ExtendI32U, page),
      dag.binary(OP.i64Shl, dag.unary(OP.i64ExtendI32U, high), dag.i64(32, 0)),
    );
    const base = dag.binary(OP.i64Add, start, place.base ?? 0);
    const reach = context.translator.reach(dag, context.translation, base, bytes);
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
    return { ok: this.#allOf([full, reach.inside, inside]), addresses, pattern: undefined, bases: [], settled: addresses };
  }

  #ldsInside(context: MemoryContext, address: number, bytes: number): number {
    const dag = this.#dag;
    const size = dag.get(context.ldsBytes, I32);
    return this.#allOf([
      dag.binary(OP.i32LeU, address, dag.binary(OP.i32Sub, size, dag.i32(bytes))),
      dag.binary(OP.i32GeU, size, dag.i32(bytes)),
    ]);
  }

  #ldsCondition(context: MemoryContext, offset: Vec, bytes: number): FastPlace {
    const dag = this.#dag;
    const lanes = this.#lanes;
    const lds = dag.get(context.lds, I32);
    if (offset.partition === undefined) {
      const size = dag.get(context.ldsBytes, I32);
      const limit = dag.unary(OP.i32x4Splat, dag.binary(OP.i32Sub, size, dag.i32(bytes)));
      const groups = lanes.groups(offset);
      const inside = lanes.all(lanes.mask(groups.map((node) => dag.binary(OP.i32x4LeU, node, limit))));
      const start = dag.unary(OP.i32x4Splat, lds);
      const addresses = groups.map((node) => dag.binary(OP.i32x4Add, node, start));
      const ok = this.#allOf([inside, dag.binary(OP.i32GeU, size, dag.i32(bytes))]);
      return { ok, addresses, pattern: undefined, bases: [], settled: addresses };
    }
    const conditions: number[] = [];
    const bases: number[] = [];
    const first = new Int32Array(lanes.shapes.groups);
    for (let index = 0; index < offset.partition.count; index++) {
      const { min, max } = classRange(offset, index);
      const lowest = dag.binary(OP.i32Add, offset.bases[index] ?? 0, dag.i32(min));
      conditions.push(this.#ldsInside(context, lowest, max - min + bytes));
      bases.push(dag.binary(OP.i32Add, lds, lowest));
      for (let group = 0; group < first.length; group++) if (offset.partition.classes[group] === index) first[group] = min;
    }
    const pattern = offset.pattern.lanes.map((value, lane) => value - (first[lane >> 2] ?? 0));
    return { ok: this.#allOf(conditions), addresses: [], pattern, bases, classes: offset.partition.classes, settled: bases };
  }

  #isConsecutive(place: FastPlace, bytes: number): boolean {
    const { pattern } = place;
    return pattern !== undefined && pattern.every((value, lane) => value === (pattern[lane & ~3] ?? 0) + (lane & 3) * bytes);
  }

  #groupBase(place: FastPlace, group: number): number {
    return place.bases[place.classes?.[group] ?? 0] ?? 0;
  }

  #fastLoad(context: MemoryContext, part: LoadNode, place: FastPlace, at: number, results: readonly number[]): void {
    const { body } = context;
    const dag = this.#dag;
    const groups = this.#lanes.shapes.groups;
    const bytes = part.bits / 8;
    const isRun = this.#isConsecutive(place, bytes);
    for (let group = 0; group < groups; group++) {
      if (isRun && part.bits === 32) {
        dag.emit(this.#groupBase(place, group));
        body.access(OP.v128Load, 0, (place.pattern?.[group * 4] ?? 0) + at);
        body.set(results[group] ?? 0);
      } else if (isRun && part.bits === 64) {
        const [a, b] = [context.pool.take(POOL_V128), context.pool.take(POOL_V128)];
        for (const [local, more] of [
          [a, 0],
          [b, 16],
        ] as const) {
          dag.emit(this.#groupBase(place, group));
          body.access(OP.v128Load, 0, (place.pattern?.[group * 4] ?? 0) + at + more);
          body.set(local);
        }
        this.#shuffle(context, a, b, [0, 2, 4, 6], results[group] ?? 0);
        this.#shuffle(context, a, b, [1, 3, 5, 7], results[groups + group] ?? 0);
      } else {
        this.#gather(context, part.bits === 64 ? 32 : part.bits, place, group, at, results[group] ?? 0);
        if (part.bits === 64) this.#gather(context, 32, place, group, at + 4, results[groups + group] ?? 0);
      }
    }
  }

  /** Four lanes one by one. */
  #gather(context: MemoryContext, bits: 8 | 16 | 32, place: FastPlace, group: number, at: number, result: number): void {
    const { body } = context;
    const code = loadCode(bits);
    for (let lane = 0; lane < 4; lane++) {
      if (lane === 0) {
        const offset = this.#laneAddress(place, group, lane, at);
        body.access(bits === 32 ? OP.v128Load32Zero : code, 0, offset);
        if (bits !== 32) body.op(OP.i32x4Splat);
        body.set(result);
        continue;
      }
      if (bits === 32) {
        const offset = this.#laneAddress(place, group, lane, at);
        body.get(result);
        body.access(OP.v128Load32Lane, 0, offset);
        body.code.byte(lane);
      } else {
        body.get(result);
        const offset = this.#laneAddress(place, group, lane, at);
        body.access(code, 0, offset);
        body.op(OP.i32x4ReplaceLane);
        body.code.byte(lane);
      }
      body.set(result);
    }
  }

  /** Pushes a lane's address; returns the constant that goes into the access. */
  #laneAddress(place: FastPlace, group: number, lane: number, at: number): number {
    const dag = this.#dag;
    if (place.pattern !== undefined) {
      dag.emit(this.#groupBase(place, group));
      return (place.pattern[group * 4 + lane] ?? 0) + at;
    }
    dag.emit(dag.lane(OP.i32x4ExtractLane, lane, place.addresses[group] ?? 0));
    return at;
  }

  #fastStore(
    context: MemoryContext,
    bits: number,
    place: FastPlace,
    at: number,
    data: readonly Vec[],
    mask: Mask | undefined,
  ): void {
    const { body } = context;
    const dag = this.#dag;
    const lanes = this.#lanes;
    const groups = lanes.shapes.groups;
    const isRun = this.#isConsecutive(place, bits / 8);
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
          this.#scatter(context, bits === 64 ? 32 : bits, this.#laneAddress(place, group, lane, at), lane, value);
          if (bits === 64) this.#scatter(context, 32, this.#laneAddress(place, group, lane, at + 4), lane, other);
        }
      }
    }
  }

  /** With the address on the stack. */
  #scatter(context: MemoryContext, bits: number, offset: number, lane: number, value: number): void {
    const { body } = context;
    this.#dag.emit(value);
    const code = bits === 8 ? OP.v128Store8Lane : bits === 16 ? OP.v128Store16Lane : OP.v128Store32Lane;
    body.access(code, 0, offset);
    body.code.byte(lane * (32 / bits));
  }

  #shuffle(context: MemoryContext, a: number, b: number, order: readonly number[], result: number): void {
    const { body } = context;
    body.get(a);
    body.get(b);
    body.op(OP.i8x16Shuffle);
    for (const dword of order) for (let byte = 0; byte < 4; byte++) body.code.byte(dword * 4 + byte);
    body.set(result);
  }

  // Lane by lane

  #slowLoads(
    context: MemoryContext,
    parts: readonly LoadNode[],
    place: Place,
    mask: Mask,
    low: number,
    results: readonly (readonly number[])[],
  ): void {
    for (const [i, part] of parts.entries()) {
      const base = this.#dag.binary(OP.i64Add, place.base ?? 0, this.#dag.i64(part.address.constant - low, 0));
      this.#callAccess(context, { space: part.space, action: 'load', bits: part.bits, wide: place.wide !== undefined }, mask, {
        ...place,
        base,
      });
      this.#readResults(context, part, results[i] ?? []);
    }
  }

  #callAccess(context: MemoryContext, kind: AccessKind, mask: Mask, place: Place): void {
    const dag = this.#dag;
    const { body } = context;
    if (place.wide === undefined) this.#writeArea(context, AREA_OFFSET, place.offset);
    else {
      this.#writeArea(context, AREA_OFFSET, this.#lowering.lowOf(place.wide));
      this.#writeArea(context, AREA_OFFSET_HIGH, this.#lowering.highOf(place.wide));
    }
    body.get(context.control);
    dag.emit(this.#maskBits(mask));
    dag.emit(place.base ?? dag.i64(0, 0));
    body.i32(place.multiplier);
    body.call(context.accessFunction(kind));
  }

  #maskBits(mask: Mask): number {
    const dag = this.#dag;
    const lanes = this.#lanes;
    const is64 = lanes.shapes.waveSize === 64;
    if (mask.known !== undefined) return dag.i64(-mask.known, is64 ? -mask.known : 0);
    if (!is64) return dag.unary(OP.i64ExtendI32U, lanes.bits(mask));
    const groups = lanes.maskGroups(mask);
    const low = dag.unary(OP.i64ExtendI32U, lanes.bits(lanes.mask(groups.slice(0, 8))));
    const high = dag.unary(OP.i64ExtendI32U, lanes.bits(lanes.mask(groups.slice(8))));
    return dag.binary(OP.i64Or, low, dag.binary(OP.i64Shl, high, dag.i64(32, 0)));
  }

  #writeData(context: MemoryContext, data: readonly Vec[]): void {
    const [low, high] = data;
    if (low !== undefined) this.#writeArea(context, AREA_DATA, low);
    if (high !== undefined) this.#writeArea(context, AREA_DATA_HIGH, high);
  }

  #writeArea(context: MemoryContext, area: number, value: Vec): void {
    const { body } = context;
    for (const [group, node] of this.#lanes.groups(value).entries()) {
      body.get(context.control);
      this.#dag.emit(node);
      body.access(OP.v128Store, 2, area + group * 16);
    }
  }

  #readResults(context: MemoryContext, part: LoadNode | AtomicNode, results: readonly number[]): void {
    const { body } = context;
    const groups = this.#lanes.shapes.groups;
    for (let group = 0; group < groups; group++) {
      body.get(context.control);
      body.access(OP.v128Load, 2, AREA_RESULT + group * 16);
      body.set(results[group] ?? 0);
      if (part.bits !== 64) continue;
      body.get(context.control);
      body.access(OP.v128Load, 2, AREA_RESULT_HIGH + group * 16);
      body.set(results[groups + group] ?? 0);
    }
  }

  #resultLocals(context: MemoryContext, parts: readonly (LoadNode | AtomicNode)[]): number[][] {
    const groups = this.#lanes.shapes.groups;
    return parts.map((part) =>
      Array.from({ length: part.bits === 64 ? groups * 2 : groups }, () => context.pool.take(POOL_V128)),
    );
  }

  #takeResults(parts: readonly (LoadNode | AtomicNode)[], results: readonly (readonly number[])[]): void {
    const lanes = this.#lanes;
    const groups = lanes.shapes.groups;
    for (const [i, part] of parts.entries()) {
      const nodes = (results[i] ?? []).map((local) => this.#dag.get(local, V128));
      const zeros = part.kind === 'load' ? narrowZeros(part.bits) : 0;
      const low = lanes.vector(nodes.slice(0, groups), zeros);
      if (part.bits === 64) this.#lowering.setWide(part, this.#lowering.wideFromHalves(low, lanes.vector(nodes.slice(groups))));
      else this.#lowering.setVec(part, low);
    }
  }

  #unknownResults(parts: readonly (LoadNode | AtomicNode)[]): void {
    const lanes = this.#lanes;
    for (const part of parts) {
      const low = lanes.vector([], part.kind === 'load' ? narrowZeros(part.bits) : 0);
      if (part.bits === 64) this.#lowering.setWide(part, this.#lowering.wideFromHalves(low, lanes.vector([])));
      else this.#lowering.setVec(part, low);
    }
  }

  // Small things

  /** i64 node: base + offset · multiplier. */
  #sum(base: number, offset: number, multiplier: number): number {
    const dag = this.#dag;
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

  /** i32 node: the first and the last page of a range that spans at most two allow the access. */
  #pagesAllow(offset: number, bytes: number, access: number): number {
    const dag = this.#dag;
    if (bytes > 4096) return dag.i32(0);
    const flags = (at: number): number =>
      dag.load(OP.i32Load8U, dag.binary(OP.i32ShrU, dag.binary(OP.i32Add, offset, dag.i32(at)), dag.i32(12)), PAGE_TABLE);
    const both = dag.binary(OP.i32And, dag.binary(OP.i32And, flags(0), flags(bytes - 1)), dag.i32(access));
    return dag.binary(OP.i32Eq, both, dag.i32(access));
  }

  #allOf(conditions: readonly number[]): number {
    const dag = this.#dag;
    return conditions.reduce(
      (all, node) => (dag.constant(node) === 1 ? all : dag.constant(all) === 1 ? node : dag.binary(OP.i32And, all, node)),
      dag.i32(1),
    );
  }

  #settleGroups(value: Vec): void {
    for (const node of this.#lanes.groups(value)) {
      this.#dag.use(node);
      this.#dag.settle(node);
    }
  }

  /** What both arms of an `if` may need is computed before it. */
  #settlePlace(place: Place, mask: Mask): void {
    const dag = this.#dag;
    if (place.base !== undefined) dag.settle(place.base);
    if (place.wide === undefined) {
      if (place.offset.partition === undefined) this.#settleGroups(place.offset);
      else for (const base of place.offset.bases) dag.settle(base);
    } else {
      this.#settleGroups(this.#lowering.lowOf(place.wide));
      this.#settleGroups(this.#lowering.highOf(place.wide));
    }
    if (mask.groups !== undefined) for (const node of mask.groups) dag.settle(node);
  }

  #openIf(context: MemoryContext, place: FastPlace, condition: number = place.ok): number {
    this.#dag.emit(condition);
    context.body.open(OP.if, VOID);
    const scope = this.#dag.openScope();
    for (const node of place.settled) this.#dag.settle(node);
    return scope;
  }
  #else(context: MemoryContext, scope: number): void {
    this.#dag.closeScope(scope);
    context.body.op(OP.else);
  }
  #closeIf(context: MemoryContext, scope: number): void {
    this.#dag.closeScope(scope);
    context.body.end();
  }
}

/** Where the lanes of an access lie once it is known to be in range. */
interface FastPlace {
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

function isSameAccess(a: LoadNode | StoreEffect, b: Effect | undefined): boolean {
  return (
    b !== undefined &&
    a.kind === b.kind &&
    a.group === b.group &&
    a.space === b.space &&
    a.mask === b.mask &&
    a.address.base === b.address.base &&
    a.address.offset === b.address.offset &&
    a.address.vector === b.address.vector
  );
}

/** Lowest and highest + size of the parts' constants. */
function span(parts: readonly (LoadNode | StoreEffect)[]): readonly [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const part of parts) {
    low = Math.min(low, part.address.constant);
    high = Math.max(high, part.address.constant + part.bits / 8);
  }
  return [low, high];
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

function loadCode(bits: 8 | 16 | 32 | 64): number {
  return bits === 8 ? OP.i32Load8U : bits === 16 ? OP.i32Load16U : OP.i32Load;
}

function narrowZeros(bits: 8 | 16 | 32 | 64): number {
  return bits === 8 ? ~0xff : bits === 16 ? ~0xffff : 0;
}
