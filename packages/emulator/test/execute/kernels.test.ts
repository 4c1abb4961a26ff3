import { describe, expect, it } from 'vitest';
import { KERNEL_NAMES, kernelCase } from './kernel-cases.js';
import { Machine } from './machine.js';

describe.each(['O1', 'O2', 'O3', 'wave64'])('kernels of clang, %s', (level) => {
  it.each(KERNEL_NAMES)('%s gives the sum that the host computes', (name) => {
    const machine = new Machine();
    machine.load(new URL(`../fixtures/kernels/kernels.gfx1100.${level}.hsaco`, import.meta.url));
    const item = kernelCase(machine, name, 'S');
    item.reset();
    expect(machine.run(item.dispatch)).toBeTypeOf('number');
    const { sum, expected, relative } = item.check();
    expect(Math.abs(sum - expected)).toBeLessThanOrEqual(relative * Math.abs(expected));
  });
});
