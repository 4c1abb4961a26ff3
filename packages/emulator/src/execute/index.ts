/** The execution engine. */
export { createExecutor } from './executor.js';
export type { ExecutorOptions } from './executor.js';
export { CodeStore } from './code-store.js';
export { WishCompiler } from './compile-wishes.js';
