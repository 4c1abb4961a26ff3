import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { enableEngineFeatures } from '../../src/node/engine-features.js';
import { createNodeHost, openNodeEmulatedDevice } from '../../src/node/index.js';
import { buildTestWorker } from './test-worker.js';
import { bundle } from './bundle.js';

const workerUrl = await buildTestWorker();

/** Runs a program over the device in a process of its own: its exit code and output. */
async function runProgram(body: string): Promise<{ readonly code: number | null; readonly out: string; readonly err: string }> {
  const folder = dirname(fileURLToPath(workerUrl));
  const source = join(folder, 'program.ts');
  const root = fileURLToPath(new URL('../..', import.meta.url));
  writeFileSync(
    source,
    `import { openNodeEmulatedDevice } from '${root}/src/node/index.js';
     import { callerOf } from '${root}/test/device/support.js';
     import { Events, Heap, TestQueue, dispatchPacket, waitEvents } from '${root}/test/device/test-queue.js';
     import { CODE, loadKernel } from '${root}/test/node/kernels.js';
     const device = await openNodeEmulatedDevice({ workerUrl: new URL(${JSON.stringify(workerUrl.href)}), workers: 1 });
     const caller = callerOf(device);
     caller.acquire();
     const heap = new Heap(caller);
     const events = new Events(caller);
     const queue = new TestQueue(caller, heap);
     const event = events.create();
     const completion = heap.signal(1n, event);
     ${body}`,
  );
  const file = await bundle({ name: 'program', entry: source, folder });
  const run = spawnSync(process.execPath, [file], { encoding: 'utf8', timeout: 100_000 });
  return { code: run.status, out: run.stdout, err: run.stderr };
}

describe('a process with an emulated device', () => {
  it('ends by itself when nothing is pending, though the device was never closed', async () => {
    const { code, out, err } = await runProgram(`
      queue.submit(dispatchPacket(loadKernel(heap, CODE.end), { completion }));
      await waitEvents(device, [event.id]);
      console.log('value', completion.value);
    `);
    expect([err, out, code]).toEqual(['', 'value 0n\n', 0]);
  });

  it('is kept alive by a launch alone', async () => {
    const { code, out } = await runProgram(`
      process.on('exit', () => console.log('value', completion.value));
      queue.submit(dispatchPacket(loadKernel(heap, CODE.end), { completion }));
    `);
    expect([out, code]).toEqual(['value 0n\n', 0]);
  });
});

describe('options', () => {
  it('take the number of workers from DOORBELL_WORKERS, and refuse what is no number of them', async () => {
    await using device = await openNodeEmulatedDevice({ workerUrl, env: { DOORBELL_WORKERS: '3' } });
    expect(device.path).toBe('emulated gfx1100');
    for (const value of ['0', '17', '1.5', 'many']) {
      await expect(openNodeEmulatedDevice({ workerUrl, env: { DOORBELL_WORKERS: value } })).rejects.toMatchObject({
        code: 'ERR_INVALID_ARGUMENT',
        message: `DOORBELL_WORKERS=${value}: the emulated GPU takes 1 to 16 compute workers`,
      });
    }
    await expect(openNodeEmulatedDevice({ workerUrl, workers: 0 })).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
  });

  it('refuse a processor that nothing is known of', async () => {
    await expect(openNodeEmulatedDevice({ processor: 'gfx1' })).rejects.toMatchObject({ code: 'ERR_NOT_SUPPORTED' });
  });

  it('give a host without page protection where it is not wanted', async () => {
    const host = await createNodeHost({ protection: 'software', workerUrl });
    expect([host.protectPages, host.discardPages]).toEqual([undefined, undefined]);
  });

  it.skipIf(process.platform !== 'linux')('switch relaxed SIMD on', () => {
    enableEngineFeatures();
    // f32x4.relaxed_madd of three zeros.
    const probe = '0061736d01000000010401600000030201000a140112004100fd114100fd114100fd11fd85021a0b';
    expect(WebAssembly.validate(Uint8Array.from(Buffer.from(probe, 'hex')))).toBe(true);
  });
});
