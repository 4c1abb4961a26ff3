/** Values of lanes that move through memory: a lane area of the control block. */
import type { FunctionBody } from '../wasm/module-builder.js';
import { I32, OP, V128 } from '../wasm/opcodes.js';
import type { LocalPool } from './local-pool.js';
import type { Lanes } from './lanes.js';
import type { LaneMemory } from './lane-moves.js';
import type { Vec } from './values.js';
import { CONTROL } from './wave-frame.js';
import { AREA_SHUFFLE } from './wave-state.js';

export function createLaneMemory(body: FunctionBody, pool: LocalPool, lanes: Lanes): LaneMemory {
  const { dag } = lanes;
  const store = (v: Vec): void => {
    for (const [index, node] of lanes.groups(v).entries()) {
      body.get(CONTROL);
      dag.emit(node);
      body.access(OP.v128Store, 2, AREA_SHUFFLE + index * 16);
    }
  };
  /** Pushes control + 4 · (index modulo the wave size). */
  const address = (index: number): void => {
    body.get(CONTROL);
    dag.emit(dag.binary(OP.i32Shl, dag.binary(OP.i32And, index, dag.i32(lanes.shapes.waveSize - 1)), dag.i32(2)));
    body.op(OP.i32Add);
  };
  return {
    readLane: (v, index) => {
      dag.settle(index);
      store(v);
      address(index);
      body.access(OP.i32Load, 2, AREA_SHUFFLE);
      return dag.fromStack(I32);
    },
    shuffle: (v, index) => {
      const indices = lanes.groups(index);
      for (const node of indices) {
        dag.use(node);
        dag.settle(node);
      }
      store(v);
      const results = indices.map((node) => {
        address(dag.lane(OP.i32x4ExtractLane, 0, node));
        body.access(OP.v128Load32Zero, 2, AREA_SHUFFLE);
        const local = pool.take(4);
        body.set(local);
        for (let lane = 1; lane < 4; lane++) {
          address(dag.lane(OP.i32x4ExtractLane, lane, node));
          body.get(local);
          body.access(OP.v128Load32Lane, 2, AREA_SHUFFLE);
          body.code.byte(lane);
          body.set(local);
        }
        return dag.get(local, V128);
      });
      return results;
    },
  };
}
