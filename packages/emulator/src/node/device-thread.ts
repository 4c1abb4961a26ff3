/** What a device thread runs once its code is there. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { InternalError } from '@doorbell/abi';
import * as rehearsal from '../device/rehearsal.js';
import { runDeviceWorker } from '../device/worker-main.js';
import type { WorkerStart } from '../device/worker-threads.js';
import { CodeStore, WishCompiler, createExecutor } from '../execute/index.js';
import { CODE_STORE_BYTES, MEMORY_PAGES } from '../memory-map.js';

export { engineFlags } from './engine-features.js';

const now = (): bigint => process.hrtime.bigint();

/** Runs a device worker with its start message, or with the one that comes, until its machine shuts down. */
export async function runDeviceThread(given: WorkerStart | undefined, onWorked?: () => void): Promise<void> {
  const start = given ?? (await nextStart());
  runDeviceWorker(start, {
    now,
    createExecutor,
    createCodeMaker: (store) => new WishCompiler(new CodeStore(store)),
    reserveMemory,
    ...(onWorked === undefined ? {} : { onWorked }),
  });
}

async function nextStart(): Promise<WorkerStart> {
  if (parentPort === null) throw new InternalError('a device thread is a worker');
  // Safe: only the Node host sends a spare worker a message, its start message.
  const [message] = (await once(parentPort, 'message')) as [WorkerStart];
  return message;
}

/**
 * 10 GiB of address space with V8's guard regions, 4 GiB of data as Linux counts, until V8 collects garbage, which a thread that idles does
 * not: where there is a limit, others need it.
 */
function reserveMemory(): WebAssembly.Memory | undefined {
  return isMemoryLimited() ? undefined : createMemory();
}

function createMemory(): WebAssembly.Memory {
  return new WebAssembly.Memory({ initial: MEMORY_PAGES, maximum: MEMORY_PAGES, shared: true });
}

/** Whether the process may only have so much address space or data (`ulimit -v`, `-d`). */
function isMemoryLimited(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    const limits = readFileSync('/proc/self/limits', 'latin1');
    return !/^Max data size +unlimited/m.test(limits) || !/^Max address space +unlimited/m.test(limits);
  } catch {
    return true;
  }
}

/** Any processor that there is a kernel to rehearse with for. */
const REHEARSED = 'gfx1100';

/** For the build: runs and compiles what device threads do, so that V8 compiles the functions that do so. */
export function rehearse(): void {
  const dispatch = rehearsal.rehearse({ processor: REHEARSED, createExecutor, now, reserveMemory: createMemory });
  let result = dispatch.next();
  while (result.done !== true) result = dispatch.next();
  if (!result.value) throw new InternalError('the rehearsal did not come to its end');
  const executor = createExecutor(createMemory(), { codeStore: new SharedArrayBuffer(CODE_STORE_BYTES) });
  while (executor.warmUp(REHEARSED));
}
