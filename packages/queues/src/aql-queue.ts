import {
  AMD_QUEUE,
  AMD_QUEUE_BYTES,
  AMD_SIGNAL,
  AQL_PACKET_BYTES,
  AqlPacketType,
  HsaError,
  KERNEL_DISPATCH_OFFSETS,
  hsa,
  isHsaError,
  releaseAll,
} from '@doorbell/abi';
import type { QueuePriority, Thunk, ThunkGpu, ThunkQueue } from '@doorbell/thunk-loader';
import type { BarrierFields, BarrierValueFields, DispatchFields } from './aql-packet.js';
import { AqlPacket } from './aql-packet.js';
import { DOORBELL_SIGNAL_OFFSET, describeQueue } from './describe-queue.js';
import { queueErrorOf } from './queue-error.js';
import { QueueFaults } from './queue-faults.js';
import { QueueParts } from './queue-parts.js';
import { QueueScratch } from './scratch.js';
import type { SignalPool } from './signal-pool.js';
import { SpaceWaiters } from './space-waiters.js';
import type { SubmitOptions, WatchedQueue } from './wait-signal.js';
import { advanceUint53, loadInt64 } from './words64.js';

/** Sizes that a ring may have, in packets: powers of two (ROCr GpuAgent::QueueCreate). */
export const MIN_QUEUE_PACKETS = 0x40;
export const MAX_QUEUE_PACKETS = 0x2_0000;

/** How to make a queue; see {@link AqlQueue.create}. */
export interface AqlQueueOptions {
  readonly thunk: Thunk;
  /** Signals of the same thunk. */
  readonly signals: SignalPool;
  readonly gpuId: number;
  /** Ring size: a power of two, 64…131072. Default: 1024. */
  readonly packets?: number;
  readonly priority?: QueuePriority;
  /** Whether completed packets leave time stamps in their completion signals. Default: yes. */
  readonly profiling?: 'on' | 'off';
  /** For messages. */
  readonly label?: string;
  /** Called once, when the device or the driver stopped the queue. */
  readonly onError?: (error: HsaError) => void;
}

/** Where packets get their slots and rings; see {@link AqlQueue.submitThrough}. */
export interface PacketDoor {
  /** Adds 1 to the write index; gives the index before. */
  reserve(): number;
  /** Stores to the doorbell. */
  ring(index: number): void;
}

/** `active` takes packets; `error` was stopped and only waits to be disposed. */
export type QueueState = 'active' | 'error' | 'disposed';

const FIELDS = AMD_QUEUE.fields;
const WRITE_INDEX = FIELDS.write_dispatch_id.offset;
const READ_INDEX = FIELDS.read_dispatch_id.offset;
const PAGE_BYTES = 4096;
const PRIVATE_BYTES_WORD = KERNEL_DISPATCH_OFFSETS.privateSegmentSize / 4;
const PACKET_WORDS = AQL_PACKET_BYTES / 4;

/** hsa_queue_t.id is unique in a process, and not the driver's id. */
let nextQueueId = 0n;

/**
 * A user-mode AQL queue: ring, `amd_queue_t`, doorbell. Any number of producers may write to it, also native ones through the
 * queue's memory. Whoever made it disposes it, before its signals and its thunk.
 */
export class AqlQueue implements WatchedQueue, Disposable {
  readonly id: bigint;
  readonly label: string;
  readonly gpuId: number;
  readonly packets: number;
  /** Address of the `amd_queue_t`, whose first member is the `hsa_queue_t`. */
  readonly address: bigint;
  /** Handle of the doorbell signal; storing to it rings. */
  readonly doorbellSignalHandle: bigint;
  /** The driver's queue. */
  readonly thunkQueue: ThunkQueue;
  readonly #options: AqlQueueOptions;
  readonly #parts: QueueParts;
  /** Words of the `amd_queue_t`: as halves, and as 64-bit integers. */
  readonly #words: Int32Array;
  readonly #wide: BigInt64Array;
  readonly #ring: Int32Array;
  readonly #mask: number;
  readonly #step: { expected: number; count: number; readonly wide: BigInt64Array };
  readonly #template = new AqlPacket();
  readonly #sink: QueueFaults;
  readonly #scratch: QueueScratch;
  readonly #descriptor: Uint8Array;
  readonly #space: SpaceWaiters;
  #door: PacketDoor | undefined;
  #state: QueueState = 'active';
  #error: HsaError | undefined;

  /**
   * Allocates ring and descriptor, sets them up, and has the driver run the queue.
   * @throws {HsaError} ERR_INVALID_ARGUMENT for the size, ERR_OUT_OF_MEMORY, ERR_QUEUE_CREATION; nothing is left behind then.
   */
  static create(options: AqlQueueOptions): AqlQueue {
    const packets = options.packets ?? 1024;
    checkPackets(packets);
    const parts = new QueueParts(options.thunk);
    try {
      return new AqlQueue(options, { packets, parts });
    } catch (error) {
      try {
        parts.release();
      } catch {
        // What made the queue fail is worth more than what could not be given back after it.
      }
      throw error;
    }
  }

  private constructor(options: AqlQueueOptions, { packets, parts }: { readonly packets: number; readonly parts: QueueParts }) {
    const { thunk, signals, gpuId, priority = 'normal' } = options;
    this.#options = options;
    this.#parts = parts;
    this.id = nextQueueId++;
    this.label = options.label ?? `queue ${this.id}`;
    this.gpuId = gpuId;
    this.packets = packets;
    this.#mask = packets - 1;
    const descriptor = parts.allocate(gpuId, PAGE_BYTES);
    const ring = parts.allocate(gpuId, packets * AQL_PACKET_BYTES);
    this.address = descriptor.address;
    this.doorbellSignalHandle = descriptor.address + BigInt(DOORBELL_SIGNAL_OFFSET);
    const { buffer, byteOffset } = descriptor.bytes;
    this.#words = new Int32Array(buffer, byteOffset, AMD_QUEUE_BYTES / 4);
    this.#wide = new BigInt64Array(buffer, byteOffset, AMD_QUEUE_BYTES / 8);
    this.#ring = new Int32Array(ring.bytes.buffer, ring.bytes.byteOffset, packets * PACKET_WORDS);
    this.#step = { expected: 0, count: 1, wide: this.#wide };
    for (let i = 0; i < this.#ring.length; i += PACKET_WORDS) this.#ring[i] = AqlPacketType.invalid;
    const gpu = usableGpu(thunk, gpuId);
    this.#descriptor = descriptor.bytes;
    this.#scratch = new QueueScratch(thunk, gpu);
    const inactive = parts.own(signals.create({ label: `${this.label}'s inactive signal` }));
    const exception = parts.own(signals.create({ label: `${this.label}'s exception signal` }));
    describeQueue(descriptor.bytes, {
      gpu,
      queue: this,
      ringAddress: ring.address,
      inactiveSignal: inactive.handle,
      profiling: options.profiling ?? 'on',
    });
    this.thunkQueue = parts.createQueue({
      gpuId,
      kind: 'aql',
      ringAddress: ring.address,
      ringBytes: packets * AQL_PACKET_BYTES,
      writePointerAddress: descriptor.address + BigInt(WRITE_INDEX),
      readPointerAddress: descriptor.address + BigInt(READ_INDEX),
      priority,
      error: { payloadAddress: exception.handle + BigInt(AMD_SIGNAL.fields.value.offset), eventId: signals.monitor.event.id },
    });
    AMD_SIGNAL.write(descriptor.bytes, { hardware_doorbell_ptr: this.thunkQueue.doorbell.address }, DOORBELL_SIGNAL_OFFSET);
    this.#sink = new QueueFaults(gpuId, { inactive, exception });
    this.#space = new SpaceWaiters(this, { monitor: signals.monitor, place: (packet) => this.#place(packet) });
    signals.monitor.register(this.#sink);
  }

  get state(): QueueState {
    return this.#state;
  }

  /** Why the queue was stopped. */
  get error(): HsaError | undefined {
    return this.#error;
  }

  /** Index of the next packet to be written; counts up for ever. */
  // hot
  get writeIndex(): number {
    if (this.#state === 'disposed') throw disposedError(this.label);
    return loadInt64(this.#words, WRITE_INDEX / 4);
  }

  /** Packets that the device has taken; 0 once disposed. It may run on with them, and may be late in saying so. */
  // hot
  get readIndex(): number {
    return this.#state === 'disposed' ? 0 : loadInt64(this.#words, READ_INDEX / 4);
  }

  /**
   * Puts a packet into the ring and rings the doorbell. Gives its index, or −1 when the ring is full or others wait for space.
   * @throws {HsaError} the queue's error, ERR_DISPOSED.
   */
  // hot
  trySubmit(packet: AqlPacket): number {
    if (this.#state !== 'active' || this.#sink.isStopped) this.#resumeOrThrow();
    return this.#space.isEmpty ? this.#place(packet) : -1;
  }

  /**
   * Puts a packet into the ring as soon as there is room; packets keep the order of the calls. The packet is copied when it has
   * to wait. Gives its index.
   * @throws {HsaError} the queue's error; ERR_TIMEOUT, ERR_ABORTED (the packet is not in the ring then), ERR_DISPOSED.
   */
  async submit(packet: AqlPacket, options: SubmitOptions = {}): Promise<number> {
    if (options.signal?.aborted === true) {
      throw new HsaError('ERR_ABORTED', { message: 'the submission was aborted', cause: options.signal.reason });
    }
    const index = this.trySubmit(packet);
    return index >= 0 ? index : this.#space.wait(packet.copy(), options);
  }

  /** Submits a kernel dispatch; as {@link submit}. */
  async submitDispatch(fields: DispatchFields): Promise<number> {
    return this.submit(this.#template.kernelDispatch(fields));
  }

  async submitBarrierAnd(fields: BarrierFields): Promise<number> {
    return this.submit(this.#template.barrierAnd(fields));
  }

  async submitBarrierOr(fields: BarrierFields): Promise<number> {
    return this.submit(this.#template.barrierOr(fields));
  }

  async submitBarrierValue(fields: BarrierValueFields): Promise<number> {
    return this.submit(this.#template.barrierValue(fields));
  }

  /** Rings the doorbell for packets up to `index`, which others wrote into the ring. Without effect in the error state. */
  // hot
  ringDoorbell(index: number): void {
    this.#live();
    // The driver took its queue away, and may have given the doorbell to another one.
    if (this.#state === 'error') return;
    const { page, byteOffset } = this.thunkQueue.doorbell;
    page.ring(byteOffset, index);
  }

  /** For `hsa_queue_*_write_index`: the 64-bit words themselves. */
  loadWriteIndex(): bigint {
    return BigInt.asUintN(64, Atomics.load(this.#live(), WRITE_INDEX / 8));
  }

  storeWriteIndex(value: bigint): void {
    Atomics.store(this.#live(), WRITE_INDEX / 8, value);
  }

  addWriteIndex(count: bigint): bigint {
    return BigInt.asUintN(64, Atomics.add(this.#live(), WRITE_INDEX / 8, count));
  }

  compareExchangeWriteIndex(expected: bigint, value: bigint): bigint {
    return BigInt.asUintN(64, Atomics.compareExchange(this.#live(), WRITE_INDEX / 8, expected, value));
  }

  loadReadIndex(): bigint {
    return BigInt.asUintN(64, Atomics.load(this.#live(), READ_INDEX / 8));
  }

  /** Looks whether device or driver stopped the queue; if so, the queue is in the error state from now on. */
  checkHealth(): HsaError | undefined {
    if (this.#state === 'disposed') return disposedError(this.label);
    if (this.#error !== undefined) return this.#error;
    if (!this.#sink.isStopped || this.#sink.awaitsMemoryException) return undefined;
    return this.#handleStop();
  }

  /**
   * Stops the queue for good: packets behind the read index never run, waits that watch it reject with `error`.
   * Default: ERR_QUEUE_ERROR, «was inactivated».
   */
  inactivate(error?: HsaError): void {
    if (this.#state !== 'active') return;
    this.#fail(
      error ?? new HsaError('ERR_QUEUE_ERROR', { message: `${this.label} was inactivated`, hsaStatus: hsa.HSA_STATUS_ERROR }),
    );
  }

  /** Destroys the driver's queue, then frees signals, ring and descriptor. Waits that watch it reject with ERR_DISPOSED. */
  dispose(): void {
    if (this.#state === 'disposed') return;
    this.#state = 'disposed';
    this.#options.signals.monitor.unregister(this.#sink);
    this.#space.failAll(disposedError(this.label));
    this.#options.signals.monitor.rescan();
    releaseAll([() => this.#parts.release(), () => this.#scratch.release()], `disposing ${this.label} left something behind`);
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  /**
   * From now on this object's packets get their slots and rings from `door`, such as the functions of an API table that tools
   * patched, instead of from the memory itself. Whoever sets it is the queue's only producer.
   */
  submitThrough(door: PacketDoor): void {
    this.#door = door;
  }

  /** Reserves the next slot if there is one, writes the packet's body, publishes header and setup by one store, rings. */
  // hot
  #place(packet: AqlPacket): number {
    if (this.#door !== undefined) return this.#placeThrough(this.#door, packet);
    const step = this.#step;
    for (;;) {
      const index = loadInt64(this.#words, WRITE_INDEX / 4);
      if (index - loadInt64(this.#words, READ_INDEX / 4) >= this.packets) return -1;
      if (index < 0 || index >= Number.MAX_SAFE_INTEGER) throw this.#uncountable(index);
      step.expected = index;
      if (!advanceUint53(this.#words, WRITE_INDEX / 4, step)) continue;
      this.#publish(index, packet);
      const { page, byteOffset } = this.thunkQueue.doorbell;
      page.ring(byteOffset, index);
      return index;
    }
  }

  #placeThrough(door: PacketDoor, packet: AqlPacket): number {
    if (loadInt64(this.#words, WRITE_INDEX / 4) - loadInt64(this.#words, READ_INDEX / 4) >= this.packets) return -1;
    const index = door.reserve();
    this.#publish(index, packet);
    door.ring(index);
    return index;
  }

  /** Body first, then header and setup by one store: a device that sees the header sees the whole packet. */
  // hot
  #publish(index: number, { words }: AqlPacket): void {
    const ring = this.#ring;
    const slot = (index & this.#mask) * PACKET_WORDS;
    for (let i = 1; i < PACKET_WORDS; i++) ring[slot + i] = words[i] ?? 0;
    Atomics.store(ring, slot, words[0] ?? 0);
  }

  /** Only whoever stores an index of his own gets here: counting takes thousands of years. */
  #uncountable(index: number): HsaError {
    return new HsaError('ERR_INVALID_ARGUMENT', {
      message: `${this.label} has a write index of ${index}; packets are counted from 0 to 2^53 − 1`,
      details: { queue: this.label },
    });
  }

  #live(): BigInt64Array {
    if (this.#state !== 'disposed') return this.#wide;
    throw disposedError(this.label);
  }

  /** Somebody submits to a queue that is not well; there is no time to wait for the driver's report of a fault. */
  #resumeOrThrow(): void {
    if (this.#state === 'disposed') throw disposedError(this.label);
    const error = this.#error ?? this.#handleStop();
    if (error !== undefined) throw error;
  }

  /** Meets a demand for scratch memory; any other reason to stop is the queue's end. */
  #handleStop(): HsaError | undefined {
    const lanes = this.#sink.wantedScratchLanes;
    const privateBytes = this.#firstPrivateBytes();
    if (lanes === undefined || privateBytes === 0) return this.#fail(this.#describeStop());
    try {
      this.#scratch.grow(this.#descriptor, { privateBytes, lanes });
    } catch (error) {
      if (!isHsaError(error)) throw error;
      return this.#fail(error);
    }
    this.#sink.resume();
    // The device looks at the signal by itself; a device that sleeps until it is rung is woken.
    this.ringDoorbell(this.writeIndex - 1);
    return undefined;
  }

  /** Scratch bytes of a work-item of the first dispatch that has any: the read index may lag behind the one that asks. */
  #firstPrivateBytes(): number {
    const { readIndex } = this;
    // The ring holds no more, whatever somebody stored as write index.
    const end = Math.min(this.writeIndex, readIndex + this.packets);
    for (let index = readIndex; index < end; index++) {
      const slot = (index & this.#mask) * PACKET_WORDS;
      const type = (this.#ring[slot] ?? 0) & 0xff;
      const privateBytes = (this.#ring[slot + PRIVATE_BYTES_WORD] ?? 0) >>> 0;
      if (type === AqlPacketType.kernelDispatch && privateBytes > 0) return privateBytes;
    }
    return 0;
  }

  #describeStop(): HsaError {
    const packetIndex = this.readIndex;
    const slot = (packetIndex & this.#mask) * PACKET_WORDS;
    const packet = new Uint8Array(AQL_PACKET_BYTES);
    new Int32Array(packet.buffer).set(this.#ring.subarray(slot, slot + PACKET_WORDS));
    return queueErrorOf({ label: this.label, gpuId: this.gpuId, packetIndex, packet, ...this.#sink.read() });
  }

  #fail(error: HsaError): HsaError {
    this.#state = 'error';
    this.#error = error;
    try {
      this.#parts.destroyQueue();
    } catch {
      // The error that stopped the queue is worth more; dispose tries again and reports what it cannot give back.
    }
    this.#space.failAll(error);
    this.#options.signals.monitor.rescan();
    this.#options.onError?.(error);
    return error;
  }
}

function usableGpu(thunk: Thunk, gpuId: number): ThunkGpu {
  const gpu = thunk.gpus.find((candidate) => candidate.gpuId === gpuId && candidate.problem === undefined);
  if (gpu !== undefined) return gpu;
  throw new HsaError('ERR_INVALID_ARGUMENT', { message: `${thunk.path} has no usable GPU ${gpuId}`, details: { gpuId } });
}

function checkPackets(packets: number): void {
  if (
    Number.isInteger(packets) &&
    packets >= MIN_QUEUE_PACKETS &&
    packets <= MAX_QUEUE_PACKETS &&
    Number.isInteger(Math.log2(packets))
  )
    return;
  throw new HsaError('ERR_INVALID_ARGUMENT', {
    message: `a queue has ${MIN_QUEUE_PACKETS} to ${MAX_QUEUE_PACKETS} packets, a power of two; not ${packets}`,
    // ROCr answers a size that is too large so.
    ...(packets > MAX_QUEUE_PACKETS ? { hsaStatus: hsa.HSA_STATUS_ERROR_OUT_OF_RESOURCES } : {}),
    details: { packets },
  });
}

function disposedError(label: string): HsaError {
  return new HsaError('ERR_DISPOSED', { message: `${label} was disposed`, details: { queue: label } });
}
