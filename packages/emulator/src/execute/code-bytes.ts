/** Machine code apart from the image that it lies in. */

/** Machine code that something was made from: bytes by their offsets in the image, in order. */
export interface CodeBytes {
  readonly ranges: readonly (readonly [number, number])[];
  /** The ranges' bytes one after the other. */
  readonly bytes: Uint8Array;
}

/** The bytes of an image in these ranges. */
export function codeBytesOf(image: Uint8Array, ranges: CodeBytes['ranges']): CodeBytes {
  const bytes = new Uint8Array(ranges.reduce((sum, [first, end]) => sum + end - first, 0));
  let at = 0;
  for (const [first, end] of ranges) {
    bytes.set(image.subarray(first, end), at);
    at += end - first;
  }
  return { ranges, bytes };
}

/** Whether an image has this code at its place. */
export function isPartOf({ ranges, bytes }: CodeBytes, image: Uint8Array): boolean {
  let at = 0;
  for (const [first, end] of ranges) {
    if (end > image.length) return false;
    for (let i = first; i < end; i++) if (bytes[at++] !== image[i]) return false;
  }
  return true;
}

/** The image with the bytes that are known; nothing looks at the others. */
export function imageOf({ ranges, bytes }: CodeBytes): Uint8Array {
  const image = new Uint8Array(ranges.at(-1)?.[1] ?? 0);
  let at = 0;
  for (const [first, end] of ranges) {
    image.set(bytes.subarray(at, at + end - first), first);
    at += end - first;
  }
  return image;
}

export function isSameCode(a: CodeBytes, b: CodeBytes): boolean {
  if (a.bytes.length !== b.bytes.length || a.ranges.length !== b.ranges.length) return false;
  for (const [i, [first, end]] of a.ranges.entries()) {
    const other = b.ranges[i];
    if (other?.[0] !== first || other[1] !== end) return false;
  }
  for (let i = 0; i < a.bytes.length; i++) if (a.bytes[i] !== b.bytes[i]) return false;
  return true;
}
