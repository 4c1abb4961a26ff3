import type { HsaApiTable } from '@doorbell/api-table';
import type { HotSwapHookOptions, InstalledHotSwap } from './hook/install.js';
import { installHotSwapHook } from './hook/install.js';
import { rewriteForLoad } from './retarget/rewrite-for-load.js';
import { RewriteCache } from './rewrite-cache.js';
import type { HotSwapRewriter } from './rewriter.js';

export interface InstallHotSwapOptions extends Omit<HotSwapHookOptions, 'rewriter'> {
  /** Default: this package's, with a cache that all tables share. */
  readonly rewriter?: HotSwapRewriter;
  /** Default: 256 MiB for a rewriter of one's own. */
  readonly cache?: RewriteCache;
}

const sharedCache = new RewriteCache();

/**
 * Stands between callers and the loader: readers are captured, each load for an agent is decided on by the policy of
 * {@link decideHotSwap}, and what has to be is rewritten. Where nothing on the machine could need it, calls are handed on with the very
 * arguments they came with. Nothing is installed when HSA_HOTSWAP_DISABLE is set. Dispose takes out this tool's own wrappers and
 * touches nothing else: bytes that executables hold stay until these are destroyed, also beyond a new install.
 *
 * @throws {HsaError} ERR_TOOL when HotSwap is in the table already, or the table lacks one of the slots.
 * @example
 * using hotSwap = installHotSwap(tables, { env: process.env });
 */
export function installHotSwap(table: HsaApiTable, options: InstallHotSwapOptions): InstalledHotSwap {
  const { rewriter = rewriteForLoad } = options;
  const cache = options.cache ?? (rewriter === rewriteForLoad ? sharedCache : new RewriteCache());
  return installHotSwapHook(table, { ...options, rewriter, cache });
}
