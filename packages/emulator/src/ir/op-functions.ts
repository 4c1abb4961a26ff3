/**
 * What each pure operation computes, on one value: used by the builder to fold constants and by the evaluator for every lane.
 * Operations over the lanes of a wave are not here: the evaluator has them.
 */
import { F32_FUNCTIONS } from './functions-f32.js';
import { F64_FUNCTIONS } from './functions-f64.js';
import { INTEGER_FUNCTIONS } from './functions-integer.js';
import type { OpFunction } from './op-function.js';
import type { OpName } from './ops.js';

export type { OpFunction } from './op-function.js';
export { wide } from './op-function.js';

/** Operations that look at the wave: they have no function of one value. */
export type LaneOp = 'laneId' | 'ballot' | 'inverseBallot' | 'any' | 'readLane' | 'readFirstLane' | 'insertLane' | 'shuffle';

const FUNCTIONS: Readonly<Record<Exclude<OpName, LaneOp>, OpFunction>> = {
  ...INTEGER_FUNCTIONS,
  ...F32_FUNCTIONS,
  ...F64_FUNCTIONS,
};

/** The function of each operation; undefined for the operations of {@link LaneOp}. */
export const OP_FUNCTIONS: Readonly<Partial<Record<OpName, OpFunction>>> = FUNCTIONS;
