/** The execution engine. */
export { createExecutor } from './executor.js';
export type { ExecutorOptions } from './executor.js';
export type { AddressWindow } from './memory-view.js';
