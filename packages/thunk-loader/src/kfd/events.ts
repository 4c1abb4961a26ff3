import type { HostBuffer, HsaError as HsaErrorType, KfdDevice } from '@doorbell/abi';
import { HsaError, kfd } from '@doorbell/abi';
import { EAGAIN, EINTR, EINVAL, EIO } from '../errno.js';
import { hwException, memoryException, orEnded, waitInSlices } from '../event-waits.js';
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
import { EVENT_PAGE_BYTES, SINCE_MINOR } from '../driver-constants.js';
import { RETRIES, callKfd, ioctlError, tryKfd } from './ioctl.js';
import type { KfdMemory } from './memory.js';
import type { KfdProcess } from './process.js';

const CREATE_EVENT = { name: 'CREATE_EVENT', request: kfd.AMDKFD_IOC_CREATE_EVENT, layout: kfd.kfd_ioctl_create_event_args };
const DESTROY_EVENT = { name: 'DESTROY_EVENT', request: kfd.AMDKFD_IOC_DESTROY_EVENT, layout: kfd.kfd_ioctl_destroy_event_args };
const SET_EVENT = { name: 'SET_EVENT', request: kfd.AMDKFD_IOC_SET_EVENT, layout: kfd.kfd_ioctl_set_event_args };
const RESET_EVENT = { name: 'RESET_EVENT', request: kfd.AMDKFD_IOC_RESET_EVENT, layout: kfd.kfd_ioctl_reset_event_args };

const EVENT_DATA = kfd.kfd_event_data;
const WAIT_ARGS = kfd.kfd_ioctl_wait_events_args;
/** Offset of signal_event_data.last_event_age: it overlaps the other kinds' data. */
const AGE_OFFSET = EVENT_DATA.offsetOf('signal_event_data.last_event_age');

/** An event of a wait, with the age that goes to the driver and comes back; 0n: not counted. */
interface Entry {
  readonly event: ThunkEvent;
  age: bigint;
}

/** Events of one thunk. */
export class KfdEvents {
  readonly #device: KfdDevice;
  readonly #process: KfdProcess;
  readonly #memory: KfdMemory;
  readonly #live = new Set<ThunkEvent>();
  /**
   * Age of each signal event as last seen, so that a set between two waits is never missed, whoever else waits.
   * Empty for drivers that do not count.
   */
  readonly #ages = new Map<number, bigint>();
  readonly #pending = new Set<Promise<number>>();

  constructor(device: KfdDevice, process: KfdProcess, memory: KfdMemory) {
    this.#device = device;
    this.#process = process;
    this.#memory = memory;
  }

  get live(): readonly ThunkEvent[] {
    return [...this.#live];
  }

  create({ kind, reset = 'auto' }: { readonly kind: EventKind; readonly reset?: 'auto' | 'manual' }): ThunkEvent {
    const page = this.#process.eventPage;
    const answer = page === undefined ? this.#createFirst(kind, reset) : this.#create(kind, reset, 0n);
    const pageAddress = this.#process.eventPage?.address ?? 0n;
    const event: ThunkEvent = Object.freeze({
      id: answer.event_id,
      kind,
      reset,
      mailboxAddress: kind === 'signal' || kind === 'debug' ? pageAddress + BigInt(answer.event_slot_index) * 8n : 0n,
    });
    this.#live.add(event);
    // The driver's count starts at 1, and 0 asks for no comparison.
    if (kind === 'signal' && this.#process.version.minor >= SINCE_MINOR.EVENT_AGE) this.#ages.set(event.id, 1n);
    return event;
  }

  set(event: ThunkEvent): void {
    this.#check(event);
    callKfd(this.#device, SET_EVENT, { args: { event_id: event.id }, purpose: purposeOf('setting', event) });
  }

  reset(event: ThunkEvent): void {
    this.#check(event);
    callKfd(this.#device, RESET_EVENT, { args: { event_id: event.id }, purpose: purposeOf('resetting', event) });
  }

  destroy(event: ThunkEvent): void {
    this.#check(event);
    callKfd(this.#device, DESTROY_EVENT, { args: { event_id: event.id }, purpose: purposeOf('destroying', event) });
    this.#live.delete(event);
    this.#ages.delete(event.id);
  }

  async wait(targets: readonly WaitTarget[], options: WaitEventsOptions): Promise<WaitOutcome> {
    const { mode = 'any', signal } = options;
    const entries = targets.map((target) => this.#entryOf(target));
    let interruptions = 0;
    return waitInSlices(options, async (sliceMs) => {
      const outcome = await this.#waitSlice(entries, { mode, sliceMs, signal, interruptions });
      interruptions = outcome === 'interrupted' ? interruptions + 1 : 0;
      return outcome;
    });
  }

  /** Resolves when no wait is in the driver any more; events must have been destroyed before, which ends the waits. */
  async drain(): Promise<void> {
    await Promise.allSettled([...this.#pending]);
  }

  /** The first event of a process brings the page in which GPUs signal: GTT that is uncached and reachable from every GPU. */
  #createFirst(kind: EventKind, reset: 'auto' | 'manual') {
    const [first, ...others] = this.#process.renderFiles.keys();
    if (first === undefined) throw invalid('a process without GPU has no events');
    const page = this.#memory.allocate({
      kind: 'gtt',
      gpuIds: [first, ...others],
      sizeBytes: EVENT_PAGE_BYTES,
      executable: true,
      uncached: true,
    });
    try {
      const answer = this.#create(kind, reset, page.handle);
      this.#memory.disown(page);
      this.#process.eventPage = page;
      return answer;
    } catch (error) {
      try {
        this.#memory.free(page);
      } catch {
        // EPERM: the driver took the page before it failed, and keeps it for the process.
        this.#memory.disown(page);
        this.#process.eventPage = page;
      }
      throw error;
    }
  }

  #create(kind: EventKind, reset: 'auto' | 'manual', pageHandle: bigint) {
    return callKfd(this.#device, CREATE_EVENT, {
      args: { event_page_offset: pageHandle, event_type: EVENT_TYPES[kind], auto_reset: reset === 'auto' ? 1 : 0 },
      purpose: { doing: `creating a ${kind} event` },
    });
  }

  /** The age that the caller names, else the one that this thunk saw last. */
  #entryOf(target: WaitTarget): Entry {
    const { event, lastAge } = 'event' in target ? target : { event: target, lastAge: undefined };
    this.#check(event);
    if (lastAge !== undefined && !this.#ages.has(event.id)) {
      const { major, minor } = this.#process.version;
      throw new HsaError('ERR_NOT_SUPPORTED', {
        message: `the driver counts no age of ${event.kind} event ${event.id} (interface version ${major}.${minor}; signals from ${major}.${SINCE_MINOR.EVENT_AGE} on)`,
        details: { eventId: event.id },
      });
    }
    return { event, age: lastAge ?? this.#ages.get(event.id) ?? 0n };
  }

  #check(event: ThunkEvent): void {
    if (this.#live.has(event)) return;
    throw new HsaError('ERR_DISPOSED', {
      message: `event ${event.id} was destroyed, or is another thunk's`,
      details: { eventId: event.id },
    });
  }

  async #waitSlice(
    entries: readonly Entry[],
    how: {
      readonly mode: 'any' | 'all';
      readonly sliceMs: number;
      readonly signal: AbortSignal | undefined;
      readonly interruptions: number;
    },
  ): Promise<WaitOutcome | 'interrupted'> {
    const buffer = this.#device.hostBuffer(Math.max(1, entries.length) * EVENT_DATA.sizeBytes);
    entries.forEach(({ event, age }, i) => {
      const at = i * EVENT_DATA.sizeBytes;
      EVENT_DATA.write(buffer.bytes, { event_id: event.id }, at);
      // The age overlaps what other kinds report, which must be zero before.
      if (age !== 0n) viewOf(buffer).setBigUint64(at + AGE_OFFSET, age, true);
    });
    const args = WAIT_ARGS.create({
      events_ptr: buffer.address,
      num_events: entries.length,
      wait_for_all: how.mode === 'all' ? 1 : 0,
      timeout: how.sliceMs,
    });
    const call = this.#device.waitIoctl(kfd.AMDKFD_IOC_WAIT_EVENTS, args);
    this.#pending.add(call);
    // The buffer stays the driver's until it answers, also when the wait is abandoned or cannot be issued at all.
    let isAbandoned = false;
    const settled = call
      .then((result) => {
        const { wait_result: waitResult } = WAIT_ARGS.read(args);
        if (!isAbandoned) return this.#outcome(result, { entries, buffer, waitResult, interruptions: how.interruptions });
        this.#passOn(result, entries, waitResult);
        return 'interrupted';
      })
      .finally(() => {
        this.#pending.delete(call);
        buffer[Symbol.dispose]();
      });
    return orEnded(settled, { signal: how.signal, abandon: () => (isAbandoned = true) });
  }

  /** An abandoned wait may have taken an event from an auto-reset signal: without ages to tell, it is set again. */
  #passOn(result: number, entries: readonly Entry[], waitResult: number): void {
    if (result < 0 || waitResult !== kfd.KFD_IOC_WAIT_RESULT_COMPLETE) return;
    for (const { event } of entries) {
      if (event.kind === 'signal' && this.#live.has(event) && !this.#ages.has(event.id)) {
        tryKfd(this.#device, SET_EVENT, { event_id: event.id });
      }
    }
  }

  #outcome(
    result: number,
    wait: {
      readonly entries: readonly Entry[];
      readonly buffer: HostBuffer;
      readonly waitResult: number;
      readonly interruptions: number;
    },
  ): WaitOutcome | 'interrupted' {
    const { entries, buffer, waitResult } = wait;
    if ((result === -EINTR || result === -EAGAIN) && wait.interruptions < RETRIES) return 'interrupted';
    const ids = entries.map(({ event }) => event.id);
    if (
      result === -EIO ||
      waitResult === kfd.KFD_IOC_WAIT_RESULT_FAIL ||
      (result === -EINVAL && entries.some(({ event }) => !this.#live.has(event)))
    ) {
      throw destroyedError(ids);
    }
    if (result < 0) {
      throw ioctlError(this.#device, 'WAIT_EVENTS', {
        errno: -result,
        purpose: { doing: `waiting for events ${ids.join(', ')}` },
        args: { events: ids },
      });
    }
    const isComplete = waitResult !== kfd.KFD_IOC_WAIT_RESULT_TIMEOUT;
    const data = isComplete ? this.#readData(entries, buffer) : { memoryExceptions: [], hwExceptions: [] };
    return { result: isComplete ? 'complete' : 'timeout', ...data, ages: entries.map(({ age }) => age) };
  }

  #readData(entries: readonly Entry[], buffer: HostBuffer) {
    const memoryExceptions: MemoryException[] = [];
    const hwExceptions: HwException[] = [];
    entries.forEach((entry, i) => {
      const at = i * EVENT_DATA.sizeBytes;
      switch (entry.event.kind) {
        case 'signal':
          if (entry.age === 0n) break;
          entry.age = viewOf(buffer).getBigUint64(at + AGE_OFFSET, true);
          this.#ages.set(entry.event.id, entry.age);
          break;
        case 'memory-exception': {
          const { va, gpu_id: gpuId, failure, ErrorType } = EVENT_DATA.read(buffer.bytes, at).memory_exception_data;
          // An event that did not fire leaves the structure zeroed: no GPU has id 0.
          if (gpuId === 0) break;
          const { NotPresent: notPresent, ReadOnly: readOnly, NoExecute: noExecute, imprecise } = failure;
          const bits = { notPresent, readOnly, noExecute, imprecise };
          memoryExceptions.push(memoryException({ gpuId, address: va, ...bits, errorType: ErrorType }));
          break;
        }
        case 'hw-exception': {
          const data = EVENT_DATA.read(buffer.bytes, at).hw_exception_data;
          if (data.gpu_id === 0) break;
          const { gpu_id: gpuId, reset_type: resetType, reset_cause: resetCause, memory_lost: memoryLost } = data;
          hwExceptions.push(hwException({ gpuId, resetType, resetCause, memoryLost }));
          break;
        }
        default:
          // The driver reports nothing with the other kinds.
          break;
      }
    });
    return { memoryExceptions, hwExceptions };
  }
}

function viewOf(buffer: HostBuffer): DataView {
  return new DataView(buffer.bytes.buffer, buffer.bytes.byteOffset, buffer.bytes.byteLength);
}

function purposeOf(verb: string, event: ThunkEvent) {
  return { doing: `${verb} ${event.kind} event ${event.id}` };
}

function invalid(message: string): HsaErrorType {
  return new HsaError('ERR_INVALID_ARGUMENT', { message });
}

function destroyedError(ids: readonly number[]): HsaErrorType {
  return new HsaError('ERR_DISPOSED', {
    message: `an event was destroyed while it was waited for (events ${ids.join(', ')})`,
    errno: EIO,
    details: { events: ids, ioctl: 'WAIT_EVENTS' },
  });
}
