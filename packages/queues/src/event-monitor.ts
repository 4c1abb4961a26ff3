import { HsaError, releaseAll } from '@doorbell/abi';
import type { HwException, MemoryException, Thunk, ThunkEvent } from '@doorbell/thunk-loader';

/** Something that waits for memory to change. */
export interface PendingWait {
  /** Looks at memory; when over, settles itself and answers true. Called after every wake-up. */
  poll(): boolean;
  /** Rejects the wait: the monitor closes or the driver fails. */
  fail(error: unknown): void;
  /** Whether no event announces the change, so that memory is looked at every millisecond. */
  readonly needsPolling: boolean;
}

/** A queue, as far as faults are concerned. */
export interface FaultSink {
  readonly gpuId: number;
  /** Whether the device stopped the queue because of a memory access, and the driver's report of it is still missed. */
  readonly awaitsMemoryException: boolean;
  /** Whether the device stopped the queue. */
  readonly isStopped: boolean;
  noteMemoryException(exception: MemoryException): void;
  /** The report did not come in time: the queue goes by what its own signal says. */
  giveUpOnMemoryException(): void;
  noteHwException(exception: HwException): void;
}

const POLL_MS = 1;
/** A new wait is looked at in as many turns of the event loop before looks are a timer apart: a full ring soon has room. */
const QUICK_LOOKS = 100;
/** How long the driver's report of a memory fault may come after the queue stopped. */
const FAULT_GRACE_MS = 50;

/**
 * The one place that waits for the driver's events: all signals and queues of a thunk share one auto-reset event, and every
 * wake-up looks at all pending waits. A wait is lost by nobody: memory is looked at before the driver is asked, and an event
 * that fires in between is remembered by the driver.
 */
export class EventMonitor {
  /** What devices set when they complete a signal. */
  readonly event: ThunkEvent;
  readonly #thunk: Thunk;
  readonly #events: readonly ThunkEvent[];
  readonly #memoryEvent: ThunkEvent;
  readonly #pending = new Set<PendingWait>();
  readonly #sinks = new Set<FaultSink>();
  #running: Promise<void> | undefined;
  #isPolling = false;
  #isLookScheduled = false;
  #quickLooks = 0;
  #isScanQueued = false;
  #isClosed = false;

  constructor(thunk: Thunk) {
    this.#thunk = thunk;
    const made: ThunkEvent[] = [];
    try {
      const memoryEvent = thunk.createEvent({ kind: 'memory-exception' });
      made.push(memoryEvent);
      made.push(thunk.createEvent({ kind: 'hw-exception' }));
      this.event = thunk.createEvent({ kind: 'signal' });
      this.#memoryEvent = memoryEvent;
    } catch (error) {
      for (const event of made) thunk.destroyEvent(event);
      throw error;
    }
    this.#events = [this.event, ...made];
  }

  /** Adds a wait that was not over when its owner looked; the look and this call belong to one turn of the event loop. */
  add(wait: PendingWait): void {
    if (this.#isClosed) throw closedError();
    this.#pending.add(wait);
    this.#running ??= this.#run();
    if (wait.needsPolling) this.#startPolling();
  }

  /** Takes a wait out that ended otherwise: by a time-out or an abort. */
  remove(wait: PendingWait): void {
    if (this.#pending.delete(wait)) this.#endIdleWait();
  }

  register(sink: FaultSink): void {
    this.#sinks.add(sink);
  }

  unregister(sink: FaultSink): void {
    this.#sinks.delete(sink);
  }

  /** The host changed a signal or a queue: waiters in this thread look again, with the next microtask. */
  rescan(): void {
    if (this.#pending.size === 0 || this.#isScanQueued) return;
    this.#isScanQueued = true;
    queueMicrotask(() => {
      this.#isScanQueued = false;
      this.#scan();
      this.#endIdleWait();
    });
  }

  /** Ends all waits with ERR_DISPOSED and destroys the events. */
  dispose(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stopPolling();
    this.#failAll(closedError());
    const events = [...this.#events].reverse();
    releaseAll(
      events.map((event) => () => this.#thunk.destroyEvent(event)),
      'events were left behind',
    );
  }

  /** {@link dispose}, then waits until the driver let go. */
  async close(): Promise<void> {
    try {
      this.dispose();
    } finally {
      await this.#running;
    }
  }

  async #run(): Promise<void> {
    try {
      while (this.#pending.size > 0 && !this.#isClosed) {
        const outcome = await this.#thunk.waitEvents(this.#events, { timeoutMs: Infinity });
        if (this.#isClosed) break;
        this.#deliver(outcome.memoryExceptions, outcome.hwExceptions);
        if ([...this.#sinks].some((sink) => sink.awaitsMemoryException)) await this.#collectLateFaults();
        this.#scan();
      }
    } catch (error) {
      // Closing destroys the events, which is how the wait ends then.
      if (!this.#isClosed) this.#failAll(error);
    } finally {
      this.#running = undefined;
    }
  }

  async #collectLateFaults(): Promise<void> {
    const { memoryExceptions } = await this.#thunk.waitEvents([this.#memoryEvent], { timeoutMs: FAULT_GRACE_MS });
    this.#deliver(memoryExceptions, []);
    for (const sink of this.#sinks) if (sink.awaitsMemoryException) sink.giveUpOnMemoryException();
  }

  #deliver(memoryExceptions: readonly MemoryException[], hwExceptions: readonly HwException[]): void {
    for (const exception of memoryExceptions) {
      const onGpu = [...this.#sinks].filter((sink) => sink.gpuId === exception.gpuId);
      // The driver names the GPU only. Where a queue says that it stopped, the fault is that queue's; else it is everybody's.
      const stopped = onGpu.filter((sink) => sink.isStopped);
      for (const sink of stopped.length > 0 ? stopped : onGpu) sink.noteMemoryException(exception);
    }
    for (const exception of hwExceptions) {
      for (const sink of this.#sinks) if (sink.gpuId === exception.gpuId) sink.noteHwException(exception);
    }
  }

  #scan(): void {
    for (const wait of this.#pending) if (wait.poll()) this.#pending.delete(wait);
  }

  #failAll(error: unknown): void {
    const waits = [...this.#pending];
    this.#pending.clear();
    for (const wait of waits) wait.fail(error);
  }

  /** Nobody waits any more: the driver's wait, which would keep the process alive, is ended by setting its event. */
  #endIdleWait(): void {
    if (this.#pending.size > 0 || this.#isClosed) return;
    this.#stopPolling();
    if (this.#running !== undefined) this.#thunk.setEvent(this.event);
  }

  #startPolling(): void {
    this.#quickLooks = QUICK_LOOKS;
    this.#isPolling = true;
    this.#scheduleLook();
  }

  #scheduleLook(): void {
    if (this.#isLookScheduled) return;
    this.#isLookScheduled = true;
    const look = (): void => {
      this.#isLookScheduled = false;
      if (!this.#isPolling) return;
      this.#scan();
      if ([...this.#pending].some((wait) => wait.needsPolling)) this.#scheduleLook();
      else this.#isPolling = false;
      this.#endIdleWait();
    };
    if (this.#quickLooks-- > 0) setImmediate(look);
    else setTimeout(look, POLL_MS);
  }

  #stopPolling(): void {
    this.#isPolling = false;
  }
}

function closedError(): HsaError {
  return new HsaError('ERR_DISPOSED', { message: 'the signals of this device were disposed while they were waited for' });
}
