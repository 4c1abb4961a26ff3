/** Numbers below a bound, the same for the same seed (xorshift32). */
export function createRandom(seed: number): (bound: number) => number {
  let state = seed | 1;
  return (bound) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % bound;
  };
}
