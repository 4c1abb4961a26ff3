/** Events through libhsakmt. A wait blocks a thread of its own, and the library reads each event's record when the wait ends. */
import { HsaError, hsakmt, hsakmtB } from '@doorbell/abi';
import { hwException, memoryException, orEnded, waitInSlices } from '../event-waits.js';
import { SINCE_MINOR } from '../driver-constants.js';
import type { Libc } from '../linux/libc.js';
import type {
  EventKind,
  HwException,
  MemoryException,
  ThunkEvent,
  WaitEventsOptions,
  WaitOutcome,
  WaitTarget,
} from '../thunk.js';
import { EVENT_TYPES } from '../wire-types.js';
import type { HsakmtSession } from './session.js';
import type { HsakmtResult } from './status.js';
import { hsakmtError } from './status.js';

/** The record has one size in both generations; A leaves the part about hardware exceptions alone. */
const EVENT = hsakmtB.HsaEvent;
const NODE_OFFSET: number = EVENT.offsetOf('EventData.EventData.MemoryAccessFault.NodeId');
/** No node: what stands in a record that nothing was reported in. */
const NO_NODE = 0xffff_ffff;

interface LiveEvent {
  readonly event: ThunkEvent;
  /** The library's record, which it frees with the event. */
  readonly record: bigint;
  readonly bytes: Uint8Array;
  /** How often it was set as last seen; undefined where nobody counts. */
  age: bigint | undefined;
  /** Calls that have the record in use. */
  readonly waits: Set<Slice>;
  /** Rejects the waits that are under way. */
  readonly onDestroy: Set<(error: HsaError) => void>;
}

/** One call of the library's wait. */
interface Slice {
  readonly startedAt: number;
}

/** An event of a wait, with the age that goes to the driver and comes back; 0n: not counted. */
interface Entry {
  readonly live: LiveEvent;
  age: bigint;
}

/** Events of one thunk. */
export class HsakmtEvents {
  readonly #session: HsakmtSession;
  readonly #libc: Libc;
  readonly #live = new Map<ThunkEvent, LiveEvent>();
  readonly #pending = new Set<Promise<unknown>>();
  /** Orders slices and what ends them. */
  #clock = 0;

  constructor(session: HsakmtSession, libc: Libc) {
    this.#session = session;
    this.#libc = libc;
  }

  get live(): readonly ThunkEvent[] {
    return [...this.#live.keys()];
  }

  /** The library's record of an event. @throws {HsaError} ERR_INVALID_ARGUMENT when there is no such event. */
  recordOf(eventId: number): bigint {
    const live = [...this.#live.values()].find(({ event }) => event.id === eventId);
    if (live !== undefined) return live.record;
    throw new HsaError('ERR_INVALID_ARGUMENT', { message: `this thunk has no event ${eventId}`, details: { eventId } });
  }

  create({ kind, reset = 'auto' }: { readonly kind: EventKind; readonly reset?: 'auto' | 'manual' }): ThunkEvent {
    const { library } = this.#session;
    const descriptor = library.layouts.HsaEventDescriptor.create({ EventType: EVENT_TYPES[kind] });
    const out = new BigUint64Array(1);
    library.call('hsaKmtCreateEvent', [descriptor, reset === 'manual', false, out], { doing: `creating a ${kind} event` });
    const [record = 0n] = out;
    const bytes = this.#libc.view(record, EVENT.sizeBytes);
    const { EventId: id, EventData: data } = EVENT.read(bytes);
    const hasMailbox = kind === 'signal' || kind === 'debug';
    const event: ThunkEvent = Object.freeze({ id, kind, reset, mailboxAddress: hasMailbox ? data.HWData2 : 0n });
    // The driver's count starts at 1, and 0 asks for no comparison.
    const age = kind === 'signal' && this.#hasAges() ? 1n : undefined;
    this.#live.set(event, { event, record, bytes, age, waits: new Set(), onDestroy: new Set() });
    return event;
  }

  set(event: ThunkEvent): void {
    const { record } = this.#liveEvent(event);
    this.#session.library.call('hsaKmtSetEvent', [record], { doing: `setting ${describe(event)}` });
  }

  reset(event: ThunkEvent): void {
    const { record } = this.#liveEvent(event);
    this.#session.library.call('hsaKmtResetEvent', [record], { doing: `resetting ${describe(event)}` });
  }

  /** Waits end at once; the library frees the record as soon as no wait of it reads it any more. */
  destroy(event: ThunkEvent): void {
    const { library } = this.#session;
    const live = this.#liveEvent(event);
    if (live.waits.size === 0) {
      library.call('hsaKmtDestroyEvent', [live.record], { doing: `destroying ${describe(event)}` });
    } else {
      // The waits that are in the driver come back the sooner.
      if (event.kind === 'signal' || event.kind === 'debug') library.tryCall('hsaKmtSetEvent', [live.record]);
    }
    this.#live.delete(event);
    for (const reject of [...live.onDestroy]) reject(destroyedError(event));
  }

  async wait(targets: readonly WaitTarget[], options: WaitEventsOptions): Promise<WaitOutcome> {
    const { mode = 'any', signal } = options;
    const entries = targets.map((target) => this.#entryOf(target));
    return waitInSlices(options, async (sliceMs) => this.#waitSlice(entries, { mode, sliceMs, signal }));
  }

  /** Resolves when no wait is in the library any more, and no record is left to be freed. */
  async drain(): Promise<void> {
    await Promise.allSettled([...this.#pending]);
  }

  #hasAges(): boolean {
    const { library, version } = this.#session;
    return version.minor >= SINCE_MINOR.EVENT_AGE && library.has('hsaKmtWaitOnMultipleEvents_Ext');
  }

  /** The age that the caller names, else the one that this thunk saw last. */
  #entryOf(target: WaitTarget): Entry {
    const { event, lastAge } = 'event' in target ? target : { event: target, lastAge: undefined };
    const live = this.#liveEvent(event);
    if (lastAge !== undefined && live.age === undefined) {
      const { library, version } = this.#session;
      throw new HsaError('ERR_NOT_SUPPORTED', {
        message: `${library.path}: nobody counts the age of ${describe(event)} (generation ${library.generation}, interface version ${version.major}.${version.minor}; signals from ${version.major}.${SINCE_MINOR.EVENT_AGE} on)`,
        details: { eventId: event.id },
      });
    }
    return { live, age: lastAge ?? live.age ?? 0n };
  }

  #liveEvent(event: ThunkEvent): LiveEvent {
    const live = this.#live.get(event);
    if (live !== undefined) return live;
    throw new HsaError('ERR_DISPOSED', {
      message: `event ${event.id} was destroyed, or is another thunk's`,
      details: { eventId: event.id },
    });
  }

  async #waitSlice(
    entries: readonly Entry[],
    how: { readonly mode: 'any' | 'all'; readonly sliceMs: number; readonly signal: AbortSignal | undefined },
  ): Promise<WaitOutcome | 'interrupted'> {
    const destroyed = entries.find(({ live }) => !this.#live.has(live.event));
    if (destroyed !== undefined) throw destroyedError(destroyed.live.event);
    const slice: Slice = { startedAt: ++this.#clock };
    // koffi takes no empty array, and a wait for nothing is one.
    const ages = new BigUint64Array(Math.max(1, entries.length));
    entries.forEach(({ age }, i) => (ages[i] = age));
    for (const { live } of entries) {
      // Others may be reading what the driver reported to them.
      if (live.waits.size === 0 && isException(live)) viewOf(live).setUint32(NODE_OFFSET, NO_NODE, true);
      live.waits.add(slice);
    }
    const call = this.#issue(entries, how, ages);
    this.#pending.add(call);
    let isAbandoned = false;
    const settled = call
      .then((result) => {
        const endedAt = ++this.#clock;
        if (!isAbandoned) return this.#outcome(result, { entries, ages, slice, endedAt });
        this.#passOn(result, entries);
        return 'interrupted' as const;
      })
      .finally(() => {
        this.#pending.delete(call);
        for (const { live } of entries) this.#leave(live, slice);
      });
    const listeners = entries.map(({ live }) => live.onDestroy);
    return orEnded(settled, { signal: how.signal, abandon: () => (isAbandoned = true), listeners });
  }

  async #issue(
    entries: readonly Entry[],
    { mode, sliceMs }: { readonly mode: 'any' | 'all'; readonly sliceMs: number },
    ages: BigUint64Array,
  ): Promise<HsakmtResult> {
    const { library } = this.#session;
    const records = new BigUint64Array(Math.max(1, entries.length));
    entries.forEach(({ live }, i) => (records[i] = live.record));
    const isAll = mode === 'all';
    return this.#hasAges()
      ? library.callAsync('hsaKmtWaitOnMultipleEvents_Ext', [records, entries.length, isAll, sliceMs, ages])
      : library.callAsync('hsaKmtWaitOnMultipleEvents', [records, entries.length, isAll, sliceMs]);
  }

  /** Frees the record of an event that was destroyed meanwhile, when the last wait on it is over. */
  #leave(live: LiveEvent, slice: Slice): void {
    live.waits.delete(slice);
    if (live.waits.size > 0 || this.#live.has(live.event)) return;
    this.#session.library.tryCall('hsaKmtDestroyEvent', [live.record]);
  }

  /** An abandoned wait may have taken an event from an auto-reset signal: without ages to tell, it is set again. */
  #passOn({ status }: HsakmtResult, entries: readonly Entry[]): void {
    if (status !== hsakmt.HSAKMT_STATUS_SUCCESS) return;
    for (const { live } of entries) {
      if (live.age === undefined && isResettable(live) && this.#live.has(live.event)) {
        this.#session.library.tryCall('hsaKmtSetEvent', [live.record]);
      }
    }
  }

  #outcome(
    result: HsakmtResult,
    { entries, ages, slice, endedAt }: { entries: readonly Entry[]; ages: BigUint64Array; slice: Slice; endedAt: number },
  ): WaitOutcome {
    const { library } = this.#session;
    const destroyed = entries.find(({ live }) => !this.#live.has(live.event));
    if (destroyed !== undefined) throw destroyedError(destroyed.live.event);
    const { status } = result;
    if (status === hsakmt.HSAKMT_STATUS_WAIT_TIMEOUT) return outcomeOf('timeout', entries);
    if (status !== hsakmt.HSAKMT_STATUS_SUCCESS) {
      const events = entries.map(({ live }) => live.event.id);
      const doing = `waiting for events ${events.join(', ')}`;
      throw hsakmtError({ ...result, call: 'hsaKmtWaitOnMultipleEvents', path: library.path, doing, details: { events } });
    }
    entries.forEach((entry, i) => {
      if (entry.live.age === undefined) this.#wakeOthers(entry.live, { slice, endedAt });
      else entry.live.age = entry.age = ages[i] ?? 0n;
    });
    return outcomeOf('complete', entries, this.#exceptions(entries));
  }

  /**
   * A set wakes all who wait. Those whose thread was not in the driver yet find an auto-reset event taken, and without ages nothing
   * tells them: it is set again for them. One that was woken already wakes once more for nothing, which waits on signals allow.
   */
  #wakeOthers(live: LiveEvent, { slice, endedAt }: { readonly slice: Slice; readonly endedAt: number }): void {
    if (!isResettable(live)) return;
    const others = [...live.waits].some((other) => other !== slice && other.startedAt < endedAt);
    if (others) this.#session.library.tryCall('hsaKmtSetEvent', [live.record]);
  }

  #exceptions(entries: readonly Entry[]) {
    const memoryExceptions: MemoryException[] = [];
    const hwExceptions: HwException[] = [];
    for (const { live } of entries) {
      if (!isException(live) || viewOf(live).getUint32(NODE_OFFSET, true) === NO_NODE) continue;
      const { MemoryAccessFault: fault, HwException: reset } = EVENT.read(live.bytes).EventData.EventData;
      if (live.event.kind === 'memory-exception') {
        const {
          NotPresent: notPresent,
          ReadOnly: readOnly,
          NoExecute: noExecute,
          Imprecise: imprecise,
          ErrorType,
        } = fault.Failure;
        const bits = { notPresent, readOnly, noExecute, imprecise };
        const gpuId = this.#gpuOf(fault.NodeId);
        memoryExceptions.push(memoryException({ gpuId, address: fault.VirtualAddress, ...bits, errorType: ErrorType }));
      } else {
        const { ResetType: resetType, ResetCause: resetCause, MemoryLost: memoryLost } = reset;
        hwExceptions.push(hwException({ gpuId: this.#gpuOf(reset.NodeId), resetType, resetCause, memoryLost }));
      }
    }
    return { memoryExceptions, hwExceptions };
  }

  #gpuOf(nodeId: number): number {
    return this.#session.gpus.find((gpu) => gpu.nodeId === nodeId)?.gpuId ?? 0;
  }
}

function isException({ event }: LiveEvent): boolean {
  return event.kind === 'memory-exception' || event.kind === 'hw-exception';
}

function isResettable({ event }: LiveEvent): boolean {
  return event.reset === 'auto' && (event.kind === 'signal' || event.kind === 'debug');
}

function outcomeOf(
  result: WaitOutcome['result'],
  entries: readonly Entry[],
  exceptions: Pick<WaitOutcome, 'memoryExceptions' | 'hwExceptions'> = { memoryExceptions: [], hwExceptions: [] },
): WaitOutcome {
  return { result, ...exceptions, ages: entries.map(({ age }) => age) };
}

function viewOf({ bytes }: LiveEvent): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function describe(event: ThunkEvent): string {
  return `${event.kind} event ${event.id}`;
}

function destroyedError(event: ThunkEvent): HsaError {
  return new HsaError('ERR_DISPOSED', {
    message: `${describe(event)} was destroyed while it was waited for`,
    details: { eventId: event.id },
  });
}
