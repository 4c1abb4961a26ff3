import { readFileSync, writeFileSync } from 'node:fs';
import { skipReason } from '@doorbell/test-support';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../ir/random.js';
import { compileKernels, runKernel } from './support/kernel.js';

/** More in the sweep (npm run test:sweep). */
const PAIRS = process.env['DOORBELL_SWEEP'] === '1' ? 1_024_000 : 25_600;
const FLAGS = ['-cl-fp32-correctly-rounded-divide-sqrt'];
const FIXTURE = new URL('fixtures/divide.hsaco', import.meta.url);
const SOURCE = new URL('fixtures/divide.cl', import.meta.url);

const elf = readFileSync(FIXTURE);

/** Bits with any exponent, every fourth pair extreme or denormal. */
function makePairs(random: () => number, top: number): { x: number; y: number }[] {
  return Array.from({ length: PAIRS }, (_, n) => {
    const pick = (): number => {
      if (n % 4 !== 0) return random();
      const field = [0, 1, top - 2, top - 1, top / 2, random() % top][random() % 6]!;
      const shift = top === 0xff ? 23 : 20;
      return ((random() & (2 ** shift - 1)) | (Math.floor(field) << shift) | (random() & 0x8000_0000)) >>> 0;
    };
    return { x: pick(), y: pick() };
  });
}

describe('division sequences', () => {
  it('f32 quotients are correctly rounded', () => {
    const pairs = makePairs(createRandom(3), 0xff);
    const [x, y, z] = [new Uint32Array(PAIRS), new Uint32Array(PAIRS), new Uint32Array(PAIRS)];
    for (const [n, pair] of pairs.entries()) [x[n], y[n]] = [pair.x, pair.y];
    runKernel(elf, { kernel: 'divide32', groups: PAIRS / 64, workgroup: 64, args: [x, y, z] });
    const [fx, fy, fz] = [x, y, z].map((bits) => new Float32Array(bits.buffer)) as [Float32Array, Float32Array, Float32Array];
    for (let n = 0; n < PAIRS; n++) {
      const wanted = Math.fround(fx[n]! / fy[n]!);
      if (!Object.is(fz[n], wanted)) expect.fail(`${fx[n]!} / ${fy[n]!} = ${fz[n]!}, not ${wanted}`);
    }
  });

  it('f64 quotients are correctly rounded', () => {
    const random = createRandom(4);
    const pairs = makePairs(random, 0x7ff);
    const [x, y, z] = [new Uint32Array(2 * PAIRS), new Uint32Array(2 * PAIRS), new Uint32Array(2 * PAIRS)];
    for (const [n, pair] of pairs.entries()) {
      [x[2 * n], y[2 * n]] = [random(), random()];
      [x[2 * n + 1], y[2 * n + 1]] = [pair.x, pair.y];
    }
    runKernel(elf, { kernel: 'divide64', groups: PAIRS / 64, workgroup: 64, args: [x, y, z] });
    const [fx, fy, fz] = [x, y, z].map((bits) => new Float64Array(bits.buffer)) as [Float64Array, Float64Array, Float64Array];
    for (let n = 0; n < PAIRS; n++) {
      const wanted = fx[n]! / fy[n]!;
      if (!Object.is(fz[n], wanted)) expect.fail(`${fx[n]!} / ${fy[n]!} = ${fz[n]!}, not ${wanted}`);
    }
  });

  it('f64 square roots are correctly rounded', () => {
    const random = createRandom(5);
    const [x, z] = [new Uint32Array(2 * 6400).map(() => random()), new Uint32Array(2 * 6400)];
    runKernel(elf, { kernel: 'root64', groups: 100, workgroup: 64, args: [x, z] });
    const [fx, fz] = [new Float64Array(x.buffer), new Float64Array(z.buffer)];
    for (let n = 0; n < fx.length; n++) expect(Object.is(fz[n], Math.sqrt(fx[n]!)), `sqrt ${fx[n]!}`).toBe(true);
  });

  const reason = skipReason('clang-22');
  it.skipIf(reason !== '')(`f32 quotients are right where denormals are flushed ${reason}`, () => {
    // The sequence switches MODE to keep denormals between its first and last steps.
    const flushing = compileKernels(readFileSync(SOURCE, 'utf8'), { flags: [...FLAGS, '-cl-denorms-are-zero'] });
    const count = 12_800;
    const pairs = makePairs(createRandom(6), 0xff).slice(0, count);
    const [x, y, z] = [new Uint32Array(count), new Uint32Array(count), new Uint32Array(count)];
    for (const [n, pair] of pairs.entries()) [x[n], y[n]] = [pair.x, pair.y];
    runKernel(flushing, { kernel: 'divide32', groups: count / 64, workgroup: 64, args: [x, y, z] });
    const flush = (value: number): number => (Math.abs(value) < 2 ** -126 ? value * 0 : value);
    const [fx, fy, fz] = [x, y, z].map((bits) => new Float32Array(bits.buffer)) as [Float32Array, Float32Array, Float32Array];
    for (let n = 0; n < count; n++) {
      const wanted = flush(Math.fround(flush(fx[n]!) / flush(fy[n]!)));
      if (!Object.is(fz[n], wanted)) expect.fail(`${fx[n]!} / ${fy[n]!} = ${fz[n]!}, not ${wanted}`);
    }
  });

  it.skipIf(reason !== '')(`the code object is what its source compiles to ${reason}`, () => {
    const compiled = compileKernels(readFileSync(SOURCE, 'utf8'), { flags: FLAGS });
    if (process.env['DOORBELL_RECORD'] === '1') writeFileSync(FIXTURE, compiled);
    expect(Buffer.compare(compiled, readFileSync(FIXTURE))).toBe(0);
  });
});
