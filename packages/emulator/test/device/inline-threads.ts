/** Device threads that are stepped on the calling thread: what they do is then in the test's hands. */
import { CommandProcessor } from '../../src/device/command-processor.js';
import { ComputeWorker } from '../../src/device/compute-worker.js';
import type { EmulatedDevice } from '../../src/device/emulated-device.js';
import { gpuModelOf } from '../../src/device/gpu-model.js';
import type { MemoryViews } from '../../src/device/shared-state.js';
import {
  PROCESSOR_PLACE,
  ProcessorPlace,
  QueueField,
  QueueState,
  queueWord,
  WORKER_BUSY,
  WORKER_COUNT,
  WORKER_WAKE,
  workerWord,
} from '../../src/device/shared-state.js';
import type { DeviceThreads } from '../../src/device/threads.js';
import { describeMachine } from '../../src/sysfs/index.js';
import { FakeExecutor } from './fake-executor.js';
import { openTestDevice } from './support.js';

export class InlineThreads implements DeviceThreads {
  readonly executor: FakeExecutor = new FakeExecutor();
  readonly refs: ('ref' | 'unref')[] = [];
  #processor: CommandProcessor;
  readonly #createProcessor: () => CommandProcessor;
  readonly #workers: readonly ComputeWorker[];
  readonly #views: MemoryViews;
  #steps = 0;
  isStarted = false;
  isStopped = false;
  /** While false, `relax` does nothing, as if the threads did not get the processor. */
  isRunning = true;

  constructor(views: MemoryViews, workers: number) {
    this.#views = views;
    const gpus = describeMachine({ gpus: ['gfx1100'] }).gpus.map(gpuModelOf);
    this.#createProcessor = () => new CommandProcessor(views, gpus);
    this.#processor = this.#createProcessor();
    const options = { views, gpus, executor: this.executor, now: () => process.hrtime.bigint() };
    this.#workers = Array.from({ length: workers }, () => new ComputeWorker(options));
  }

  start(): void {
    this.isStarted = true;
    Atomics.store(this.#views.words, WORKER_COUNT, this.#workers.length);
    Atomics.store(this.#views.words, PROCESSOR_PLACE, ProcessorPlace.thread);
  }

  reinforce(): void {
    // All are there from the start.
  }

  startProcessor(): void {
    // It is stepped by itself.
  }

  startCompiler(): void {
    // The fake executor asks for no code.
  }

  relax(): void {
    if (!this.isRunning || this.isStopped) return;
    this.stepProcessor();
    this.stepWorkers();
  }

  /** One look of the command processor at everything: the time until it wants to look again. Another one takes over every second time. */
  stepProcessor(): number {
    const waitMs = this.#processor.step();
    this.#steps += 1;
    if (this.#steps % 2 === 0) {
      this.#processor.handOver();
      this.#processor = this.#createProcessor();
    }
    return waitMs;
  }

  stepWorkers(): boolean {
    return this.#workers.map((worker) => worker.step()).some((busy) => busy);
  }

  /** A worker is, as far as others see, in the middle of something. */
  setBusy(worker: number): void {
    Atomics.store(this.#views.words, workerWord(worker) + WORKER_BUSY, 1);
  }

  /** As main leaves it when it wants a queue gone. */
  setStopping(queueId: number): void {
    Atomics.store(this.#views.words, queueWord(queueId) + QueueField.state, QueueState.stopping);
  }

  /** How often a worker was told to look. */
  wakeCount(worker: number): number {
    return Atomics.load(this.#views.words, workerWord(worker) + WORKER_WAKE);
  }

  /** Steps until nothing happens any more, or `rounds` are over. */
  pump(rounds = 1000): void {
    for (let round = 0; round < rounds; round += 1) {
      const again = this.stepProcessor() === 0;
      if (!this.stepWorkers() && !again) return;
    }
  }

  setRef(referenced: 'ref' | 'unref'): void {
    this.refs.push(referenced);
  }

  stop(): Promise<void> {
    this.isStopped = true;
    return Promise.resolve();
  }
}

/** A device on inline threads. */
export async function openInlineDevice(
  options: { readonly workers?: number; readonly protection?: 'native' | 'software' } = {},
): Promise<{ readonly device: EmulatedDevice; readonly threads: InlineThreads; readonly crash: (error: Error) => void }> {
  let threads: InlineThreads | undefined;
  let crash: ((error: Error) => void) | undefined;
  const device = await openTestDevice({
    ...(options.protection === undefined ? {} : { protection: options.protection }),
    createThreads: ({ views, onCrash }) => {
      crash = onCrash;
      return (threads = new InlineThreads(views, options.workers ?? 1));
    },
  });
  return { device, threads: threads!, crash: crash! };
}
