import { requireTool } from '@doorbell/test-support';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeObjectFixture, fixture, makeBundle, run } from './support.js';

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'doorbell-cli-'))));
afterAll(() => rmSync(folder, { recursive: true }));

function temporary(name: string, bytes: Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

interface Report {
  readonly target: string;
  readonly version: number;
  readonly kernels: readonly {
    readonly name: string;
    readonly args: readonly {
      readonly name: string;
      readonly offset: number;
      readonly sizeBytes: number;
      readonly type: string;
    }[];
    readonly hiddenArgs: readonly unknown[];
    readonly occupancy: { readonly workgroup: number; readonly wavesPerSimd: number };
  }[];
}

describe('doorbell inspect', () => {
  it('shows target, kernel and arguments as text', async () => {
    const { code, out, err } = await run(['inspect', fixture('programs/vadd.hsaco')]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('target gfx1100, code object version 6, 1 kernel');
    expect(out).toMatch(/24 +4 +n +by_value +uint/);
    expect(out).toMatch(/hidden_block_count_x/);
  });

  it.skipIf(!requireTool('llvm-readelf-22').available)('lists the arguments that llvm-readelf lists', async () => {
    const path = fixture('fixtures/arguments.gfx1100.hsaco');
    const notes = execFileSync('llvm-readelf-22', ['--notes', path], { encoding: 'utf8' });
    const [, list = ''] = /\.args:([\s\S]*?)\n {4}\.[a-z]/.exec(notes) ?? [];
    const expected = list
      .split(/\n {6}- /)
      .slice(1)
      .map((text) => ({
        offset: Number(/\.offset: +(\d+)/.exec(text)?.[1]),
        sizeBytes: Number(/\.size: +(\d+)/.exec(text)?.[1]),
      }));
    const { out } = await run(['inspect', '--json', path]);
    const [kernel] = (JSON.parse(out) as Report).kernels;
    const ours = [...kernel!.args, ...(kernel!.hiddenArgs as { offset: number; sizeBytes: number }[])];
    expect(expected.length).toBeGreaterThan(14);
    expect(ours.map(({ offset, sizeBytes }) => ({ offset, sizeBytes }))).toEqual(expected);
  });

  it('takes the workgroup of the occupancy', async () => {
    const { out } = await run(['inspect', '--json', '--workgroup', '64', fixture('programs/vadd.hsaco')]);
    expect((JSON.parse(out) as Report).kernels[0]!.occupancy.workgroup).toBe(64);
    expect((await run(['inspect', '--workgroup', '0', fixture('programs/vadd.hsaco')])).code).toBe(2);
  });

  it('lists the entries of an offload bundle, unreadable ones with the reason', async () => {
    const gfx1100 = new Uint8Array(readFileSync(fixture('programs/vadd.hsaco')));
    const bundle = makeBundle([
      ['host-x86_64-unknown-linux-gnu-', new Uint8Array(0)],
      ['hipv4-amdgcn-amd-amdhsa--gfx1100', gfx1100],
      ['hipv4-amdgcn-amd-amdhsa--gfx90a', gfx1100.subarray(0, 100)],
    ]);
    const path = temporary('two.hipfb', bundle);
    const { code, out } = await run(['inspect', path]);
    expect(code).toBe(0);
    expect(out).toContain('offload bundle of 3 entries');
    expect(out).toContain('Kernel vadd');
    expect(out).toMatch(/gfx90a: 100 B\n {2}cannot be read: /);
    const json = JSON.parse((await run(['inspect', '--json', path])).out) as { entries: { id: string; target?: string }[] };
    expect(json.entries.map(({ target }) => target)).toEqual([undefined, 'gfx1100', 'gfx90a']);
  });

  it('reads every target', async () => {
    for (const [name, target] of [
      ['gfx90a-v4.hsaco', 'gfx90a'],
      ['gfx942-v5.hsaco', 'gfx942'],
      ['gfx11-generic-v6.hsaco', 'gfx11-generic'],
      ['gfx1250-v6.hsaco', 'gfx1250'],
    ] as const) {
      const { out } = await run(['inspect', '--json', codeObjectFixture(name)]);
      expect((JSON.parse(out) as Report).target).toMatch(new RegExp(`^${target}(:|$)`));
    }
  });

  it('says that a file is missing, and exits with 2', async () => {
    const { code, out, err } = await run(['inspect', join(folder, 'none.hsaco')]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/none\.hsaco could not be read: no such file or directory \(ENOENT\)/);
    expect(err).not.toMatch(/\n +at /);
  });

  it('refuses what is no code object, cut off, or not linked, with a sentence and no stack', async () => {
    const whole = new Uint8Array(readFileSync(fixture('programs/vadd.hsaco')));
    const relocatable = whole.slice();
    // e_type of the ELF header.
    relocatable[16] = 1;
    for (const [bytes, message] of [
      [new TextEncoder().encode('#!/bin/sh\nexit 0\n'), /not an ELF|ELF/],
      [whole.subarray(0, 700), /./],
      [relocatable, /unlinked object/],
      [new Uint8Array(0), /./],
    ] as const) {
      const { code, err } = await run(['inspect', temporary('bad.hsaco', bytes)]);
      expect(code).toBe(1);
      expect(err).toMatch(message);
      expect(err).toMatch(/^doorbell: .+/);
      expect(err).not.toMatch(/unexpected error|\n +at /);
    }
  });

  it('gives the failure as the one JSON document, and the stack with --debug', async () => {
    const { code, out, err } = await run([
      'inspect',
      '--json',
      '--debug',
      temporary('text.hsaco', new TextEncoder().encode('no ELF at all')),
    ]);
    expect(code).toBe(1);
    expect((JSON.parse(out) as { error: { code: string } }).error.code).toBe('ERR_CODE_OBJECT');
    expect(err).toMatch(/\n +at /);
  });
});
