/** What a device thread runs once its code is there. */
import { once } from 'node:events';
import { parentPort, receiveMessageOnPort } from 'node:worker_threads';
import { InternalError } from '@doorbell/abi';
import { rehearse as rehearseFor } from '../device/rehearsal.js';
import { runDeviceWorker } from '../device/worker-main.js';
import type { WorkerStart } from '../device/worker-threads.js';
import { CodeStore, WishCompiler, createExecutor } from '../execute/index.js';
import { CODE_STORE_BYTES, MEMORY_BYTES } from '../memory-map.js';

export { engineFlags } from './engine-features.js';

const now = (): bigint => process.hrtime.bigint();

/** Runs a device worker with its start message, or with the one that comes, until its machine shuts down. */
export async function runDeviceThread(given: WorkerStart | undefined, onWorked?: () => void): Promise<void> {
  // A spare worker does not know yet whose code it will run.
  const rehearsal = given === undefined ? rehearseFor({ processor: REHEARSED, createExecutor, now }) : undefined;
  const start = given ?? (await nextStart(rehearsal));
  runDeviceWorker(start, {
    now,
    createExecutor,
    createCodeMaker: (store) => new WishCompiler(new CodeStore(store)),
    ...(rehearsal === undefined || start.gpus[0]?.processor !== REHEARSED ? {} : { rehearsal }),
    ...(onWorked === undefined ? {} : { onWorked }),
  });
}

/** Until its start message comes, a spare worker rehearses. */
async function nextStart(rehearsal: Iterator<void, boolean> | undefined): Promise<WorkerStart> {
  if (parentPort === null) throw new InternalError('a device thread is a worker');
  while (rehearsal?.next().done === false) {
    const received = receiveMessageOnPort(parentPort);
    // Safe: only the Node host sends a spare worker a message, its start message.
    if (received !== undefined) return received.message as WorkerStart;
  }
  const [message] = (await once(parentPort, 'message')) as [WorkerStart];
  return message;
}

/** What most devices are. */
const REHEARSED = 'gfx1100';

/** Runs and compiles kernels that nobody sees, so that V8 compiles the functions that do so; the build keeps what came of it. */
export function rehearse(): void {
  const dispatch = rehearseFor({ processor: REHEARSED, createExecutor, now });
  while (dispatch.next().done !== true);
  const pages = MEMORY_BYTES / 65_536;
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  const executor = createExecutor(memory, { codeStore: new SharedArrayBuffer(CODE_STORE_BYTES) });
  while (executor.warmUp(REHEARSED));
}
