/**
 * Values of a block for four lanes at a time, inside a loop over the wave's lanes. What needs other lanes was computed before, by
 * another loop (plan.ts): its results are set.
 */
import type { Value } from '../ir/block.js';
import type { Lanes } from '../compile/lanes.js';
import { Lowering, type RegisterSource } from '../compile/lowering.js';
import { halfOf } from '../compile/uniform-values.js';
import { ALL, NONE, type Mask, type Uniform, type UniformWide, type Vec } from '../compile/values.js';
import { CONTROL } from '../compile/wave-frame.js';
import { SLOT_SCC, SLOT_SGPRS, SLOT_VGPRS } from '../compile/wave-state.js';
import { I32, OP } from '../wasm/opcodes.js';

/** Locals of a block's function. */
export interface LaneLocals {
  /** The wave's slot; slot + 16 · group; control block + 16 · group; number of the group's first lane. */
  readonly slot: number;
  readonly slotLanes: number;
  readonly controlLanes: number;
  readonly firstLane: number;
}

/** A block's registers at its entry: the wave's slot. */
export class SlotSource implements RegisterSource {
  readonly #lanes: Lanes;
  readonly #locals: LaneLocals;
  readonly #waveSize: number;

  constructor(lanes: Lanes, locals: LaneLocals, waveSize: number) {
    this.#lanes = lanes;
    this.#locals = locals;
    this.#waveSize = waveSize;
  }

  sgpr(index: number): Uniform {
    const { dag } = this.#lanes;
    return { node: dag.load(OP.i32Load, dag.get(this.#locals.slot, I32), SLOT_SGPRS + index * 4), mask: undefined };
  }

  scc(): number {
    const { dag } = this.#lanes;
    return dag.load(OP.i32Load, dag.get(this.#locals.slot, I32), SLOT_SCC);
  }

  vgpr(index: number): Vec {
    const { dag } = this.#lanes;
    const address = dag.get(this.#locals.slotLanes, I32);
    return this.#lanes.vector([dag.load(OP.v128Load, address, SLOT_VGPRS + index * this.#waveSize * 4)]);
  }
}

export class FourLanes extends Lowering {
  readonly #locals: LaneLocals;
  readonly #waveSize: number;
  readonly #places = new Map<Value, number>();

  constructor(lanes: Lanes, source: RegisterSource, locals: LaneLocals, waveSize: number) {
    super(lanes, source, {
      readLane: () => lanes.dag.i32(0),
      shuffle: () => [],
    });
    this.#locals = locals;
    this.#waveSize = waveSize;
  }

  /** All lanes of the value are in memory, at this offset of the control block. */
  setPlace(value: Value, place: number): void {
    this.#places.set(value, place);
  }

  placeOf(value: Value): number | undefined {
    return this.#places.get(value);
  }

  protected override laneIds(): Vec {
    const { dag, shapes } = this.lanes;
    return this.lanes.shaped(shapes.one, [dag.get(this.#locals.firstLane, I32, ~(this.#waveSize - 4))], shapes.laneId);
  }

  protected override inserted(value: Value, index: Value, replacement: Value): Vec {
    const { lanes, dag } = this;
    const wanted = lanes.uniform(dag.binary(OP.i32And, this.scalar(index), dag.i32(this.#waveSize - 1)));
    const here = lanes.compare('eq32', this.laneIds(), wanted);
    return lanes.select(here, lanes.uniform(this.scalar(replacement)), this.forced(value));
  }

  protected override shuffled(value: Value, index: Value): Vec {
    const { lanes, dag } = this;
    const place = this.#places.get(value);
    if (place === undefined) throw new RangeError('A shuffle before its value.');
    const from = lanes.groups(this.forced(index))[0] ?? 0;
    let result = -1;
    for (let lane = 0; lane < 4; lane++) {
      const number = dag.binary(OP.i32And, dag.lane(OP.i32x4ExtractLane, lane, from), dag.i32(this.#waveSize - 1));
      const address = dag.binary(OP.i32Add, dag.get(CONTROL, I32), dag.binary(OP.i32Shl, number, dag.i32(2)));
      const loaded = dag.load(OP.i32Load, address, place);
      result = lane === 0 ? dag.unary(OP.i32x4Splat, loaded) : dag.lane(OP.i32x4ReplaceLane, lane, result, loaded);
    }
    return lanes.vector([result]);
  }

  protected override inverseBallot(value: UniformWide): Mask {
    const { lanes, dag } = this;
    const first = dag.get(this.#locals.firstLane, I32);
    let bits: number;
    if (this.#waveSize === 32) {
      const low = this.bitsOf(halfOf(dag, value, 'low'));
      const known = dag.constant(low);
      if (known === 0) return NONE;
      if (known === -1) return ALL;
      bits = dag.binary(OP.i32ShrU, low, first);
    } else {
      const whole = this.wideBits(value);
      const known = dag.constant64(whole);
      if (known?.low === 0 && known.high === 0) return NONE;
      if (known?.low === -1 && known.high === -1) return ALL;
      bits = dag.unary(OP.i32WrapI64, dag.binary(OP.i64ShrU, whole, dag.unary(OP.i64ExtendI32U, first)));
    }
    const each = dag.v128(1, 2, 4, 8);
    return lanes.mask([dag.binary(OP.i32x4Eq, dag.binary(OP.v128And, dag.unary(OP.i32x4Splat, bits), each), each)]);
  }
}
