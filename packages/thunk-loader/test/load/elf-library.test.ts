import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { skipReason } from '@doorbell/test-support';
import { describe, expect, it } from 'vitest';
import type { ElfLibrary } from '../../src/load/elf-library.js';
import { holdsString, parseElfLibrary } from '../../src/load/elf-library.js';
import { noCompiler, temporaryFolder } from '../support/built-library.js';
import { createRandom } from '../support/random.js';

const NM = 'nm';
const READELF = 'readelf';
const DEBIAN = '/usr/lib/x86_64-linux-gnu/libhsakmt.so.1';
const noDebian = !existsSync(DEBIAN) ? `${DEBIAN} is not installed` : skipReason(NM, READELF);

function parse(bytes: Uint8Array): ElfLibrary {
  const result = parseElfLibrary(bytes);
  if (!result.ok) throw new Error(result.reason);
  return result.library;
}

describe.skipIf(noCompiler !== '')(`parseElfLibrary${noCompiler && ` (${noCompiler})`}`, () => {
  it.each(['sysv', 'gnu', 'both'])('reads what the linker was told, with %s hash tables', (style) => {
    using folder = temporaryFolder();
    const path = folder.build('libx.so', {
      functions: ['alpha', 'beta'],
      soname: 'libx.so.7',
      version: 'X_2',
      code: 'static int hidden(void) { return 1; } int local_only(void) { return hidden(); } int variable = 3;',
      flags: [`-Wl,--hash-style=${style}`, '-Wl,--build-id=0xcafe0123', '-Wl,-rpath,$ORIGIN/deps', '-Wl,--enable-new-dtags'],
    });
    const library = parse(readFileSync(path));
    expect(library).toMatchObject({
      soname: 'libx.so.7',
      versions: ['X_2'],
      buildId: 'cafe0123',
      runPath: '$ORIGIN/deps',
      machine: 62,
    });
    const functions = [...library.exports.values()]
      .filter(({ kind }) => kind === 'function')
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    expect(functions).toEqual([
      { name: 'alpha', version: 'X_2', kind: 'function' },
      { name: 'beta', version: 'X_2', kind: 'function' },
    ]);
  });

  it('reads a library without versions, name and build id', () => {
    using folder = temporaryFolder();
    const path = folder.build('liby.so', { functions: ['gamma'], code: 'int variable = 3;', flags: ['-Wl,--build-id=none'] });
    const library = parse(readFileSync(path));
    expect(library).toMatchObject({ soname: undefined, versions: [], buildId: undefined, needed: [] });
    expect(library.exports.get('gamma')).toEqual({ name: 'gamma', kind: 'function' });
    expect(library.exports.get('variable')?.kind).toBe('object');
  });

  it('finds strings of the program with their end', () => {
    using folder = temporaryFolder();
    const bytes = readFileSync(folder.build('libz.so', { functions: [], strings: ['HSA_MODEL_TOPOLOGY'] }));
    expect(holdsString(bytes, 'HSA_MODEL_TOPOLOGY')).toBe(true);
    expect(holdsString(bytes, 'HSA_MODEL')).toBe(false);
  });

  it('answers for every truncation and for mutations, with a reason where it refuses', () => {
    using folder = temporaryFolder();
    const bytes = readFileSync(
      folder.build('libf.so', { functions: ['one', 'two', 'three'], soname: 'libf.so.1', version: 'F_1' }),
    );
    const random = createRandom(7);
    for (let size = 0; size < bytes.length; size += 61) parseElfLibrary(bytes.subarray(0, size));
    const reasons = new Set<string>();
    for (let i = 0; i < 3000; i++) {
      const copy = Uint8Array.from(bytes);
      // The headers and tables lie at the start; most mutations go there.
      for (let n = 1 + (i % 4); n > 0; n--) copy[random(i % 3 === 0 ? copy.length : 1024)] = i % 5 === 0 ? 0xff : random(256);
      const result = parseElfLibrary(copy);
      if (!result.ok) reasons.add(result.reason);
    }
    expect(reasons.size).toBeGreaterThan(10);
  });
});

describe('parseElfLibrary of what is no library', () => {
  const header = (change: (bytes: Uint8Array) => void): Uint8Array => {
    const bytes = new Uint8Array(64);
    bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
    bytes[16] = 3;
    change(bytes);
    return bytes;
  };
  it.each([
    ['an empty file', new Uint8Array(), 'too few'],
    ['a text', new TextEncoder().encode('hello '.repeat(20)), 'not an ELF file'],
    ['a linker script', new TextEncoder().encode(`/* GNU ld script */ GROUP ( libx.so.1 )${' '.repeat(40)}`), 'linker script'],
    ['a 32-bit library', header((bytes) => (bytes[4] = 1)), '32-bit'],
    ['a big-endian library', header((bytes) => (bytes[5] = 2)), 'big-endian'],
    ['a program', header((bytes) => (bytes[16] = 2)), 'type is 2'],
    ['a header alone', header(() => undefined), 'no program headers'],
  ])('%s', (_name, bytes, reason) => {
    expect(parseElfLibrary(bytes)).toMatchObject({ ok: false, reason: expect.stringContaining(reason) as string });
  });

  it('does not search a whole file for the end of each of many names', () => {
    const symbols = 40_000;
    const tables = 0x1000;
    const strings = tables + symbols * 24;
    const bytes = new Uint8Array(32 << 20).fill(0x41, strings);
    const view = new DataView(bytes.buffer);
    bytes.set(header((start) => ((start[18] = 62), (start[32] = 64), (start[54] = 56), (start[56] = 2))));
    const words = (at: number, ...values: number[]): void =>
      values.forEach((value, i) => view.setBigUint64(at + i * 8, BigInt(value), true));
    // One segment that is the whole file, and the dynamic section: string table and its size, symbol table, hash table.
    words(64, 1, 0, 0, 0, bytes.length, bytes.length, 0);
    words(120, 2, 0x200, 0x200, 0, 10 * 8, 10 * 8, 0);
    words(0x200, 5, strings, 10, bytes.length - strings, 6, tables, 4, 0x400, 0, 0);
    view.setUint32(0x404, symbols, true);
    for (let i = 1; i < symbols; i++) {
      bytes[tables + i * 24 + 4] = 0x12;
      bytes[tables + i * 24 + 6] = 1;
    }
    const result = parseElfLibrary(bytes);
    expect(result).toMatchObject({ ok: true });
    expect(result.ok && result.library.exports.size).toBe(0);
  });
});

describe.skipIf(noDebian !== '')(`parseElfLibrary of Debian's libhsakmt${noDebian && ` (${noDebian})`}`, () => {
  it('agrees with nm and readelf', () => {
    const library = parse(readFileSync(DEBIAN));
    const nm = execFileSync(NM, ['-D', '--defined-only', DEBIAN], { encoding: 'utf8' });
    const expected = nm
      .split('\n')
      .flatMap((line) => /^[0-9a-f]+ [TWB] ([^@]+)@@(\S+)$/.exec(line)?.slice(1, 3).join(' ') ?? [])
      .sort();
    const read = [...library.exports.values()].filter(({ version }) => version !== undefined);
    expect(read.map(({ name, version }) => `${name} ${version!}`).sort()).toEqual(expected);
    const notes = execFileSync(READELF, ['-n', '-d', DEBIAN], { encoding: 'utf8' });
    expect(library.buildId).toBe(/Build ID: (\w+)/.exec(notes)![1]);
    expect(library.needed).toEqual([...notes.matchAll(/\(NEEDED\).*\[(.*)\]/g)].map((match) => match[1]));
    expect(library.soname).toBe(/\(SONAME\).*\[(.*)\]/.exec(notes)![1]);
  });
});
