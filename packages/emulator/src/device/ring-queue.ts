/** What the command processor remembers of a queue between two looks at it. */
import { queueWord } from './shared-state.js';

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
