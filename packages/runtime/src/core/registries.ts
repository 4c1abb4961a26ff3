import { type HsaError, releaseAll } from '@doorbell/abi';
import type { Signal } from '@doorbell/queues';
import { AqlQueue, SignalPool } from '@doorbell/queues';
import type { QueuePriority, Thunk } from '@doorbell/thunk-loader';

/** Signals of a runtime by their handle, which is their address. */
export class SignalRegistry {
  readonly pool: SignalPool;
  readonly #byHandle = new Map<bigint, Signal>();

  constructor(thunk: Thunk) {
    this.pool = new SignalPool(thunk);
  }

  create(value: bigint): bigint {
    const signal = this.pool.create({ value });
    this.#byHandle.set(signal.handle, signal);
    return signal.handle;
  }

  find(handle: bigint): Signal | undefined {
    return this.#byHandle.get(handle);
  }

  destroy(handle: bigint): void {
    this.#byHandle.get(handle)?.dispose();
    this.#byHandle.delete(handle);
  }

  async dispose(): Promise<void> {
    this.#byHandle.clear();
    await this.pool.dispose();
  }
}

/** What to create; see {@link QueueRegistry.create}. */
export interface QueueRequest {
  readonly gpuId: number;
  readonly packets: number;
  readonly priority?: QueuePriority;
  readonly onError?: (error: HsaError, handle: bigint) => void;
}

/** Queues of a runtime by their handle, the address of the `amd_queue_t`. */
export class QueueRegistry {
  readonly #thunk: Thunk;
  readonly #signals: SignalPool;
  readonly #byHandle = new Map<bigint, AqlQueue>();
  readonly #byDoorbell = new Map<bigint, AqlQueue>();

  constructor(thunk: Thunk, signals: SignalPool) {
    this.#thunk = thunk;
    this.#signals = signals;
  }

  create({ gpuId, packets, priority = 'normal', onError }: QueueRequest): AqlQueue {
    const queue: AqlQueue = AqlQueue.create({
      thunk: this.#thunk,
      signals: this.#signals,
      gpuId,
      packets,
      priority,
      onError: (error) => onError?.(error, queue.address),
    });
    this.#byHandle.set(queue.address, queue);
    this.#byDoorbell.set(queue.doorbellSignalHandle, queue);
    return queue;
  }

  find(handle: bigint): AqlQueue | undefined {
    return this.#byHandle.get(handle);
  }

  byDoorbell(signal: bigint): AqlQueue | undefined {
    return this.#byDoorbell.get(signal);
  }

  /** Whether any queue is in the error state, or ought to be. */
  hasFailed(): boolean {
    for (const queue of this.#byHandle.values()) if (queue.checkHealth() !== undefined) return true;
    return false;
  }

  destroy(handle: bigint): void {
    const queue = this.#byHandle.get(handle);
    if (queue === undefined) return;
    this.#byHandle.delete(handle);
    this.#byDoorbell.delete(queue.doorbellSignalHandle);
    queue.dispose();
  }

  dispose(): void {
    releaseAll(
      [...this.#byHandle.keys()].map((handle) => () => this.destroy(handle)),
      'queues were left behind',
    );
  }
}
