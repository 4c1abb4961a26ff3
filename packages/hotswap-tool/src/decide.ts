import { findProcessor, hsa, isHsaError } from '@doorbell/abi';
import type { CodeObjectTarget, Compatibility, TargetId } from '@doorbell/code-object/core';
import { isaMismatch, targetsCompatible } from '@doorbell/code-object/core';
import type { Env, HotSwapEnvironment } from './environment.js';
import { readHotSwapEnvironment } from './environment.js';
import type { HotSwapIdentity } from './identity.js';
import { identifyCodeObject, identifyTarget, parseSteppedIsa, STEPPED_PROCESSOR } from './identity.js';
import type { HotSwapAgent } from './policy/agent.js';
import type { A0Gate, SteppingFlags, SteppingRewrite } from './policy/steppings.js';
import { a0Gate, decideSteppingRewrite } from './policy/steppings.js';

/** What to decide on. */
export interface HotSwapQuestion {
  /** The bytes of a linked code object, or its target. */
  readonly codeObject: Uint8Array | CodeObjectTarget;
  readonly agent: HotSwapAgent;
  readonly env: Env;
}

/**
 * Why: the kill switch is set; the agent is gfx1250 and does not tell its revision; the bytes cannot be read; gfx1250 code on A0
 * silicon; gfx1250 code in strict mode; the work-around at kernel entries was asked for; the code object was made for the agent's
 * processor; its generic target covers it; it was made for a relative, and a retarget was asked for; it was made for another target.
 */
export type HotSwapReason =
  | 'disabled'
  | 'unknown-revision'
  | 'unreadable'
  | SteppingRewrite['reason']
  | 'native'
  | 'generic'
  | 'retarget'
  | 'not-compatible';

/** What a rewriter is asked to do: ISA names, with stepping tokens where steppings matter. */
export interface HotSwapRewriteRequest {
  readonly source: string;
  readonly target: string;
  /** Of a rewrite for a stepping. */
  readonly flags?: SteppingFlags;
}

/** What to do with a load: hand it on as it is, rewrite the code object first, or refuse it. */
export type HotSwapDecision = {
  readonly reason: HotSwapReason;
  /** For people. */
  readonly message: string;
  /** Absent when the code object was not looked at or cannot be read. */
  readonly identity?: HotSwapIdentity;
} & (
  | { readonly action: 'pass' }
  | {
      readonly action: 'rewrite';
      readonly request: HotSwapRewriteRequest;
      /** Without the rewrite the load fails; otherwise the original is loaded. */
      readonly required: boolean;
    }
  | {
      readonly action: 'refuse';
      /** What the load returns. */
      readonly hsaStatus: number;
    }
);

/**
 * Decides on one load, by the first rule that applies: kill switch, what silicon needs, native, generic, retarget. A code object that
 * no rule takes is handed on, since the loader refuses it with its own message.
 *
 * @throws {HsaError} ERR_INVALID_ARGUMENT for an agent whose ISA name is none.
 */
export function decideHotSwap({ codeObject, agent, env }: HotSwapQuestion): HotSwapDecision {
  const flags = readHotSwapEnvironment(env);
  if (flags.disabled) return { action: 'pass', reason: 'disabled', message: 'HSA_HOTSWAP_DISABLE is set' };
  return decideLoad(codeObject, agent, flags);
}

/** {@link decideHotSwap} without the kill switch, and the environment read already. */
export function decideLoad(
  codeObject: Uint8Array | CodeObjectTarget,
  agent: HotSwapAgent,
  env: HotSwapEnvironment,
): HotSwapDecision {
  const gate = a0Gate(agent);
  if (gate === 'unknown') {
    return {
      action: 'refuse',
      reason: 'unknown-revision',
      message: `the agent is ${STEPPED_PROCESSOR} and does not tell its ASIC revision: nobody knows whether it is A0`,
      hsaStatus: hsa.HSA_STATUS_ERROR_INVALID_AGENT,
    };
  }
  let identity: HotSwapIdentity;
  try {
    identity = codeObject instanceof Uint8Array ? identifyCodeObject(codeObject) : identifyTarget(codeObject);
  } catch (error) {
    if (!isHsaError(error)) throw error;
    return unreadable(error.message, gate);
  }
  return (
    forStepping(identity, agent, env) ??
    forTarget({ identity, agent, agentTarget: parseSteppedIsa(agent.isaName).target, mayRetarget: env.retarget })
  );
}

/** The loader says the same of such bytes; only A0 silicon gets none that were not judged. */
function unreadable(message: string, gate: A0Gate): HotSwapDecision {
  return gate === 'open'
    ? { action: 'refuse', reason: 'unreadable', message, hsaStatus: hsa.HSA_STATUS_ERROR_INVALID_CODE_OBJECT }
    : { action: 'pass', reason: 'unreadable', message };
}

const STEPPING_MESSAGES: Readonly<Record<SteppingRewrite['reason'], string>> = {
  'needs-rewrite': `code for ${STEPPED_PROCESSOR} B0 goes wrong on A0 silicon (ASIC revision 0) unless it is rewritten; HSA_HOTSWAP_DISABLE=1 loads it as it is`,
  strict: `HSA_HOTSWAP_STRICT_MODE is set: ${STEPPED_PROCESSOR} code is loaded cleaned up or not at all`,
  'entry-work-around': 'AMD_COMGR_HOTSWAP_ENTRY_TRAMPOLINES is set: kernels get the work-around at their entries',
};

function forStepping(identity: HotSwapIdentity, agent: HotSwapAgent, env: HotSwapEnvironment): HotSwapDecision | undefined {
  const wanted = decideSteppingRewrite(identity, agent, env);
  if (wanted === undefined) return undefined;
  const { reason, source, target, flags, required } = wanted;
  return {
    action: 'rewrite',
    reason,
    message: STEPPING_MESSAGES[reason],
    request: { source, target, flags },
    required,
    identity,
  };
}

interface TargetFacts {
  readonly identity: HotSwapIdentity;
  readonly agent: HotSwapAgent;
  readonly agentTarget: TargetId;
  readonly mayRetarget: boolean;
}

interface TargetRule {
  readonly reason: HotSwapReason;
  applies(compatibility: Compatibility, facts: TargetFacts): boolean;
}

/** From the best to the worst; foreign code never comes ahead of native or generic code. */
const RANKS: readonly TargetRule[] = [
  { reason: 'native', applies: ({ compatible, reason }) => compatible && reason !== 'generic' },
  { reason: 'generic', applies: ({ compatible }) => compatible },
  {
    reason: 'retarget',
    applies: (_, { identity, agentTarget, mayRetarget }) => mayRetarget && areRelatives(identity.target, agentTarget),
  },
];

function forTarget(facts: TargetFacts): HotSwapDecision {
  const { identity, agent, agentTarget } = facts;
  const compatibility = targetsCompatible(identity.target, agentTarget);
  const reason = RANKS.find((rank) => rank.applies(compatibility, facts))?.reason;
  switch (reason) {
    case undefined: {
      const { message } = isaMismatch([identity.target], agentTarget);
      return { action: 'pass', reason: 'not-compatible', message: `${message}; it is not retargeted`, identity };
    }
    case 'retarget':
      return {
        action: 'rewrite',
        reason,
        message: `${compatibility.explanation}; it is retargeted if all of it holds there`,
        request: { source: identity.isaName, target: agent.isaName },
        required: false,
        identity,
      };
    default:
      return { action: 'pass', reason, message: compatibility.explanation, identity };
  }
}

/** Whether the two belong to one family that code may move within; whether this code may is the rewriter's to say. */
export function areRelatives(code: TargetId, agent: TargetId): boolean {
  if (code.processor === agent.processor) return true;
  const generic = findProcessor(code.processor)?.generic;
  return generic !== undefined && generic === findProcessor(agent.processor)?.generic;
}
