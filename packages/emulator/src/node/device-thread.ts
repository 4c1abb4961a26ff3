/** What a device thread runs once its code is there. */
import { once } from 'node:events';
import { parentPort } from 'node:worker_threads';
import { InternalError } from '@doorbell/abi';
import { runDeviceWorker } from '../device/worker-main.js';
import type { WorkerStart } from '../device/worker-threads.js';
import { CodeStore, WishCompiler, createExecutor } from '../execute/index.js';
import { CODE_STORE_BYTES, MEMORY_BYTES } from '../memory-map.js';

/** Runs a device worker with its start message, or with the one that comes, until its machine shuts down. */
export async function runDeviceThread(given: WorkerStart | undefined, onWorked?: () => void): Promise<void> {
  const start = given ?? (await nextStart());
  runDeviceWorker(start, {
    now: () => process.hrtime.bigint(),
    createExecutor,
    createCodeMaker: (store) => new WishCompiler(new CodeStore(store)),
    ...(onWorked === undefined ? {} : { onWorked }),
  });
}

async function nextStart(): Promise<WorkerStart> {
  if (parentPort === null) throw new InternalError('a device thread is a worker');
  // Safe: only the Node host sends a spare worker a message, its start message.
  const [message] = (await once(parentPort, 'message')) as [WorkerStart];
  return message;
}

/** Any processor that there is code for to warm up with. */
const REHEARSED = 'gfx1100';

/** Compiles kernels that nobody runs, so that V8 compiles the functions that do so; the build keeps what came of it. */
export function rehearse(): void {
  const pages = MEMORY_BYTES / 65_536;
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  const codeStore = new SharedArrayBuffer(CODE_STORE_BYTES);
  const executor = createExecutor(memory, { codeStore });
  while (executor.warmUp(REHEARSED, 'baseline'));
  while (executor.warmUp(REHEARSED, 'optimised'));
}
