import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { codeObjectFixture, run } from './support.js';

const folder = mkdtempSync(join(tmpdir(), 'doorbell-cli-asm-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const out = join(folder, 'out.hsaco');
const SOURCE = codeObjectFixture('assemble/vadd.gfx1100.s');

function source(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe('doorbell asm', () => {
  it('writes a code object that inspect and disasm read', async () => {
    const { code, out: printed, err } = await run(['asm', SOURCE, '--target', 'gfx1100', '-o', out]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(printed).toMatch(/out\.hsaco: \d+ bytes for gfx1100, kernel vadd\n$/);
    expect((await run(['inspect', out])).out).toContain('vadd');
    expect((await run(['disasm', out, '--kernel', 'vadd'])).out).toContain('s_load_b32 s3, s[0:1], 0x18');
  });

  it('reports as JSON', async () => {
    const { out: printed } = await run(['asm', '--json', SOURCE, '--target', 'gfx1100', '-o', out]);
    expect(JSON.parse(printed)).toEqual({
      file: out,
      sizeBytes: readFileSync(out).length,
      target: 'gfx1100',
      kernels: ['vadd'],
    });
  });

  it('lists what is wrong with line and column, and writes nothing', async () => {
    const path = source('wrong.s', '\ts_endpgm\n\t.quad 1 +\n\n  .nonsense 1\n\ts_mov_b32 s0, v0\n');
    const target = join(folder, 'wrong.hsaco');
    const { code, out: printed, err } = await run(['asm', path, '--target', 'gfx1100', '-o', target]);
    expect({ code, printed }).toEqual({ code: 1, printed: '' });
    const lines = err.split('\n');
    expect(lines[0]).toBe(`doorbell: ${path} has 3 errors`);
    expect(lines[1]).toMatch(new RegExp(`^${path}:2:11: .*expected an integer`));
    expect(lines[2]).toBe(`${path}:4:3: unknown directive .nonsense`);
    expect(lines[3]).toMatch(new RegExp(`^${path}:5:`));
    expect(() => readFileSync(target)).toThrow('ENOENT');
  });

  it.each([
    [['--target', 'gfx9999'], 2, /gfx9999/],
    [['--target', 'gfx1310'], 1, /no instruction table/],
    [['--target', 'gfx1100', '--wave', '48'], 2, /32 or 64/],
    [['--target', 'gfx90a', '--wave', '32'], 2, /no waves of 32/],
  ])('%j: exit code %i', async (options, expected, message) => {
    const { code, err } = await run(['asm', SOURCE, ...options, '-o', out]);
    expect(code).toBe(expected);
    expect(err).toMatch(message);
  });

  it('says which file could not be read or written', async () => {
    const missing = await run(['asm', join(folder, 'missing.s'), '--target', 'gfx1100', '-o', out]);
    expect(missing.code).toBe(2);
    expect(missing.err).toContain('missing.s could not be read');
    const unwritable = await run(['asm', SOURCE, '--target', 'gfx1100', '-o', join(folder, 'no', 'out.hsaco')]);
    expect(unwritable.code).toBe(2);
    expect(unwritable.err).toContain('could not be written');
  });
});
