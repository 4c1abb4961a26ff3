/** Where two byte strings differ; what only the second has at its end is one range. Bytes next to each other are one range. */
export function differingRanges(
  before: Uint8Array,
  after: Uint8Array,
): readonly { readonly offset: number; readonly length: number }[] {
  const ranges: { offset: number; length: number }[] = [];
  const common = Math.min(before.length, after.length);
  const words = wordPairs(before, after, common >>> 2);
  for (let at = 0; at < common; at++) {
    if (words !== undefined) at = skipEqual(words, at);
    if (at >= common || before[at] === after[at]) continue;
    const last = ranges.at(-1);
    if (last?.offset !== undefined && last.offset + last.length === at) last.length++;
    else ranges.push({ offset: at, length: 1 });
    if (ranges.length > MAX_RANGES) return [...ranges, { offset: at, length: common - at }];
  }
  if (after.length > common) ranges.push({ offset: common, length: after.length - common });
  return ranges;
}

/** Files that differ in more places are not each other's. */
const MAX_RANGES = 10_000;

interface WordPairs {
  readonly before: Int32Array;
  readonly after: Int32Array;
}

/** Both as words, where they lie so that they can be read as such. */
function wordPairs(before: Uint8Array, after: Uint8Array, count: number): WordPairs | undefined {
  if (before.byteOffset % 4 !== 0 || after.byteOffset % 4 !== 0) return undefined;
  return {
    before: new Int32Array(before.buffer, before.byteOffset, count),
    after: new Int32Array(after.buffer, after.byteOffset, count),
  };
}

/** The first byte from `at` on that may differ. */
// hot
function skipEqual({ before, after }: WordPairs, at: number): number {
  if (at % 4 !== 0) return at;
  let word = at >>> 2;
  while (word < before.length && before[word] === after[word]) word++;
  return word * 4;
}
