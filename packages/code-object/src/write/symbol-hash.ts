/** The two hash sections by which dynamic symbols are found. */
import { ByteWriter } from './byte-writer.js';

const utf8 = new TextEncoder();
/** Second Bloom filter shift that LLD writes. */
const BLOOM_SHIFT = 26;

/** The hash function of SHT_GNU_HASH. */
function gnuHash(name: string): number {
  let hash = 5381;
  for (const byte of utf8.encode(name)) hash = (Math.imul(hash, 33) + byte) >>> 0;
  return hash;
}

/** The hash function of SHT_HASH (gABI, "Hash Table"). */
function sysvHash(name: string): number {
  let hash = 0;
  for (const byte of utf8.encode(name)) {
    hash = ((hash << 4) + byte) >>> 0;
    const top = hash & 0xf000_0000;
    hash = (hash ^ (top >>> 24)) & ~top;
  }
  return hash >>> 0;
}

/** Buckets of the SHT_GNU_HASH section for this many defined symbols, as LLD chooses them. */
function bucketCount(defined: number): number {
  return Math.max(Math.floor(defined / 4), 1);
}

/** The order that SHT_GNU_HASH asks for: undefined symbols first, the others by bucket. */
export function sortForGnuHash<S extends { readonly name: string; readonly isUndefined: boolean }>(symbols: readonly S[]): S[] {
  const defined = symbols.filter((symbol) => !symbol.isUndefined);
  const buckets = bucketCount(defined.length);
  const order = (symbol: S): number => gnuHash(symbol.name) % buckets;
  return [...symbols.filter((symbol) => symbol.isUndefined), ...defined.sort((a, b) => order(a) - order(b))];
}

/** SHT_GNU_HASH of symbols in {@link sortForGnuHash}'s order; `undefinedCount` of them come first and are not in it. */
export function writeGnuHash(names: readonly string[], undefinedCount: number): Uint8Array {
  const hashes = names.slice(undefinedCount).map(gnuHash);
  const buckets = bucketCount(hashes.length);
  // LLD: twelve filter bits a symbol, in words of 64 bits, the next larger power of two.
  const filterWords = hashes.length === 0 ? 1 : 2 ** Math.floor(Math.log2(Math.floor((hashes.length * 12) / 64) || 0.5) + 1);
  const filter = new BigUint64Array(filterWords);
  for (const hash of hashes) {
    const word = Math.floor(hash / 64) % filterWords;
    filter[word] = (filter[word] ?? 0n) | (1n << BigInt(hash % 64)) | (1n << BigInt((hash >>> BLOOM_SHIFT) % 64));
  }
  const out = new ByteWriter()
    .u32(buckets)
    .u32(undefinedCount + 1)
    .u32(filterWords)
    .u32(BLOOM_SHIFT);
  for (const word of filter) out.u64(word);
  const first = new Uint32Array(buckets);
  for (const [index, hash] of hashes.entries()) first[hash % buckets] ||= undefinedCount + 1 + index;
  for (const index of first) out.u32(index);
  for (const [index, hash] of hashes.entries()) {
    const next = hashes[index + 1];
    const isLast = next === undefined || next % buckets !== hash % buckets;
    out.u32(((hash & ~1) | (isLast ? 1 : 0)) >>> 0);
  }
  return out.finish();
}

/** SHT_HASH of the symbols after the null symbol. */
export function writeSysvHash(names: readonly string[]): Uint8Array {
  const count = names.length + 1;
  const buckets = new Uint32Array(count);
  const chains = new Uint32Array(count);
  for (const [at, name] of names.entries()) {
    const bucket = sysvHash(name) % count;
    chains[at + 1] = buckets[bucket] ?? 0;
    buckets[bucket] = at + 1;
  }
  const out = new ByteWriter().u32(count).u32(count);
  for (const value of buckets) out.u32(value);
  for (const value of chains) out.u32(value);
  return out.finish();
}
