import { openDevice, read, write } from '@doorbell/runtime';

await using device = await openDevice(); // a GPU if there is one, else the emulated one
using module = await device.load(new URL('./vadd.hsaco', import.meta.url));
const vadd = module.kernel('vadd', { a: read('f32'), b: read('f32'), c: write('f32'), n: 'u32' });

const n = 1 << 20;
using a = await device.from(new Float32Array(n).fill(1));
using b = await device.from(new Float32Array(n).fill(2));
using c = device.alloc('f32', n, { label: 'sum' });

const { durationNs } = await vadd.launch({ grid: n, workgroup: 256, args: { a, b, c, n } });
console.log((await c.read())[0], `${(durationNs / 1e3).toFixed(1)} µs on ${device.name}`);
