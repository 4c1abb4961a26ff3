import { isHsaError } from '@doorbell/abi';
import type { HotSwapRewriteRequest } from './decide.js';
import { STEPPED_PROCESSOR } from './identity.js';
import type { RewriteOutcome } from './policy/load.js';
import { rewrite } from './retarget/rewrite.js';

/** Makes the code object that a load asks for; the same bytes and request always give the same. */
export type HotSwapRewriter = (bytes: Uint8Array, request: HotSwapRewriteRequest) => RewriteOutcome;

/** The rewriter of this package: retargets within a family. The errata of steppings have none yet. */
export const rewriteForLoad: HotSwapRewriter = (bytes, { source, target, flags }) => {
  if (flags !== undefined) {
    return { status: 'refused', reason: `there is no rewriter for the steppings of ${STEPPED_PROCESSOR} and its family yet` };
  }
  try {
    const result = rewrite(bytes, { source, target });
    if (result.status === 'rewritten') return { status: 'rewritten', bytes: result.bytes };
    return result.status === 'unchanged'
      ? { status: 'unchanged' }
      : { status: 'refused', reason: reasonOf(result.report.findings) };
  } catch (error) {
    // Bytes that are no code object, and pairs that nothing retargets.
    if (isHsaError(error)) return { status: 'refused', reason: error.message };
    throw error;
  }
};

function reasonOf(findings: readonly { readonly severity: string; readonly message: string }[]): string {
  const against = findings.filter(({ severity }) => severity !== 'info').map(({ message }) => message);
  return against.length === 0 ? 'the rewriter gave no reason' : against.join('; ');
}
