/**
 * The control region of a machine's memory: how the main thread, the command processor and the compute workers meet. All
 * words are 32-bit and accessed by Atomics through one Int32Array; what several threads wait on lies in its own cache line.
 *
 *   queue table     main writes a queue's entry, then its state; the command processor owns it from `active` to `stopped`
 *   dispatch slots  the command processor fills a slot, then its state; workers claim units; the last one out ends it
 *   interrupts      a bit for each event id, a counter that main waits on, and one fault report for each slot and queue
 */
import type { Translation } from './address.js';
import { CONTROL, CONTROL_BYTES, MAX_WORKERS, PAGE_COUNT } from '../memory-map.js';

const LINE_WORDS = 16;
const BASE = CONTROL / 4;

/** Word index of `line`, in cache lines from the start of the region. */
const lineWord = (line: number): number => BASE + line * LINE_WORDS;

/** Counts reasons for the command processor to look: doorbells, queue changes, finished dispatches. */
export const CP_WAKE: number = lineWord(0);
/** Where the command processor runs: {@link ProcessorPlace}. */
export const PROCESSOR_PLACE: number = lineWord(0) + 1;
/** Dispatches so far; wraps. */
export const DISPATCH_COUNT: number = lineWord(0) + 2;
/** Counts reasons for the main thread to look: interrupts, faults, idleness. */
export const IRQ_COUNT: number = lineWord(1);
/** Not 0: every device thread ends. */
export const SHUTDOWN: number = lineWord(2);
/** Threads that may be between checking a page and touching it. */
export const ACTIVE_THREADS: number = lineWord(3);
/** 1: main has pages to protect and wants no thread to be active for a moment. Who rests last raises an interrupt. */
export const REST_WANTED: number = lineWord(3) + 1;
/** Doorbell rings by the main thread; the count that the command processor had seen when it last ran dry. */
export const RING_COUNT: number = lineWord(4);
export const IDLE_AT_RING: number = lineWord(5);
/** 1: the main thread wants an interrupt when the machine runs dry. */
export const WANTS_IDLE: number = lineWord(5) + 1;
/** Faults so far (slot and queue reports together). */
export const FAULT_COUNT: number = lineWord(6);
/** Compute workers that take part. */
export const WORKER_COUNT: number = lineWord(7);
/** Not 0: there is work for more than the first compute worker. */
export const HELP_WANTED: number = lineWord(7) + 1;
/** Where optimised code is made: {@link CodePlace}. */
export const CODE_PLACE: number = lineWord(7) + 2;
/** Changes with the pages that code may lie in. */
export const CODE_EPOCH: number = lineWord(7) + 3;
/** One line for each compute worker: wake counter, and whether it works. */
const WORKER_LINES: number = lineWord(8);
export const WORKER_WAKE = 0;
export const WORKER_BUSY = 1;

/** The command processor is a part of the first compute worker, until that has so much to do that it gets a thread of its own. */
export const ProcessorPlace = {
  worker: 0,
  /** The worker wants to be rid of it. */
  wanted: 1,
  /** The other thread is there and waits for it. */
  ready: 2,
  /** It has a thread of its own. */
  thread: 3,
} as const;

/** Compute workers make optimised code themselves, until there is so much of it that it gets a thread of its own. */
export const CodePlace = {
  worker: 0,
  /** The thread is called, or warms up. */
  wanted: 1,
  thread: 2,
} as const;

/** One bit for each event id that was interrupted for: 4096 bits. */
export const EVENT_BITS: number = BASE + 0x1000 / 4;
export const EVENT_BIT_WORDS: number = 4096 / 32;

const QUEUE_TABLE: number = BASE + 0x2000 / 4;
const QUEUE_WORDS = 32;
/** kfd: at most 127 queues for each device and process. */
export const MAX_QUEUES = 127;
export const QueueField = {
  state: 0,
  /** Byte offsets in memory. */
  ring: 1,
  readIndex: 2,
  writeIndex: 3,
  doorbell: 4,
  ringPackets: 5,
  queueId: 6,
  /** 0 while user space has disabled it (percentage 0, no ring). */
  isEnabled: 7,
  gpuIndex: 8,
  /** Dispatches of this queue that workers still hold, written by the command processor and the workers. */
  inFlight: 9,
  /** What one command processor leaves to the next: whether it did, and whether the queue waits for scratch memory. */
  isHandedOver: 10,
  waitsForScratch: 11,
  /** 64-bit packet indices: even words. */
  next: 12,
  limit: 14,
  retired: 16,
  seenDoorbell: 18,
  /** For each packet that is consumed and not retired, 8 at most: the slot that runs it, or -1. */
  consumed: 20,
  /** Byte offset of amd_queue_t, or -1. */
  amdQueue: 28,
} as const;

export const QueueState = {
  free: 0,
  active: 1,
  /** Main wants it gone; the command processor answers with `stopped`. */
  stopping: 2,
  stopped: 3,
  /** In error: nothing is processed any more. */
  failed: 4,
} as const;

const SLOT_TABLE: number = BASE + 0x1_0000 / 4;
const SLOT_WORDS = 64;
export const SLOT_COUNT = 64;
export const SlotField = {
  state: 0,
  abort: 1,
  /** Next unit to claim; units finished; units in all. */
  nextUnit: 2,
  finishedUnits: 3,
  units: 4,
  /** Workgroups in a unit: 1 unless there are more than 2^30. */
  unitGroups: 5,
  queueIndex: 6,
  /** Workers that hold a part of it. */
  holders: 7,
  /** 1: it ended early by a fault; the report is in the slot's place. */
  fault: 8,
  workgroup: 9,
  grid: 12,
  groups: 15,
  ldsBytes: 18,
  privateBytes: 19,
  rsrc1: 20,
  rsrc2: 21,
  rsrc3: 22,
  properties: 23,
  kernargPreload: 24,
  gpuIndex: 25,
  serial: 26,
  completionSignal: 27,
  /** 64-bit values: even words. */
  descriptorAddress: 28,
  kernargAddress: 30,
  packetAddress: 32,
  queueAddress: 34,
  dispatchId: 36,
  entryAddress: 38,
  startTicks: 42,
  /** Byte offset of amd_queue_t, 0 when there is none. */
  amdQueue: 44,
  /** Inactive value that goes with {@link SlotField.fault}. */
  faultValue: 45,
} as const;

/** What getting a kernel ready took, and how long it has run since; see kernel-ledger.ts. */
const KERNEL_TABLE: number = BASE + 0x2_0000 / 4;
export const KERNEL_LINES = 1024;
const KERNEL_WORDS = 4;
export const KernelField = { entry: 0, priceUs: 1, paidUs: 2 } as const;

export const SlotState = { free: 0, running: 1, done: 2 } as const;

/** One report for each slot, then one for each queue (errors that no dispatch made). */
export const REPORTS: number = CONTROL + 0x10_0000;
export const REPORT_BYTES = 0x2000;
export const REPORT_COUNT: number = SLOT_COUNT + MAX_QUEUES;

/** The main thread's notes on pages, three bytes for each: not shared, but cleared with the rest. See page-table.ts. */
export const PAGE_NOTES: number = CONTROL + 0x30_0000;

/** Word index of field 0 of a queue's entry. */
export const queueWord = (index: number): number => QUEUE_TABLE + index * QUEUE_WORDS;
/** Word index of field 0 of a dispatch slot. */
export const slotWord = (index: number): number => SLOT_TABLE + index * SLOT_WORDS;
/** Word index of field 0 of a line of the kernel table. */
export const kernelLine = (index: number): number => KERNEL_TABLE + index * KERNEL_WORDS;
export const workerWord = (index: number): number => WORKER_LINES + index * LINE_WORDS;

/** Ends of the parts, for the test that they do not meet. */
export const REGION_PARTS: readonly (readonly [name: string, start: number, end: number])[] = [
  ['lines', CONTROL, 4 * (WORKER_LINES + MAX_WORKERS * LINE_WORDS)],
  ['event bits', 4 * EVENT_BITS, 4 * (EVENT_BITS + EVENT_BIT_WORDS)],
  ['queues', 4 * QUEUE_TABLE, 4 * (QUEUE_TABLE + MAX_QUEUES * QUEUE_WORDS)],
  ['slots', 4 * SLOT_TABLE, 4 * (SLOT_TABLE + SLOT_COUNT * SLOT_WORDS)],
  ['kernels', 4 * KERNEL_TABLE, 4 * (KERNEL_TABLE + KERNEL_LINES * KERNEL_WORDS)],
  ['reports', REPORTS, REPORTS + REPORT_COUNT * REPORT_BYTES],
  ['page notes', PAGE_NOTES, PAGE_NOTES + 3 * PAGE_COUNT],
  ['end', CONTROL + CONTROL_BYTES, CONTROL + CONTROL_BYTES],
];

/** The views that every thread makes once over the machine's memory. */
export interface MemoryViews {
  readonly memory: WebAssembly.Memory;
  readonly words: Int32Array;
  readonly longs: BigInt64Array;
  readonly bytes: Uint8Array;
  readonly addresses: Translation;
}

export function createViews(memory: WebAssembly.Memory, addresses: Translation): MemoryViews {
  return {
    memory,
    words: new Int32Array(memory.buffer),
    longs: new BigInt64Array(memory.buffer),
    bytes: new Uint8Array(memory.buffer),
    addresses,
  };
}

/** Adds one to a counter that a thread waits on, and wakes it. */
export function wake(words: Int32Array, word: number): void {
  Atomics.add(words, word, 1);
  Atomics.notify(words, word);
}

/** Has the command processor look again, wherever it runs. */
export function wakeProcessor(words: Int32Array): void {
  wake(words, CP_WAKE);
  if (Atomics.load(words, PROCESSOR_PLACE) !== ProcessorPlace.thread) wake(words, workerWord(0) + WORKER_WAKE);
}

/** Has every compute worker look again. */
export function wakeWorkers(words: Int32Array): void {
  const count = Atomics.load(words, WORKER_COUNT);
  for (let index = 0; index < count; index += 1) wake(words, workerWord(index) + WORKER_WAKE);
}

/** Raises the interrupt of an event. */
export function raiseEvent(words: Int32Array, eventId: number): void {
  const id = eventId & (EVENT_BIT_WORDS * 32 - 1);
  Atomics.or(words, EVENT_BITS + (id >> 5), 1 << (id & 31));
  wake(words, IRQ_COUNT);
}
