import { requireTool } from '@doorbell/test-support';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codeObjectFixture, fixture, makeBundle, run } from './support.js';

function objdump(path: string): string {
  return execFileSync('llvm-objdump-22', ['-d', path], { encoding: 'utf8', maxBuffer: 1 << 28 });
}

const FILES = [
  fixture('programs/vadd.hsaco'),
  fixture('programs/pipeline.hsaco'),
  fixture('fixtures/arguments.gfx1100.hsaco'),
  fixture('fixtures/faults.gfx1100.hsaco'),
  fixture('fixtures/matmul.gfx1100.hsaco'),
  codeObjectFixture('gfx1100-v5.hsaco'),
  codeObjectFixture('calls-gfx1100.hsaco'),
  codeObjectFixture('relative-gfx1100.hsaco'),
];

describe('doorbell disasm', () => {
  it.skipIf(!requireTool('llvm-objdump-22').available).each(FILES)('prints what llvm-objdump prints of %s', async (path) => {
    const { code, out, err } = await run(['disasm', '--objdump', path]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const lines = out.split('\n');
    const expected = objdump(path).split('\n');
    expect(lines.length).toBe(expected.length);
    for (const [index, line] of expected.entries()) expect(lines[index]).toBe(line);
  });

  it.skipIf(!requireTool('llvm-objdump-22').available)('shows data words and runs of zeros as llvm-objdump does', async () => {
    const bytes = readFileSync(fixture('programs/vadd.hsaco'));
    // .text begins at file offset 0x900 and address 0x1900: an unknown word, then zeros, at the kernel's end.
    const text = bytes.indexOf(Uint8Array.of(0x01, 0x00, 0x85, 0xbf));
    bytes.writeUInt32LE(0xffff_ffff, text + 0x14);
    bytes.fill(0, text + 0x20, text + 0x30);
    const folder = mkdtempSync(join(tmpdir(), 'doorbell-cli-'));
    const path = join(folder, 'data.hsaco');
    writeFileSync(path, bytes);
    try {
      expect((await run(['disasm', '--objdump', path])).out).toBe(objdump(path));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('prints one kernel with labels', async () => {
    const { out } = await run(['disasm', fixture('programs/vadd.hsaco'), '--kernel', 'vadd']);
    expect(out.startsWith('\t.text\n\nvadd:\n\ts_clause 0x1\n')).toBe(true);
    // The branch over the body leads to its end.
    expect(out).toMatch(/\ts_cbranch_execz \.L0\n(\t.*\n)+\.L0:\n\ts_endpgm\n/);
    expect(out).not.toContain('__clang_ocl_kern_imp_vadd:');
    expect(out).not.toContain('//');
  });

  it('prints addresses and encodings when asked to', async () => {
    const file = fixture('programs/vadd.hsaco');
    const lineOf = async (...options: string[]): Promise<string | undefined> =>
      (await run(['disasm', file, ...options])).out.split('\n').find((line) => line.includes('s_clause 0x1'));
    expect(await lineOf('--addresses')).toMatch(/^\ts_clause 0x1 +\/\/ 000000001900:$/);
    expect(await lineOf('--bytes')).toMatch(/^\ts_clause 0x1 +\/\/ BF850001$/);
    expect(await lineOf('--addresses', '--bytes')).toMatch(/^\ts_clause 0x1 +\/\/ 000000001900: BF850001$/);
  });

  it('prints instructions as JSON', async () => {
    const { out } = await run(['disasm', '--json', '--kernel', 'vadd', fixture('programs/vadd.hsaco')]);
    const { target, sections } = JSON.parse(out) as {
      target: string;
      sections: { name: string; blocks: { symbol: string; address: string; lines: unknown[] }[] }[];
    };
    expect(target).toBe('gfx1100');
    expect(sections.map(({ name }) => name)).toEqual(['.text']);
    expect(sections[0]!.blocks[0]).toMatchObject({ symbol: 'vadd', address: '0x1900', waveSize: 32 });
    expect(sections[0]!.blocks[0]!.lines[0]).toEqual({ address: '0x1900', bytes: '010085bf', text: 's_clause 0x1' });
  });

  it('names the kernels there are when asked for another', async () => {
    const { code, err } = await run(['disasm', fixture('programs/vadd.hsaco'), '--kernel', 'vmul']);
    expect(code).toBe(2);
    expect(err).toContain('no kernel "vmul"; it has vadd');
  });

  it('says which processors it can disassemble', async () => {
    const bytes = readFileSync(codeObjectFixture('gfx90a-v5.hsaco'));
    // e_flags: EF_AMDGPU_MACH_AMDGCN_GFX803; the same in the metadata.
    bytes.writeUInt32LE(0x2a, 48);
    bytes.write('gfx803', bytes.indexOf('--gfx90a') + 2);
    const folder = mkdtempSync(join(tmpdir(), 'doorbell-cli-'));
    try {
      const path = join(folder, 'gfx803.hsaco');
      writeFileSync(path, bytes);
      const { code, err } = await run(['disasm', path]);
      expect(code).toBe(1);
      expect(err).toContain('gfx803');
      expect(err).toMatch(/hint: .*gfx1100/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('takes the entry of an offload bundle that --target names, or the only one', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'doorbell-cli-'));
    const host = ['host-x86_64-unknown-linux-gnu-', new Uint8Array(0)] as const;
    const gfx1100 = ['hipv4-amdgcn-amd-amdhsa--gfx1100', new Uint8Array(readFileSync(FILES[0]!))] as const;
    const gfx90a = [
      'hipv4-amdgcn-amd-amdhsa--gfx90a',
      new Uint8Array(readFileSync(fixture('fixtures/vadd.gfx90a.hsaco'))),
    ] as const;
    try {
      const one = join(folder, 'one.hipfb');
      const two = join(folder, 'two.hipfb');
      writeFileSync(one, makeBundle([host, gfx1100]));
      writeFileSync(two, makeBundle([host, gfx90a, gfx1100]));
      const expected = (await run(['disasm', FILES[0]!])).out;
      expect((await run(['disasm', one])).out).toBe(expected);
      expect((await run(['disasm', two, '--target', 'gfx1100'])).out).toBe(expected);
      const open = await run(['disasm', two]);
      expect(open.code).toBe(2);
      expect(open.err).toContain('hint: Choose one: --target gfx90a, --target gfx1100.');
      const other = await run(['disasm', two, '--target', 'gfx942']);
      expect(other.code).toBe(1);
      expect(other.err).toMatch(/code for gfx90a, gfx1100; the device is gfx942/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('refuses --target for a single code object', async () => {
    const { code, err } = await run(['disasm', fixture('programs/vadd.hsaco'), '--target', 'gfx1100']);
    expect(code).toBe(2);
    expect(err).toContain('single code object');
  });
});
