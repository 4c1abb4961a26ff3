import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { openEmulatedDevice } from '../../src/device/open.js';
import { createNodeHost } from '../../src/node/node-host.js';
import { deviceWorkerUrl } from '../../src/node/spare-worker.js';
import type { DeviceCode, DeviceCodeMessage } from '../../src/node/worker-data.js';
import { callerOf } from '../device/support.js';
import { Events, Heap, TestQueue, dispatchPacket, waitEvents } from '../device/test-queue.js';
import { CODE, loadKernel } from './kernels.js';

const built = dirname(fileURLToPath(deviceWorkerUrl()));

/** Runs a kernel on a device whose only worker is made of `entry` with `code`; what the worker leaves. */
async function codeLeftBy(entry: string, code?: DeviceCode): Promise<DeviceCode> {
  let tell: (left: DeviceCode) => void;
  const left = new Promise<DeviceCode>((resolve) => {
    tell = resolve;
  });
  const host = await createNodeHost();
  await using device = await openEmulatedDevice({
    processor: 'gfx1100',
    workers: 1,
    host: {
      ...host,
      spawnWorker: (start) => {
        const worker = new Worker(pathToFileURL(entry), { workerData: { start, code }, execArgv: [] });
        worker.once('message', (message: DeviceCodeMessage) => {
          tell(message.code);
        });
        return {
          postMessage: () => undefined,
          onMessage: () => undefined,
          onError: (listener) => worker.on('error', listener),
          setRef: () => undefined,
          terminate: async () => {
            await worker.terminate();
          },
        };
      },
    },
  });
  const caller = callerOf(device);
  caller.acquire();
  const heap = new Heap(caller);
  const event = new Events(caller).create();
  const signal = heap.signal(1n, event);
  new TestQueue(caller, heap).submit(dispatchPacket(loadKernel(heap, CODE.end), { completion: signal }));
  await waitEvents(device, [event.id]);
  expect(signal.value).toBe(0n);
  return await left;
}

function isTaken({ source, compiled }: DeviceCode, filename: string): boolean {
  // An origin of its own: V8 gives what it has at hand else.
  const script = new Script(Buffer.from(source).toString('latin1'), { filename, cachedData: compiled });
  return script.cachedDataRejected === false;
}

it.each([
  ['is cut off', (file: string): void => truncateSync(file, 1000)],
  [
    'is damaged, of which V8 would end the process,',
    (file: string): void => {
      const bytes = readFileSync(file);
      bytes[40] = (bytes[40] ?? 0) ^ 1;
      writeFileSync(file, bytes);
    },
  ],
  ['is not there', (file: string): void => rmSync(file)],
  [
    'cannot be read',
    (file: string): void => {
      rmSync(file);
      mkdirSync(file);
    },
  ],
])('a worker whose compiled code %s runs kernels, and leaves code that V8 takes', async (_, spoil) => {
  const folder = mkdtempSync(join(tmpdir(), 'doorbell-test-'));
  try {
    cpSync(built, folder, { recursive: true });
    const files = readdirSync(folder).filter((name) => name.endsWith('.cache'));
    expect(files).toHaveLength(1);
    for (const name of files) spoil(join(folder, name));
    expect(isTaken(await codeLeftBy(join(folder, 'index.cjs')), join(folder, 'again.cjs'))).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('a worker that was given code which V8 refuses leaves its own', async () => {
  const source = new Uint8Array(new SharedArrayBuffer(readFileSync(join(built, 'device.cjs')).length));
  source.set(readFileSync(join(built, 'device.cjs')));
  const left = await codeLeftBy(join(built, 'index.cjs'), { source, compiled: new Uint8Array(100) });
  expect(isTaken(left, join(built, 'again.cjs'))).toBe(true);
});

it('V8 takes what the build left, under the flags that device threads set alone; workers hand it on', () => {
  const program = (flags: readonly string[]): string => `
    for (const flag of ${JSON.stringify(flags)}) require('node:v8').setFlagsFromString(flag);
    const worker = new (require('node:worker_threads').Worker)(new URL(${JSON.stringify(deviceWorkerUrl().href)}), { workerData: {} });
    worker.once('message', ({ code }) => {
      console.log(code.compiled.length);
      worker.unref();
    });
    // It waits for its start message, unless there is none to come.
    worker.postMessage(undefined);
    worker.once('error', () => console.log('nothing'));`;
  const run = (flags: readonly string[]): string =>
    execFileSync(process.execPath, ['-e', program(flags)], { encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } });
  expect(Number(run([]).split('\n')[0])).toBeGreaterThan(100_000);
  expect(run(['--stack-size=900'])).toBe('nothing\n');
});
