import { hsa, isHsaError, ref } from '@doorbell/abi';
import type { HsaApiTable } from '@doorbell/api-table';
import { copyTables } from '@doorbell/api-table';
import { describe, expect, it } from 'vitest';
import type { HotSwapRewriter, InstalledHotSwap, InstallHotSwapOptions } from '../src/index.js';
import { HOTSWAP_SLOTS, HOTSWAP_TOOL_ID, installHotSwap } from '../src/index.js';
import { gfx1250Min } from './fixtures/gfx1250-min.js';
import type { FakeAgent, FakeRuntime } from './support.js';
import { A0, AGENT, B0, CREATE_REGION, EXECUTABLE, fakeRuntime, fixture, GFX1100, named, UNKNOWN } from './support.js';

const LOAD = 'hsa_executable_load_agent_code_object';
const FILE = 3;
const {
  HSA_STATUS_SUCCESS,
  HSA_STATUS_ERROR,
  HSA_STATUS_ERROR_OUT_OF_RESOURCES,
  HSA_STATUS_ERROR_INVALID_AGENT,
  HSA_STATUS_ERROR_INVALID_ARGUMENT,
  HSA_STATUS_ERROR_INVALID_CODE_OBJECT,
  HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER,
  HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS,
} = hsa;
const OTHER = Uint8Array.of(1, 2, 3);
/** Stands for the rewriter of steppings. */
const rewritesToOther: HotSwapRewriter = () => ({ status: 'rewritten', bytes: OTHER });

function install(runtime: FakeRuntime, options: Partial<InstallHotSwapOptions> = {}): InstalledHotSwap {
  return installHotSwap(runtime.tables.public, { env: {}, events: runtime.sink, host: runtime.host, ...options });
}

function createReader({ core }: HsaApiTable, bytes: Uint8Array): bigint {
  const reader = ref(0n);
  expect(core.hsa_code_object_reader_create_from_memory(bytes, BigInt(bytes.length), reader)).toBe(HSA_STATUS_SUCCESS);
  return reader.value;
}

function load({ core }: HsaApiTable, reader: bigint, agent: bigint = AGENT): number {
  return core.hsa_executable_load_agent_code_object(EXECUTABLE, agent, reader, null, null);
}

function loadBytes(table: HsaApiTable, bytes: Uint8Array): number {
  const reader = createReader(table, bytes);
  const status = load(table, reader);
  table.core.hsa_code_object_reader_destroy(reader);
  return status;
}

/** Any code object but one for gfx1250. */
const foreign = fixture('gfx1100-v5.hsaco');

describe('the surface', () => {
  it('is known by an id', () => {
    expect(HOTSWAP_TOOL_ID).toBe('@doorbell/hotswap-tool');
  });

  it('InstallsOnlyTheEightEntryEagerSurface', () => {
    const { tables } = fakeRuntime();
    const before = { ...tables.public.core };
    const extensions = { ...tables.public.amdExt };
    using _ = installHotSwap(tables.public, { env: {} });
    const changed = Object.keys(before).filter((name) => Reflect.get(before, name) !== Reflect.get(tables.public.core, name));
    expect(changed.sort()).toEqual([...HOTSWAP_SLOTS].sort());
    expect(changed).toHaveLength(8);
    expect({ ...tables.public.amdExt }).toEqual(extensions);
  });

  it('UnloadRestoresAndAllowsReinstall', () => {
    const runtime = fakeRuntime([A0]);
    const { public: table } = runtime.tables;
    const before = { ...table.core };
    const first = install(runtime);
    expect(() => install(runtime)).toThrow(expect.objectContaining({ code: 'ERR_TOOL' }) as Error);
    first[Symbol.dispose]();
    expect({ ...table.core }).toEqual(before);
    expect([first.isActive, loadBytes(table, gfx1250Min())]).toEqual([false, HSA_STATUS_SUCCESS]);
    first[Symbol.dispose]();
    using second = install(runtime);
    expect([second.isActive, loadBytes(table, gfx1250Min())]).toEqual([true, HSA_STATUS_ERROR_INVALID_CODE_OBJECT]);
    // The first one has nothing to take out any more.
    first[Symbol.dispose]();
    expect(loadBytes(table, gfx1250Min())).toBe(HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
  });

  it('RuntimeLoadDisableEnvFallsBackToOriginal', () => {
    const runtime = fakeRuntime([A0]);
    const before = { ...runtime.tables.public.core };
    const env = {
      HSA_HOTSWAP_DISABLE: '1',
      HSA_HOTSWAP_VERBOSE: '1',
      HSA_HOTSWAP_STRICT_MODE: '1',
      DOORBELL_HOTSWAP_RETARGET: '1',
    };
    using hotSwap = install(runtime, { env, rewriter: rewritesToOther });
    expect({ ...runtime.tables.public.core }).toEqual(before);
    expect(loadBytes(runtime.tables.public, gfx1250Min())).toBe(HSA_STATUS_SUCCESS);
    expect([hotSwap.isActive, runtime.loads[0]!.bytes]).toEqual([false, gfx1250Min()]);
    expect(runtime.events).toEqual([]);
  });

  it('refuses a table that lacks a slot, and touches nothing of it', () => {
    const { tables } = fakeRuntime();
    const short = fakeRuntime().tables.public;
    // As a runtime of before readers had it.
    short.core.version.minor = 8 * 100;
    copyTables(tables.public, short);
    const before = { ...short.core };
    try {
      installHotSwap(short, { env: {} });
      expect.unreachable();
    } catch (error) {
      expect(isHsaError(error, 'ERR_TOOL')).toBe(true);
    }
    expect({ ...short.core }).toEqual(before);
  });

  it('a call that comes after the end gets an error, and reaches nobody', () => {
    const runtime = fakeRuntime([A0]);
    const { core } = runtime.tables.public;
    const hotSwap = install(runtime);
    const table = ref<unknown>(undefined);
    core.hsa_system_get_major_extension_table(hsa.HSA_EXTENSION_AMD_LOADER, 1, 56n, table);
    const kept = { ...core, ...(table.value as object) } as typeof core & Record<string, (...args: unknown[]) => number>;
    hotSwap[Symbol.dispose]();
    runtime.calls.length = 0;
    const out = ref(0n);
    expect([
      kept.hsa_code_object_reader_create_from_file(FILE, out),
      kept.hsa_code_object_reader_create_from_memory(OTHER, 3n, out),
      kept.hsa_code_object_reader_destroy(1n),
      kept.hsa_executable_destroy(EXECUTABLE),
      kept.hsa_executable_load_agent_code_object(EXECUTABLE, AGENT, 1n, null, null),
      kept.hsa_executable_load_program_code_object(EXECUTABLE, 1n, null, null),
      kept.hsa_executable_load_code_object(EXECUTABLE, AGENT, 1n, null),
      kept.hsa_system_get_major_extension_table(hsa.HSA_EXTENSION_AMD_LOADER, 1, 56n, table),
      kept[CREATE_REGION]!(FILE, 0n, 1n, out),
    ]).toEqual(Array<number>(9).fill(HSA_STATUS_ERROR));
    expect(runtime.calls).toEqual([]);
  });
});

describe('where nothing needs it', () => {
  it('B0LoadsUseOnlyTheOriginalApi', () => {
    const runtime = fakeRuntime([B0]);
    const { core } = runtime.tables.public;
    runtime.files.set(FILE, { bytes: gfx1250Min(), position: 7 });
    using _ = install(runtime, {
      rewriter: () => expect.unreachable(),
      host: { readFile: () => expect.unreachable(), readMemory: () => expect.unreachable() },
    });
    const reader = ref(0n);
    const loaded = ref(0n);
    core.hsa_code_object_reader_create_from_file(FILE, reader);
    core.hsa_executable_load_agent_code_object(EXECUTABLE, AGENT, reader.value, 'options', loaded);
    const fromMemory = createReader(runtime.tables.public, gfx1250Min());
    expect(load(runtime.tables.public, fromMemory)).toBe(HSA_STATUS_SUCCESS);
    expect(core.hsa_executable_load_program_code_object(EXECUTABLE, fromMemory, null, null)).toBe(HSA_STATUS_SUCCESS);
    expect(core.hsa_executable_load_code_object(EXECUTABLE, AGENT, 5n, null)).toBe(HSA_STATUS_SUCCESS);
    const [args] = named(runtime, LOAD);
    expect(args).toEqual([EXECUTABLE, AGENT, reader.value, 'options', loaded]);
    expect(args![4]).toBe(loaded);
    expect(named(runtime, 'hsa_code_object_reader_create_from_memory')).toHaveLength(1);
    expect(named(runtime, 'hsa_code_object_reader_destroy')).toEqual([]);
    expect(runtime.events).toEqual([]);
  });

  it('OptInBlocksOtherMachines: options of the gfx12.5 family change nothing elsewhere', () => {
    const runtime = fakeRuntime();
    const env = { HSA_HOTSWAP_STRICT_MODE: '1', AMD_COMGR_HOTSWAP_ENTRY_TRAMPOLINES: '1' };
    using _ = install(runtime, { env, rewriter: () => expect.unreachable() });
    expect(loadBytes(runtime.tables.public, foreign)).toBe(HSA_STATUS_SUCCESS);
    expect(runtime.loads).toMatchObject([{ bytes: foreign }]);
  });

  it('hands on what it cannot judge, also where it looks at every load', () => {
    const runtime = fakeRuntime();
    using _ = install(runtime, { env: { DOORBELL_HOTSWAP_RETARGET: '1' }, host: {} });
    const { core } = runtime.tables.public;
    runtime.files.set(FILE, { bytes: foreign, position: 0 });
    expect(loadBytes(runtime.tables.public, OTHER)).toBe(HSA_STATUS_SUCCESS);
    const reader = ref(0n);
    core.hsa_code_object_reader_create_from_file(FILE, reader);
    expect(load(runtime.tables.public, reader.value)).toBe(HSA_STATUS_SUCCESS);
    core.hsa_code_object_reader_create_from_memory(0x1_0000n, 64n, reader);
    expect(load(runtime.tables.public, reader.value)).toBe(HSA_STATUS_SUCCESS);
    // An agent that nobody knows is the loader's to refuse.
    expect(load(runtime.tables.public, reader.value, 0x99n)).toBe(HSA_STATUS_SUCCESS);
  });

  it('tells every decision under HSA_HOTSWAP_VERBOSE', () => {
    const runtime = fakeRuntime();
    using _ = install(runtime, { env: { HSA_HOTSWAP_VERBOSE: '1' } });
    loadBytes(runtime.tables.public, foreign);
    loadBytes(runtime.tables.public, fixture('gfx90a-v5.hsaco'));
    expect(runtime.events.map(({ name }) => name)).toEqual([
      'installed',
      'reader-created',
      'load-decided',
      'reader-created',
      'load-decided',
    ]);
    expect(runtime.events.flatMap(({ details }) => details['reason'] ?? [])).toEqual(['native', 'not-compatible']);
  });

  it('lets the log not stand in the way of a load', () => {
    const runtime = fakeRuntime([{ handle: AGENT, isaName: 'no ISA at all', revision: 0 }]);
    using _ = install(runtime, { env: { HSA_HOTSWAP_VERBOSE: '1' } });
    expect(loadBytes(runtime.tables.public, foreign)).toBe(HSA_STATUS_SUCCESS);
    expect(runtime.events.map(({ name }) => name)).toContain('inspection-failed');
  });
});

describe('on A0 silicon', () => {
  it('refuses gfx1250 code that nothing rewrites, and says so', () => {
    const runtime = fakeRuntime([A0]);
    using _ = install(runtime);
    expect(loadBytes(runtime.tables.public, gfx1250Min())).toBe(HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
    expect(runtime.loads).toEqual([]);
    expect(runtime.events).toMatchObject([{ source: 'hotswap-tool', name: 'load-refused', level: 'error' }]);
    const error = runtime.events[0]!.details['error'];
    expect(isHsaError(error) && error.hsaStatus).toBe(HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
  });

  it('refuses bytes that it cannot read', () => {
    const runtime = fakeRuntime([A0]);
    using _ = install(runtime);
    expect(loadBytes(runtime.tables.public, OTHER)).toBe(HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
    expect(runtime.loads).toEqual([]);
  });

  it('RuntimeLoadUsesRewrittenCodeObject', () => {
    const runtime = fakeRuntime([A0]);
    runtime.files.set(FILE, { bytes: gfx1250Min(), position: 7 });
    const asked: unknown[] = [];
    const derived: unknown[] = [];
    using hotSwap = install(runtime, {
      rewriter: (bytes, request) => {
        asked.push([bytes, request]);
        return { status: 'rewritten', bytes: OTHER };
      },
      host: {
        ...runtime.host,
        deriveReader: (original, bytes) => {
          derived.push(original);
          runtime.readers.set(0x77n, { bytes, uri: runtime.readers.get(original)!.uri });
          return 0x77n;
        },
      },
    });
    const { core } = runtime.tables.public;
    const reader = ref(0n);
    const loaded = ref(0n);
    core.hsa_code_object_reader_create_from_file(FILE, reader);
    expect(core.hsa_executable_load_agent_code_object(EXECUTABLE, AGENT, reader.value, 'options', loaded)).toBe(
      HSA_STATUS_SUCCESS,
    );
    expect(asked).toMatchObject([
      [
        gfx1250Min(),
        {
          source: 'amdgcn-amd-amdhsa--gfx1250:gfx1250-b0-specific+',
          target: 'amdgcn-amd-amdhsa--gfx1250:gfx1250-b0-specific-',
        },
      ],
    ]);
    // The loader sees the new bytes, as coming from where the old ones come from; they live as long as the executable.
    expect(runtime.loads).toEqual([{ kind: 'agent', reader: 0x77n, uri: 'file:///3#offset=0', bytes: OTHER }]);
    expect(named(runtime, LOAD)[0]!.slice(3)).toEqual(['options', loaded]);
    expect(derived).toEqual([reader.value]);
    expect(hotSwap.statistics.retained).toEqual({ executables: 1, bytes: 3 });
    expect(runtime.files.get(FILE)!.position).toBe(7);
  });

  it('UsesImmutableSnapshotForForwardedA0Load', () => {
    const runtime = fakeRuntime([A0]);
    using hotSwap = install(runtime);
    const { public: table } = runtime.tables;
    const bytes = foreign.slice();
    const reader = createReader(table, bytes);
    bytes.fill(0);
    // What is put into the table later is not called for HotSwap's own needs.
    table.core.hsa_agent_iterate_isas = () => expect.unreachable();
    const create = table.core.hsa_code_object_reader_create_from_memory;
    table.core.hsa_code_object_reader_create_from_memory = () => expect.unreachable();
    expect(load(table, reader)).toBe(HSA_STATUS_SUCCESS);
    table.core.hsa_code_object_reader_create_from_memory = create;
    expect(runtime.loads).toMatchObject([{ bytes: foreign }]);
    expect(runtime.loads[0]!.reader).not.toBe(reader);
    expect(hotSwap.statistics.retained).toEqual({ executables: 1, bytes: foreign.length });
  });

  it('loads code of a file that needs nothing by the very reader of the file', () => {
    const runtime = fakeRuntime([A0]);
    runtime.files.set(FILE, { bytes: foreign, position: 0 });
    using _ = install(runtime);
    const reader = ref(0n);
    runtime.tables.public.core.hsa_code_object_reader_create_from_file(FILE, reader);
    expect(load(runtime.tables.public, reader.value)).toBe(HSA_STATUS_SUCCESS);
    expect(runtime.loads).toMatchObject([{ reader: reader.value, uri: 'file:///3#offset=0' }]);
  });

  it('captures a part of a file by the AMD loader extension', () => {
    const runtime = fakeRuntime([A0]);
    const bytes = new Uint8Array(100 + gfx1250Min().length);
    bytes.set(gfx1250Min(), 60);
    runtime.files.set(FILE, { bytes, position: 9 });
    using _ = install(runtime);
    const { core } = runtime.tables.public;
    const entries = ref<unknown>(undefined);
    expect(core.hsa_system_get_major_extension_table(hsa.HSA_EXTENSION_AMD_LOADER, 1, 48n, entries)).toBe(HSA_STATUS_SUCCESS);
    const table = entries.value as Record<string, (...args: unknown[]) => number>;
    const reader = ref(0n);
    expect(table[CREATE_REGION]!(FILE, 60n, BigInt(gfx1250Min().length), reader)).toBe(HSA_STATUS_SUCCESS);
    expect(load(runtime.tables.public, reader.value)).toBe(HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
    expect(table[CREATE_REGION]!(FILE, 0n, 10n, null)).toBe(HSA_STATUS_ERROR_INVALID_ARGUMENT);
    expect(runtime.files.get(FILE)!.position).toBe(9);
  });

  it('leaves other extensions, and tables that are too short for that function, as they are', () => {
    const runtime = fakeRuntime([A0]);
    using _ = install(runtime);
    const { core } = runtime.tables.public;
    const tableOf = (extension: number, major: number, length: bigint): unknown => {
      const entries = ref<unknown>(undefined);
      core.hsa_system_get_major_extension_table(extension, major, length, entries);
      return Reflect.get(entries.value as object, CREATE_REGION);
    };
    const own = tableOf(hsa.HSA_EXTENSION_AMD_LOADER, 2, 56n);
    expect(tableOf(hsa.HSA_EXTENSION_IMAGES, 1, 56n)).toBe(own);
    expect(tableOf(hsa.HSA_EXTENSION_AMD_LOADER, 1, 40n)).toBe(own);
    expect(tableOf(hsa.HSA_EXTENSION_AMD_LOADER, 1, 48n)).not.toBe(own);
  });

  it('refuses a reader whose bytes it did not see', () => {
    const runtime = fakeRuntime([A0]);
    const before = createReader(runtime.tables.public, foreign);
    using _ = install(runtime);
    expect(load(runtime.tables.public, before)).toBe(HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER);
    expect(runtime.loads).toEqual([]);
  });

  it.each<[string, FakeAgent]>([
    ['the revision', UNKNOWN],
    ['the ISA', { handle: AGENT }],
  ])('refuses an agent that does not tell %s', (_, agent) => {
    const runtime = fakeRuntime([agent]);
    using _hotSwap = install(runtime);
    expect(loadBytes(runtime.tables.public, foreign)).toBe(HSA_STATUS_ERROR_INVALID_AGENT);
    expect(runtime.loads).toEqual([]);
  });

  it.each<[string, readonly FakeAgent[], string | undefined]>([
    ['A0 is there', [GFX1100, { ...A0, handle: 0x11n }], undefined],
    ['an agent does not tell', [{ ...UNKNOWN, handle: 0x11n }], undefined],
    ['the agents cannot be listed', [GFX1100], 'hsa_iterate_agents'],
  ])('RefusesAgentlessAndDeprecatedA0Loads: %s', (_, agents, failing) => {
    const runtime = fakeRuntime(agents);
    if (failing !== undefined) runtime.failures.set(failing, [HSA_STATUS_ERROR]);
    using _hotSwap = install(runtime);
    const { core } = runtime.tables.public;
    const reader = createReader(runtime.tables.public, foreign);
    expect(core.hsa_executable_load_program_code_object(EXECUTABLE, reader, null, null)).toBe(
      HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS,
    );
    const deprecated = (agent: bigint): number => core.hsa_executable_load_code_object(EXECUTABLE, agent, 5n, null);
    expect(deprecated(0x11n)).toBe(HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS);
    if (agents.includes(GFX1100)) expect(deprecated(AGENT)).toBe(HSA_STATUS_SUCCESS);
    expect(runtime.loads).toEqual([]);
  });
});

describe('readers and what they hold', () => {
  it('FailedLoadDestroysTransientReaderImmediately', () => {
    const runtime = fakeRuntime([A0]);
    using _ = install(runtime, { rewriter: rewritesToOther });
    const reader = createReader(runtime.tables.public, gfx1250Min());
    runtime.failures.set(LOAD, [HSA_STATUS_ERROR_OUT_OF_RESOURCES]);
    expect(load(runtime.tables.public, reader)).toBe(HSA_STATUS_ERROR_INVALID_CODE_OBJECT);
    const transient = runtime.loads[0]!.reader;
    expect(named(runtime, 'hsa_code_object_reader_destroy')).toEqual([[transient]]);
    expect([...runtime.readers.keys()]).toEqual([reader]);
  });

  it('FailedLoadDoesNotRetainAndDoesNotGrow', () => {
    const runtime = fakeRuntime([A0]);
    using hotSwap = install(runtime, { rewriter: rewritesToOther });
    const reader = createReader(runtime.tables.public, gfx1250Min());
    runtime.failures.set(LOAD, Array<number>(10).fill(HSA_STATUS_ERROR));
    for (let i = 0; i < 10; i++) load(runtime.tables.public, reader);
    expect(hotSwap.statistics.retained).toEqual({ executables: 0, bytes: 0 });
    // A load that failed takes nothing away from one that did not.
    expect(load(runtime.tables.public, reader)).toBe(HSA_STATUS_SUCCESS);
    runtime.failures.set(LOAD, [HSA_STATUS_ERROR]);
    load(runtime.tables.public, reader);
    expect(hotSwap.statistics.retained).toEqual({ executables: 1, bytes: 3 });
  });

  it('SuccessfulLoadRetainsUntilDestroy', () => {
    const runtime = fakeRuntime([A0]);
    using hotSwap = install(runtime, { rewriter: rewritesToOther });
    const { core } = runtime.tables.public;
    loadBytes(runtime.tables.public, gfx1250Min());
    expect(hotSwap.statistics.retained.executables).toBe(1);
    runtime.failures.set('hsa_executable_destroy', [HSA_STATUS_ERROR]);
    core.hsa_executable_destroy(EXECUTABLE);
    expect(hotSwap.statistics.retained.executables).toBe(1);
    core.hsa_executable_destroy(EXECUTABLE);
    expect(hotSwap.statistics.retained.executables).toBe(0);
  });

  it('RetainedStorageSurvivesUnloadAndReinstall', () => {
    const runtime = fakeRuntime([A0]);
    const first = install(runtime, { rewriter: rewritesToOther });
    loadBytes(runtime.tables.public, gfx1250Min());
    first[Symbol.dispose]();
    expect(first.statistics.retained).toEqual({ executables: 1, bytes: 3 });
    using second = install(runtime, { rewriter: rewritesToOther });
    expect(second.statistics.retained).toEqual({ executables: 1, bytes: 3 });
    runtime.tables.public.core.hsa_executable_destroy(EXECUTABLE);
    expect(second.statistics.retained.executables).toBe(0);
  });

  it('FailedReaderDestroyKeepsCapturedBytes', () => {
    const runtime = fakeRuntime([A0]);
    using _ = install(runtime);
    const { public: table } = runtime.tables;
    const reader = createReader(table, foreign);
    runtime.failures.set('hsa_code_object_reader_destroy', [HSA_STATUS_ERROR]);
    expect(table.core.hsa_code_object_reader_destroy(reader)).toBe(HSA_STATUS_ERROR);
    expect(load(table, reader)).toBe(HSA_STATUS_SUCCESS);
    expect(table.core.hsa_code_object_reader_destroy(reader)).toBe(HSA_STATUS_SUCCESS);
    expect(load(table, reader)).toBe(HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER);
  });

  it('FileCaptureFailureDestroysCreatedReader', () => {
    const runtime = fakeRuntime([A0]);
    runtime.files.set(FILE, { bytes: foreign, position: 0 });
    using _ = install(runtime, {
      host: {
        readFile: () => {
          throw new Error('EIO');
        },
      },
    });
    const reader = ref(0n);
    expect(runtime.tables.public.core.hsa_code_object_reader_create_from_file(FILE, reader)).toBe(
      HSA_STATUS_ERROR_OUT_OF_RESOURCES,
    );
    expect(reader.value).toBe(0n);
    expect(runtime.readers.size).toBe(0);
  });

  it('wants somewhere to put a reader', () => {
    const runtime = fakeRuntime([A0]);
    using _ = install(runtime);
    const { core } = runtime.tables.public;
    expect(core.hsa_code_object_reader_create_from_memory(foreign, 4n, null as never)).toBe(HSA_STATUS_ERROR_INVALID_ARGUMENT);
    expect(core.hsa_code_object_reader_create_from_file(FILE, null as never)).toBe(HSA_STATUS_ERROR_INVALID_ARGUMENT);
    expect(runtime.readers.size).toBe(0);
  });
});

describe('callbacks', () => {
  it('ContainsExceptionsAtTheHsaBoundary', () => {
    const failing = (error: unknown): number => {
      const runtime = fakeRuntime([A0]);
      using _ = install(runtime, {
        rewriter: () => {
          throw error;
        },
      });
      const status = loadBytes(runtime.tables.public, gfx1250Min());
      expect(runtime.events).toMatchObject([{ name: 'callback-failed', level: 'error' }]);
      return status;
    };
    expect(failing(new Error('no'))).toBe(HSA_STATUS_ERROR);
    expect(failing(undefined)).toBe(HSA_STATUS_ERROR);
    expect(failing(new RangeError('Array buffer allocation failed'))).toBe(HSA_STATUS_ERROR_OUT_OF_RESOURCES);
  });

  it('contains what a tool below throws, in every slot', () => {
    const runtime = fakeRuntime([A0]);
    const { core } = runtime.tables.public;
    const reader = createReader(runtime.tables.public, foreign);
    for (const slot of HOTSWAP_SLOTS)
      Reflect.set(core, slot, () => {
        throw new Error('a tool of somebody else');
      });
    using _ = install(runtime);
    const out = ref(0n);
    expect([
      core.hsa_code_object_reader_create_from_file(FILE, out),
      core.hsa_code_object_reader_create_from_memory(OTHER, 3n, out),
      core.hsa_code_object_reader_destroy(reader),
      core.hsa_executable_destroy(EXECUTABLE),
      core.hsa_system_get_major_extension_table(0, 1, 8n, ref<unknown>(0)),
    ]).toEqual(Array<number>(5).fill(HSA_STATUS_ERROR));
  });

  it('tells what became of a load, also where its own reader cannot be destroyed', () => {
    const runtime = fakeRuntime([A0]);
    const { core } = runtime.tables.public;
    core.hsa_code_object_reader_destroy = () => {
      throw new Error('a tool of somebody else');
    };
    using hotSwap = install(runtime, { rewriter: rewritesToOther });
    const reader = createReader(runtime.tables.public, gfx1250Min());
    expect(load(runtime.tables.public, reader)).toBe(HSA_STATUS_SUCCESS);
    expect(hotSwap.statistics.retained).toEqual({ executables: 1, bytes: 3 });
    expect(runtime.events.map(({ name }) => name)).toEqual(['reader-left-behind']);
  });

  it('forgets what an older reader of the same handle read', () => {
    const runtime = fakeRuntime([A0]);
    const { core } = runtime.tables.public;
    // A loader that gives handles out again, below a tool that destroys readers by the function it found.
    core.hsa_code_object_reader_create_from_memory = (_bytes, _size, reader) => {
      reader.value = 0x77n;
      return HSA_STATUS_SUCCESS;
    };
    using _ = install(runtime);
    createReader(runtime.tables.public, foreign);
    const unseen = ref(0n);
    // An address that this host cannot read.
    expect(core.hsa_code_object_reader_create_from_memory(0x1000n, 64n, unseen)).toBe(HSA_STATUS_SUCCESS);
    expect(unseen.value).toBe(0x77n);
    expect(load(runtime.tables.public, unseen.value)).toBe(HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER);
    expect(runtime.loads).toEqual([]);
  });

  it('CallbackApiSnapshotIsSafeDuringUnload', () => {
    const runtime = fakeRuntime([A0]);
    const hotSwap = install(runtime, {
      rewriter: () => {
        hotSwap[Symbol.dispose]();
        return { status: 'rewritten', bytes: OTHER };
      },
    });
    expect(loadBytes(runtime.tables.public, gfx1250Min())).toBe(HSA_STATUS_SUCCESS);
    expect(runtime.loads).toMatchObject([{ bytes: OTHER }]);
    expect(runtime.readers.size).toBe(0);
  });
});
