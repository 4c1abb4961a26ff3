/**
 * What each pure operation computes, on one value: used by the builder to fold constants and by the evaluator for every lane.
 * The operations over the lanes of a wave (laneId, ballot, shuffle, …) are not here: the evaluator has them.
 */
import { F32_FUNCTIONS } from './functions-f32.js';
import { F64_FUNCTIONS } from './functions-f64.js';
import { INTEGER_FUNCTIONS } from './functions-integer.js';
import type { OpFunctions } from './op-function.js';

export { wide } from './op-function.js';

/** The function of each operation on one value; undefined for operations over lanes. */
export const OP_FUNCTIONS: OpFunctions = { ...INTEGER_FUNCTIONS, ...F32_FUNCTIONS, ...F64_FUNCTIONS };
