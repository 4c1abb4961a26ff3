import { isHsaError } from '@doorbell/abi';
import { expect } from 'vitest';
import type {
  AllocateOptions,
  CreateQueueOptions,
  EventKind,
  HostMemory,
  Thunk,
  ThunkEvent,
  ThunkMemory,
  ThunkQueue,
} from '../../src/thunk.js';

/** What a case works on: one thunk for all cases, and a scope that gives back what the case leaves. */
export interface Context {
  readonly thunk: Thunk;
  readonly scope: Scope;
  /** The first usable GPU, and all of them. */
  readonly gpuId: number;
  readonly gpuIds: readonly number[];
}

export const RING_BYTES = 4096;

/** Makes objects and remembers them. Cases may free what they made; the rest goes in reverse order. */
export class Scope {
  readonly #thunk: Thunk;
  readonly #undo: (() => void)[] = [];

  constructor(thunk: Thunk) {
    this.#thunk = thunk;
  }

  allocate(options: AllocateOptions): ThunkMemory {
    const memory = this.#thunk.allocate(options);
    this.#undo.push(() => this.#thunk.free(memory));
    return memory;
  }

  hostMemory(sizeBytes: number): HostMemory {
    const memory = this.#thunk.hostMemory(sizeBytes);
    this.#undo.push(() => memory[Symbol.dispose]());
    return memory;
  }

  import(file: number, gpuId: number, hostVisible = false): ThunkMemory {
    const memory = this.#thunk.importDmabuf({ file, gpuIds: [gpuId], hostVisible });
    this.#undo.push(() => this.#thunk.free(memory));
    return memory;
  }

  export(memory: ThunkMemory): number {
    const { file } = this.#thunk.exportDmabuf(memory);
    this.#undo.push(() => this.#thunk.closeFile(file));
    return file;
  }

  event(kind: EventKind = 'signal', reset: 'auto' | 'manual' = 'auto'): ThunkEvent {
    const event = this.#thunk.createEvent({ kind, reset });
    this.#undo.push(() => this.#thunk.destroyEvent(event));
    return event;
  }

  /** A queue with a ring of its own: 64 invalid packets. */
  queue(gpuId: number, options: Partial<CreateQueueOptions> = {}): Made {
    const ringBytes = options.ringBytes ?? RING_BYTES;
    const ring = this.allocate({ kind: 'gtt', gpuIds: [gpuId], sizeBytes: ringBytes, executable: true, uncached: true });
    const pointers = this.allocate({ kind: 'gtt', gpuIds: [gpuId], sizeBytes: 4096, uncached: true });
    new Uint16Array(ring.bytes!.buffer, ring.bytes!.byteOffset, ringBytes / 2).fill(1);
    const queue = this.#thunk.createQueue({
      gpuId,
      kind: 'aql',
      ringAddress: ring.address,
      ringBytes,
      writePointerAddress: pointers.address + 56n,
      readPointerAddress: pointers.address + 128n,
      ...options,
    });
    this.#undo.push(() => this.#thunk.destroyQueue(queue));
    return { queue, ring, pointers };
  }

  /** Gives back what is left; what the case gave back itself is gone already. */
  close(): void {
    for (const undo of this.#undo.splice(0).reverse()) {
      try {
        undo();
      } catch (error) {
        if (!isHsaError(error)) throw error;
        expect(['ERR_DISPOSED', 'ERR_INVALID_ADDRESS', 'ERR_INVALID_ARGUMENT'], error.message).toContain(error.code);
      }
    }
  }
}

export interface Made {
  readonly queue: ThunkQueue;
  readonly ring: ThunkMemory;
  readonly pointers: ThunkMemory;
}

/** The code of the HsaError that `action` throws; undefined when it throws none. */
export function codeOf(action: () => unknown): string | undefined {
  try {
    action();
  } catch (error) {
    if (isHsaError(error)) return error.code;
    throw error;
  }
  return undefined;
}

/** gfx_target_version of a GPU: major · 10000 + minor · 100 + stepping. */
export function targetOf(thunk: Thunk, gpuId: number): number {
  return Number(propertyOf(thunk, gpuId, 'gfx_target_version'));
}

export function propertyOf(thunk: Thunk, gpuId: number, key: string): bigint {
  return thunk.gpus.find((gpu) => gpu.gpuId === gpuId)!.properties.get(key) ?? 0n;
}
