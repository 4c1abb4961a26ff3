/** The main thread's side of the queue table: queues come, change and go; the command processor does the work. */
import type { Host } from '../host.js';
import type { Buffer } from './buffers.js';
import { DOORBELL_BYTES } from './kfd-constants.js';
import type { MemoryViews } from './shared-state.js';
import {
  MAX_QUEUES,
  QueueField,
  QueueState,
  SLOT_COUNT,
  SlotField,
  SlotState,
  queueWord,
  slotWord,
  wakeProcessor,
  wakeWorkers,
} from './shared-state.js';
import type { DeviceThreads } from './threads.js';

/** How long DESTROY_QUEUE waits for running work to stop; ioctls are bounded. */
const STOP_NS = 9_000_000n;

export interface QueueInit {
  readonly gpuIndex: number;
  /** Byte offset of the doorbell slice, and which doorbell of it is the queue's. */
  readonly doorbells: number;
  readonly doorbellIndex: number;
  readonly ringOffset: number;
  readonly ringPackets: number;
  readonly readIndexOffset: number;
  readonly writeIndexOffset: number;
  readonly isEnabled: boolean;
  readonly controlStackBytes: number;
  /** Buffers that must stay mapped while the queue is there. */
  readonly buffers: readonly Buffer[];
}

/** How far the oldest dispatch of a queue is. */
export interface QueueProgress {
  readonly dispatchId: bigint;
  readonly workgroupsDone: number;
  readonly workgroupsTotal: number;
}

interface QueueRecord {
  readonly gpuIndex: number;
  readonly doorbellIndex: number;
  readonly controlStackBytes: number;
  readonly buffers: Set<Buffer>;
  ring: Buffer | undefined;
}

export class QueueManager {
  readonly #views: MemoryViews;
  readonly #threads: DeviceThreads;
  readonly #host: Host;
  /** Queues of user space, by id, which is also their place in the table. */
  readonly #queues = new Map<number, QueueRecord>();
  /** How often each id was given out. */
  readonly #generations = new Map<number, number>();
  #isLost = false;

  /** Called when the threads have been started. */
  onStart: () => void = () => undefined;

  constructor(views: MemoryViews, threads: DeviceThreads, host: Host) {
    this.#views = views;
    this.#threads = threads;
    this.#host = host;
  }

  get count(): number {
    return this.#queues.size;
  }

  /** Whether the device threads are gone for good. */
  get isLost(): boolean {
    return this.#isLost;
  }

  get ids(): readonly number[] {
    return [...this.#queues.keys()];
  }

  /** Tells queues apart that had the same id one after the other. */
  generation(queueId: number): number {
    return this.#generations.get(queueId) ?? 0;
  }

  has(queueId: number): boolean {
    return this.#queues.has(queueId);
  }

  /** What of a queue its ioctls look at; undefined when there is none. */
  get(queueId: number): Pick<QueueRecord, 'gpuIndex' | 'doorbellIndex' | 'controlStackBytes'> | undefined {
    return this.#queues.get(queueId);
  }

  /** Queues on one GPU. */
  countOn(gpuIndex: number): number {
    return [...this.#queues.values()].filter((queue) => queue.gpuIndex === gpuIndex).length;
  }

  /** Whether the hardware may run the queue. */
  isEnabled(queueId: number): boolean {
    return Atomics.load(this.#views.words, queueWord(queueId) + QueueField.isEnabled) !== 0;
  }

  /** Adds a queue under the lowest free id. There is room: the caller looked at {@link count}. */
  create(init: QueueInit): number {
    this.reap();
    const { words, longs } = this.#views;
    let queueId = 0;
    while (queueId < MAX_QUEUES - 1 && Atomics.load(words, queueWord(queueId)) !== QueueState.free) queueId += 1;
    const word = queueWord(queueId);
    const doorbell = init.doorbells + init.doorbellIndex * DOORBELL_BYTES;
    // No packet index: the first ring changes it.
    Atomics.store(longs, doorbell / 8, -1n);
    const fields: readonly (readonly [number, number])[] = [
      [QueueField.ring, init.ringOffset],
      [QueueField.readIndex, init.readIndexOffset],
      [QueueField.writeIndex, init.writeIndexOffset],
      [QueueField.doorbell, doorbell],
      [QueueField.ringPackets, init.ringPackets],
      [QueueField.queueId, queueId],
      [QueueField.isEnabled, init.isEnabled ? 1 : 0],
      [QueueField.gpuIndex, init.gpuIndex],
      [QueueField.inFlight, 0],
    ];
    for (const [field, value] of fields) Atomics.store(words, word + field, value);
    this.#generations.set(queueId, this.generation(queueId) + 1);
    const ring = init.buffers.find((buffer) => buffer.offset === init.ringOffset);
    const { gpuIndex, doorbellIndex, controlStackBytes } = init;
    this.#queues.set(queueId, { gpuIndex, doorbellIndex, controlStackBytes, buffers: new Set(init.buffers), ring });
    for (const buffer of init.buffers) buffer.users += 1;
    Atomics.store(words, word + QueueField.state, QueueState.active);
    this.startThreads();
    this.nudge();
    return queueId;
  }

  /** Starts the device threads if they do not run: the first queue needs them, and whoever sees one coming may ask earlier. */
  startThreads(): void {
    if (this.#threads.isStarted) return;
    this.#threads.start();
    this.onStart();
  }

  /** Removes a queue; its running work stops now or, if it does not within the bound, as soon as it can. */
  destroy(queueId: number): number {
    this.#forget(queueId);
    const { words } = this.#views;
    const word = queueWord(queueId);
    Atomics.store(words, word + QueueField.state, QueueState.stopping);
    this.#abortDispatches(queueId);
    wakeWorkers(words);
    this.nudge();
    const end = this.#host.now() + STOP_NS;
    while (!this.#isLost && !this.#isStopped(queueId) && this.#host.now() < end) this.#threads.relax();
    this.reap();
    return 0;
  }

  /** Stops taking packets, and pauses what runs. */
  disable(queueId: number): void {
    Atomics.store(this.#views.words, queueWord(queueId) + QueueField.isEnabled, 0);
    this.nudge();
  }

  /** Goes on, with this ring. */
  enable(queueId: number, { ring, ringPackets }: { readonly ring: Buffer; readonly ringPackets: number }): void {
    const record = this.#queues.get(queueId);
    if (record === undefined) return;
    const { words } = this.#views;
    const word = queueWord(queueId);
    if (record.ring !== ring) {
      if (record.ring !== undefined && record.buffers.delete(record.ring)) record.ring.users -= 1;
      if (!record.buffers.has(ring)) ring.users += 1;
      record.buffers.add(ring);
      record.ring = ring;
    }
    Atomics.store(words, word + QueueField.ring, ring.offset);
    Atomics.store(words, word + QueueField.ringPackets, ringPackets);
    Atomics.store(words, word + QueueField.isEnabled, 1);
    wakeWorkers(words);
    this.nudge();
  }

  /** Lets the queues of a GPU know where its doorbells lie now. */
  moveDoorbells(gpuIndex: number, offset: number): void {
    const { words } = this.#views;
    for (const [queueId, queue] of this.#queues) {
      if (queue.gpuIndex !== gpuIndex) continue;
      Atomics.store(words, queueWord(queueId) + QueueField.doorbell, offset + queue.doorbellIndex * DOORBELL_BYTES);
    }
  }

  /** Has the command processor look again. */
  nudge(): void {
    if (this.#threads.isStarted) wakeProcessor(this.#views.words);
  }

  /** Frees the table entries of destroyed queues whose work has stopped. */
  reap(): void {
    const { words } = this.#views;
    for (let queueId = 0; queueId < MAX_QUEUES; queueId += 1) {
      if (this.#queues.has(queueId) || Atomics.load(words, queueWord(queueId)) === QueueState.free) continue;
      if (this.#isLost || this.#isStopped(queueId)) Atomics.store(words, queueWord(queueId), QueueState.free);
    }
  }

  /** No queue makes progress any more. */
  lose(): void {
    this.#isLost = true;
    for (const queueId of this.#queues.keys()) {
      Atomics.store(this.#views.words, queueWord(queueId) + QueueField.state, QueueState.failed);
    }
  }

  /** The oldest dispatch of a queue that is in progress. */
  progress(queueId: number): QueueProgress | undefined {
    const { words, longs } = this.#views;
    let oldest: QueueProgress | undefined;
    for (let slot = 0; slot < SLOT_COUNT; slot += 1) {
      const word = slotWord(slot);
      if (Atomics.load(words, word + SlotField.state) !== SlotState.running) continue;
      if (Atomics.load(words, word + SlotField.queueIndex) !== queueId) continue;
      const dispatchId = Atomics.load(longs, (word + SlotField.dispatchId) / 2);
      if (oldest !== undefined && oldest.dispatchId < dispatchId) continue;
      const unitGroups = Atomics.load(words, word + SlotField.unitGroups);
      const total = [0, 1, 2].reduce((product, axis) => product * ((words[word + SlotField.groups + axis] ?? 0) >>> 0), 1);
      const done = Math.min(total, Atomics.load(words, word + SlotField.finishedUnits) * unitGroups);
      oldest = { dispatchId, workgroupsDone: done, workgroupsTotal: total };
    }
    return oldest;
  }

  #forget(queueId: number): void {
    for (const buffer of this.#queues.get(queueId)?.buffers ?? []) buffer.users -= 1;
    this.#queues.delete(queueId);
  }

  #isStopped(queueId: number): boolean {
    const { words } = this.#views;
    const word = queueWord(queueId);
    return (
      Atomics.load(words, word + QueueField.state) === QueueState.stopped && Atomics.load(words, word + QueueField.inFlight) === 0
    );
  }

  #abortDispatches(queueId: number): void {
    const { words } = this.#views;
    for (let slot = 0; slot < SLOT_COUNT; slot += 1) {
      const word = slotWord(slot);
      if (Atomics.load(words, word + SlotField.state) !== SlotState.running) continue;
      if (Atomics.load(words, word + SlotField.queueIndex) === queueId) Atomics.store(words, word + SlotField.abort, 1);
    }
  }
}
