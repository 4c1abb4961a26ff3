/** Entry of the device workers: `@doorbell/emulator/worker`. */
import { workerData } from 'node:worker_threads';
import type { WorkerStart } from '../device/worker-threads.js';
import { runDeviceWorker } from '../device/worker-main.js';

// Safe: only startWorker of the Node host starts this module, with a start message of WorkerThreads.
const start = workerData as WorkerStart;
const now = (): bigint => process.hrtime.bigint();

if (start.role === 'command-processor') {
  runDeviceWorker(start, { now });
} else if (start.role === 'compiler') {
  const { CodeStore, WishCompiler } = await import('../execute/index.js');
  runDeviceWorker(start, { now, createCodeMaker: (store) => new WishCompiler(new CodeStore(store)) });
} else {
  // The compiler is loaded by the workers that need it alone.
  const { createExecutor } = await import('../execute/index.js');
  runDeviceWorker(start, { now, createExecutor });
}
