/**
 * The command processor: reads AQL rings as hardware does. It lives in the first compute worker or in a worker of its own, or is stepped
 * by tests; it never waits itself, and each step looks at every queue once, so that queues make progress independently.
 */
import {
  AMD_QUEUE,
  AQL_BARRIER_DEPENDENCIES,
  AQL_COMPLETION_SIGNAL_OFFSET,
  AQL_PACKET_BYTES,
  AqlPacketType,
  AqlVendorFormat,
} from '@doorbell/abi';
import { PAGE_READ, PAGE_WRITE } from '../memory-map.js';
import { barrierValueHolds } from './barrier-value.js';
import type { PacketError } from './dispatch-packet.js';
import { checkDispatch } from './dispatch-packet.js';
import { fillSlot } from './dispatch-slot.js';
import type { GpuModel } from './gpu-model.js';
import { InactiveValue } from './inactive-values.js';
import { runIndirectBuffer } from './indirect-buffer.js';
import { hasReport, leaveReport, queueReport, slotReport } from './reports.js';
import { needsScratch } from './scratch.js';
import { handOverQueue, RingQueue, takeOverQueues } from './ring-queue.js';
import type { MemoryViews } from './shared-state.js';
import {
  DISPATCH_COUNT,
  IDLE_AT_RING,
  IRQ_COUNT,
  MAX_QUEUES,
  QueueField,
  QueueState,
  RING_COUNT,
  SLOT_COUNT,
  SlotField,
  SlotState,
  WANTS_IDLE,
  WORKER_BUSY,
  WORKER_COUNT,
  WORKER_WAKE,
  queueWord,
  slotWord,
  wake,
  wakeWorkers,
  workerWord,
} from './shared-state.js';
import { completeSignal, failQueueSignals, isMapped, isNull, isZero, queueAround, readSignal } from './signals.js';

/** Dispatches of one queue that may run at the same time. */
const MAX_IN_FLIGHT = 8;
/** A queue that waits for memory to change is looked at again after this long, doubling up to the second. */
const MIN_POLL_MS = 0.05;
const MAX_POLL_MS = 1;
/** How doorbells are rung: mostly through the page's `ring`, which wakes the command processor, or by plain stores alone. */
export type DoorbellForm = 'called' | 'stored';
/** Doorbells that are rung by plain stores are noticed within this time. */
const DOORBELL_POLL_MS: Readonly<Record<DoorbellForm, number>> = { called: 10, stored: 1 };
/** One step takes at most this many packets from a queue, so that no queue starves the others. */
const PACKETS_PER_STEP = 64;

/** What became of looking at a packet. */
type PacketOutcome = 'consumed' | 'waiting' | 'failed';

export class CommandProcessor {
  readonly #views: MemoryViews;
  readonly #gpus: readonly GpuModel[];
  readonly #doorbells: DoorbellForm;
  readonly #queues = new Map<number, RingQueue>();
  #pollMs = MIN_POLL_MS;
  /** Slots in use. */
  #running = 0;

  constructor(views: MemoryViews, gpus: readonly GpuModel[], doorbells: DoorbellForm = 'called') {
    this.#views = views;
    this.#gpus = gpus;
    this.#doorbells = doorbells;
    for (const queue of takeOverQueues(views)) this.#queues.set(queue.index, queue);
    for (let slot = 0; slot < SLOT_COUNT; slot += 1) {
      if (Atomics.load(views.words, slotWord(slot) + SlotField.state) !== SlotState.free) this.#running += 1;
    }
  }

  /** Leaves all that it knows to the command processor that is made next; this one takes no more steps. */
  handOver(): void {
    for (const queue of this.#queues.values()) handOverQueue(this.#views, queue);
    this.#queues.clear();
  }

  /** Looks at everything once. Gives the time in ms after which to look again if nothing wakes it; 0: at once. */
  step(): number {
    const { words } = this.#views;
    const rings = Atomics.load(words, RING_COUNT);
    let isBlocked = false;
    // First, because their memory may be gone since the last step.
    this.#stopQueues();
    let isAgain = this.#reapSlots();
    for (let index = 0; index < MAX_QUEUES; index += 1) {
      if (Atomics.load(words, queueWord(index) + QueueField.state) !== QueueState.active) continue;
      const queue = this.#queues.get(index) ?? this.#openQueue(index);
      const outcome = this.#runQueue(queue);
      isBlocked ||= outcome === 'waiting';
      isAgain ||= outcome === 'again';
    }
    if (isAgain) {
      this.#pollMs = MIN_POLL_MS;
      return 0;
    }
    if (isBlocked) return this.#pollWait(MAX_POLL_MS);
    if (this.#running === 0) this.#tellIdle(rings);
    if (this.#queues.size === 0) return Infinity;
    return this.#doorbells === 'called' ? DOORBELL_POLL_MS.called : this.#pollWait(DOORBELL_POLL_MS.stored);
  }

  /** Time until memory is looked at again: short at first, then longer. */
  #pollWait(maxMs: number): number {
    const wait = this.#pollMs;
    this.#pollMs = Math.min(maxMs, wait * 2);
    return wait;
  }

  /** Tells main, if it asked, that nothing is left to do of what was rung for. */
  #tellIdle(rings: number): void {
    const { words } = this.#views;
    if (Atomics.exchange(words, WANTS_IDLE, 0) === 0) return;
    Atomics.store(words, IDLE_AT_RING, rings);
    wake(words, IRQ_COUNT);
  }

  #openQueue(index: number): RingQueue {
    const readIndex = this.#offsetField(index, QueueField.readIndex);
    const queue = new RingQueue(index, this.#loadIndex(readIndex), queueAround(this.#views, readIndex));
    this.#queues.set(index, queue);
    return queue;
  }

  /** Forgets the queues that main wants gone; what of them still runs was told to stop. */
  #stopQueues(): void {
    const { words } = this.#views;
    for (let index = 0; index < MAX_QUEUES; index += 1) {
      if (Atomics.load(words, queueWord(index) + QueueField.state) !== QueueState.stopping) continue;
      this.#queues.delete(index);
      this.#abort(index);
      Atomics.store(words, queueWord(index) + QueueField.state, QueueState.stopped);
    }
  }

  /** Takes packets until one has to wait. `again`: there is more, but other queues come first. */
  #runQueue(queue: RingQueue): 'waiting' | 'idle' | 'again' {
    const { words } = this.#views;
    if (Atomics.load(words, queue.word + QueueField.isEnabled) === 0) return 'idle';
    if (queue.waitsForScratch && !this.#isScratchAnswered(queue)) return 'waiting';
    this.#readDoorbell(queue);
    let outcome: 'waiting' | 'idle' | 'again' = 'again';
    for (let count = 0; outcome === 'again' && count < PACKETS_PER_STEP; count += 1) {
      outcome = this.#takePacket(queue);
    }
    this.#retire(queue);
    return outcome;
  }

  /** Takes one packet, if there is one whose turn it is. */
  #takePacket(queue: RingQueue): 'waiting' | 'idle' | 'again' {
    const packets = this.#offsetField(queue.index, QueueField.ringPackets);
    if (queue.next >= Math.min(queue.limit, queue.retired + packets)) return 'idle';
    if (queue.consumed.length >= MAX_IN_FLIGHT) return 'idle';
    const { words } = this.#views;
    const packet = this.#packetOffset(queue);
    if (!isMapped(this.#views, packet, PAGE_READ | PAGE_WRITE)) {
      const address = this.#views.addresses.addressOf(packet);
      const message = 'the ring is not mapped on the GPU';
      this.#fail(queue, packet, { value: InactiveValue.memoryViolation, message, ...(address === undefined ? {} : { address }) });
      return 'idle';
    }
    const header = Atomics.load(words, packet / 4);
    if ((header & 0xff) === AqlPacketType.invalid) return 'waiting';
    // The barrier bit waits for everything before; the end of a dispatch wakes the command processor.
    if ((header & 0x100) !== 0 && queue.inFlight > 0) return 'idle';
    const outcome = this.#execute(queue, packet, header);
    if (outcome === 'waiting') return 'waiting';
    if (outcome === 'failed') return 'idle';
    Atomics.store(words, packet / 4, (header & ~0xffff) | AqlPacketType.invalid);
    queue.next += 1;
    return 'again';
  }

  #execute(queue: RingQueue, packet: number, header: number): PacketOutcome {
    switch (header & 0xff) {
      case AqlPacketType.kernelDispatch:
        return this.#dispatch(queue, packet);
      case AqlPacketType.barrierAnd:
      case AqlPacketType.barrierOr:
        return this.#barrier(queue, packet, (header & 0xff) === AqlPacketType.barrierAnd);
      case AqlPacketType.vendorSpecific:
        return this.#vendor(queue, packet, (header >>> 16) & 0xff);
      default: {
        const message = `packet type ${header & 0xff} cannot be executed by a GPU queue`;
        return this.#fail(queue, packet, { value: InactiveValue.invalidPacket, message });
      }
    }
  }

  #dispatch(queue: RingQueue, packet: number): PacketOutcome {
    const { words } = this.#views;
    const gpuIndex = words[queue.word + QueueField.gpuIndex] ?? 0;
    const gpu = this.#gpus[gpuIndex];
    if (gpu === undefined) return this.#fail(queue, packet, { value: InactiveValue.other, message: `no GPU ${gpuIndex}` });
    const checked = checkDispatch(this.#views, packet, gpu);
    if ('value' in checked) return this.#fail(queue, packet, checked);
    const signal = this.#completionSignal(queue, packet);
    if (signal < 0) return 'failed';
    if (needsScratch(this.#views, queue.amdQueue, checked)) return this.#askForScratch(queue, packet, checked.isWave32);
    const slot = this.#freeSlot();
    // A slot becomes free when some dispatch ends, and that wakes the command processor.
    if (slot < 0) return 'waiting';
    const word = slotWord(slot);
    fillSlot(this.#views, word, checked, {
      packet,
      queueIndex: queue.index,
      gpuIndex,
      serial: (Atomics.add(words, DISPATCH_COUNT, 1) + 1) | 0,
      dispatchId: queue.next,
      amdQueue: queue.amdQueue,
      completionSignal: signal,
    });
    this.#running += 1;
    queue.inFlight += 1;
    queue.consumed.push({ slot, isDone: false });
    Atomics.add(words, queue.word + QueueField.inFlight, 1);
    Atomics.store(words, word + SlotField.state, SlotState.running);
    this.#wakeFor(checked.units);
    return 'consumed';
  }

  #barrier(queue: RingQueue, packet: number, all: boolean): PacketOutcome {
    let dependencies = 0;
    let satisfied = 0;
    for (let index = 0; index < AQL_BARRIER_DEPENDENCIES.count; index += 1) {
      const at = packet + AQL_BARRIER_DEPENDENCIES.offset + index * 8;
      if (isNull(this.#views, at)) continue;
      const signal = readSignal(this.#views, at);
      if (signal < 0) return this.#failHandle(queue, packet, at, `dependency signal ${index}`);
      dependencies += 1;
      if (isZero(this.#views, signal)) satisfied += 1;
    }
    const holds = dependencies === 0 || (all ? satisfied === dependencies : satisfied > 0);
    return holds ? this.#completeBarrier(queue, packet) : 'waiting';
  }

  #vendor(queue: RingQueue, packet: number, format: number): PacketOutcome {
    if (format === AqlVendorFormat.pm4Ib) {
      const refusal = runIndirectBuffer(this.#views, packet);
      if (refusal === undefined) return this.#completeBarrier(queue, packet);
      return this.#fail(queue, packet, { value: InactiveValue.invalidVendorPacket, message: refusal });
    }
    if (format !== AqlVendorFormat.barrierValue) {
      const message = `vendor packet of format ${format} cannot be executed`;
      return this.#fail(queue, packet, { value: InactiveValue.invalidVendorPacket, message });
    }
    const at = packet + 8;
    const signal = readSignal(this.#views, at);
    if (signal < 0 && !isNull(this.#views, at)) return this.#failHandle(queue, packet, at, 'the signal');
    const holds = signal < 0 || barrierValueHolds(this.#views, packet, signal);
    if (holds === undefined) {
      return this.#fail(queue, packet, {
        value: InactiveValue.invalidVendorPacket,
        message: 'unknown condition of a barrier-value packet',
      });
    }
    return holds ? this.#completeBarrier(queue, packet) : 'waiting';
  }

  #completeBarrier(queue: RingQueue, packet: number): PacketOutcome {
    const signal = this.#completionSignal(queue, packet);
    if (signal < 0) return 'failed';
    queue.consumed.push({ slot: -1, isDone: true });
    if (signal > 0 && !completeSignal(this.#views, signal)) {
      queue.consumed.pop();
      return this.#fail(queue, packet, {
        value: InactiveValue.memoryViolation,
        message: 'the mailbox of the completion signal is not mapped',
      });
    }
    return 'consumed';
  }

  /** The completion signal: 0 when there is none, -1 when it cannot be used (then the queue has failed). */
  #completionSignal(queue: RingQueue, packet: number): number {
    const at = packet + AQL_COMPLETION_SIGNAL_OFFSET;
    if (isNull(this.#views, at)) return 0;
    const signal = readSignal(this.#views, at);
    if (signal < 0) this.#failHandle(queue, packet, at, 'the completion signal');
    return signal;
  }

  #askForScratch(queue: RingQueue, packet: number, isWave32: boolean): PacketOutcome {
    if (queue.amdQueue < 0) {
      return this.#fail(queue, packet, {
        value: InactiveValue.other,
        message: 'the kernel needs scratch memory; the queue has no amd_queue_t',
      });
    }
    const value = isWave32 ? InactiveValue.moreScratchWave32 : InactiveValue.moreScratchWave64;
    failQueueSignals(this.#views, queue.index, BigInt(value));
    queue.waitsForScratch = true;
    return 'waiting';
  }

  #isScratchAnswered(queue: RingQueue): boolean {
    const signal = this.#inactiveSignal(queue);
    if (signal >= 0 && !isZero(this.#views, signal)) return false;
    queue.waitsForScratch = false;
    return true;
  }

  #inactiveSignal(queue: RingQueue): number {
    return queue.amdQueue < 0 ? -1 : readSignal(this.#views, queue.amdQueue + INACTIVE_SIGNAL_OFFSET);
  }

  /** A slot that nobody uses or looks at any more, or -1. */
  #freeSlot(): number {
    const { words } = this.#views;
    for (let slot = 0; slot < SLOT_COUNT; slot += 1) {
      const word = slotWord(slot);
      if (Atomics.load(words, word + SlotField.state) !== SlotState.free) continue;
      if (Atomics.load(words, word + SlotField.holders) !== 0 || hasReport(this.#views, slotReport(slot))) continue;
      return slot;
    }
    return -1;
  }

  /**
   * Wakes as many idle workers as there are units, the first ones first: they have the kernel compiled already. Busy ones look again
   * in any case: one may have found nothing just before this dispatch came, and be about to sleep.
   */
  #wakeFor(units: number): void {
    const { words } = this.#views;
    const count = Atomics.load(words, WORKER_COUNT);
    let left = units;
    for (let index = 0; index < count; index += 1) {
      const isBusy = Atomics.load(words, workerWord(index) + WORKER_BUSY) !== 0;
      if (!isBusy && left === 0) continue;
      if (!isBusy) left -= 1;
      wake(words, workerWord(index) + WORKER_WAKE);
    }
  }

  /** Ends what is done: dispatches that finished, and aborted ones that nobody holds. True when there was something. */
  #reapSlots(): boolean {
    const { words } = this.#views;
    let found = false;
    for (let slot = 0; slot < SLOT_COUNT; slot += 1) {
      const word = slotWord(slot);
      const state = Atomics.load(words, word + SlotField.state);
      if (state === SlotState.free) continue;
      const isAborted = Atomics.load(words, word + SlotField.abort) !== 0 && Atomics.load(words, word + SlotField.holders) === 0;
      if (state === SlotState.running && !isAborted) continue;
      this.#endSlot(slot, word);
      found = true;
    }
    return found;
  }

  #endSlot(slot: number, word: number): void {
    const { words } = this.#views;
    const index = words[word + SlotField.queueIndex] ?? 0;
    const isFaulty = Atomics.load(words, word + SlotField.fault) !== 0;
    const value = (words[word + SlotField.faultValue] ?? 0) >>> 0;
    Atomics.store(words, word + SlotField.state, SlotState.free);
    this.#running -= 1;
    Atomics.sub(words, queueWord(index) + QueueField.inFlight, 1);
    const queue = this.#queues.get(index);
    if (queue === undefined) {
      // Of a destroyed queue, which main wants to free.
      wake(words, IRQ_COUNT);
      return;
    }
    queue.inFlight -= 1;
    if (isFaulty) {
      this.#abort(index);
      this.#stopFailed(queue, value);
      return;
    }
    const consumed = queue.consumed.find((candidate) => candidate.slot === slot && !candidate.isDone);
    if (consumed !== undefined) consumed.isDone = true;
    this.#retire(queue);
  }

  /** Advances the read index over everything that is complete. */
  #retire(queue: RingQueue): void {
    let count = 0;
    while (queue.consumed[count]?.isDone === true) count += 1;
    if (count === 0) return;
    queue.consumed.splice(0, count);
    queue.retired += count;
    const readIndex = this.#offsetField(queue.index, QueueField.readIndex);
    if (isMapped(this.#views, readIndex, PAGE_WRITE)) Atomics.store(this.#views.longs, readIndex / 8, BigInt(queue.retired));
  }

  /** Refuses the packet at hand: it stays in the ring as it is, and the queue stops. */
  #fail(queue: RingQueue, packet: number, error: PacketError): 'failed' {
    leaveReport(this.#views, queueReport(queue.index), {
      gpuId: this.#gpus[this.#views.words[queue.word + QueueField.gpuIndex] ?? 0]?.id ?? 0,
      queueId: queue.index,
      packetIndex: BigInt(queue.next),
      kernelObject: 0n,
      inactiveValue: BigInt(error.value),
      fault: {
        kind: 'packet',
        message: error.message,
        bytes: isMapped(this.#views, packet, PAGE_READ) ? this.#hexOf(packet) : '',
        ...(error.address === undefined ? {} : { address: error.address }),
      },
    });
    this.#stopFailed(queue, error.value);
    return 'failed';
  }

  /** The 64-bit handle at byte `at` names no signal that the GPU can use. */
  #failHandle(queue: RingQueue, packet: number, at: number, what: string): 'failed' {
    const address = BigInt.asUintN(64, Atomics.load(this.#views.longs, at / 8));
    const message = `${what}, 0x${address.toString(16)}, is not in memory that the GPU may write`;
    return this.#fail(queue, packet, { value: InactiveValue.memoryViolation, message, address });
  }

  #stopFailed(queue: RingQueue, value: number): void {
    const { words } = this.#views;
    this.#retire(queue);
    failQueueSignals(this.#views, queue.index, BigInt(value));
    Atomics.compareExchange(words, queue.word + QueueField.state, QueueState.active, QueueState.failed);
    wake(words, IRQ_COUNT);
  }

  /** Tells workers to drop everything of a queue. */
  #abort(index: number): void {
    const { words } = this.#views;
    for (let slot = 0; slot < SLOT_COUNT; slot += 1) {
      const word = slotWord(slot);
      if (Atomics.load(words, word + SlotField.state) !== SlotState.running) continue;
      if (words[word + SlotField.queueIndex] === index) Atomics.store(words, word + SlotField.abort, 1);
    }
    wakeWorkers(words);
  }

  /**
   * A doorbell that changed says how far the queue was written. Several producers may ring out of order through memory, where
   * only the last value is seen, so that the write index counts too.
   */
  #readDoorbell(queue: RingQueue): void {
    const doorbell = this.#loadIndex(this.#offsetField(queue.index, QueueField.doorbell));
    if (doorbell === queue.doorbell) return;
    queue.doorbell = doorbell;
    const writeIndex = this.#offsetField(queue.index, QueueField.writeIndex);
    const written = isMapped(this.#views, writeIndex, PAGE_READ) ? this.#loadIndex(writeIndex) : 0;
    queue.limit = Math.max(queue.limit, doorbell + 1, written);
  }

  #packetOffset(queue: RingQueue): number {
    const packets = this.#offsetField(queue.index, QueueField.ringPackets);
    return this.#offsetField(queue.index, QueueField.ring) + (queue.next % packets) * AQL_PACKET_BYTES;
  }

  #offsetField(index: number, field: number): number {
    return Atomics.load(this.#views.words, queueWord(index) + field) >>> 0;
  }

  /** A 64-bit packet index; -1 where the slot still holds all ones. */
  // hot
  #loadIndex(offset: number): number {
    const { words } = this.#views;
    const low = Atomics.load(words, offset / 4) >>> 0;
    return Atomics.load(words, offset / 4 + 1) * 0x1_0000_0000 + low;
  }

  #hexOf(packet: number): string {
    const bytes = this.#views.bytes.slice(packet, packet + AQL_PACKET_BYTES);
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  }
}

const INACTIVE_SIGNAL_OFFSET = AMD_QUEUE.offsetOf('queue_inactive_signal');
