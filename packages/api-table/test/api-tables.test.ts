import { hsa, HSA_FUNCTIONS, HSA_TABLES, HsaError, InternalError, ref } from '@doorbell/abi';
import { describe, expect, it } from 'vitest';
import type { HsaImplementation } from '../src/index.js';
import { createApiTables, TABLE_NAMES } from '../src/index.js';
import { recorder } from './recorder.js';

const create = (implementation: HsaImplementation = {}): ReturnType<typeof createApiTables>['public'] =>
  createApiTables(implementation).public;

describe('the tables', () => {
  const tables = create();

  it('have the version first and then one property per slot, in order', () => {
    expect(Object.keys(tables)).toEqual(['version', ...TABLE_NAMES]);
    for (const name of TABLE_NAMES) expect(Object.keys(tables[name])).toEqual(['version', ...HSA_TABLES[name].slots]);
  });

  it('have the versions and sizes of ROCR 2025-08', () => {
    const versions = [tables, ...TABLE_NAMES.map((name) => tables[name])].map(({ version }) =>
      Object.values<number>({ ...version }),
    );
    expect(versions).toEqual([
      [3, 64, 1, 0],
      [2, 1016, 0, 0],
      [2, 608, 7, 0],
      [2, 64, 0, 0],
      [2, 128, 1, 0],
      [1, 64, 0, 0],
      [1, 72, 0, 0],
    ]);
  });

  it('have functions named as their slots, and null in the slots that tools fill', () => {
    for (const name of TABLE_NAMES) {
      for (const slot of HSA_TABLES[name].slots) {
        const value: unknown = Reflect.get(tables[name], slot);
        if (name === 'tools') expect(value).toBeNull();
        else expect((value as () => unknown).name).toBe(slot);
      }
    }
  });
});

describe('both copies', () => {
  it('hold the same functions until a tool patches the public one', () => {
    const { public: patched, internal } = createApiTables({});
    expect(patched.core.hsa_init).toBe(internal.core.hsa_init);
    patched.core.hsa_init = () => 7;
    expect([patched.core.hsa_init(), internal.core.hsa_init()]).toEqual([7, hsa.HSA_STATUS_ERROR]);
  });

  it('differ in that the internal one cannot be patched at all', () => {
    const { internal } = createApiTables({});
    expect(() => (internal.core.hsa_init = () => 7)).toThrow(TypeError);
    expect(() => (internal.core.version.minor = 0)).toThrow(TypeError);
  });
});

describe('a slot without an implementation', () => {
  it('gives HSA_STATUS_ERROR and publishes its name, for every function that returns a status', () => {
    const events = recorder();
    const tables = createApiTables({}, { events }).public;
    const slots = TABLE_NAMES.filter((name) => name !== 'tools').flatMap((name) =>
      HSA_TABLES[name].slots.map((slot) => ({ name, slot })),
    );
    for (const { name, slot } of slots) {
      const result: unknown = (Reflect.get(tables[name], slot) as () => unknown)();
      if (HSA_FUNCTIONS[slot].returns === 'hsa_status_t') expect(result, slot).toBe(hsa.HSA_STATUS_ERROR);
    }
    expect(events.events.map(({ details }) => details['slot'])).toEqual(slots.map(({ slot }) => slot));
    expect(events.events[0]).toMatchObject({ source: 'api-table', name: 'slot-not-implemented', level: 'warn' });
  });

  it('gives zero where C returns a value, and no satisfied signal where it waits for several', () => {
    const { core, amdExt } = create();
    expect(core.hsa_signal_load_relaxed(1n)).toBe(0n);
    expect(core.hsa_queue_load_read_index_relaxed(1n)).toBe(0n);
    expect(core.hsa_signal_store_relaxed(1n, 1n)).toBeUndefined();
    expect(amdExt.hsa_amd_signal_wait_any(1, [1n], [0], [0n], 0n, 0, null)).toBe(0xffff_ffff);
  });
});

describe('a slot with an implementation', () => {
  it('passes arguments and result through, out-parameters included', () => {
    const { core } = create({
      hsa_signal_create: (initialValue, consumers, list, signal) => {
        signal.value = initialValue + BigInt(consumers) + BigInt(list?.length ?? 0);
        return hsa.HSA_STATUS_SUCCESS;
      },
    });
    const signal = ref(0n);
    expect(core.hsa_signal_create(5n, 1, [9n], signal)).toBe(hsa.HSA_STATUS_SUCCESS);
    expect(signal.value).toBe(7n);
  });

  it('turns an HsaError into its status', () => {
    const events = recorder();
    const failing = (): never => {
      throw new HsaError('ERR_OUT_OF_MEMORY', { message: 'pool 3 is full' });
    };
    const { core } = createApiTables({ hsa_init: failing, hsa_signal_load_relaxed: failing }, { events }).public;
    expect(core.hsa_init()).toBe(hsa.HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    expect(core.hsa_signal_load_relaxed(1n)).toBe(0n);
    expect(events.events.map(({ level, message }) => `${level} ${message}`)).toEqual([
      'debug hsa_init: pool 3 is full',
      'debug hsa_signal_load_relaxed: pool 3 is full',
    ]);
  });

  it.each([new InternalError('broken'), new TypeError('no'), 'a string', null])(
    'turns %s into HSA_STATUS_ERROR, loudly',
    (error) => {
      const events = recorder();
      const { core } = createApiTables(
        {
          hsa_init: () => {
            // Anything may be thrown, and the slot must still return a status.
            // eslint-disable-next-line @typescript-eslint/only-throw-error
            throw error;
          },
        },
        { events },
      ).public;
      expect(core.hsa_init()).toBe(hsa.HSA_STATUS_ERROR);
      expect(events.events).toEqual([expect.objectContaining({ name: 'slot-failed', level: 'error' })]);
    },
  );

  it('is not taken from the prototype of the implementation object', () => {
    const { core } = create(Object.create({ hsa_init: () => 0 }) as HsaImplementation);
    expect(core.hsa_init()).toBe(hsa.HSA_STATUS_ERROR);
  });
});

describe('argument checks', () => {
  const ok = (): number => hsa.HSA_STATUS_SUCCESS;
  const events = recorder();
  const { core, amdExt, imageExt } = createApiTables(
    {
      hsa_queue_create: ok,
      hsa_signal_create: ok,
      hsa_iterate_agents: ok,
      hsa_executable_freeze: ok,
      hsa_executable_get_symbol_by_name: ok,
      hsa_system_major_extension_supported: ok,
      hsa_memory_copy: ok,
      hsa_amd_profiling_async_copy_enable: ok,
      hsa_amd_memory_lock: ok,
      hsa_ext_image_get_capability: ok,
    },
    { events },
  ).public;
  const queue = ref(0n);
  const format = { channel_type: 0, channel_order: 0 };

  it.each([
    ['a null callback where C allows it', () => core.hsa_queue_create(1n, 64, 0, null, null, 0, 0, queue)],
    ['any user data', () => core.hsa_queue_create(1n, 64, 0, () => undefined, { mine: 1 }, 0, 0, queue)],
    ['missing trailing user data', () => core.hsa_iterate_agents(() => 0, undefined)],
    ['null options', () => core.hsa_executable_freeze(1n, null)],
    ['an optional agent', () => core.hsa_executable_get_symbol_by_name(1n, 'k', null, queue)],
    ['bytes for memory', () => core.hsa_memory_copy(1n, new Uint8Array(4), 4n)],
    ['the largest handle', () => core.hsa_executable_freeze(2n ** 64n - 1n, '')],
    ['the smallest signal value', () => core.hsa_signal_create(-(2n ** 63n), 0, null, queue)],
    ['a negative int', () => amdExt.hsa_amd_memory_lock(1n, 1n, null, -1, queue)],
    ['a structure', () => imageExt.hsa_ext_image_get_capability(1n, 0, format, ref(0))],
  ])('take %s', (_, call) => {
    expect(call()).toBe(hsa.HSA_STATUS_SUCCESS);
  });

  const any = (value: unknown): never => value as never;
  it.each([
    ['a number as handle', 'agent', () => core.hsa_queue_create(any(1), 64, 0, null, null, 0, 0, queue)],
    ['a negative handle', 'agent', () => core.hsa_queue_create(-1n, 64, 0, null, null, 0, 0, queue)],
    ['a handle of 65 bits', 'executable', () => core.hsa_executable_freeze(2n ** 64n, null)],
    ['a u32 that is too large', 'size', () => core.hsa_queue_create(1n, 2 ** 32, 0, null, null, 0, 0, queue)],
    ['a fraction', 'size', () => core.hsa_queue_create(1n, 64.5, 0, null, null, 0, 0, queue)],
    ['NaN', 'type', () => core.hsa_queue_create(1n, 64, Number.NaN, null, null, 0, 0, queue)],
    ['a callback that is no function', 'callback', () => core.hsa_queue_create(1n, 64, 0, any('f'), null, 0, 0, queue)],
    ['null for an out-parameter', 'queue', () => core.hsa_queue_create(1n, 64, 0, null, null, 0, 0, any(null))],
    ['missing arguments', 'queue', () => (core.hsa_queue_create as (...args: unknown[]) => number)(1n, 64, 0, null, null, 0, 0)],
    ['a null callback where C forbids it', 'callback', () => core.hsa_iterate_agents(any(null), null)],
    ['a signal value of 64 unsigned bits', 'initial_value', () => core.hsa_signal_create(2n ** 63n, 0, null, queue)],
    ['an array with a wrong element', 'consumers', () => core.hsa_signal_create(0n, 1, [any(1)], queue)],
    ['no array', 'consumers', () => core.hsa_signal_create(0n, 1, any(1n), queue)],
    [
      'an in-out-parameter with a wrong value',
      'version_minor',
      () => core.hsa_system_major_extension_supported(1, 1, ref(-1), ref(false)),
    ],
    ['a u16 that is too large', 'extension', () => core.hsa_system_major_extension_supported(65536, 1, ref(1), ref(false))],
    ['a number for memory', 'src', () => core.hsa_memory_copy(1n, any(5), 4n)],
    ['a number for a bool', 'enable', () => amdExt.hsa_amd_profiling_async_copy_enable(any(1))],
    ['an int below its range', 'num_agent', () => amdExt.hsa_amd_memory_lock(1n, 1n, null, -(2 ** 31) - 1, queue)],
    ['no structure', 'image_format', () => imageExt.hsa_ext_image_get_capability(1n, 0, any(3n), ref(0))],
  ])('refuse %s', (_, parameter, call) => {
    events.events.length = 0;
    expect(call()).toBe(hsa.HSA_STATUS_ERROR_INVALID_ARGUMENT);
    expect(events.events).toEqual([
      expect.objectContaining({ name: 'invalid-argument', details: expect.objectContaining({ parameter }) as unknown }),
    ]);
  });
});

describe('the open check', () => {
  it('comes before argument checks, and leaves hsa_init and hsa_status_string alone', () => {
    let open = false;
    const { core } = createApiTables(
      {
        hsa_init: () => Number((open = true)) - 1,
        hsa_status_string: () => 0,
        hsa_shut_down: () => 0,
        hsa_executable_freeze: () => 0,
        hsa_signal_load_relaxed: () => 3n,
      },
      { isInitialized: () => open },
    ).public;
    expect((core.hsa_executable_freeze as (...args: never[]) => number)()).toBe(hsa.HSA_STATUS_ERROR_NOT_INITIALIZED);
    expect(core.hsa_status_string(0, ref(''))).toBe(hsa.HSA_STATUS_SUCCESS);
    expect(core.hsa_signal_load_relaxed(1n)).toBe(3n);
    expect([core.hsa_init(), core.hsa_shut_down(), core.hsa_executable_freeze(1n, null)]).toEqual([0, 0, 0]);
  });
});
