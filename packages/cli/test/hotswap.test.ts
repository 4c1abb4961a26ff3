import { skipReason } from '@doorbell/test-support';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeObjectFixture, run } from './support.js';

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'doorbell-hotswap-'))));
afterAll(() => rmSync(folder, { recursive: true }));

const GFX1030 = codeObjectFixture('gfx1030-v5.hsaco');
const HOST = codeObjectFixture('host.o');
const BUNDLE = codeObjectFixture('bundle.hipfb');
const temporary = (name: string): string => join(folder, name);

interface Inspection {
  readonly format: string;
  readonly best?: number;
  readonly entries: readonly { readonly id: string; readonly isaName: string; readonly fit?: string }[];
}

async function inspect(path: string, ...options: string[]): Promise<Inspection> {
  const { code, out } = await run(['hotswap', 'inspect', path, '--json', ...options]);
  expect(code).toBe(0);
  return JSON.parse(out) as Inspection;
}

describe('doorbell hotswap inspect', () => {
  it('lists the code objects of a host file with targets and places', async () => {
    const { code, out, err } = await run(['hotswap', 'inspect', HOST, '--target', 'gfx1031']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('host file, 8.9 KiB, 2 code objects for AMD GPUs');
    expect(out).toMatch(/Entry 0: hipv4-amdgcn-amd-amdhsa--gfx1030\n +target +amdgcn-amd-amdhsa--gfx1030\n/);
    expect(out).toMatch(/place +section \.hip_fatbin, bundle 0, in zstd at offset 0x1000/);
    expect(out).toMatch(/suits +may be rewritten for it \(best\)/);
  });

  it.each([
    ['gfx1100', 'hipv4-amdgcn-amd-amdhsa--gfx1100', 'native'],
    ['gfx1102', 'hipv4-amdgcn-amd-amdhsa--gfx11-generic', 'generic'],
    ['gfx90a:sramecc+:xnack-', 'hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-', 'native'],
    ['gfx90a:sramecc-:xnack-', 'hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-', 'retarget'],
  ])('says what suits %s best', async (target, id, fit) => {
    const { best, entries } = await inspect(BUNDLE, '--target', target);
    expect(entries[best ?? -1]).toMatchObject({ id, fit });
  });

  it('says where header and metadata contradict each other', async () => {
    const bytes = readFileSync(GFX1030);
    bytes[48] = 0x37;
    writeFileSync(temporary('mismatch.hsaco'), bytes);
    const { code, out } = await run(['hotswap', 'inspect', temporary('mismatch.hsaco')]);
    expect(code).toBe(0);
    expect(out).toMatch(/problem +the ELF header says gfx1031, the metadata says gfx1030/);
  });

  it('tells an object that is not linked, and the stepping of gfx1250', async () => {
    expect((await run(['hotswap', 'inspect', codeObjectFixture('unlinked.o')])).out).toContain('relocatable');
    expect((await run(['hotswap', 'inspect', codeObjectFixture('gfx1250-v6.hsaco')])).out).toMatch(/stepping +B0/);
  });
});

describe('doorbell hotswap plan', () => {
  it('says what a rewrite would change, and writes nothing', async () => {
    const { code, out, err } = await run(['hotswap', 'plan', GFX1030, '--target', 'gfx1031']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('amdgcn-amd-amdhsa--gfx1030 → amdgcn-amd-amdhsa--gfx1031 (family): can be rewritten');
    // LLVM ELF.h: EF_AMDGPU_MACH_AMDGCN_GFX1030 and _GFX1031.
    expect(out).toMatch(/e_flags +0x36 +→ +0x37/);
    expect(out).toMatch(/plain +8 +128 +0 B +0 B +32/);
  });

  it('shows instructions that the target reads otherwise as a diff, and exits with 1', async () => {
    const source = temporary('salu.s');
    writeFileSync(
      source,
      `.p2align 8\n.globl k\n.type k,@function\nk:\n  s_add_f32 s0, s1, s2\n  s_endpgm\n.size k, .-k\n.rodata\n.p2align 6\n.amdhsa_kernel k\n  .amdhsa_next_free_vgpr 1\n  .amdhsa_next_free_sgpr 8\n.end_amdhsa_kernel\n`,
    );
    // Floating point in scalar registers is there from gfx1150 on, and not on gfx1100 (LLVM AMDGPU, FeatureSALUFloatInsts).
    const object = temporary('salu.hsaco');
    expect(await run(['asm', source, '--target', 'gfx1150', '-o', object])).toMatchObject({ code: 0, err: '' });
    const text = await run(['hotswap', 'plan', object, '--target', 'gfx1100']);
    expect(text.code).toBe(1);
    expect(text.out).toContain('(family): refused');
    expect(text.out).toMatch(/blocker missing-instruction: /);
    expect(text.out).toMatch(/@@ \.text\+0x0 k @@\n +- s_add_f32 s0, s1, s2\n +\+ \(no instruction\)\n/);
    const json = await run(['hotswap', 'plan', object, '--target', 'gfx1100', '--json']);
    expect(json.code).toBe(1);
    const { report } = JSON.parse(json.out) as { report: { status: string; findings: { places: object[] }[] } };
    expect(report.status).toBe('refused');
    expect(report.findings.flatMap(({ places }) => places)).toContainEqual(
      expect.objectContaining({
        symbol: 'k',
        section: '.text',
        offset: 0,
        instruction: { source: 's_add_f32 s0, s1, s2', target: '' },
      }),
    );
  });

  it('lists for another generation which kernels could move and what is in the way', async () => {
    const { code, out } = await run(['hotswap', 'plan', codeObjectFixture('gfx1100-v5.hsaco'), '--target', 'gfx1201']);
    expect(code).toBe(1);
    expect(out).toContain('Kernels: 0 of 4 could move as they are');
    // RDNA 4 has split barriers: s_barrier_signal and s_barrier_wait instead.
    expect(out).toMatch(/\d+ +s_barrier +is not on the target/);
  });

  it('takes the entry that is related to the target, or that --entry names', async () => {
    const chosen = await run(['hotswap', 'plan', BUNDLE, '--target', 'gfx1101', '--json']);
    expect(JSON.parse(chosen.out)).toMatchObject({ entry: { id: 'hipv4-amdgcn-amd-amdhsa--gfx11-generic' } });
    for (const entry of ['0', 'gfx1100', 'hipv4-amdgcn-amd-amdhsa--gfx1100']) {
      const { code, out } = await run(['hotswap', 'plan', BUNDLE, '--target', 'gfx1101', '--json', '--entry', entry]);
      expect({ code, ...(JSON.parse(out) as object) }).toMatchObject({
        code: 0,
        entry: { index: 0 },
        report: { relation: 'family' },
      });
    }
  });
});

describe('doorbell hotswap rewrite and verify', () => {
  const missing = skipReason('llvm-readelf-22');

  it.skipIf(missing !== '')(
    `write an object for the target, and prove it${missing === '' ? '' : ` (skipped: ${missing})`}`,
    async () => {
      const output = temporary('gfx1031.hsaco');
      const { code, out, err } = await run(['hotswap', 'rewrite', HOST, '--target', 'gfx1031', '-o', output]);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out).toContain('amdgcn-amd-amdhsa--gfx1030 → amdgcn-amd-amdhsa--gfx1031, 2 ranges changed');
      const theirs = execFileSync('llvm-readelf-22', ['-h', '-n', output], { encoding: 'utf8' });
      expect(theirs).toMatch(/Flags: +0x37, gfx1031\n/);
      expect(theirs).toMatch(/amdhsa\.target: +'?amdgcn-amd-amdhsa--gfx1031'?\n/);
      const proof = await run(['hotswap', 'verify', HOST, output, '--entry', 'gfx1030']);
      expect(proof.code).toBe(0);
      expect(proof.out).toContain('amdgcn-amd-amdhsa--gfx1030 → amdgcn-amd-amdhsa--gfx1031: proven');
    },
  );

  it('find a byte that no rewrite changes', async () => {
    const output = temporary('changed.hsaco');
    await run(['hotswap', 'rewrite', GFX1030, '--target', 'gfx1032', '-o', output, '--quiet']);
    const bytes = readFileSync(output);
    // The header's entry point.
    bytes[24]! ^= 1;
    writeFileSync(output, bytes);
    const { code, out } = await run(['hotswap', 'verify', GFX1030, output, '--json']);
    expect(code).toBe(1);
    const { ok, problems } = JSON.parse(out) as { ok: boolean; problems: readonly string[] };
    expect(ok).toBe(false);
    expect(problems.join('\n')).toContain('offset 24');
  });

  it('write the bytes as they are where the target runs them', async () => {
    const output = temporary('same.hsaco');
    const { code, out } = await run(['hotswap', 'rewrite', GFX1030, '--target', 'gfx1030', '-o', output]);
    expect(code).toBe(0);
    expect(out).toContain('as it was');
    expect(readFileSync(output).equals(readFileSync(GFX1030))).toBe(true);
  });

  it('write nothing where the rewrite is refused', async () => {
    const output = temporary('refused.hsaco');
    const { code, out } = await run(['hotswap', 'rewrite', GFX1030, '--target', 'gfx1201', '-o', output]);
    expect(code).toBe(1);
    expect(out).toContain('refused');
    expect(existsSync(output)).toBe(false);
  });
});

describe('doorbell hotswap', () => {
  it.each([
    ['no command', [], 2, /Usage: doorbell hotswap/],
    ['an unknown command', ['frob'], 2, /unknown command 'frob'/],
    ['no target', ['plan', GFX1030], 2, /required option '--target/],
    ['a target that is none', ['plan', GFX1030, '--target', 'gfx9999'], 2, /there is no processor "gfx9999"/],
    ['no file', ['inspect', '/nowhere/a.hsaco'], 2, /\/nowhere\/a\.hsaco could not be read/],
    ['an entry that is not there', ['plan', BUNDLE, '--target', 'gfx1101', '--entry', '9'], 2, /the file has no entry 9/],
    ['several entries', ['verify', BUNDLE, GFX1030], 2, /the file has 4 code objects/],
    [
      'a target that nothing in the file is related to',
      ['plan', BUNDLE, '--target', 'gfx1201'],
      1,
      /the file has code for gfx1100/,
    ],
    ['a file that is no code object', ['plan', codeObjectFixture('plain.c'), '--target', 'gfx1031'], 1, /not an ELF file/],
    ['an object that is not linked', ['plan', codeObjectFixture('unlinked.o'), '--target', 'gfx1101'], 1, /ET_REL/],
    [
      'a place that cannot be written',
      ['rewrite', GFX1030, '--target', 'gfx1031', '-o', '/nowhere/out'],
      2,
      /could not be written/,
    ],
  ])('refuses %s', async (_, argv, code, message) => {
    const result = await run(['hotswap', ...argv]);
    expect(result.code).toBe(code);
    expect(result.err).toMatch(message);
  });

  it.each(['inspect', 'plan', 'rewrite', 'verify'])('explains %s with an example', async (name) => {
    const { code, out } = await run(['hotswap', name, '--help']);
    expect(code).toBe(0);
    expect(out).toContain(`$ doorbell hotswap ${name} `);
    expect(out).toContain('--json');
  });
});
