/** What callers without types, and callers in a hurry, do: each gives a typed error, and nothing else suffers. */
import type { Device, HsaError, Kernel, Module } from '@doorbell/runtime';
import { isHsaError, openDevice } from '@doorbell/runtime';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

const file = (name: string): URL => new URL(name, import.meta.url);
let device: Device;
let other: Device;
let faults: Module;
let busy: Kernel;

beforeAll(async () => {
  device = await openDevice({ backend: 'emulated', isa: 'gfx1100' });
  other = await openDevice({ backend: 'emulated', isa: 'gfx1030' });
  faults = await device.load(file('./fixtures/faults.gfx1100.hsaco'));
  busy = faults.kernel('busy');
});
afterAll(async () => {
  await other.dispose();
  await device.dispose();
});

async function errorOf(work: PromiseLike<unknown>): Promise<HsaError> {
  const error: unknown = await work.then(
    () => new Error('it succeeded'),
    (reason: unknown) => reason,
  );
  if (isHsaError(error)) return error;
  throw error;
}

const refused = { code: 'ERR_INVALID_ARGUMENT' } as const;

describe('a launch of', () => {
  it.each<[string, object | undefined]>([
    ['no options', undefined],
    ['a bigint grid', { grid: 64n }],
    ['a grid of strings', { grid: ['64'] }],
    ['a negative time-out', { timeoutMs: -1 }],
    ['a time-out that is no number', { timeoutMs: NaN }],
    ['a signal that is none', { signal: 5 }],
    ['kernarg that are no bytes', { args: undefined, kernarg: 'bytes' }],
    ['after that is no array', { after: 5 }],
    ['after a promise', { after: [Promise.resolve()] }],
    ['more LDS than a workgroup has', { dynamicLdsBytes: 65537 }],
    ['more stack than there can be', { stackBytes: 2 ** 20 + 1 }],
    ['a part of a byte of stack', { stackBytes: 0.5 }],
  ])('%s is refused, and the queue goes on', async (_name, options) => {
    using out = device.alloc('u32', 64);
    const good = { grid: 64, workgroup: 64, args: { out, rounds: 0 } };
    const before = busy.launch(good);
    // Safe: what a JavaScript caller might pass.
    const wrong = (options === undefined ? undefined : { ...good, ...options }) as never;
    expect(await errorOf(busy.launch(wrong))).toMatchObject(refused);
    await Promise.all([before, busy.launch(good)]);
  });

  it('another device’s buffer, kernel or completion is refused', async () => {
    using theirs = other.alloc('u32', 64);
    using mine = device.alloc('u32', 64);
    expect(await errorOf(busy.launch({ grid: 64, workgroup: 64, args: { out: theirs, rounds: 0 } }))).toMatchObject(refused);
    await using queue = other.queue();
    expect(await errorOf(queue.launch(busy, { grid: 64, workgroup: 64, args: { out: mine, rounds: 0 } }))).toMatchObject(refused);
    using module = await other.load(file('./fixtures/vadd.gfx1030.hsaco'));
    using floats = other.alloc('f32', 64);
    const slow = busy.launch({ grid: 64, workgroup: 64, args: { out: mine, rounds: 100_000 } });
    const vadd = module.kernel('vadd');
    const behind = vadd.launch({ grid: 64, workgroup: 64, args: [floats, floats, floats, 64], after: [slow] });
    expect(await errorOf(behind)).toMatchObject(refused);
    await slow;
  });
});

describe('a device', () => {
  it('refuses pools, element types and code of other kinds', async () => {
    expect(() => device.alloc('u32', 4, { pool: 'lds' as never })).toThrow(expect.objectContaining(refused));
    expect(() => device.alloc('u33' as never, 4)).toThrow(expect.objectContaining(refused));
    expect(await errorOf(device.from([1, 2] as never))).toMatchObject(refused);
    expect(await errorOf(device.load(5 as never))).toMatchObject(refused);
    expect(await errorOf(device.load(new ArrayBuffer(8) as never))).toMatchObject(refused);
    expect(await errorOf(device.load(new URL('https://example.org/vadd.hsaco')))).toMatchObject(refused);
  });

  it.each([0, 32, 100, 1.5, -64, 'many'])('refuses a queue of %s packets', (packets) => {
    expect(() => device.queue({ packets: packets as never })).toThrow(expect.objectContaining(refused));
  });

  it('refuses a priority without a name, and leaves no queue behind', () => {
    expect(() => device.queue({ priority: 'urgent' as never })).toThrow(expect.objectContaining(refused));
  });

  it('gives no pointer into a disposed buffer', () => {
    const buffer = device.alloc('u32', 4);
    buffer.dispose();
    expect(() => buffer.at(0)).toThrow(expect.objectContaining({ code: 'ERR_DISPOSED' }));
  });
});

describe('a listener that throws', () => {
  it.each(['launch', 'progress', 'complete'] as const)('at %s does not disturb the launch', async (event) => {
    const later: (() => void)[] = [];
    const boom = new Error('boom');
    using _ = device.on(event, () => {
      // What is scheduled from here until the launch's own code goes on is the rethrow.
      const keep = (callback: () => void): void => {
        spy.mockRestore();
        later.push(callback);
      };
      // Safe: nobody else schedules anything before it is restored.
      const spy = vi.spyOn(process, 'nextTick').mockImplementationOnce(keep as never);
      throw boom;
    });
    using out = device.alloc('u32', 64);
    await busy.launch({ grid: 64, workgroup: 64, args: { out, rounds: 0 } });
    expect(later.length).toBeGreaterThan(0);
    for (const rethrow of later) expect(rethrow).toThrow(boom);
  });
});
