import type { LibraryEvent } from '@doorbell/abi';
import { hsa } from '@doorbell/abi';
import type { HsaApiTables } from '@doorbell/api-table';
import { createApiTables } from '@doorbell/api-table';
import { readFileSync } from 'node:fs';

/** A code object of the code-object package's tests, linked by clang and lld. */
export function fixture(name: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(`../../code-object/test/fixtures/${name}`, import.meta.url)));
}

export const AGENT = 0x10n;
const ISA = 0x20n;

export interface FakeRuntime {
  readonly tables: HsaApiTables;
  /** Calls of the loader's functions and of agent queries, with the arguments as they came. */
  readonly calls: { readonly name: string; readonly args: readonly unknown[] }[];
  readonly events: LibraryEvent[];
  readonly sink: { publish(event: LibraryEvent): void };
}

/** Tables over a loader that takes everything, and one agent with this ISA and revision (a number, or the status of the query). */
export function fakeRuntime({
  isaName = 'amdgcn-amd-amdhsa--gfx1100',
  revision,
}: {
  readonly isaName?: string;
  readonly revision?: number | { readonly status: number };
} = {}): FakeRuntime {
  const calls: FakeRuntime['calls'] = [];
  const events: LibraryEvent[] = [];
  let nextHandle = 0x100n;
  const record = (name: string, args: readonly unknown[]): number => {
    calls.push({ name, args });
    return hsa.HSA_STATUS_SUCCESS;
  };
  const tables = createApiTables({
    hsa_code_object_reader_create_from_memory: (...args) => {
      args[2].value = nextHandle++;
      return record('create_from_memory', args);
    },
    hsa_code_object_reader_create_from_file: (...args) => {
      args[1].value = nextHandle++;
      return record('create_from_file', args);
    },
    hsa_code_object_reader_destroy: (...args) => record('destroy', args),
    hsa_executable_load_agent_code_object: (...args) => {
      if (args[4]) args[4].value = nextHandle++;
      return record('load', args);
    },
    hsa_agent_iterate_isas: (agent, callback, data) => {
      record('iterate_isas', [agent]);
      return callback(ISA, data);
    },
    hsa_isa_get_info_alt: (_isa, _attribute, value) => {
      value.value = isaName;
      return hsa.HSA_STATUS_SUCCESS;
    },
    hsa_agent_get_info: (agent, attribute, value) => {
      record('agent_get_info', [agent, attribute]);
      if (typeof revision === 'object') return revision.status;
      value.value = revision;
      return hsa.HSA_STATUS_SUCCESS;
    },
  });
  return { tables, calls, events, sink: { publish: (event) => void events.push(event) } };
}
