import { isHsaError } from '@doorbell/abi';
import type { HotSwapRewriter } from '../rewriter.js';
import { rewriteSteppings } from '../rewriter.js';
import { rewrite } from './rewrite.js';

/** The rewriter of this package: retargets within a family. */
export const rewriteForLoad: HotSwapRewriter = (bytes, request) => {
  const { source, target, flags } = request;
  if (flags !== undefined) return rewriteSteppings(bytes, request);
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
