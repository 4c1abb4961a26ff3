/** Every layer, for programs that need one of them too. */
export * as abi from '@doorbell/abi';
export * as apiTable from '@doorbell/api-table';
export * as codeObject from '@doorbell/code-object';
export * as emulator from '@doorbell/emulator';
export * as hotswapTool from '@doorbell/hotswap-tool';
export * as isa from '@doorbell/isa';
export * as queues from '@doorbell/queues';
export * as thunkLoader from '@doorbell/thunk-loader';
export * as topology from '@doorbell/topology';
/** Of the environment: it needs the layers. */
export { findFlagProblems } from './core/flag-problems.js';
export type { FlagProblem } from './core/flag-problems.js';
