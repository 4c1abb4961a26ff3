import { describe, expect, it } from 'vitest';
import { codeObject, kernelCase, KERNELS } from './kernel-cases.js';
import { Machine } from './machine.js';

const OBJECT = codeObject(3);

function expectRight(machine: Machine, kernel: string, options = {}): void {
  machine.load(OBJECT);
  const item = kernelCase(machine, kernel, 'S');
  item.reset();
  const result = machine.run(item.dispatch, options);
  expect(typeof result === 'number' ? '' : result.message).toBe('');
  expect(item.check()).toMatchObject({ ok: true });
}

describe.each(KERNELS)('%s', (kernel) => {
  it('runs in a scattered address space', () => {
    expectRight(new Machine('scattered'), kernel);
  });
  it('runs with the page table checked in software', () => {
    expectRight(new Machine(), kernel, { softwarePages: true });
  });
  it('runs without relaxed SIMD', () => {
    expectRight(new Machine(), kernel, { relaxedSimd: false });
  });
});
