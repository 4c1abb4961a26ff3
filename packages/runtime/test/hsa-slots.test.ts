/**
 * The tables as a C program uses them. Expected statuses and values: hsa.h, hsa_ext_amd.h and what ROCr answers; 0x1000-numbers are
 * written as numbers, so that a wrong constant is seen.
 */
import { readFileSync, openSync, closeSync } from 'node:fs';
import { Runtime } from '@doorbell/runtime';
import { abi } from '@doorbell/runtime/layers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const { ref } = abi;
const path = (name: string): string => new URL(name, import.meta.url).pathname;
let runtime: Runtime;
let core: Runtime['tables']['public']['core'];
let amd: Runtime['tables']['public']['amdExt'];
let cpu: bigint;
let gpu: bigint;

beforeAll(async () => {
  runtime = await Runtime.acquire({ backend: 'emulated' });
  ({ core, amdExt: amd } = runtime.tables.public);
  const agents: bigint[] = [];
  core.hsa_iterate_agents((agent) => (agents.push(agent), 0), null);
  [cpu, gpu] = agents as [bigint, bigint];
});
afterAll(() => runtime.release());

function get(call: (value: abi.Ref<unknown>) => number): unknown {
  const value = ref<unknown>(undefined);
  const status = call(value);
  return status === 0 ? value.value : `0x${status.toString(16)}`;
}
const agentInfo = (agent: bigint, attribute: number): unknown => get((value) => core.hsa_agent_get_info(agent, attribute, value));
function list(iterate: (callback: (handle: bigint) => number) => number): bigint[] {
  const handles: bigint[] = [];
  expect(iterate((handle) => (handles.push(handle), 0))).toBe(0);
  return handles;
}
const pools = (agent: bigint): bigint[] => list((each) => amd.hsa_amd_agent_iterate_memory_pools(agent, each, null));
const regions = (agent: bigint): bigint[] => list((each) => core.hsa_agent_iterate_regions(agent, each, null));

describe('agents', () => {
  it.each<[number, unknown]>([
    [0, 'gfx1100'],
    [1, 'AMD'],
    [2, 1],
    [3, 1],
    [4, 0],
    [5, 2],
    [6, 32],
    [7, [1024, 1024, 1024]],
    [8, 1024],
    [9, { x: 0x7fffffff, y: 65535, z: 65535 }],
    [10, 0xffffffff],
    [11, 32],
    [12, 128],
    [13, 0x40],
    [14, 0x20000],
    [15, 0],
    [16, 1],
    [17, 1],
    [21, 1],
    [22, 1],
    [24, true],
    [0xa004, 1],
    [0xa111, 1],
    [0xa110, 0],
    [0xa114, new Uint8Array(8)],
    [0xa115, new Uint8Array(8)],
    [0xa116, 2n ** 32n],
    [0xa117, 0n],
    [25, '0x1001'],
    [0xa017, '0x1001'],
  ])('answer attribute %i of a GPU', (attribute, expected) => {
    expect(agentInfo(gpu, attribute)).toEqual(expected);
  });

  it('answer every attribute of a GPU that the header lists, with a value of its type', () => {
    const numbers = [
      ...range(0xa000, 0xa008),
      ...range(0xa00a, 0xa00d),
      0xa00f,
      0xa012,
      0xa014,
      ...range(0xa108, 0xa10b),
      0xa112,
    ];
    for (const attribute of numbers) expect(agentInfo(gpu, attribute), attribute.toString(16)).toBeTypeOf('number');
    for (const attribute of [0xa015, 0xa016]) expect(agentInfo(gpu, attribute), attribute.toString(16)).toBeTypeOf('bigint');
    for (const attribute of [0xa010, 0xa013]) expect(agentInfo(gpu, attribute), attribute.toString(16)).toBeTypeOf('boolean');
    expect(agentInfo(gpu, 0xa011)).toMatch(/^GPU-([0-9a-f]{16}|XX)$/);
    expect(agentInfo(gpu, 0xa113)).toBe(cpu);
    expect(agentInfo(gpu, 0xa118)).toEqual({
      gpu_clock_counter: expect.any(BigInt) as bigint,
      cpu_clock_counter: expect.any(BigInt) as bigint,
      system_clock_counter: expect.any(BigInt) as bigint,
      system_clock_frequency: expect.any(BigInt) as bigint,
    });
  });

  it('stop an iteration with what the callback returns, and refuse what is no agent', () => {
    let calls = 0;
    expect(core.hsa_iterate_agents(() => (calls++, 1), null)).toBe(1);
    expect(calls).toBe(1);
    expect(core.hsa_agent_get_info(99n, 0, ref<unknown>(0))).toBe(0x1004);
    expect(core.hsa_agent_get_info(gpu, 0, null as never)).toBe(0x1001);
    expect(core.hsa_iterate_agents(null as never, null)).toBe(0x1001);
    expect(
      core.hsa_iterate_agents(() => {
        throw new Error('a bug in the program');
      }, null),
    ).toBe(0x1000);
  });

  it('have instruction sets whose deprecated wave size is 64', () => {
    const isa = agentInfo(gpu, 19) as bigint;
    const of = (attribute: number): unknown => get((value) => core.hsa_isa_get_info_alt(isa, attribute, value));
    expect([0, 1, 2, 3, 4, 5].map(of)).toEqual([
      'amdgcn-amd-amdhsa--gfx1100'.length + 1,
      'amdgcn-amd-amdhsa--gfx1100',
      1,
      64,
      40,
      [false, true],
    ]);
    expect(get((value) => core.hsa_isa_get_info_alt(gpu, 0, value))).toBe('0x100f');
    expect(core.hsa_isa_from_name('amdgcn-amd-amdhsa--gfx1100:xnack+', ref(0n))).toBe(0x1017);
  });
});

describe('memory', () => {
  it('regions of a GPU are its own, then the system’s: fine, then coarse', () => {
    const [fine, extended, kernarg, coarse] = pools(cpu) as [bigint, bigint, bigint, bigint];
    expect(regions(cpu)).toEqual([fine, extended, kernarg, coarse]);
    expect(regions(gpu)).toEqual([...pools(gpu), fine, extended, kernarg, coarse]);
    const flags = regions(gpu).map((region) => get((value) => core.hsa_region_get_info(region, 1, value)));
    expect(flags.slice(-4)).toEqual([2, 8, 3, 4]);
    const hostAccessible = regions(gpu).map((region) => get((value) => core.hsa_region_get_info(region, 0xa000, value)));
    expect(hostAccessible.slice(-4)).toEqual([true, true, true, true]);
    expect(get((value) => core.hsa_region_get_info(fine, 8, value))).toBe('0x1001');
    expect(get((value) => core.hsa_region_get_info(99n, 0, value))).toBe('0x1005');
    expect(get((value) => amd.hsa_amd_memory_pool_get_info(99n, 0, value))).toBe('0x28');
  });

  it('is allocated, mapped and freed, and refused with the right status', () => {
    const vram = pools(gpu)[0]!;
    const lds = pools(gpu).at(-1)!;
    const address = ref(0n);
    const allocate = (pool: bigint, size: bigint): number => amd.hsa_amd_memory_pool_allocate(pool, size, 0, address);
    expect([allocate(vram, 0n), allocate(99n, 1n), allocate(lds, 64n), allocate(vram, 2n ** 63n)]).toEqual([
      0x1001, 40, 0x1003, 0x1003,
    ]);
    expect(core.hsa_memory_allocate(vram, 0n, ref(0n))).toBe(0x1001);
    expect(allocate(vram, 4096n)).toBe(0);
    const access = (count: number, agents: readonly bigint[], at = address.value): number =>
      amd.hsa_amd_agents_allow_access(count, agents, null, at);
    expect([access(1, [gpu]), access(0, []), access(2, [gpu]), access(1, [99n]), access(1, [gpu], 5n)]).toEqual([
      0, 0x1001, 0x1001, 0x1004, 0x1003,
    ]);
    const fill = amd.hsa_amd_memory_fill;
    expect([fill(0n, 1, 1n), fill(address.value + 1n, 1, 1n), fill(address.value, 1, 0n), fill(address.value, 7, 1024n)]).toEqual(
      [0x1001, 0x1001, 0, 0],
    );
    expect(fill(address.value, 7, 1025n)).toBe(0x1003);
    const copy = new Uint8Array(4);
    expect(core.hsa_memory_copy(copy, address.value + 4092n, 4n)).toBe(0);
    expect([...copy]).toEqual([7, 0, 0, 0]);
    expect([core.hsa_memory_copy(0n, address.value, 4n), core.hsa_memory_copy(copy, address.value, 0n)]).toEqual([0x1001, 0]);
    expect([amd.hsa_amd_memory_pool_free(address.value), amd.hsa_amd_memory_pool_free(address.value)]).toEqual([0, 0x1003]);
    expect([amd.hsa_amd_memory_pool_free(0n), core.hsa_memory_free(0n)]).toEqual([0, 0]);
  });
});

describe('signals', () => {
  it('take every operation, and give the value before where C does', () => {
    const handle = ref(0n);
    expect(core.hsa_signal_create(-5n, 0, null, handle)).toBe(0);
    const signal = handle.value;
    const load = (): bigint => core.hsa_signal_load_scacquire(signal);
    expect(load()).toBe(-5n);
    core.hsa_signal_store_relaxed(signal, 12n);
    core.hsa_signal_add_scacq_screl(signal, 3n);
    core.hsa_signal_subtract_relaxed(signal, 1n);
    expect(load()).toBe(14n);
    core.hsa_signal_and_scacquire(signal, 12n);
    core.hsa_signal_or_screlease(signal, 3n);
    core.hsa_signal_xor_relaxed(signal, 1n);
    expect(load()).toBe(14n);
    expect([core.hsa_signal_exchange_relaxed(signal, 9n), core.hsa_signal_cas_relaxed(signal, 8n, 1n)]).toEqual([14n, 9n]);
    expect([core.hsa_signal_cas_scacq_screl(signal, 9n, 1n), load()]).toEqual([9n, 1n]);
    expect(core.hsa_signal_wait_scacquire(signal, 2, 2n, 2n ** 64n - 1n, 0)).toBe(1n);
    expect(core.hsa_signal_wait_relaxed(signal, 0, 7n, 0n, 0)).toBe(1n);
    expect([core.hsa_signal_destroy(signal), core.hsa_signal_destroy(signal), core.hsa_signal_destroy(0n)]).toEqual([
      0, 0x1006, 0x1001,
    ]);
    expect(load()).toBe(0n);
    expect(core.hsa_signal_store_relaxed(signal, 1n)).toBeUndefined();
  });

  it('are refused for consumers that are missing or named twice', () => {
    const out = ref(0n);
    expect(core.hsa_signal_create(1n, 1, null, out)).toBe(0x1001);
    expect(core.hsa_signal_create(1n, 2, [gpu], out)).toBe(0x1001);
    expect(core.hsa_signal_create(1n, 2, [gpu, gpu], out)).toBe(0x1001);
    expect(core.hsa_signal_create(1n, 2, [gpu, cpu], out)).toBe(0);
    expect(core.hsa_signal_destroy(out.value)).toBe(0);
  });

  it('survive a handler that throws', async () => {
    const out = ref(0n);
    core.hsa_signal_create(1n, 0, null, out);
    const failed = new Promise<abi.LibraryEvent>((resolve) => {
      const listener = runtime.events.listen((event) => {
        if (event.name !== 'callback-failed') return;
        listener[Symbol.dispose]();
        resolve(event);
      });
    });
    const handler = (): boolean => {
      throw new Error('a bug in the program');
    };
    expect(amd.hsa_amd_signal_async_handler(out.value, 2, 1n, handler, null)).toBe(0);
    core.hsa_signal_store_screlease(out.value, 0n);
    expect((await failed).message).toContain('a bug in the program');
    core.hsa_signal_destroy(out.value);
  });
});

describe('queues', () => {
  it.each<[string, number, () => bigint, number, number, number]>([
    ['size 0', 0, () => gpu, 0, 0, 0x1001],
    ['a size that is no power of two', 100, () => gpu, 0, 0, 0x1001],
    ['type 3', 64, () => gpu, 3, 0, 0x1001],
    ['no agent', 64, () => 99n, 0, 0, 0x1004],
    ['a CPU', 64, () => cpu, 0, 0, 0x1002],
    ['a size that is too small', 32, () => gpu, 0, 0, 0x1001],
    ['a size that is too large', 0x40000, () => gpu, 0, 0, 0x1008],
    ['more scratch than a work-item has', 64, () => gpu, 0, 262_129, 0x1008],
  ])('are refused for %s', (_name, size, agent, type, privateBytes, status) => {
    expect(core.hsa_queue_create(agent(), size, type, null, null, privateBytes, 0, ref(0n))).toBe(status);
  });

  it('live and die', () => {
    const queue = ref(0n);
    let told = 0;
    const callback = (): void => {
      told++;
      throw new Error('a bug in the program');
    };
    expect(core.hsa_queue_create(gpu, 64, 1, callback, null, 0xffffffff, 0xffffffff, queue)).toBe(0);
    expect(core.hsa_queue_add_write_index_relaxed(queue.value, 2n)).toBe(0n);
    expect(core.hsa_queue_cas_write_index_relaxed(queue.value, 2n, 0n)).toBe(2n);
    expect(core.hsa_queue_load_write_index_scacquire(queue.value)).toBe(0n);
    expect([core.hsa_queue_inactivate(queue.value), core.hsa_queue_inactivate(queue.value), told]).toEqual([0, 0, 1]);
    expect([core.hsa_queue_destroy(queue.value), core.hsa_queue_destroy(queue.value)]).toEqual([0, 0x1007]);
    expect(core.hsa_queue_load_read_index_relaxed(queue.value)).toBe(0n);
  });
});

describe('executables', () => {
  it('are made, loaded, frozen and looked into', () => {
    const bytes = new Uint8Array(readFileSync(path('./programs/vadd.hsaco')));
    const [reader, executable, symbol] = [ref(0n), ref(0n), ref(0n)];
    expect(core.hsa_code_object_reader_create_from_memory(bytes, BigInt(bytes.length), reader)).toBe(0);
    expect(core.hsa_executable_create_alt(1, 0, null, executable)).toBe(0);
    const load = (agent: bigint, from = reader.value): number =>
      core.hsa_executable_load_agent_code_object(executable.value, agent, from, null, null);
    expect([load(99n), load(cpu), load(gpu, 99n), load(gpu), load(gpu)]).toEqual([0x1004, 0x1004, 0x1021, 0, 0x1014]);
    expect(core.hsa_executable_freeze(executable.value, null)).toBe(0);
    expect([core.hsa_executable_freeze(executable.value, null), load(gpu)]).toEqual([0x1012, 0x1012]);
    const find = (name: string, agent: bigint | null): number =>
      core.hsa_executable_get_symbol_by_name(executable.value, name, agent, symbol);
    expect([find('vadd', gpu), find('vadd.kd', null), find('vadd.kd', gpu)]).toEqual([0x1013, 0x1013, 0]);
    const info = (attribute: number): unknown =>
      get((value) => core.hsa_executable_symbol_get_info(symbol.value, attribute, value));
    expect([0, 1, 2, 5, 17, 20, 12, 13, 15].map(info)).toEqual([1, 7, 'vadd.kd', 1, true, gpu, 16, 0, false]);
    expect(info(6)).toBe('0x1001');
    expect(get((value) => core.hsa_executable_get_info(executable.value, 2, value))).toBe(1);
    expect([core.hsa_executable_destroy(executable.value), core.hsa_executable_destroy(executable.value)]).toEqual([0, 0x1011]);
    expect(info(0)).toBe('0x1019');
    expect([core.hsa_code_object_reader_destroy(reader.value), core.hsa_code_object_reader_destroy(reader.value)]).toEqual([
      0, 0x1021,
    ]);
  });

  it('are refused for unknown profiles, modes and states', () => {
    const out = ref(0n);
    expect(core.hsa_executable_create_alt(7, 0, null, out)).toBe(0x1001);
    expect(core.hsa_executable_create_alt(1, 9, null, out)).toBe(0x1001);
    expect(core.hsa_executable_create(1, 5, null, out)).toBe(0x1001);
  });

  it('read code objects from files', () => {
    const reader = ref(0n);
    const read = (file: number): number => core.hsa_code_object_reader_create_from_file(file, reader);
    expect([read(-1), read(9999)]).toEqual([0x1001, 0x1020]);
    const file = openSync(path('./programs/vadd.hsaco'), 'r');
    expect(read(file)).toBe(0);
    closeSync(file);
    expect(core.hsa_code_object_reader_destroy(reader.value)).toBe(0);
    expect(core.hsa_code_object_reader_create_from_memory(new Uint8Array(4), 0n, reader)).toBe(0x1001);
    expect(core.hsa_code_object_reader_create_from_memory(new Uint8Array(4), 5n, reader)).toBe(0x1001);
  });
});

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}
