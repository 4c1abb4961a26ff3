import type { Completion, Device, HsaError, Module } from '@doorbell/runtime';
import { isHsaError, openDevice } from '@doorbell/runtime';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

const SOURCE = './tools/kernels/src/wrong.cl';

/** Bits of the queue's inactive signal that ROCr knows (amd_aql_queue.cpp, DynamicQueueEventsHandler). */
const MEMORY_VIOLATION = 0x2000_0000n;
const ILLEGAL_INSTRUCTION = 0x4000_0000n;
const TRAP = 0x8000_0000n;
/** hsa.h, hsa_ext_amd.h. */
const STATUS_EXCEPTION = 0x1016;
const STATUS_APERTURE_VIOLATION = 0x29;
const STATUS_ILLEGAL_INSTRUCTION = 0x2a;
const STATUS_MEMORY_FAULT = 0x2b;

const source = readFileSync(new URL('../../../tools/kernels/src/wrong.cl', import.meta.url), 'utf8').split('\n');
/** Line of the source that holds a text. */
const lineOf = (text: string): number => source.findIndex((line) => line.includes(text)) + 1;

/** The work-item that goes wrong: of workgroups of 128, the 8th of the third 32 of workgroup 3. */
const BAD = 3 * 128 + 71;

/** Ten kernels that hang, race or fault end as documented on each device, and the device runs kernels after them. */
export function describeWrongKernels(runs: readonly (readonly [isa: string, workers: number])[]): void {
  describe.each(runs)('of ten kernels that go wrong, on %s, workers: %i,', wrongKernelsOn);
}

function wrongKernelsOn(isa: string, workers: number): void {
  let device: Device;
  let wrong: Module;
  /** Where the work-item {@link BAD} is. */
  const bad = isa.startsWith('gfx9') ? { workgroup: [3, 0, 0], wave: 1, lane: 7 } : { workgroup: [3, 0, 0], wave: 2, lane: 7 };

  beforeAll(async () => {
    vi.stubEnv('DOORBELL_WORKERS', String(workers));
    try {
      device = await openDevice({ backend: 'emulated', isa });
    } finally {
      vi.unstubAllEnvs();
    }
    wrong = await device.load(new URL(`./fixtures/wrong.${isa}.hsaco`, import.meta.url));
  });
  afterAll(() => device.dispose());

  /** The error a launch ends with; the device runs kernels after it. */
  async function errorOf(completion: Completion): Promise<HsaError> {
    const error: unknown = await completion.then(
      () => new Error('the launch succeeded'),
      (reason: unknown) => reason,
    );
    if (!isHsaError(error)) throw error;
    using out = device.alloc('u32', 256);
    await wrong.kernel('abort_at').launch({ grid: 256, workgroup: 128, args: { out, bad: 256 } });
    expect([...(await out.read())]).toEqual(Array.from({ length: 256 }, (_, i) => i));
    return error;
  }

  it('a spin lock is taken by a thousand workgroups, one after the other', async () => {
    using lock = device.alloc('u32', 1);
    using count = device.alloc('u32', 1);
    await wrong.kernel('spin_lock').launch({ grid: 64_000, workgroup: 64, args: { lock, count, unlock: 1 } });
    expect(count.view()[0]).toBe(1000);
  });

  it('a spin lock that nobody gives back ends after timeoutMs', async () => {
    using lock = device.alloc('u32', 1);
    using count = device.alloc('u32', 1);
    const launch = { grid: 64_000, workgroup: 64, args: { lock, count, unlock: 0 }, timeoutMs: 400 };
    expect((await errorOf(wrong.kernel('spin_lock').launch(launch))).code).toBe('ERR_TIMEOUT');
    expect(count.view()[0]).toBe(1);
  });

  it('consumers before all producers get what these make, hundreds of them', async () => {
    const pairs = 150;
    using ready = device.alloc('u32', pairs);
    using values = device.alloc('u32', pairs * 64);
    using out = device.alloc('u32', pairs * 64);
    const args = { ready, values, out, pairs };
    await wrong.kernel('produce_consume').launch({ grid: 2 * pairs * 64, workgroup: 64, args });
    const expected = Array.from({ length: pairs * 64 }, (_, i) => Math.floor(i / 64) * 1000 + (i % 64) + 1);
    expect([...out.view()]).toEqual(expected);
  });

  it('one without its barrier reads what was or what is, and with it what is', async () => {
    using out = device.alloc('u32', 512);
    const kernel = wrong.kernel('missing_barrier');
    const right = Array.from({ length: 512 }, (_, i) => 1000 + ((i + 128) & 255));
    await kernel.launch({ grid: 512, workgroup: 256, args: { out, wait: 0 } });
    expect([...out.view()].filter((value, i) => value !== 7 && value !== right[i])).toEqual([]);
    await kernel.launch({ grid: 512, workgroup: 256, args: { out, wait: 1 } });
    expect([...out.view()]).toEqual(right);
  });

  it.each([
    ['that is no address of anything', 0x1234_5000n],
    ['that is not canonical', 0x8000_1234_5678_9abcn],
  ])('a wild pointer %s is a memory fault at its place', async (_what, address) => {
    using pointers = device.alloc('u64', 1);
    await pointers.write(new BigUint64Array([address]));
    const error = await errorOf(
      wrong.kernel('wild_pointer').launch({ grid: 1024, workgroup: 128, args: { pointers, bad: BAD } }),
    );
    expect(error).toMatchObject({ code: 'ERR_MEMORY_FAULT', hsaStatus: STATUS_MEMORY_FAULT });
    expect(error.details).toMatchObject({
      kernel: 'wild_pointer',
      inactive: MEMORY_VIOLATION,
      address,
      access: 'write',
      source: { file: SOURCE, line: lineOf('*(__global uint *)pointers[0] = item;') },
      ...bad,
    });
    expect(error.details['disassembly']).toMatch(/^(global|flat)_store_(b32|dword) /);
    expect(error.details['nearest']).toBeUndefined();
  });

  it('a buffer that is freed while the kernel writes to it is a memory fault', async () => {
    using begun = device.alloc('u32', 1);
    const data = device.alloc('u32', 64);
    const { address } = data;
    const launch = wrong.kernel('use_after_free').launch({ grid: 64, workgroup: 64, args: { begun, data } });
    while (!launch.done && Atomics.load(begun.view(), 0) === 0) await new Promise((turn) => setImmediate(turn));
    data.dispose();
    const error = await errorOf(launch);
    expect(error).toMatchObject({ code: 'ERR_MEMORY_FAULT', hsaStatus: STATUS_MEMORY_FAULT });
    expect(error.details).toMatchObject({
      inactive: MEMORY_VIOLATION,
      address,
      failure: 'not-present',
      workgroup: [0, 0, 0],
      lane: 0,
      source: { file: SOURCE, line: lineOf('data[LOCAL] = ++round;') },
    });
  });

  it('a buffer that was freed before is refused, and its address is a memory fault', async () => {
    using pointers = device.alloc('u64', 1);
    const freed = device.alloc('u32', 64);
    freed.dispose();
    const kernel = wrong.kernel('wild_pointer');
    const refused = await errorOf(kernel.launch({ grid: 128, workgroup: 128, args: { pointers: freed, bad: 0 } }));
    expect(refused.code).toBe('ERR_DISPOSED');
    await pointers.write(new BigUint64Array([freed.address]));
    const error = await errorOf(kernel.launch({ grid: 128, workgroup: 128, args: { pointers, bad: 0 } }));
    expect(error.details).toMatchObject({ inactive: MEMORY_VIOLATION, address: freed.address, failure: 'not-present', lane: 0 });
  });

  it('deep recursion runs out of its stack, and has room in a larger one', async () => {
    using out = device.alloc('u32', 64);
    const kernel = wrong.kernel('stack_overflow');
    const sums = (depth: number): number[] => {
      let sum = 0;
      for (let n = 1; n <= depth; n++) sum += n + (n & 15);
      return Array.from({ length: 64 }, (_, item) => sum + item);
    };
    await kernel.launch({ grid: 64, workgroup: 64, args: { out, depth: 0 } });
    expect([...out.view()]).toEqual(sums(0));
    const error = await errorOf(kernel.launch({ grid: 64, workgroup: 64, args: { out, depth: 100 } }));
    expect(error).toMatchObject({ code: 'ERR_APERTURE_VIOLATION', hsaStatus: STATUS_APERTURE_VIOLATION });
    expect(error.message).toMatch(/Private memory write at offset 0x[0-9a-f]+; a work-item has \d+ bytes/);
    expect(error.hint).toContain('stackBytes');
    expect(error.details).toMatchObject({ inactive: MEMORY_VIOLATION, access: 'write', workgroup: [0, 0, 0], wave: 0 });
    expect(error.details['source']).toMatchObject({ file: SOURCE });
    await kernel.launch({ grid: 64, workgroup: 64, args: { out, depth: 100 }, stackBytes: 32_768 });
    expect([...out.view()]).toEqual(sums(100));
  });

  it.each([
    ['128 words', 128],
    ['1024 words', 1024],
    ['a gigabyte', 1 << 28],
  ])('one that overruns LDS by %s reads 0 there, and its stores are dropped', async (_what, at) => {
    using out = device.alloc('u32', 512);
    await wrong.kernel('lds_overrun').launch({ grid: 256, workgroup: 256, args: { out, at } });
    const inside = (item: number): boolean => item + at < 256;
    const items = Array.from({ length: 256 }, (_, item) => item);
    expect([...out.view()]).toEqual([
      ...items.map((item) => (inside(item) ? 1000 + item : 0)),
      ...items.map((item) => (item >= at ? 1000 + item - at : 7)),
    ]);
  });

  it('an endless loop ends when it is aborted', async () => {
    using flag = device.alloc('u32', 1);
    const abort = new AbortController();
    const launch = wrong.kernel('endless_loop').launch({ grid: 6400, workgroup: 64, args: { flag }, signal: abort.signal });
    setImmediate(() => abort.abort());
    expect((await errorOf(launch)).code).toBe('ERR_ABORTED');
  });

  it('an endless loop ends after timeoutMs, and the error names the kernel', async () => {
    using flag = device.alloc('u32', 1);
    const error = await errorOf(
      wrong.kernel('endless_loop').launch({ grid: 6400, workgroup: 64, args: { flag }, timeoutMs: 100 }),
    );
    expect(error).toMatchObject({ code: 'ERR_TIMEOUT', details: { kernel: 'endless_loop' } });
    expect(error.message).toContain('no progress for 100 ms');
  });

  it('one that aborts is a trap of the work-item that did', async () => {
    using out = device.alloc('u32', 1024);
    const error = await errorOf(wrong.kernel('abort_at').launch({ grid: 1024, workgroup: 128, args: { out, bad: BAD } }));
    expect(error).toMatchObject({ code: 'ERR_KERNEL_TRAP', hsaStatus: STATUS_EXCEPTION });
    expect(error.details).toMatchObject({
      kernel: 'abort_at',
      inactive: TRAP,
      disassembly: 's_trap 2',
      source: { file: SOURCE, line: lineOf('__builtin_trap();') },
      ...bad,
    });
  });

  it('one with code that no GPU has is an illegal instruction', async () => {
    using out = device.alloc('u32', 1024);
    const error = await errorOf(wrong.kernel('illegal_opcode').launch({ grid: 1024, workgroup: 128, args: { out, bad: 3 } }));
    expect(error).toMatchObject({ code: 'ERR_ILLEGAL_INSTRUCTION', hsaStatus: STATUS_ILLEGAL_INSTRUCTION });
    expect(error.details).toMatchObject({
      kernel: 'illegal_opcode',
      inactive: ILLEGAL_INSTRUCTION,
      disassembly: '.long 0xbfffffff',
      source: { file: SOURCE, line: lineOf('.long 0xbfffffff') },
      workgroup: [3, 0, 0],
      wave: expect.any(Number) as number,
      lane: 0,
    });
  });

  it('a grid that nobody can count is refused, and the hint says why', async () => {
    using out = device.alloc('u32', 1);
    const grid = [0xffff_ffff, 0xffff_ffff, 0xffff_ffff] as const;
    const error = await errorOf(wrong.kernel('abort_at').launch({ grid, workgroup: 64, args: { out, bad: 0 } }));
    expect(error.message).toMatch(/grid 4294967295×4294967295×4294967295 has about \S+ waves/);
    expect(error.hint).toMatch(/grid and workgroup sizes/);
  });
}
