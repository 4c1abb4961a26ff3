import type { HotSwapRewriteRequest } from './decide.js';
import { areEqual } from './equal-bytes.js';
import { fnv1a32 } from './fnv.js';
import type { RewriteOutcome } from './policy/load.js';

export interface RewriteCacheOptions {
  /** Limit of what is kept, sources and results together. Default: 256 MiB. */
  readonly maxBytes?: number;
}

/** What the cache did so far, and holds. */
export interface RewriteCacheStatistics {
  readonly hits: number;
  /** Rewrites that were run. */
  readonly misses: number;
  readonly entries: number;
  readonly bytes: number;
}

interface Entry {
  /** A copy: the caller's bytes may change. */
  readonly source: Uint8Array;
  readonly request: string;
  readonly outcome: RewriteOutcome;
  readonly sizeBytes: number;
}

const DEFAULT_MAX_BYTES = 256 << 20;

/** An outcome, and whether it was remembered. */
export interface CachedOutcome {
  readonly outcome: RewriteOutcome;
  readonly isReused: boolean;
}

/** Parts of a code object that candidates are found by. */
const WINDOWS = 16;
const WINDOW_BYTES = 256;

/**
 * Results of the rewriter by content: candidates are found by a hash of samples, and compared byte for byte. What is over the limit
 * is let go of, the least recently used first; a result that is itself over the limit is only handed back. Refusals that hold
 * once, and exceptions, are not remembered.
 */
export class RewriteCache {
  readonly #maxBytes: number;
  /** By hash. */
  readonly #buckets = new Map<number, Entry[]>();
  /** Each entry with its hash, the least recently used first. */
  readonly #order = new Map<Entry, number>();
  #bytes = 0;
  #hits = 0;
  #misses = 0;

  constructor({ maxBytes = DEFAULT_MAX_BYTES }: RewriteCacheOptions = {}) {
    this.#maxBytes = maxBytes;
  }

  get statistics(): RewriteCacheStatistics {
    return { hits: this.#hits, misses: this.#misses, entries: this.#order.size, bytes: this.#bytes };
  }

  /** The remembered outcome, or what `produce` makes; of any number of callers with the same bytes and request, one runs it. */
  get(bytes: Uint8Array, request: HotSwapRewriteRequest, produce: () => RewriteOutcome): CachedOutcome {
    const hash = sampleHash(bytes);
    const key = keyOf(request);
    const known = this.#buckets.get(hash)?.find((entry) => entry.request === key && areEqual(entry.source, bytes));
    if (known !== undefined) {
      this.#hits++;
      this.#order.delete(known);
      this.#order.set(known, hash);
      return { outcome: known.outcome, isReused: true };
    }
    this.#misses++;
    const outcome = produce();
    if (outcome.status !== 'refused' || outcome.holds !== 'once') this.#remember(hash, key, { bytes, outcome });
    return { outcome, isReused: false };
  }

  #remember(
    hash: number,
    request: string,
    { bytes, outcome }: { readonly bytes: Uint8Array; readonly outcome: RewriteOutcome },
  ): void {
    const sizeBytes = bytes.length + (outcome.status === 'rewritten' ? outcome.bytes.length : 0);
    if (sizeBytes > this.#maxBytes) return;
    for (const [oldest, oldestHash] of this.#order) {
      if (this.#bytes + sizeBytes <= this.#maxBytes) break;
      this.#forget(oldest, oldestHash);
    }
    const entry: Entry = { source: bytes.slice(), request, outcome, sizeBytes };
    this.#buckets.set(hash, [...(this.#buckets.get(hash) ?? []), entry]);
    this.#order.set(entry, hash);
    this.#bytes += sizeBytes;
  }

  #forget(entry: Entry, hash: number): void {
    const others = (this.#buckets.get(hash) ?? []).filter((candidate) => candidate !== entry);
    if (others.length === 0) this.#buckets.delete(hash);
    else this.#buckets.set(hash, others);
    this.#order.delete(entry);
    this.#bytes -= entry.sizeBytes;
  }
}

function keyOf({ source, target, flags }: HotSwapRewriteRequest): string {
  return JSON.stringify([source, target, flags?.entryTrampolines ?? false, flags?.strict ?? false, flags !== undefined]);
}

/** Windows at even distances, the first and the last bytes among them, and the length. */
function sampleHash(bytes: Uint8Array): number {
  let hash = fnv1a32(Uint8Array.of(bytes.length, bytes.length >>> 8, bytes.length >>> 16, bytes.length >>> 24));
  const last = Math.max(bytes.length - WINDOW_BYTES, 0);
  for (let window = 0; window < WINDOWS; window++) {
    const start = Math.floor((last * window) / (WINDOWS - 1));
    hash = fnv1a32(bytes.subarray(start, start + WINDOW_BYTES), hash);
  }
  return hash;
}
