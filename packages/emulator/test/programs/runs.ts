/** How a program is run: sizes, address space and options vary with its number. */
import type { ProgramRun } from './run-program.js';

/** Work-items of the grid and of a workgroup: whole and partial waves and workgroups. */
const SIZES = [
  [128, 128],
  [100, 40],
  [300, 200],
  [64, 64],
  [33, 33],
] as const;

export function runOf(seed: number): ProgramRun {
  const [grid, workgroup] = SIZES[seed % SIZES.length]!;
  return {
    grid,
    workgroup,
    seed: seed + 7,
    scattered: seed % 3 === 0 ? 'scattered' : 'fixed',
    options: {
      softwarePages: seed % 7 === 0,
      relaxedSimd: seed % 11 !== 0,
      isOnlyWorker: seed % 5 < 3,
      // So little that loops stop and go on in the middle.
      ...(seed % 2 === 0 ? { fuel: 1 + (seed % 400) } : {}),
    },
  };
}
