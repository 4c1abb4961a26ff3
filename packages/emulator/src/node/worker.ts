/**
 * Entry of the device workers, `@doorbell/emulator/worker`: runs the script beside it. What V8 compiled of it comes from an earlier worker
 * of this process or from the build; where V8 refuses that, the first worker to have run a kernel leaves its own.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { WorkerStart } from '../device/worker-threads.js';
import { loadDeviceBundle } from './device-bundle.js';
import { enableEngineFeatures } from './engine-features.js';
import type { DeviceCode, DeviceCodeMessage, DeviceWorkerData } from './worker-data.js';

// Safe: only `createWorker` starts this module.
const { start, code } = workerData as DeviceWorkerData;
enableEngineFeatures();
const bundle = loadDeviceBundle(__dirname, code);
const leave = (made: DeviceCode): void => {
  const message: DeviceCodeMessage = { code: made };
  parentPort?.postMessage(message);
};
if (bundle.found !== undefined && code === undefined) leave(bundle.found);
const onWorked =
  bundle.found === undefined
    ? (): void => {
        leave(bundle.compiled());
      }
    : undefined;
// Safe: the start message of WorkerThreads.
bundle.exports.runDeviceThread(start as WorkerStart | undefined, onWorked).catch((error: unknown) => {
  // It ends the worker, of which the parent hears, whatever Node is to do with promises.
  setImmediate(() => {
    throw error;
  });
});
