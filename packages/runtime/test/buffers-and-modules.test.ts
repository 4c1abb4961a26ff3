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

  it('come as bytes, path, URL or bundle, and only for a target that the device has', async () => {
    const path = file('./programs/vadd.hsaco').pathname;
    const bytes = new Uint8Array(readFileSync(path));
    for (const code of [bytes, path, file('./programs/vadd.hsaco'), bundle({ gfx90a: new Uint8Array(8), gfx1100: bytes })]) {
      using module = await device.load(code);
      expect(module.kernelNames).toEqual(['vadd']);
    }
    const others = bundle({ gfx90a: bytes, gfx942: bytes });
    const error: unknown = await device.load(others).catch((e: unknown) => e);
    expect(error).toMatchObject({ code: 'ERR_ISA_MISMATCH' });
    expect(String(error)).toMatch(/gfx90a.*gfx942.*gfx1100/s);
    await expect(device.load(path, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ERR_ABORTED' });
  });

  it('refuse an unlinked object with the command that links it', async () => {
    const bytes = new Uint8Array(readFileSync(file('./programs/vadd.hsaco')));
    // e_type: ET_REL.
    bytes[16] = 1;
    await expect(device.load(bytes)).rejects.toMatchObject({
      code: 'ERR_CODE_OBJECT_RELOCATABLE',
      hint: expect.stringContaining('ld.lld -shared') as string,
    });
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

/** An uncompressed offload bundle (clang-offload-bundler): magic, count, then offset, size and id of each entry. */
function bundle(codes: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const entries = Object.entries(codes).map(([target, code]) => ({ id: `hipv4-amdgcn-amd-amdhsa--${target}`, code }));
  const headBytes = entries.reduce((size, { id }) => size + 24 + id.length, 32);
  const bytes = new Uint8Array(entries.reduce((size, { code }) => size + code.length, headBytes));
  const view = new DataView(bytes.buffer);
  const text = (at: number, value: string): void => bytes.set(new TextEncoder().encode(value), at);
  text(0, '__CLANG_OFFLOAD_BUNDLE__');
  view.setBigUint64(24, BigInt(entries.length), true);
  let head = 32;
  let body = headBytes;
  for (const { id, code } of entries) {
    view.setBigUint64(head, BigInt(body), true);
    view.setBigUint64(head + 8, BigInt(code.length), true);
    view.setBigUint64(head + 16, BigInt(id.length), true);
    text(head + 24, id);
    bytes.set(code, body);
    head += 24 + id.length;
    body += code.length;
  }
  return bytes;
}
