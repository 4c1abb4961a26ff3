import { describe, expect, it } from 'vitest';
import { KERNELS, runSmallCase, type KernelTarget } from './kernel-cases.js';

/** Code objects by target and level; those of level 0 are in the sweep. */
const OBJECTS: readonly (readonly [KernelTarget, 0 | 1 | 2 | 3 | 'wave64'])[] = [
  ['gfx1100', 1],
  ['gfx1100', 2],
  ['gfx1100', 3],
  ['gfx1100', 'wave64'],
  ['gfx90a', 3],
  ['gfx942', 3],
  ['gfx1030', 3],
  ['gfx1201', 3],
  ['gfx1250', 3],
];

describe.each(OBJECTS)('kernels of clang for %s, %s', (target, variant) => {
  it.each(KERNELS)('%s gives the sum that the host computes', (kernel) => {
    expect(runSmallCase(target, variant, kernel)).toMatchObject({ ok: true });
  });
});
