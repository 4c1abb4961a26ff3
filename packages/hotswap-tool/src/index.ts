export { areRelatives, decideHotSwap } from './decide.js';
export type { HotSwapDecision, HotSwapQuestion, HotSwapReason, HotSwapRewriteRequest } from './decide.js';
export { readHotSwapEnvironment } from './environment.js';
export type { Env, HotSwapEnvironment } from './environment.js';
export type { FileRegion, HotSwapHost } from './hook/host.js';
export { HOTSWAP_SLOTS } from './hook/install.js';
export type { InstalledHotSwap } from './hook/install.js';
export { codeObjectIsaName, identifyCodeObject, parseSteppedIsa, readIdentity } from './identity.js';
export type { CodeObjectIdentity, HotSwapIdentity, SteppedIsa, Stepping } from './identity.js';
export type { HotSwapAgent } from './policy/agent.js';
export { canForwardCodeObject, FORWARDED_PAIRS } from './policy/forwarding.js';
export type { ForwardingPair, ForwardingQuestion } from './policy/forwarding.js';
export type { RewriteOutcome } from './policy/load.js';
export { decideSteppingRewrite } from './policy/steppings.js';
export type { SteppingFlags, SteppingRewrite } from './policy/steppings.js';
export { installHotSwap } from './install.js';
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
export { RewriteCache } from './rewrite-cache.js';
export type { CachedOutcome, RewriteCacheOptions, RewriteCacheStatistics } from './rewrite-cache.js';
export type { HotSwapRewriter } from './rewriter.js';
export { HOTSWAP_TOOL_ID } from './tool-id.js';
export { verifyRewrite } from './verify/verify-rewrite.js';
