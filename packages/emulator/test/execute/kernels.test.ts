import { describe, expect, it } from 'vitest';
import { codeObject, kernelCase, KERNELS, type KernelTarget } from './kernel-cases.js';
import { Machine } from './machine.js';

/** Code objects by target and level. */
const OBJECTS: readonly (readonly [KernelTarget, 0 | 1 | 2 | 3 | 'wave64'])[] = [
  ['gfx1100', 1],
  ['gfx1100', 2],
  ['gfx1100', 3],
  ['gfx1100', 'wave64'],
  ['gfx90a', 3],
  ['gfx942', 3],
  ['gfx942', 0],
  ['gfx1100', 0],
  ['gfx1030', 3],
  ['gfx1201', 3],
  ['gfx1201', 0],
  ['gfx1250', 3],
  ['gfx1250', 0],
];

describe.each(OBJECTS)('kernels of clang for %s, %s', (target, variant) => {
  it.each(KERNELS)('%s gives the sum that the host computes', (kernel) => {
    const machine = new Machine();
    machine.load(codeObject(variant, target));
    const item = kernelCase(machine, kernel, 'S');
    item.reset();
    expect(machine.run(item.dispatch)).toBeTypeOf('number');
    expect(item.check()).toMatchObject({ ok: true });
  });
});
