import type {
  DoorbellPage,
  Fields,
  HostBuffer,
  KfdDevice,
  Mapping,
  MmapOptions,
  StructInit,
  StructLayout,
  SysfsSource,
} from '@doorbell/abi';
import { kfd } from '@doorbell/abi';
import { GPU_ID, fakeSysfs, kfdTree } from './fake-sysfs.js';

/** Names of the ioctls by number, from the header's list. */
const NAMES = new Map<number, string>(
  Object.entries(kfd).flatMap(([key, value]) =>
    key.startsWith('AMDKFD_IOC_') && typeof value === 'number' && !/_1_11$/.test(key)
      ? [[value & 0xff, key.slice('AMDKFD_IOC_'.length)] as const]
      : [],
  ),
);

/** Facts of a small GPU, so that its queues need little memory. */
export const FAKE_GPU = {
  simd_count: 8,
  simd_per_cu: 2,
  array_count: 2,
  simd_arrays_per_engine: 2,
  max_waves_per_simd: 16,
  lds_size_in_kb: 64,
  gfx_target_version: 110000,
  num_xcc: 1,
  capability: 0x2000,
};

const BASE = 0x7f00_0000_0000n;
const MEMORY_BYTES = 256 * 2 ** 20;
/** KFD_IOC_ALLOC_MEM_FLAGS_VRAM | _GTT. */
const OWN_MEMORY = 3;
const ENOTTY = 25;
const EINVAL = 22;
const EIO = 5;
const EBADF = 9;
const EPERM = 1;
const EBUSY = 16;
const ENOMEM = 12;

interface Allocation {
  readonly address: bigint;
  readonly sizeBytes: number;
  readonly mappedOn: Set<number>;
}

interface FakeEvent {
  readonly type: number;
  readonly autoReset: boolean;
  isSet: boolean;
  age: bigint;
  data?: Uint8Array;
}

/** What a process holds of the device. */
interface Held {
  readonly ranges: Map<bigint, number>;
  readonly allocations: Map<bigint, Allocation>;
  readonly mappings: Set<bigint>;
  readonly renderFiles: Set<number>;
  /** dma-buf descriptors with what they hold. */
  readonly files: Map<number, Allocation>;
  readonly queues: Set<number>;
  readonly events: Map<number, FakeEvent>;
  buffers: number;
}

interface Waiter {
  readonly check: () => boolean;
}

/** Options of {@link FakeDevice}. */
export interface FakeOptions {
  readonly gpus?: number;
  readonly minor?: number;
  readonly sysfs?: SysfsSource;
}

/**
 * A KFD device that keeps books and does no work: which calls came in which order, what is still held. Failures are injected by
 * name: an ioctl's, or `mmap`, `reserve`, `mapDoorbells`, `openRenderNode`.
 */
export class FakeDevice implements KfdDevice {
  readonly path = '/dev/fake-kfd';
  readonly sysfs: SysfsSource;
  readonly memory: SharedArrayBuffer = new SharedArrayBuffer(MEMORY_BYTES);
  readonly log: string[] = [];
  readonly args: { readonly name: string; readonly value: Readonly<Record<string, unknown>> }[] = [];
  /** Rings of all doorbells. */
  readonly rung: { readonly byteOffset: number; readonly value: number }[] = [];
  onRing: ((byteOffset: number, value: number) => void) | undefined;
  readonly held: Held = {
    ranges: new Map(),
    allocations: new Map(),
    mappings: new Set(),
    renderFiles: new Set(),
    files: new Map(),
    queues: new Set(),
    events: new Map(),
    buffers: 0,
  };
  isDisposed = false;
  clock: { gpu: bigint; system: bigint } = { gpu: 1_000_000n, system: 5_000_000_000n };
  readonly #fail = new Map<string, { errno: number; after: number }>();
  readonly #minor: number;
  #next = 4096;
  #free: { offset: number; sizeBytes: number }[] = [];
  #handles = 0n;
  #pageHandle: bigint | undefined;
  #eventIds = 0;
  #waiters = new Set<Waiter>();
  readonly #buffers = new Map<bigint, Uint8Array>();
  #bufferAddress = 0x1000_0000n;

  constructor(options: FakeOptions = {}) {
    const { gpus = 1, minor = 17 } = options;
    this.sysfs = options.sysfs ?? fakeSysfs(kfdTree(Array.from({ length: gpus }, () => FAKE_GPU)));
    this.#minor = minor;
  }

  /** From the `after`-th call on (0: the next one), once: the call named so fails. */
  failOnce(name: string, errno: number, after = 0): void {
    this.#fail.set(name, { errno, after });
  }

  /** What a process would leave behind, but for what belongs to the device. */
  leaks(): Record<string, number> {
    const page = this.#pageHandle === undefined ? 0 : 1;
    const { ranges, allocations, mappings, queues, events, buffers } = this.held;
    const doorbells = [...mappings].filter((address) => address >= DOORBELLS).length;
    return {
      ranges: ranges.size - page,
      allocations: allocations.size - page,
      mappings: mappings.size - page - doorbells,
      queues: queues.size,
      events: events.size,
      buffers,
    };
  }

  ioctl(request: number, arg: Uint8Array): number {
    const name = NAMES.get(request & 0xff) ?? `0x${request.toString(16)}`;
    this.log.push(name);
    const injected = this.#injected(name);
    if (injected !== 0) return -injected;
    return this.#handle(name, arg);
  }

  async waitIoctl(request: number, arg: Uint8Array): Promise<number> {
    const name = NAMES.get(request & 0xff)!;
    this.log.push(name);
    const injected = this.#injected(name);
    if (injected !== 0) return -injected;
    return this.#wait(arg);
  }

  hostBuffer(sizeBytes: number): HostBuffer {
    const address = this.#bufferAddress;
    this.#bufferAddress += BigInt(Math.ceil(sizeBytes / 4096) * 4096);
    const bytes = new Uint8Array(sizeBytes);
    this.#buffers.set(address, bytes);
    this.held.buffers++;
    return {
      address,
      bytes,
      [Symbol.dispose]: () => {
        if (this.#buffers.delete(address)) this.held.buffers--;
      },
    };
  }

  openRenderNode(minor: number): number {
    this.log.push(`openRenderNode ${minor}`);
    const injected = this.#injected('openRenderNode');
    if (injected !== 0) return -injected;
    this.held.renderFiles.add(minor - 100);
    return minor - 100;
  }

  closeRenderNode(file: number): void {
    this.log.push('closeRenderNode');
    this.held.renderFiles.delete(file);
  }

  drmIoctl(): number {
    return -ENOTTY;
  }

  closeFile(file: number): number {
    this.log.push(`closeFile ${file}`);
    return this.held.files.delete(file) ? 0 : -EBADF;
  }

  mapAnonymous({ sizeBytes }: { readonly sizeBytes: number }): Mapping | number {
    this.log.push('mapAnonymous');
    const injected = this.#injected('mapAnonymous');
    if (injected !== 0) return -injected;
    const offset = this.#next;
    this.#next += sizeBytes;
    this.held.mappings.add(BASE + BigInt(offset));
    return { address: BASE + BigInt(offset), sizeBytes, bytes: this.bytesAt(BASE + BigInt(offset), sizeBytes) };
  }

  reserve({ sizeBytes, alignBytes }: { readonly sizeBytes: number; readonly alignBytes: number }): bigint | number {
    this.log.push('reserve');
    const injected = this.#injected('reserve');
    if (injected !== 0) return -injected;
    const again = this.#free.findIndex((range) => range.sizeBytes === sizeBytes && range.offset % alignBytes === 0);
    const [reused] = again < 0 ? [] : this.#free.splice(again, 1);
    const offset = reused?.offset ?? Math.ceil(this.#next / alignBytes) * alignBytes;
    if (reused === undefined) this.#next = offset + sizeBytes;
    if (this.#next > MEMORY_BYTES) return -ENOMEM;
    this.held.ranges.set(BASE + BigInt(offset), sizeBytes);
    return BASE + BigInt(offset);
  }

  release(address: bigint, sizeBytes: number): number {
    this.log.push('release');
    if (this.held.ranges.get(address) !== sizeBytes) return -EINVAL;
    this.held.ranges.delete(address);
    this.#free.push({ offset: Number(address - BASE), sizeBytes });
    return 0;
  }

  mmap({ address = BASE, sizeBytes }: MmapOptions): Mapping | number {
    this.log.push('mmap');
    const injected = this.#injected('mmap');
    if (injected !== 0) return -injected;
    this.held.mappings.add(address);
    return { address, sizeBytes, bytes: this.bytesAt(address, sizeBytes) };
  }

  mapDoorbells({ offset, sizeBytes }: { readonly offset: bigint; readonly sizeBytes: number }): DoorbellPage | number {
    this.log.push('mapDoorbells');
    const injected = this.#injected('mapDoorbells');
    if (injected !== 0) return -injected;
    if (offset % 8192n !== 0n || sizeBytes !== 8192) return -EINVAL;
    this.held.mappings.add(DOORBELLS);
    return {
      address: DOORBELLS,
      sizeBytes,
      bytes: new Uint8Array(sizeBytes),
      ring: (byteOffset, value) => {
        this.rung.push({ byteOffset, value });
        this.onRing?.(byteOffset, value);
      },
    };
  }

  munmap({ address }: Mapping): number {
    this.log.push('munmap');
    this.held.mappings.delete(address);
    return 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.isDisposed = true;
    return Promise.resolve();
  }

  /** The bytes behind a GPU address. */
  bytesAt(address: bigint, sizeBytes: number): Uint8Array {
    return new Uint8Array(this.memory, Number(address - BASE), sizeBytes);
  }

  /** The device sets an event; `data` is what a fault leaves for waiters. */
  signal(eventId: number, data?: Uint8Array): void {
    const event = this.held.events.get(eventId)!;
    event.isSet = true;
    event.age++;
    if (data !== undefined) event.data = data;
    this.#wake();
  }

  /** Id of the first event of a KFD type. */
  eventOfType(type: number): number {
    return [...this.held.events].find(([, event]) => event.type === type)![0];
  }

  #injected(name: string): number {
    const failure = this.#fail.get(name);
    if (failure === undefined) return 0;
    if (failure.after-- > 0) return 0;
    this.#fail.delete(name);
    return failure.errno;
  }

  #handle(name: string, arg: Uint8Array): number {
    const put = <F extends Fields>(layout: StructLayout<F>, value: StructInit<F>): number => {
      layout.write(arg, value);
      return 0;
    };
    const record = <T extends Readonly<Record<string, unknown>>>(value: T): T => {
      this.args.push({ name, value: { ...value } });
      return value;
    };
    switch (name) {
      case 'GET_VERSION':
        return put(kfd.kfd_ioctl_get_version_args, { major_version: 1, minor_version: this.#minor });
      case 'GET_PROCESS_APERTURES_NEW': {
        const { kfd_process_device_apertures_ptr: pointer } = kfd.kfd_ioctl_get_process_apertures_new_args.read(arg);
        const bytes = this.#buffers.get(pointer)!;
        const gpus = this.#gpuIds();
        gpus.forEach((gpuId, i) => {
          kfd.kfd_process_device_apertures.write(
            bytes,
            { gpu_id: gpuId, lds_base: 1n << 48n, scratch_base: 2n << 48n, gpuvm_limit: 0x7fff_ffff_ffffn },
            i * 56,
          );
        });
        return put(kfd.kfd_ioctl_get_process_apertures_new_args, { num_of_nodes: gpus.length });
      }
      case 'ACQUIRE_VM':
      case 'SET_SCRATCH_BACKING_VA':
      case 'SET_TRAP_HANDLER':
      case 'UPDATE_QUEUE':
        return 0;
      case 'SET_XNACK_MODE':
        return put(kfd.kfd_ioctl_set_xnack_mode_args, { xnack_enabled: 0 });
      case 'GET_CLOCK_COUNTERS':
        this.clock.gpu += 100_000n;
        this.clock.system += 1_000_000n;
        return put(kfd.kfd_ioctl_get_clock_counters_args, {
          gpu_clock_counter: this.clock.gpu,
          cpu_clock_counter: this.clock.system,
          system_clock_counter: this.clock.system,
          system_clock_freq: 1_000_000_000n,
        });
      case 'AVAILABLE_MEMORY':
        return put(kfd.kfd_ioctl_get_available_memory_args, { available: 123n << 20n });
      case 'RUNTIME_ENABLE':
        record(kfd.kfd_ioctl_runtime_enable_args.read(arg));
        return 0;
      case 'ALLOC_MEMORY_OF_GPU': {
        const value = record(kfd.kfd_ioctl_alloc_memory_of_gpu_args.read(arg));
        const handle = (BigInt(value.gpu_id) << 32n) | this.#handles++;
        // Memory of the caller and doorbells keep what they hold.
        if ((value.flags & OWN_MEMORY) !== 0) this.bytesAt(value.va_addr, Number(value.size)).fill(0);
        this.held.allocations.set(handle, { address: value.va_addr, sizeBytes: Number(value.size), mappedOn: new Set() });
        return put(kfd.kfd_ioctl_alloc_memory_of_gpu_args, { handle, mmap_offset: handle << 12n });
      }
      case 'FREE_MEMORY_OF_GPU': {
        const { handle } = kfd.kfd_ioctl_free_memory_of_gpu_args.read(arg);
        const allocation = this.held.allocations.get(handle);
        if (allocation === undefined) return -EINVAL;
        if (handle === this.#pageHandle) return -EPERM;
        if (allocation.mappedOn.size > 0) return -EBUSY;
        this.held.allocations.delete(handle);
        return 0;
      }
      case 'MAP_MEMORY_TO_GPU':
      case 'UNMAP_MEMORY_FROM_GPU': {
        const value = kfd.kfd_ioctl_map_memory_to_gpu_args.read(arg);
        const ids = this.#buffers.get(value.device_ids_array_ptr)!;
        const view = new DataView(ids.buffer, ids.byteOffset);
        const allocation = this.held.allocations.get(value.handle)!;
        for (let i = 0; i < value.n_devices; i++) {
          const gpuId = view.getUint32(i * 4, true);
          if (name === 'MAP_MEMORY_TO_GPU') allocation.mappedOn.add(gpuId);
          else allocation.mappedOn.delete(gpuId);
        }
        return put(kfd.kfd_ioctl_map_memory_to_gpu_args, { n_success: value.n_devices });
      }
      case 'CREATE_QUEUE': {
        const value = record(kfd.kfd_ioctl_create_queue_args.read(arg));
        const queueId = this.held.queues.size;
        this.held.queues.add(queueId);
        const offset = (3n << 62n) | (BigInt(value.gpu_id) << 46n) | BigInt(queueId * 8);
        return put(kfd.kfd_ioctl_create_queue_args, { queue_id: queueId, doorbell_offset: offset });
      }
      case 'DESTROY_QUEUE':
        return this.held.queues.delete(kfd.kfd_ioctl_destroy_queue_args.read(arg).queue_id) ? 0 : -EINVAL;
      case 'CREATE_EVENT': {
        const value = record(kfd.kfd_ioctl_create_event_args.read(arg));
        if (value.event_page_offset !== 0n) {
          if (this.#pageHandle !== undefined) return -EINVAL;
          this.#pageHandle = value.event_page_offset;
        }
        const id = ++this.#eventIds;
        this.held.events.set(id, { type: value.event_type, autoReset: value.auto_reset !== 0, isSet: false, age: 1n });
        return put(kfd.kfd_ioctl_create_event_args, { event_id: id, event_slot_index: id });
      }
      case 'DESTROY_EVENT': {
        const isKnown = this.held.events.delete(kfd.kfd_ioctl_destroy_event_args.read(arg).event_id);
        this.#wake();
        return isKnown ? 0 : -EINVAL;
      }
      case 'SET_EVENT':
        this.signal(kfd.kfd_ioctl_set_event_args.read(arg).event_id);
        return 0;
      case 'RESET_EVENT':
        this.held.events.get(kfd.kfd_ioctl_reset_event_args.read(arg).event_id)!.isSet = false;
        return 0;
      default:
        return -ENOTTY;
    }
  }

  async #wait(arg: Uint8Array): Promise<number> {
    const value = kfd.kfd_ioctl_wait_events_args.read(arg);
    const bytes = this.#buffers.get(value.events_ptr)!;
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const entries = Array.from({ length: value.num_events }, (_, i) => ({
      at: i * 48,
      id: view.getUint32(i * 48 + 40, true),
      age: view.getBigUint64(i * 48, true),
    }));
    if (entries.some(({ id }) => !this.held.events.has(id))) return -EINVAL;
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined = undefined;
      const finish = (result: number, waitResult: number): boolean => {
        clearTimeout(timer);
        this.#waiters.delete(waiter);
        kfd.kfd_ioctl_wait_events_args.write(arg, { wait_result: waitResult });
        resolve(result);
        return true;
      };
      const check = (): boolean => {
        const events = entries.map(({ id }) => this.held.events.get(id));
        if (events.includes(undefined)) return finish(-EIO, 2);
        const isReady = entries.map(({ age }, i) => {
          const event = events[i]!;
          return event.isSet || (event.type === 0 && age !== 0n && event.age !== age);
        });
        if (value.wait_for_all !== 0 ? isReady.includes(false) : !isReady.includes(true)) return false;
        entries.forEach(({ at, age }, i) => {
          const event = events[i]!;
          if (!isReady[i]) return;
          if (event.data) bytes.set(event.data, at);
          if (event.type === 0 && age !== 0n) view.setBigUint64(at, event.age, true);
          if (event.autoReset) event.isSet = false;
        });
        return finish(0, 0);
      };
      const waiter = { check };
      if (check()) return;
      this.#waiters.add(waiter);
      timer = setTimeout(() => finish(0, 1), value.timeout);
    });
  }

  #wake(): void {
    for (const waiter of [...this.#waiters]) waiter.check();
  }

  #gpuIds(): number[] {
    const nodes = this.sysfs.list('/sys/devices/virtual/kfd/kfd/topology/nodes');
    return nodes.ok ? nodes.value.slice(1).map((_, i) => GPU_ID + i) : [];
  }
}

const DOORBELLS = 0x7fff_0000_0000n;
