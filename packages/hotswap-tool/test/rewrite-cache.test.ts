import { describe, expect, it } from 'vitest';
import { fnv1a32, fnv1a64 } from '../src/fnv.js';
import type { HotSwapRewriteRequest, RewriteOutcome } from '../src/index.js';
import { RewriteCache } from '../src/index.js';

const REQUEST: HotSwapRewriteRequest = { source: 'a', target: 'b' };

function bytesOf(size: number, fill: number): Uint8Array {
  return new Uint8Array(size).fill(fill);
}

/** A rewriter that counts its runs. */
function counting(outcome: (run: number) => RewriteOutcome = () => ({ status: 'rewritten', bytes: bytesOf(8, 1) })) {
  let runs = 0;
  return { produce: () => outcome(++runs), runs: () => runs };
}

describe('RewriteCache', () => {
  it('RetargetCacheServesSecondLoadFromCache', () => {
    const cache = new RewriteCache();
    const { produce, runs } = counting();
    const first = cache.get(bytesOf(100, 7), REQUEST, produce);
    const second = cache.get(bytesOf(100, 7), REQUEST, produce);
    expect([first.isReused, second.isReused, runs()]).toEqual([false, true, 1]);
    expect(second.outcome).toBe(first.outcome);
  });

  it('RetargetCacheCoalescesConcurrentMisses: of eight that ask at the same time, one runs the rewriter', async () => {
    const cache = new RewriteCache();
    const { produce, runs } = counting();
    const asked = Array.from({ length: 8 }, () => Promise.resolve().then(() => cache.get(bytesOf(100, 7), REQUEST, produce)));
    const outcomes = await Promise.all(asked);
    expect(runs()).toBe(1);
    expect(new Set(outcomes.map(({ outcome }) => outcome)).size).toBe(1);
  });

  it('RetargetCacheRetriesFailures', () => {
    const cache = new RewriteCache();
    const { produce, runs } = counting((run) => {
      if (run === 1) throw new RangeError('Array buffer allocation failed');
      return run === 2 ? { status: 'refused', reason: 'no memory', holds: 'once' } : { status: 'unchanged' };
    });
    expect(() => cache.get(bytesOf(10, 1), REQUEST, produce)).toThrow(RangeError);
    expect(cache.get(bytesOf(10, 1), REQUEST, produce).outcome.status).toBe('refused');
    expect(cache.get(bytesOf(10, 1), REQUEST, produce).outcome.status).toBe('unchanged');
    expect(cache.get(bytesOf(10, 1), REQUEST, produce).isReused).toBe(true);
    expect(runs()).toBe(3);
  });

  it('remembers refusals that follow from the bytes', () => {
    const cache = new RewriteCache();
    const { produce, runs } = counting(() => ({ status: 'refused', reason: 'an instruction is missing' }));
    for (let i = 0; i < 3; i++) cache.get(bytesOf(10, 1), REQUEST, produce);
    expect(runs()).toBe(1);
  });

  it('tells apart every byte, every name and every flag', () => {
    const cache = new RewriteCache();
    const { produce, runs } = counting();
    const bytes = bytesOf(10_000, 3);
    cache.get(bytes, REQUEST, produce);
    // A byte that no sample has.
    const other = bytes.slice();
    other[400] = 4;
    cache.get(other, REQUEST, produce);
    cache.get(bytes.subarray(1), REQUEST, produce);
    cache.get(bytes, { ...REQUEST, target: 'c' }, produce);
    cache.get(bytes, { ...REQUEST, source: 'c' }, produce);
    for (const strict of [false, true])
      for (const entryTrampolines of [false, true])
        cache.get(bytes, { ...REQUEST, flags: { strict, entryTrampolines } }, produce);
    expect(runs()).toBe(9);
  });

  it('keeps a copy: bytes that change are other bytes, and found again where they lie unaligned', () => {
    const cache = new RewriteCache();
    const { produce, runs } = counting();
    const bytes = bytesOf(1000, 3);
    cache.get(bytes, REQUEST, produce);
    const unaligned = new Uint8Array(1001).subarray(1);
    unaligned.set(bytes);
    expect(cache.get(unaligned, REQUEST, produce).isReused).toBe(true);
    bytes.fill(4);
    expect(cache.get(bytes, REQUEST, produce).isReused).toBe(false);
    expect(runs()).toBe(2);
  });

  it('lets go of the least recently used over its limit, and of nothing for a result that is over it alone', () => {
    const cache = new RewriteCache({ maxBytes: 300 });
    const { produce } = counting();
    const isReused = (fill: number): boolean => cache.get(bytesOf(92, fill), REQUEST, produce).isReused;
    for (const fill of [1, 2, 3]) isReused(fill);
    expect(cache.statistics).toEqual({ hits: 0, misses: 3, entries: 3, bytes: 300 });
    expect(isReused(1)).toBe(true);
    expect(isReused(4)).toBe(false);
    expect([isReused(1), isReused(3)]).toEqual([true, true]);
    expect(cache.get(bytesOf(400, 9), REQUEST, produce).outcome.status).toBe('rewritten');
    expect(cache.statistics.entries).toBe(3);
    expect(isReused(2)).toBe(false);
  });
});

describe('FNV-1a', () => {
  // draft-eastlake-fnv, "Test vectors".
  it.each([
    ['', 0x811c9dc5, 'cbf29ce484222325'],
    ['a', 0xe40c292c, 'af63dc4c8601ec8c'],
    ['foobar', 0xbf9cf968, '85944171f73967e8'],
  ])('%j', (text, short, long) => {
    const bytes = new TextEncoder().encode(text);
    expect(fnv1a32(bytes)).toBe(short);
    expect(fnv1a64(bytes)).toBe(long);
  });
});
