// Adds two vectors of a million floats on the GPU at hand, else on the emulated one, and checks every sum on the host.
import { openDevice, read, write } from '@doorbell/runtime';

const n = 1 << 20;

await using device = await openDevice();
using module = await device.load(new URL('../vadd.bundle', import.meta.url));
const vadd = module.kernel('vadd', { a: read('f32'), b: read('f32'), c: write('f32'), n: 'u32' });

// System memory that the GPU reaches: program and kernel work on the same bytes, and nothing is copied.
using a = device.alloc('f32', n, { pool: 'gtt' });
using b = device.alloc('f32', n, { pool: 'gtt' });
using c = device.alloc('f32', n, { pool: 'gtt', label: 'sum' });
fill(a.view(), b.view());

const { durationNs } = await vadd.launch({ grid: n, workgroup: 256, args: { a, b, c, n } });

const wrong = findWrongSum(a.view(), b.view(), c.view());
if (wrong >= 0) {
  console.error(`c[${wrong}] is ${c.view()[wrong]}, not ${a.view()[wrong]} + ${b.view()[wrong]}`);
  process.exitCode = 1;
} else {
  console.log(`${n} sums on ${device.name} [${device.isa}], all equal to the host's: ${(durationNs / 1e3).toFixed(0)} µs`);
}

// Loops in functions: Node compiles them better than code of a module.
function fill(first: Float32Array, second: Float32Array): void {
  for (let i = 0; i < n; i++) {
    first[i] = i * 0.5;
    second[i] = n - i;
  }
}

/** Index of the first sum that is not the host's, or -1. */
function findWrongSum(first: Float32Array, second: Float32Array, sums: Float32Array): number {
  for (let i = 0; i < n; i++) if (sums[i] !== Math.fround((first[i] ?? NaN) + (second[i] ?? NaN))) return i;
  return -1;
}
