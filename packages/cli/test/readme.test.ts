import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { codeObjectFixture, fixture, run } from './support.js';

const folder = mkdtempSync(join(tmpdir(), 'doorbell-cli-readme-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

/** Command lines of the read-me, as words. */
const LINES = README.replaceAll('\\\n', ' ')
  .split('\n')
  .filter((line) => line.startsWith('npx doorbell '))
  .map((line) =>
    line
      .replace(/ +#.*$/, '')
      .split(/ +/)
      .slice(2),
  );

it.each(LINES)('runs the example doorbell %s', async (...words) => {
  const argv = words.map((word, i) => {
    if (words[i - 1] === '-o' || word === 'app.gfx1031.hsaco') return join(folder, word);
    if (word === 'libapp.so') return codeObjectFixture('host.o');
    if (word === 'vadd.s') return codeObjectFixture('assemble/vadd.gfx1100.s');
    return word === 'vadd.hsaco' ? fixture('programs/vadd.hsaco') : word;
  });
  const { code, err } = await run(argv);
  expect({ code, err }).toEqual({ code: 0, err: '' });
});

it('has an example of each command', () => {
  const commands = ['doctor', 'info', 'inspect', 'disasm', 'asm', 'run', 'inspect', 'plan', 'rewrite', 'verify'];
  expect(LINES.map(([first, second]) => (first === 'hotswap' ? second : first))).toEqual(commands);
});
