/** Values of all lanes between the loops of a block: dwords in the control block, lane masks as bits in locals. */
import { InternalError } from '@doorbell/abi';
import type { Value } from '../ir/block.js';
import type { Dag } from '../compile/dag.js';
import { T_I64 } from '../compile/dag-rules.js';
import type { Lanes } from '../compile/lanes.js';
import type { LocalPool } from '../compile/local-pool.js';
import type { Vec } from '../compile/values.js';
import { CONTROL } from '../compile/wave-frame.js';
import { CONTROL_TEMPORARIES, LANE_AREA_BYTES, MAX_TEMPORARIES } from '../compile/wave-state.js';
import type { FunctionBody } from '../wasm/module-builder.js';
import { I32, OP } from '../wasm/opcodes.js';
import type { FourLanes, LaneLocals } from './four-lanes.js';

export interface LaneStoreOptions {
  readonly body: FunctionBody;
  readonly pool: LocalPool;
  readonly lanes: Lanes;
  readonly values: FourLanes;
  readonly locals: LaneLocals;
  /** Function (from, to): copies the dwords of a wave's lanes. */
  readonly copyLanes: () => number;
}

export class LaneStore {
  readonly #body: FunctionBody;
  readonly #pool: LocalPool;
  readonly #dag: Dag;
  readonly #lanes: Lanes;
  readonly #values: FourLanes;
  readonly #locals: LaneLocals;
  readonly #copyLanes: () => number;
  #temporaries = 0;

  constructor({ body, pool, lanes, values, locals, copyLanes }: LaneStoreOptions) {
    this.#body = body;
    this.#pool = pool;
    this.#dag = lanes.dag;
    this.#lanes = lanes;
    this.#values = values;
    this.#locals = locals;
    this.#copyLanes = copyLanes;
  }

  /** Offset in the control block of room for a dword of each lane. */
  takeTemporary(): number {
    if (this.#temporaries === MAX_TEMPORARIES) throw new InternalError('a block with too many values between its stages');
    return CONTROL_TEMPORARIES + this.#temporaries++ * LANE_AREA_BYTES;
  }

  takeTemporaries(node: Value): readonly number[] {
    return node.type === 'i64' ? [this.takeTemporary(), this.takeTemporary()] : [this.takeTemporary()];
  }

  storeLanes(offset: number, value: Vec): void {
    this.#storeGroup(offset, this.#lanes.groups(value)[0] ?? 0);
  }

  #storeGroup(offset: number, node: number): void {
    this.#body.get(this.#locals.controlLanes);
    this.#dag.emit(node);
    this.#body.access(OP.v128Store, 2, offset);
  }

  loadGroup(offset: number): number {
    return this.#dag.load(OP.v128Load, this.#dag.get(this.#locals.controlLanes, I32), offset);
  }

  save(node: Value, [low, high]: readonly number[]): void {
    const values = this.#values;
    if (node.type === 'bool') this.#storeGroup(low ?? 0, this.#lanes.maskGroups(values.mask(node))[0] ?? 0);
    else if (node.type === 'i32') this.storeLanes(low ?? 0, values.forced(node));
    else {
      const wide = values.wide(node);
      this.storeLanes(low ?? 0, values.lowOf(wide));
      this.storeLanes(high ?? 0, values.highOf(wide));
    }
  }

  /** From here on the value is taken from memory. */
  use(node: Value, [low, high]: readonly number[]): void {
    if (node.type === 'bool') this.#values.setMask(node, this.#lanes.mask([this.loadGroup(low ?? 0)]));
    else this.set(node, low ?? 0, high);
  }

  set(node: Value, low: number, high: number | undefined): void {
    const value = this.#lanes.vector([this.loadGroup(low)]);
    if (high === undefined) this.#values.setVec(node, value);
    else this.#values.setWide(node, this.#values.wideFromHalves(value, this.#lanes.vector([this.loadGroup(high)])));
  }

  /** Copies a dword of each lane from one offset of the control block to another. */
  copy(from: number, to: number): void {
    const body = this.#body;
    for (const offset of [from, to]) {
      body.get(CONTROL);
      body.i32(offset);
      body.op(OP.i32Add);
    }
    body.call(this.#copyLanes());
  }

  /** An i64 local for the bits of a lane mask that a loop collects, set to 0. */
  bitsLocal(): number {
    const local = this.#pool.take(T_I64);
    this.#body.i64(0, 0);
    this.#body.set(local);
    return local;
  }

  /** Ors the lanes' bits of a mask to a local. */
  collect(mask: Value, bits: number): void {
    const body = this.#body;
    const [group] = this.#lanes.maskGroups(this.#values.mask(mask));
    body.get(bits);
    this.#dag.emit(group ?? 0);
    body.op(OP.i32x4Bitmask);
    body.op(OP.i64ExtendI32U);
    body.get(this.#locals.firstLane);
    body.op(OP.i64ExtendI32U);
    body.op(OP.i64Shl);
    body.op(OP.i64Or);
    body.set(bits);
  }
}
