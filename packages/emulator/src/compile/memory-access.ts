/**
 * Memory effects of a block. What is uniform or consecutive by shape and wholly active and in range is done by wide accesses under one
 * check; the rest goes lane by lane through the module's access functions.
 */
import { InternalError } from '@doorbell/abi';
import type { Address, AtomicNode, ClockNode, Effect, LoadNode, StoreEffect, Value } from '../ir/block.js';
import { PAGE_READ, PAGE_WRITE } from '../memory-map.js';
import { I32, I64, OP, V128, VOID } from '../wasm/opcodes.js';
import type { AccessKind } from './lane-function.js';
import { AtomicAccess } from './atomic-access.js';
import { loadCode, pagesAllow, sumNode, type MemoryContext, type Place } from './access-parts.js';
import type { Dag } from './dag.js';
import { accessCode, LANE_NONE, LANE_UNKNOWN } from './fault-record.js';
import { FastAccess, type FastPlace } from './fast-access.js';
import { LaneAccess } from './lane-access.js';
import type { Lanes } from './lanes.js';
import type { Lowering } from './lowering.js';
import { lowerMatrix } from './matrix-call.js';
import type { Partition } from './shapes.js';
import { ALL, type Mask, type Vec } from './values.js';
import { AREA_COMPARE, AREA_COMPARE_HIGH } from './wave-state.js';

/** More scalar loads than this for one uniform-by-group load are not worth it. */
const MAX_UNIFORM_CLASSES = 4;

/** Pool types of locals. */
const POOL_I32 = 0;
const POOL_V128 = 4;

/** What code is emitted with. */
interface Emission extends MemoryContext {
  readonly fast: FastAccess;
  readonly slow: LaneAccess;
  readonly atomic: AtomicAccess;
}

/** Follows or emits the effects of one block, in order. */
export class MemoryAccess {
  readonly #lowering: Lowering;
  readonly #lanes: Lanes;
  readonly #dag: Dag;
  /** Absent while facts are followed. */
  readonly #context: Emission | undefined;
  #isRead: (node: AtomicNode) => boolean = () => true;
  /** Byte offset of the instruction whose effects are emitted. */
  #pc = 0;

  constructor(lowering: Lowering, context: MemoryContext | undefined) {
    this.#lowering = lowering;
    this.#lanes = lowering.lanes;
    this.#dag = lowering.dag;
    if (context === undefined) return;
    const fast = new FastAccess(lowering, context);
    const atomic = new AtomicAccess(lowering.lanes, context, fast);
    this.#context = { ...context, fast, slow: new LaneAccess(lowering, context), atomic };
  }

  /** The effects of a block with the byte offsets of their instructions. `isRead` says which atomics' old values matter. */
  run(effects: readonly Effect[], pcs: readonly number[], isRead: (node: AtomicNode) => boolean): void {
    this.#isRead = isRead;
    for (let first = 0; first < effects.length; ) {
      const effect = effects[first];
      if (effect === undefined) return;
      let end = first + 1;
      if (effect.kind === 'load' || effect.kind === 'store') {
        while (end < effects.length && isSameAccess(effect, effects[end])) end++;
      }
      this.#pc = pcs[first] ?? 0;
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
      case 'matrix':
        lowerMatrix(this.#lowering, this.#context, first);
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
    const address = sumNode(this.#dag, parted.base, offset, parted.multiplier);
    const place = this.#checkedScalar(context, first, address, high - low);
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
  #checkedScalar(context: Emission, load: LoadNode, address: number, bytes: number): number {
    const dag = this.#dag;
    const { body } = context;
    const range = context.translator.range(dag, context.translation, address, bytes);
    const ok = context.softwarePages
      ? dag.select(range.inside, pagesAllow(this.#dag, range.offset, bytes, PAGE_READ), dag.i32(0))
      : range.inside;
    dag.use(range.offset);
    dag.use(range.offset);
    dag.settle(address);
    dag.emit(dag.unary(OP.i32Eqz, ok));
    body.open(OP.if, VOID);
    body.get(context.control);
    body.i32(this.#pc);
    body.i32(accessCode(load.space, 'read', bytes));
    body.i32(load.mask === undefined ? LANE_NONE : LANE_UNKNOWN);
    dag.emit(address);
    body.call(context.fail());
    body.op(OP.unreachable);
    body.end();
    dag.settle(range.offset);
    return range.offset;
  }

  #globalLoad(parts: readonly LoadNode[], first: LoadNode, mask: Mask): void {
    const lanes = this.#lanes;
    const [low, high] = span(parts);
    const place = this.#place({ ...first.address, constant: low });
    // A FLAT address that is the same in all lanes may be private: then each lane reads its own memory.
    const classes = first.space === 'flat' ? undefined : this.#uniformClasses(place);
    if (classes !== undefined) {
      this.#uniformLoad(parts, first, place, classes, mask, low, high);
      return;
    }
    const context = this.#context;
    if (context === undefined || !lanes.emitting) {
      this.#unknownResults(parts);
      return;
    }
    const results = this.#resultLocals(context, parts);
    const wideOk = context.fast.condition(place, mask, high - low, PAGE_READ);
    if (wideOk !== undefined) {
      this.#settlePlace(place, mask);
      const scope = this.#openIf(context, wideOk);
      for (const [i, part] of parts.entries()) context.fast.load(part, wideOk, part.address.constant - low, results[i] ?? []);
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
      const fast = context.fast.ldsCondition(offset, part.bits / 8);
      const scope = this.#openIf(context, fast);
      context.fast.load(part, fast, 0, results[0] ?? []);
      this.#else(context, scope);
      context.slow.call(
        { space: 'lds', action: 'load', bits: part.bits, wide: false },
        ALL,
        {
          base: undefined,
          offset,
          multiplier: 1,
          wide: undefined,
        },
        this.#pc,
      );
      context.slow.readResults(part, results[0] ?? []);
      this.#closeIf(context, scope);
      this.#takeResults([part], results);
    }
  }

  /** One dword or less of LDS for lanes with the same address; 0 if out of range. */
  #ldsScalar(context: Emission | undefined, address: number, bits: 8 | 16 | 32): number {
    const dag = this.#dag;
    if (context === undefined) return dag.fresh(I32, narrowZeros(bits));
    const { body } = context;
    const ok = context.fast.ldsInside(address, bits / 8);
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
      context.slow.call(
        { space: part.space, action: 'load', bits: part.bits, wide: false },
        mask,
        {
          base: undefined,
          offset,
          multiplier: 1,
          wide: undefined,
        },
        this.#pc,
      );
      context.slow.readResults(part, results[i] ?? []);
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
  #uniformLoad(
    parts: readonly LoadNode[],
    first: LoadNode,
    place: Place,
    partition: Partition,
    mask: Mask,
    low: number,
    high: number,
  ): void {
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
      const address = sumNode(this.#dag, place.base ?? 0, lanes.laneScalar(place.offset, group * 4), place.multiplier);
      const isActive = this.#anyInClass(mask, partition, index);
      dag.settle(address);
      const locals = parts.map((part) => [pool.take(POOL_I32), part.bits === 64 ? pool.take(POOL_I32) : -1] as const);
      const emit = (): void => {
        const offset = this.#checkedScalar(context, first, address, high - low);
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
    const data = parts.map((part) => this.#halves(part.data));
    const fast = context.fast.condition(place, mask, high - low, PAGE_WRITE);
    for (const halves of data) for (const half of halves) this.#settleGroups(half);
    this.#settlePlace(place, mask);
    const slow = (): void => {
      for (const [i, part] of parts.entries()) {
        const base = this.#dag.binary(OP.i64Add, place.base ?? 0, this.#dag.i64(part.address.constant - low, 0));
        context.slow.writeData(data[i] ?? []);
        context.slow.call(
          { space: part.space, action: 'store', bits: part.bits, wide: place.wide !== undefined },
          mask,
          {
            ...place,
            base,
          },
          this.#pc,
        );
      }
    };
    if (fast === undefined) {
      slow();
      return;
    }
    const scope = this.#openIf(context, fast);
    for (const [i, part] of parts.entries())
      context.fast.store(part.bits, fast, part.address.constant - low, data[i] ?? [], undefined);
    this.#else(context, scope);
    slow();
    this.#closeIf(context, scope);
  }

  #localStore(context: Emission, part: StoreEffect, mask: Mask): void {
    const offset = this.#localPlace(part.address);
    const data = this.#halves(part.data);
    const slow = (): void => {
      context.slow.writeData(data);
      context.slow.call(
        { space: part.space, action: 'store', bits: part.bits, wide: false },
        mask,
        {
          base: undefined,
          offset,
          multiplier: 1,
          wide: undefined,
        },
        this.#pc,
      );
    };
    if (part.space === 'scratch') {
      slow();
      return;
    }
    const dag = this.#dag;
    const fast = context.fast.ldsCondition(offset, part.bits / 8);
    // Nobody else sees the group's LDS while this wave runs: a masked store may write back what is there.
    const canBlend = part.bits === 32 && fast.pattern !== undefined && context.fast.isConsecutive(fast, 4);
    const full = canBlend ? dag.i32(1) : this.#lanes.surelyAll(mask);
    for (const half of data) this.#settleGroups(half);
    if (mask.groups !== undefined) for (const node of mask.groups) dag.settle(node);
    const scope = this.#openIf(context, fast, dag.select(fast.ok, full, dag.i32(0)));
    context.fast.store(part.bits, fast, 0, data, canBlend && mask.known === undefined ? mask : undefined);
    this.#else(context, scope);
    slow();
    this.#closeIf(context, scope);
  }

  /** A value of 32 bits, or both halves of one of 64. */
  #halves(value: Value): readonly Vec[] {
    const lowering = this.#lowering;
    if (value.type !== 'i64') return [lowering.forced(value)];
    const wide = lowering.wide(value);
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
    const data = this.#halves(node.data);
    const compare = node.compare === undefined ? [] : this.#halves(node.compare);
    const isSilent = !this.#isRead(node);
    const results = isSilent ? [] : this.#resultLocals(context, [node]);
    const slow = (): void => {
      context.slow.writeData(data);
      const [low, high] = compare;
      if (low !== undefined) context.slow.writeArea(AREA_COMPARE, low);
      if (high !== undefined) context.slow.writeArea(AREA_COMPARE_HIGH, high);
      const kind: AccessKind = { space: node.space, action: node.op, bits: node.bits, wide: place.wide !== undefined, isSilent };
      context.slow.call(kind, mask, place, this.#pc);
      if (!isSilent) context.slow.readResults(node, results[0] ?? []);
    };
    for (const half of [...data, ...compare]) this.#settleGroups(half);
    this.#settlePlace(place, mask);
    if (!context.atomic.emit({ node, place, mask, data, compare, results: results[0] ?? [] }, slow)) slow();
    if (!isSilent) this.#takeResults([node], results);
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

  #slowLoads(
    context: Emission,
    parts: readonly LoadNode[],
    place: Place,
    mask: Mask,
    low: number,
    results: readonly (readonly number[])[],
  ): void {
    for (const [i, part] of parts.entries()) {
      const base = this.#dag.binary(OP.i64Add, place.base ?? 0, this.#dag.i64(part.address.constant - low, 0));
      context.slow.call(
        { space: part.space, action: 'load', bits: part.bits, wide: place.wide !== undefined },
        mask,
        {
          ...place,
          base,
        },
        this.#pc,
      );
      context.slow.readResults(part, results[i] ?? []);
    }
  }

  #resultLocals(context: Emission, parts: readonly (LoadNode | AtomicNode)[]): number[][] {
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

  #openIf(context: Emission, place: FastPlace, condition: number = place.ok): number {
    this.#dag.emit(condition);
    context.body.open(OP.if, VOID);
    const scope = this.#dag.openScope();
    for (const node of place.settled) this.#dag.settle(node);
    return scope;
  }

  #else(context: Emission, scope: number): void {
    this.#dag.closeScope(scope);
    context.body.op(OP.else);
  }

  #closeIf(context: Emission, scope: number): void {
    this.#dag.closeScope(scope);
    context.body.end();
  }
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

function narrowZeros(bits: 8 | 16 | 32 | 64): number {
  return bits === 8 ? ~0xff : bits === 16 ? ~0xffff : 0;
}
