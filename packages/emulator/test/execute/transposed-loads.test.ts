import { describe, expect, it } from 'vitest';
import { Machine, packArguments } from './machine.js';

function open(target: string): Machine {
  const machine = new Machine();
  machine.load(new URL(`../fixtures/kernels/transposed.${target}.hsaco`, import.meta.url));
  return machine;
}

/** The lane whose run gives element n, as public programs measured it on gfx1201 (16 bits) and gfx1250. */
const SOURCES: Readonly<Record<string, (lane: number, n: number) => number>> = {
  16: (lane, n) => 8 * Math.floor(lane / 8) + n,
  8: (lane, n) => 16 * Math.floor(lane / 16) + 4 * (Math.floor(lane / 8) % 2) + 8 * Math.floor(n / 4) + (n % 4),
};

describe('transposed loads', () => {
  it.each([
    ['gfx1201', 'global', 16],
    ['gfx1250', 'global', 16],
    ['gfx1250', 'lds', 16],
    ['gfx1201', 'global', 8],
    ['gfx1250', 'global', 8],
    ['gfx1250', 'lds', 8],
  ] as const)('of %s from %s hand each lane a column of %i-bit elements', (target, space, bits) => {
    const m = open(target);
    const [input, out] = [m.allocate(1024), m.allocate(1024)];
    const elements = (address: bigint): Uint16Array | Uint8Array =>
      bits === 16
        ? new Uint16Array(m.memory.buffer, m.offset(address), 256)
        : new Uint8Array(m.memory.buffer, m.offset(address), 256);
    elements(input).forEach((_, n, all) => (all[n] = n));
    expect(m.run(m.dispatch(`${space}_${bits}`, [32], [32], packArguments([input, out])))).toBeTypeOf('number');
    const expected = Array.from({ length: 256 }, (_, at) => 8 * SOURCES[bits]!(at >> 3, at & 7) + ((at >> 3) % 8));
    expect([...elements(out)]).toEqual(expected);
  });

  it('bring matrices with k running slowest to where WMMA takes them', () => {
    const m = open('gfx1250');
    const [a, b, d] = [m.allocate(1024), m.allocate(1024), m.allocate(1024)];
    const fill = (address: bigint, step: number): Int8Array => {
      const bytes = new Int8Array(m.memory.buffer, m.offset(address), 1024);
      bytes.forEach((_, n) => (bytes[n] = (n * step + (n >> 5)) % 251));
      return bytes;
    };
    const [x, y] = [fill(a, 37), fill(b, 91)];
    expect(m.run(m.dispatch('product', [32], [32], packArguments([a, b, d])))).toBeTypeOf('number');
    const expected = Array.from({ length: 256 }, (_, at) => {
      let sum = 0;
      for (let k = 0; k < 64; k++) sum += x[16 * k + (at >> 4)]! * y[16 * k + (at & 15)]!;
      return sum;
    });
    expect([...new Int32Array(m.memory.buffer, m.offset(d), 256)]).toEqual(expected);
  });
});
