import { HsaError } from '@doorbell/abi';
import type { RewriteOptions, RewriteReport, RewriteResult } from './types.js';

/**
 * Makes of a code object one for another processor of its family, if every instruction and limit holds there too.
 * A doubt refuses. The input is not changed.
 *
 * @throws {HsaError} ERR_CODE_OBJECT…, ERR_METADATA for bytes that are no code object; ERR_INVALID_ARGUMENT for a name that is no ISA's.
 */
export function rewrite(_bytes: Uint8Array, options: RewriteOptions): RewriteResult {
  throw notYet(options);
}

/** What {@link rewrite} would do, without the bytes. */
export function planRewrite(_bytes: Uint8Array, options: RewriteOptions): RewriteReport {
  throw notYet(options);
}

function notYet({ target }: RewriteOptions): HsaError {
  return new HsaError('ERR_NOT_SUPPORTED', { message: `a retarget to ${target} is not built yet` });
}
