import { skipReason } from '@doorbell/test-support';
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  formatTargetId,
  parseCodeObject,
  parseCodeObjectFor,
  parseDeviceFile,
  parseTargetId,
  rankEntries,
} from '../src/index.js';
import { errorOf, fixture, FIXTURE_FOLDER, patched } from './support/fixtures.js';
import { withFolder } from './support/llvm.js';

const targetsOf = (bytes: Uint8Array): (string | undefined)[] =>
  parseDeviceFile(bytes).entries.map(({ target }) => target && formatTargetId(target));

/** Entries of a file by id, as llvm-objdump writes them out. */
function extracted(file: string, folder: string): Map<string, Uint8Array> {
  execFileSync('llvm-objdump-22', ['--offloading', file], { cwd: folder, stdio: 'ignore' });
  const entries = new Map<string, Uint8Array>();
  for (const name of readdirSync(folder)) {
    if (name.startsWith(`${file}.`)) entries.set(name.slice(file.length + 1), readFileSync(join(folder, name)));
  }
  return entries;
}

/** Ours in the same form: `BUNDLE.ID`. */
function ours(bytes: Uint8Array): Map<string, Uint8Array> {
  return new Map(parseDeviceFile(bytes).entries.map((entry) => [`${entry.place.bundle}.${entry.id}`, entry.bytes]));
}

function expectSame(mine: ReadonlyMap<string, Uint8Array>, theirs: ReadonlyMap<string, Uint8Array>): void {
  expect([...mine.keys()].sort()).toEqual([...theirs.keys()].sort());
  for (const [id, bytes] of theirs) expect(Buffer.compare(mine.get(id)!, bytes), id).toBe(0);
}

describe('parseDeviceFile', () => {
  it('gives a code object as its own entry, linked or not', () => {
    expect(parseDeviceFile(fixture('gfx90a-v5.hsaco'))).toMatchObject({
      format: 'code-object',
      entries: [{ id: 'gfx90a', kind: 'code-object', place: { fileOffset: 0 } }],
    });
    expect(parseDeviceFile(fixture('unlinked.o')).entries).toMatchObject([{ id: 'gfx1100', kind: 'relocatable' }]);
  });

  it('gives the entries of bundles one after the other with their places', () => {
    const [first, second] = [fixture('bundle.hipfb'), fixture('bundle-v2.ccob')];
    const start = Math.ceil(first.length / 4096) * 4096;
    const file = new Uint8Array(start + second.length);
    file.set(first);
    file.set(second, start);
    const { format, entries, problems } = parseDeviceFile(file);
    expect({ format, problems }).toEqual({ format: 'offload-bundle', problems: [] });
    expect(entries.map(({ place }) => place.bundle)).toEqual([0, 0, 0, 0, 0, 1, 1, 1]);
    const { fileOffset } = entries[1]!.place;
    expect(Buffer.compare(file.subarray(fileOffset, fileOffset + entries[1]!.bytes.length), fixture('gfx1100-v5.hsaco'))).toBe(0);
    expect(entries[6]!.place).toEqual({ fileOffset: start, bundle: 1, compression: 'zstd' });
  });

  it('lists a bundle that cannot be read beside the others', () => {
    const broken = patched(fixture('bundle.hipfb'), 24, 8, 1n << 60n);
    const file = new Uint8Array(broken.length + fixture('bundle-v3.ccob').length);
    file.set(broken);
    file.set(fixture('bundle-v3.ccob'), broken.length);
    const { entries, problems } = parseDeviceFile(file);
    expect(entries).toHaveLength(3);
    expect(problems[0]).toMatchObject({ fileOffset: 0, message: expect.stringContaining('at most 4096 are read') as string });
  });

  it('finds compressed bundles in an object file that clang made of HIP', () => {
    const { format, entries } = parseDeviceFile(fixture('host.o'));
    expect(format).toBe('host-file');
    expect(entries.map(({ id }) => id)).toEqual([
      'host-x86_64-unknown-linux-gnu-',
      'hipv4-amdgcn-amd-amdhsa--gfx1030',
      'hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-',
    ]);
    expect(entries[1]!.place).toMatchObject({ section: '.hip_fatbin', bundle: 0, compression: 'zstd' });
    expect(parseCodeObject(entries[1]!.bytes).kernels.map(({ name }) => name)).toEqual(['count']);
    expect(parseCodeObjectFor(fixture('host.o'), parseTargetId('gfx1030')).target.processor).toBe('gfx1030');
  });

  it('says what a file is that has no code for AMD GPUs', () => {
    // As if it were for x86-64.
    expect(errorOf(() => parseDeviceFile(patched(fixture('gfx1100-v5.hsaco'), 18, 2, 62)))).toMatchObject({
      code: 'ERR_CODE_OBJECT',
      message: expect.stringContaining('has no section .hip_fatbin') as string,
    });
    expect(errorOf(() => parseDeviceFile(new TextEncoder().encode('no ELF file')))).toMatchObject({
      code: 'ERR_CODE_OBJECT',
      message: expect.stringContaining('not an ELF file') as string,
    });
  });

  const missing = skipReason('clang-22', 'ld.lld-22', 'llvm-objdump-22');
  const compile = (folder: string, output: string, ...options: string[]): void => {
    copyFileSync(`${FIXTURE_FOLDER}host.hip`, join(folder, 'host.hip'));
    const fixed = ['-x', 'hip', '-c', '-nogpuinc', '-nogpulib', `-cuid=${output.slice(0, 1)}`, 'host.hip', '-o', output];
    execFileSync('clang-22', [...options, ...fixed], { cwd: folder });
  };

  it.skipIf(missing !== '')(
    `finds what llvm-objdump finds in a linked library${missing === '' ? '' : ` (skipped: ${missing})`}`,
    () => {
      withFolder((folder) => {
        compile(folder, 'a.o', '--offload-arch=gfx1030', '--offload-arch=gfx942:xnack+', '-Dcount=first');
        compile(folder, 'b.o', '--offload-arch=gfx11-generic', '-Dcount=second');
        const link = (output: string, ...inputs: string[]): Uint8Array => {
          execFileSync('ld.lld-22', ['-shared', '--strip-all', ...inputs, '-o', output], { cwd: folder });
          return new Uint8Array(readFileSync(join(folder, output)));
        };
        const plain = link('lib.so', 'a.o', 'b.o');
        expect(targetsOf(plain)).toEqual([undefined, 'gfx1030', 'gfx942:xnack+', undefined, 'gfx11-generic']);
        expectSame(ours(plain), extracted('lib.so', folder));
        // A compressed one between them, which llvm-objdump 22 does not find behind a plain one.
        copyFileSync(`${FIXTURE_FOLDER}host.o`, join(folder, 'host.o'));
        const mixed = [undefined, 'gfx1030', 'gfx942:xnack+', undefined, 'gfx1030', 'gfx90a:xnack-', undefined, 'gfx11-generic'];
        expect(targetsOf(link('mixed.so', 'a.o', 'host.o', 'b.o'))).toEqual(mixed);
      });
    },
  );

  it.skipIf(missing !== '')('names device code that is not linked yet', () => {
    withFolder((folder) => {
      compile(folder, 'rdc.o', '--offload-arch=gfx1030', '-fgpu-rdc', '--no-offload-new-driver');
      expect(errorOf(() => parseDeviceFile(new Uint8Array(readFileSync(join(folder, 'rdc.o')))))).toMatchObject({
        code: 'ERR_NOT_SUPPORTED',
        message: expect.stringContaining('__CLANG_OFFLOAD_BUNDLE__hip-amdgcn-amd-amdhsa--gfx1030') as string,
      });
    });
  });

  const library = '/usr/lib/x86_64-linux-gnu/librocrand.so.1';
  const noLibrary = existsSync(library) ? missing : `${library} is not there`;
  if (noLibrary !== '' && process.env['DOORBELL_CI'] === '1') throw new Error(noLibrary);

  it.skipIf(noLibrary !== '')(
    `finds what llvm-objdump finds in rocRAND${noLibrary === '' ? '' : ` (skipped: ${noLibrary})`}`,
    () => {
      withFolder((folder) => {
        copyFileSync(library, join(folder, 'lib.so'));
        const mine = ours(new Uint8Array(readFileSync(library)));
        expect(mine.size).toBe(8);
        expectSame(mine, extracted('lib.so', folder));
      });
    },
  );
});

describe('rankEntries', () => {
  const entries = ['gfx1100', 'gfx1030', 'gfx10-3-generic', 'gfx90a:xnack-', 'gfx90a', 'gfx90a:sramecc+:xnack-', 'gfx1032'].map(
    (name) => ({
      name,
      target: { ...parseTargetId(name), genericVersion: name.endsWith('generic') ? 1 : 0 },
    }),
  );

  it.each([
    ['gfx1030', ['gfx1030 native', 'gfx10-3-generic generic', 'gfx1032 retarget']],
    ['gfx1031', ['gfx10-3-generic generic', 'gfx1030 retarget', 'gfx1032 retarget']],
    ['gfx90a:sramecc+:xnack-', ['gfx90a:sramecc+:xnack- native', 'gfx90a:xnack- native-any', 'gfx90a native-any']],
    ['gfx90a:sramecc-:xnack+', ['gfx90a native-any', 'gfx90a:xnack- retarget', 'gfx90a:sramecc+:xnack- retarget']],
    ['gfx1201', []],
  ])('puts native code before generic code before a retarget, for %s', (agent, expected) => {
    expect(rankEntries(entries, parseTargetId(agent)).map(({ entry, fit }) => `${entry.name} ${fit}`)).toEqual(expected);
  });
});
