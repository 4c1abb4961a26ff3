/** Loads of a block: one scalar access for lanes with the same address, a wide one where the shape allows, else lane by lane. */
import { InternalError } from '@doorbell/abi';
import type { LoadNode } from '../ir/block.js';
import { PAGE_READ } from '../memory-map.js';
import { I32, I64, OP, VOID } from '../wasm/opcodes.js';
import { narrowZeros, span, type AccessFrame, type Emission } from './access-frame.js';
import { loadCode, pagesAllow, sumNode, type Place } from './access-parts.js';
import type { Dag } from './dag.js';
import { accessCode, LANE_NONE, LANE_UNKNOWN } from './fault-record.js';
import type { Lanes } from './lanes.js';
import type { Lowering } from './lowering.js';
import type { Partition } from './shapes.js';
import { ALL, type Mask, type Vec } from './values.js';

/** More scalar loads than this for one uniform-by-group load are not worth it. */
const MAX_UNIFORM_CLASSES = 4;
/** Pool type of i32 locals. */
const POOL_I32 = 0;

export class Loads {
  readonly #lowering: Lowering;
  readonly #lanes: Lanes;
  readonly #dag: Dag;
  readonly #frame: AccessFrame;
  /** Absent while facts are followed. */
  readonly #context: Emission | undefined;
  /** Byte offset of the instruction that loads. */
  #pc = 0;

  constructor(lowering: Lowering, frame: AccessFrame, context: Emission | undefined) {
    this.#lowering = lowering;
    this.#lanes = lowering.lanes;
    this.#dag = lowering.dag;
    this.#frame = frame;
    this.#context = context;
  }

  /** The parts of one access. */
  load(parts: readonly LoadNode[], first: LoadNode, pc: number): void {
    this.#pc = pc;
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
    const parted = this.#frame.place({ ...first.address, constant: low });
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
    const place = this.#frame.place({ ...first.address, constant: low });
    // A FLAT address that is the same in all lanes may be private: then each lane reads its own memory.
    const classes = first.space === 'flat' ? undefined : this.#uniformClasses(place);
    if (classes !== undefined) {
      this.#uniformLoad(parts, first, place, classes, mask, low, high);
      return;
    }
    const context = this.#context;
    if (context === undefined || !lanes.emitting) {
      this.#frame.unknownResults(parts);
      return;
    }
    const results = this.#frame.resultLocals(context, parts);
    const wideOk = context.fast.condition(place, mask, high - low, PAGE_READ);
    if (wideOk !== undefined) {
      this.#frame.settlePlace(place, mask);
      const scope = this.#frame.openArm(context, wideOk);
      for (const [i, part] of parts.entries()) context.fast.load(part, wideOk, part.address.constant - low, results[i] ?? []);
      this.#frame.otherArm(context, scope);
      this.#slowLoads(context, parts, place, mask, low, results);
      this.#frame.closeArms(context, scope);
    } else this.#slowLoads(context, parts, place, mask, low, results);
    this.#frame.takeResults(parts, results);
  }

  #ldsLoad(parts: readonly LoadNode[]): void {
    const lanes = this.#lanes;
    const context = this.#context;
    for (const part of parts) {
      const offset = this.#frame.localPlace(part.address);
      const partition = this.#flatPartition(offset);
      const { bits } = part;
      if (partition !== undefined && bits !== 64) {
        const bases = partition.first.map((group) => this.#ldsScalar(context, lanes.laneScalar(offset, group * 4), bits));
        this.#lowering.setVec(part, lanes.shaped(partition, bases, lanes.shapes.zero));
        continue;
      }
      if (context === undefined) {
        this.#frame.unknownResults([part]);
        continue;
      }
      const results = this.#frame.resultLocals(context, [part]);
      const fast = context.fast.ldsCondition(offset, part.bits / 8);
      const scope = this.#frame.openArm(context, fast);
      context.fast.load(part, fast, 0, results[0] ?? []);
      this.#frame.otherArm(context, scope);
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
      this.#frame.closeArms(context, scope);
      this.#frame.takeResults([part], results);
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
      this.#frame.unknownResults(parts);
      return;
    }
    const results = this.#frame.resultLocals(context, parts);
    for (const [i, part] of parts.entries()) {
      const offset = this.#frame.localPlace(part.address);
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
    this.#frame.takeResults(parts, results);
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
}
