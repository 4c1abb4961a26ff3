import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { HsaFunction, HsaTableName } from '../src/index.js';
import {
  HSA_API_TABLE_MAJOR_VERSION,
  HSA_API_TABLE_STEP_VERSION,
  HSA_CALLBACKS,
  HSA_FUNCTIONS,
  HSA_TABLES,
  tableSizeBytes,
} from '../src/index.js';
import { runC, whyNoHeaders } from './c-compiler.js';

const functions: readonly HsaFunction[] = Object.values(HSA_FUNCTIONS);

describe('the API tables', () => {
  // hsa_api_trace_version.h and the size checks of hsa_api_trace.cpp, ROCR of 2025-08.
  it.each([
    ['core', 2, 1016, 0, 125],
    ['amdExt', 2, 608, 7, 74],
    ['finalizerExt', 2, 64, 0, 6],
    ['imageExt', 2, 128, 1, 14],
    ['tools', 1, 64, 0, 6],
    ['pcSamplingExt', 1, 72, 0, 7],
  ] as const)('%s has version %i.%i.%i and %i slots', (name, major, minor, step, slots) => {
    const table = HSA_TABLES[name];
    expect([table.major, tableSizeBytes(table.slots.length), table.step, table.slots.length]).toEqual([
      major,
      minor,
      step,
      slots,
    ]);
  });

  it('form a root of version 3.64.1', () => {
    const root = [HSA_API_TABLE_MAJOR_VERSION, tableSizeBytes(Object.keys(HSA_TABLES).length), HSA_API_TABLE_STEP_VERSION];
    expect(root).toEqual([3, 64, 1]);
  });

  // Slots that AMD's own documents name by number, because their order is not that of their introduction.
  it.each([
    ['core', 7, 'hsa_queue_create'],
    ['core', 124, 'hsa_executable_iterate_program_symbols'],
    ['amdExt', 27, 'hsa_amd_image_create'],
    ['amdExt', 52, 'hsa_amd_queue_cu_get_mask'],
    ['amdExt', 69, 'hsa_amd_vmem_address_reserve_align'],
    ['amdExt', 73, 'hsa_amd_portable_export_dmabuf_v2'],
    ['imageExt', 13, 'hsa_ext_sampler_create_v2'],
  ] as const)('%s slot %i is %s', (name, slot, fn) => {
    expect(HSA_TABLES[name].slots[slot]).toBe(fn);
  });

  it('name every function once, and no other', () => {
    const slots = Object.values(HSA_TABLES).flatMap((table) => table.slots);
    expect(new Set(slots).size).toBe(232);
    expect(Object.keys(HSA_FUNCTIONS)).toEqual(slots);
    expect(functions.map(({ name }) => name)).toEqual(slots);
  });
});

describe('signatures', () => {
  it('say what an array, an out-parameter, a structure and a callback are of', () => {
    for (const { name, params } of functions) {
      for (const { kind, element, struct, callback, name: param } of params) {
        const where = `${name}.${param}`;
        expect(element !== undefined, where).toBe(['array', 'out', 'in-out', 'out-array'].includes(kind));
        expect(struct !== undefined, where).toBe(kind === 'struct' || element === 'struct');
        expect(callback !== undefined, where).toBe(kind === 'callback');
      }
    }
  });

  it('use every callback type', () => {
    const used = new Set(functions.flatMap(({ params }) => params.flatMap(({ callback }) => callback ?? [])));
    const nested = Object.entries(HSA_CALLBACKS).filter(([name]) => !used.has(name as never));
    expect(nested.map(([name]) => name)).toEqual(['PacketWriter', 'PcSamplingCopyCallback']);
  });
});

const headers = ['hsa.h', 'hsa_ext_amd.h', 'hsa_ext_image.h', 'hsa_ext_finalize.h', 'hsa_api_trace.h'];
const missing = whyNoHeaders(...headers.map((header) => `/usr/include/hsa/${header}`));

describe.skipIf(missing !== '')(`C headers ${missing}`, () => {
  const declared = (text: string): ((name: string) => boolean) => {
    const words = new Set(text.match(/\w+/g));
    return (name) => words.has(name);
  };
  const headerText = missing === '' ? headers.map((header) => readFileSync(`/usr/include/hsa/${header}`, 'utf8')).join('\n') : '';
  const isDeclared = declared(headerText);
  const includes = `#include <type_traits>\n#include <cstdio>\n#include <cstddef>\n#define AMD_INTERNAL_BUILD\n${headers
    .map((header) => `#include <hsa/${header}>`)
    .join('\n')}\n`;

  it('declare every function of theirs with our types', () => {
    const ours = functions.filter(({ name }) => isDeclared(name));
    const statements = ours.map(({ name, returns, params }) => {
      const type = `${returns}(${params.map(({ cType }) => cType).join(', ')})`;
      return `printf("${name} %d\\n", std::is_same<decltype(${name}), ${type}>::value);`;
    });
    const output = runC(`${includes}int main() {\n${statements.join('\n')}\nreturn 0; }\n`, 'c++')
      .trim()
      .split('\n');
    expect(ours.length).toBeGreaterThanOrEqual(190);
    expect(output).toEqual(ours.map(({ name }) => `${name} 1`));
  });

  it('name the parameters as we do', () => {
    const plain = headerText.replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, ' ').replaceAll(/\s+/g, ' ');
    const seen = functions.filter(({ name, params }) => {
      const declaration = new RegExp(`\\b${name} ?\\(([^;]*?)\\);`).exec(plain)?.[1];
      if (declaration === undefined) return false;
      const words: readonly string[] = declaration.match(/\w+/g) ?? [];
      // Some prototypes changed parameter names between releases; order and presence of all the others must hold.
      let from = 0;
      const found = params.every(({ name: param }) => {
        const at = words.indexOf(param, from);
        from = at + 1;
        return at >= 0;
      });
      expect(found, `${name}(${declaration})`).toBe(true);
      return true;
    });
    expect(seen.length).toBeGreaterThanOrEqual(190);
  });

  it.each([
    ['core', 'CoreApiTable', 125],
    ['finalizerExt', 'FinalizerExtTable', 6],
    ['imageExt', 'ImageExtTable', 13],
  ] as const)('have the first slots of %s where we have them', (table: HsaTableName, type, count) => {
    const slots = HSA_TABLES[table].slots.slice(0, count);
    const statements = slots.map((slot) => `printf("${slot} %zu\\n", offsetof(${type}, ${slot}_fn));`);
    const output = runC(`${includes}int main() {\n${statements.join('\n')}\nreturn 0; }\n`, 'c++')
      .trim()
      .split('\n');
    expect(output).toEqual(slots.map((slot, index) => `${slot} ${16 + 8 * index}`));
  });
});
