/** A device worker of one module, without code that was compiled before. */
import { workerData } from 'node:worker_threads';
import type { WorkerStart } from '../../src/device/worker-threads.js';
import { runDeviceThread } from '../../src/node/device-thread.js';
import { enableEngineFeatures } from '../../src/node/engine-features.js';
import type { DeviceWorkerData } from '../../src/node/worker-data.js';

enableEngineFeatures();
await runDeviceThread((workerData as DeviceWorkerData).start as WorkerStart | undefined);
