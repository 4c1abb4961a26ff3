/**
 * Fault reports cross from the device threads to the main thread through shared memory, not as messages: they are there
 * before the interrupt that makes user space look.
 */
import type { WaveFault } from '../executor.js';
import type { MemoryViews } from './shared-state.js';
import {
  FAULT_COUNT,
  QueueField,
  QueueState,
  REPORTS,
  REPORT_BYTES,
  REPORT_COUNT,
  SLOT_COUNT,
  queueWord,
} from './shared-state.js';

/** A packet that the command processor refused: it stays in the ring, unconsumed. */
export interface PacketFault {
  readonly kind: 'packet';
  readonly message: string;
  /** The packet's 64 bytes in hexadecimal. */
  readonly bytes: string;
  /** Memory that the command processor itself could not reach (a signal, a descriptor). */
  readonly address?: bigint;
}

/** The executor refused a dispatch, or failed: no fault of a wave. */
export interface DispatchFault {
  readonly kind: 'dispatch';
  readonly message: string;
}

/** What stopped a queue. */
export interface DeviceFault {
  readonly gpuId: number;
  readonly queueId: number;
  /** Index of the packet in the queue (never wraps). */
  readonly packetIndex: bigint;
  /** Address of the kernel descriptor; 0 when the packet is no dispatch. */
  readonly kernelObject: bigint;
  /** What the queue's inactive signal was set to. */
  readonly inactiveValue: bigint;
  readonly fault: WaveFault | PacketFault | DispatchFault;
}

const EMPTY = 0;
const FULL = 1;
const HEADER_BYTES = 8;
const BIGINT_KEY = '$bigint';

/** Report places: one for each dispatch slot, then one for each queue. */
export const slotReport = (slot: number): number => slot;
export const queueReport = (queueIndex: number): number => SLOT_COUNT + queueIndex;

/** Whether the main thread has not yet taken the report at `place`. */
export function hasReport({ words }: MemoryViews, place: number): boolean {
  return Atomics.load(words, wordOf(place)) === FULL;
}

/** Leaves a report; who stops the queue raises the interrupt. A report at the same place that nobody took stays. */
export function leaveReport({ words, bytes }: MemoryViews, place: number, fault: DeviceFault): void {
  const word = wordOf(place);
  if (Atomics.load(words, word) === FULL) return;
  let text = new TextEncoder().encode(JSON.stringify(fault, encodeValue));
  const room = REPORT_BYTES - HEADER_BYTES;
  if (text.length > room) text = new TextEncoder().encode(JSON.stringify(shorten(fault), encodeValue));
  bytes.set(text, word * 4 + HEADER_BYTES);
  Atomics.store(words, word + 1, text.length);
  Atomics.store(words, word, FULL);
  Atomics.add(words, FAULT_COUNT, 1);
}

/**
 * Takes the reports of queues that have stopped, so that their inactive signals are set too; and those of the queue whose signal the
 * caller has seen. `isMore`: there are others.
 */
export function takeReports(
  { words, bytes }: MemoryViews,
  stoppedQueueId: number | undefined,
): { readonly faults: readonly DeviceFault[]; readonly isMore: boolean } {
  const faults: DeviceFault[] = [];
  let isMore = false;
  for (let place = 0; place < REPORT_COUNT; place += 1) {
    const word = wordOf(place);
    if (Atomics.load(words, word) !== FULL) continue;
    const start = word * 4 + HEADER_BYTES;
    const text = new TextDecoder().decode(bytes.slice(start, start + Atomics.load(words, word + 1)));
    // Safe: leaveReport wrote it from a DeviceFault.
    const fault = JSON.parse(text, decodeValue) as DeviceFault;
    const state = Atomics.load(words, queueWord(fault.queueId) + QueueField.state);
    if (state === QueueState.active && fault.queueId !== stoppedQueueId) {
      isMore = true;
      continue;
    }
    faults.push(fault);
    Atomics.store(words, word, EMPTY);
  }
  return { faults, isMore };
}

const wordOf = (place: number): number => (REPORTS + place * REPORT_BYTES) / 4;

function shorten(report: DeviceFault): DeviceFault {
  const cut = (text: string): string => text.slice(0, 500);
  const { fault } = report;
  if (fault.kind === 'packet' || fault.kind === 'dispatch') {
    return { ...report, fault: { ...fault, message: cut(fault.message) } };
  }
  const texts = { message: cut(fault.message), disassembly: cut(fault.disassembly), bytes: cut(fault.bytes) };
  return { ...report, fault: { ...fault, ...texts } };
}

function encodeValue(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? { [BIGINT_KEY]: value.toString() } : value;
}

function decodeValue(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !(BIGINT_KEY in value)) return value;
  return BigInt(String(value[BIGINT_KEY]));
}
