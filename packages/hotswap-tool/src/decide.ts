import { hsa, isHsaError } from '@doorbell/abi';
import type { CodeObjectTarget } from '@doorbell/code-object';
import { isaMismatch, targetsCompatible } from '@doorbell/code-object';
import type { Env } from './environment.js';
import { readHotSwapEnvironment } from './environment.js';
import type { HotSwapIdentity } from './identity.js';
import { identifyCodeObject, identifyTarget, parseSteppedIsa, STEPPED_PROCESSOR } from './identity.js';

/** The agent that a code object is to be loaded for. */
export interface HotSwapAgent {
  /** Its first ISA name: `amdgcn-amd-amdhsa--gfx1250`. */
  readonly isaName: string;
  /** HSA_AMD_AGENT_INFO_ASIC_REVISION; absent where it is not known. */
  readonly asicRevision?: number;
}

/** What to decide on. */
export interface HotSwapQuestion {
  /** The bytes of a linked code object, or its target. */
  readonly codeObject: Uint8Array | CodeObjectTarget;
  readonly agent: HotSwapAgent;
  readonly env: Env;
}

/**
 * Why: the kill switch is set; the code object was made for the agent's processor; its generic target covers it; it was made for
 * another target, and nothing retargets it; it cannot be read; it is gfx1250 code on A0 silicon, which needs a rewrite.
 */
export type HotSwapReason = 'disabled' | 'native' | 'generic' | 'not-compatible' | 'unreadable' | 'needs-rewrite';

/** What to do with a load: hand it on as it is, or refuse it. */
export interface HotSwapDecision {
  readonly action: 'pass' | 'refuse';
  readonly reason: HotSwapReason;
  /** For people. */
  readonly message: string;
  /** What the load returns when it is refused. */
  readonly hsaStatus?: number;
  /** Absent when the code object was not looked at or cannot be read. */
  readonly identity?: HotSwapIdentity;
}

/**
 * Decides on one load: kill switch, native, generic, and what is left. A code object for another target is handed on, since the
 * loader refuses it with its own message. The one refusal is gfx1250 code on an A0 part: it would run and go wrong.
 *
 * @throws {HsaError} ERR_INVALID_ARGUMENT for an agent whose ISA name is none.
 */
export function decideHotSwap({ codeObject, agent, env }: HotSwapQuestion): HotSwapDecision {
  if (readHotSwapEnvironment(env).disabled) {
    return { action: 'pass', reason: 'disabled', message: 'HSA_HOTSWAP_DISABLE is set' };
  }
  const { target: agentTarget } = parseSteppedIsa(agent.isaName);
  let identity: HotSwapIdentity;
  try {
    identity = codeObject instanceof Uint8Array ? identifyCodeObject(codeObject) : identifyTarget(codeObject);
  } catch (error) {
    // The loader says the same of it, as the load's own failure.
    if (isHsaError(error)) return { action: 'pass', reason: 'unreadable', message: error.message };
    throw error;
  }
  if (isA0(agent) && identity.stepping === 'b0') {
    return {
      action: 'refuse',
      reason: 'needs-rewrite',
      message: `code for ${STEPPED_PROCESSOR} B0 goes wrong on this A0 part (ASIC revision 0), and it is not rewritten yet; HSA_HOTSWAP_DISABLE=1 loads it as it is`,
      hsaStatus: hsa.HSA_STATUS_ERROR_INVALID_CODE_OBJECT,
      identity,
    };
  }
  const { compatible, reason, explanation } = targetsCompatible(identity.target, agentTarget);
  if (!compatible) {
    const { message } = isaMismatch([identity.target], agentTarget);
    return { action: 'pass', reason: 'not-compatible', message: `${message}; it is not retargeted`, identity };
  }
  return { action: 'pass', reason: reason === 'generic' ? 'generic' : 'native', message: explanation, identity };
}

/** The gate: exactly gfx1250, and exactly revision 0 that the driver really told. */
function isA0({ isaName, asicRevision }: HotSwapAgent): boolean {
  return asicRevision === 0 && parseSteppedIsa(isaName).target.processor === STEPPED_PROCESSOR;
}
