import { type Device, openDevice, read, write } from '@doorbell/runtime';
import { codeObject } from '@doorbell/runtime/layers';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let device: Device;
beforeAll(async () => {
  device = await openDevice({ backend: 'emulated', isa: 'gfx1100' });
});
afterAll(async () => {
  await device.dispose();
});

/** Assembles a hand-written source of the code-object package; clang is not asked. */
function assemble(name: string, edit = (source: string): string => source): Uint8Array {
  const path = new URL(`../../code-object/test/fixtures/assemble/${name}.gfx1100.s`, import.meta.url);
  return codeObject.assembleObject(edit(readFileSync(path, 'utf8')), { target: 'gfx1100' });
}

describe('sources that assembleObject turns into code objects run', () => {
  it('adds vectors', async () => {
    using module = await device.load(assemble('vadd'));
    const vadd = module.kernel('vadd', { a: read('f32'), b: read('f32'), c: write('f32'), n: 'u32' });
    const n = 100;
    using a = await device.from(Float32Array.from({ length: n }, (_, index) => index));
    using b = await device.from(new Float32Array(n).fill(0.5));
    using c = device.alloc('f32', 128);
    await vadd.launch({ grid: 128, workgroup: 64, args: { a, b, c, n } });
    const expected = Float32Array.from({ length: 128 }, (_, index) => (index < n ? index + 0.5 : 0));
    expect(await c.read()).toEqual(expected);
  });

  it('computes in dual-issue pairs', async () => {
    using module = await device.load(assemble('dual'));
    const dual = module.kernel('dual', { in: read('f32'), out: write('f32') });
    using input = await device.from(Float32Array.from({ length: 32 }, (_, index) => index));
    using output = device.alloc('f32', 32);
    await dual.launch({ grid: 32, workgroup: 32, args: { in: input, out: output } });
    expect(await output.read()).toEqual(Float32Array.from({ length: 32 }, (_, x) => (x * 2 + 1) * (x - 3)));
  });

  it('sums a wave by lane moves', async () => {
    using module = await device.load(assemble('reduce'));
    const reduce = module.kernel('reduce', { in: read('u32'), out: write('u32') });
    using input = await device.from(Uint32Array.from({ length: 32 }, (_, index) => index * index));
    using output = device.alloc('u32', 32);
    await reduce.launch({ grid: 32, workgroup: 32, args: { in: input, out: output } });
    expect(await output.read()).toEqual(new Uint32Array(32).fill((31 * 32 * 63) / 6));
  });

  it('exchanges through LDS and a barrier', async () => {
    using module = await device.load(assemble('reverse'));
    const reverse = module.kernel('reverse', { in: read('u32'), out: write('u32') });
    using input = await device.from(Uint32Array.from({ length: 64 }, (_, index) => index + 1));
    using output = device.alloc('u32', 64);
    await reverse.launch({ grid: 64, workgroup: 64, args: { in: input, out: output } });
    expect(await output.read()).toEqual(Uint32Array.from({ length: 64 }, (_, index) => 64 - index));
  });

  it('fills a buffer, as the documentation of the assembler shows', async () => {
    const page = readFileSync(new URL('../../../docs/assembler.md', import.meta.url), 'utf8');
    const source = /^```asm\n(.*?)^```$/ms.exec(page)?.[1] ?? '';
    using module = await device.load(codeObject.assembleObject(source, { target: 'gfx1100' }));
    using output = device.alloc('u32', 32);
    await module.kernel('fill', { out: write('u32') }).launch({ grid: 32, workgroup: 32, args: { out: output } });
    expect(await output.read()).toEqual(new Uint32Array(32).fill(42));
  });

  it('reads tables by relocated addresses', async () => {
    // The source also takes the address of a weak symbol that nothing defines, which no loader resolves.
    const bytes = assemble('tables', (source) => source.replace('.quad	elsewhere', '.quad	0'));
    using module = await device.load(bytes);
    using output = device.alloc('u32', 8);
    await module.kernel('squares', { out: write('u32') }).launch({ grid: 8, workgroup: 8, args: { out: output } });
    const squares = [0, 1, 4, 9, 0x10, 0b11001, 36, 57];
    expect(await output.read()).toEqual(Uint32Array.from(squares));
    await module.kernel('scaled_squares', { out: write('u32') }).launch({ grid: 8, workgroup: 8, args: { out: output } });
    expect(await output.read()).toEqual(Uint32Array.from(squares, (square) => 10 * square));
  });
});
