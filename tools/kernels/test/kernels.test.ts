import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { codeObjects } from '../build.mjs';

it('every code object of the manifest is committed', () => {
  const root = new URL('../../../', import.meta.url);
  expect(codeObjects().filter(({ output }) => !existsSync(new URL(output, root)))).toEqual([]);
});
