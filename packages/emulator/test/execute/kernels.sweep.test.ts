/** The benchmark kernels without optimisation: private memory, calls, spills into lanes. */
import { describe, expect, it } from 'vitest';
import { KERNELS, runSmallCase } from './kernel-cases.js';

describe.each(['gfx90a', 'gfx942', 'gfx1100', 'gfx1201', 'gfx1250'] as const)('kernels of clang -O0 for %s', (target) => {
  it.each(KERNELS)('%s gives the sum that the host computes', (kernel) => {
    expect(runSmallCase(target, 0, kernel)).toMatchObject({ ok: true });
  });
});
