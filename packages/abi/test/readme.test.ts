import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import * as abi from '../src/index.js';

it('prints what the README says', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const code = /```ts\n([^]*?)```/.exec(readme)![1]!;
  const expected = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map(([, line]) => line);
  const printed: string[] = [];
  const body = code.replace(/import \{(.*)\} from '@doorbell\/abi';/, 'const {$1} = abi;');
  runInNewContext(body, { abi, console: { log: (value: unknown) => printed.push(String(value)) } });
  expect(printed).toEqual(expected);
  expect(printed).toHaveLength(4);
});
