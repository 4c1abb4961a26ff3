import { readFileSync } from 'node:fs';
import * as abi from '@doorbell/abi';
import { expect, it } from 'vitest';
import * as thunkLoader from '../src/index.js';
import { FakeDevice } from './support/fake-device.js';

/** The example as a function of its imports; a device that keeps books stands in for the GPU. */
function exampleOf(readme: string): (modules: object, console: object) => Promise<void> {
  const body = /```ts\n([^]*?)```/
    .exec(readme)![1]!
    .replaceAll(/import (\{.*\}) from '(.*)';/g, (_, names: string, from: string) => `const ${names} = modules['${from}'];`);
  const AsyncFunction = (async () => Promise.resolve()).constructor as FunctionConstructor;
  return new AsyncFunction('modules', 'console', body) as unknown as ReturnType<typeof exampleOf>;
}

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
