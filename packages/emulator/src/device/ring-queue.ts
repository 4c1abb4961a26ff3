/** What the command processor remembers of a queue between two looks at it, and how one leaves it to the next. */
import type { MemoryViews } from './shared-state.js';
import { MAX_QUEUES, QueueField, queueWord } from './shared-state.js';

/** A consumed packet whose work may still run; the read index follows the oldest. */
export interface Consumed {
  readonly slot: number;
  isDone: boolean;
}

/** The command processor's own state of a queue; the rest is in the queue table. */
export class RingQueue {
  readonly index: number;
  readonly word: number;
  /** Next packet to look at, one past the last that was rung for, next to be retired: packet indices, which never wrap. */
  next: number;
  limit: number;
  retired: number;
  doorbell = -1;
  amdQueue: number;
  readonly consumed: Consumed[] = [];
  inFlight = 0;
  /** The inactive signal asked for more scratch memory, and user space has not answered yet. */
  waitsForScratch = false;

  constructor(index: number, readIndex: number, amdQueue: number) {
    this.index = index;
    this.word = queueWord(index);
    this.next = readIndex;
    this.limit = readIndex;
    this.retired = readIndex;
    this.amdQueue = amdQueue;
  }
}

/** Writes all that a queue's command processor knows of it into the queue table. */
export function handOverQueue({ words, longs }: MemoryViews, queue: RingQueue): void {
  const { word, next, limit, retired, doorbell, consumed, amdQueue, waitsForScratch } = queue;
  longs[(word + QueueField.next) / 2] = BigInt(next);
  longs[(word + QueueField.limit) / 2] = BigInt(limit);
  longs[(word + QueueField.retired) / 2] = BigInt(retired);
  longs[(word + QueueField.seenDoorbell) / 2] = BigInt(doorbell);
  for (const [index, { slot, isDone }] of consumed.entries()) words[word + QueueField.consumed + index] = isDone ? -1 : slot;
  words[word + QueueField.amdQueue] = amdQueue;
  words[word + QueueField.waitsForScratch] = waitsForScratch ? 1 : 0;
  Atomics.store(words, word + QueueField.isHandedOver, 1);
}

/** The queues that the last command processor handed over. */
export function takeOverQueues(views: MemoryViews): readonly RingQueue[] {
  const queues: RingQueue[] = [];
  for (let index = 0; index < MAX_QUEUES; index += 1) {
    if (Atomics.exchange(views.words, queueWord(index) + QueueField.isHandedOver, 0) !== 0)
      queues.push(takeOverQueue(views, index));
  }
  return queues;
}

function takeOverQueue(views: MemoryViews, index: number): RingQueue {
  const { words, longs } = views;
  const word = queueWord(index);
  const long = (field: number): number => Number(longs[(word + field) / 2]);
  const queue = new RingQueue(index, long(QueueField.retired), words[word + QueueField.amdQueue] ?? -1);
  queue.next = long(QueueField.next);
  queue.limit = long(QueueField.limit);
  queue.doorbell = long(QueueField.seenDoorbell);
  queue.inFlight = Atomics.load(words, word + QueueField.inFlight);
  queue.waitsForScratch = words[word + QueueField.waitsForScratch] !== 0;
  for (let packet = 0; packet < queue.next - queue.retired; packet += 1) {
    const slot = words[word + QueueField.consumed + packet] ?? -1;
    queue.consumed.push({ slot, isDone: slot < 0 });
  }
  return queue;
}
