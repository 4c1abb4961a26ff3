import { readFileSync } from 'node:fs';
import * as abi from '@doorbell/abi';
import { expect, it } from 'vitest';
import * as thunkLoader from '../src/index.js';
import { FakeDevice } from './support/fake-device.js';
import { exampleOf } from './support/readme-example.js';

it('runs the example of the README', async () => {
  const printed: string[] = [];
  const loadThunk = async () => thunkLoader.loadThunk({ openDevice: () => new FakeDevice() });
  const modules = { '@doorbell/abi': abi, '@doorbell/thunk-loader': { ...thunkLoader, loadThunk } };
  const example = exampleOf(readFileSync(new URL('../README.md', import.meta.url), 'utf8'));
  await example(modules, { log: (...words: unknown[]) => printed.push(words.join(' ')) });
  expect(printed).toHaveLength(5);
  expect(printed[0]).toMatch(/^kfd taken .* 1 of 1 GPUs usable$/);
  expect(printed[4]).toBe('GPU 4097 is usable');
});
