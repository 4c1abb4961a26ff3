/** What loads, stores and atomics share: addresses taken apart, the two arms of a guarded access, and results in locals. */
import { InternalError } from '@doorbell/abi';
import type { Address, AtomicNode, LoadNode, StoreEffect, Value } from '../ir/block.js';
import { OP, V128, VOID } from '../wasm/opcodes.js';
import type { MemoryContext, Place } from './access-parts.js';
import type { Dag } from './dag.js';
import type { FastAccess, FastPlace } from './fast-access.js';
import type { LaneAccess } from './lane-access.js';
import type { Lanes } from './lanes.js';
import type { Lowering } from './lowering.js';
import type { Mask, Vec } from './values.js';

/** Pool type of v128 locals. */
const POOL_V128 = 4;

/** What code is emitted with. */
export interface Emission extends MemoryContext {
  readonly fast: FastAccess;
  readonly slow: LaneAccess;
}

export class AccessFrame {
  readonly #lowering: Lowering;
  readonly #lanes: Lanes;
  readonly #dag: Dag;

  constructor(lowering: Lowering) {
    this.#lowering = lowering;
    this.#lanes = lowering.lanes;
    this.#dag = lowering.dag;
  }

  place(address: Address): Place {
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

  localPlace(address: Address): Vec {
    const offset = address.offset === undefined ? this.#lanes.uniform(this.#dag.i32(0)) : this.#lowering.forced(address.offset);
    return this.#lanes.apply('add32', offset, this.#lanes.uniform(this.#dag.i32(address.constant)), undefined);
  }

  /** A value of 32 bits, or both halves of one of 64. */
  halves(value: Value): readonly Vec[] {
    const lowering = this.#lowering;
    if (value.type !== 'i64') return [lowering.forced(value)];
    const wide = lowering.wide(value);
    return [lowering.lowOf(wide), lowering.highOf(wide)];
  }

  settleGroups(value: Vec): void {
    for (const node of this.#lanes.groups(value)) {
      this.#dag.use(node);
      this.#dag.settle(node);
    }
  }

  /** What both arms of an `if` may need is computed before it. */
  settlePlace(place: Place, mask: Mask): void {
    const dag = this.#dag;
    if (place.base !== undefined) dag.settle(place.base);
    if (place.wide === undefined) {
      if (place.offset.partition === undefined) this.settleGroups(place.offset);
      else for (const base of place.offset.bases) dag.settle(base);
    } else {
      this.settleGroups(this.#lowering.lowOf(place.wide));
      this.settleGroups(this.#lowering.highOf(place.wide));
    }
    if (mask.groups !== undefined) for (const node of mask.groups) dag.settle(node);
  }

  openArm(context: Emission, place: FastPlace, condition: number = place.ok): number {
    this.#dag.emit(condition);
    context.body.open(OP.if, VOID);
    const scope = this.#dag.openScope();
    for (const node of place.settled) this.#dag.settle(node);
    return scope;
  }

  otherArm(context: Emission, scope: number): void {
    this.#dag.closeScope(scope);
    context.body.op(OP.else);
  }

  closeArms(context: Emission, scope: number): void {
    this.#dag.closeScope(scope);
    context.body.end();
  }

  resultLocals(context: Emission, parts: readonly (LoadNode | AtomicNode)[]): number[][] {
    const groups = this.#lanes.shapes.groups;
    return parts.map((part) =>
      Array.from({ length: part.bits === 64 ? groups * 2 : groups }, () => context.pool.take(POOL_V128)),
    );
  }

  takeResults(parts: readonly (LoadNode | AtomicNode)[], results: readonly (readonly number[])[]): void {
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

  unknownResults(parts: readonly (LoadNode | AtomicNode)[]): void {
    const lanes = this.#lanes;
    for (const part of parts) {
      const low = lanes.vector([], part.kind === 'load' ? narrowZeros(part.bits) : 0);
      if (part.bits === 64) this.#lowering.setWide(part, this.#lowering.wideFromHalves(low, lanes.vector([])));
      else this.#lowering.setVec(part, low);
    }
  }
}

/** Lowest and highest + size of the parts' constants. */
export function span(parts: readonly (LoadNode | StoreEffect)[]): readonly [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const part of parts) {
    low = Math.min(low, part.address.constant);
    high = Math.max(high, part.address.constant + part.bits / 8);
  }
  return [low, high];
}

/** Bits that are 0 in a loaded value. */
export function narrowZeros(bits: 8 | 16 | 32 | 64): number {
  return bits === 8 ? ~0xff : bits === 16 ? ~0xffff : 0;
}
