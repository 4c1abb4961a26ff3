import type { Completion, Device, HsaError, LaunchOptions, Module } from '@doorbell/runtime';
import { isHsaError, openDevice, read, readwrite, write } from '@doorbell/runtime';
import { apiTable } from '@doorbell/runtime/layers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const file = (name: string): URL => new URL(name, import.meta.url);
let device: Device;
let faults: Module;

beforeAll(async () => {
  device = await openDevice({ backend: 'emulated', isa: 'gfx1100' });
  faults = await device.load(file('./fixtures/faults.gfx1100.hsaco'));
});
afterAll(() => device.dispose());

/** The error a launch ends with. */
async function errorOf(completion: Completion): Promise<HsaError> {
  const error: unknown = await completion.then(
    () => new Error('the launch succeeded'),
    (reason: unknown) => reason,
  );
  if (isHsaError(error)) return error;
  throw error;
}

/** After any failure the device must still run kernels. */
async function expectStillRuns(): Promise<void> {
  using out = device.alloc('u32', 64);
  await faults.kernel('busy').launch({ grid: 64, workgroup: 64, args: { out, rounds: 0 } });
  expect([...(await out.read())].slice(0, 4)).toEqual([0, 1, 2, 3]);
}

describe('a launch', () => {
  it('outside a buffer says address, access, buffer, kernel, instruction, workgroup and lane', async () => {
    using out = device.alloc('u32', 64, { label: 'out' });
    const stray = faults.kernel('stray_write', { out: write('u32'), stride: 'u32' });
    const error = await errorOf(stray.launch({ grid: 64, workgroup: 64, args: { out, stride: 1 << 20 } }));
    expect(error.code).toBe('ERR_MEMORY_FAULT');
    expect(error.details).toMatchObject({
      kernel: 'stray_write',
      access: 'write',
      failure: 'not-present',
      workgroup: [0, 0, 0],
      wave: 0,
      lane: 1,
    });
    expect(error.details['address']).toBe(out.address + 4n * (1n << 20n));
    expect(error.message).toMatch(/out \(256 bytes\)/);
    expect(error.details['disassembly']).toMatch(/^global_store_b32/);
    // As llvm-symbolizer-22 has it.
    expect(error.details['source']).toEqual({ file: './tools/kernels/src/faults.cl', line: 5, column: 85 });
    expect(error.message).toContain('\n  in ./tools/kernels/src/faults.cl:5:');
    await expectStillRuns();
  });

  it('through a made-up pointer says what was read', async () => {
    using out = device.alloc('u32', 64);
    const error = await errorOf(faults.kernel('stray_read').launch({ grid: 64, workgroup: 64, args: { in: 0x1234_5000n, out } }));
    expect(error.code).toBe('ERR_MEMORY_FAULT');
    expect(error.details).toMatchObject({ kernel: 'stray_read', access: 'read' });
    await expectStillRuns();
  });

  it('that traps says so', async () => {
    using input = await device.from(new Uint32Array(64).fill(5));
    const error = await errorOf(faults.kernel('trap_if').launch({ grid: 64, workgroup: 64, args: { in: input, value: 5 } }));
    expect(error.code).toBe('ERR_KERNEL_TRAP');
    expect(error.details['disassembly']).toMatch(/^s_trap 2/);
    await expectStillRuns();
  });

  it('that makes no progress ends after timeoutMs', async () => {
    using flag = device.alloc('u32', 1);
    const error = await errorOf(faults.kernel('spin').launch({ grid: 64, workgroup: 64, args: { flag }, timeoutMs: 200 }));
    expect(error.code).toBe('ERR_TIMEOUT');
    expect(error.message).toMatch(/spin.*no progress for 200 ms/);
    await expectStillRuns();
  });

  it('that is aborted takes those behind it along, and the default queue is made anew', async () => {
    using flag = device.alloc('u32', 1);
    using out = device.alloc('u32', 64);
    const abort = new AbortController();
    const hung = faults.kernel('spin').launch({ grid: 64, workgroup: 64, args: { flag }, signal: abort.signal });
    const behind = faults.kernel('busy').launch({ grid: 64, workgroup: 64, args: { out, rounds: 1 } });
    setImmediate(() => abort.abort());
    const [first, second] = await Promise.all([errorOf(hung), errorOf(behind)]);
    expect([first.code, second.code]).toEqual(['ERR_ABORTED', 'ERR_ABORTED']);
    expect(second.details['cause']).toBe('queue');
    await expectStillRuns();
  });

  it('aborted before submission leaves no trace', async () => {
    using out = device.alloc('u32', 64);
    const busy = faults.kernel('busy');
    const error = await errorOf(busy.launch({ grid: 64, workgroup: 64, args: { out, rounds: 1 }, signal: AbortSignal.abort() }));
    expect(error.code).toBe('ERR_ABORTED');
    await expectStillRuns();
  });

  it('with wrong arguments is refused before the ring is touched', async () => {
    using out = device.alloc('u32', 64);
    const busy = faults.kernel('busy');
    const wrong: readonly LaunchOptions[] = [
      { grid: 64, workgroup: 64, args: { out } },
      { grid: 64, workgroup: 64, args: { out, rounds: 1, more: 2 } },
      { grid: 64, workgroup: 64, args: { out, rounds: 1.5 } },
      { grid: 64, workgroup: 64, args: { out: 'buffer', rounds: 1 } },
      { grid: 64, workgroup: 64, args: [out] },
      { grid: 64, workgroup: 2048, args: { out, rounds: 1 } },
      { grid: 0, workgroup: 64, args: { out, rounds: 1 } },
      { grid: [64, 1, 1, 1] as never, workgroup: 64, args: { out, rounds: 1 } },
      { grid: 64, workgroup: 64, kernarg: new Uint8Array(4) },
    ];
    for (const options of wrong) {
      expect((await errorOf(busy.launch(options))).code).toBe('ERR_INVALID_ARGUMENT');
    }
    const typed = faults.kernel('busy', { out: readwrite('f32'), rounds: 'u32' });
    // Safe: what a JavaScript caller might pass.
    expect((await errorOf(typed.launch({ grid: 64, workgroup: 64, args: { out: out as never, rounds: 1 } }))).message).toMatch(
      /f32.*u32/,
    );
    await expectStillRuns();
  });

  it('that nobody awaits surfaces as a fault event', async () => {
    using out = device.alloc('u32', 64);
    const heard = new Promise<HsaError>((resolve) => {
      const listener = device.on('fault', (error) => {
        listener[Symbol.dispose]();
        resolve(error);
      });
    });
    faults.kernel('busy').launch({ grid: 64, workgroup: 64, args: { out } });
    expect((await heard).code).toBe('ERR_INVALID_ARGUMENT');
  });

  it('on a disposed device, module or queue says so', async () => {
    const other = await openDevice({ backend: 'emulated', isa: 'gfx1100' });
    const module = await other.load(file('./programs/vadd.hsaco'));
    const vadd = module.kernel('vadd', { a: read('f32'), b: read('f32'), c: write('f32'), n: 'u32' });
    const buffer = other.alloc('f32', 64);
    const queue = other.queue();
    await queue.dispose();
    const args = { a: buffer, b: buffer, c: buffer, n: 64 };
    expect((await errorOf(queue.launch(vadd, { grid: 64, workgroup: 64, args }))).code).toBe('ERR_DISPOSED');
    await other.dispose();
    expect((await errorOf(vadd.launch({ grid: 64, workgroup: 64, args }))).code).toBe('ERR_DISPOSED');
    expect(() => other.alloc('u32', 1)).toThrow(expect.objectContaining({ code: 'ERR_DISPOSED' }));
    expect(await other.lost).toEqual({ reason: 'disposed' });
  });
});

describe('a tool', () => {
  it('sees every launch through the public table', async () => {
    const rings: bigint[] = [];
    using _ = apiTable.intercept(device.apiTable.core, 'hsa_signal_store_screlease', (next) => (signal, value) => {
      rings.push(value);
      next(signal, value);
    });
    const before = rings.length;
    await expectStillRuns();
    expect(rings.length - before).toBe(1);
  });

  it('sees memory, code and signals too', async () => {
    const seen = new Set<string>();
    using _ = apiTable.traceCalls(device.apiTable, ({ name }) => seen.add(name));
    await using queue = device.queue({ priority: 'high' });
    using module = await device.load(file('./programs/vadd.hsaco'));
    using buffer = device.alloc('f32', 64);
    await queue.launch(module.kernel('vadd'), { grid: 64, workgroup: 64, args: [buffer, buffer, buffer, 64] });
    for (const name of [
      'hsa_queue_create',
      'hsa_amd_queue_set_priority',
      'hsa_code_object_reader_create_from_memory',
      'hsa_executable_create_alt',
      'hsa_executable_load_agent_code_object',
      'hsa_executable_freeze',
      'hsa_executable_get_symbol_by_name',
      'hsa_executable_symbol_get_info',
      'hsa_amd_memory_pool_allocate',
      'hsa_amd_agents_allow_access',
      'hsa_signal_create',
      'hsa_queue_add_write_index_scacq_screl',
      'hsa_signal_store_screlease',
    ])
      expect(seen).toContain(name);
  });

  it('that fails or throws gives a typed error', () => {
    const { amdExt, core } = device.apiTable;
    const alloc = (): unknown => device.alloc('u32', 4);
    {
      using _ = apiTable.intercept(amdExt, 'hsa_amd_memory_pool_allocate', () => () => 0x1008);
      expect(alloc).toThrow(expect.objectContaining({ code: 'ERR_OUT_OF_MEMORY', hsaStatus: 0x1008 }));
    }
    {
      using _ = apiTable.intercept(amdExt, 'hsa_amd_memory_pool_allocate', () => () => {
        throw new TypeError('a bug in a tool');
      });
      expect(alloc).toThrow(expect.toSatisfy((e) => isHsaError(e, 'ERR_TOOL') && e.message.includes('a bug in a tool')));
    }
    const { hsa_queue_create: original } = core;
    core.hsa_queue_create = () => {
      throw new Error('assigned');
    };
    expect(() => device.queue()).toThrow(expect.objectContaining({ code: 'ERR_TOOL' }));
    core.hsa_queue_create = original;
    {
      using _ = apiTable.intercept(amdExt, 'hsa_amd_agents_allow_access', () => () => 0x1000);
      const frees: bigint[] = [];
      using _frees = apiTable.intercept(amdExt, 'hsa_amd_memory_pool_free', (next) => (address) => {
        frees.push(address);
        return next(address);
      });
      expect(alloc).toThrow(expect.objectContaining({ code: 'ERR_TOOL' }));
      expect(frees).toHaveLength(1);
    }
  });

  it('that throws at the doorbell does not keep the packet from running', async () => {
    const { core } = device.apiTable;
    const { hsa_signal_store_screlease: original } = core;
    core.hsa_signal_store_screlease = () => {
      throw new Error('assigned');
    };
    try {
      await expectStillRuns();
    } finally {
      core.hsa_signal_store_screlease = original;
    }
    using _ = apiTable.intercept(core, 'hsa_queue_add_write_index_scacq_screl', () => () => {
      throw new Error('a bug in a tool');
    });
    await expectStillRuns();
  });
});
