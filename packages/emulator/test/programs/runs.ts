/** How a program is run: sizes, address space and options vary with its number. */
import type { Tier } from '../../src/execute/runnable-program.js';
import type { ExecutorOptions } from '../../src/execute/index.js';
import type { ProgramRun } from './run-program.js';

/** Room for what one program needs. */
const STORE_BYTES = 0x80_0000;
/** Work-items of the grid and of a workgroup: whole and partial waves and workgroups. */
const SIZES = [
  [128, 128],
  [100, 40],
  [300, 200],
  [64, 64],
  [33, 33],
] as const;

export function runOf(seed: number, tier: Tier = 'optimised'): ProgramRun {
  const [grid, workgroup] = SIZES[seed % SIZES.length]!;
  return {
    grid,
    workgroup,
    seed: seed + 7,
    scattered: seed % 3 === 0 ? 'scattered' : 'fixed',
    options: {
      tier,
      ...(tier === 'both' ? bothTiers() : {}),
      softwarePages: seed % 7 === 0,
      relaxedSimd: seed % 11 !== 0,
      isOnlyWorker: seed % 5 < 3,
      // So little that loops stop and go on in the middle.
      ...(seed % 2 === 0 ? { fuel: 1 + (seed % 400) } : {}),
    },
  };
}

/** Optimised code is asked for at once, and a call of the executor is so short that waves change to it at many places. */
function bothTiers(): ExecutorOptions {
  let ms = 0;
  return {
    codeStore: new SharedArrayBuffer(STORE_BYTES),
    patience: { ranMs: 0, yields: 2 },
    now: () => ms++,
  };
}
