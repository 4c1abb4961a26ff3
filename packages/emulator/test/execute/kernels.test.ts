import { describe, expect, it } from 'vitest';
import { codeObject, kernelCase, KERNELS } from './kernel-cases.js';
import { Machine } from './machine.js';

describe.each([1, 2, 3, 'wave64'] as const)('kernels of clang, %s', (variant) => {
  it.each(KERNELS)('%s gives the sum that the host computes', (kernel) => {
    const machine = new Machine();
    machine.load(codeObject(variant));
    const item = kernelCase(machine, kernel, 'S');
    item.reset();
    expect(machine.run(item.dispatch)).toBeTypeOf('number');
    expect(item.check()).toMatchObject({ ok: true });
  });
});
