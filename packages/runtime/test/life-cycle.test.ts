/** Opening and closing: by many at once, while the other is under way, and with the environment in the way. */
import type { HsaError } from '@doorbell/runtime';
import { isHsaError, listDevices, openDevice, Runtime } from '@doorbell/runtime';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterEach, describe, expect, it, vi } from 'vitest';

const file = (name: string): URL => new URL(name, import.meta.url);
const emulated = { backend: 'emulated' } as const;

afterEach(() => vi.unstubAllEnvs());

describe('Runtime', () => {
  it('is one for all who ask at once, and closed with the last', async () => {
    const runtimes = await Promise.all(Array.from({ length: 8 }, () => Runtime.acquire(emulated)));
    expect(new Set(runtimes).size).toBe(1);
    expect(runtimes[0]!.references).toBe(8);
    await Promise.all(runtimes.map((runtime) => runtime.release()));
    expect(runtimes[0]!.isOpen).toBe(false);
  });

  it('is opened anew, once, for those who ask while the last release is under way', async () => {
    const first = await Runtime.acquire(emulated);
    let isClosed = false;
    const closing = first.release().then(() => (isClosed = true));
    const next = await Promise.all([1, 2, 3].map(() => Runtime.acquire(emulated)));
    expect(isClosed).toBe(true);
    expect(new Set(next).size).toBe(1);
    expect(next[0]).not.toBe(first);
    await closing;
    await Promise.all(next.map((runtime) => runtime.release()));
  });

  it('that could not be opened leaves nothing behind', async () => {
    vi.stubEnv('DOORBELL_WORKERS', 'many');
    const tries = await Promise.allSettled([1, 2].map(() => openDevice({ backend: 'emulated', isa: 'gfx942' })));
    for (const attempt of tries) expect(attempt).toMatchObject({ status: 'rejected', reason: { code: 'ERR_INVALID_ARGUMENT' } });
    vi.unstubAllEnvs();
    await using device = await openDevice({ backend: 'emulated', isa: 'gfx942' });
    expect(device.isa).toMatch(/^gfx942/);
  });

  it('that was shut down stays so: its table does not wake it up', async () => {
    const { tables, ...runtime } = await acquireParts();
    expect(tables.public.core.hsa_init()).toBe(0);
    expect(tables.public.core.hsa_shut_down()).toBe(0);
    await runtime.release();
    expect(tables.public.core.hsa_init()).toBe(0x1000);
    expect(tables.public.core.hsa_shut_down()).toBe(0x100b);
  });
});

async function acquireParts(): Promise<{ readonly tables: Runtime['tables']; release(): Promise<void> }> {
  const runtime = await Runtime.acquire(emulated);
  return { tables: runtime.tables, release: () => runtime.release() };
}

describe('a device', () => {
  it('disposed twice, and while launches are pending, rejects them and ends once', async () => {
    const device = await openDevice(emulated);
    const module = await device.load(file('./fixtures/faults.gfx1100.hsaco'));
    const flag = device.alloc('u32', 1);
    const queue = device.queue();
    const spin = module.kernel('spin');
    const launches = [queue, queue, undefined].map((on) => {
      const options = { grid: 64, workgroup: 64, args: { flag } };
      return on ? on.launch(spin, options) : spin.launch(options);
    });
    void queue.dispose();
    const ends = device.dispose();
    expect(device.dispose()).toBe(ends);
    for (const launch of launches) {
      const error: unknown = await launch.then(undefined, (reason: unknown) => reason);
      expect(isHsaError(error, 'ERR_DISPOSED')).toBe(true);
    }
    await ends;
    expect(await device.lost).toEqual({ reason: 'disposed' });
    expect(() => flag.view()).toThrow(expect.objectContaining({ code: 'ERR_DISPOSED' }));
    expect(() => module.kernel('spin')).toThrow(expect.objectContaining({ code: 'ERR_DISPOSED' }));
    await expect(device.synchronize()).rejects.toMatchObject({ code: 'ERR_DISPOSED' });
  });

  it('survives a storm of launches and aborts on many queues', async () => {
    await using device = await openDevice(emulated);
    using module = await device.load(file('./fixtures/faults.gfx1100.hsaco'));
    using out = device.alloc('u32', 64);
    const busy = module.kernel('busy');
    const codes = new Map<string, number>();
    await Promise.all(
      Array.from({ length: 6 }, async (_, q) => {
        for (let round = 0; round < 3; round++) {
          await using queue = device.queue({ packets: 64 });
          const abort = new AbortController();
          const launches = Array.from({ length: 30 }, (_unused, i) =>
            queue.launch(busy, {
              grid: 64,
              workgroup: 64,
              args: { out, rounds: 2000 },
              ...(i % 7 === 3 ? { signal: abort.signal } : {}),
            }),
          );
          if ((q + round) % 2 === 0) setImmediate(() => abort.abort());
          for (const end of await Promise.allSettled(launches)) {
            const code = end.status === 'fulfilled' ? 'done' : (end.reason as HsaError).code;
            codes.set(code, (codes.get(code) ?? 0) + 1);
          }
        }
      }),
    );
    expect([...codes.keys()].every((code) => code === 'done' || code === 'ERR_ABORTED')).toBe(true);
    expect([...codes.values()].reduce((all, count) => all + count)).toBe(6 * 3 * 30);
    await busy.launch({ grid: 64, workgroup: 64, args: { out, rounds: 0 } });
    expect((await out.read())[5]).toBe(5);
  });

  it('counts indices as listDevices does', async () => {
    const devices = await listDevices();
    const last = devices.at(-1)!;
    await using device = await openDevice({ index: last.index });
    expect([device.backend, device.isa]).toEqual([last.backend, last.isa]);
    await expect(openDevice({ index: devices.length })).rejects.toMatchObject({ code: 'ERR_NO_DEVICE' });
  });
});

describe('DOORBELL_DEVICE', () => {
  it.each([
    ['emulated', 'gfx1100'],
    ['emulated:', 'gfx1100'],
    ['emulated:0', 'gfx1100'],
    ['emulated:gfx942', 'gfx942:sramecc+:xnack-'],
    ['emulated:gfx90a:sramecc+:xnack-', 'gfx90a:sramecc+:xnack-'],
  ])('%s opens %s', async (text, isa) => {
    vi.stubEnv('DOORBELL_DEVICE', text);
    await using device = await openDevice();
    expect(device.isa).toBe(isa);
  });

  it.each([
    ['cuda', 'ERR_INVALID_ARGUMENT'],
    [':', 'ERR_INVALID_ARGUMENT'],
    ['emulated:-1', 'ERR_INVALID_ARGUMENT'],
    [' emulated', 'ERR_INVALID_ARGUMENT'],
    ['emulated:7', 'ERR_NO_DEVICE'],
    ['emulated:gfx9999', 'ERR_NOT_SUPPORTED'],
    ['emulated:gfx90a:sramecc-:xnack-', 'ERR_NO_DEVICE'],
  ])('%s is refused with %s', async (text, code) => {
    vi.stubEnv('DOORBELL_DEVICE', text);
    const error: unknown = await openDevice().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code });
    if (code === 'ERR_INVALID_ARGUMENT') expect(String(error)).toContain(`DOORBELL_DEVICE=${text}`);
    expect(await listDevices()).not.toHaveLength(0);
  });
});

describe('malformed variables', () => {
  it.each([
    ['ROCR_VISIBLE_DEVICES', 'all', 'there is no such word'],
    ['HSA_OVERRIDE_GFX_VERSION', 'gfx1030', 'it is not major.minor.stepping'],
  ])('%s=%s says so where no GPU is left, and nothing of its effect', async (variable, value, reason) => {
    vi.stubEnv(variable, value);
    const { hint } = (await openDevice(emulated).catch((error: unknown) => error)) as HsaError;
    expect(hint).toContain(`${variable}=${value}: `);
    expect(hint).toContain(reason);
    expect(hint).not.toMatch(/code for another GPU|hides the GPUs that it does not name/);
  });

  it('are published at every load', async () => {
    const told: string[] = [];
    const listen = (message: unknown): void => void told.push((message as { message: string }).message);
    subscribe('@doorbell/runtime:malformed-variable', listen);
    try {
      for (let i = 0; i < 2; i++)
        await (await Runtime.acquire({ ...emulated, env: { DOORBELL_LOG: 'loud', HSA_MAX_QUEUES: '-1' } })).release();
    } finally {
      unsubscribe('@doorbell/runtime:malformed-variable', listen);
    }
    for (const start of ['DOORBELL_LOG=loud: "loud" is no level', 'HSA_MAX_QUEUES=-1: it is no count'])
      expect(told.filter((text) => text.startsWith(start))).toHaveLength(2);
  });

  // Where this machine has a GPU, there is nothing to fall back to, and the line is of DOORBELL_LOG alone.
  it('of DOORBELL_LOG are in the one line that a program gets, once', async () => {
    vi.stubEnv('DOORBELL_LOG', 'loud');
    const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    for (let i = 0; i < 2; i++) await (await openDevice())[Symbol.asyncDispose]();
    const printed = stderr.mock.calls.map(([text]) => String(text));
    stderr.mockRestore();
    expect(printed).toEqual([
      expect.stringMatching(/^doorbell: (no AMD GPU is usable.*; )?DOORBELL_LOG=loud: "loud" is no level/),
    ]);
  });
});

describe('ROCR_VISIBLE_DEVICES', () => {
  it('is the hint where it hides every GPU', async () => {
    vi.stubEnv('ROCR_VISIBLE_DEVICES', '7');
    const error: unknown = await openDevice(emulated).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'ERR_NO_DEVICE' });
    expect((error as HsaError).hint).toContain('ROCR_VISIBLE_DEVICES=7');
  });
});

describe('HSA_OVERRIDE_GFX_VERSION', () => {
  it('is warned of at open, and a hint of every fault (O12)', async () => {
    vi.stubEnv('HSA_OVERRIDE_GFX_VERSION', '11.0.0');
    vi.stubEnv('DOORBELL_LOG', 'runtime:warn');
    const write = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
    const device = await openDevice(emulated);
    expect(write.mock.calls.filter(([line]) => String(line).includes('HSA_OVERRIDE_GFX_VERSION=11.0.0'))).toHaveLength(1);
    write.mockRestore();
    const module = await device.load(file('./fixtures/faults.gfx1100.hsaco'));
    const out = device.alloc('u32', 64);
    const launch = module.kernel('stray_write').launch({ grid: 64, workgroup: 64, args: { out, stride: 1 << 20 } });
    const error: unknown = await launch.then(undefined, (reason: unknown) => reason);
    expect(isHsaError(error, 'ERR_MEMORY_FAULT') && error.hint).toMatch(/index.*HSA_OVERRIDE_GFX_VERSION=11\.0\.0/);
    out.dispose();
    module.dispose();
    await device.dispose();
  });

  it('is named where code for the real GPU does not load any more (O13)', async () => {
    vi.stubEnv('HSA_OVERRIDE_GFX_VERSION', '10.3.0');
    vi.stubEnv('DOORBELL_LOG', 'error');
    await using device = await openDevice(emulated);
    const error: unknown = await device.load(file('./fixtures/matmul.gfx1100.hsaco')).catch((reason: unknown) => reason);
    expect(isHsaError(error, 'ERR_ISA_MISMATCH') && error.message).toContain(
      'HSA_OVERRIDE_GFX_VERSION=10.3.0 makes the gfx1100 GPU run as gfx1030',
    );
    expect((error as HsaError).hint).toContain('Unset HSA_OVERRIDE_GFX_VERSION');
  });

  it('makes the GPU what it says, and is named where no GPU suits (O12)', async () => {
    vi.stubEnv('HSA_OVERRIDE_GFX_VERSION_1', '10.3.0');
    vi.stubEnv('DOORBELL_LOG', 'error');
    const error: unknown = await openDevice({ backend: 'emulated', isa: 'gfx1100' }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'ERR_NO_DEVICE', message: expect.stringContaining('gfx1030') as string });
    expect((error as HsaError).hint).toContain('HSA_OVERRIDE_GFX_VERSION_1=10.3.0');
  });
});
