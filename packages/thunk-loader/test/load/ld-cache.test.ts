import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseLdCache } from '../../src/load/ld-cache.js';
import { createRandom } from '../support/random.js';

const LDCONFIG = ['/sbin/ldconfig', '/usr/sbin/ldconfig'].find(existsSync);
const noCache =
  LDCONFIG === undefined ? 'ldconfig is not installed' : existsSync('/etc/ld.so.cache') ? '' : 'there is no /etc/ld.so.cache';

interface Entry {
  readonly flags: number;
  readonly name: string;
  readonly path: string;
  readonly hwcap?: bigint;
}

/** A cache of glibc's current format, as dl-cache.h describes it. */
function makeCache(entries: readonly Entry[], before = new Uint8Array()): Uint8Array {
  const strings = entries.flatMap(({ name, path }) => [name, path]).map((text) => new TextEncoder().encode(`${text}\0`));
  const headBytes = 48 + entries.length * 24;
  const total = strings.reduce((sum, text) => sum + text.length, headBytes);
  const bytes = new Uint8Array(before.length + total);
  bytes.set(before);
  const view = new DataView(bytes.buffer, before.length);
  const own = bytes.subarray(before.length);
  own.set(new TextEncoder().encode('glibc-ld.so.cache1.1'));
  view.setUint32(20, entries.length, true);
  view.setUint32(24, total - headBytes, true);
  let at = headBytes;
  const place = (text: Uint8Array): number => {
    own.set(text, at);
    at += text.length;
    return at - text.length;
  };
  entries.forEach(({ flags, hwcap = 0n }, i) => {
    const entry = 48 + i * 24;
    view.setUint32(entry, flags, true);
    view.setUint32(entry + 4, place(strings[i * 2]!), true);
    view.setUint32(entry + 8, place(strings[i * 2 + 1]!), true);
    view.setBigUint64(entry + 16, hwcap, true);
  });
  return bytes;
}

const CACHE = makeCache([
  { flags: 0x303, name: 'libhsakmt.so.1', path: '/opt/rocm/lib/libhsakmt.so.1' },
  { flags: 0x3, name: 'libhsakmt.so.1', path: '/usr/lib32/libhsakmt.so.1' },
  { flags: 0x303, name: 'libhsakmt.so.1', path: '/usr/lib/glibc-hwcaps/x86-64-v3/libhsakmt.so.1', hwcap: 1n << 62n },
]);

describe('parseLdCache', () => {
  it('gives the libraries of the architecture, and says which need features', () => {
    expect(parseLdCache(CACHE, 'x64')).toEqual({
      ok: true,
      entries: [
        { name: 'libhsakmt.so.1', path: '/opt/rocm/lib/libhsakmt.so.1', needsFeatures: false },
        { name: 'libhsakmt.so.1', path: '/usr/lib/glibc-hwcaps/x86-64-v3/libhsakmt.so.1', needsFeatures: true },
      ],
    });
    expect(parseLdCache(CACHE, 'arm64')).toEqual({ ok: true, entries: [] });
  });

  it('finds the format behind the one before it', () => {
    const old = new Uint8Array(32);
    old.set(new TextEncoder().encode('ld.so-1.7.0'));
    new DataView(old.buffer).setUint32(12, 1, true);
    const cache = makeCache([{ flags: 0x303, name: 'libm.so.6', path: '/lib/libm.so.6' }], old);
    expect(parseLdCache(cache, 'x64')).toMatchObject({ entries: [{ path: '/lib/libm.so.6' }] });
  });

  it('says what is wrong with damaged files', () => {
    expect(parseLdCache(new Uint8Array(4), 'x64')).toMatchObject({
      ok: false,
      reason: expect.stringContaining('no header') as string,
    });
    const many = Uint8Array.from(CACHE);
    many.fill(0xff, 20, 24);
    expect(parseLdCache(many, 'x64')).toMatchObject({ ok: false, reason: expect.stringContaining('outside the file') as string });
  });

  it('answers for every truncation and for mutations', () => {
    const random = createRandom(3);
    for (let size = 0; size <= CACHE.length; size++) parseLdCache(CACHE.subarray(0, size), 'x64');
    for (let i = 0; i < 2000; i++) {
      const copy = Uint8Array.from(CACHE);
      for (let n = 0; n < 3; n++) copy[20 + random(copy.length - 20)] = random(256);
      const result = parseLdCache(copy, 'x64');
      expect(result.ok && result.entries.some(({ path }) => !path.startsWith('/'))).toBe(false);
    }
  });

  it.skipIf(noCache !== '')(`agrees with ldconfig on this machine${noCache && ` (${noCache})`}`, () => {
    const printed = execFileSync(LDCONFIG!, ['-p'], { encoding: 'utf8' });
    const expected = [...printed.matchAll(/^\t(\S+) \(libc6,x86-64(?:, [^)]*)?\) => (\S+)$/gm)].map(
      (match) => `${match[1]!} ${match[2]!}`,
    );
    const cache = parseLdCache(readFileSync('/etc/ld.so.cache'), 'x64');
    expect(cache.ok && cache.entries.map(({ name, path }) => `${name} ${path}`)).toEqual(expected);
    expect(expected.length).toBeGreaterThan(10);
  });
});
