/** The emulated `/dev/kfd` of a machine with one process: the {@link KfdDevice} over memory, driver state and device threads. */
import type { DoorbellPage, EventSink, HeapHint, HostBuffer, KfdDevice, Mapping, MmapOptions, SysfsSource } from '@doorbell/abi';
import { kfd } from '@doorbell/abi';
import { WindowTable } from '../address-windows.js';
import type { Host } from '../host.js';
import { PAGE_BYTES } from '../memory-map.js';
import { createEmulatedSysfs } from '../sysfs/index.js';
import type { MachineDescription } from '../sysfs/machine.js';
import type { AddressForm } from './address.js';
import { fixedTranslation } from './address.js';
import { EBADF, EFAULT, EINVAL, ENODEV, ENOENT, ENOMEM, ENOTTY } from './errno.js';
import type { Timers } from './events.js';
import { Interrupts } from './interrupts.js';
import { runDrmIoctl } from './drm/index.js';
import { decodeRequest, runIoctl } from './ioctl.js';
import { ioctlOf } from './ioctls/index.js';
import {
  KFD_IOCTL_MINOR_VERSION,
  KFD_MMAP_GPU_ID_MASK,
  KFD_MMAP_GPU_ID_SHIFT,
  KFD_MMAP_TYPE_DOORBELL,
  KFD_MMAP_TYPE_SHIFT,
} from './kfd-constants.js';
import { Mappings } from './mappings.js';
import type { MemorySource } from './memory-pool.js';
import { pooledMemory } from './memory-pool.js';
import { Process } from './process.js';
import type { QueueProgress } from './queue-manager.js';
import { QueueManager } from './queue-manager.js';
import type { DeviceFault } from './reports.js';
import type { MemoryViews } from './shared-state.js';
import { RING_COUNT, createViews, wakeProcessor } from './shared-state.js';
import type { DeviceThreads } from './threads.js';

/** An emulated device: a {@link KfdDevice} that can also say in words why a queue stopped, and how far it is. */
export interface EmulatedDevice extends KfdDevice {
  /** The machine's memory; for tests and tools that look at it from outside the driver. */
  readonly memory: WebAssembly.Memory;
  /** Where the bytes of a buffer lie in {@link memory}; undefined when there is no such buffer. */
  placeOf(handle: bigint): number | undefined;
  /** Hears every fault, before the events that it raises. */
  onFault(listener: (fault: DeviceFault) => void): Disposable;
  /** The last fault of a queue, also of a destroyed one, until its id is used again. */
  lastFault(queueId: number): DeviceFault | undefined;
  /** How far the oldest running dispatch of a queue is; undefined when none runs. */
  progress(queueId: number): QueueProgress | undefined;
}

export interface EmulatedDeviceOptions {
  readonly host: Host;
  readonly machine: MachineDescription;
  /** Minor version of the KFD interface; default: {@link KFD_IOCTL_MINOR_VERSION}. */
  readonly interfaceMinor?: number | undefined;
  readonly events?: EventSink | undefined;
  readonly timers?: Timers | undefined;
  /** When the threads start; default: `when-needed`. */
  readonly threads?: 'now' | 'when-needed' | undefined;
  /** Who chooses addresses: the device (default), or a client with an address space of its own. */
  readonly addresses?: AddressForm | undefined;
  /** Default: memory of this process alone. */
  readonly memory?: MemorySource | undefined;
  /** Makes the threads; they report a failure of their own through `onCrash`. */
  readonly createThreads: (options: { readonly views: MemoryViews; readonly onCrash: (error: Error) => void }) => DeviceThreads;
}

/** Opens the device of a machine over fresh memory. */
export function openDevice(options: EmulatedDeviceOptions): EmulatedDevice {
  return new Device(options);
}

class Device implements EmulatedDevice {
  readonly path: string;
  readonly memory: WebAssembly.Memory;
  readonly #host: Host;
  readonly #source: MemorySource;
  readonly #machine: MachineDescription;
  #sysfs: SysfsSource | undefined;
  readonly #views: MemoryViews;
  readonly #process: Process;
  readonly #mappings: Mappings;
  readonly #threads: DeviceThreads;
  readonly #interrupts: Interrupts;
  #closing: Promise<void> | undefined;

  constructor({
    host,
    machine,
    interfaceMinor = KFD_IOCTL_MINOR_VERSION,
    events,
    timers,
    threads,
    addresses = 'fixed',
    memory = pooledMemory,
    createThreads,
  }: EmulatedDeviceOptions) {
    this.#host = host;
    this.#machine = machine;
    this.path = `emulated ${machine.gpus.map((gpu) => gpu.target).join(' + ')}`;
    this.#source = memory;
    this.memory = memory.acquire();
    this.#views = createViews(this.memory, addresses === 'fixed' ? fixedTranslation : new WindowTable(this.memory));
    this.#threads = createThreads({
      views: this.#views,
      onCrash: (error): void => {
        this.#interrupts.lose(error);
      },
    });
    const queues = new QueueManager(this.#views, this.#threads, host);
    this.#process = new Process({
      host,
      views: this.#views,
      machine,
      interfaceMinor,
      queues,
      timers,
      onWaitCount: (pending): void => {
        this.#interrupts.setPendingWaits(pending);
      },
    });
    this.#mappings = new Mappings(this.#process);
    this.#interrupts = new Interrupts({ process: this.#process, threads: this.#threads, events });
    if (threads === 'now') queues.startThreads();
  }

  get sysfs(): SysfsSource {
    this.#sysfs ??= createEmulatedSysfs(this.#machine, {
      usedVramBytes: (nodeId) => {
        const gpu = this.#process.gpus.find((candidate) => candidate.description.nodeId === nodeId);
        return gpu === undefined ? 0 : this.#process.buffers.usedBytes('vram', gpu.id);
      },
    });
    return this.#sysfs;
  }

  ioctl(request: number, arg: Uint8Array): number {
    const { number } = decodeRequest(request);
    if (number === decodeRequest(kfd.AMDKFD_IOC_WAIT_EVENTS).number && !isPoll(arg)) return -EINVAL;
    const status = this.#run(request, arg);
    // A poll never waits, so that the driver answers at once.
    return typeof status === 'number' ? status : -EINVAL;
  }

  async waitIoctl(request: number, arg: Uint8Array): Promise<number> {
    return await this.#run(request, arg);
  }

  hostBuffer(sizeBytes: number): HostBuffer {
    return this.#process.hostBuffers.create(sizeBytes);
  }

  openRenderNode(minor: number): number {
    if (this.#closing) return -ENODEV;
    return this.#process.openRenderNode(minor) ?? -ENOENT;
  }

  closeRenderNode(file: number): void {
    this.#process.closeFile(file, 'render');
  }

  drmIoctl(file: number, request: number, arg: Uint8Array): number {
    if (this.#closing) return -EBADF;
    const render = this.#process.files.render(file);
    return render === undefined ? -EBADF : runDrmIoctl(this.#process, render, { request, arg });
  }

  closeFile(file: number): number {
    return !this.#closing && this.#process.closeFile(file, 'dmabuf') ? 0 : -EBADF;
  }

  mapAnonymous(options: { readonly sizeBytes: number; readonly address?: bigint }): Mapping | number {
    if (this.#closing) return -EBADF;
    return this.#mappings.mapAnonymous(options);
  }

  reserve(options: {
    readonly sizeBytes: number;
    readonly alignBytes: number;
    readonly heap: HeapHint;
    readonly dmabuf?: number;
  }): bigint | number {
    const { sizeBytes, alignBytes, heap, dmabuf } = options;
    if (!Number.isSafeInteger(sizeBytes) || sizeBytes <= 0) return -EINVAL;
    if (alignBytes < PAGE_BYTES || !isPowerOfTwo(alignBytes)) return -EINVAL;
    if (this.#closing) return -EBADF;
    const { files, placement } = this.#process;
    if (dmabuf === undefined) return placement.reserve({ sizeBytes, alignBytes, heap }) ?? -ENOMEM;
    const memory = files.dmabuf(dmabuf)?.memory;
    return memory === undefined ? -EBADF : (placement.reserveFor(memory) ?? -EINVAL);
  }

  release(address: bigint, sizeBytes: number): number {
    if (this.#closing) return -EBADF;
    return this.#process.placement.release(address, sizeBytes) ? 0 : -EINVAL;
  }

  mmap(options: MmapOptions): Mapping | number {
    if (this.#closing) return -EBADF;
    return this.#mappings.mmap(options);
  }

  mapDoorbells(options: { readonly offset: bigint; readonly sizeBytes: number }): DoorbellPage | number {
    const offset = BigInt.asUintN(64, options.offset);
    if (offset >> KFD_MMAP_TYPE_SHIFT !== KFD_MMAP_TYPE_DOORBELL) return -EINVAL;
    const gpuBits = offset & (KFD_MMAP_GPU_ID_MASK << KFD_MMAP_GPU_ID_SHIFT);
    const slice = (KFD_MMAP_TYPE_DOORBELL << KFD_MMAP_TYPE_SHIFT) | gpuBits;
    const mapping = this.mmap({
      file: 'kfd',
      offset: slice,
      sizeBytes: options.sizeBytes,
      protection: { read: true, write: true },
    });
    return typeof mapping === 'number' ? mapping : this.#doorbellPage(mapping);
  }

  munmap(mapping: Mapping): number {
    if (this.#closing) return -EBADF;
    return this.#mappings.munmap(mapping);
  }

  placeOf(handle: bigint): number | undefined {
    return this.#process.buffers.get(handle)?.offset;
  }

  onFault(listener: (fault: DeviceFault) => void): Disposable {
    return this.#interrupts.onFault(listener);
  }

  lastFault(queueId: number): DeviceFault | undefined {
    return this.#interrupts.lastFault(queueId);
  }

  progress(queueId: number): QueueProgress | undefined {
    return this.#process.queues.progress(queueId);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#interrupts.stop();
    this.#process.events.close();
    await this.#threads.stop();
    this.#process.hostBuffers.clear();
    this.#source.release(this.memory, this.#host, () => {
      this.#process.pageTable.clearAll();
    });
  }

  #run(request: number, arg: Uint8Array): number | Promise<number> {
    if (this.#closing) return -EBADF;
    const { type, number, sizeBytes } = decodeRequest(request);
    const ioctl = type === KFD_IOCTL_TYPE ? ioctlOf(number, this.#process.interfaceMinor) : undefined;
    if (ioctl === undefined) return -ENOTTY;
    if (arg.byteLength < sizeBytes) return -EFAULT;
    this.#process.pageTable.flush();
    return runIoctl(this.#process, ioctl, arg, sizeBytes);
  }

  /** The mapping itself with `ring` added, so that it is also what munmap knows. */
  #doorbellPage(mapping: Mapping): DoorbellPage {
    const { words } = this.#views;
    const base = (mapping.bytes.byteOffset ?? 0) / 4;
    const interrupts = this.#interrupts;
    // hot
    const ring = (byteOffset: number, value: number): void => {
      // The memory may belong to another machine by now.
      if (this.#closing) return;
      const word = base + (byteOffset >> 2);
      words[word + 1] = Math.floor(value / 0x1_0000_0000);
      Atomics.store(words, word, value | 0);
      Atomics.add(words, RING_COUNT, 1);
      interrupts.noteLaunch();
      wakeProcessor(words);
    };
    return Object.assign(mapping, { ring });
  }
}

/** kfd_ioctl.h AMDKFD_IOCTL_BASE. */
const KFD_IOCTL_TYPE = 0x4b;

/** Whether a WAIT_EVENTS argument asks without waiting. */
function isPoll(arg: Uint8Array): boolean {
  const { offset } = kfd.kfd_ioctl_wait_events_args.fields.timeout;
  if (arg.byteLength < offset + 4) return true;
  return new DataView(arg.buffer, arg.byteOffset).getUint32(offset, true) === 0;
}

function isPowerOfTwo(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0 && Number.isInteger(Math.log2(value));
}
