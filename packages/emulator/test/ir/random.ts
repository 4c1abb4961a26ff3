/** Repeatable random numbers and the values at which arithmetic goes wrong. */

/** A generator of 32-bit numbers (xorshift). */
export function createRandom(seed: number): () => number {
  let state = (seed * 0x9e37_79b1 + 1) >>> 0;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return (Math.imul(state, 0x2545_f491) ^ (state >>> 7)) >>> 0;
  };
}

/** Special numbers of every width: f16 and f32 in the low bits, f64 in all. */
export function edgeValues(): bigint[] {
  const f64 = [
    0,
    -0,
    1,
    -1,
    0.5,
    1.5,
    2.5,
    -2.5,
    3,
    Infinity,
    -Infinity,
    NaN,
    2 ** 31,
    -(2 ** 31),
    2 ** 32,
    2 ** 52,
    2 ** 53 - 1,
  ];
  const more = [
    Number.MAX_VALUE,
    Number.MIN_VALUE,
    2 ** -1022,
    65504,
    65519,
    65520,
    2 ** -14,
    2 ** -24,
    2 ** -25,
    1.5 * 2 ** -24,
  ];
  const doubles = new BigUint64Array(new Float64Array([...f64, ...more]).buffer);
  const floats = new Uint32Array(new Float32Array([...f64, ...more, 2 ** -149, 2 ** -126, 3.4028235e38, 0.49999997]).buffer);
  const halves = [0x7bffn, 0x7c00n, 0x7c01n, 0x7e00n, 0xfc00n, 0x0001n, 0x03ffn, 0x0400n, 0x8000n];
  const integers = [0n, 1n, 2n, 31n, 32n, 63n, 64n, 0x7fff_ffffn, 0x8000_0000n, 0xffff_ffffn, 1n << 63n, (1n << 64n) - 1n];
  const nans = [0x7f80_0001n, 0xffc1_2345n, 0x7ff0_0000_0000_0001n, 0xfff8_1234_5678_9abcn, 0x7ff4_0000_e000_0000n];
  return [...doubles, ...Array.from(floats, BigInt), ...halves, ...integers, ...nans];
}
