import { isHsaError } from '@doorbell/abi';
import { compareTargets, planRewrite, rewrite, verifyRewrite } from '../../src/index.js';

/** xorshift32 (Marsaglia, "Xorshift RNGs"). */
function randomNumbers(seed: number): () => number {
  let state = seed || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

/** Values that overflow or look like sizes. */
const WILD = [0, 1, 0x7f, 0x80, 0xff];

/**
 * Changes bytes of code objects at random and gives each to everything that reads them; gives how many were refused with a typed
 * error. Whatever is rewritten must have its proof.
 */
export function rewriteMutated(files: readonly Uint8Array[], { runs, seed }: { runs: number; seed: number }): number {
  const random = randomNumbers(seed);
  const targets = ['gfx1031', 'gfx1101', 'gfx10-3-generic', 'gfx11-generic', 'gfx1250', 'gfx90a:xnack+'];
  let refused = 0;
  for (let run = 0; run < runs; run++) {
    const bytes = (files[random() % files.length] ?? new Uint8Array()).slice();
    for (let left = 1 + (random() % 4); left > 0; left--) {
      // Half of them in the headers and notes.
      const at = random() % (random() % 2 === 0 ? bytes.length : Math.min(bytes.length, 0x300));
      bytes[at] = random() % 2 === 0 ? random() & 0xff : (WILD[random() % WILD.length] ?? 0);
    }
    const file = random() % 20 === 0 ? bytes.subarray(0, random() % bytes.length) : bytes;
    const target = targets[random() % targets.length] ?? '';
    try {
      const result = rewrite(file, { target });
      if (result.status === 'rewritten' && !verifyRewrite(file, result.bytes).ok) throw new Error('rewritten without a proof');
      if (run % 50 === 0) {
        planRewrite(file, { target });
        compareTargets(file, { target });
      }
    } catch (error) {
      if (!isHsaError(error)) throw new Error(`run ${run} of seed ${seed}, to ${target}`, { cause: error });
      refused++;
    }
  }
  return refused;
}
