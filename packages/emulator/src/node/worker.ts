/** Entry of the device workers: `@doorbell/emulator/worker`. */
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import type { WorkerStart } from '../device/worker-threads.js';
import { runDeviceWorker } from '../device/worker-main.js';

const now = (): bigint => process.hrtime.bigint();
// Safe: only the Node host starts this module, with a start message of WorkerThreads, or without one for a spare worker.
const given = workerData as WorkerStart | undefined;

if (given?.role === 'command-processor') {
  runDeviceWorker(given, { now });
} else {
  // The compiler is loaded by the workers that need it alone; a spare one becomes one of them.
  const message = given === undefined && parentPort !== null ? once(parentPort, 'message') : undefined;
  const { CodeStore, createExecutor, WishCompiler } = await import('../execute/index.js');
  // Safe: as above.
  const start = given ?? ((await message)?.[0] as WorkerStart);
  runDeviceWorker(start, { now, createExecutor, createCodeMaker: (store) => new WishCompiler(new CodeStore(store)) });
}
