export * from './core.js';
export { assembleObject } from './assemble/assemble-object.js';
export type { AssembleObjectOptions } from './assemble/assemble-object.js';
export { formatProblem } from './assemble/problems.js';
export type { AssemblyProblem } from './assemble/problems.js';
export { editCodeObjectTarget } from './write/edit-target.js';
export type { CodeObjectEdit } from './write/edit-target.js';
export type { EditedElf, EditedRange } from './write/edit-elf.js';
