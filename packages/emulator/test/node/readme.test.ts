import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { bundle } from './bundle.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

it('README: the example runs as it stands and prints what its comments say', async () => {
  const code = /```ts\n(.*?)```/s.exec(readFileSync(join(ROOT, 'README.md'), 'utf8'))?.[1] ?? '';
  const expected = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map((match) => match[1]);
  mkdirSync(join(ROOT, 'node_modules'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, 'node_modules', '.doorbell-readme-'));
  try {
    const entry = join(folder, 'example.ts');
    writeFileSync(entry, code);
    const run = spawnSync(process.execPath, [await bundle({ name: 'example', entry, folder })], { encoding: 'utf8' });
    expect(run.stderr).toBe('');
    expect(run.stdout.trim().split('\n')).toEqual(expected);
    expect(expected).toHaveLength(2);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
