import type { AmdLoaderApi, LibraryEvent } from '@doorbell/abi';
import { hsa } from '@doorbell/abi';
import type { HsaApiTables } from '@doorbell/api-table';
import { createApiTables } from '@doorbell/api-table';
import { readFileSync } from 'node:fs';
import type { HotSwapHost } from '../src/index.js';

/** A code object of the code-object package's tests, linked by clang and lld. */
export function fixture(name: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(`../../code-object/test/fixtures/${name}`, import.meta.url)));
}

export const AGENT = 0x10n;
export const CPU = 0xcn;
export const EXECUTABLE = 0x1n;
export const CREATE_REGION = 'hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size';

/** A GPU agent. */
export interface FakeAgent {
  readonly handle: bigint;
  /** Undefined: it has no ISA to tell. */
  readonly isaName?: string;
  /** A number, or the status of the query that fails. */
  readonly revision?: number | { readonly status: number };
}

export const A0: FakeAgent = { handle: AGENT, isaName: 'amdgcn-amd-amdhsa--gfx1250', revision: 0 };
export const B0: FakeAgent = { handle: AGENT, isaName: 'amdgcn-amd-amdhsa--gfx1250', revision: 1 };
export const UNKNOWN: FakeAgent = { ...A0, revision: { status: hsa.HSA_STATUS_ERROR } };
export const GFX1100: FakeAgent = { handle: AGENT, isaName: 'amdgcn-amd-amdhsa--gfx1100' };

interface Call {
  readonly name: string;
  readonly args: readonly unknown[];
}

/** What a reader reads, and what a load saw. */
export interface FakeReader {
  readonly bytes: Uint8Array;
  readonly uri: string;
}

export interface FakeRuntime {
  readonly tables: HsaApiTables;
  /** Calls with the arguments as they came. */
  readonly calls: Call[];
  readonly events: LibraryEvent[];
  readonly sink: { publish(event: LibraryEvent): void };
  readonly readers: Map<bigint, FakeReader>;
  /** What the loader saw, by reader, a copy of the bytes at that time. */
  readonly loads: (FakeReader & { readonly reader: bigint; readonly kind: 'agent' | 'program' | 'deprecated' })[];
  /** Files by descriptor: bytes, and the position that nobody may move. */
  readonly files: Map<number, { readonly bytes: Uint8Array; position: number }>;
  readonly host: HotSwapHost;
  /** Statuses to fail with, by slot; several for several calls. */
  readonly failures: Map<string, number[]>;
}

/** Tables over a loader that takes everything, a CPU, and some GPUs. */
export function fakeRuntime(agents: readonly FakeAgent[] = [GFX1100]): FakeRuntime {
  const calls: Call[] = [];
  const events: LibraryEvent[] = [];
  const readers: FakeRuntime['readers'] = new Map();
  const loads: FakeRuntime['loads'] = [];
  const files: FakeRuntime['files'] = new Map();
  const failures: FakeRuntime['failures'] = new Map();
  let nextHandle = 0x100n;
  const record = (name: string, args: readonly unknown[]): number => {
    calls.push({ name, args });
    return failures.get(name)?.shift() ?? hsa.HSA_STATUS_SUCCESS;
  };
  const makeReader = (reader: { value: bigint }, made: FakeReader): number => {
    reader.value = nextHandle++;
    readers.set(reader.value, made);
    return hsa.HSA_STATUS_SUCCESS;
  };
  const regionOf = (file: number, offset: number, size?: number): FakeReader => ({
    bytes: files.get(file)!.bytes.slice(offset, size === undefined ? undefined : offset + size),
    uri: `file:///${file}#offset=${offset}`,
  });
  const load = (kind: 'agent' | 'program', reader: bigint, status: number): number => {
    const found = readers.get(reader);
    if (found === undefined) return hsa.HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER;
    loads.push({ kind, reader, uri: found.uri, bytes: found.bytes.slice() });
    return status;
  };
  const loaderTable: Partial<AmdLoaderApi> = {
    [CREATE_REGION]: (file, offset, size, reader) => {
      const status = record(CREATE_REGION, [file, offset, size, reader]);
      return status === hsa.HSA_STATUS_SUCCESS ? makeReader(reader, regionOf(file, Number(offset), Number(size))) : status;
    },
  };
  const tables = createApiTables({
    hsa_code_object_reader_create_from_memory: (...args) => {
      const status = record('hsa_code_object_reader_create_from_memory', args);
      const [codeObject, size, reader] = args;
      if (status !== hsa.HSA_STATUS_SUCCESS) return status;
      const bytes = codeObject instanceof Uint8Array ? codeObject.subarray(0, Number(size)) : new Uint8Array(0);
      return makeReader(reader, { bytes, uri: 'memory://' });
    },
    hsa_code_object_reader_create_from_file: (...args) => {
      const status = record('hsa_code_object_reader_create_from_file', args);
      return status === hsa.HSA_STATUS_SUCCESS ? makeReader(args[1], regionOf(args[0], 0)) : status;
    },
    hsa_code_object_reader_destroy: (...args) => {
      const status = record('hsa_code_object_reader_destroy', args);
      if (status === hsa.HSA_STATUS_SUCCESS) readers.delete(args[0]);
      return status;
    },
    hsa_executable_destroy: (...args) => record('hsa_executable_destroy', args),
    hsa_executable_load_agent_code_object: (...args) => {
      if (args[4]) args[4].value = nextHandle++;
      return load('agent', args[2], record('hsa_executable_load_agent_code_object', args));
    },
    hsa_executable_load_program_code_object: (...args) =>
      load('program', args[1], record('hsa_executable_load_program_code_object', args)),
    hsa_executable_load_code_object: (...args) => record('hsa_executable_load_code_object', args),
    hsa_system_get_major_extension_table: (...args) => {
      args[3].value = { ...loaderTable };
      return record('hsa_system_get_major_extension_table', args);
    },
    hsa_iterate_agents: (callback, data) => {
      const status = record('hsa_iterate_agents', []);
      if (status !== hsa.HSA_STATUS_SUCCESS) return status;
      for (const handle of [CPU, ...agents.map((agent) => agent.handle)]) callback(handle, data);
      return status;
    },
    hsa_agent_iterate_isas: (handle, callback, data) => {
      record('hsa_agent_iterate_isas', [handle]);
      const isaName = agents.find((agent) => agent.handle === handle)?.isaName;
      // The handle of an agent's ISA is the agent's own.
      return isaName === undefined ? hsa.HSA_STATUS_ERROR_INVALID_AGENT : callback(handle, data);
    },
    hsa_isa_get_info_alt: (isa, _attribute, value) => {
      value.value = agents.find((agent) => agent.handle === isa)?.isaName;
      return hsa.HSA_STATUS_SUCCESS;
    },
    hsa_agent_get_info: (handle, attribute, value) => {
      if (attribute === hsa.HSA_AGENT_INFO_DEVICE) {
        value.value = handle === CPU ? hsa.HSA_DEVICE_TYPE_CPU : hsa.HSA_DEVICE_TYPE_GPU;
        return hsa.HSA_STATUS_SUCCESS;
      }
      record('hsa_agent_get_info', [handle, attribute]);
      const revision = agents.find((agent) => agent.handle === handle)?.revision;
      if (typeof revision === 'object') return revision.status;
      value.value = revision;
      return hsa.HSA_STATUS_SUCCESS;
    },
  });
  const host: HotSwapHost = {
    readFile: (file, region) => regionOf(file, region?.offsetBytes ?? 0, region?.sizeBytes).bytes,
  };
  return {
    tables,
    calls,
    events,
    sink: { publish: (event) => void events.push(event) },
    readers,
    loads,
    files,
    host,
    failures,
  };
}

/** Arguments of each call of a slot. */
export function named({ calls }: FakeRuntime, name: string): readonly (readonly unknown[])[] {
  return calls.filter((call) => call.name === name).map(({ args }) => args);
}
