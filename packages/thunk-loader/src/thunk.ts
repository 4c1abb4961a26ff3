import type { DoorbellPage, SysfsSource } from '@doorbell/abi';

/** Which implementation of the thunk is behind a {@link Thunk}. */
export type ThunkProvider = 'kfd' | 'libhsakmt' | 'librocdxg';

/** Version of the kernel driver's interface (kfd_ioctl.h KFD_IOCTL_MAJOR_VERSION, KFD_IOCTL_MINOR_VERSION). */
export interface InterfaceVersion {
  readonly major: number;
  readonly minor: number;
}

/** A GPU that the thunk acquired, or one that it could not, with the reason. */
export interface ThunkGpu {
  /** The driver's id of the GPU: 16 bits, never 0. */
  readonly gpuId: number;
  /** Index of the topology node. */
  readonly nodeId: number;
  /** N of `/dev/dri/renderDN`. */
  readonly renderMinor: number;
  /** `properties` of the topology node, by the kernel's names. */
  readonly properties: ReadonlyMap<string, bigint>;
  /** Address ranges that the GPU gives a meaning of their own; absent when the GPU was not acquired. */
  readonly apertures?: ProcessApertures;
  /** Why the GPU cannot be used; absent when it can. */
  readonly problem?: Error;
}

/** Where LDS and scratch lie in the address space of a wave, and what the GPU can map (limits are inclusive). */
export interface ProcessApertures {
  readonly ldsBase: bigint;
  readonly ldsLimit: bigint;
  readonly scratchBase: bigint;
  readonly scratchLimit: bigint;
  readonly gpuvmBase: bigint;
  readonly gpuvmLimit: bigint;
}

/** One reading of the clocks, taken together. */
export interface ClockCounters {
  /** Ticks of the GPU's reference clock: the unit of signal time stamps. */
  readonly gpuTicks: bigint;
  /** CLOCK_MONOTONIC_RAW, nanoseconds. */
  readonly cpuNs: bigint;
  /** System time stamp in ticks of {@link systemFrequencyHz}. */
  readonly systemTicks: bigint;
  readonly systemFrequencyHz: bigint;
}

/** State of recoverable page faults for this process. */
export type XnackMode = 'on' | 'off' | 'unsupported';

/**
 * Kind of memory: `vram` is local to a GPU, `gtt` system memory that the driver manages, `userptr` system memory that the
 * caller owns, `doorbell` the process's doorbells on a GPU as memory that GPUs can ring, `mmio` the page of HDP flush registers.
 */
export type MemoryKind = 'vram' | 'gtt' | 'userptr' | 'doorbell' | 'mmio';

/** System memory of the caller, in whole pages. */
export interface HostRange {
  readonly address: bigint;
  readonly sizeBytes: number;
  readonly bytes?: Uint8Array | undefined;
}

/** System memory that the thunk took from the system for its caller, zeroed; dispose gives it back, after every `userptr` on it. */
export interface HostMemory extends HostRange, Disposable {
  readonly bytes: Uint8Array;
}

/** What to allocate; see {@link Thunk.allocate}. */
export interface AllocateOptions {
  readonly kind: MemoryKind;
  /** GPUs that reach the memory; the first owns it. */
  readonly gpuIds: readonly [number, ...number[]];
  /** Rounded up to whole pages of 4096 bytes; for `doorbell` the size of the slice, for `mmio` 4096, for `userptr` that of {@link host}. */
  readonly sizeBytes: number;
  /** What `userptr` shows to the GPUs; needed there, and only there. Page aligned. */
  readonly host?: HostRange;
  /** Power of two; default: 4096, or 2 MiB from 2 MiB on, so that the driver can use large pages. */
  readonly alignBytes?: number;
  /** Whether the host gets a view. Default: no for `vram` and `doorbell`, else yes. */
  readonly hostVisible?: boolean;
  /** GPUs may run code from it. Default: no. */
  readonly executable?: boolean;
  /** GPUs may write it. Default: yes. */
  readonly writable?: boolean;
  /** Fine-grained: atomics and stores are seen by the other side while a kernel runs. Default: no for `vram`, else yes. */
  readonly coherent?: boolean;
  /** Atomics of system scope are coherent too. Default: no. */
  readonly extendedCoherent?: boolean;
  /** VRAM in one physical piece if that can be had. Default: no. */
  readonly contiguous?: boolean;
  /** Not cached by the GPU. Default: no. */
  readonly uncached?: boolean;
}

/** An allocation. The view is valid until {@link Thunk.free}, and not a moment longer. */
export interface ThunkMemory {
  readonly kind: MemoryKind;
  /** Address for GPUs, and for the host where {@link bytes} is there. */
  readonly address: bigint;
  readonly sizeBytes: number;
  /** The driver's handle. */
  readonly handle: bigint;
  readonly gpuIds: readonly [number, ...number[]];
  /** The host's view, or undefined where the host cannot see the memory. */
  readonly bytes: Uint8Array | undefined;
}

/** A dma-buf file of an allocation; {@link Thunk.closeFile} closes it. */
export interface DmabufFile {
  /** Descriptor. */
  readonly file: number;
  /** Where the allocation begins in the file. */
  readonly offsetBytes: number;
}

/** What a dma-buf file holds. */
export interface DmabufInfo {
  readonly sizeBytes: number;
  /** The GPU that made it. */
  readonly gpuId: number;
  readonly kind: 'vram' | 'gtt';
  /** What the exporter attached (tiling, format); empty when nothing. */
  readonly metadata: Uint8Array;
}

/** What to import; see {@link Thunk.importDmabuf}. */
export interface ImportDmabufOptions {
  readonly file: number;
  /** GPUs that reach the memory; the first one imports it. */
  readonly gpuIds: readonly [number, ...number[]];
  /** Whether the host gets a view. Default: no. */
  readonly hostVisible?: boolean;
}

/** An attribute of a range of shared virtual memory (kfd_ioctl.h kfd_ioctl_svm_attr_type); locations and accesses name a GPU id. */
export interface SvmAttribute {
  readonly kind:
    | 'preferred-location'
    | 'prefetch-location'
    | 'access'
    | 'access-in-place'
    | 'no-access'
    | 'set-flags'
    | 'clear-flags'
    | 'granularity';
  readonly value: number;
}

/** An attribute's name. */
export type SvmAttributeKind = SvmAttribute['kind'];

/** An address range in whole pages. */
export interface AddressRange {
  readonly address: bigint;
  readonly sizeBytes: number;
}

/** How the memory of a GPU is tiled. */
export interface TileConfig {
  readonly tileConfig: Uint32Array;
  readonly macroTileConfig: Uint32Array;
  readonly gbAddrConfig: number;
  readonly banks: number;
  readonly ranks: number;
}

/** How accesses of waves are cached (GPUs before gfx9 only). */
export interface MemoryPolicy {
  readonly default: 'coherent' | 'noncoherent';
  readonly alternate: 'coherent' | 'noncoherent';
  readonly alternateBase: bigint;
  readonly alternateBytes: bigint;
}

/**
 * What a queue's packets are, and which engine takes them: AQL or PM4 packets for the compute engine, SDMA packets for the engines
 * to the host, those to other GPUs, or one that is named.
 */
export type QueueKind = 'aql' | 'pm4' | 'sdma' | 'sdma-xgmi' | 'sdma-engine';

/** Priorities of a queue; hsakmttypes.h HSA_QUEUE_PRIORITY −3…3. */
export type QueuePriority = 'minimum' | 'low' | 'below-normal' | 'normal' | 'above-normal' | 'high' | 'maximum';

/**
 * What to create; see {@link Thunk.createQueue}. Ring, pointers and doorbell belong to the caller and must be mapped on
 * the GPU: the ring by an allocation of exactly its size, each pointer by an allocation of exactly one page.
 */
export interface CreateQueueOptions {
  readonly gpuId: number;
  readonly kind: QueueKind;
  readonly ringAddress: bigint;
  readonly ringBytes: number;
  /** Address of the 64-bit write index; for AQL `amd_queue_t.write_dispatch_id`. */
  readonly writePointerAddress: bigint;
  /** Address of the 64-bit read index; for AQL `amd_queue_t.read_dispatch_id`. */
  readonly readPointerAddress: bigint;
  /** Default: `normal`. */
  readonly priority?: QueuePriority;
  /** Share of the engine, 0…100; 0 creates the queue stopped. Default: 100. */
  readonly percentage?: number;
  /** Engine of an `sdma-engine` queue; needed there (interface version 1.17). */
  readonly engineId?: number;
  /** XCC that runs a `pm4` queue. Default: 0. */
  readonly targetXcc?: number;
  /** Where the driver reports why it stopped the queue, and the event it sets then. Default: nowhere. */
  readonly error?: { readonly payloadAddress: bigint; readonly eventId: number };
}

/** A queue that the driver runs. */
export interface ThunkQueue {
  readonly queueId: number;
  readonly gpuId: number;
  readonly kind: QueueKind;
  /** Where to ring: `doorbell.page.ring(doorbell.byteOffset, value)`. */
  readonly doorbell: { readonly page: DoorbellPage; readonly byteOffset: number; readonly address: bigint };
}

/** Changes to a running queue; see {@link Thunk.updateQueue}. What is absent stays as it is. */
export interface UpdateQueueOptions {
  readonly percentage?: number;
  readonly priority?: QueuePriority;
  /** Give both to move the ring. */
  readonly ring?: { readonly address: bigint; readonly sizeBytes: number };
}

/** Kinds of events: an interrupt of a signal, a memory fault, a hang or reset of a GPU, and those that drivers only keep. */
export type EventKind =
  | 'signal'
  | 'memory-exception'
  | 'hw-exception'
  | 'node-change'
  | 'device-state-change'
  | 'system'
  | 'debug'
  | 'profile'
  | 'queue';

/** An event of the driver. */
export interface ThunkEvent {
  readonly id: number;
  readonly kind: EventKind;
  /** Address of the slot that a GPU writes {@link id} to before it raises the interrupt; 0n for other kinds than `signal` and `debug`. */
  readonly mailboxAddress: bigint;
  readonly reset: 'auto' | 'manual';
}

/** A memory access of a GPU that failed. */
export interface MemoryException {
  readonly gpuId: number;
  /** Page address of the access. */
  readonly address: bigint;
  readonly notPresent: boolean;
  readonly readOnly: boolean;
  readonly noExecute: boolean;
  /** The address is that of a neighbour access. */
  readonly imprecise: boolean;
  readonly errorType: 'none' | 'sram-ecc' | 'poison' | 'gpu-hang' | 'other';
}

/** A hang or reset of a GPU. */
export interface HwException {
  readonly gpuId: number;
  readonly resetType: 'whole-gpu' | 'engine' | 'other';
  readonly resetCause: 'hang' | 'ecc' | 'other';
  readonly memoryLost: boolean;
}

/** How far a queue is saved; see {@link Thunk.queueWaveState}. */
export interface QueueWaveState {
  readonly controlStackAddress: bigint;
  readonly controlStackUsedBytes: number;
  readonly saveAreaUsedBytes: number;
}

/** An event to wait for, with the age that the caller saw last: another age counts as signaled (interface version 1.14). */
export type WaitTarget = ThunkEvent | { readonly event: ThunkEvent; readonly lastAge: bigint };

/** How {@link Thunk.waitEvents} ended. */
export interface WaitOutcome {
  readonly result: 'complete' | 'timeout';
  /** Data of memory exceptions that fired, in the order of the events given. */
  readonly memoryExceptions: readonly MemoryException[];
  readonly hwExceptions: readonly HwException[];
  /** How often each event was set so far, from 1 on, in the order of the events given; 0n where the driver does not count. */
  readonly ages: readonly bigint[];
}

/** How to wait; see {@link Thunk.waitEvents}. */
export interface WaitEventsOptions {
  /** Wait for one of the events or for all. Default: any. */
  readonly mode?: 'any' | 'all';
  /** 0 polls; Infinity waits for ever. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/**
 * The hsaKmt interface as a typed table: what a runtime asks of the kernel driver. One open driver per object; every
 * function but {@link waitEvents} returns at once. Failures throw {@link HsaError} with the errno, the ioctl's name and its arguments
 * in `details`; a failing function leaves nothing behind.
 */
export interface Thunk extends AsyncDisposable {
  readonly provider: ThunkProvider;
  /** Path of the device or library, for messages. */
  readonly path: string;
  readonly version: InterfaceVersion;
  readonly sysfs: SysfsSource;
  /** GPU nodes in the order of the topology, also those that could not be acquired. */
  readonly gpus: readonly ThunkGpu[];
  readonly xnack: XnackMode;
  /** Switches recoverable page faults for this process. @throws {HsaError} ERR_NOT_SUPPORTED (no such switch), ERR_KFD_IOCTL (EBUSY: there are queues). */
  setXnack(mode: 'on' | 'off'): void;

  clockCounters(gpuId: number): ClockCounters;
  /** Free VRAM in bytes. @throws {HsaError} ERR_NOT_SUPPORTED before interface version 1.9. */
  availableMemoryBytes(gpuId: number): number;

  /** Reserves addresses, allocates, maps for the host where asked, maps on `gpuIds`. @throws {HsaError} ERR_OUT_OF_MEMORY, ERR_KFD_IOCTL. */
  allocate(options: AllocateOptions): ThunkMemory;
  /** Makes the memory reachable from more GPUs; mapping twice is no error. */
  mapToGpus(memory: ThunkMemory, gpuIds: readonly number[]): void;
  unmapFromGpus(memory: ThunkMemory, gpuIds: readonly number[]): void;
  /** Unmaps everywhere and frees. Freeing twice throws ERR_INVALID_ADDRESS. */
  free(memory: ThunkMemory): void;
  /** Zeroed system memory for `userptr`, in whole pages. @throws {HsaError} ERR_OUT_OF_MEMORY. */
  hostMemory(sizeBytes: number): HostMemory;

  /** @throws {HsaError} ERR_NOT_SUPPORTED before interface version 1.12, ERR_KFD_IOCTL (EINVAL: no `vram` or `gtt`). */
  exportDmabuf(memory: ThunkMemory): DmabufFile;
  dmabufInfo(file: number): DmabufInfo;
  /** Makes the memory of a dma-buf file reachable; {@link free} lets go of it. */
  importDmabuf(options: ImportDmabufOptions): ThunkMemory;
  /** Closes a descriptor that this thunk handed out; closing twice throws ERR_INVALID_ARGUMENT. */
  closeFile(file: number): void;

  /** Sets attributes of shared virtual memory. @throws {HsaError} ERR_NOT_SUPPORTED (before 1.5, or no SVM), ERR_KFD_IOCTL. */
  svmSet(range: AddressRange, attributes: readonly SvmAttribute[]): void;
  /** What the whole range has in common; for `access` the answer's kind tells which of the three it is. */
  svmGet(range: AddressRange, attributes: readonly SvmAttribute[]): readonly SvmAttribute[];

  tileConfig(gpuId: number): TileConfig;
  setMemoryPolicy(gpuId: number, policy: MemoryPolicy): void;

  setScratchBacking(gpuId: number, address: bigint): void;
  setTrapHandler(gpuId: number, handlerAddress: bigint, bufferAddress: bigint): void;

  /** @throws {HsaError} ERR_QUEUE_CREATION with the driver's errno. */
  createQueue(options: CreateQueueOptions): ThunkQueue;
  updateQueue(queue: ThunkQueue, options: UpdateQueueOptions): void;
  /** Stops the queue and gives back what the driver needed for it. */
  destroyQueue(queue: ThunkQueue): void;
  /**
   * Limits a compute queue to some compute units: bit i of the mask is a unit, round-robin over the shader engines. From gfx10 on both
   * units of a work-group processor must be allowed, or none. @throws {HsaError} ERR_KFD_IOCTL (EINVAL), ERR_INVALID_ARGUMENT.
   */
  setCuMask(queue: ThunkQueue, mask: Uint32Array): void;
  /** What a stopped queue (percentage 0) has saved. @throws {HsaError} ERR_KFD_IOCTL (EBUSY: the queue runs). */
  queueWaveState(queue: ThunkQueue): QueueWaveState;
  /** Gives the queue global wave sync resources: the first of them. @throws {HsaError} ERR_KFD_IOCTL (ENODEV: the GPU has none). */
  allocateGws(queue: ThunkQueue, count: number): number;

  /** Default reset: `auto`. @throws {HsaError} ERR_KFD_IOCTL (ENOSPC: all events of the process are in use). */
  createEvent(options: { readonly kind: EventKind; readonly reset?: 'auto' | 'manual' }): ThunkEvent;
  setEvent(event: ThunkEvent): void;
  resetEvent(event: ThunkEvent): void;
  destroyEvent(event: ThunkEvent): void;
  /**
   * Waits without blocking the thread. An abort rejects at once with ERR_ABORTED; the driver's wait ends by itself later.
   * @throws {HsaError} ERR_DISPOSED when an event was destroyed meanwhile, ERR_ABORTED, ERR_KFD_IOCTL.
   */
  waitEvents(events: readonly WaitTarget[], options: WaitEventsOptions): Promise<WaitOutcome>;

  /** Tells the driver that a runtime is up (for debuggers). Answers `unsupported` before interface version 1.13. */
  runtimeEnable(options: {
    readonly rDebugAddress: bigint;
    readonly saveTrapTemporaries: 'yes' | 'no';
  }): 'enabled' | 'unsupported';
  runtimeDisable(): void;
}
