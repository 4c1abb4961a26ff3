import type { Thunk, ThunkMemory } from '@doorbell/thunk-loader';
import { HsaError, SHARED_SIGNAL_BYTES, releaseAll, releaseAllAsync } from '@doorbell/abi';
import { EventMonitor } from './event-monitor.js';
import type { SignalOptions } from './signal.js';
import { Signal } from './signal.js';

/** Which memory and GPUs a pool serves. */
export interface SignalPoolOptions {
  /** GPUs that complete and wait for the signals. Default: every usable GPU of the thunk. */
  readonly gpuIds?: readonly [number, ...number[]];
}

interface Block {
  readonly memory: ThunkMemory;
  readonly bytes: Uint8Array;
}

const FIRST_BLOCK_SIGNALS = 512;

/**
 * Signals of one thunk: fine-grained system memory in blocks that are shared by many signals and freed with the pool, and the
 * one event by which devices wake the host. Dispose it after queues and before the thunk.
 */
export class SignalPool implements AsyncDisposable {
  readonly monitor: EventMonitor;
  readonly #thunk: Thunk;
  readonly #gpuIds: readonly [number, ...number[]];
  readonly #blocks: Block[] = [];
  readonly #free: { readonly block: Block; readonly offset: number }[] = [];
  readonly #live = new Set<Signal>();
  #isDisposed = false;

  /** @throws {HsaError} ERR_NO_DEVICE when the thunk has no usable GPU; ERR_OUT_OF_MEMORY, ERR_KFD_IOCTL. */
  constructor(thunk: Thunk, options: SignalPoolOptions = {}) {
    this.#thunk = thunk;
    this.#gpuIds = options.gpuIds ?? usableGpus(thunk);
    this.monitor = new EventMonitor(thunk);
    try {
      this.#grow();
    } catch (error) {
      this.monitor.dispose();
      throw error;
    }
  }

  /** Signals that were not disposed. */
  get liveCount(): number {
    return this.#live.size;
  }

  create(options: SignalOptions = {}): Signal {
    if (this.#isDisposed) throw new HsaError('ERR_DISPOSED', { message: 'the signal pool was disposed' });
    const value = checkValue(options.value ?? 0);
    const slot = this.#free.pop() ?? this.#grow();
    const signal: Signal = new Signal(
      {
        address: slot.block.memory.address + BigInt(slot.offset),
        bytes: slot.block.bytes,
        offset: slot.offset,
        monitor: this.monitor,
        release: () => {
          this.#live.delete(signal);
          this.#free.push(slot);
        },
      },
      { ...options, value },
    );
    this.#live.add(signal);
    return signal;
  }

  /** The live signal with this handle. */
  find(handle: bigint): Signal | undefined {
    for (const signal of this.#live) if (signal.handle === handle) return signal;
    return undefined;
  }

  /** Ends all waits, disposes what signals are left, frees the memory. */
  async dispose(): Promise<void> {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    const freeMemory = (): void =>
      releaseAll(
        [
          ...[...this.#live].map((signal) => () => signal.dispose()),
          ...this.#blocks.splice(0).map(
            ({ memory }) =>
              () =>
                this.#thunk.free(memory),
          ),
        ],
        'signals',
      );
    await releaseAllAsync([() => this.monitor.close(), freeMemory], 'disposing the signals left something behind');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.dispose();
  }

  /** Adds a block, each twice as large as the one before, and gives its first slot. */
  #grow(): { readonly block: Block; readonly offset: number } {
    const signals = FIRST_BLOCK_SIGNALS * 2 ** this.#blocks.length;
    const memory = this.#thunk.allocate({
      kind: 'gtt',
      gpuIds: this.#gpuIds,
      sizeBytes: signals * SHARED_SIGNAL_BYTES,
      coherent: true,
    });
    const { bytes } = memory;
    if (bytes === undefined) {
      this.#thunk.free(memory);
      throw new HsaError('ERR_NOT_HOST_VISIBLE', { message: 'the thunk gave signal memory that the host cannot see' });
    }
    const block = { memory, bytes };
    this.#blocks.push(block);
    for (let i = signals - 1; i > 0; i--) this.#free.push({ block, offset: i * SHARED_SIGNAL_BYTES });
    return { block, offset: 0 };
  }
}

/** The value as a signed word of 64 bits. */
function checkValue(value: bigint | number): bigint {
  if (typeof value === 'bigint' ? BigInt.asIntN(64, value) === value : Number.isSafeInteger(value)) return BigInt(value);
  throw new HsaError('ERR_INVALID_ARGUMENT', { message: `a signal holds an integer of 64 bits, not ${value}` });
}

function usableGpus(thunk: Thunk): readonly [number, ...number[]] {
  const [first, ...others] = thunk.gpus.filter((gpu) => gpu.problem === undefined).map(({ gpuId }) => gpuId);
  if (first !== undefined) return [first, ...others];
  throw new HsaError('ERR_NO_DEVICE', { message: `${thunk.path} has no usable GPU` });
}
