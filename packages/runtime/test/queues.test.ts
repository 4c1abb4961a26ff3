import type { Device, HsaError, Module } from '@doorbell/runtime';
import { openDevice } from '@doorbell/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const file = (name: string): URL => new URL(name, import.meta.url);
let device: Device;
let kernels: Module;

beforeAll(async () => {
  device = await openDevice({ backend: 'emulated', isa: 'gfx1100' });
  kernels = await device.load(file('./fixtures/faults.gfx1100.hsaco'));
});
afterAll(() => device.dispose());

describe('queues', () => {
  it('run launches in order, more of them than the ring holds', async () => {
    await using queue = device.queue({ packets: 64 });
    using out = device.alloc('u32', 64);
    const busy = kernels.kernel('busy');
    const launches = Array.from({ length: 200 }, (_, i) =>
      queue.launch(busy, { grid: 64, workgroup: 64, args: { out, rounds: i } }),
    );
    const times = await Promise.all(launches);
    for (let i = 1; i < times.length; i++) expect(times[i]!.startNs).toBeGreaterThanOrEqual(times[i - 1]!.endNs);
    let hash = 7;
    for (let i = 0; i < 199; i++) hash = (Math.imul(hash, 1664525) + 1013904223) >>> 0;
    expect((await out.read())[7]).toBe(hash);
  });

  it('wait for launches of other queues', async () => {
    await using first = device.queue();
    await using second = device.queue({ priority: 'high' });
    using out = device.alloc('u32', 64);
    const busy = kernels.kernel('busy');
    const slow = first.launch(busy, { grid: 64, workgroup: 64, args: { out, rounds: 2_000_000 } });
    const after = second.launch(busy, { grid: 64, workgroup: 64, args: { out, rounds: 0 }, after: [slow] });
    const [a, b] = await Promise.all([slow, after]);
    expect(b.startNs).toBeGreaterThanOrEqual(a.endNs);
    expect((await out.read())[9]).toBe(9);
  });

  it('fail with the launch they wait for', async () => {
    await using first = device.queue();
    await using second = device.queue();
    using flag = device.alloc('u32', 1);
    using out = device.alloc('u32', 64);
    const hung = first.launch(kernels.kernel('spin'), { grid: 64, workgroup: 64, args: { flag }, timeoutMs: 100 });
    const after = second.launch(kernels.kernel('busy'), { grid: 64, workgroup: 64, args: { out, rounds: 1 }, after: [hung] });
    await expect(hung).rejects.toMatchObject({ code: 'ERR_TIMEOUT' });
    await expect(after).rejects.toMatchObject({ code: 'ERR_QUEUE_ERROR', details: { cause: 'after' } });
  });

  it('go on when a launch is refused because of one that failed before', async () => {
    await using first = device.queue();
    await using second = device.queue();
    using flag = device.alloc('u32', 1);
    using out = device.alloc('u32', 64);
    const busy = kernels.kernel('busy');
    const options = { grid: 64, workgroup: 64, args: { out, rounds: 1000 } };
    const hung = first.launch(kernels.kernel('spin'), { grid: 64, workgroup: 64, args: { flag }, timeoutMs: 50 });
    await expect(hung).rejects.toMatchObject({ code: 'ERR_TIMEOUT' });
    const before = second.launch(busy, options);
    const after = second.launch(busy, { ...options, after: [hung] });
    await expect(after).rejects.toMatchObject({
      code: 'ERR_QUEUE_ERROR',
      details: { cause: 'after' },
      cause: { code: 'ERR_TIMEOUT' },
    });
    await Promise.all([before, second.launch(busy, options)]);
  });

  it('do not run a launch after one of the same queue that was refused', async () => {
    await using queue = device.queue();
    using out = device.alloc('u32', 64);
    const busy = kernels.kernel('busy');
    const refused = queue.launch(busy, { grid: 64, workgroup: 64, args: { out } });
    const behind = queue.launch(busy, { grid: 64, workgroup: 64, args: { out, rounds: 0 }, after: [refused] });
    const third = queue.launch(busy, { grid: 64, workgroup: 64, args: { out, rounds: 0 }, after: [behind] });
    await expect(refused).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
    await expect(behind).rejects.toMatchObject({ code: 'ERR_QUEUE_ERROR' });
    await expect(third).rejects.toMatchObject({ code: 'ERR_QUEUE_ERROR' });
    expect((await out.read())[9]).toBe(0);
  });

  it('blame a fault on the launch that faulted alone', async () => {
    await using queue = device.queue();
    using out = device.alloc('u32', 64, { label: 'out' });
    const stray = kernels.kernel('stray_write');
    const launches = [1, 1 << 20, 1].map((stride) => queue.launch(stray, { grid: 64, workgroup: 64, args: { out, stride } }));
    const ends = await Promise.allSettled(launches);
    expect(ends.map((end) => (end.status === 'fulfilled' ? 'done' : (end.reason as HsaError).code))).toEqual([
      'done',
      'ERR_MEMORY_FAULT',
      'ERR_QUEUE_ERROR',
    ]);
  });

  it('end once, for everybody who disposes them, after what is in them', async () => {
    const queue = device.queue();
    using out = device.alloc('u32', 64);
    const launch = queue.launch(kernels.kernel('busy'), { grid: 64, workgroup: 64, args: { out, rounds: 100_000 } });
    void queue.dispose();
    await queue.dispose();
    expect(launch.done).toBe(true);
    await expect(launch).resolves.toBeDefined();
  });

  it('let workgroups wait for each other', async () => {
    using words = device.alloc('u32', 64);
    using out = device.alloc('u32', 2);
    await kernels.kernel('handshake').launch({ grid: 128, workgroup: 64, args: { words, out } });
    expect([...(await out.read())]).toEqual([2, 1]);
  });

  it('are waited for by synchronize', async () => {
    using out = device.alloc('u32', 64);
    const launch = kernels.kernel('busy').launch({ grid: 64, workgroup: 64, args: { out, rounds: 1000 } });
    await device.synchronize();
    expect(launch.done).toBe(true);
  });

  it('name what is hung when synchronize sees no progress', async () => {
    await using queue = device.queue();
    using flag = device.alloc('u32', 1);
    const hung = queue.launch(kernels.kernel('spin'), { grid: 64, workgroup: 64, args: { flag }, timeoutMs: 60_000 });
    await expect(device.synchronize({ timeoutMs: 50 })).rejects.toMatchObject({
      code: 'ERR_TIMEOUT',
      details: { kernel: 'spin', packetIndex: 0 },
    });
    flag.view()[0] = 1;
    await hung;
    await expect(device.synchronize({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ERR_ABORTED' });
    await expect(device.synchronize({ timeoutMs: 0 })).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
  });
});

describe('raw kernarg bytes', () => {
  it('are taken as they are, and the hidden arguments behind them are filled in', async () => {
    using module = await device.load(file('./fixtures/arguments.gfx1100.hsaco'));
    const kernel = module.kernel('arguments');
    using out = device.alloc('u64', 18);
    const explicit = kernel.args.reduce((end, { offset, sizeBytes }) => Math.max(end, offset + sizeBytes), 0);
    const kernarg = new Uint8Array(explicit);
    const view = new DataView(kernarg.buffer);
    const offsetOf = (name: string): number => kernel.args.find((arg) => arg.name === name)!.offset;
    view.setInt32(offsetOf('i'), -3, true);
    view.setBigUint64(offsetOf('out'), out.address, true);
    await kernel.launch({ grid: 96, workgroup: 32, kernarg, dynamicLdsBytes: 128 });
    const values = await out.read();
    // `i` as given; the local size, which is read from a hidden argument; the global size, from the packet.
    expect([values[4], values[16], values[17]]).toEqual([2n ** 64n - 3n, 32n, 96n]);
  });
});

describe('arguments', () => {
  it('of every kind arrive as they were given', async () => {
    using module = await device.load(file('./fixtures/arguments.gfx1100.hsaco'));
    using out = device.alloc('u64', 18);
    const point = new Uint8Array(12);
    new DataView(point.buffer).setFloat32(0, 1.5, true);
    new DataView(point.buffer).setFloat32(4, -2, true);
    new DataView(point.buffer).setInt32(8, -7, true);
    await module.kernel('arguments').launch({
      grid: 96,
      workgroup: 32,
      args: {
        c: -1,
        uc: 255,
        s: -2,
        us: 65535,
        i: -3,
        ui: 4294967295,
        l: -4n,
        ul: 2n ** 64n - 1n,
        f: 0.1,
        d: 0.1,
        p: point,
        v: Uint32Array.of(10, 20, 30, 0),
        out,
        scratch: { ldsBytes: 128 },
      },
    });
    const bits = new DataView(new ArrayBuffer(8));
    bits.setFloat32(0, 0.1);
    const f = BigInt(bits.getUint32(0));
    bits.setFloat64(0, 0.1);
    const d = bits.getBigUint64(0);
    const all = 2n ** 64n;
    expect([...(await out.read())]).toEqual([
      all - 1n,
      255n,
      all - 2n,
      65535n,
      all - 3n,
      4294967295n,
      all - 4n,
      all - 1n,
      f,
      d,
      0x3fc00000n,
      0xc0000000n,
      all - 7n,
      10n,
      20n,
      30n,
      32n,
      96n,
    ]);
  });
});
