export { decideHotSwap } from './decide.js';
export type { HotSwapAgent, HotSwapDecision, HotSwapQuestion, HotSwapReason } from './decide.js';
export { readHotSwapEnvironment } from './environment.js';
export type { Env, HotSwapEnvironment } from './environment.js';
export { identifyCodeObject, parseSteppedIsa } from './identity.js';
export type { HotSwapIdentity, SteppedIsa, Stepping } from './identity.js';
export { HOTSWAP_TOOL_ID, installHotSwap } from './install.js';
export type { InstallHotSwapOptions } from './install.js';
export { compareTargets } from './report/compare-targets.js';
export { planRewrite, rewrite } from './retarget/rewrite.js';
export { MAX_PLACES } from './retarget/types.js';
export type {
  CodeCounts,
  DeclaredRange,
  Finding,
  FindingPlace,
  FindingSeverity,
  HeaderChange,
  InstructionObstacle,
  InstructionTexts,
  KernelPortability,
  KernelReport,
  Portability,
  RetargetRule,
  RewriteOptions,
  RewriteProof,
  RewriteReport,
  RewriteResult,
  RewriteStatus,
  TargetComparison,
  TargetRelation,
} from './retarget/types.js';
export { verifyRewrite } from './verify/verify-rewrite.js';
