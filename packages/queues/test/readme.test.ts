import { readFileSync } from 'node:fs';
import * as abi from '@doorbell/abi';
import { expect, it } from 'vitest';
import * as thunkLoader from '@doorbell/thunk-loader';
import { FakeDevice } from '../../thunk-loader/test/support/fake-device.js';
import { exampleOf } from '../../thunk-loader/test/support/readme-example.js';
import * as queues from '../src/index.js';

it('runs the example of the README', async () => {
  const printed: string[] = [];
  const device = new FakeDevice();
  // The device completes the one packet by its signal, as a command processor does.
  device.onRing = () => {
    const event = device.eventOfType(0);
    const signals = Array.from({ length: 512 }, (_, i) => i * 128).map((offset) =>
      device.bytesAt(pool(), 65_536).subarray(offset, offset + 64),
    );
    for (const bytes of signals) {
      const signal = abi.AMD_SIGNAL.read(bytes);
      if (signal.kind === 1n && signal.value === 1n) abi.AMD_SIGNAL.write(bytes, { value: 0n });
    }
    device.signal(event);
  };
  const pool = (): bigint => [...device.held.allocations.values()].find(({ sizeBytes }) => sizeBytes === 65_536)!.address;
  const loadThunk = async () => thunkLoader.loadThunk({ openDevice: () => device });
  const modules = { '@doorbell/abi': abi, '@doorbell/queues': queues, '@doorbell/thunk-loader': { ...thunkLoader, loadThunk } };
  const example = exampleOf(readFileSync(new URL('../README.md', import.meta.url), 'utf8'));
  await example(modules, { log: (...words: unknown[]) => printed.push(words.join(' ')) });
  expect(printed).toEqual(['the barrier is complete']);
  expect(device.leaks()).toEqual({ ranges: 0, allocations: 0, mappings: 0, queues: 0, events: 0, buffers: 0 });
});
