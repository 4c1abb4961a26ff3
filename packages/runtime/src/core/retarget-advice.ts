import { HsaError, isHsaError } from '@doorbell/abi';
import type { CodeObjectTarget, TargetId } from '@doorbell/code-object';
import { formatTargetId } from '@doorbell/code-object';
import { areRelatives, planRewrite } from '@doorbell/hotswap-tool';

/** Code that does not fit an agent. */
export interface Misfit {
  /** A code object, and its target. */
  readonly bytes: Uint8Array;
  readonly code: CodeObjectTarget;
  readonly agent: TargetId;
}

/** The same error of a wrong target, which also says whether a retarget would do; nothing is added for targets of two families. */
export function withRetargetAdvice(error: HsaError, { bytes, code, agent }: Misfit): HsaError {
  if (!areRelatives(code, agent)) return error;
  const { status, reason } = planFor(bytes, agent);
  const [from, to] = [formatTargetId(code), formatTargetId(agent)];
  const wouldDo = status === 'rewritten';
  const { message, hint = '' } = error;
  return new HsaError(error.code, {
    message: wouldDo ? message : `${message}\n  a retarget from ${from} to ${to} will not do: ${reason}`,
    hsaStatus: error.hsaStatus,
    hint: wouldDo
      ? `${hint} Or let it be retargeted: every instruction of it is the same on ${to} (DOORBELL_HOTSWAP_RETARGET=1 at load, or doorbell hotswap rewrite).`
      : hint,
    details: { ...error.details, retarget: wouldDo ? 'would-do' : 'will-not-do' },
    cause: error,
  });
}

function planFor(bytes: Uint8Array, agent: TargetId): { readonly status: string; readonly reason: string } {
  try {
    const { status, findings } = planRewrite(bytes, { target: formatTargetId(agent) });
    return { status, reason: findings.find(({ severity }) => severity !== 'info')?.message ?? 'nothing of it would change' };
  } catch (error) {
    // The misfit is what is reported; why its bytes cannot be planned for is part of that.
    if (isHsaError(error)) return { status: 'refused', reason: error.message };
    throw error;
  }
}
