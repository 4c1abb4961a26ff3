/** Types of the friendly API: what must compile is in test/programs; what must not is here. Checked by `npm run typecheck`. */
import { lds, openDevice, read, readwrite, write } from '@doorbell/runtime';

await using device = await openDevice();
using module = await device.load(new URL('./vadd.hsaco', import.meta.url));
const vadd = module.kernel('vadd', { a: read('f32'), b: read('f32'), c: write('f32'), n: 'u32' });
const n = 1024;
using a = await device.from(new Float32Array(n));
using b = device.alloc('f32', n);
using c = device.alloc('f32', n);
using words = device.alloc('u32', n);

// @ts-expect-error b is missing
vadd.launch({ grid: n, workgroup: 256, args: { a, c, n } });
// @ts-expect-error u32 takes a number
vadd.launch({ grid: n, workgroup: 256, args: { a, b, c, n: 5n } });
// @ts-expect-error a u32 buffer is not an f32 buffer
vadd.launch({ grid: n, workgroup: 256, args: { a, b, c: words, n } });
// @ts-expect-error no such element type
device.alloc('f31', n);
// @ts-expect-error a Float32Array is not what a u32 buffer takes
await words.write(new Float32Array(n));

vadd.launch({ grid: [n], workgroup: [256, 1], args: { a, b: b.at(4), c: 0x42n, n } });
vadd.launch({ grid: n, workgroup: 256, args: [a, b, c, n] });
module.kernel('any').launch({ grid: n, workgroup: 64, args: { x: a, y: 3 } });
const wide = module.kernel('wide', { big: 'u64', out: readwrite('u64') });
using out = await device.from(new BigUint64Array(1));
wide.launch({ grid: 1, workgroup: 1, args: { big: 1n, out } });
const values: Float32Array = await a.read();
const longs: BigUint64Array = await out.read();
void values;
void longs;

// Sizes in one to three dimensions, arguments in order, raw bytes; what none of them is.
vadd.launch({
  grid: [n, 1, 1],
  workgroup: [256, 1, 1],
  kernarg: new Uint8Array(28),
  dynamicLdsBytes: 64,
  timeoutMs: 5,
  after: [],
});
// @ts-expect-error four dimensions
vadd.launch({ grid: [n, 1, 1, 1], workgroup: 256, args: { a, b, c, n } });
// @ts-expect-error no workgroup
vadd.launch({ grid: n, args: { a, b, c, n } });
// @ts-expect-error an unknown argument
vadd.launch({ grid: n, workgroup: 256, args: { a, b, c, n, m: 1 } });
// @ts-expect-error u64 takes a bigint
wide.launch({ grid: 1, workgroup: 1, args: { big: 1, out } });
const shared = module.kernel('shared', { tile: lds(), out: readwrite('u64') });
shared.launch({ grid: 1, workgroup: 1, args: { tile: { ldsBytes: 64 }, out: out.at(0) } });
// @ts-expect-error LDS has no address
shared.launch({ grid: 1, workgroup: 1, args: { tile: out, out } });
// @ts-expect-error a completion is thenable, not a promise
const promise: Promise<unknown> = vadd.launch({ grid: n, workgroup: 256, args: { a, b, c, n } });
void promise;
// @ts-expect-error no such event
device.on('finish', () => undefined);
device.on('fault', (error) => void error.hint);
// @ts-expect-error no such backend
await openDevice({ backend: 'cuda' });
const pair: readonly [startNs: bigint, durationNs: number] = await vadd
  .launch({ grid: n, workgroup: 256, args: { a, b, c, n } })
  .then(({ startNs, durationNs }) => [startNs, durationNs] as const);
void pair;
