import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { missing } from './client.js';

const RUN = fileURLToPath(new URL('../run.mjs', import.meta.url));
const reason = missing();

it.skipIf(reason !== '').each([
  [
    'a target that is not emulated',
    ['--gpu', 'gfx9999', '--', 'true'],
    /^run\.mjs: no emulated GPU for target gfx9999; there are gfx\d/,
  ],
  ['an option that is not there', ['--bogus'], /^run\.mjs: Unknown option '--bogus'/],
])(`says %s in one line ${reason}`, (_name, argv, words) => {
  const { status, stderr } = spawnSync(process.execPath, [RUN, ...argv], { encoding: 'utf8' });
  expect(status).toBe(2);
  expect(stderr).toMatch(words);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});
