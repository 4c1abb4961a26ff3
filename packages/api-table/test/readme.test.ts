import { readFileSync } from 'node:fs';
import { runInThisContext } from 'node:vm';
import * as abi from '@doorbell/abi';
import { expect, it } from 'vitest';
import * as apiTable from '../src/index.js';

it('prints what the README says', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const printed: string[] = [];
  const body = /```ts\n([^]*?)```/
    .exec(readme)![1]!
    .replaceAll(
      /import \{(.*)\} from '@doorbell\/(abi|api-table)';/g,
      (_, names, from) => `const {${names}} = ${from === 'abi' ? 'abi' : 'apiTable'};`,
    )
    .replace('ref<unknown>', 'ref');
  const run = runInThisContext(`(abi, apiTable, console) => {${body}}`) as (...args: unknown[]) => void;
  run(abi, apiTable, { log: (line: string) => printed.push(line) });
  expect(printed).toEqual([
    'starting',
    'hsa_init() = HSA_STATUS_SUCCESS',
    'hsa_system_get_info(attribute=0, value=&1) = HSA_STATUS_SUCCESS',
    'hsa_shut_down() = HSA_STATUS_ERROR',
  ]);
});
