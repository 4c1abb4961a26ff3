/** The reference interpreter. */
export { evaluateBlock } from './evaluate-block.js';
export type { BlockFault, Outcome } from './evaluate-block.js';
export { createWaveState, FAULT } from './wave-state.js';
export type { AccessFault, AtomicAccess, EvaluatorMemory, Position, WaveState } from './wave-state.js';
