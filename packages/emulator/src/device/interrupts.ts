/** The main thread's end of the device: interrupts become events, faults become reports, threads hold the process or not. */
import type { EventSink } from '@doorbell/abi';
import { HsaError, kfd } from '@doorbell/abi';
import type { Process } from './process.js';
import type { DeviceFault } from './reports.js';
import { takeReports } from './reports.js';
import {
  EVENT_BITS,
  EVENT_BIT_WORDS,
  FAULT_COUNT,
  CODE_PLACE,
  CodePlace,
  HELP_WANTED,
  IDLE_AT_RING,
  IRQ_COUNT,
  PROCESSOR_PLACE,
  ProcessorPlace,
  RING_COUNT,
  QueueField,
  QueueState,
  WANTS_IDLE,
  queueWord,
} from './shared-state.js';
import { failQueueSignals } from './signals.js';
import type { DeviceThreads } from './threads.js';

/** Atomics.waitAsync (ES2024), which the language level of this package does not declare. */
interface WaitAsync {
  readonly waitAsync?: (
    words: Int32Array,
    index: number,
    value: number,
  ) => { readonly async: false } | { readonly async: true; readonly value: Promise<'ok' | 'timed-out'> };
}

/** What a lost device leaves in the inactive signal of each queue: no bit that names a packet or wave error. */
const DEVICE_LOST = 0x1000_0000n;

export interface InterruptsOptions {
  readonly process: Process;
  readonly threads: DeviceThreads;
  readonly events: EventSink | undefined;
}

export class Interrupts {
  readonly #process: Process;
  readonly #threads: DeviceThreads;
  readonly #events: EventSink | undefined;
  readonly #listeners = new Set<(fault: DeviceFault) => void>();
  readonly #lastFaults = new Map<number, { readonly report: DeviceFault; readonly generation: number }>();
  readonly #words: Int32Array;
  #seenFaults = 0;
  #pendingWaits = 0;
  #hasLaunches = false;
  #isRef = false;
  #isListening = false;
  #isStopped = false;

  constructor({ process, threads, events }: InterruptsOptions) {
    this.#process = process;
    this.#threads = threads;
    this.#events = events;
    this.#words = process.views.words;
    process.queues.onStart = (): void => {
      this.#updateRef();
      this.#listen();
    };
  }

  onFault(listener: (fault: DeviceFault) => void): Disposable {
    this.#listeners.add(listener);
    return {
      [Symbol.dispose]: (): void => {
        this.#listeners.delete(listener);
      },
    };
  }

  lastFault(queueId: number): DeviceFault | undefined {
    this.#takeFaults(queueId);
    const last = this.#lastFaults.get(queueId);
    return last?.generation === this.#process.queues.generation(queueId) ? last.report : undefined;
  }

  /** Waits for events are pending: the device threads keep the process alive meanwhile. */
  setPendingWaits(pending: number): void {
    this.#pendingWaits = pending;
    this.#updateRef();
    this.#listen();
  }

  /** A doorbell was rung. */
  // hot
  noteLaunch(): void {
    if (this.#hasLaunches) return;
    this.#hasLaunches = true;
    Atomics.store(this.#words, WANTS_IDLE, 1);
    this.#updateRef();
    this.#listen();
  }

  /** Handles everything that the device threads have raised so far. */
  service(): void {
    if (this.#isStopped) return;
    if (Atomics.load(this.#words, HELP_WANTED) !== 0) this.#threads.reinforce();
    if (Atomics.load(this.#words, PROCESSOR_PLACE) === ProcessorPlace.wanted) this.#threads.startProcessor();
    if (Atomics.load(this.#words, CODE_PLACE) === CodePlace.wanted) this.#threads.startCompiler();
    this.#takeFaults();
    for (let word = 0; word < EVENT_BIT_WORDS; word += 1) {
      let bits = Atomics.exchange(this.#words, EVENT_BITS + word, 0);
      while (bits !== 0) {
        const bit = 31 - Math.clz32(bits & -bits);
        bits &= bits - 1;
        this.#process.events.interrupt(word * 32 + bit);
      }
    }
    if (this.#hasLaunches && Atomics.load(this.#words, IDLE_AT_RING) === Atomics.load(this.#words, RING_COUNT)) {
      this.#hasLaunches = false;
      this.#updateRef();
    }
    this.#process.pageTable.flush();
    this.#process.queues.reap();
  }

  /** A device thread failed: nothing goes on. Every queue is in error, and whoever waits hears of it. */
  lose(error: Error): void {
    if (this.#isStopped || this.#process.queues.isLost) return;
    const { events, gpus, queues, views } = this.#process;
    const message = `the emulated device is lost: ${error.message}`;
    this.#events?.publish({ source: 'emulator', name: 'device-lost', level: 'error', message, details: { error } });
    this.service();
    for (const queueId of queues.ids) {
      if (Atomics.load(this.#words, queueWord(queueId) + QueueField.state) !== QueueState.active) continue;
      const gpuId = gpus[views.words[queueWord(queueId) + QueueField.gpuIndex] ?? 0]?.id ?? 0;
      const fault = { kind: 'dispatch', message } as const;
      this.#tell({ gpuId, queueId, packetIndex: 0n, kernelObject: 0n, inactiveValue: DEVICE_LOST, fault });
      failQueueSignals(views, queueId, DEVICE_LOST);
    }
    queues.lose();
    this.service();
    for (const gpu of gpus) {
      events.signalHardwareException(
        kfd.kfd_hsa_hw_exception_data.create({ reset_type: 0, reset_cause: 0, memory_lost: 1, gpu_id: gpu.id }),
      );
    }
    this.#hasLaunches = false;
    this.#updateRef();
    void this.#threads.stop();
  }

  stop(): void {
    this.#isStopped = true;
    this.#hasLaunches = false;
    Atomics.notify(this.#words, IRQ_COUNT);
    this.#listeners.clear();
  }

  #takeFaults(stoppedQueueId?: number): void {
    const count = Atomics.load(this.#words, FAULT_COUNT);
    if (count === this.#seenFaults) return;
    const { faults, isMore } = takeReports(this.#process.views, stoppedQueueId);
    if (!isMore) this.#seenFaults = count;
    for (const fault of faults) this.#tell(fault);
  }

  #tell(report: DeviceFault): void {
    const generation = this.#process.queues.generation(report.queueId);
    this.#lastFaults.set(report.queueId, { report, generation });
    const { fault } = report;
    this.#events?.publish({
      source: 'emulator',
      name: 'queue-fault',
      level: 'error',
      message: `queue ${report.queueId}, packet ${report.packetIndex}: ${fault.message}`,
      details: { report },
    });
    for (const listener of [...this.#listeners])
      callSafely(() => {
        listener(report);
      });
    if (fault.kind === 'packet' ? fault.address === undefined : fault.kind !== 'memory' && fault.kind !== 'code-fetch') return;
    if (!('address' in fault) || fault.address === undefined) return;
    const failure = 'failure' in fault ? fault.failure : 'not-present';
    const data = kfd.kfd_hsa_memory_exception_data.create({
      failure: {
        NotPresent: failure === 'not-present' ? 1 : 0,
        ReadOnly: failure === 'read-only' ? 1 : 0,
        NoExecute: failure === 'no-execute' ? 1 : 0,
        imprecise: 0,
      },
      va: fault.address,
      gpu_id: report.gpuId,
      ErrorType: 0,
    });
    this.#process.events.signalMemoryException(data);
  }

  #updateRef(): void {
    const wanted = !this.#isStopped && this.#threads.isStarted && (this.#pendingWaits > 0 || this.#hasLaunches);
    if (wanted === this.#isRef) return;
    this.#isRef = wanted;
    this.#threads.setRef(wanted ? 'ref' : 'unref');
  }

  #listen(): void {
    if (this.#isListening || this.#isStopped || !this.#threads.isStarted) return;
    this.#isListening = true;
    // Ends with stop(); failures of its own are those of listeners, which become unhandled rejections as any throwing callback.
    void this.#listenLoop();
  }

  async #listenLoop(): Promise<void> {
    // Safe: Atomics has the method or it does not; both are looked at.
    const { waitAsync } = Atomics as WaitAsync;
    if (waitAsync === undefined) {
      throw new HsaError('ERR_HOST', { message: 'this engine lacks Atomics.waitAsync, which the emulated GPU needs' });
    }
    while (!this.#isStopped) {
      const seen = Atomics.load(this.#words, IRQ_COUNT);
      this.service();
      const wait = waitAsync(this.#words, IRQ_COUNT, seen);
      if (wait.async) await wait.value;
    }
  }
}

/** A listener that throws must not stop the device; its error surfaces as that of any callback. */
function callSafely(callback: () => void): void {
  try {
    callback();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
