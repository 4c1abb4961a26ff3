/** The one process that has the emulated /dev/kfd open: everything the ioctls read and change. */
import type { Host } from '../host.js';
import { PAGE_BYTES, PAGE_READ, PAGE_WRITE } from '../memory-map.js';
import { WindowTable } from '../address-windows.js';
import { alignUp } from './address.js';
import { AddressSpace } from './address-space.js';
import type { Buffer } from './buffers.js';
import { BufferTable, pageAccessOf } from './buffers.js';
import { DevicePages } from './device-pages.js';
import type { Timers } from './events.js';
import { EventTable } from './events.js';
import type { Gpu } from './gpu.js';
import { queueSizesOf } from './gpu.js';
import { HostBuffers } from './host-buffers.js';
import { DOORBELL_SLICE_BYTES, EVENT_PAGE_BYTES } from './kfd-constants.js';
import { PageTable } from './page-table.js';
import { FixedPlacement, ScatteredPlacement } from './placement.js';
import type { Placement } from './placement.js';
import type { QueueManager } from './queue-manager.js';
import type { MemoryViews } from './shared-state.js';
import { ACTIVE_THREADS, REST_WANTED } from './shared-state.js';
import type { MachineDescription } from '../sysfs/machine.js';

export interface ProcessOptions {
  readonly host: Host;
  readonly views: MemoryViews;
  readonly machine: MachineDescription;
  readonly queues: QueueManager;
  readonly timers?: Timers | undefined;
  readonly onWaitCount: (pending: number) => void;
}

export class Process {
  readonly host: Host;
  readonly views: MemoryViews;
  readonly machine: MachineDescription;
  readonly gpus: readonly Gpu[];
  readonly addressSpace: AddressSpace = new AddressSpace();
  readonly buffers: BufferTable = new BufferTable();
  readonly hostBuffers: HostBuffers = new HostBuffers();
  readonly pageTable: PageTable;
  /** Who chooses addresses. */
  readonly placement: Placement;
  readonly events: EventTable;
  readonly queues: QueueManager;
  /** Slots of events when user space brings no buffer for them. */
  readonly eventPages: DevicePages;
  /** The buffer that user space brought for the slots. */
  eventBuffer: Buffer | undefined;
  isRuntimeEnabled = false;
  readonly #files = new Map<number, number>();

  constructor({ host, views, machine, queues, timers, onWaitCount }: ProcessOptions) {
    this.host = host;
    this.views = views;
    this.machine = machine;
    this.queues = queues;
    this.pageTable = new PageTable({
      memory: views.memory,
      protectPages: host.protectPages,
      threads: {
        isBusy: () => Atomics.load(views.words, ACTIVE_THREADS) !== 0,
        askToRest: () => {
          Atomics.store(views.words, REST_WANTED, 1);
        },
        goOn: () => {
          if (Atomics.exchange(views.words, REST_WANTED, 0) !== 0) Atomics.notify(views.words, REST_WANTED);
        },
      },
    });
    const parts = { addressSpace: this.addressSpace, buffers: this.buffers, pageTable: this.pageTable };
    this.placement =
      views.addresses instanceof WindowTable ? new ScatteredPlacement(parts, views.addresses) : new FixedPlacement(parts);
    this.events = new EventTable({ ...(timers === undefined ? {} : { timers }), onWaitCount });
    const pages = { addressSpace: this.addressSpace, pageTable: this.pageTable, views };
    this.eventPages = new DevicePages({
      ...pages,
      sizeBytes: EVENT_PAGE_BYTES,
      gpuAccess: PAGE_READ | PAGE_WRITE,
      onPlaced: (offset): void => {
        this.events.usePage(this.slotsAt(offset), 'compat');
      },
    });
    this.gpus = machine.gpus.map((description, index) => ({
      index,
      description,
      id: description.gpuId,
      queueSizes: queueSizesOf(description),
      doorbells: new DevicePages({
        ...pages,
        sizeBytes: DOORBELL_SLICE_BYTES,
        gpuAccess: 0,
        onPlaced: (offset): void => {
          queues.moveDoorbells(index, offset);
        },
      }),
      vmFile: undefined,
    }));
  }

  gpu(gpuId: number): Gpu | undefined {
    return this.gpus.find((gpu) => gpu.id === gpuId);
  }

  get gpuIds(): ReadonlySet<number> {
    return new Set(this.gpus.map((gpu) => gpu.id));
  }

  /** The event slots in a page at `offset`. */
  slotsAt(offset: number): BigInt64Array {
    return this.views.longs.subarray(offset / 8, (offset + EVENT_PAGE_BYTES) / 8);
  }

  /** The offset of bytes at an address that GPUs use; undefined when they do not all lie where GPUs may go. */
  offsetOf(address: bigint, sizeBytes: number): number | undefined {
    const offset = this.views.addresses.offsetOf(address, sizeBytes);
    return offset < 0 ? undefined : offset;
  }

  /** Lets the GPUs use the pages of a buffer as it and all others over the same pages allow, where they are mapped. */
  applyGpuAccess(buffer: Buffer): void {
    const { offset, sizeBytes, flags, mappedOn } = buffer;
    const own = mappedOn.size > 0 ? pageAccessOf(flags) : 0;
    const others = this.buffers.sharers(buffer);
    if (others.length === 0) {
      this.pageTable.setGpu(offset, sizeBytes, own);
      return;
    }
    for (let page = offset; page < offset + sizeBytes; page += PAGE_BYTES) {
      let access = own;
      for (const other of others) {
        if (page >= other.offset && page < other.offset + other.sizeBytes) access |= pageAccessOf(other.flags);
      }
      this.pageTable.setGpu(page, PAGE_BYTES, access);
    }
  }

  /** Bytes that a pointer member of an ioctl argument names; undefined is EFAULT. */
  resolve(address: bigint, sizeBytes: number): Uint8Array | undefined {
    const buffer = this.hostBuffers.resolve(address, sizeBytes);
    if (buffer !== undefined) return buffer;
    // A client with an address space of its own has none of it here.
    const offset = this.views.addresses.form === 'fixed' ? this.offsetOf(address, sizeBytes) : undefined;
    if (offset === undefined || !this.pageTable.isHostAccessible(offset, sizeBytes)) return undefined;
    return this.views.bytes.subarray(offset, offset + sizeBytes);
  }

  /** Bytes of VRAM that can still be allocated on a GPU. */
  availableVram(gpu: Gpu): number {
    return Math.max(0, gpu.description.vramBytes - this.buffers.usedBytes('vram', gpu.id));
  }

  /** Whether system memory has room for `sizeBytes` more. */
  hasSystemMemory(sizeBytes: number): boolean {
    return this.buffers.usedBytes('gtt') + alignUp(sizeBytes, PAGE_BYTES) <= this.machine.systemBytes;
  }

  /** Opens a render node: a descriptor, or undefined when there is no such node. */
  openRenderNode(minor: number): number | undefined {
    if (!this.gpus.some((gpu) => gpu.description.renderMinor === minor)) return undefined;
    let file = 0;
    while (this.#files.has(file)) file += 1;
    this.#files.set(file, minor);
    return file;
  }

  /** The minor that a descriptor stands for. */
  renderMinorOf(file: number): number | undefined {
    return this.#files.get(file);
  }

  closeRenderNode(file: number): void {
    this.#files.delete(file);
  }
}
