import type { HotSwapRewriteRequest } from './decide.js';
import { STEPPED_PROCESSOR } from './identity.js';
import type { RewriteOutcome } from './policy/load.js';

/** Makes the code object that a load asks for; the same bytes and request always give the same. */
export type HotSwapRewriter = (bytes: Uint8Array, request: HotSwapRewriteRequest) => RewriteOutcome;

/** The rewriter where nothing is retargeted: the errata of steppings have none yet. */
export const rewriteSteppings: HotSwapRewriter = (_, { source, target, flags }) => ({
  status: 'refused',
  reason:
    flags === undefined
      ? `nothing that retargets ${source} to ${target} was installed`
      : `there is no rewriter for the steppings of ${STEPPED_PROCESSOR} and its family yet`,
});
