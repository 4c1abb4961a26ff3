/** A loop whose loads are at addresses that come from a division: they are uniform and consecutive for some sizes only. */
import { describe, expect, it } from 'vitest';
import { codeObject, type KernelTarget } from './kernel-cases.js';
import { Machine, packArguments } from './machine.js';

const TARGETS: readonly KernelTarget[] = ['gfx90a', 'gfx1100'];
/** A row is a part of a wave, is no whole number of groups, is a wave, is more than one. */
const SIZES = [4, 16, 20, 32, 48, 64, 96];

describe.each(TARGETS)('matmul_naive of %s', (target) => {
  it.each(SIZES)('is the product of matrices of %i rows', (n) => {
    const machine = new Machine();
    machine.load(codeObject(3, target));
    const [a, b, c] = [machine.allocate(n * n * 4), machine.allocate(n * n * 4), machine.allocate(n * n * 4)];
    // Small integers: sums are exact in any order.
    const [x, y] = [machine.f32(a, n * n), machine.f32(b, n * n)];
    for (let i = 0; i < n * n; i++) {
      x[i] = ((i * 7) % 11) - 5;
      y[i] = ((i * 5) % 13) - 6;
    }
    const dispatch = machine.dispatch('matmul_naive', [Math.ceil((n * n) / 256) * 256], [256], packArguments([a, b, c, n]));
    const outcome = machine.run(dispatch, { fuel: 300 });
    expect(typeof outcome === 'number' ? '' : outcome.message).toBe('');
    const expected = Array.from({ length: n * n }, (_, i) => {
      let sum = 0;
      for (let k = 0; k < n; k++) sum += (x[i - (i % n) + k] ?? 0) * (y[k * n + (i % n)] ?? 0);
      return sum;
    });
    expect([...machine.f32(c, n * n)]).toEqual(expected);
  });
});
