/** The one process that has the emulated /dev/kfd open: everything the ioctls read and change. */
import type { Host } from '../host.js';
import { PAGE_BYTES, PAGE_READ, PAGE_WRITE } from '../memory-map.js';
import { WindowTable } from '../address-windows.js';
import { alignUp } from './address.js';
import { AddressSpace } from './address-space.js';
import type { Buffer, MemoryObject } from './buffers.js';
import { BufferTable, pageAccessOf } from './buffers.js';
import { DevicePages } from './device-pages.js';
import { DoorbellSlots } from './doorbell-slots.js';
import type { Timers } from './events.js';
import { EventTable } from './events.js';
import type { GemObject, OpenFile } from './files.js';
import { FileTable } from './files.js';
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
import { SvmRanges } from './svm-ranges.js';
import type { MachineDescription } from '../sysfs/machine.js';

export interface ProcessOptions {
  readonly host: Host;
  readonly views: MemoryViews;
  readonly machine: MachineDescription;
  /** Minor version of the interface that the driver speaks. */
  readonly interfaceMinor: number;
  readonly queues: QueueManager;
  readonly timers?: Timers | undefined;
  readonly onWaitCount: (pending: number) => void;
}

export class Process {
  readonly host: Host;
  readonly views: MemoryViews;
  readonly machine: MachineDescription;
  readonly interfaceMinor: number;
  readonly gpus: readonly Gpu[];
  readonly addressSpace: AddressSpace = new AddressSpace();
  readonly buffers: BufferTable = new BufferTable();
  readonly hostBuffers: HostBuffers = new HostBuffers();
  readonly pageTable: PageTable;
  /** Who chooses addresses. */
  readonly placement: Placement;
  readonly events: EventTable;
  readonly queues: QueueManager;
  readonly files: FileTable = new FileTable();
  readonly svm: SvmRanges;
  /** Slots of events when user space brings no buffer for them. */
  readonly eventPages: DevicePages;
  /** The buffer that user space brought for the slots. */
  eventBuffer: Buffer | undefined;
  isRuntimeEnabled = false;

  constructor({ host, views, machine, interfaceMinor, queues, timers, onWaitCount }: ProcessOptions) {
    this.host = host;
    this.interfaceMinor = interfaceMinor;
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
      doorbellSlots: new DoorbellSlots(description),
      vmFile: undefined,
      gwsQueue: undefined,
    }));
    this.svm = new SvmRanges({
      gpuIds: this.gpus.map((gpu) => gpu.id),
      hasBuffers: (offset, sizeBytes) => this.#hasUserptr(offset, sizeBytes),
      onChange: (offset, sizeBytes): void => {
        this.applyGpuAccess({ offset, sizeBytes });
      },
    });
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

  /** Lets the GPUs use these pages as all buffers over them that are mapped, and the attributes of shared memory, allow. */
  applyGpuAccess({ offset, sizeBytes }: { readonly offset: number; readonly sizeBytes: number }): void {
    const buffers = this.buffers.mappedOver(offset, sizeBytes);
    const [only] = buffers;
    const isWhole = only === undefined || (only.offset <= offset && only.offset + only.sizeBytes >= offset + sizeBytes);
    if (buffers.length < 2 && isWhole && !this.svm.hasArea(offset, sizeBytes)) {
      this.pageTable.setGpu(offset, sizeBytes, only === undefined ? 0 : pageAccessOf(only.flags));
      return;
    }
    for (let page = offset; page < offset + sizeBytes; page += PAGE_BYTES) {
      let access = this.svm.accessAt(page);
      for (const buffer of buffers) {
        if (page >= buffer.offset && page < buffer.offset + buffer.sizeBytes) access |= pageAccessOf(buffer.flags);
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

  /** Bytes that GPUs reach at an address; undefined when they do not all lie where GPUs may go. */
  gpuBytes(address: bigint, sizeBytes: number): Uint8Array | undefined {
    const offset = this.offsetOf(address, sizeBytes);
    return offset === undefined || this.pageTable.gpuAccess(offset) === 0
      ? undefined
      : this.views.bytes.subarray(offset, offset + sizeBytes);
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
    return this.files.open({ kind: 'render', minor, handles: new Map() });
  }

  /** Closes a descriptor of this kind; false when there is none. */
  closeFile(descriptor: number, kind: OpenFile['kind']): boolean {
    if (this.files.get(descriptor)?.kind !== kind) return false;
    const file = this.files.close(descriptor);
    if (file?.kind === 'dmabuf') this.dropMemory(file.memory);
    if (file?.kind === 'render') for (const object of file.handles.values()) this.closeGem(object);
    return true;
  }

  /** A file or a GEM handle holds memory from now on. */
  retainMemory(memory: MemoryObject): void {
    this.buffers.retain(memory);
    this.addressSpace.use(memory.offset, memory.sizeBytes);
  }

  /** Takes a {@link retainMemory} back. */
  dropMemory(memory: MemoryObject): void {
    if (this.buffers.drop(memory)) this.discard(memory);
    this.addressSpace.unuse(memory.offset, memory.sizeBytes);
  }

  /** Takes a buffer away, and its memory with the last that holds it. */
  freeBuffer(buffer: Buffer): void {
    if (this.buffers.remove(buffer)) this.discard(buffer.memory);
    this.placement.unplace(buffer);
  }

  /** Takes a GEM handle's mappings and its hold on the memory away. */
  closeGem({ memory, mappings }: GemObject): void {
    for (const buffer of mappings.values()) this.unmapGem(buffer);
    this.dropMemory(memory);
  }

  /** Ends a mapping of AMDGPU_GEM_VA. */
  unmapGem(buffer: Buffer): void {
    buffer.mappedOn.clear();
    this.applyGpuAccess(buffer);
    this.freeBuffer(buffer);
  }

  #hasUserptr(offset: number, sizeBytes: number): boolean {
    const address = this.views.addresses.addressOf(offset);
    return address !== undefined && this.buffers.overlapping(address, sizeBytes).length > 0;
  }

  /** Gives the pages of big memory back to the system, if nobody holds or sees it any more; others are cleared when reused. */
  discard({ kind, references, offset, sizeBytes }: MemoryObject): void {
    const { pageTable, host } = this;
    if (references > 0 || (kind !== 'vram' && kind !== 'gtt') || sizeBytes < DISCARD_BYTES) return;
    if (host.discardPages === undefined || pageTable.isSeen(offset, sizeBytes)) return;
    // Other memory may be there by now, which nobody sees yet.
    if (this.buffers.hasMemoryAt(offset, sizeBytes)) return;
    pageTable.clear(offset, sizeBytes, host.discardPages);
  }
}

/** Freed memory of at least this size gives its pages back to the system at once. */
const DISCARD_BYTES = 0x10_0000;
