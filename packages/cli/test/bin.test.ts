import { spawn, spawnSync } from 'node:child_process';
import { accessSync, closeSync, constants, copyFileSync, existsSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { fixture } from './support.js';

const BIN = fileURLToPath(new URL('../bin/doorbell.js', import.meta.url));
// The command runs what was built, as do the packages below it.
const isBuilt = ['cli', 'runtime'].every((name) => existsSync(new URL(`../../${name}/dist/index.js`, import.meta.url)));
if (!isBuilt && process.env['DOORBELL_CI'] === '1') throw new Error('build the packages first: npm run build');

function doorbell(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...argv], {
    encoding: 'utf8',
    env: { ...process.env, DOORBELL_LOG: 'error', ...env },
  });
  return { code: status, out: stdout, err: stderr };
}

describe('bin/doorbell.js', () => {
  it('may be executed', () => {
    expect(() => accessSync(BIN, constants.X_OK)).not.toThrow();
  });

  it('says in one sentence that it is not built, and exits with 3', () => {
    const folder = mkdtempSync(join(tmpdir(), 'doorbell-cli-'));
    try {
      mkdirSync(join(folder, 'bin'));
      const copy = join(folder, 'bin', 'doorbell.mjs');
      copyFileSync(BIN, copy);
      const { status, stderr } = spawnSync(process.execPath, [copy], { encoding: 'utf8' });
      expect(status).toBe(3);
      expect(stderr).toMatch(/^doorbell is not built yet: [^\n]+\n$/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  describe.skipIf(!isBuilt)('built (npm run build)', () => {
    it('inspects a file', () => {
      const { code, out, err } = doorbell(['inspect', fixture('programs/vadd.hsaco')]);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out).toContain('target gfx1100');
      expect(out).not.toContain('\u001b');
    });

    it('gives its exit codes to the shell', () => {
      expect(doorbell(['inspect', '/nonexistent.hsaco']).code).toBe(2);
      expect(doorbell(['inspect', BIN]).code).toBe(1);
      expect(doorbell(['info', '--backend', 'dxg']).code).toBe(3);
    });

    it('runs a kernel', () => {
      const args = ['a=rand:f32:64', 'b=rand:f32:64:2', 'c=out:f32:64', 'n=64'].flatMap((arg) => ['--arg', arg]);
      const launch = ['run', fixture('programs/vadd.hsaco'), '--kernel', 'vadd', '--grid', '64', '--workgroup', '64'];
      const { code, out, err } = doorbell([...launch, ...args], { DOORBELL_DEVICE: 'emulated:gfx1100' });
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out).toMatch(/^vadd: 64 work-items in 1 workgroups?, /);
    });

    it('prints nothing but the error of a kernel that faults with --quiet, whatever DOORBELL_LOG says', () => {
      const launch = [
        'run',
        fixture('fixtures/faults.gfx1100.hsaco'),
        '--kernel',
        'stray_write',
        '--grid',
        '64',
        '--workgroup',
        '64',
      ];
      const args = ['--arg', 'out=zero:u32:64', '--arg', 'stride=1048576', '--backend', 'emulated', '--quiet'];
      const { code, out, err } = doorbell([...launch, ...args], { DOORBELL_LOG: 'error' });
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toMatch(/^doorbell: stray_write: Memory write at /);
      expect(err).not.toMatch(/^\d{4}-/m);
    });

    it('stops a kernel that never ends at Ctrl-C, and exits with 1', async () => {
      const launch = ['run', fixture('fixtures/faults.gfx1100.hsaco'), '--kernel', 'spin', '--grid', '64', '--workgroup', '64'];
      const child = spawn(process.execPath, [BIN, ...launch, '--backend', 'emulated', '--arg', 'flag=zero:u32:1'], {
        env: { ...process.env, DOORBELL_LOG: 'runtime:debug' },
      });
      let err = '';
      let isAsked = false;
      child.stderr.on('data', (text: Buffer) => {
        err += text.toString();
        // The runtime is loaded, so Ctrl-C is listened to, and the launch is under way or about to be. A second one would kill.
        if (!isAsked && err.includes('loaded: tools')) isAsked = child.kill('SIGINT');
      });
      const code = await new Promise((resolve) => child.on('exit', resolve));
      expect(code).toBe(1);
      expect(err).toMatch(/^doorbell: .*(aborted|inactivated)/m);
    });

    it('finishes its job where nobody reads its messages', async () => {
      const child = spawn(process.execPath, [BIN, 'run', 'no-such-file', '--kernel', 'k'], { stdio: ['ignore', 'pipe', 'pipe'] });
      // Closed before a word is written: writing is EPIPE.
      child.stderr.destroy();
      const code = await new Promise((resolve) => child.on('exit', resolve));
      expect(code).toBe(2);
    });

    it.skipIf(!existsSync('/dev/full'))('says in one sentence that the disk is full, and exits with 1', () => {
      const full = openSync('/dev/full', 'w');
      const argv = [BIN, 'disasm', fixture('programs/vadd.hsaco')];
      const { status, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8', stdio: ['ignore', full, 'pipe'] });
      closeSync(full);
      expect({ status, stderr }).toEqual({
        status: 1,
        stderr: expect.stringMatching(/^doorbell: the results cannot be written: ENOSPC[^\n]*\n$/) as string,
      });
    });

    it('is content with a reader that stops early', async () => {
      const child = spawn(process.execPath, [BIN, 'disasm', fixture('programs/vadd.hsaco')]);
      child.stdout.destroy();
      expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(0);
    });
  });
});
