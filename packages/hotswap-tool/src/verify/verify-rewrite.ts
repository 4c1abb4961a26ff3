import { HsaError } from '@doorbell/abi';
import type { RewriteProof } from '../retarget/types.js';

/** Proves that `rewritten` is `original` but for what a retarget may change, and that it is code for its target. */
export function verifyRewrite(_original: Uint8Array, _rewritten: Uint8Array): RewriteProof {
  throw new HsaError('ERR_NOT_SUPPORTED', { message: 'the check of rewritten code objects is not built yet' });
}
