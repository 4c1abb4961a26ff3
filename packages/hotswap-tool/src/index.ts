export { decideHotSwap } from './decide.js';
export type { HotSwapAgent, HotSwapDecision, HotSwapQuestion, HotSwapReason } from './decide.js';
export { readHotSwapEnvironment } from './environment.js';
export type { Env, HotSwapEnvironment } from './environment.js';
export { identifyCodeObject, parseSteppedIsa } from './identity.js';
export type { HotSwapIdentity, SteppedIsa, Stepping } from './identity.js';
export { HOTSWAP_TOOL_ID, installHotSwap } from './install.js';
export type { InstallHotSwapOptions } from './install.js';
