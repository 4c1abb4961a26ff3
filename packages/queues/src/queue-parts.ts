import { HsaError, releaseAll } from '@doorbell/abi';
import type { CreateQueueOptions, Thunk, ThunkMemory, ThunkQueue } from '@doorbell/thunk-loader';
import type { Signal } from './signal.js';

/** What a queue is made of, given back in reverse. */
export class QueueParts {
  readonly #thunk: Thunk;
  readonly #memories: ThunkMemory[] = [];
  readonly #signals: Signal[] = [];
  #queue: ThunkQueue | undefined;

  constructor(thunk: Thunk) {
    this.#thunk = thunk;
  }

  allocate(gpuId: number, sizeBytes: number): ThunkMemory & { readonly bytes: Uint8Array } {
    const memory = this.#thunk.allocate({ kind: 'gtt', gpuIds: [gpuId], sizeBytes, executable: true, uncached: true });
    this.#memories.push(memory);
    const { bytes } = memory;
    if (bytes === undefined)
      throw new HsaError('ERR_NOT_HOST_VISIBLE', { message: 'the thunk gave queue memory that the host cannot see' });
    bytes.fill(0);
    return { ...memory, bytes };
  }

  own(signal: Signal): Signal {
    this.#signals.push(signal);
    return signal;
  }

  createQueue(options: CreateQueueOptions): ThunkQueue {
    this.#queue = this.#thunk.createQueue(options);
    return this.#queue;
  }

  destroyQueue(): void {
    if (this.#queue === undefined) return;
    this.#thunk.destroyQueue(this.#queue);
    this.#queue = undefined;
  }

  release(): void {
    releaseAll(
      [
        () => this.destroyQueue(),
        ...this.#signals
          .splice(0)
          .reverse()
          .map((signal) => () => signal.dispose()),
        ...this.#memories
          .splice(0)
          .reverse()
          .map((memory) => () => this.#thunk.free(memory)),
      ],
      'disposing a queue left something behind',
    );
  }
}
