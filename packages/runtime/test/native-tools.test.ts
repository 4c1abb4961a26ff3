import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { hsa, hsaStatusString, ref } from '@doorbell/abi';
import { openDevice, read, Runtime, write } from '../src/index.js';
import { apiTable, thunkLoader } from '../src/layers.js';
import { answersOf, buildPassing, C_TABLES, countsOf, exported, ToolShop, whyNoTools } from './native-tools.js';

const VADD = readFileSync(new URL('./programs/vadd.hsaco', import.meta.url));
const reason = whyNoTools();

/** A runtime of its own, with tools. */
function open(tools: string, env: Readonly<Record<string, string>> = {}): Promise<Runtime> {
  return Runtime.acquire({ backend: 'emulated', env: { HSA_TOOLS_LIB: tools, HSA_TOOLS_REPORT_LOAD_FAILURE: '0', ...env } });
}

/** Runs `body` on a device that was opened with the tools in the environment, as a program's user sets them. */
async function withTools(tools: string, body: (device: Awaited<ReturnType<typeof openDevice>>) => Promise<void>): Promise<void> {
  process.env['HSA_TOOLS_LIB'] = tools;
  try {
    await using device = await openDevice({ backend: 'emulated', isa: 'gfx1100' });
    await body(device);
  } finally {
    delete process.env['HSA_TOOLS_LIB'];
  }
}

async function launchVadd(device: Awaited<ReturnType<typeof openDevice>>): Promise<Float32Array> {
  using module = await device.load(VADD);
  const vadd = module.kernel('vadd', { a: read('f32'), b: read('f32'), c: write('f32'), n: 'u32' });
  const n = 1024;
  using a = await device.from(new Float32Array(n).fill(1));
  using b = await device.from(new Float32Array(n).fill(2));
  using c = device.alloc('f32', n);
  await vadd.launch({ grid: n, workgroup: 256, args: { a, b, c, n } });
  return c.read();
}

describe.skipIf(reason !== '')(`native tools ${reason}`, () => {
  const shop = new ToolShop();
  afterAll(() => shop[Symbol.dispose]());

  it('sees every call of a launch through the friendly API', async () => {
    const path = shop.build('counting');
    // Keeps the library open after the runtime has closed it, so that the count of OnUnload can be read.
    const foreign = thunkLoader.loadForeignFunctions();
    const held = foreign.openLibrary(path);
    await withTools(path, async (device) => {
      expect(device.failedTools).toEqual([]);
      expect(new Set(await launchVadd(device))).toEqual(new Set([3]));
      expect(countsOf(path)).toEqual({
        queueCreate: 1,
        freeze: 1,
        readerBytes: VADD.length,
        allocate: expect.any(Number) as number,
        ring: 1,
        queueSize: 1024,
        unloaded: 0,
        symbol: 1,
      });
      expect(countsOf(path).allocate).toBeGreaterThanOrEqual(4);
    });
    expect(countsOf(path).unloaded).toBe(1);
    if (held.ok) held.library.close();
  });

  it('puts the last tool of the list outermost', async () => {
    const inner = shop.build('counting', { as: 'inner', flags: ['-DFACTOR=4'] });
    const outer = shop.build('counting', { as: 'outer', flags: ['-DFACTOR=2'] });
    await withTools(`${inner} "${outer}"`, async (device) => {
      await launchVadd(device);
      expect([countsOf(outer).queueSize, countsOf(inner).queueSize]).toEqual([1024, 2048]);
      expect([countsOf(outer).ring, countsOf(inner).ring]).toEqual([1, 1]);
    });
  });

  it('leaves out a tool of another version, says both versions, and runs on', async () => {
    const refusing = shop.build('other-version');
    const declaring = shop.build('declared-version');
    const counting = shop.build('counting', { as: 'third' });
    await withTools(`${refusing} ${declaring} ${counting}`, async (device) => {
      const [refused, declared] = device.failedTools;
      expect(device.failedTools.map(({ path, reason }) => [path, reason])).toEqual([
        [refusing, 'refused'],
        [declaring, 'version'],
      ]);
      expect(refused?.message).toContain('core 2 (1016 bytes, step 0) here');
      expect(declared?.versions[0]).toEqual({
        table: 'root',
        ours: { major: 3, minor: 64, step: 1 },
        theirs: { major: 1, minor: 48, step: 0 },
      });
      expect(declared?.message).toContain('core 2 (1016 bytes, step 0) here, 1 (1016 bytes, step 0) of the tool');
      expect(new Set(await launchVadd(device))).toEqual(new Set([3]));
      expect(countsOf(counting).queueCreate).toBe(1);
    });
  });

  it('lays the tables out as gcc does', () => {
    const { sizeBytes, tables, slots } = apiTable.layoutNativeTables();
    const offset = (struct: string, member: string): string => `printf("%zu\\n", offsetof(${struct}, ${member}));`;
    const print = (include: string, statements: readonly string[]): readonly number[] =>
      shop
        .run(`#include <cstddef>\n#include <cstdio>\n${include}\nint main() { ${statements.join('')} }`)
        .trim()
        .split('\n')
        .map(Number);
    const inTable = (wanted: readonly apiTable.NativeSlot[]): readonly number[] =>
      wanted.map((slot) => slot.offset - tables[slot.table].offset);
    const inC = (wanted: readonly apiTable.NativeSlot[]): readonly string[] =>
      wanted.map(({ table, name }) => offset(C_TABLES[table][0], `${name}_fn`));
    const sizes = Object.values(C_TABLES).map(([struct]) => `printf("%zu\\n", sizeof(${struct}));`);
    const members = apiTable.TABLE_NAMES.map((name) => offset('HsaApiTable', C_TABLES[name][1]));
    const here = print('#include "tool.h"', [...members, ...inC(slots), ...sizes]);
    const ends = [...apiTable.TABLE_NAMES.slice(1).map((name) => tables[name].offset), sizeBytes];
    expect(here).toEqual([
      ...apiTable.TABLE_NAMES.map((name) => tables[name].pointerOffset),
      ...inTable(slots),
      ...apiTable.TABLE_NAMES.map((name, index) => ends[index]! - tables[name].offset),
    ]);
    // AMD's own header, of an earlier version: since then two functions came in the middle of the AMD table.
    const words = new Set(readFileSync('/usr/include/hsa/hsa_api_trace.h', 'utf8').match(/\w+/g));
    const known = slots.filter(({ name }) => words.has(`${name}_fn`));
    const isLater = ({ table, offset: at }: apiTable.NativeSlot): boolean =>
      table === 'amdExt' && at - tables.amdExt.offset > 16 + 8 * 15;
    const unmoved = known.filter((slot) => !isLater(slot));
    expect(unmoved.length).toBeGreaterThan(155);
    expect(print('#define OLD_TABLES\n#include "tool.h"', inC(unmoved))).toEqual(inTable(unmoved));
  });

  it('passes every slot through a tool that takes them all', async () => {
    const { path, slots } = buildPassing(shop);
    await withTools(path, async (device) => {
      expect(new Set(await launchVadd(device))).toEqual(new Set([3]));
      expect(Number(new BigUint64Array(exported(path, 'passed', 8).buffer)[0])).toBeGreaterThan(20);
    });
    expect(slots).toBeGreaterThan(185);
  });

  it('answers C as it answers TypeScript', async () => {
    const path = shop.build('asking');
    const runtime = await open(`libnone.so ${path}`);
    try {
      const said = answersOf(path);
      const { core, amdExt } = runtime.tables.internal;
      const agents = runtime.registry.list.map(({ handle, agent }) => {
        const node = ref<unknown>(0);
        core.hsa_agent_get_info(handle, hsa.HSA_AGENT_INFO_NODE, node);
        const type = agent.kind === 'gpu' ? '1' : '0';
        const [first = 0, second = 0, , fourth = 0] = agent.cacheBytes;
        return [
          handle.toString(16),
          '0',
          agent.name,
          '#',
          agent.uuid,
          '#',
          type,
          String(node.value),
          `${first}`,
          `${second}`,
          `${fourth}`,
          '7',
          '1',
        ];
      });
      expect(said.get('agent')?.map((words) => words.join(' '))).toEqual(agents.map((words) => words.join(' ')));
      expect(said.get('agents')).toEqual([['0', String(agents.length)]]);
      expect(said.get('stopped')).toEqual([['1', '1']]);
      const isas = ['amdgcn-amd-amdhsa--gfx1100', 'amdgcn-amd-amdhsa--gfx11-generic'];
      const limits = ['1', '0', '1024', '1024', '2147483647', '65535', 'ffffffffffffffff'];
      expect(said.get('isa')).toEqual(isas.map((isa) => [isa, String(isa.length + 1), ...limits]));
      const pools: string[][] = [];
      const cpu = runtime.registry.list.find(({ agent }) => agent.kind === 'cpu')!;
      amdExt.hsa_amd_agent_iterate_memory_pools(
        cpu.handle,
        (pool) => {
          const ask = (attribute: number): unknown => {
            const value = ref<unknown>(0);
            amdExt.hsa_amd_memory_pool_get_info(pool, attribute, value);
            return value.value;
          };
          const size = ask(hsa.HSA_AMD_MEMORY_POOL_INFO_SIZE);
          const granule = ask(hsa.HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_GRANULE);
          const flags = ask(hsa.HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS);
          pools.push([pool.toString(16), '0', String(size), '1', String(granule), String(flags)]);
          return 0;
        },
        null,
      );
      expect(pools.length).toBeGreaterThan(1);
      expect(said.get('pool')).toEqual(pools);
      expect(said.get('system')).toEqual([['1', '99', 'doorbell', runtime.version, 'ffffffffffffffff']]);
      expect(said.get('status')?.[0]?.slice(0, 1)).toEqual(['0']);
      expect(said.get('status')?.[0]?.slice(1).join(' ')).toBe(hsaStatusString(hsa.HSA_STATUS_ERROR_INVALID_AGENT));
      const invalid = hsa.HSA_STATUS_ERROR_INVALID_ARGUMENT.toString(16);
      expect([said.get('null'), said.get('unknown')]).toEqual([[[invalid]], [[invalid]]]);
      expect(said.get('extension')).toEqual([[hsa.HSA_STATUS_ERROR.toString(16)]]);
      expect(said.get('signal')).toEqual([['0', '2', '1', '0']]);
      expect(said.get('destroyed')).toEqual([[hsa.HSA_STATUS_ERROR_INVALID_SIGNAL.toString(16)]]);
      expect(said.get('memory')?.[0]?.join(' ')).toBe('0 0 0 through the device');
      // hsa_ext_amd.h: 1 is memory that HSA handed out; one agent, the GPU, may use it.
      expect(said.get('pointer')).toEqual([['0', '0', '1', '1', '4096', '1', '1']]);
      expect(said.get('freed')).toEqual([['0']]);
      expect(said.get('load')).toEqual([['3', '1', 'libnone.so', '1']]);
    } finally {
      await runtime.release();
    }
  });

  it('answers calls of a thread of the tool when the event loop turns', async () => {
    const path = shop.build('threading');
    const runtime = await open(path);
    try {
      const done = (): number => Number(new BigUint64Array(exported(path, 'done', 8).buffer)[0]);
      await vi.waitFor(() => expect(done()).toBe(42), { timeout: 10_000, interval: 5 });
    } finally {
      await runtime.release();
    }
  });

  it('leaves out what is missing, what is no library and what has no OnLoad', async () => {
    const missing = join(shop.folder, 'libmissing.so');
    const without = shop.build('no-on-load');
    const runtime = await open(`${missing} ${without} ${import.meta.filename}`);
    try {
      expect(runtime.loadedTools).toEqual([]);
      expect(runtime.failedTools).toMatchObject([
        {
          name: missing,
          kind: 'library',
          reason: 'not-opened',
          dlopenMessage: expect.stringContaining('No such file') as string,
        },
        { reason: 'not-opened', dlopenMessage: expect.stringContaining('invalid ELF header') as string },
        { name: without, path: without, reason: 'no-on-load' },
      ]);
    } finally {
      await runtime.release();
    }
  });
});
