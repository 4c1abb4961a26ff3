/**
 * 64-bit words in memory that a device shares, read and written without BigInt: as two halves, or through a float of the
 * same bits, which is one store.
 */

const bits = new Uint32Array(2);
const asFloat = new Float64Array(bits.buffer);
const HIGH = 0x1_0000_0000;

/**
 * Reads the signed 64-bit word whose low half is `words[index]`; exact within ±2^53. The halves are read until the high one
 * stands still, so that a carry between the two is not seen half.
 */
// hot
export function loadInt64(words: Int32Array, index: number): number {
  let high = Atomics.load(words, index + 1);
  for (;;) {
    const low = Atomics.load(words, index);
    const again = Atomics.load(words, index + 1);
    if (again === high) return high * HIGH + (low >>> 0);
    high = again;
  }
}

/** Stores a non-negative safe integer as one 64-bit word. (Negative ones are NaN as bits, which a float store may change.) */
// hot
export function storeUint53(floats: Float64Array, index: number, value: number): void {
  bits[0] = value >>> 0;
  bits[1] = Math.floor(value / HIGH);
  floats[index] = asFloat[0] ?? 0;
}

/**
 * Adds `count` to the unsigned 64-bit word at `index` if it holds `expected`: the low half decides, since the high half changes
 * only with a wrap of the low one. A wrap is left to `wide`, which sees the same memory.
 */
// hot
export function advanceUint53(
  words: Int32Array,
  index: number,
  step: { readonly expected: number; readonly count: number; readonly wide: BigInt64Array },
): boolean {
  const low = step.expected >>> 0;
  const next = low + step.count;
  if (next < HIGH) return Atomics.compareExchange(words, index, low | 0, next | 0) === (low | 0);
  const expected = BigInt(step.expected);
  return Atomics.compareExchange(step.wide, index / 2, expected, expected + BigInt(step.count)) === expected;
}

/** The low 32 bits of a 64-bit value. */
export function lowHalf(value: bigint): number {
  return Number(value & 0xffff_ffffn);
}

/** The high 32 bits of a 64-bit value. */
export function highHalf(value: bigint): number {
  return Number((value >> 32n) & 0xffff_ffffn);
}
