// A small deterministic generator of random numbers (xorshift32), so that a seed gives the same program and inputs everywhere.

export class Random {
  #state;

  constructor(seed) {
    this.#state = Math.imul(seed + 1, 0x9e3779b1) >>> 0 || 1;
  }

  /** 32 random bits, unsigned. */
  bits() {
    let s = this.#state;
    s ^= s << 13;
    s ^= s >>> 17;
    s ^= s << 5;
    this.#state = s >>> 0;
    return Math.imul(this.#state, 0x85ebca6b) >>> 0;
  }

  /** Integer in 0 … limit - 1. */
  below(limit) {
    return this.bits() % limit;
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  /** True in `percent` of 100 cases. */
  chance(percent) {
    return this.below(100) < percent;
  }
}

const INTERESTING = [
  0, 1, 2, 3, 7, 31, 32, 33, 63, 64, 127, 128, 255, 256, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0x80000001,
  0xfffffffe, 0xffffffff, 0x3f800000, 0xbf800000, 0x40490fdb, 0x00000001, 0x807fffff, 0x00800000, 0x7f7fffff, 0x7f800000,
  0xff800000, 0x7fc00000, 0x4f000000, 0xcf000000, 0x5f000000, 0x34000000, 0x3ff00000, 0x7ff00000, 0x7fe00000, 0x00100000,
];

/** Work-items of a workgroup; a multiple of them is the number of cases. */
export const GROUP = 128;
/** Words of one case's input: {@link WORDS_IN} of them. */
export const WORDS_IN = 24;
/** Words of one case's result. */
export const WORDS_OUT = 4;

/** Inputs for `cases` cases: whole words at random, small numbers, floats of moderate size, and values at the edges. */
export function makeInputs(seed, cases) {
  const random = new Random(seed ^ 0x5eed);
  const words = new Uint32Array(cases * WORDS_IN);
  const floats = new Float32Array(words.buffer);
  for (let i = 0; i < words.length; i++) {
    const kind = random.below(10);
    if (kind < 3) words[i] = random.bits();
    else if (kind < 5) words[i] = random.below(200);
    else if (kind < 8) floats[i] = (random.bits() / 2 ** 32 - 0.5) * 10 ** (random.below(9) - 3);
    else words[i] = random.pick(INTERESTING);
  }
  return words;
}
