/** Where two byte strings differ; what only the second has at its end is one range. Bytes that are close belong to one range. */
export function differingRanges(
  before: Uint8Array,
  after: Uint8Array,
): readonly { readonly offset: number; readonly length: number }[] {
  const ranges: { offset: number; length: number }[] = [];
  const common = Math.min(before.length, after.length);
  for (let at = 0; at < common; at++) {
    if (before[at] === after[at]) continue;
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
