/** amd_signal_t and amd_queue_t as the device threads touch them: checked against the page table, without BigInt where it counts. */
import { AMD_QUEUE, AMD_SIGNAL } from '@doorbell/abi';
import { PAGE_BYTES, PAGE_TABLE, PAGE_WRITE, STATE_BYTES } from '../memory-map.js';
import type { MemoryViews } from './shared-state.js';
import { QueueField, queueWord, raiseEvent } from './shared-state.js';

const VALUE = AMD_SIGNAL.offsetOf('value');
const MAILBOX = AMD_SIGNAL.offsetOf('event_mailbox_ptr');
const EVENT_ID = AMD_SIGNAL.offsetOf('event_id');
const START = AMD_SIGNAL.offsetOf('start_ts');
const END = AMD_SIGNAL.offsetOf('end_ts');
const READ_INDEX_BASE = AMD_QUEUE.offsetOf('read_dispatch_id_field_base_byte_offset') - AMD_QUEUE.offsetOf('read_dispatch_id');
const INACTIVE_SIGNAL = AMD_QUEUE.offsetOf('queue_inactive_signal');

/** Whether the GPU may access the byte at `offset` in all the ways of `access`. */
// hot
export function isMapped({ bytes }: MemoryViews, offset: number, access: number): boolean {
  return ((bytes[PAGE_TABLE + Math.floor(offset / PAGE_BYTES)] ?? 0) & access) === access;
}

/** The offset of the byte that the 64-bit address at byte `at` names, or -1 when it is in no memory of the GPU. */
// hot
export function readAddress({ words, addresses }: MemoryViews, at: number): number {
  return addresses.find(words[at / 4] ?? 0, words[at / 4 + 1] ?? 0, 1);
}

/** Whether the 64-bit address at byte `at` is null. */
// hot
export function isNull({ words }: MemoryViews, at: number): boolean {
  return words[at / 4] === 0 && words[at / 4 + 1] === 0;
}

/** The signal whose handle lies at byte `at`: its offset, or -1 when there is none that the GPU may read and write. */
// hot
export function readSignal(views: MemoryViews, at: number): number {
  const offset = readAddress(views, at);
  return offset >= 0 && offset % AMD_SIGNAL.sizeBytes === 0 && isMapped(views, offset, PAGE_WRITE) ? offset : -1;
}

/** A signal's value. */
export function loadValue({ longs }: MemoryViews, signal: number): bigint {
  return Atomics.load(longs, (signal + VALUE) / 8);
}

/** Whether a signal's value is 0, without BigInt. */
// hot
export function isZero({ words }: MemoryViews, signal: number): boolean {
  const word = (signal + VALUE) / 4;
  return Atomics.load(words, word) === 0 && Atomics.load(words, word + 1) === 0 && Atomics.load(words, word) === 0;
}

/** Takes one off a signal and tells its event. False when the mailbox cannot be written. */
export function completeSignal(views: MemoryViews, signal: number): boolean {
  Atomics.sub(views.longs, (signal + VALUE) / 8, 1n);
  return notifyEvent(views, signal);
}

/** Sets a signal and tells its event. False when the mailbox cannot be written. */
function storeSignal(views: MemoryViews, signal: number, value: bigint): boolean {
  Atomics.store(views.longs, (signal + VALUE) / 8, value);
  return notifyEvent(views, signal);
}

/** Writes the time stamps of a dispatch. */
export function writeTimes(
  { longs }: MemoryViews,
  signal: number,
  times: { readonly start: bigint; readonly end: bigint },
): void {
  Atomics.store(longs, (signal + START) / 8, times.start);
  Atomics.store(longs, (signal + END) / 8, times.end);
}

/**
 * The amd_queue_t around a read index, found as the hardware does: the word behind the index says how far from the start it
 * lies. -1 when there is none.
 */
export function queueAround(views: MemoryViews, readIndexOffset: number): number {
  const at = readIndexOffset + READ_INDEX_BASE;
  const distance = (views.words[at / 4] ?? 0) >>> 0;
  const offset = readIndexOffset - distance;
  return distance === 0 || offset < STATE_BYTES || offset % 64 !== 0 || !isMapped(views, offset, PAGE_WRITE) ? -1 : offset;
}

/** Puts `value` into the inactive signal of a queue, by which user space learns that the queue stopped. */
export function failQueueSignals(views: MemoryViews, queueIndex: number, value: bigint): void {
  const readIndex = (views.words[queueWord(queueIndex) + QueueField.readIndex] ?? 0) >>> 0;
  if (readIndex === 0 || !isMapped(views, readIndex, PAGE_WRITE)) return;
  const queue = queueAround(views, readIndex);
  if (queue < 0) return;
  const signal = readSignal(views, queue + INACTIVE_SIGNAL);
  if (signal >= 0) storeSignal(views, signal, value);
}

function notifyEvent(views: MemoryViews, signal: number): boolean {
  const { words } = views;
  const eventId = words[(signal + EVENT_ID) / 4] ?? 0;
  if (isNull(views, signal + MAILBOX)) return true;
  const mailbox = readAddress(views, signal + MAILBOX);
  if (mailbox < 0 || mailbox % 8 !== 0 || !isMapped(views, mailbox, PAGE_WRITE)) return false;
  Atomics.store(words, mailbox / 4 + 1, 0);
  Atomics.store(words, mailbox / 4, eventId);
  raiseEvent(words, eventId);
  return true;
}
