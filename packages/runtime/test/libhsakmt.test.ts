/** The runtime over a real libhsakmt: a test of the shim starts it in a process that the shim is preloaded in. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = process.env['DOORBELL_TEST_ROOT'];

/** Node reads folders and attributes of files by calls that the shim does not see: they go to the emulated machine's files here. */
const REDIRECTED = ['readFileSync', 'readdirSync', 'statSync', 'lstatSync', 'readlinkSync', 'realpathSync'] as const;
const originals = REDIRECTED.map((name) => [name, fs[name]] as const);

describe.skipIf(root === undefined)('the runtime over libhsakmt (tools/kfd-shim/test/libhsakmt.sweep.test.ts)', () => {
  beforeAll(() => {
    for (const [name, original] of originals) {
      // Safe: what is replaced takes a path first, and the rest goes through.
      const call = original as (path: unknown, ...rest: readonly unknown[]) => unknown;
      const redirect = (path: unknown, ...rest: readonly unknown[]): unknown =>
        call(typeof path === 'string' && /^\/(sys|dev)\//.test(path) ? `${root}${path}` : path, ...rest);
      Object.assign(fs, { [name]: Object.assign(redirect, { ...original }) });
    }
    syncBuiltinESMExports();
  });

  afterAll(() => {
    Object.assign(fs, Object.fromEntries(originals));
    syncBuiltinESMExports();
  });

  it('runs a kernel', { timeout: 120_000 }, async () => {
    const { openDevice, read, write } = await import('../src/index.js');
    await using device = await openDevice({ backend: 'libhsakmt' });
    expect(device.backend).toBe('libhsakmt');
    const target = /gfx[0-9a-f]+/.exec(device.isa)![0];
    using module = await device.load(new URL(`./fixtures/vadd.${target}.hsaco`, import.meta.url));
    const vadd = module.kernel('vadd', { a: read('f32'), b: read('f32'), c: write('f32'), n: 'u32' });
    const n = 1024;
    using a = await device.from(new Float32Array(n).map((_, i) => i));
    using b = await device.from(new Float32Array(n).fill(0.5));
    using c = device.alloc('f32', n);
    await vadd.launch({ grid: n, workgroup: 64, args: { a, b, c, n } });
    expect(await c.read()).toEqual(new Float32Array(n).map((_, i) => i + 0.5));
  });
});
