import { hsa, ref } from '@doorbell/abi';
import type { HsaApiTable } from '@doorbell/api-table';
import { describe, expect, it } from 'vitest';
import { HOTSWAP_TOOL_ID, installHotSwap } from '../src/index.js';
import type { FakeRuntime } from './support.js';
import { AGENT, fakeRuntime, fixture } from './support.js';

const SLOTS = [
  'hsa_code_object_reader_create_from_memory',
  'hsa_code_object_reader_destroy',
  'hsa_executable_load_agent_code_object',
] as const;
const A0 = { isaName: 'amdgcn-amd-amdhsa--gfx1250', revision: 0 };

function load(table: HsaApiTable, bytes: Uint8Array, size = BigInt(bytes.length)): number {
  const reader = ref(0n);
  table.core.hsa_code_object_reader_create_from_memory(bytes, size, reader);
  const status = table.core.hsa_executable_load_agent_code_object(0x1n, AGENT, reader.value, null, null);
  table.core.hsa_code_object_reader_destroy(reader.value);
  return status;
}

function named({ calls }: FakeRuntime, name: string): readonly (readonly unknown[])[] {
  return calls.filter((call) => call.name === name).map(({ args }) => args);
}

describe('installHotSwap', () => {
  it('is known by an id', () => {
    expect(HOTSWAP_TOOL_ID).toBe('@doorbell/hotswap-tool');
  });

  it('installs nothing when the kill switch is set', () => {
    const { tables, sink, events } = fakeRuntime(A0);
    const before = { ...tables.public.core };
    using _ = installHotSwap(tables.public, { env: { HSA_HOTSWAP_DISABLE: '1', HSA_HOTSWAP_VERBOSE: '1' }, events: sink });
    expect({ ...tables.public.core }).toEqual(before);
    expect(load(tables.public, fixture('gfx1250-v6.hsaco'))).toBe(hsa.HSA_STATUS_SUCCESS);
    expect(events).toEqual([]);
  });

  it('hands calls on with the very arguments they came with', () => {
    const runtime = fakeRuntime();
    using _ = installHotSwap(runtime.tables.public, { env: {} });
    const { core } = runtime.tables.public;
    const bytes = fixture('gfx1100-v5.hsaco');
    const copy = bytes.slice();
    const reader = ref(0n);
    const loaded = ref(0n);
    core.hsa_code_object_reader_create_from_memory(bytes, BigInt(bytes.length), reader);
    core.hsa_executable_load_agent_code_object(0x1n, AGENT, reader.value, 'options', loaded);
    core.hsa_code_object_reader_destroy(reader.value);
    expect(bytes).toEqual(copy);
    expect(named(runtime, 'create_from_memory')[0]![0]).toBe(bytes);
    expect(named(runtime, 'create_from_memory')[0]![2]).toBe(reader);
    const [args] = named(runtime, 'load');
    expect(args).toEqual([0x1n, AGENT, reader.value, 'options', loaded]);
    expect(args![4]).toBe(loaded);
    expect(named(runtime, 'destroy')).toEqual([[reader.value]]);
  });

  it('hands on what it cannot judge: foreign, unreadable, from a file, at an address', () => {
    const runtime = fakeRuntime();
    using _ = installHotSwap(runtime.tables.public, { env: {}, events: runtime.sink });
    const { core } = runtime.tables.public;
    for (const bytes of [fixture('gfx90a-v5.hsaco'), Uint8Array.of(1, 2, 3)]) {
      expect(load(runtime.tables.public, bytes)).toBe(hsa.HSA_STATUS_SUCCESS);
    }
    const fromFile = ref(0n);
    core.hsa_code_object_reader_create_from_file(3, fromFile);
    expect(core.hsa_executable_load_agent_code_object(0x1n, AGENT, fromFile.value, null, null)).toBe(hsa.HSA_STATUS_SUCCESS);
    const atAddress = ref(0n);
    core.hsa_code_object_reader_create_from_memory(0x1_0000n, 64n, atAddress);
    expect(core.hsa_executable_load_agent_code_object(0x1n, AGENT, atAddress.value, null, null)).toBe(hsa.HSA_STATUS_SUCCESS);
    expect(named(runtime, 'load')).toHaveLength(4);
    expect(runtime.events).toEqual([]);
  });

  it('refuses gfx1250 code on an A0 agent, and says so', () => {
    const runtime = fakeRuntime(A0);
    using _ = installHotSwap(runtime.tables.public, { env: {}, events: runtime.sink });
    expect(load(runtime.tables.public, fixture('gfx1250-v6.hsaco'))).toBe(hsa.HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
    expect(named(runtime, 'load')).toEqual([]);
    expect(runtime.events).toMatchObject([{ source: 'hotswap-tool', name: 'load-refused', level: 'error' }]);
  });

  it.each([
    ['B0 silicon', { isaName: 'amdgcn-amd-amdhsa--gfx1250', revision: 1 }],
    ['an unknown revision', { isaName: 'amdgcn-amd-amdhsa--gfx1250', revision: { status: hsa.HSA_STATUS_ERROR } }],
    ['another processor', { isaName: 'amdgcn-amd-amdhsa--gfx1251', revision: 0 }],
  ])('keeps its gate closed on %s', (_name, options) => {
    const runtime = fakeRuntime(options);
    using _ = installHotSwap(runtime.tables.public, { env: {} });
    expect(load(runtime.tables.public, fixture('gfx1250-v6.hsaco'))).toBe(hsa.HSA_STATUS_SUCCESS);
  });

  it('asks each agent once, also when it does not answer', () => {
    for (const revision of [0, { status: hsa.HSA_STATUS_ERROR }]) {
      const runtime = fakeRuntime({ ...A0, revision });
      using _ = installHotSwap(runtime.tables.public, { env: {} });
      for (let i = 0; i < 3; i++) load(runtime.tables.public, fixture('gfx1250-v6.hsaco'));
      expect(named(runtime, 'iterate_isas')).toHaveLength(1);
      expect(named(runtime, 'agent_get_info')).toEqual([[AGENT, hsa.HSA_AMD_AGENT_INFO_ASIC_REVISION]]);
    }
  });

  it('lets no exception out, and hands the load on', () => {
    const runtime = fakeRuntime({ isaName: 'no ISA at all' });
    using _ = installHotSwap(runtime.tables.public, { env: { HSA_HOTSWAP_VERBOSE: '1' }, events: runtime.sink });
    expect(load(runtime.tables.public, fixture('gfx1100-v5.hsaco'))).toBe(hsa.HSA_STATUS_SUCCESS);
    expect(runtime.events.map(({ name }) => name)).toContain('inspection-failed');
  });

  it('tells every decision under HSA_HOTSWAP_VERBOSE', () => {
    const runtime = fakeRuntime();
    using _ = installHotSwap(runtime.tables.public, { env: { HSA_HOTSWAP_VERBOSE: '1' }, events: runtime.sink });
    load(runtime.tables.public, fixture('gfx1100-v5.hsaco'));
    load(runtime.tables.public, fixture('gfx90a-v5.hsaco'));
    expect(runtime.events.map(({ name }) => name)).toEqual([
      'installed',
      'reader-created',
      'load-decided',
      'reader-created',
      'load-decided',
    ]);
    expect(runtime.events.flatMap(({ details }) => details['reason'] ?? [])).toEqual(['native', 'not-compatible']);
  });

  it('restores its own slots on dispose, and can be installed again', () => {
    const { tables } = fakeRuntime();
    const before = { ...tables.public.core };
    const first = installHotSwap(tables.public, { env: {} });
    expect(
      Object.keys(before)
        .filter((name) => Reflect.get(before, name) !== Reflect.get(tables.public.core, name))
        .sort(),
    ).toEqual([...SLOTS].sort());
    first[Symbol.dispose]();
    expect({ ...tables.public.core }).toEqual(before);
    first[Symbol.dispose]();
    installHotSwap(tables.public, { env: {} })[Symbol.dispose]();
    expect({ ...tables.public.core }).toEqual(before);
  });

  it('leaves a tool alone that chained on top', () => {
    const runtime = fakeRuntime(A0);
    const { core } = runtime.tables.public;
    const hotSwap = installHotSwap(runtime.tables.public, { env: {} });
    const below = core.hsa_executable_load_agent_code_object;
    let seen = 0;
    const onTop: typeof below = (...args) => {
      seen++;
      return below(...args);
    };
    core.hsa_executable_load_agent_code_object = onTop;
    hotSwap[Symbol.dispose]();
    expect(core.hsa_executable_load_agent_code_object).toBe(onTop);
    expect(load(runtime.tables.public, fixture('gfx1250-v6.hsaco'))).toBe(hsa.HSA_STATUS_SUCCESS);
    expect(seen).toBe(1);
  });
});
