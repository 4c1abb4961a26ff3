import { describe, expect, it } from 'vitest';
import { Machine, packArguments } from './machine.js';

const TARGETS = ['gfx90a', 'gfx942', 'gfx1100', 'gfx1201', 'gfx1250'] as const;
const K = 64;

function open(target: string): Machine {
  const machine = new Machine();
  machine.load(new URL(`../fixtures/kernels/matrix.${target}.hsaco`, import.meta.url));
  return machine;
}

/** f16 codes of (n mod 13 - 6) / 4, which sums of 64 products keep exactly. */
function fill(codes: Uint16Array, step: number): number[] {
  const halves = [0xbe00, 0xbd00, 0xbc00, 0xba00, 0xb800, 0xb400, 0, 0x3400, 0x3800, 0x3a00, 0x3c00, 0x3d00, 0x3e00];
  return Array.from(codes, (_, n) => {
    const which = (n * step + (n >> 4)) % 13;
    codes[n] = halves[which]!;
    return (which - 6) / 4;
  });
}

function product(a: readonly number[], b: readonly number[], size: number): number[] {
  return Array.from({ length: size * size }, (_, at) => {
    let sum = 0;
    for (let k = 0; k < K; k++) sum += a[Math.floor(at / size) * K + k]! * b[k * size + (at % size)]!;
    return sum;
  });
}

describe('kernels with matrix instructions', () => {
  it.each(TARGETS)('multiply f16 matrices as the host does, on %s', (target) => {
    const m = open(target);
    const [a, b, d] = [m.allocate(16 * K * 2), m.allocate(16 * K * 2), m.allocate(16 * 16 * 4)];
    const codes = (address: bigint): Uint16Array => new Uint16Array(m.memory.buffer, m.offset(address), 16 * K);
    const [x, y] = [fill(codes(a), 5), fill(codes(b), 7)];
    const lanes = target.startsWith('gfx9') ? 64 : 32;
    expect(m.run(m.dispatch('product_f16', [lanes], [lanes], packArguments([a, b, d, K])))).toBeTypeOf('number');
    expect([...m.f32(d, 256)]).toEqual(product(x, y, 16));
  });

  it.each(['gfx90a', 'gfx942'])('multiply f32 matrices of 32 rows as the host does, on %s', (target) => {
    const m = open(target);
    const [a, b, d] = [m.allocate(32 * K * 4), m.allocate(32 * K * 4), m.allocate(32 * 32 * 4)];
    const numbers = (address: bigint, step: number): number[] => {
      const values = Array.from({ length: 32 * K }, (_, n) => ((n * step) % 31) - 15);
      m.f32(address, 32 * K).set(values);
      return values;
    };
    const [x, y] = [numbers(a, 7), numbers(b, 11)];
    expect(m.run(m.dispatch('product_f32', [64], [64], packArguments([a, b, d, K])))).toBeTypeOf('number');
    expect([...m.f32(d, 1024)]).toEqual(product(x, y, 32));
  });

  it('repeat an instruction in a loop whose sums stay in registers', () => {
    const m = open('gfx942');
    const d = m.allocate(16 * 64 * 4);
    expect(m.run(m.dispatch('repeat_f16', [64], [64], packArguments([d, 100])))).toBeTypeOf('number');
    // Row and column of register 0: those of the lane; eight products each time.
    const sums = m.f32(d, 64);
    const expected = Array.from({ length: 64 }, (_, lane) => {
      const [i, j] = [4 * (lane >> 5), lane & 31];
      let sum = 0;
      for (let k = 0; k < 8; k++) sum += ((32 * (k >> 2) + i) % 3) * ((32 * (k >> 2) + j) % 2);
      return 100 * sum;
    });
    expect([...sums]).toEqual(expected);
  });
});
