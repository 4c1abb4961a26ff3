/** Values that move between lanes, or from one lane to a scalar. */
import { I32, OP } from '../wasm/opcodes.js';
import type { Lanes } from './lanes.js';
import { packHalves } from './uniform-values.js';
import type { Mask, Vec } from './values.js';

/** Moves between lanes that need memory to pass values through. */
export interface LaneMemory {
  /** The value of the lane whose number the i32 node holds. */
  readLane(v: Vec, index: number): number;
  /** For each lane the value of the lane that `index` names, modulo the wave size: a node for each group. */
  shuffle(v: Vec, index: Vec): readonly number[];
}

export class LaneMoves {
  readonly #lanes: Lanes;
  readonly #memory: LaneMemory;

  constructor(lanes: Lanes, memory: LaneMemory) {
    this.#lanes = lanes;
    this.#memory = memory;
  }

  /** Lanes moved by constant numbers stay in registers; else they pass through memory. */
  shuffle(v: Vec, index: Vec): Vec {
    const lanes = this.#lanes;
    const { dag } = lanes;
    const pattern = lanes.patternOf(index);
    // The known bits must be the same while facts are followed and while code is emitted: facts say in which form registers are held.
    if (pattern === undefined) return lanes.vector(lanes.emitting ? this.#memory.shuffle(v, index) : [], lanes.zerosOf(v));
    const from = pattern.lanes.map((lane) => lane & (lanes.shapes.waveSize - 1));
    if (v.partition !== undefined && v.partition.count === 1) {
      return lanes.shaped(v.partition, v.bases, lanes.shapes.pattern(from.map((lane) => v.pattern.lanes[lane] ?? 0)));
    }
    if (!lanes.emitting) return lanes.vector([], lanes.zerosOf(v));
    const groups = lanes.groups(v);
    const results = groups.map((_, group) => {
      const wanted = [0, 1, 2, 3].map((lane) => from[group * 4 + lane] ?? 0);
      // Two source groups in one shuffle, further ones joined to what is there.
      let result = -1;
      const done = [false, false, false, false];
      while (done.includes(false)) {
        const open = wanted.filter((_lane, i) => done[i] === false);
        const first = (open[0] ?? 0) >> 2;
        const second = result >= 0 ? -1 : (open.find((lane) => lane >> 2 !== first) ?? open[0] ?? 0) >> 2;
        const order = wanted.map((lane, i) => {
          if (done[i] === true) return i;
          if (lane >> 2 === first) return (result >= 0 ? 4 : 0) + (lane & 3);
          return lane >> 2 === second ? 4 + (lane & 3) : i;
        });
        for (const [i, lane] of wanted.entries()) if (lane >> 2 === first || lane >> 2 === second) done[i] = true;
        const [a, b] = result >= 0 ? [result, groups[first] ?? 0] : [groups[first] ?? 0, groups[second] ?? 0];
        result = dag.shuffle(a, b, order[0] ?? 0, order[1] ?? 0, order[2] ?? 0, order[3] ?? 0);
      }
      return result;
    });
    return lanes.vector(results, lanes.zerosOf(v));
  }

  insertLane(v: Vec, index: number, replacement: number): Vec {
    const lanes = this.#lanes;
    const { dag } = lanes;
    const wanted = lanes.uniform(dag.binary(OP.i32And, index, dag.i32(lanes.shapes.waveSize - 1)));
    const here = lanes.compare('eq32', lanes.constantLanes(lanes.shapes.laneId), wanted);
    return lanes.select(here, lanes.uniform(replacement), v);
  }

  readLane(v: Vec, index: number): number {
    const lanes = this.#lanes;
    const { dag } = lanes;
    const uniform = lanes.scalarOf(v);
    if (uniform !== undefined) return uniform;
    const constant = dag.constant(index);
    if (constant === undefined) return lanes.emitting ? this.#memory.readLane(v, index) : dag.fresh(I32);
    const lane = constant & (lanes.shapes.waveSize - 1);
    if (v.partition !== undefined) return lanes.laneScalar(v, lane);
    return lanes.emitting ? dag.lane(OP.i32x4ExtractLane, lane & 3, lanes.groups(v)[lane >> 2] ?? 0) : dag.fresh(I32);
  }

  readFirstLane(v: Vec, mask: Mask): number {
    const lanes = this.#lanes;
    const { dag } = lanes;
    const uniform = lanes.scalarOf(v);
    if (uniform !== undefined) return uniform;
    if (mask.known !== undefined) return this.readLane(v, dag.i32(0));
    if (!lanes.emitting) return dag.fresh(I32);
    // Lane 0 if none is set: the count of trailing zeros is 32 or 64 then, 0 modulo the wave size.
    const low = lanes.bits(lanes.mask(lanes.maskGroups(mask).slice(0, 8)));
    if (lanes.shapes.waveSize === 32) return this.readLane(v, dag.unary(OP.i32Ctz, low));
    const high = lanes.bits(lanes.mask(lanes.maskGroups(mask).slice(8, 16)));
    return this.readLane(v, dag.unary(OP.i32WrapI64, dag.unary(OP.i64Ctz, packHalves(dag, low, high))));
  }

  firstLane(v: Vec): number {
    const lanes = this.#lanes;
    const { dag } = lanes;
    const uniform = lanes.scalarOf(v);
    if (uniform !== undefined) return uniform;
    return lanes.emitting ? dag.lane(OP.i32x4ExtractLane, 0, lanes.groups(v)[0] ?? 0) : dag.fresh(I32);
  }
}
