/** The meaning of every instruction, by name without encoding suffix. */
export { generationOf } from './generation.js';
export { semanticsOf } from './table.js';
export { buildBlock } from './build-block.js';
export type { PlacedInstruction } from './build-block.js';
export { decodeMode, encodeMode, problemOfMode } from './mode-register.js';
