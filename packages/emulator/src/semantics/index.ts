/** The meaning of every instruction, by name without encoding suffix. */
export { SEMANTICS } from './table.js';
export type { Semantic } from './operation.js';
export { buildBlock } from './build-block.js';
export type { BuildOptions, PlacedInstruction } from './build-block.js';
export { decodeMode, encodeMode } from './control.js';
