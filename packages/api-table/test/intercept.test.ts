import type { CoreApi } from '@doorbell/abi';
import { hsa, HsaError, isHsaError, ref } from '@doorbell/abi';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createApiTables, intercept } from '../src/index.js';
import { recorder } from './recorder.js';

/** Tables whose hsa_system_get_info writes `base` and says so in `calls`; and a wrapper that adds its name. */
function scene() {
  const calls: string[] = [];
  const { public: tables, internal } = createApiTables({
    hsa_system_get_info: (_, value) => {
      calls.push('base');
      value.value = 'base';
      return hsa.HSA_STATUS_SUCCESS;
    },
  });
  const wrapper =
    (name: string) =>
    (next: CoreApi['hsa_system_get_info']): CoreApi['hsa_system_get_info'] =>
    (attribute, value) => {
      calls.push(name);
      return next(attribute, value);
    };
  const put = (name: string): Disposable => intercept(tables.core, 'hsa_system_get_info', wrapper(name));
  const call = (): string[] => {
    calls.length = 0;
    expect(tables.core.hsa_system_get_info(0, ref<unknown>(undefined))).toBe(hsa.HSA_STATUS_SUCCESS);
    return [...calls];
  };
  return { tables, internal, put, call, wrapper };
}

describe('intercept', () => {
  it('wraps a slot, the last one outermost, and leaves the internal table alone', () => {
    const { put, call, tables, internal } = scene();
    put('a');
    put('b');
    expect(call()).toEqual(['b', 'a', 'base']);
    expect(tables.core.hsa_system_get_info).not.toBe(internal.core.hsa_system_get_info);
    expect(tables.core.hsa_system_get_info.name).toBe('hsa_system_get_info');
  });

  it('restores its slot, and no other', () => {
    const { put, call, tables, internal } = scene();
    {
      using _ = put('a');
      tables.core.hsa_init = () => 5;
    }
    expect(call()).toEqual(['base']);
    expect(tables.core.hsa_system_get_info).toBe(internal.core.hsa_system_get_info);
    expect(tables.core.hsa_init()).toBe(5);
  });

  it('takes wrappers out in any order, and the others keep working', () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const orders = fc.shuffledSubarray(names, { minLength: names.length });
    fc.assert(
      fc.property(orders, (order) => {
        const { put, call, tables, internal } = scene();
        const handles = new Map(names.map((name) => [name, put(name)]));
        const left = new Set(names);
        for (const name of order) {
          handles.get(name)![Symbol.dispose]();
          left.delete(name);
          expect(call()).toEqual([...[...left].reverse(), 'base']);
        }
        expect(tables.core.hsa_system_get_info).toBe(internal.core.hsa_system_get_info);
      }),
    );
  });

  it('answers calls by a kept reference with a status of its own, and stays out of the way of others', () => {
    const { tables, put, call, wrapper } = scene();
    const own = intercept(tables.core, 'hsa_system_get_info', wrapper('own'), { removedStatus: hsa.HSA_STATUS_ERROR });
    const kept = tables.core.hsa_system_get_info;
    put('above');
    expect(call()).toEqual(['above', 'own', 'base']);
    own[Symbol.dispose]();
    expect(call()).toEqual(['above', 'base']);
    expect(kept(0, ref<unknown>(undefined))).toBe(hsa.HSA_STATUS_ERROR);
  });

  it('can be disposed twice', () => {
    const { put, call } = scene();
    const a = put('a');
    put('b');
    a[Symbol.dispose]();
    a[Symbol.dispose]();
    expect(call()).toEqual(['b', 'base']);
  });

  it('keeps a wrapper that a tool put on top by assignment, whichever goes first', () => {
    const { put, call, tables, wrapper } = scene();
    const below = put('below');
    tables.core.hsa_system_get_info = wrapper('assigned')(tables.core.hsa_system_get_info);
    const above = put('above');
    expect(call()).toEqual(['above', 'assigned', 'below', 'base']);
    below[Symbol.dispose]();
    expect(call()).toEqual(['above', 'assigned', 'base']);
    above[Symbol.dispose]();
    expect(call()).toEqual(['assigned', 'base']);
  });

  it('turns what a wrapper throws into a status', () => {
    const { tables } = scene();
    const events = recorder();
    const broken = (): number => {
      throw new TypeError('a bug in a tool');
    };
    intercept(tables.core, 'hsa_system_get_info', () => broken, { events });
    expect(tables.core.hsa_system_get_info(0, ref<unknown>(0))).toBe(hsa.HSA_STATUS_ERROR);
    intercept(tables.core, 'hsa_system_get_info', () => () => {
      throw new HsaError('ERR_TOOL', { message: 'x', hsaStatus: hsa.HSA_STATUS_ERROR_INVALID_QUEUE });
    });
    expect(tables.core.hsa_system_get_info(0, ref<unknown>(0))).toBe(hsa.HSA_STATUS_ERROR_INVALID_QUEUE);
    expect(events.events).toEqual([expect.objectContaining({ name: 'slot-failed', level: 'error' })]);
  });

  it('goes on without a wrapper that throws where no status can be returned', () => {
    const stored: bigint[] = [];
    const events = recorder();
    const { public: tables } = createApiTables(
      {
        hsa_signal_store_relaxed: (_signal, value) => void stored.push(value),
        hsa_signal_exchange_relaxed: (_signal, value) => value + 1n,
      },
      { events },
    );
    const fail = (): never => {
      throw new Error('a bug in a tool');
    };
    intercept(tables.core, 'hsa_signal_store_relaxed', () => fail);
    intercept(tables.core, 'hsa_signal_exchange_relaxed', (next) => (signal, value) => fail() ?? next(signal, value));
    tables.core.hsa_signal_store_relaxed(1n, 5n);
    expect(stored).toEqual([5n]);
    expect(tables.core.hsa_signal_exchange_relaxed(1n, 5n)).toBe(6n);
    intercept(tables.core, 'hsa_signal_store_relaxed', (next) => (signal, value) => {
      next(signal, value);
      fail();
    });
    tables.core.hsa_signal_store_relaxed(1n, 6n);
    expect(stored).toEqual([5n, 6n]);
    expect(events.events.map(({ name, level }) => [name, level])).toEqual(Array(4).fill(['slot-failed', 'error']));
  });

  it('changes arguments and answers without calling on', () => {
    const { tables } = scene();
    intercept(tables.core, 'hsa_system_get_info', (next) => (attribute, value) => (attribute === 2 ? next(7, value) : 44));
    expect(tables.core.hsa_system_get_info(3, ref<unknown>(0))).toBe(44);
    expect(tables.core.hsa_system_get_info(2, ref<unknown>(0))).toBe(0);
  });

  it('fills an empty tools slot, and empties it again', () => {
    const { tables } = scene();
    const kinds: number[] = [];
    const handle = intercept(tables.tools, 'hsa_amd_tool_scratch_event_free_start', (next) => (event) => {
      kinds.push(event.kind);
      return next(event);
    });
    expect(tables.tools.hsa_amd_tool_scratch_event_free_start?.({ kind: 3, queue: 1n, flags: 0 })).toBe(hsa.HSA_STATUS_SUCCESS);
    handle[Symbol.dispose]();
    expect([kinds, tables.tools.hsa_amd_tool_scratch_event_free_start]).toEqual([[3], null]);
  });

  it('refuses the internal table', () => {
    const { internal } = scene();
    expect(() => intercept(internal.core, 'hsa_init', (next) => next)).toThrow(
      expect.toSatisfy((error) => isHsaError(error, 'ERR_NOT_SUPPORTED')),
    );
  });
});
