/** The eight kernels of fixtures/kernels/kernels.cl: sizes, inputs and the sums that their outputs must have. */
import type { Machine } from './machine.js';
import { packArguments } from './machine.js';
import type { Dispatch } from '../../src/executor.js';

export interface KernelCase {
  readonly name: string;
  readonly dispatch: Dispatch;
  /** Puts the inputs back as they were. */
  reset(): void;
  /** The sum of the outputs and what it must be. */
  check(): { readonly sum: number; readonly expected: number; readonly relative: number };
}

const lcg = (i: number, seed: number): number => (Math.imul(i, 1664525) + 1013904223 + seed * 97) >>> 0;

function fillRandom(out: Float32Array, seed: number): void {
  for (let i = 0; i < out.length; i++) out[i] = (lcg(i, seed) >>> 8) / 16777216;
}
function fillWords(out: Uint32Array, seed: number): void {
  for (let i = 0; i < out.length; i++) out[i] = Math.imul(lcg(i, seed), 2654435761) >>> 0;
}
const sumOf = (values: Float32Array | Uint32Array): number => {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
};

/** Sums for sizes S and L; the same kernels as plain C on a host give them. */
const EXPECTED: Readonly<Record<string, readonly [s: number, l: number, relative: number]>> = {
  vector_add: [65403.50324982405, 16777154.832030773, 1e-4],
  saxpy_loop: [4186.332014799118, 1048433.9970818758, 1e-4],
  matmul_naive: [4177103.8153743744, 4177103.8153743744, 1e-4],
  matmul_tiled: [4177103.8153743744, 4177103.8153743744, 1e-4],
  mandelbrot: [240304, 49743771, 1e-4],
  reduce_lds: [32701.751220703125, 8388577.19921875, 1e-4],
  histogram: [65536, 16777216, 0],
  hash_loop: [8795415005923, 2251830392108438, 0],
};

export const KERNEL_NAMES: readonly string[] = Object.keys(EXPECTED);

export function kernelCase(m: Machine, name: string, size: 'S' | 'L'): KernelCase {
  const large = size === 'L';
  const [s, l, relative] = EXPECTED[name]!;
  const make = (
    groups: number,
    args: Parameters<typeof packArguments>[0],
    reset: () => void,
    output: () => Float32Array | Uint32Array,
  ): KernelCase => ({
    name,
    dispatch: m.dispatch(name, [groups * 256], [256], packArguments(args)),
    reset,
    check: () => ({ sum: sumOf(output()), expected: large ? l : s, relative: name === 'mandelbrot' && !large ? 0 : relative }),
  });
  const f32s = (n: number): bigint => m.allocate(n * 4);
  switch (name) {
    case 'vector_add': {
      const n = large ? 1 << 24 : 65536;
      const [a, b, c] = [f32s(n), f32s(n), f32s(n)];
      return make(
        n / 256,
        [a, b, c, n],
        () => (fillRandom(m.f32(a, n), 1), fillRandom(m.f32(b, n), 2)),
        () => m.f32(c, n),
      );
    }
    case 'saxpy_loop': {
      const n = large ? 1 << 20 : 4096;
      const [x, y] = [f32s(n), f32s(n)];
      return make(
        n / 256,
        [x, y, { f32: 0.5 }, large ? 1024 : 256, n],
        () => (fillRandom(m.f32(x, n), 1), fillRandom(m.f32(y, n), 2)),
        () => m.f32(y, n),
      );
    }
    case 'matmul_naive':
    case 'matmul_tiled': {
      const n = 65536;
      const [a, b, c] = [f32s(n), f32s(n), f32s(n)];
      return make(
        256,
        [a, b, c, 256],
        () => (fillRandom(m.f32(a, n), 1), fillRandom(m.f32(b, n), 2)),
        () => m.f32(c, n),
      );
    }
    case 'mandelbrot': {
      const w = large ? 1024 : 128;
      const out = f32s(w * w);
      const d = { f32: 3 / w };
      return make(
        (w * w) / 256,
        [out, w, w, { f32: -2.25 }, { f32: -1.5 }, d, d, large ? 256 : 64],
        () => undefined,
        () => m.u32(out, w * w),
      );
    }
    case 'reduce_lds': {
      const [n, groups] = large ? [1 << 24, 256] : [65536, 16];
      const [input, out] = [f32s(n), f32s(groups)];
      return make(
        groups,
        [input, out, n, groups * 256],
        () => fillRandom(m.f32(input, n), 1),
        () => m.f32(out, groups),
      );
    }
    case 'histogram': {
      const n = large ? 1 << 24 : 65536;
      const [input, bins] = [f32s(n), f32s(256)];
      return make(
        n / 256,
        [input, bins, n],
        () => (fillWords(m.u32(input, n), 1), m.u32(bins, 256).fill(0)),
        () => m.u32(bins, 256),
      );
    }
    case 'hash_loop': {
      const n = large ? 1 << 20 : 4096;
      const io = f32s(n);
      return make(
        n / 256,
        [io, large ? 1024 : 256, n],
        () => fillWords(m.u32(io, n), 1),
        () => m.u32(io, n),
      );
    }
    default:
      throw new RangeError(name);
  }
}
