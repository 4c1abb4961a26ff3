import { HsaError, isHsaError } from '@doorbell/abi';
import type { TargetId } from '@doorbell/code-object/core';
import { formatTargetId, parseDeviceFile, rankEntries } from '@doorbell/code-object/core';

/**
 * An error of a wrong target which also says whether a retarget would do of what suits the agent best in a file; nothing is added
 * where all of it is of other families.
 */
export async function withRetargetAdvice(error: HsaError, file: Uint8Array, agent: TargetId): Promise<HsaError> {
  const best = rankEntries(parseDeviceFile(file).entries, agent)[0];
  const code = best?.entry;
  if (best?.fit !== 'retarget' || code?.target === undefined) return error;
  const { status, reason } = await planFor(code.bytes, agent);
  const [from, to] = [formatTargetId(code.target), formatTargetId(agent)];
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

async function planFor(bytes: Uint8Array, agent: TargetId): Promise<{ readonly status: string; readonly reason: string }> {
  // Loaded for those who need it: it brings the instruction sets along.
  const { planRewrite } = await import('@doorbell/hotswap-tool');
  try {
    const { status, findings } = planRewrite(bytes, { target: formatTargetId(agent) });
    return { status, reason: findings.find(({ severity }) => severity !== 'info')?.message ?? 'nothing of it would change' };
  } catch (error) {
    // The misfit is what is reported; why its bytes cannot be planned for is part of that.
    if (isHsaError(error)) return { status: 'refused', reason: error.message };
    throw error;
  }
}
