/** Every structure and every call number of the kernel driver and of its DRM part, against what the C compiler makes of them. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { drm, kfd } from '../src/index.js';
import { whyNoHeaders } from './c-compiler.js';
import { constantReport, linesOf, namesIn, pick, textOf } from './c-header-facts.js';
import { layoutReport, layoutsOf, numbersOf } from './layout-facts.js';

const KFD = '/usr/include/linux/kfd_ioctl.h';
/** What that header lacks, or has in an older form. */
const NEWER = fileURLToPath(new URL('fixtures/newer-kfd.h', import.meta.url));
/** The suffix of names that have the form of interface 1.11, which is Debian's. */
const OLDER = /_1_11$/;

const layouts = layoutsOf(kfd);
const numbers = numbersOf(kfd);
/** Names whose older form is there too: Debian's header has that one. */
const grown = [...Object.keys(layouts), ...Object.keys(numbers)]
  .filter((name) => OLDER.test(name))
  .map((name) => name.replace(OLDER, ''));

const newer = textOf(NEWER);
const newerStructs = [...newer.matchAll(/^struct (\w+) \{/gm)].map(([, name]) => name!);
const newerCalls = [...newer.matchAll(/^#define (AMDKFD_IOC_\w+)/gm)].map(([, name]) => name!);

const noKfd = whyNoHeaders(KFD);
const has = noKfd === '' ? namesIn(KFD) : () => false;
const isDebians = (name: string): boolean => has(name.replace(OLDER, '')) && !grown.includes(name);

describe.skipIf(noKfd !== '')(`kfd_ioctl.h ${noKfd}`, () => {
  const include = '#include <linux/kfd_ioctl.h>';

  it('agrees on every structure', () => {
    const debians = pick(layouts, isDebians);
    const { source, expected } = layoutReport(debians, (name) => `struct ${name.replace(OLDER, '')}`);
    expect(Object.keys(debians).length).toBeGreaterThan(40);
    expect(linesOf(include, source)).toEqual(expected);
  });

  it('agrees on every constant and ioctl number', () => {
    const debians = pick(numbers, (name) => isDebians(name) && name !== 'KFD_IOCTL_MINOR_VERSION');
    const constants = Object.fromEntries(Object.entries(debians).map(([name, value]) => [name.replace(OLDER, ''), value]));
    const { source, expected } = constantReport(constants);
    expect(Object.keys(constants).length).toBeGreaterThan(120);
    expect(linesOf(include, source)).toEqual(expected);
  });

  it('leaves no structure and no ioctl number without a witness', () => {
    const calls = Object.keys(numbers).filter((name) => name.startsWith('AMDKFD_IOC_'));
    const unseen = [...Object.keys(layouts), ...calls].filter(
      (name) => !isDebians(name) && !newerStructs.includes(name) && !newerCalls.includes(name),
    );
    expect(calls.length).toBeGreaterThan(40);
    expect(unseen).toEqual([]);
  });
});

const noCompiler = whyNoHeaders();
describe.skipIf(noCompiler !== '')(`what is newer than interface 1.11 ${noCompiler}`, () => {
  const include = `#include "${NEWER}"`;

  it('has the layouts and ioctl numbers that the C compiler makes', () => {
    const structs = layoutReport(
      pick(layouts, (name) => newerStructs.includes(name)),
      (name) => `struct ${name}`,
    );
    const calls = constantReport(pick(numbers, (name) => newerCalls.includes(name)));
    expect([...newerStructs, ...newerCalls].filter((name) => !(name in layouts) && !(name in numbers))).toEqual([]);
    expect(linesOf(include, `${structs.source}\n${calls.source}`)).toEqual([...structs.expected, ...calls.expected]);
  });
});

const DRM = ['/usr/include/libdrm/amdgpu_drm.h', '/usr/include/drm/amdgpu_drm.h'];
const drmHeader = DRM.find((header) => existsSync(header));
if (drmHeader === undefined && process.env['DOORBELL_CI'] === '1') throw new Error('CI needs amdgpu_drm.h (libdrm-dev)');
const noDrm = drmHeader === undefined ? 'not installed' : noCompiler;
describe.skipIf(noDrm !== '')(`amdgpu_drm.h ${noDrm}`, () => {
  const include = `#include "${String(drmHeader)}"`;
  const text = drmHeader === undefined ? '' : textOf(drmHeader);
  const unions = new Set([...text.matchAll(/\bunion (\w+) \{/g)].map(([, name]) => name));

  it('agrees on every structure and ioctl number', () => {
    const structs = layoutReport(layoutsOf(drm), (name) => `${unions.has(name) ? 'union' : 'struct'} ${name}`);
    const calls = constantReport(numbersOf(drm));
    expect(linesOf(include, `${structs.source}\n${calls.source}`)).toEqual([...structs.expected, ...calls.expected]);
  });
});
