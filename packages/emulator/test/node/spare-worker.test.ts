import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DeviceCode } from '../../src/node/worker-data.js';

// The files of a process share their modules: those of others have the real workers, and have them again afterwards.
vi.resetModules();
vi.doMock('node:worker_threads', async (original) => ({
  ...(await original<object>()),
  Worker: (await import('./fake-worker.js')).FakeWorker,
}));
const { FakeWorker } = await import('./fake-worker.js');
const { createNodeHost } = await import('../../src/node/node-host.js');
const { deviceWorkerUrl, dropSpareWorker, startSpareWorker, takeSpareWorker } = await import('../../src/node/spare-worker.js');

afterAll(() => {
  vi.doUnmock('node:worker_threads');
  vi.resetModules();
});

const made = FakeWorker.made;
const start = { role: 'compute', index: 0 };

beforeEach(() => {
  takeSpareWorker();
  made.length = 0;
});

describe('the spare worker', () => {
  it('is one, does not keep the process alive, and becomes the first worker of a device', async () => {
    startSpareWorker();
    startSpareWorker();
    expect(made).toHaveLength(1);
    expect(made[0]?.isReferenced).toBe(false);
    const host = await createNodeHost();
    const errors: Error[] = [];
    host.spawnWorker(start).onError((error) => errors.push(error));
    expect(made[0]?.messages).toEqual([start]);
    host.spawnWorker(start);
    expect(made).toHaveLength(2);
    expect(made[1]?.options.workerData).toEqual({ start });
    // The device hears of its end now.
    made[0]?.emit('exit', 1);
    expect(errors.map(({ message }) => message)).toEqual(['a device worker ended by itself, with code 1']);
  });

  it('ends when it is dropped, which a device that comes later does without', async () => {
    startSpareWorker();
    await dropSpareWorker();
    await dropSpareWorker();
    expect(made.map(({ isTerminated }) => isTerminated)).toEqual([true]);
    (await createNodeHost()).spawnWorker(start);
    expect(made).toHaveLength(2);
    expect(made[0]?.messages).toEqual([]);
  });

  it.each(['error', 'exit'])('is none after its %s, and is started again', async (event) => {
    startSpareWorker();
    made[0]?.emit(event, event === 'error' ? new Error('no memory') : 1);
    (await createNodeHost()).spawnWorker(start);
    expect(made[0]?.messages).toEqual([]);
    expect(made).toHaveLength(2);
    startSpareWorker();
    expect(made).toHaveLength(3);
    // One that ended says nothing of the one after it.
    made[0]?.emit('exit', 1);
    expect(takeSpareWorker()).toBe(made[2]);
  });

  it('is not for a device with a worker module of its own', async () => {
    startSpareWorker();
    (await createNodeHost({ workerUrl: deviceWorkerUrl() })).spawnWorker(start);
    expect(made).toHaveLength(2);
    expect(made[0]?.messages).toEqual([]);
  });

  it('hands the code that a worker leaves to the next ones', async () => {
    const code: DeviceCode = { source: new Uint8Array(1), compiled: new Uint8Array(2) };
    startSpareWorker();
    const host = await createNodeHost();
    host.spawnWorker(start);
    made[0]?.emit('message', { code });
    host.spawnWorker(start);
    expect(made[1]?.options.workerData).toEqual({ start, code });
  });
});
