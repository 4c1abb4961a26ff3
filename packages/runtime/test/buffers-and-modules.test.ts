import { openDevice, read, readwrite, write } from '@doorbell/runtime';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Device } from '@doorbell/runtime';

const file = (name: string): URL => new URL(name, import.meta.url);
let device: Device;

beforeAll(async () => {
  device = await openDevice({ backend: 'emulated', isa: 'gfx1100' });
});
afterAll(() => device.dispose());

describe('buffers', () => {
  it('hold what is written, from an offset on', async () => {
    using buffer = await device.from(Float32Array.of(1, 2, 3, 4));
    await buffer.write(Float32Array.of(9, 8), { offset: 1 });
    expect([...(await buffer.read())]).toEqual([1, 9, 8, 4]);
    expect([...(await buffer.read({ offset: 2, length: 2 }))]).toEqual([8, 4]);
    buffer.view()[0] = 7;
    expect((await buffer.read())[0]).toBe(7);
  });

  it('start zeroed, also where memory is used again', async () => {
    const first = device.alloc('u32', 1024);
    first.view().fill(0xffff_ffff);
    first.dispose();
    using second = device.alloc('u32', 1024);
    expect((await second.read()).every((word) => word === 0)).toBe(true);
  });

  it('refuse other element types, ranges and lengths', async () => {
    using buffer = device.alloc('u32', 4);
    await expect(buffer.write(new Float32Array(4) as never)).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
    await expect(buffer.write(new Uint32Array(5))).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
    await expect(buffer.read({ offset: 3, length: 2 })).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
    expect(() => buffer.at(5)).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }));
    expect(() => device.alloc('u32', 0)).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }));
    expect(() => device.alloc('u32', 2 ** 40)).toThrow(expect.objectContaining({ code: 'ERR_OUT_OF_MEMORY' }));
  });

  it('are not to be used after dispose', async () => {
    const buffer = device.alloc('u32', 4);
    buffer.dispose();
    buffer.dispose();
    expect(() => buffer.view()).toThrow(expect.objectContaining({ code: 'ERR_DISPOSED' }));
    await expect(buffer.read()).rejects.toMatchObject({ code: 'ERR_DISPOSED' });
  });

  it('come from every pool', () => {
    for (const pool of ['vram', 'gtt', 'kernarg'] as const) {
      using buffer = device.alloc('f64', 16, { pool });
      buffer.view().fill(1.5);
      expect(buffer.view()[15]).toBe(1.5);
    }
  });
});

describe('modules', () => {
  it('tell what their kernels need', async () => {
    using module = await device.load(file('./programs/vadd.hsaco'));
    expect(module.target).toBe('gfx1100');
    expect(module.kernelNames).toEqual(['vadd']);
    const kernel = module.kernel('vadd', { a: read('f32'), b: read('f32'), c: write('f32'), n: 'u32' });
    expect(kernel.args.map(({ name, kind, offset }) => [name, kind, offset])).toEqual([
      ['a', 'global', 0],
      ['b', 'global', 8],
      ['c', 'global', 16],
      ['n', 'value', 24],
    ]);
    expect(kernel.occupancy(256).wavesPerSimd).toBeGreaterThan(0);
  });

  it('refuse signatures that are not the kernel’s', async () => {
    using module = await device.load(file('./programs/vadd.hsaco'));
    for (const signature of [
      { a: read('f32'), b: read('f32'), c: write('f32') },
      { a: read('f32'), b: read('f32'), c: write('f32'), n: 'u64' as const },
      { a: read('f32'), b: read('f32'), x: write('f32'), n: 'u32' as const },
      { a: 'u32' as const, b: read('f32'), c: readwrite('f32'), n: 'u32' as const },
    ]) {
      expect(() => module.kernel('vadd', signature)).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }));
    }
    expect(() => module.kernel('vsub')).toThrow(expect.objectContaining({ code: 'ERR_SYMBOL_NOT_FOUND' }));
  });

  it('say which target a file has and which the device needs', async () => {
    const error: unknown = await device.load(file('./fixtures/vadd.gfx90a.hsaco')).catch((e: unknown) => e);
    expect(error).toMatchObject({ code: 'ERR_ISA_MISMATCH', hsaStatus: 0x100d });
    expect(String(error)).toMatch(/gfx90a.*gfx1100/s);
  });

  it('refuse what is no code object', async () => {
    const whole = new Uint8Array(readFileSync(file('./programs/vadd.hsaco')));
    await expect(device.load(whole.subarray(0, 1000))).rejects.toMatchObject({ code: 'ERR_CODE_OBJECT' });
    await expect(device.load(new Uint8Array(0))).rejects.toMatchObject({ code: 'ERR_CODE_OBJECT' });
    await expect(device.load('./no-such-file.hsaco')).rejects.toMatchObject({
      code: 'ERR_FILE',
      details: { errnoName: 'ENOENT' },
    });
  });
});
