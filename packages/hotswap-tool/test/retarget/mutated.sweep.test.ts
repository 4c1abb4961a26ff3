import { expect, it } from 'vitest';
import { clangObject, kernelObject } from './objects.js';
import { rewriteMutated } from './mutate.js';

const SEED = Number(process.env['DOORBELL_SEED'] ?? 1);
const RUNS = 100_000;

it(`${RUNS} mutated code objects raise typed errors`, { timeout: 3_600_000 }, () => {
  const files = [
    kernelObject('gfx1030', { code: 'v_add_f32 v0, v1, v2' }),
    kernelObject('gfx90a:xnack-'),
    kernelObject('gfx1250'),
    clangObject('gfx11-generic'),
    clangObject('gfx1100'),
  ];
  const refused = rewriteMutated(files, { runs: RUNS, seed: SEED });
  console.log(`${RUNS} files, ${refused} refused (seed ${SEED})`);
  expect(refused).toBeLessThan(RUNS);
});
