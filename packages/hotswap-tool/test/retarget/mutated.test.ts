import { expect, it } from 'vitest';
import { clangObject, kernelObject } from './objects.js';
import { rewriteMutated } from './mutate.js';

it('mutated code objects raise typed errors, and nothing is rewritten without a proof', { timeout: 60_000 }, () => {
  const files = [
    kernelObject('gfx1030', { code: 'v_add_f32 v0, v1, v2' }),
    kernelObject('gfx1100'),
    kernelObject('gfx90a:xnack-'),
    clangObject('gfx1100'),
  ];
  const refused = rewriteMutated(files, { runs: 2000, seed: 1 });
  expect(refused).toBeGreaterThan(100);
  expect(refused).toBeLessThan(1900);
});
