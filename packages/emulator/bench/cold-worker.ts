/** The thread itself: loads the script of cold-thread.ts as a device worker loads its own. */
import { workerData } from 'node:worker_threads';
import { loadDeviceBundle } from '../src/node/device-bundle.js';
import { enableEngineFeatures } from '../src/node/engine-features.js';
import type * as coldThread from './cold-thread.js';

enableEngineFeatures();
// Safe: cold.bench.ts builds that script, and starts this thread with a job.
const { runJob } = loadDeviceBundle(__dirname, undefined).exports as unknown as typeof coldThread;
runJob(workerData as coldThread.ThreadJob);
