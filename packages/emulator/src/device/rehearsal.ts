/**
 * A dispatch that nobody sees, from its packet to its signal, on a small machine of its own: the engine reads and compiles what a thread
 * runs while it runs for the first time, and the first kernel of a program would wait for that. In steps, between which the thread looks
 * for work.
 */
import {
  AMD_QUEUE,
  AMD_SIGNAL,
  AQL_PACKET_BYTES,
  AmdQueueProperties,
  AqlPacketType,
  KERNEL_DISPATCH_OFFSETS as PACKET,
  packAqlHeader,
} from '@doorbell/abi';
import { warmUpKernel, type WarmUpKernel } from '../execute/warm-up-kernel.js';
import type { ExecutorOptions } from '../execute/index.js';
import type { Executor } from '../executor.js';
import { CODE_STORE_BYTES, PAGE_BYTES, PAGE_EXECUTE, PAGE_READ, PAGE_TABLE, PAGE_WRITE, SYSTEM_HEAP } from '../memory-map.js';
import { addressOfOffset, fixedTranslation } from './address.js';
import { CommandProcessor } from './command-processor.js';
import { ComputeWorker } from './compute-worker.js';
import { DESCRIPTOR } from './dispatch-packet.js';
import type { GpuModel } from './gpu-model.js';
import { createViews, QueueField, queueWord, QueueState, WORKER_COUNT, type MemoryViews } from './shared-state.js';
import { isZero } from './signals.js';

export interface RehearsalOptions {
  /** Whose code; without any of its generation there is nothing to rehearse. */
  readonly processor: string;
  readonly createExecutor: (memory: WebAssembly.Memory, options: ExecutorOptions) => Executor;
  /** Monotonic nanoseconds. */
  readonly now: () => bigint;
  /** A memory of {@link MEMORY_PAGES} that nobody else uses; undefined where memory is short, of which a RangeError tells as well. */
  readonly reserveMemory: () => WebAssembly.Memory | undefined;
}

/** What stands in memory, at these offsets. */
const DESCRIPTOR_AT = SYSTEM_HEAP;
const ENTRY_BYTES = 0x100;
const QUEUE_AT = SYSTEM_HEAP + 4 * PAGE_BYTES;
const RING_AT = QUEUE_AT + PAGE_BYTES;
const SIGNAL_AT = RING_AT + PAGE_BYTES;
const KERNARG_AT = SIGNAL_AT + PAGE_BYTES;
const BUFFER_AT = KERNARG_AT + PAGE_BYTES;
const END = BUFFER_AT + 4 * PAGE_BYTES;

const RING_PACKETS = 16;
const [GROUP_ITEMS, GRID_ITEMS] = [256, 512];
/**
 * How many work-items of each packet have something to do. In the first they all end at once: the least that a kernel takes, so that one
 * which comes meanwhile does not wait for more.
 */
const BUSY_ITEMS = [0, 4];
/** Of each packet. */
const KERNARG_BYTES = 64;
/** LDS of a workgroup: a dword for each work-item. */
const LDS_BYTES = GROUP_ITEMS * 4;
/** More than it takes: it ends anyway. */
const MAX_STEPS = 100;

/** Any GPU that the kernel fits. */
const GPU: Omit<GpuModel, 'processor'> = {
  id: 1,
  ldsBytes: 0x1_0000,
  maxWorkgroup: 1024,
  simdPerCu: 4,
  maxWavesPerSimd: 16,
  vgprs: { perSimd: 512, encodeGranule: 8, allocateGranule: 8, hasWave32: true },
};

/**
 * The steps; at their end, whether the dispatch came to its end.
 * @throws {RangeError} memory does not suffice.
 */
export function* rehearse({ processor, createExecutor, now, reserveMemory }: RehearsalOptions): Generator<void, boolean> {
  const kernel = warmUpKernel(processor);
  if (kernel === undefined) return false;
  const memory = reserveMemory();
  if (memory === undefined) return false;
  const views = createViews(memory, fixedTranslation);
  submit(views, kernel);
  const gpus: readonly GpuModel[] = [{ ...GPU, processor }];
  const executor = createExecutor(memory, { workers: 1, codeStore: new SharedArrayBuffer(CODE_STORE_BYTES) });
  const [commands, worker] = [new CommandProcessor(views, gpus), new ComputeWorker({ views, gpus, executor, now })];
  for (let step = 0; step < MAX_STEPS; step += 1) {
    yield;
    commands.step();
    if (!worker.step() && isZero(views, SIGNAL_AT)) return true;
  }
  return false;
}

/** A step of a rehearsal; false: it is done, or memory does not suffice for it, which a device can do without. */
export function takeStep(rehearsal: Iterator<void, boolean>): boolean {
  try {
    return rehearsal.next().done !== true;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return false;
  }
}

/** Makes a queue with a packet for each of {@link BUSY_ITEMS}, of whose kernel all pointers go to the same buffer. */
function submit({ memory, bytes, words }: MemoryViews, { descriptor, code }: WarmUpKernel): void {
  const view = new DataView(memory.buffer);
  bytes.fill(PAGE_READ | PAGE_WRITE | PAGE_EXECUTE, PAGE_TABLE + SYSTEM_HEAP / PAGE_BYTES, PAGE_TABLE + END / PAGE_BYTES);

  bytes.set(descriptor, DESCRIPTOR_AT);
  view.setBigInt64(DESCRIPTOR_AT + DESCRIPTOR.entryOffset, BigInt(ENTRY_BYTES), true);
  bytes.set(code, DESCRIPTOR_AT + ENTRY_BYTES);

  const [readIndex, writeIndex] = [AMD_QUEUE.offsetOf('read_dispatch_id'), AMD_QUEUE.offsetOf('write_dispatch_id')];
  const queueFields = {
    read_dispatch_id_field_base_byte_offset: readIndex,
    queue_properties: AmdQueueProperties.enableProfiling,
    write_dispatch_id: BigInt(BUSY_ITEMS.length),
  };
  AMD_QUEUE.write(bytes, queueFields, QUEUE_AT);
  AMD_SIGNAL.write(bytes, { value: BigInt(BUSY_ITEMS.length) }, SIGNAL_AT);
  for (const [index, busy] of BUSY_ITEMS.entries()) writePacket(view, index, busy);

  const queue = queueWord(0);
  words[WORKER_COUNT] = 1;
  words[queue + QueueField.ring] = RING_AT;
  words[queue + QueueField.readIndex] = QUEUE_AT + readIndex;
  words[queue + QueueField.writeIndex] = QUEUE_AT + writeIndex;
  // The doorbell is any memory, rung for packet 0; how far the queue was written says its write index.
  words[queue + QueueField.doorbell] = RING_AT + RING_PACKETS * AQL_PACKET_BYTES;
  words[queue + QueueField.ringPackets] = RING_PACKETS;
  words[queue + QueueField.isEnabled] = 1;
  words[queue + QueueField.state] = QueueState.active;
}

/** A dispatch that waits for those before it. */
function writePacket(view: DataView, index: number, busyItems: number): void {
  const [packet, kernarg] = [RING_AT + index * AQL_PACKET_BYTES, KERNARG_AT + index * KERNARG_BYTES];
  // warm-up.c: five pointers, an LDS offset, the number of work-items, a float.
  for (let pointer = 0; pointer < 5; pointer += 1) view.setBigUint64(kernarg + pointer * 8, addressOfOffset(BUFFER_AT), true);
  view.setUint32(kernarg + 44, busyItems, true);

  view.setUint16(packet + PACKET.header, packAqlHeader(AqlPacketType.kernelDispatch, { barrier: true }), true);
  view.setUint16(packet + PACKET.setup, 1, true);
  view.setUint16(packet + PACKET.workgroupSizeX, GROUP_ITEMS, true);
  view.setUint16(packet + PACKET.workgroupSizeY, 1, true);
  view.setUint16(packet + PACKET.workgroupSizeZ, 1, true);
  view.setUint32(packet + PACKET.gridSizeX, GRID_ITEMS, true);
  view.setUint32(packet + PACKET.gridSizeY, 1, true);
  view.setUint32(packet + PACKET.gridSizeZ, 1, true);
  view.setUint32(packet + PACKET.groupSegmentSize, LDS_BYTES, true);
  view.setBigUint64(packet + PACKET.kernelObject, addressOfOffset(DESCRIPTOR_AT), true);
  view.setBigUint64(packet + PACKET.kernargAddress, addressOfOffset(kernarg), true);
  view.setBigUint64(packet + PACKET.completionSignal, addressOfOffset(SIGNAL_AT), true);
}
