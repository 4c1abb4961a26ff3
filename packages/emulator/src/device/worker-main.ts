/** What a device worker does from its start message to its end. The environment brings the executor and the clock. */
import { InternalError } from '@doorbell/abi';
import type { Executor } from '../executor.js';
import { CodeStore } from '../execute/code-store.js';
import type { ExecutorOptions } from '../execute/index.js';
import { createTranslation } from './address.js';
import { ticksOfNs } from './clock.js';
import { CommandProcessor } from './command-processor.js';
import { CompilerCall } from './compiler-call.js';
import { ComputeWorker } from './compute-worker.js';
import { ProcessorDuty, takeDuty } from './processor-duty.js';
import type { MemoryViews } from './shared-state.js';
import {
  ACTIVE_THREADS,
  CP_WAKE,
  IRQ_COUNT,
  REST_WANTED,
  SHUTDOWN,
  WORKER_BUSY,
  WORKER_COUNT,
  WORKER_WAKE,
  createViews,
  raiseEvent,
  wake,
  workerWord,
} from './shared-state.js';
import type { WorkerStart } from './worker-threads.js';

/** What the compile worker does over and over. */
interface CodeMaker {
  /** Answers one wish for code; false when there is none. */
  step(): boolean;
  /** As {@link Executor.warmUp}. */
  warmUp(processor: string, options: { readonly softwarePages: boolean }): boolean;
}

export interface DeviceWorkerOptions {
  /** Needed by compute workers. */
  readonly createExecutor?: (memory: WebAssembly.Memory, options: ExecutorOptions) => Executor;
  /** Needed by the compile worker. */
  readonly createCodeMaker?: (codeStore: SharedArrayBuffer) => CodeMaker;
  /** Monotonic nanoseconds, the same clock in every thread. */
  readonly now: () => bigint;
  /** Called once, by a compute worker that has run something and is idle. */
  readonly onWorked?: () => void;
}

interface ComputeParts {
  readonly worker: ComputeWorker;
  readonly executor: Executor;
  readonly compiler: CompilerCall;
  /** Of the first compute worker. */
  readonly duty: ProcessorDuty | undefined;
  readonly onWorked: (() => void) | undefined;
}

/** A thread rests at most this long for main to protect pages. */
const REST_MS = 20;
/** Looks at its wake word this often before it sleeps: about as long as waking up takes. */
const SPINS = 2000;
/** Who waited for the work goes on first: what is to be done after work waits for this long. */
const AFTER_WORK_MS = 10;

/** Runs a device worker until the machine shuts down; blocks the calling thread. */
export function runDeviceWorker(
  start: WorkerStart,
  { createExecutor, createCodeMaker, now, onWorked }: DeviceWorkerOptions,
): void {
  const views = createViews(start.memory, createTranslation(start.memory, start.addressForm));
  if (start.role === 'command-processor') {
    runCommandProcessor(views, start);
    return;
  }
  const { words } = views;
  if (start.role === 'compiler') {
    if (createCodeMaker === undefined) throw new InternalError('the compile worker started without a compiler');
    runCompiler(words, start, createCodeMaker(start.codeStore));
    return;
  }
  if (createExecutor === undefined) throw new InternalError('a compute worker started without an executor');
  const workers = Atomics.load(views.words, WORKER_COUNT);
  const nowMs = (): number => Number(now()) / 1e6;
  const compiler = new CompilerCall(words, nowMs);
  const { index, gpus, doorbells } = start;
  const executor = createExecutor(start.memory, {
    worker: index,
    workers,
    softwarePages: !start.pagesTrap,
    addressSpace: start.addressForm,
    clock: () => ticksOfNs(now()),
    isOnlyWorker: workers === 1,
    // The low 24 bits are the event (Linux amdkfd, kfd_int_process_v9.c).
    onInterrupt: (message) => {
      raiseEvent(words, message & 0xff_ffff);
    },
    codeStore: start.codeStore,
    onAsk: () => {
      compiler.ask();
    },
  });
  runComputeWorker(views, start, {
    worker: new ComputeWorker({ views, gpus, executor, now }),
    executor,
    compiler,
    duty: index === 0 ? new ProcessorDuty(words, new CommandProcessor(views, gpus, doorbells), nowMs) : undefined,
    onWorked,
  });
}

function runCommandProcessor(views: MemoryViews, { gpus, doorbells }: WorkerStart): void {
  const { words } = views;
  if (!takeDuty(words)) return;
  const processor = new CommandProcessor(views, gpus, doorbells);
  while (Atomics.load(words, SHUTDOWN) === 0) {
    const seen = Atomics.load(words, CP_WAKE);
    beActive(words);
    const waitMs = processor.step();
    beIdle(words);
    if (waitMs > 0) sleep(words, CP_WAKE, seen, waitMs);
  }
}

function runCompiler(words: Int32Array, { codeStore, gpus, pagesTrap }: WorkerStart, maker: CodeMaker): void {
  const store = new CodeStore(codeStore);
  const processor = gpus[0]?.processor ?? '';
  while (Atomics.load(words, SHUTDOWN) === 0) {
    const seen = store.version;
    if (!maker.step() && !maker.warmUp(processor, { softwarePages: !pagesTrap })) store.wait(seen, Infinity);
  }
}

function runComputeWorker(
  views: MemoryViews,
  { index, gpus }: WorkerStart,
  { worker, executor, compiler, duty, onWorked }: ComputeParts,
): void {
  const { words } = views;
  const line = workerWord(index);
  const processor = gpus[0]?.processor ?? '';
  // Other workers start when there is work.
  let isCold = index === 0;
  let isQuiet = true;
  let afterWork: 'none yet' | 'due' | 'done' = onWorked === undefined ? 'done' : 'none yet';
  while (Atomics.load(words, SHUTDOWN) === 0) {
    const seen = Atomics.load(words, line + WORKER_WAKE);
    beActive(words);
    const waitMs = duty?.step() ?? Infinity;
    compiler.begin();
    let worked: 'worked' | 'idle' = 'idle';
    Atomics.store(words, line + WORKER_BUSY, 1);
    while (Atomics.load(words, SHUTDOWN) === 0 && worker.step()) {
      worked = 'worked';
      rest(words);
      duty?.look();
      compiler.look();
    }
    Atomics.store(words, line + WORKER_BUSY, 0);
    beIdle(words);
    const quietMs = compiler.rest(worked);
    // Work warms the thread up as well; the program that waited for it goes on now, and may need the processor.
    isQuiet = quietMs === Infinity || (isQuiet && worked === 'idle');
    while (isCold && isQuiet && Atomics.load(words, line + WORKER_WAKE) === seen && Atomics.load(words, SHUTDOWN) === 0) {
      isCold = executor.warmUp(processor);
    }
    if (afterWork === 'due' && worked === 'idle') {
      onWorked?.();
      afterWork = 'done';
    } else if (afterWork === 'none yet' && worked === 'worked') {
      afterWork = 'due';
    }
    const restMs = Math.min(waitMs, quietMs, afterWork === 'due' ? AFTER_WORK_MS : Infinity);
    if (restMs > 0) sleep(words, line + WORKER_WAKE, seen, restMs);
  }
}

/** The thread may check pages and touch them from here on; waits while main wants rest. */
function beActive(words: Int32Array): void {
  for (;;) {
    Atomics.add(words, ACTIVE_THREADS, 1);
    if (Atomics.load(words, REST_WANTED) === 0) return;
    beIdle(words);
    if (Atomics.wait(words, REST_WANTED, 1, REST_MS) !== 'timed-out') continue;
    // Main, or another thread, is busy elsewhere: main asks again when it gets to it.
    Atomics.store(words, REST_WANTED, 0);
    wake(words, IRQ_COUNT);
  }
}

function beIdle(words: Int32Array): void {
  if (Atomics.sub(words, ACTIVE_THREADS, 1) === 1 && Atomics.load(words, REST_WANTED) !== 0) wake(words, IRQ_COUNT);
}

/** Between two steps. */
// hot
function rest(words: Int32Array): void {
  if (Atomics.load(words, REST_WANTED) === 0) return;
  beIdle(words);
  beActive(words);
}

/** Waits until `word` is no longer `seen`. */
function sleep(words: Int32Array, word: number, seen: number, timeoutMs: number): void {
  for (let spin = 0; spin < SPINS; spin += 1) {
    if (Atomics.load(words, word) !== seen) return;
  }
  Atomics.wait(words, word, seen, timeoutMs);
}
