import { HsaError } from '@doorbell/abi';
import type { RewriteOptions, TargetComparison } from '../retarget/types.js';

/** Which kernels of a code object could run on another target as they are, and which instructions keep the others. */
export function compareTargets(_bytes: Uint8Array, { target }: RewriteOptions): TargetComparison {
  throw new HsaError('ERR_NOT_SUPPORTED', { message: `a comparison with ${target} is not built yet` });
}
