/** What stands in the table, without the rewriter that retargets and what that needs of the instruction sets. */
export { readHotSwapEnvironment } from './environment.js';
export { installHotSwapHook } from './hook/install.js';
export type { HotSwapHookOptions, InstalledHotSwap } from './hook/install.js';
export { rewriteSteppings } from './rewriter.js';
export type { HotSwapRewriter } from './rewriter.js';
