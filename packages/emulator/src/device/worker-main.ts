/** What a device worker does from its start message to its end. The environment brings the executor and the clock. */
import { InternalError } from '@doorbell/abi';
import type { Executor, MadeCode } from '../executor.js';
import { CodeStore } from '../execute/code-store.js';
import type { ExecutorOptions } from '../execute/index.js';
import { createTranslation } from './address.js';
import { ticksOfNs } from './clock.js';
import { CommandProcessor } from './command-processor.js';
import { CodeDuty } from './code-duty.js';
import { ComputeWorker } from './compute-worker.js';
import { HelpCall } from './help-call.js';
import { IdleTime } from './idle-time.js';
import { ProcessorDuty, takeDuty } from './processor-duty.js';
import { rehearse, takeStep } from './rehearsal.js';
import type { MemoryViews } from './shared-state.js';
import {
  ACTIVE_THREADS,
  CODE_EPOCH,
  CODE_PLACE,
  CP_WAKE,
  CodePlace,
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
  /** As {@link Executor.makeCode}, of large code as well. */
  step(): MadeCode;
  /** Makes a little that nobody asked for; false: that is done. */
  warmUp(processor: string, options: { readonly softwarePages: boolean }): boolean;
}

export interface DeviceWorkerOptions {
  /** Needed by compute workers. */
  readonly createExecutor?: (memory: WebAssembly.Memory, options: ExecutorOptions) => Executor;
  /** Needed by the compile worker. */
  readonly createCodeMaker?: (codeStore: SharedArrayBuffer) => CodeMaker;
  /** Monotonic nanoseconds, the same clock in every thread. */
  readonly now: () => bigint;
  /** Memory for the first compute worker to rehearse in; without it, nothing is rehearsed. */
  readonly reserveMemory?: () => WebAssembly.Memory | undefined;
  /** Called once, by a compute worker that has run something and is idle. */
  readonly onWorked?: () => void;
}

interface ComputeParts {
  readonly worker: ComputeWorker;
  readonly code: CodeDuty;
  /** The first compute worker has these: others start when there is work. */
  readonly first: FirstParts | undefined;
  readonly onWorked: (() => void) | undefined;
}

interface FirstParts {
  readonly processor: ProcessorDuty;
  readonly help: HelpCall;
  readonly idle: IdleTime;
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
  { createExecutor, createCodeMaker, now, reserveMemory = () => undefined, onWorked }: DeviceWorkerOptions,
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
  const { index, gpus, doorbells } = start;
  let code: CodeDuty | undefined;
  const executor = createExecutor(start.memory, {
    worker: index,
    workers,
    softwarePages: !start.pagesTrap,
    addressSpace: start.addressForm,
    clock: () => ticksOfNs(now()),
    now: nowMs,
    codeEpoch: () => Atomics.load(words, CODE_EPOCH),
    isOnlyWorker: workers === 1,
    // The low 24 bits are the event (Linux amdkfd, kfd_int_process_v9.c).
    onInterrupt: (message) => {
      raiseEvent(words, message & 0xff_ffff);
    },
    codeStore: start.codeStore,
    tier: start.code,
    onAsk: (need) => {
      code?.ask(need);
    },
  });
  const worker = new ComputeWorker({ views, gpus, executor, now });
  const duty = (code = new CodeDuty({ words, work: worker, makeCode: () => executor.makeCode(), nowMs }));
  const first = (): FirstParts => {
    const processor = gpus[0]?.processor ?? '';
    const rehearsal = rehearse({ processor, createExecutor, now, reserveMemory });
    return {
      processor: new ProcessorDuty(words, new CommandProcessor(views, gpus, doorbells), nowMs),
      help: new HelpCall(words, worker, workers),
      idle: new IdleTime({
        rehearse: () => takeStep(rehearsal),
        warmUp: () => executor.warmUp(processor),
        code: duty,
        nowMs,
      }),
    };
  };
  runComputeWorker(words, workerWord(index), { worker, code: duty, first: index === 0 ? first() : undefined, onWorked });
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
  const isRunning = (): boolean => Atomics.load(words, SHUTDOWN) === 0;
  // Until then compute workers make what they need themselves, sooner.
  while (isRunning() && maker.warmUp(processor, { softwarePages: !pagesTrap }));
  Atomics.store(words, CODE_PLACE, CodePlace.thread);
  while (isRunning()) {
    const seen = store.version;
    if (maker.step() === 'none') store.wait(seen, Infinity);
  }
}

function runComputeWorker(words: Int32Array, line: number, { worker, code, first, onWorked }: ComputeParts): void {
  const isRunning = (): boolean => Atomics.load(words, SHUTDOWN) === 0;
  let afterWork: 'none yet' | 'due' | 'done' = onWorked === undefined ? 'done' : 'none yet';
  while (isRunning()) {
    const seen = Atomics.load(words, line + WORKER_WAKE);
    const isWoken = (): boolean => Atomics.load(words, line + WORKER_WAKE) !== seen || !isRunning();
    beActive(words);
    const waitMs = first?.processor.step() ?? Infinity;
    first?.help.begin();
    code.begin();
    let worked: 'worked' | 'idle' = 'idle';
    Atomics.store(words, line + WORKER_BUSY, 1);
    while (isRunning() && ((code.isPressing && !worker.hasNew()) || worker.step())) {
      worked = 'worked';
      rest(words);
      first?.processor.look();
      first?.help.look();
      lookForCode(words, code);
    }
    Atomics.store(words, line + WORKER_BUSY, 0);
    beIdle(words);
    while (code.isBegun && !isWoken()) code.make();
    const quietMs = first?.idle.rest(worked, isWoken) ?? Infinity;
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

/** Between two steps. */
// hot
function lookForCode(words: Int32Array, code: CodeDuty): void {
  if (!code.isDue()) return;
  // Making code touches no pages.
  beIdle(words);
  code.make();
  beActive(words);
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
