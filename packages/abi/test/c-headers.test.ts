import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AMD_LOADER_SLOTS, AMD_QUEUE, AMD_QUEUE_V1_BYTES, AMD_SIGNAL, hsa, hsakmt, hsakmtA, hsaStructs } from '../src/index.js';
import { whyNoHeaders } from './c-compiler.js';
import { constantReport, linesOf, namesIn, pick } from './c-header-facts.js';
import { layoutReport, layoutsOf, membersOf, numbersOf } from './layout-facts.js';

const THUNK = '/usr/include/hsakmttypes.h';
const HSA = '/usr/include/hsa/hsa.h';

const noThunk = whyNoHeaders(THUNK);
describe.skipIf(noThunk !== '')(`hsakmttypes.h ${noThunk}`, () => {
  const include = '#include <hsakmttypes.h>';

  it('agrees on every structure of generation A', () => {
    const { source, expected } = layoutReport(layoutsOf(hsakmtA), (name) => name);
    expect(Object.keys(layoutsOf(hsakmtA))).toHaveLength(43);
    expect(linesOf(include, source)).toEqual(expected);
  });

  it('agrees on every constant', () => {
    const has = namesIn(THUNK);
    const constants = pick(numbersOf(hsakmt), (name) => has(name) && !name.endsWith('INDEX_MAX'));
    const { source, expected } = constantReport(constants);
    expect(Object.keys(constants).length).toBeGreaterThan(150);
    expect(linesOf(include, source)).toEqual(expected);
  });
});

const noHsa = whyNoHeaders(HSA);
describe.skipIf(noHsa !== '')(`hsa.h ${noHsa}`, () => {
  const headers = [
    'hsa.h',
    'hsa_ext_amd.h',
    'hsa_ext_image.h',
    'hsa_ext_finalize.h',
    'hsa_ven_amd_loader.h',
    'amd_hsa_queue.h',
    'amd_hsa_signal.h',
  ];
  const include = headers.map((header) => `#include <hsa/${header}>`).join('\n');
  const words = noHsa === '' ? headers.map((header) => namesIn(`/usr/include/hsa/${header}`)) : [];
  const has = (name: string): boolean => words.some((knows) => knows(name));

  it('agrees on every structure', () => {
    const layouts = pick(layoutsOf(hsaStructs), has);
    const { source, expected } = layoutReport(layouts, (name) => name, has);
    expect(Object.keys(layouts).length).toBeGreaterThan(25);
    expect(linesOf(include, source)).toEqual(expected);
  });

  it('agrees on every constant', () => {
    const constants = pick(numbersOf(hsa), (name) => has(name) && !/^HSA_AMD_(INTERFACE_VERSION|LAST_EXTENSION)/.test(name));
    const { source, expected } = constantReport(constants);
    expect(Object.keys(constants).length).toBeGreaterThan(300);
    expect(linesOf(include, source)).toEqual(expected);
  });

  it('agrees on the order of the loader extension', () => {
    const statements = AMD_LOADER_SLOTS.map((slot) => `printf("%zu\\n", offsetof(hsa_ven_amd_loader_1_03_pfn_t, ${slot}));`);
    const expected = [...AMD_LOADER_SLOTS.map((_, index) => String(8 * index)), String(8 * AMD_LOADER_SLOTS.length)];
    expect(linesOf(include, `${statements.join('\n')}\nprintf("%zu\\n", sizeof(hsa_ven_amd_loader_1_03_pfn_t));`)).toEqual(
      expected,
    );
  });

  it('agrees on amd_signal_t', () => {
    const { source, expected } = layoutReport({ amd_signal_t: AMD_SIGNAL }, () => 'amd_signal_t');
    expect(linesOf(include, source)).toEqual(expected);
  });

  it('agrees on the members of amd_queue_t that its first version has', () => {
    const text = readFileSync('/usr/include/hsa/amd_hsa_queue.h', 'utf8');
    const members = membersOf(AMD_QUEUE.fields).filter(
      ({ path }) => !/^reserved|^caps/.test(path) && text.includes(path.split('.')[0]!),
    );
    const statements = members.map(({ path }) => `printf("${path} %zu\\n", offsetof(amd_queue_t, ${path}));`);
    expect(members.length).toBeGreaterThan(20);
    expect(linesOf(include, `printf("%zu\\n", sizeof(amd_queue_t));\n${statements.join('\n')}`)).toEqual([
      String(AMD_QUEUE_V1_BYTES),
      ...members.map(({ path, offset }) => `${path} ${offset}`),
    ]);
  });
});
