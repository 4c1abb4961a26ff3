/** Random bytes to decode: half of them uniform, half valid encodings with some bits turned over. */
import { seededRandom, synthesize } from './synthesize.mjs';

/** The longest instruction. */
export const MAX_BYTES = 20;
const MAX_TURNED_BITS = 4;
/** Valid encodings that are turned over, of random entries. */
const POOL_SIZE = 20_000;

/**
 * A source of random bytes: each call fills the buffer, of {@link MAX_BYTES}, again.
 * @param {object} isa description of a generation
 * @param {number} seed
 * @returns {(bytes: Uint8Array) => void}
 */
export function randomBytes(isa, seed) {
  const random = seededRandom(seed);
  const int = (below) => Math.floor(random() * below);
  const pool = Array.from({ length: POOL_SIZE }, () => synthesize(isa, int(isa.entries.length), random));
  let isUniform = false;
  return (bytes) => {
    for (let i = 0; i < bytes.length; i += 4) {
      const word = random() * 2 ** 32;
      bytes[i] = word;
      bytes[i + 1] = word >>> 8;
      bytes[i + 2] = word >>> 16;
      bytes[i + 3] = word >>> 24;
    }
    isUniform = !isUniform;
    if (isUniform) return;
    const encoding = pool[int(POOL_SIZE)];
    bytes.set(encoding);
    for (let turned = int(MAX_TURNED_BITS + 1); turned > 0; turned--) {
      const bit = int(encoding.length * 8);
      bytes[bit >>> 3] ^= 1 << (bit & 7);
    }
  };
}
