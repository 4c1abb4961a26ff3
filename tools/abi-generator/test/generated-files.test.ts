import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ERROR_CODES } from '@doorbell/abi';
import { generatedFiles } from '../src/files.mjs';

const root = new URL('../../../', import.meta.url);

it.each([...generatedFiles.keys()])('%s is what the generator writes', (path) => {
  expect(readFileSync(new URL(path, root), 'utf8')).toBe(generatedFiles.get(path));
});

it('covers every file in the generated folder', () => {
  const folder = 'packages/abi/src/generated/';
  const known = [...generatedFiles.keys()].filter((path) => path.startsWith(folder));
  expect(readdirSync(new URL(folder, root)).sort()).toEqual(known.map((path) => path.slice(folder.length)).sort());
});

it('has every error code in the page', () => {
  const page = generatedFiles.get('docs/errors.md') ?? '';
  const rows = [...page.matchAll(/^\| `(ERR_\w+)`/gm)].map(([, code]) => code);
  expect(rows).toEqual(Object.keys(ERROR_CODES));
});
