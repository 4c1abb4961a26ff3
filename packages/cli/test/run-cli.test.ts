import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fixture, run } from './support.js';

const COMMANDS = ['info', 'doctor', 'inspect', 'disasm', 'asm', 'run'];

describe('runCli', () => {
  it.each(COMMANDS)('%s has help with an example', async (command) => {
    const { code, out, err } = await run([command, '--help']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(`Example:\n  $ doorbell ${command}`);
    for (const option of ['--json', '--quiet', '--no-color', '--debug']) expect(out).toContain(option);
  });

  it('lists the commands and prints the version', async () => {
    expect((await run(['--help'])).out).toMatch(/info[\s\S]*doctor[\s\S]*inspect[\s\S]*disasm[\s\S]*asm[\s\S]*run/);
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
    expect((await run(['--version'])).out).toBe(`${version}\n`);
  });

  it.each([[[]], [['asm']], [['inspect']], [['inspect', '--nonsense', 'x']], [['inspect', 'a', 'b']], [['run', 'x.hsaco']]])(
    'exits with 2 for %j',
    async (argv) => {
      const { code, out, err } = await run(argv);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).not.toBe('');
    },
  );

  it('colours only where it may', async () => {
    const argv = ['inspect', fixture('programs/vadd.hsaco')];
    const escape = '\u001b[';
    expect((await run(argv, { colors: true })).out).toContain(escape);
    expect((await run(argv, { colors: true, env: { NO_COLOR: '1' } })).out).not.toContain(escape);
    expect((await run([...argv, '--no-color'], { colors: true })).out).not.toContain(escape);
    expect((await run([...argv, '--json'], { colors: true })).out).not.toContain(escape);
  });

  it('stops at Ctrl-C', async () => {
    const { code, err } = await run(['inspect', fixture('programs/vadd.hsaco')], { signal: AbortSignal.abort() });
    expect(code).toBe(1);
    expect(err).toContain('aborted');
  });
});
