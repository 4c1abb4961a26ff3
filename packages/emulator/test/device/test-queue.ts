/** A queue as a client makes it, with signals, events and kernels to submit. */
import type { DoorbellPage, StructInit } from '@doorbell/abi';
import { AMD_QUEUE, AMD_SIGNAL, AMD_SIGNAL_BYTES, AQL_PACKET_BYTES, aqlPackets, kfd, packAqlHeader } from '@doorbell/abi';
import type { EmulatedDevice } from '../../src/device/emulated-device.js';
import { queueSizesOf } from '../../src/device/gpu.js';
import { describeMachine } from '../../src/sysfs/index.js';
import type { Allocation, Caller } from './support.js';
import { FLAG, GPU_ID, PAGE, RW } from './support.js';

const SIZES = queueSizesOf(describeMachine({ gpus: ['gfx1100'] }).gpus[0]!);
export const RING_PACKETS = 64;

export interface Signal {
  readonly address: bigint;
  value: bigint;
  readonly start: bigint;
  readonly end: bigint;
}

/** Memory that all queues of a test share: signals, kernel descriptors. */
export class Heap {
  readonly #page: Allocation;
  #next = 0;

  constructor(caller: Caller) {
    this.#page = caller.allocate(16 * PAGE, { flags: FLAG.gtt | RW | FLAG.executable });
  }

  /** A signal; with an event it tells that event when the device changes it. */
  signal(value: bigint, event?: { readonly id: number; readonly mailbox: bigint }): Signal {
    const { bytes, address } = this.#take(AMD_SIGNAL_BYTES, AMD_SIGNAL_BYTES);
    AMD_SIGNAL.write(bytes, { kind: 1n, value });
    if (event !== undefined) AMD_SIGNAL.write(bytes, { event_id: event.id, event_mailbox_ptr: event.mailbox });
    return {
      address,
      get value() {
        return AMD_SIGNAL.read(bytes).value;
      },
      set value(next) {
        AMD_SIGNAL.write(bytes, { value: next });
      },
      get start() {
        return AMD_SIGNAL.read(bytes).start_ts;
      },
      get end() {
        return AMD_SIGNAL.read(bytes).end_ts;
      },
    };
  }

  /** A kernel descriptor (wave32, 8 registers) with an entry point in executable memory; the address is its name. */
  kernel(
    options: { readonly rsrc1?: number; readonly rsrc2?: number; readonly properties?: number; readonly code?: Uint8Array } = {},
  ): bigint {
    const { bytes, address } = this.#take(512, 256);
    if (options.code !== undefined) bytes.set(options.code, 256);
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    view.setBigInt64(16, 256n, true);
    view.setUint32(48, options.rsrc1 ?? 0, true);
    view.setUint32(52, options.rsrc2 ?? 0, true);
    view.setUint16(56, options.properties ?? 1 << 10, true);
    return address;
  }

  /** Zeroed bytes that GPU and host see. */
  bytes(sizeBytes: number): { readonly bytes: Uint8Array; readonly address: bigint } {
    return this.#take(sizeBytes, 64);
  }

  #take(sizeBytes: number, align: number): { readonly bytes: Uint8Array; readonly address: bigint } {
    const offset = Math.ceil(this.#next / align) * align;
    this.#next = offset + sizeBytes;
    return { bytes: this.#page.bytes.subarray(offset, offset + sizeBytes), address: this.#page.address + BigInt(offset) };
  }
}

export interface TestEvent {
  readonly id: number;
  readonly mailbox: bigint;
}

/** Brings the event page (once for each device), and creates events. */
export class Events {
  readonly #caller: Caller;
  readonly #page: Allocation;
  #isBrought = false;

  constructor(caller: Caller) {
    this.#caller = caller;
    this.#page = caller.allocate(32_768);
  }

  create(type = 0, autoReset = 1): TestEvent {
    const { status, out } = this.#caller.call(kfd.AMDKFD_IOC_CREATE_EVENT, kfd.kfd_ioctl_create_event_args, {
      event_type: type,
      auto_reset: autoReset,
      event_page_offset: this.#isBrought ? 0n : this.#page.handle,
    });
    if (status !== 0) throw new Error(`create event: ${status}`);
    this.#isBrought = true;
    return { id: out.event_id, mailbox: this.#page.address + BigInt(out.event_id * 8) };
  }
}

/** Waits for events; gives status, result and the entries as they came back. */
export async function waitEvents(
  device: EmulatedDevice,
  ids: readonly number[],
  options: { readonly all?: boolean; readonly timeoutMs?: number; readonly age?: bigint } = {},
): Promise<{ readonly status: number; readonly result: number; readonly bytes: Uint8Array }> {
  const data = kfd.kfd_event_data;
  using buffer = device.hostBuffer(Math.max(1, ids.length) * data.sizeBytes);
  for (const [index, id] of ids.entries()) {
    const age = options.age === undefined ? {} : { signal_event_data: { last_event_age: options.age } };
    data.write(buffer.bytes, { event_id: id, ...age }, index * data.sizeBytes);
  }
  const layout = kfd.kfd_ioctl_wait_events_args;
  const arg = layout.create({
    events_ptr: buffer.address,
    num_events: ids.length,
    wait_for_all: options.all === true ? 1 : 0,
    timeout: options.timeoutMs ?? 0xffff_ffff,
  });
  const status = await device.waitIoctl(kfd.AMDKFD_IOC_WAIT_EVENTS, arg);
  return { status, result: layout.read(arg).wait_result, bytes: buffer.bytes.slice() };
}

export interface QueueMemory {
  readonly ring: Allocation;
  readonly queuePage: Allocation;
  readonly eop: Allocation;
  readonly saveArea: Allocation;
}

/** The argument of CREATE_QUEUE for fresh memory, as a correct client fills it. */
export function queueArgs(caller: Caller): {
  readonly memory: QueueMemory;
  readonly args: StructInit<typeof kfd.kfd_ioctl_create_queue_args.fields>;
} {
  const memory = {
    ring: caller.allocate(RING_PACKETS * AQL_PACKET_BYTES),
    queuePage: caller.allocate(PAGE),
    eop: caller.allocate(PAGE, { flags: FLAG.vram | RW }),
    // The largest by far; VRAM has room for more of them.
    saveArea: caller.allocate(SIZES.areaBytes, { flags: FLAG.vram | RW }),
  };
  for (let packet = 0; packet < RING_PACKETS; packet += 1) memory.ring.bytes[packet * AQL_PACKET_BYTES] = 1;
  AMD_QUEUE.write(memory.queuePage.bytes, { read_dispatch_id_field_base_byte_offset: 128, queue_properties: 8 });
  const args = {
    ring_base_address: memory.ring.address,
    write_pointer_address: memory.queuePage.address + 56n,
    read_pointer_address: memory.queuePage.address + 128n,
    ring_size: RING_PACKETS * AQL_PACKET_BYTES,
    gpu_id: GPU_ID,
    queue_type: 2,
    queue_percentage: 100,
    queue_priority: 7,
    eop_buffer_address: memory.eop.address,
    eop_buffer_size: BigInt(SIZES.eopBytes),
    ctx_save_restore_address: memory.saveArea.address,
    ctx_save_restore_size: SIZES.saveRestoreBytes,
    ctl_stack_size: SIZES.controlStackBytes,
  };
  return { memory, args };
}

export class TestQueue {
  readonly id: number;
  readonly memory: QueueMemory;
  readonly inactive: Signal;
  readonly page: DoorbellPage;
  readonly doorbell: number;
  #written = 0;

  constructor(caller: Caller, heap: Heap, { page, inactive }: { readonly page?: DoorbellPage; readonly inactive?: Signal } = {}) {
    const { memory, args } = queueArgs(caller);
    this.memory = memory;
    this.inactive = inactive ?? heap.signal(0n);
    AMD_QUEUE.write(memory.queuePage.bytes, { queue_inactive_signal: this.inactive.address });
    const { status, out } = caller.call(kfd.AMDKFD_IOC_CREATE_QUEUE, kfd.kfd_ioctl_create_queue_args, args);
    if (status !== 0) throw new Error(`create queue: ${status}`);
    this.id = out.queue_id;
    this.doorbell = Number(out.doorbell_offset & 0x1fffn);
    const mapped = page ?? caller.device.mapDoorbells({ offset: out.doorbell_offset, sizeBytes: 8192 });
    if (typeof mapped === 'number') throw new Error(`doorbells: ${mapped}`);
    this.page = mapped;
  }

  get readIndex(): bigint {
    return AMD_QUEUE.read(this.memory.queuePage.bytes).read_dispatch_id;
  }

  /** Bytes of a packet in the ring, by index. */
  packet(index: number): Uint8Array {
    const at = (index % RING_PACKETS) * AQL_PACKET_BYTES;
    return this.memory.ring.bytes.subarray(at, at + AQL_PACKET_BYTES);
  }

  /** Writes a packet (body, then header) without ringing; its index. */
  write(packet: Uint8Array): number {
    const index = this.#written;
    this.#written += 1;
    this.packet(index).set(packet.subarray(4), 4);
    this.packet(index).set(packet.subarray(0, 4));
    AMD_QUEUE.write(this.memory.queuePage.bytes, { write_dispatch_id: BigInt(this.#written) });
    return index;
  }

  ring(index: number = this.#written - 1): void {
    this.page.ring(this.doorbell, index);
  }

  submit(packet: Uint8Array): number {
    const index = this.write(packet);
    this.ring();
    return index;
  }
}

export interface PacketOptions {
  readonly barrier?: boolean;
  readonly completion?: Signal;
}

export function dispatchPacket(
  kernel: bigint,
  { barrier = false, completion, ...fields }: PacketOptions & StructInit<typeof aqlPackets.kernelDispatch.fields> = {},
): Uint8Array {
  return aqlPackets.kernelDispatch.create({
    header: packAqlHeader(2, { barrier }),
    setup: 1,
    workgroup_size_x: 32,
    workgroup_size_y: 1,
    workgroup_size_z: 1,
    grid_size_x: 32,
    grid_size_y: 1,
    grid_size_z: 1,
    kernel_object: kernel,
    ...(completion === undefined ? {} : { completion_signal: completion.address }),
    ...fields,
  });
}

export function barrierPacket(
  kind: 'and' | 'or',
  dependencies: readonly (Signal | undefined)[],
  { barrier = false, completion }: PacketOptions = {},
): Uint8Array {
  return aqlPackets.barrierAnd.create({
    header: packAqlHeader(kind === 'and' ? 3 : 5, { barrier }),
    dep_signal: dependencies.map((signal) => signal?.address ?? 0n),
    completion_signal: completion?.address ?? 0n,
  });
}
