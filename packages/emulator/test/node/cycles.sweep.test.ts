import { readFileSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openNodeEmulatedDevice } from '../../src/node/index.js';
import { callerOf } from '../device/support.js';
import { Events, Heap, TestQueue, dispatchPacket, waitEvents } from '../device/test-queue.js';
import { CODE, loadKernel } from './kernels.js';
import { buildTestWorker } from './test-worker.js';

const CYCLES = 1000;

it(`leaves nothing behind after ${CYCLES} launches, each on a device of its own`, async () => {
  const workerUrl = await buildTestWorker();
  const cycle = async (): Promise<void> => {
    await using device = await openNodeEmulatedDevice({ workerUrl, workers: 1 });
    const caller = callerOf(device);
    caller.acquire();
    const heap = new Heap(caller);
    const event = new Events(caller).create();
    const completion = heap.signal(1n, event);
    new TestQueue(caller, heap).submit(dispatchPacket(loadKernel(heap, CODE.end), { completion }));
    await waitEvents(device, [event.id]);
    expect(completion.value).toBe(0n);
  };
  const count = () => ({
    threads: readdirSync('/proc/self/task').length,
    files: readdirSync('/proc/self/fd').length,
    mappings: readFileSync('/proc/self/maps', 'utf8').split('\n').length,
  });
  for (let warmUp = 0; warmUp < 20; warmUp += 1) await cycle();
  const before = count();
  for (let done = 0; done < CYCLES; done += 1) await cycle();
  const after = count();
  expect(after.threads).toBe(before.threads);
  expect(after.files).toBe(before.files);
  // The engine's own heap comes and goes by a few mappings.
  expect(after.mappings).toBeLessThan(before.mappings + 200);
}, 1_200_000);
