import { execFileSync } from 'node:child_process';
import { writeFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { skipReason } from '@doorbell/test-support';
import { describe, expect, it } from 'vitest';
import { formatTargetId, parseCodeObjectFor, parseOffloadBundle, parseTargetId, pickBundleEntry } from '../src/index.js';
import { errorOf, fixture, patched } from './support/fixtures.js';
import { withFolder } from './support/llvm.js';

// Made by clang-offload-bundler; the command line in fixtures.json names the targets and inputs.
const bytes = fixture('bundle.hipfb');

describe('parseOffloadBundle', () => {
  it('reads the entries that clang-offload-bundler wrote', () => {
    const { entries } = parseOffloadBundle(bytes);
    expect(
      entries.map((entry) => [entry.id, entry.kind, entry.target && formatTargetId(entry.target), entry.target?.genericVersion]),
    ).toEqual([
      ['host-x86_64-unknown-linux-gnu-', 'host', undefined, undefined],
      ['hipv4-amdgcn-amd-amdhsa--gfx1100', 'hipv4', 'gfx1100', 0],
      ['hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-', 'hipv4', 'gfx90a:sramecc+:xnack-', 0],
      ['hipv4-amdgcn-amd-amdhsa--gfx942:xnack+', 'hipv4', 'gfx942:xnack+', 0],
      ['hipv4-amdgcn-amd-amdhsa--gfx11-generic', 'hipv4', 'gfx11-generic', 1],
    ]);
    const files = [undefined, 'gfx1100-v5.hsaco', 'gfx90a-v4.hsaco', 'gfx942-v5.hsaco', 'gfx11-generic-v6.hsaco'];
    entries.forEach((entry, index) => {
      const file = files[index];
      expect(Buffer.compare(entry.bytes, file === undefined ? new Uint8Array(0) : fixture(file))).toBe(0);
    });
  });

  const missing = skipReason('clang-offload-bundler-22');

  it.skipIf(missing !== '')(`agrees with a fresh bundle of older ids${missing === '' ? '' : ` (skipped: ${missing})`}`, () => {
    const bundle = withFolder((folder) => {
      writeFileSync(join(folder, 'a'), 'abc');
      writeFileSync(join(folder, 'b'), 'defgh');
      const targets = 'host-x86_64-unknown-linux-gnu,openmp-amdgcn-amd-amdhsa--gfx906:xnack+';
      execFileSync('clang-offload-bundler-22', ['-type=o', `-targets=${targets}`, '-input=a', '-input=b', '-output=out'], {
        cwd: folder,
      });
      return new Uint8Array(readFileSync(join(folder, 'out')));
    });
    const { entries } = parseOffloadBundle(bundle);
    expect(entries.map((entry) => new TextDecoder().decode(entry.bytes))).toEqual(['abc', 'defgh']);
    expect(entries[1]?.kind).toBe('openmp');
    expect(entries[1]?.target).toMatchObject({ processor: 'gfx906', xnack: 'on' });
  });

  it.each([
    ['no bundle', new Uint8Array(64), 'ERR_CODE_OBJECT', /does not begin with __CLANG_OFFLOAD_BUNDLE__/],
    ['a count of 2^64-1', patched(bytes, 24, 8, 2n ** 64n - 1n), 'ERR_CODE_OBJECT', /claims 18446744073709551615 entries/],
    ['an entry outside the file', patched(bytes, 32, 8, 2n ** 63n), 'ERR_CODE_OBJECT', /bundle entry 0 at offset/],
    ['an id of 2^40 bytes', patched(bytes, 48, 8, 2n ** 40n), 'ERR_CODE_OBJECT', /id of 1099511627776 bytes/],
    ['a cut table', bytes.slice(0, 60), 'ERR_CODE_OBJECT', /bundle entry 0/],
  ])('refuses %s', (_, input, code, message) => {
    expect(errorOf(() => parseOffloadBundle(input))).toMatchObject({ code, message: expect.stringMatching(message) as string });
  });
});

describe('pickBundleEntry', () => {
  const bundle = parseOffloadBundle(bytes);

  it.each([
    ['gfx1100', 'hipv4-amdgcn-amd-amdhsa--gfx1100'],
    ['gfx1102', 'hipv4-amdgcn-amd-amdhsa--gfx11-generic'],
    ['gfx90a:sramecc+:xnack-', 'hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-'],
    ['gfx942:sramecc+:xnack+', 'hipv4-amdgcn-amd-amdhsa--gfx942:xnack+'],
  ])('gives %s its own code before a generic one', (agent, id) => {
    expect(pickBundleEntry(bundle, parseTargetId(agent)).id).toBe(id);
  });

  it('prefers fixed features to indifferent ones', () => {
    const entry = bundle.entries[2]!;
    const any = { ...entry, id: 'any', target: { ...entry.target!, sramecc: 'any', xnack: 'any' } } as const;
    expect(pickBundleEntry({ entries: [any, entry] }, parseTargetId('gfx90a:sramecc+:xnack-')).id).toBe(entry.id);
  });

  it('names the feature that differs', () => {
    expect(errorOf(() => pickBundleEntry(bundle, parseTargetId('gfx942:sramecc+:xnack-')))).toMatchObject({
      code: 'ERR_ISA_MISMATCH',
      message: expect.stringContaining('gfx942:xnack+: gfx942 made for xnack on, but the device runs with xnack off') as string,
    });
  });
});

describe('parseCodeObjectFor', () => {
  it('takes an ELF file or a bundle', () => {
    expect(parseCodeObjectFor(fixture('gfx1100-v4.hsaco'), parseTargetId('gfx1100')).version).toBe(4);
    expect(parseCodeObjectFor(bytes, parseTargetId('gfx1101')).target.processor).toBe('gfx11-generic');
  });

  it('refuses a code object of another target', () => {
    expect(errorOf(() => parseCodeObjectFor(fixture('gfx90a-v5.hsaco'), parseTargetId('gfx1100')))).toMatchObject({
      code: 'ERR_ISA_MISMATCH',
      details: { fileTargets: ['gfx90a'], agentTarget: 'gfx1100', wouldDo: ['gfx1100', 'gfx11-generic'] },
    });
  });

  it('names an LLVM offload binary', () => {
    expect(errorOf(() => parseCodeObjectFor(new Uint8Array([0x10, 0xff, 0x10, 0xad]), parseTargetId('gfx1100')))).toMatchObject({
      code: 'ERR_NOT_SUPPORTED',
    });
  });
});
