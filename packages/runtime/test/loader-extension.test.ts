/** The AMD loader extension, and loads without readers or agents: hsa_ven_amd_loader.h and hsa.h say what is expected. */
import { Runtime } from '@doorbell/runtime';
import { abi } from '@doorbell/runtime/layers';
import { closeSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readDescriptor } from '../src/core/files.js';

const { ref } = abi;
const VADD = new Uint8Array(readFileSync(new URL('programs/vadd.hsaco', import.meta.url)));
const LOADER = 0x201;
let runtime: Runtime;
let core: Runtime['tables']['public']['core'];
let table: abi.AmdLoaderApi;
let gpu: bigint;
let folder: string;

beforeAll(async () => {
  runtime = await Runtime.acquire({ backend: 'emulated' });
  ({ core } = runtime.tables.public);
  gpu = runtime.registry.list.find(({ agent }) => agent.kind === 'gpu')!.handle;
  const entries = ref<unknown>(undefined);
  expect(core.hsa_system_get_major_extension_table(LOADER, 1, 56n, entries)).toBe(0);
  table = entries.value as abi.AmdLoaderApi;
  folder = mkdtempSync(join(tmpdir(), 'loader extension-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await runtime.release();
});

function newExecutable(): bigint {
  const executable = ref(0n);
  expect(core.hsa_executable_create_alt(1, 0, null, executable)).toBe(0);
  return executable.value;
}

function load(reader: bigint): { readonly executable: bigint; readonly loaded: bigint } {
  const [executable, loaded] = [newExecutable(), ref(0n)];
  expect(core.hsa_executable_load_agent_code_object(executable, gpu, reader, null, loaded)).toBe(0);
  return { executable, loaded: loaded.value };
}

function info(loaded: bigint, attribute: number): unknown {
  const value = ref<unknown>(undefined);
  const status = table.hsa_ven_amd_loader_loaded_code_object_get_info(loaded, attribute, value);
  return status === 0 ? value.value : `0x${status.toString(16)}`;
}

describe('extensions', () => {
  it('are asked for by number and version', () => {
    const [minor, result] = [ref(0), ref(false)];
    const supported = (extension: number, major: number): unknown => [
      core.hsa_system_major_extension_supported(extension, major, minor, result),
      result.value,
    ];
    expect(supported(LOADER, 1)).toEqual([0, true]);
    expect(minor.value).toBe(3);
    expect(supported(LOADER, 2)).toEqual([0, false]);
    expect(supported(1, 1)).toEqual([0, false]);
    expect(core.hsa_system_major_extension_supported(0x300, 1, minor, result)).toBe(0x1001);
    for (const [version, isThere] of [
      [3, true],
      [4, false],
    ] as const) {
      expect(core.hsa_system_extension_supported(LOADER, 1, version, result)).toBe(0);
      expect(result.value).toBe(isThere);
    }
  });

  it('give as much of their table as there is room or version for', () => {
    const entries = ref<unknown>(undefined);
    const names = (): string[] => Object.keys(entries.value as object);
    expect(core.hsa_system_get_major_extension_table(LOADER, 1, 47n, entries)).toBe(0);
    expect(names()).toEqual(abi.AMD_LOADER_SLOTS.slice(0, 5));
    for (const [version, count] of [3, 5, 6, 7].entries()) {
      expect(core.hsa_system_get_extension_table(LOADER, 1, version, entries)).toBe(0);
      expect(names()).toHaveLength(count);
    }
    expect(core.hsa_system_get_extension_table(LOADER, 1, 4, entries)).toBe(0x1000);
    expect(core.hsa_system_get_major_extension_table(LOADER, 1, 0n, entries)).toBe(0x1001);
    expect(core.hsa_system_get_major_extension_table(LOADER, 2, 56n, entries)).toBe(0x1000);
    expect(core.hsa_system_get_major_extension_table(0x300, 1, 56n, entries)).toBe(0x1001);
  });
});

describe('a reader of a part of a file', () => {
  it('reads that part, moves nobody else, and tells where it is', () => {
    const path = join(folder, 'two (2).bin');
    writeFileSync(path, Buffer.concat([Buffer.alloc(100), VADD, Buffer.alloc(7)]));
    const file = openSync(path, 'r');
    try {
      readSync(file, new Uint8Array(5));
      const reader = ref(0n);
      const create = (offset: number, size: number): number =>
        table.hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size(file, BigInt(offset), BigInt(size), reader);
      expect(create(100, VADD.length)).toBe(0);
      const { executable, loaded } = load(reader.value);
      const uri = `file://${folder.replaceAll(' ', '%20')}/two%20%282%29.bin#offset=100&size=${VADD.length}`;
      expect([info(loaded, 12), info(loaded, 11)]).toEqual([uri, uri.length]);
      expect([info(loaded, 4), info(loaded, 7), info(loaded, 5)]).toEqual([1, file, '0x1001']);
      core.hsa_executable_destroy(executable);
      expect([create(100, VADD.length + 8), create(10_000_000, 1), create(0, 0)]).toEqual([0x1010, 0x1010, 0x1010]);
      expect(table.hsa_ven_amd_loader_code_object_reader_create_from_file_with_offset_size(-1, 0n, 1n, reader)).toBe(0x1001);
      // The descriptor is where it was: 5 of 100 zeros are read.
      const rest = new Uint8Array(96);
      readSync(file, rest);
      expect(rest).toEqual(Uint8Array.of(...new Uint8Array(95), VADD[0]!));
    } finally {
      closeSync(file);
    }
  });

  it('goes on after reads that were interrupted or short', () => {
    const path = join(folder, 'bytes.bin');
    writeFileSync(path, Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 7));
    const file = openSync(path, 'r');
    const positions: number[] = [];
    let interrupts = 2;
    try {
      const bytes = readDescriptor(file, { offsetBytes: 2, sizeBytes: 5 }, (from, into, { offset, length, position }) => {
        positions.push(position);
        if (interrupts-- > 0) throw Object.assign(new Error('interrupted'), { code: 'EINTR' });
        return readSync(from, into, offset, Math.min(length, 2), position);
      });
      expect([...bytes]).toEqual([2, 3, 4, 5, 6]);
      expect(positions).toEqual([2, 2, 2, 4, 6]);
    } finally {
      closeSync(file);
    }
  });
});

describe('what is loaded', () => {
  it('is found by device address, and described', () => {
    const reader = ref(0n);
    core.hsa_code_object_reader_create_from_memory(VADD, BigInt(VADD.length), reader);
    const { executable, loaded } = load(reader.value);
    const seen: bigint[] = [];
    table.hsa_ven_amd_loader_iterate_executables((handle) => (seen.push(handle), 0), null);
    expect(seen).toContain(executable);
    const objects: unknown[] = [];
    expect(
      table.hsa_ven_amd_loader_executable_iterate_loaded_code_objects(executable, (...args) => (objects.push(args), 0), 'data'),
    ).toBe(0);
    expect(objects).toEqual([[executable, loaded, 'data']]);
    expect([1, 2, 3, 4].map((attribute) => info(loaded, attribute))).toEqual([executable, 2, gpu, 2]);
    expect([info(loaded, 5), info(loaded, 6)]).toEqual([VADD, BigInt(VADD.length)]);
    expect([info(loaded, 7), info(loaded, 13), info(999n, 1)]).toEqual(['0x1001', '0x1001', '0x1010']);
    const symbol = ref(0n);
    core.hsa_executable_get_symbol_by_name(executable, 'vadd.kd', gpu, symbol);
    const address = ref<unknown>(0n);
    core.hsa_executable_symbol_get_info(symbol.value, 22, address);
    const descriptor = address.value as bigint;
    const base = info(loaded, 9) as bigint;
    expect(descriptor - base).toBeLessThan(info(loaded, 10) as bigint);
    const owner = ref(0n);
    expect(table.hsa_ven_amd_loader_query_executable(descriptor, owner)).toBe(0);
    expect(owner.value).toBe(executable);
    const host = ref<abi.Memory>(0n);
    expect(table.hsa_ven_amd_loader_query_host_address(descriptor, host)).toBe(0);
    // The kernarg size in the descriptor (LLVM AMDGPUUsage, "Kernel Descriptor": bytes 8 to 11).
    const bytes = host.value as Uint8Array;
    const kernarg = ref<unknown>(0);
    core.hsa_executable_symbol_get_info(symbol.value, 11, kernarg);
    expect(new DataView(bytes.buffer, bytes.byteOffset).getUint32(8, true)).toBe(kernarg.value);
    const count = ref(0n);
    expect(table.hsa_ven_amd_loader_query_segment_descriptors(null, count)).toBe(0);
    const segments = ref<readonly { readonly executable: bigint; readonly segment_base: bigint }[]>([]);
    expect(table.hsa_ven_amd_loader_query_segment_descriptors(segments as never, count)).toBe(0);
    expect(segments.value.find((segment) => segment.executable === executable)!.segment_base).toBe(base);
    expect(table.hsa_ven_amd_loader_query_segment_descriptors(null, count)).toBe(0x1001);
    expect(table.hsa_ven_amd_loader_query_segment_descriptors(segments as never, ref(count.value + 1n))).toBe(0x100d);
    core.hsa_executable_destroy(executable);
    expect(table.hsa_ven_amd_loader_query_executable(descriptor, owner)).toBe(0x1001);
    expect(table.hsa_ven_amd_loader_query_executable(null as never, owner)).toBe(0x1001);
  });

  it('may come by the deprecated functions', () => {
    const [codeObject, executable] = [ref(0n), newExecutable()];
    const bytes = VADD.slice();
    expect(core.hsa_code_object_deserialize(bytes, BigInt(bytes.length), null, codeObject)).toBe(0);
    bytes.fill(0);
    expect(core.hsa_executable_load_code_object(executable, gpu, codeObject.value, null)).toBe(0);
    expect(core.hsa_code_object_destroy(codeObject.value)).toBe(0);
    expect(core.hsa_code_object_destroy(codeObject.value)).toBe(0x1010);
    expect(core.hsa_executable_load_code_object(newExecutable(), gpu, codeObject.value, null)).toBe(0x1010);
    expect(core.hsa_executable_get_symbol_by_name(executable, 'vadd.kd', gpu, ref(0n))).toBe(0);
    expect(core.hsa_executable_destroy(executable)).toBe(0);
  });

  it('is loaded for an agent, never for a whole program', () => {
    const [reader, executable] = [ref(0n), newExecutable()];
    core.hsa_code_object_reader_create_from_memory(VADD, BigInt(VADD.length), reader);
    expect(core.hsa_executable_load_program_code_object(executable, reader.value, null, null)).toBe(0x100d);
    expect(core.hsa_executable_load_program_code_object(executable, 5n, null, null)).toBe(0x1021);
    expect(core.hsa_executable_load_program_code_object(5n, reader.value, null, null)).toBe(0x1011);
  });
});
