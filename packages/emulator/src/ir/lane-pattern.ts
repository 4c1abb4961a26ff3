/** Values that depend on the lane number alone: fixed shuffles, lane masks of DPP. */
import type { Value } from './block.js';
import { OP_FUNCTIONS } from './op-functions.js';

/** The value of each lane, if it is made of laneId and constants; else undefined. */
export function lanePattern(value: Value, waveSize: number): Uint32Array | undefined {
  const pattern = new Uint32Array(waveSize);
  for (let lane = 0; lane < waveSize; lane++) {
    const result = evaluate(value, lane);
    if (result === undefined) return undefined;
    pattern[lane] = result;
  }
  return pattern;
}

function evaluate(value: Value, lane: number): number | undefined {
  if (value.type === 'i64') return undefined;
  if (value.kind === 'const') return value.low;
  if (value.kind !== 'op') return undefined;
  if (value.op === 'laneId') return lane;
  const compute = OP_FUNCTIONS[value.op];
  if (compute === undefined) return undefined;
  const results: number[] = [];
  for (const argument of value.args) {
    const result = evaluate(argument, lane);
    if (result === undefined) return undefined;
    results.push(result);
  }
  return compute(results[0] ?? 0, 0, results[1] ?? 0, 0, results[2] ?? 0, 0);
}
