import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  AMD_LOADER_SLOTS,
  AMD_QUEUE,
  AMD_QUEUE_V1_BYTES,
  AMD_SIGNAL,
  hsa,
  hsakmt,
  hsakmtA,
  hsaStructs,
  kfd,
} from '../src/index.js';
import { runC, whyNoHeaders } from './c-compiler.js';
import { layoutReport, layoutsOf, membersOf, numbersOf } from './layout-facts.js';

const KFD = '/usr/include/linux/kfd_ioctl.h';
const THUNK = '/usr/include/hsakmttypes.h';
const HSA = '/usr/include/hsa/hsa.h';

const PRELUDE = '#include <stddef.h>\n#include <stdio.h>\n#include <string.h>\n#include <stdint.h>\n';

function lines(includes: string, statements: string): string[] {
  return runC(`${PRELUDE}${includes}\nint main(void) {\n${statements}\nreturn 0; }\n`).trim().split('\n');
}

/** Names that the header knows, as words in its text (comments aside). */
function known(header: string): (name: string) => boolean {
  const text = readFileSync(header, 'utf8').replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, '');
  const words = new Set(text.match(/\w+/g));
  return (name) => words.has(name);
}

function pick<T>(record: Readonly<Record<string, T>>, keep: (name: string) => boolean): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => keep(name)));
}

/** Prints constants as 64-bit numbers; ours are compared with their lowest 32 bits where they are 32-bit in C. */
function constantReport(constants: Readonly<Record<string, number | bigint>>): { source: string; expected: string[] } {
  const names = Object.keys(constants);
  return {
    source: names
      .map((name) => `printf("${name} %llx\\n", (unsigned long long)(${name}) & (sizeof(${name}) == 4 ? 0xffffffffull : ~0ull));`)
      .join('\n'),
    expected: names.map(
      (name) => `${name} ${BigInt.asUintN(BigInt(constants[name]!) < 0n ? 32 : 64, BigInt(constants[name]!)).toString(16)}`,
    ),
  };
}

const noKfd = whyNoHeaders(KFD);
describe.skipIf(noKfd !== '')(`kfd_ioctl.h ${noKfd}`, () => {
  const has = noKfd === '' ? known(KFD) : () => false;
  const include = '#include <linux/kfd_ioctl.h>';

  it('agrees on every structure', () => {
    const all = layoutsOf(kfd);
    const grown = Object.keys(all).flatMap((name) => (name.endsWith('_1_11') ? [name.slice(0, -5)] : []));
    const layouts = pick(all, (name) => has(name.replace(/_1_11$/, '')) && !grown.includes(name));
    const { source, expected } = layoutReport(layouts, (name) => `struct ${name.replace(/_1_11$/, '')}`);
    expect(Object.keys(layouts).length).toBeGreaterThan(40);
    expect(lines(include, source)).toEqual(expected);
  });

  it('agrees on every constant and ioctl number', () => {
    const all = numbersOf(kfd);
    const older = Object.fromEntries(
      Object.entries(all).flatMap(([name, value]) => (name.endsWith('_1_11') ? [[name.slice(0, -5), value]] : [])),
    );
    const constants = { ...pick(all, (name) => has(name) && name !== 'KFD_IOCTL_MINOR_VERSION'), ...older };
    const { source, expected } = constantReport(constants);
    expect(Object.keys(constants).length).toBeGreaterThan(120);
    expect(lines(include, source)).toEqual(expected);
  });
});

const noThunk = whyNoHeaders(THUNK);
describe.skipIf(noThunk !== '')(`hsakmttypes.h ${noThunk}`, () => {
  const include = '#include <hsakmttypes.h>';

  it('agrees on every structure of generation A', () => {
    const { source, expected } = layoutReport(layoutsOf(hsakmtA), (name) => name);
    expect(Object.keys(layoutsOf(hsakmtA))).toHaveLength(43);
    expect(lines(include, source)).toEqual(expected);
  });

  it('agrees on every constant', () => {
    const has = known(THUNK);
    const constants = pick(numbersOf(hsakmt), (name) => has(name) && !name.endsWith('INDEX_MAX'));
    const { source, expected } = constantReport(constants);
    expect(Object.keys(constants).length).toBeGreaterThan(150);
    expect(lines(include, source)).toEqual(expected);
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
  const words = noHsa === '' ? headers.map((header) => known(`/usr/include/hsa/${header}`)) : [];
  const has = (name: string): boolean => words.some((knows) => knows(name));

  it('agrees on every structure', () => {
    const layouts = pick(layoutsOf(hsaStructs), has);
    const { source, expected } = layoutReport(layouts, (name) => name, has);
    expect(Object.keys(layouts).length).toBeGreaterThan(25);
    expect(lines(include, source)).toEqual(expected);
  });

  it('agrees on every constant', () => {
    const constants = pick(numbersOf(hsa), (name) => has(name) && !/^HSA_AMD_(INTERFACE_VERSION|LAST_EXTENSION)/.test(name));
    const { source, expected } = constantReport(constants);
    expect(Object.keys(constants).length).toBeGreaterThan(300);
    expect(lines(include, source)).toEqual(expected);
  });

  it('agrees on the order of the loader extension', () => {
    const statements = AMD_LOADER_SLOTS.map((slot) => `printf("%zu\\n", offsetof(hsa_ven_amd_loader_1_03_pfn_t, ${slot}));`);
    const expected = [...AMD_LOADER_SLOTS.map((_, index) => String(8 * index)), String(8 * AMD_LOADER_SLOTS.length)];
    expect(lines(include, `${statements.join('\n')}\nprintf("%zu\\n", sizeof(hsa_ven_amd_loader_1_03_pfn_t));`)).toEqual(
      expected,
    );
  });

  it('agrees on amd_signal_t', () => {
    const { source, expected } = layoutReport({ amd_signal_t: AMD_SIGNAL }, () => 'amd_signal_t');
    expect(lines(include, source)).toEqual(expected);
  });

  it('agrees on the members of amd_queue_t that its first version has', () => {
    const text = readFileSync('/usr/include/hsa/amd_hsa_queue.h', 'utf8');
    const members = membersOf(AMD_QUEUE.fields).filter(
      ({ path }) => !/^reserved|^caps/.test(path) && text.includes(path.split('.')[0]!),
    );
    const statements = members.map(({ path }) => `printf("${path} %zu\\n", offsetof(amd_queue_t, ${path}));`);
    expect(members.length).toBeGreaterThan(20);
    expect(lines(include, `printf("%zu\\n", sizeof(amd_queue_t));\n${statements.join('\n')}`)).toEqual([
      String(AMD_QUEUE_V1_BYTES),
      ...members.map(({ path, offset }) => `${path} ${offset}`),
    ]);
  });
});
