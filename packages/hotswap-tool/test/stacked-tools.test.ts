import { hsa, ref } from '@doorbell/abi';
import type { HsaApiTable } from '@doorbell/api-table';
import { intercept } from '@doorbell/api-table';
import { describe, expect, it } from 'vitest';
import { installHotSwap } from '../src/index.js';
import { gfx1250Min } from './fixtures/gfx1250-min.js';
import { A0, AGENT, EXECUTABLE, fakeRuntime } from './support.js';

const REWRITTEN = Uint8Array.of(9);
type Name = 'first' | 'hotswap' | 'last';

/** A tool that writes down which bytes the loads below it get. */
function spy(table: HsaApiTable, name: string, seen: string[]): Disposable {
  return intercept(table.core, 'hsa_executable_load_agent_code_object', (next) => (...args) => {
    seen.push(name);
    return next(...args);
  });
}

function stack(order: readonly Name[]) {
  const runtime = fakeRuntime([A0]);
  const { public: table } = runtime.tables;
  const before = { ...table.core };
  const seen: string[] = [];
  const tools = new Map<Name, Disposable>();
  for (const name of order) {
    const tool =
      name === 'hotswap'
        ? installHotSwap(table, { env: {}, rewriter: () => ({ status: 'rewritten', bytes: REWRITTEN }) })
        : spy(table, name, seen);
    tools.set(name, tool);
  }
  const load = (): { readonly seen: readonly string[]; readonly bytes: Uint8Array | undefined } => {
    seen.length = 0;
    runtime.loads.length = 0;
    const reader = ref(0n);
    table.core.hsa_code_object_reader_create_from_memory(gfx1250Min(), BigInt(gfx1250Min().length), reader);
    expect(table.core.hsa_executable_load_agent_code_object(EXECUTABLE, AGENT, reader.value, null, null)).toBe(0);
    return { seen: [...seen], bytes: runtime.loads[0]?.bytes };
  };
  return { table, before, tools, load };
}

/** All orders of three. */
function ordersOf<T>([a, b, c]: readonly [T, T, T]): readonly (readonly T[])[] {
  return [
    [a, b, c],
    [a, c, b],
    [b, a, c],
    [b, c, a],
    [c, a, b],
    [c, b, a],
  ];
}

const NAMES = ['first', 'hotswap', 'last'] as const;

describe('three tools in one table', () => {
  it.each(ordersOf(NAMES))('%s, %s, %s: each sees every load, and can be taken out in any order', (...order) => {
    for (const removal of ordersOf(NAMES)) {
      const { table, before, tools, load } = stack(order);
      const left = new Set<Name>(order);
      for (const gone of [undefined, ...removal]) {
        if (gone !== undefined) {
          left.delete(gone);
          tools.get(gone)![Symbol.dispose]();
        }
        // The outermost first.
        const spies = [...left].filter((name) => name !== 'hotswap').reverse();
        expect(load()).toEqual({ seen: spies, bytes: left.has('hotswap') ? REWRITTEN : gfx1250Min() });
      }
      expect({ ...table.core }).toEqual(before);
    }
  });

  it('leaves a slot alone that somebody assigned on top', () => {
    const { table, tools, load } = stack(['first', 'hotswap']);
    const below = table.core.hsa_executable_load_agent_code_object;
    const onTop: typeof below = (...args) => below(...args);
    table.core.hsa_executable_load_agent_code_object = onTop;
    expect(load().bytes).toEqual(REWRITTEN);
    tools.get('hotswap')![Symbol.dispose]();
    expect(table.core.hsa_executable_load_agent_code_object).toBe(onTop);
    // It calls what is no longer there.
    expect(onTop(EXECUTABLE, AGENT, 1n, null, null)).toBe(hsa.HSA_STATUS_ERROR);
  });
});
