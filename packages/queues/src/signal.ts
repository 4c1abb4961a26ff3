import {
  AMD_SIGNAL,
  AMD_SIGNAL_BYTES,
  AmdSignalKind,
  HsaError,
  SHARED_SIGNAL,
  SHARED_SIGNAL_BYTES,
  SHARED_SIGNAL_ID,
} from '@doorbell/abi';
import type { EventMonitor } from './event-monitor.js';
import { highHalf, loadInt64, lowHalf, storeUint53 } from './words64.js';

/** Memory of one signal and who owns it; made by {@link SignalPool}. */
export interface SignalSlot {
  readonly address: bigint;
  /** The block's bytes; the signal starts at `offset`. */
  readonly bytes: Uint8Array;
  readonly offset: number;
  readonly monitor: EventMonitor;
  release(): void;
}

/** How to make a signal. */
export interface SignalOptions {
  /** Default: 0. */
  readonly value?: bigint | number;
  /** For messages. */
  readonly label?: string;
  /** `interrupt`: a device that completes it wakes waiters; `polled`: waiters look every millisecond. Default: `interrupt`. */
  readonly wake?: 'interrupt' | 'polled';
}

const KIND = AMD_SIGNAL.fields.kind.offset;
const VALUE = AMD_SIGNAL.fields.value.offset;
const START = AMD_SIGNAL.fields.start_ts.offset;
const END = AMD_SIGNAL.fields.end_ts.offset;

/**
 * An `amd_signal_t` in memory that devices and host share. Its handle is its address. Whoever made it disposes it, after the last
 * packet that names it has completed.
 */
export class Signal implements Disposable {
  readonly handle: bigint;
  /** The handle's halves, for writing packets without BigInt. */
  readonly handleLow: number;
  readonly handleHigh: number;
  readonly label: string;
  readonly wake: 'interrupt' | 'polled';
  readonly monitor: EventMonitor;
  readonly #slot: SignalSlot;
  readonly #words: Int32Array;
  readonly #wide: BigInt64Array;
  readonly #floats: Float64Array;
  #isDisposed = false;

  constructor(slot: SignalSlot, options: SignalOptions = {}) {
    this.#slot = slot;
    this.handle = slot.address;
    this.handleLow = lowHalf(slot.address);
    this.handleHigh = highHalf(slot.address);
    this.wake = options.wake ?? 'interrupt';
    this.label = options.label ?? `signal 0x${slot.address.toString(16)}`;
    this.monitor = slot.monitor;
    const { buffer, byteOffset } = slot.bytes;
    const start = byteOffset + slot.offset;
    slot.bytes.fill(0, slot.offset, slot.offset + SHARED_SIGNAL_BYTES);
    this.#words = new Int32Array(buffer, start, AMD_SIGNAL_BYTES / 4);
    this.#wide = new BigInt64Array(buffer, start, AMD_SIGNAL_BYTES / 8);
    this.#floats = new Float64Array(buffer, start, AMD_SIGNAL_BYTES / 8);
    SHARED_SIGNAL.write(slot.bytes, { id: SHARED_SIGNAL_ID }, slot.offset);
    const event = slot.monitor.event;
    AMD_SIGNAL.write(
      slot.bytes,
      {
        value: BigInt(options.value ?? 0),
        ...(this.wake === 'interrupt' ? { event_mailbox_ptr: event.mailboxAddress, event_id: event.id } : {}),
      },
      slot.offset,
    );
    // The kind makes it valid, so it comes last.
    Atomics.store(this.#wide, KIND / 8, AmdSignalKind.user);
  }

  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  /** The value, acquire order. */
  load(): bigint {
    return Atomics.load(this.#live(), VALUE / 8);
  }

  /** The value without BigInt; exact within ±2^53. */
  // hot
  loadNumber(): number {
    if (this.#isDisposed) this.#live();
    return loadInt64(this.#words, VALUE / 4);
  }

  /** Sets the value, release order, and wakes waiters. */
  store(value: bigint): void {
    Atomics.store(this.#live(), VALUE / 8, value);
    this.monitor.rescan();
  }

  /** Arms the signal again with a non-negative safe integer, without BigInt; time stamps are cleared. Nobody may be waiting. */
  // hot
  rearm(value: number): void {
    if (this.#isDisposed) this.#live();
    this.#floats[START / 8] = 0;
    this.#floats[END / 8] = 0;
    storeUint53(this.#floats, VALUE / 8, value);
  }

  /** Atomic operations return the value before, as `hsa_signal_exchange` and its kin do. */
  exchange(value: bigint): bigint {
    return this.#changed(Atomics.exchange(this.#live(), VALUE / 8, value));
  }

  compareExchange(expected: bigint, value: bigint): bigint {
    return this.#changed(Atomics.compareExchange(this.#live(), VALUE / 8, expected, value));
  }

  add(value: bigint): bigint {
    return this.#changed(Atomics.add(this.#live(), VALUE / 8, value));
  }

  subtract(value: bigint): bigint {
    return this.#changed(Atomics.sub(this.#live(), VALUE / 8, value));
  }

  and(value: bigint): bigint {
    return this.#changed(Atomics.and(this.#live(), VALUE / 8, value));
  }

  or(value: bigint): bigint {
    return this.#changed(Atomics.or(this.#live(), VALUE / 8, value));
  }

  xor(value: bigint): bigint {
    return this.#changed(Atomics.xor(this.#live(), VALUE / 8, value));
  }

  /** Time stamps that a profiled packet left, in ticks of the GPU's clock; both 0n when it left none. */
  timestamps(): { readonly startTicks: bigint; readonly endTicks: bigint } {
    const wide = this.#live();
    return {
      startTicks: BigInt.asUintN(64, Atomics.load(wide, START / 8)),
      endTicks: BigInt.asUintN(64, Atomics.load(wide, END / 8)),
    };
  }

  dispose(): void {
    if (this.#isDisposed) return;
    Atomics.store(this.#wide, KIND / 8, AmdSignalKind.invalid);
    this.#isDisposed = true;
    this.#slot.release();
    // Whoever still waits for it learns that it is gone.
    this.monitor.rescan();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  #live(): BigInt64Array {
    if (!this.#isDisposed) return this.#wide;
    throw new HsaError('ERR_DISPOSED', { message: `${this.label} was disposed`, details: { signal: this.handle } });
  }

  #changed(before: bigint): bigint {
    this.monitor.rescan();
    return before;
  }
}
