// Draws the Mandelbrot set: escape counts from the GPU, every one checked against the host, written as a PNG.
import { openDevice, write } from '@doorbell/runtime';
import { encode } from 'fast-png';
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { escapeCounts } from './host.js';
import { colour } from './palette.js';

const view = { width: 960, height: 640, left: -2.2, top: -1.0, step: 3.0 / 960, limit: 200 };

await using device = await openDevice();
using module = await device.load(new URL('../mandelbrot.bundle', import.meta.url));
const mandelbrot = module.kernel('mandelbrot', {
  out: write('u32'),
  w: 'u32',
  h: 'u32',
  x0: 'f32',
  y0: 'f32',
  step: 'f32',
  limit: 'u32',
});

using out = device.alloc('u32', view.width * view.height, { label: 'counts' });
const { durationNs } = await mandelbrot.launch({
  grid: [view.width, view.height],
  workgroup: [16, 16],
  args: { out, w: view.width, h: view.height, x0: view.left, y0: view.top, step: view.step, limit: view.limit },
});
const counts = await out.read();

const expected = escapeCounts(view);
const wrong = counts.findIndex((count, i) => count !== expected[i]);
if (wrong >= 0) {
  console.error(
    `pixel ${wrong % view.width},${Math.floor(wrong / view.width)} is ${counts[wrong]}, the host has ${expected[wrong]}`,
  );
  process.exitCode = 1;
} else {
  const data = new Uint8Array(counts.length * 3);
  counts.forEach((count, i) => data.set(colour(count, view.limit), i * 3));
  const folder = resolve('out');
  mkdirSync(folder, { recursive: true });
  const file = resolve(folder, 'mandelbrot.png');
  writeFileSync(file, encode({ width: view.width, height: view.height, data, channels: 3 }));
  console.log(
    `${view.width}×${view.height} pixels on ${device.name} [${device.isa}], all equal to the host's: ${(durationNs / 1e6).toFixed(1)} ms`,
  );
  console.log(`Picture: ${file}`);
}
