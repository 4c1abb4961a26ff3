import { hsa } from '@doorbell/abi';

/** What became of the code object in the rewriter. */
export type RewriteOutcome =
  | { readonly status: 'rewritten'; readonly bytes: Uint8Array }
  /** It is right as it is. */
  | { readonly status: 'unchanged' }
  | {
      readonly status: 'refused';
      /** For people. */
      readonly reason: string;
      /** `once`: it may do another time, for want of memory for example. Default: `always`, it follows from the bytes alone. */
      readonly holds?: 'always' | 'once';
    };

/** The two loads that there are; each gives the loader's status. */
export interface LoadCalls {
  original(): number;
  rewritten(bytes: Uint8Array): number;
}

/** What was loaded in the end, and with which status. */
export interface LoadResult {
  readonly status: number;
  readonly loaded: 'original' | 'rewritten' | 'nothing';
}

/**
 * Loads what the rewriter made. Where a rewrite is required, the original never takes its place: the load fails with
 * HSA_STATUS_ERROR_INVALID_CODE_OBJECT. Where it is optional, the original is loaded.
 */
export function loadRewriteOutcome(
  outcome: RewriteOutcome,
  { required, calls }: { readonly required: boolean; readonly calls: LoadCalls },
): LoadResult {
  const original = (): LoadResult => {
    const status = calls.original();
    return { status, loaded: status === hsa.HSA_STATUS_SUCCESS ? 'original' : 'nothing' };
  };
  if (outcome.status === 'unchanged') return original();
  if (outcome.status === 'rewritten') {
    const status = calls.rewritten(outcome.bytes);
    if (status === hsa.HSA_STATUS_SUCCESS) return { status, loaded: 'rewritten' };
  }
  return required ? { status: hsa.HSA_STATUS_ERROR_INVALID_CODE_OBJECT, loaded: 'nothing' } : original();
}
