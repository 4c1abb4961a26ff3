import { describe, expect, it } from 'vitest';
import { KERNEL_NAMES, kernelCase } from './kernel-cases.js';
import { Machine } from './machine.js';

const OBJECT = new URL('../fixtures/kernels/kernels.gfx1100.O3.hsaco', import.meta.url);

function expectRight(machine: Machine, name: string, options = {}): void {
  const item = kernelCase(machine, name, 'S');
  item.reset();
  const result = machine.run(item.dispatch, options);
  expect(typeof result === 'number' ? '' : result.message).toBe('');
  const { sum, expected, relative } = item.check();
  expect(Math.abs(sum - expected)).toBeLessThanOrEqual(relative * Math.abs(expected));
}

describe.each(KERNEL_NAMES)('%s', (name) => {
  it('runs in a scattered address space', () => {
    const machine = new Machine('scattered');
    machine.load(OBJECT);
    expectRight(machine, name);
  });
  it('runs with the page table checked in software', () => {
    const machine = new Machine();
    machine.load(OBJECT);
    expectRight(machine, name, { softwarePages: true });
  });
  it('runs without relaxed SIMD', () => {
    const machine = new Machine();
    machine.load(OBJECT);
    expectRight(machine, name, { relaxedSimd: false });
  });
});
