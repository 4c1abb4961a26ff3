/** Accesses lane by lane: calls of the module's access functions, with values passed through the lane areas. */
import type { AtomicNode, LoadNode } from '../ir/block.js';
import { OP } from '../wasm/opcodes.js';
import type { AccessKind } from './lane-function.js';
import type { MemoryContext, Place } from './access-parts.js';
import type { Dag } from './dag.js';
import type { Lanes } from './lanes.js';
import type { Lowering } from './lowering.js';
import type { Mask, Vec } from './values.js';
import { AREA_DATA, AREA_DATA_HIGH, AREA_OFFSET, AREA_OFFSET_HIGH, AREA_RESULT, AREA_RESULT_HIGH } from './wave-state.js';

export class LaneAccess {
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

  /** The access of the instruction at `pc` in the lanes of a mask. */
  call(kind: AccessKind, mask: Mask, place: Place, pc: number): void {
    const dag = this.#dag;
    const { body, control, accessFunction, emitRareCall } = this.#context;
    const bits = this.#maskBits(mask);
    emitRareCall(() => {
      if (place.wide === undefined) this.writeArea(AREA_OFFSET, place.offset);
      else {
        this.writeArea(AREA_OFFSET, this.#lowering.lowOf(place.wide));
        this.writeArea(AREA_OFFSET_HIGH, this.#lowering.highOf(place.wide));
      }
      body.get(control);
      dag.emit(bits);
      dag.emit(place.base ?? dag.i64(0, 0));
      body.i32(place.multiplier);
      body.i32(pc);
      body.call(accessFunction(kind));
    });
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

  writeData(data: readonly Vec[]): void {
    const [low, high] = data;
    if (low !== undefined) this.writeArea(AREA_DATA, low);
    if (high !== undefined) this.writeArea(AREA_DATA_HIGH, high);
  }

  writeArea(area: number, value: Vec): void {
    const { body, control } = this.#context;
    if (value.groups === undefined && value.partition !== undefined) {
      // Not by vectors: the engine would keep their constants in registers where the code is that goes this way seldom.
      for (let lane = 0; lane < this.#lanes.shapes.waveSize; lane++) {
        body.get(control);
        this.#dag.emit(this.#lanes.laneScalar(value, lane));
        body.access(OP.i32Store, 2, area + lane * 4);
      }
      return;
    }
    for (const [group, node] of this.#lanes.groups(value).entries()) {
      body.get(control);
      this.#dag.emit(node);
      body.access(OP.v128Store, 2, area + group * 16);
    }
  }

  readResults(part: LoadNode | AtomicNode, results: readonly number[]): void {
    const { body } = this.#context;
    const groups = this.#lanes.shapes.groups;
    for (let group = 0; group < groups; group++) {
      body.get(this.#context.control);
      body.access(OP.v128Load, 2, AREA_RESULT + group * 16);
      body.set(results[group] ?? 0);
      if (part.bits !== 64) continue;
      body.get(this.#context.control);
      body.access(OP.v128Load, 2, AREA_RESULT_HIGH + group * 16);
      body.set(results[groups + group] ?? 0);
    }
  }
}
