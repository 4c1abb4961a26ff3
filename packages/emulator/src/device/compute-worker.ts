/**
 * A compute worker: claims chunks of workgroups from the dispatches that run, and executes them. It lives in its own worker, or
 * is stepped by tests. Runs that yield take turns with each other and with new chunks, so that workgroups that wait for each
 * other, also across dispatches and queues, make progress.
 */
import { AMD_QUEUE, AmdQueueProperties, isHsaError } from '@doorbell/abi';
import type { Dispatch, Executor, GroupRun, PreparedKernel, WaveFault } from '../executor.js';
import { PAGE_WRITE } from '../memory-map.js';
import { ticksOfNs } from './clock.js';
import type { GpuModel } from './gpu-model.js';
import { InactiveValue } from './inactive-values.js';
import { KernelLedger } from './kernel-ledger.js';
import { readDispatch } from './dispatch-slot.js';
import type { DeviceFault, DispatchFault } from './reports.js';
import { leaveReport, slotReport } from './reports.js';
import type { MemoryViews } from './shared-state.js';
import {
  QueueField,
  SLOT_COUNT,
  SlotField,
  SlotState,
  WORKER_COUNT,
  queueWord,
  slotWord,
  wakeProcessor,
  wakeWorkers,
} from './shared-state.js';
import { completeSignal, isMapped, writeTimes } from './signals.js';
import { WorkForecast } from './work-forecast.js';

/** A chunk should take about this long: long against the cost of claiming, short against a dispatch. */
const CHUNK_US = 40;
/** A worker gives the dispatches that it has no part in this much time between two rounds of its own runs. */
const OTHERS_NS = 1_000_000n;
/** After this many rounds in which nothing finished, more workgroups are begun: those at hand may wait for them. */
const STALLED_ROUNDS = 4;
/**
 * Chunks at hand at most, but for the first one of each dispatch: more than the waves that any of the GPUs holds at once (32 for each
 * of a hundred CUs), as far as their registers find room.
 */
const MAX_RUNS = 4096;
/** A turn takes this long at most; a round of many turns should take about {@link ROUND_MS}, but no turn less than the least. */
const TURN_MS = 1;
const MIN_TURN_MS = 0.05;
const ROUND_MS = 8;
/** Learned speeds of kernels, by descriptor; more than this are forgotten all at once. */
const MAX_KNOWN_SPEEDS = 1024;

export interface ComputeWorkerOptions {
  readonly views: MemoryViews;
  readonly gpus: readonly GpuModel[];
  readonly executor: Executor;
  /** Monotonic nanoseconds, the same clock in every thread. */
  readonly now: () => bigint;
}

/** A dispatch as this worker knows it. */
interface Known {
  readonly serial: number;
  readonly dispatch: Dispatch;
  readonly kernel: PreparedKernel;
  readonly totalGroups: number;
}

interface Run {
  readonly slot: number;
  readonly known: Known;
  readonly run: GroupRun;
  readonly units: number;
  /** Units already counted as finished. */
  counted: number;
  readonly startedNs: bigint;
  hasYielded: boolean;
}

export class ComputeWorker {
  readonly #views: MemoryViews;
  readonly #gpus: readonly GpuModel[];
  readonly #executor: Executor;
  readonly #now: () => bigint;
  readonly #known: (Known | undefined)[] = new Array<Known | undefined>(SLOT_COUNT).fill(undefined);
  /** Microseconds for each unit of a kernel. */
  readonly #speeds = new Map<bigint, number>();
  readonly #ledger: KernelLedger;
  /** Serials of the dispatches in the slots that were left to others. */
  readonly #passedOn = new Int32Array(SLOT_COUNT);
  readonly #forecast = new WorkForecast();
  #runs: Run[] = [];
  #stalledRounds = 0;

  constructor({ views, gpus, executor, now }: ComputeWorkerOptions) {
    this.#views = views;
    this.#gpus = gpus;
    this.#executor = executor;
    this.#now = now;
    this.#ledger = new KernelLedger(views);
  }

  /** Gives every run a turn and takes new chunks where there is room; false when there is nothing to do. */
  step(): boolean {
    if (this.#runs.length === 0) return this.#claim('any');
    let isBusy = false;
    this.#stalledRounds += 1;
    const turnMs = Math.min(TURN_MS, Math.max(MIN_TURN_MS, ROUND_MS / this.#runs.length));
    for (const run of [...this.#runs]) isBusy = this.#turn(run, turnMs) || isBusy;
    const end = this.#now() + OTHERS_NS;
    while (this.#claim('new')) {
      isBusy = true;
      if (this.#now() >= end) break;
    }
    if (this.#stalledRounds < STALLED_ROUNDS || !isBusy) return isBusy;
    this.#stalledRounds = 0;
    let more = Math.min(this.#runs.length, MAX_RUNS - this.#runs.length);
    const isStarved = (): boolean => this.#runs.at(-1)?.run.isStarved === true;
    while (more > 0 && !isStarved() && this.#claim('any')) more -= 1;
    return true;
  }

  /** A clock that stands while code is made: what a kernel runs is slow at first only for that. */
  // hot
  workMs(): number {
    return Number(this.#now()) / 1e6 - this.#executor.makingMs;
  }

  /** How much longer the dispatch at hand will take, at a time of {@link workMs}. */
  // hot
  leftMs(atMs: number): number {
    return this.#forecast.leftMs(atMs);
  }

  /** Whether there are workgroups that nobody has begun. */
  hasUnclaimed(): boolean {
    for (let slot = 0; slot < SLOT_COUNT; slot += 1) if (this.#isClaimable(slotWord(slot))) return true;
    return false;
  }

  /** Whether there is a dispatch that this worker has no part in and could take. */
  hasNew(): boolean {
    return this.#oldestSlot('new') >= 0;
  }

  /** Resumes a run; false when its queue is paused. */
  #turn(run: Run, turnMs: number): boolean {
    const word = slotWord(run.slot);
    if (this.#isAborted(word)) {
      this.#executor.drop(run.run);
      this.#drop(run);
      return true;
    }
    if (!this.#isEnabled(word)) return false;
    const entry = this.#entryOf(word);
    const begun = this.#ledger.isOpen(entry) ? this.#now() : undefined;
    const outcome = this.#guard(run.slot, run.known.dispatch, () => this.#executor.resume(run.run, turnMs));
    if (begun !== undefined) this.#ledger.pay(entry, this.#microsecondsSince(begun));
    if (outcome === undefined) {
      this.#drop(run);
      return true;
    }
    switch (outcome.kind) {
      case 'done':
        this.#finish(run);
        return true;
      case 'yield':
        run.hasYielded = true;
        this.#count(run, Math.floor(run.run.finishedGroups / this.#unitGroups(run.slot)));
        return true;
      case 'fault':
        this.#fault(run.slot, run.known.dispatch, outcome.fault, inactiveValueOf(outcome.fault));
        this.#drop(run);
        return true;
    }
  }

  /** Takes a chunk of the oldest dispatch that has some left; `new`: and that has no run here. */
  #claim(which: 'any' | 'new'): boolean {
    const slot = this.#oldestSlot(which);
    if (slot < 0) return false;
    const { words } = this.#views;
    const word = slotWord(slot);
    // From here to the release nobody reuses the slot.
    Atomics.add(words, word + SlotField.holders, 1);
    const entry = this.#entryOf(word);
    const isMine = this.#isClaimable(word) && this.#ledger.take(entry);
    const begun = this.#ledger.isOpen(entry) ? this.#now() : undefined;
    const known = isMine ? this.#prepare(slot, word) : undefined;
    // Compiling takes its time; the queue may be gone by now.
    const first = known === undefined || this.#isAborted(word) ? -1 : this.#claimUnits(word, known);
    if (isMine && begun !== undefined) this.#ledger.setPrice(entry, this.#microsecondsSince(begun));
    if (known === undefined || first < 0) {
      this.#release(slot);
      return known === undefined || this.#isAborted(word);
    }
    return true;
  }

  /** Claims as many units as fit a chunk's time, and starts them; -1 when others took the rest. */
  #claimUnits(word: number, known: Known): number {
    const { words } = this.#views;
    const total = words[word + SlotField.units] ?? 0;
    const remaining = total - Atomics.load(words, word + SlotField.nextUnit);
    const workers = Math.max(1, Atomics.load(words, WORKER_COUNT));
    const speed = this.#speeds.get(known.dispatch.descriptorAddress);
    const byTime = speed === undefined ? 1 : Math.floor(CHUNK_US / speed);
    // Several chunks for each worker, so that they end together.
    const wanted = Math.max(1, Math.min(byTime, Math.floor(remaining / (2 * workers))));
    const first = Atomics.add(words, word + SlotField.nextUnit, wanted);
    if (first >= total) {
      // Kept near the total, so that it never overflows.
      Atomics.sub(words, word + SlotField.nextUnit, wanted);
      return -1;
    }
    const units = Math.min(wanted, total - first);
    if (first === 0) this.#noteStart(word);
    const unitGroups = words[word + SlotField.unitGroups] ?? 1;
    const firstGroup = first * unitGroups;
    const groups = Math.min(units * unitGroups, known.totalGroups - firstGroup);
    const slot = this.#slotOf(word);
    const startedNs = this.#now();
    const run = this.#guard(slot, known.dispatch, () => this.#executor.start(known.kernel, known.dispatch, firstGroup, groups));
    if (run === undefined) return -1;
    const entry: Run = { slot, known, run, units, counted: 0, startedNs, hasYielded: false };
    this.#runs.push(entry);
    this.#noteProgress(word, known.serial);
    this.#turn(entry, TURN_MS);
    return first;
  }

  #finish(run: Run): void {
    this.#stalledRounds = 0;
    this.#learn(run);
    this.#runs = this.#runs.filter((candidate) => candidate !== run);
    this.#count(run, run.units);
    this.#release(run.slot);
  }

  #drop(run: Run): void {
    this.#forecast.end();
    this.#runs = this.#runs.filter((candidate) => candidate !== run);
    this.#release(run.slot);
  }

  /** Counts finished units; who counts the last one completes the dispatch. */
  #count(run: Run, units: number): void {
    const added = units - run.counted;
    if (added <= 0) return;
    run.counted = units;
    const { words } = this.#views;
    const word = slotWord(run.slot);
    const before = Atomics.add(words, word + SlotField.finishedUnits, added);
    this.#noteProgress(word, run.known.serial);
    if (before + added === words[word + SlotField.units]) this.#complete(run.slot, word, run.known.dispatch);
  }

  #complete(slot: number, word: number, dispatch: Dispatch): void {
    const { words, longs } = this.#views;
    const signal = (words[word + SlotField.completionSignal] ?? 0) >>> 0;
    if (signal !== 0 && Atomics.load(words, word + SlotField.abort) === 0) {
      const amdQueue = (words[word + SlotField.amdQueue] ?? 0) >>> 0;
      if (!isMapped(this.#views, signal, PAGE_WRITE)) {
        this.#failCompletion(slot, dispatch, signal, 'the completion signal');
      } else {
        if (isProfiled(this.#views, amdQueue)) {
          const start = Atomics.load(longs, (word + SlotField.startTicks) / 2);
          writeTimes(this.#views, signal, { start, end: ticksOfNs(this.#now()) });
        }
        if (!completeSignal(this.#views, signal))
          this.#failCompletion(slot, dispatch, signal, 'the mailbox of the completion signal');
      }
    }
    Atomics.store(words, word + SlotField.state, SlotState.done);
    wakeProcessor(words);
  }

  #failCompletion(slot: number, dispatch: Dispatch, signal: number, what: string): void {
    const address = this.#views.addresses.addressOf(signal);
    const message = `${what} (signal 0x${(address ?? 0n).toString(16)}) is no longer mapped on the GPU`;
    const fault = { kind: 'packet', message, bytes: '', ...(address === undefined ? {} : { address }) } as const;
    this.#fault(slot, dispatch, fault, InactiveValue.memoryViolation);
  }

  /** The first fault of a dispatch is reported, unless it is to end anyway; all its workers stop. */
  #fault(slot: number, dispatch: Dispatch, fault: DeviceFault['fault'], value: InactiveValue): void {
    const { words } = this.#views;
    const word = slotWord(slot);
    if (this.#isAborted(word) || Atomics.compareExchange(words, word + SlotField.fault, 0, 1) !== 0) return;
    words[word + SlotField.faultValue] = value;
    const queueIndex = words[word + SlotField.queueIndex] ?? 0;
    leaveReport(this.#views, slotReport(slot), {
      gpuId: this.#gpus[words[word + SlotField.gpuIndex] ?? 0]?.id ?? 0,
      queueId: queueIndex,
      packetIndex: dispatch.dispatchId,
      kernelObject: dispatch.descriptorAddress,
      inactiveValue: BigInt(value),
      fault,
    });
    Atomics.store(words, word + SlotField.abort, 1);
  }

  /** Lets go of a slot; whoever is last of an aborted one leaves the rest to the command processor. */
  #release(slot: number): void {
    const { words } = this.#views;
    const word = slotWord(slot);
    const before = Atomics.sub(words, word + SlotField.holders, 1);
    if (before === 1 && Atomics.load(words, word + SlotField.abort) !== 0) wakeProcessor(words);
  }

  /** Decodes the slot and has the kernel compiled, once for each dispatch. Undefined when that faults. */
  #prepare(slot: number, word: number): Known | undefined {
    const { words } = this.#views;
    const serial = words[word + SlotField.serial] ?? 0;
    const known = this.#known[slot];
    if (known?.serial === serial) return known;
    const dispatch = readDispatch(this.#views, word, this.#gpus);
    const kernel = this.#prepareKernel(slot, dispatch);
    if (kernel === undefined) return undefined;
    const totalGroups = dispatch.groups[0] * dispatch.groups[1] * dispatch.groups[2];
    const fresh: Known = { serial, dispatch, kernel, totalGroups };
    this.#known[slot] = fresh;
    return fresh;
  }

  #prepareKernel(slot: number, dispatch: Dispatch): PreparedKernel | undefined {
    const prepared = this.#guard(slot, dispatch, () => this.#executor.prepare(dispatch));
    if (prepared === undefined || !('kind' in prepared)) return prepared;
    this.#fault(slot, dispatch, prepared, inactiveValueOf(prepared));
    return undefined;
  }

  /** A dispatch that the executor refuses stops the queue (then undefined); any other error is a bug and ends the device. */
  #guard<T>(slot: number, dispatch: Dispatch, call: () => T): T | undefined {
    try {
      return call();
    } catch (error) {
      if (!isHsaError(error)) throw error;
      const fault: DispatchFault = { kind: 'dispatch', message: error.message };
      this.#fault(slot, dispatch, fault, REFUSALS[error.code] ?? InactiveValue.other);
      return undefined;
    }
  }

  #oldestSlot(which: 'any' | 'new'): number {
    const { words } = this.#views;
    let oldest = -1;
    let serial = 0;
    for (let slot = 0; slot < SLOT_COUNT; slot += 1) {
      const word = slotWord(slot);
      if (!this.#isClaimable(word)) continue;
      if (which === 'new' && this.#runs.some((run) => run.slot === slot)) continue;
      const candidate = words[word + SlotField.serial] ?? 0;
      if (!this.#ledger.mayTake(this.#entryOf(word))) {
        this.#passOn(slot, candidate);
        continue;
      }
      // Serials wrap; their difference does not.
      if (oldest >= 0 && ((candidate - serial) | 0) >= 0) continue;
      oldest = slot;
      serial = candidate;
    }
    return oldest;
  }

  /** A dispatch is for the worker that has the kernel, and that may sleep: another one was woken first. */
  #passOn(slot: number, serial: number): void {
    if (this.#passedOn[slot] === serial) return;
    this.#passedOn[slot] = serial;
    wakeWorkers(this.#views.words);
  }

  // hot
  #isClaimable(word: number): boolean {
    const { words } = this.#views;
    return (
      Atomics.load(words, word + SlotField.state) === SlotState.running &&
      Atomics.load(words, word + SlotField.abort) === 0 &&
      Atomics.load(words, word + SlotField.nextUnit) < (words[word + SlotField.units] ?? 0) &&
      this.#isEnabled(word)
    );
  }

  /** Memory offset of the kernel's first instruction. */
  #entryOf(word: number): number {
    return this.#views.words[word + SlotField.entryAddress] ?? 0;
  }

  #microsecondsSince(begun: bigint): number {
    return Number(this.#now() - begun) / 1000;
  }

  #isAborted(word: number): boolean {
    return Atomics.load(this.#views.words, word + SlotField.abort) !== 0;
  }

  #isEnabled(word: number): boolean {
    const { words } = this.#views;
    return Atomics.load(words, queueWord(words[word + SlotField.queueIndex] ?? 0) + QueueField.isEnabled) !== 0;
  }

  #noteStart(word: number): void {
    Atomics.store(this.#views.longs, (word + SlotField.startTicks) / 2, ticksOfNs(this.#now()));
  }

  // hot
  #noteProgress(word: number, serial: number): void {
    const { words } = this.#views;
    const finished = Atomics.load(words, word + SlotField.finishedUnits);
    this.#forecast.note(serial, finished, words[word + SlotField.units] ?? 0, this.workMs());
  }

  #learn(run: Run): void {
    // A kernel that yields is long, or waits for other workgroups: it gets its workgroups one by one.
    const us = run.hasYielded ? CHUNK_US * run.units : Number(this.#now() - run.startedNs) / 1000;
    if (this.#speeds.size >= MAX_KNOWN_SPEEDS) this.#speeds.clear();
    this.#speeds.set(run.known.dispatch.descriptorAddress, Math.max(us / run.units, 0.001));
  }

  #unitGroups(slot: number): number {
    return this.#views.words[slotWord(slot) + SlotField.unitGroups] ?? 1;
  }

  #slotOf(word: number): number {
    return (word - slotWord(0)) / (slotWord(1) - slotWord(0));
  }
}

const QUEUE_PROPERTIES = AMD_QUEUE.offsetOf('queue_properties');

/** What user space finds in the inactive signal when the executor refuses a dispatch. */
const REFUSALS: Readonly<Partial<Record<string, InactiveValue>>> = {
  ERR_OUT_OF_REGISTERS: InactiveValue.outOfRegisters,
  ERR_CODE_OBJECT: InactiveValue.invalidCode,
  ERR_INVALID_ARGUMENT: InactiveValue.groupTooLarge,
};

function inactiveValueOf(fault: WaveFault): InactiveValue {
  switch (fault.kind) {
    case 'memory':
    case 'aperture':
    case 'code-fetch':
      return InactiveValue.memoryViolation;
    case 'illegal-instruction':
      return InactiveValue.illegalInstruction;
    case 'trap':
      return InactiveValue.trap;
  }
}

/** amd_hsa_queue.h: queue_properties, ENABLE_PROFILING. */
function isProfiled({ words }: MemoryViews, amdQueue: number): boolean {
  return amdQueue !== 0 && ((words[(amdQueue + QUEUE_PROPERTIES) / 4] ?? 0) & AmdQueueProperties.enableProfiling) !== 0;
}
