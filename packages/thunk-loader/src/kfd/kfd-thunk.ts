import type { Fields, KfdDevice, SysfsSource } from '@doorbell/abi';
import { HsaError, kfd, releaseAll, releaseAllAsync } from '@doorbell/abi';
import { checkCreateEvent, checkEvent, checkWait } from '../arguments/events.js';
import { checkFile, checkImport, checkMemory, checkSvm } from '../arguments/memory.js';
import {
  checkCreateQueue,
  checkCuMask,
  checkMemoryPolicy,
  checkQueue,
  checkRuntime,
  checkUpdateQueue,
  checkXnack,
} from '../arguments/queues.js';
import { checkAddress, checkGpuIds, checkInteger } from '../arguments/values.js';
import { EBUSY, EEXIST } from '../errno.js';
import type {
  AddressRange,
  AllocateOptions,
  ClockCounters,
  CreateQueueOptions,
  DmabufFile,
  DmabufInfo,
  EventKind,
  HostMemory,
  ImportDmabufOptions,
  InterfaceVersion,
  MemoryPolicy,
  QueueWaveState,
  SvmAttribute,
  Thunk,
  ThunkEvent,
  ThunkGpu,
  ThunkMemory,
  ThunkQueue,
  TileConfig,
  UpdateQueueOptions,
  WaitEventsOptions,
  WaitOutcome,
  WaitTarget,
  XnackMode,
} from '../thunk.js';
import { SINCE_MINOR } from '../driver-constants.js';
import { KfdFiles, readDmabufInfo } from './dmabuf.js';
import { KfdEvents } from './events.js';
import type { Ioctl } from './ioctl.js';
import { callKfd } from './ioctl.js';
import { KfdMemory } from './memory.js';
import type { KfdProcess } from './process.js';
import { openKfdProcess, requireMinor, setXnackMode } from './process.js';
import { KfdQueues } from './queues.js';
import { callSvm } from './svm.js';
import { readTileConfig } from './tile-config.js';

const GET_CLOCK_COUNTERS = {
  name: 'GET_CLOCK_COUNTERS',
  request: kfd.AMDKFD_IOC_GET_CLOCK_COUNTERS,
  layout: kfd.kfd_ioctl_get_clock_counters_args,
};
const AVAILABLE_MEMORY = {
  name: 'AVAILABLE_MEMORY',
  request: kfd.AMDKFD_IOC_AVAILABLE_MEMORY,
  layout: kfd.kfd_ioctl_get_available_memory_args,
};
const SET_SCRATCH_BACKING_VA = {
  name: 'SET_SCRATCH_BACKING_VA',
  request: kfd.AMDKFD_IOC_SET_SCRATCH_BACKING_VA,
  layout: kfd.kfd_ioctl_set_scratch_backing_va_args,
};
const SET_TRAP_HANDLER = {
  name: 'SET_TRAP_HANDLER',
  request: kfd.AMDKFD_IOC_SET_TRAP_HANDLER,
  layout: kfd.kfd_ioctl_set_trap_handler_args,
};
const SET_MEMORY_POLICY = {
  name: 'SET_MEMORY_POLICY',
  request: kfd.AMDKFD_IOC_SET_MEMORY_POLICY,
  layout: kfd.kfd_ioctl_set_memory_policy_args,
};
const RUNTIME_ENABLE = {
  name: 'RUNTIME_ENABLE',
  request: kfd.AMDKFD_IOC_RUNTIME_ENABLE,
  layout: kfd.kfd_ioctl_runtime_enable_args,
};

const POLICY_OF = { coherent: kfd.KFD_IOC_CACHE_POLICY_COHERENT, noncoherent: kfd.KFD_IOC_CACHE_POLICY_NONCOHERENT } as const;

/**
 * Opens the thunk on a KFD device: the real one or an emulated one. The thunk owns the device from now on and disposes it,
 * also when opening fails.
 * @throws {HsaError} ERR_KFD_UNSUPPORTED, ERR_NO_DEVICE, ERR_TOPOLOGY, ERR_KFD_IOCTL.
 */
export async function openKfdThunk(device: KfdDevice): Promise<Thunk> {
  try {
    return new KfdThunk(device, openKfdProcess(device));
  } catch (error) {
    await device[Symbol.asyncDispose]();
    throw error;
  }
}

class KfdThunk implements Thunk {
  readonly provider = 'kfd';
  readonly path: string;
  readonly version: InterfaceVersion;
  readonly sysfs: SysfsSource;
  readonly gpus: readonly ThunkGpu[];
  readonly #device: KfdDevice;
  readonly #process: KfdProcess;
  readonly #memory: KfdMemory;
  readonly #files: KfdFiles;
  readonly #events: KfdEvents;
  readonly #queues: KfdQueues;
  #runtime: 'enabled' | 'disabled' = 'disabled';
  #closing: Promise<void> | undefined;

  constructor(device: KfdDevice, process: KfdProcess) {
    this.#device = device;
    this.path = device.path;
    this.sysfs = device.sysfs;
    this.version = process.version;
    this.gpus = process.gpus;
    this.#process = process;
    this.#memory = new KfdMemory(device, process);
    this.#files = new KfdFiles(device, process);
    this.#events = new KfdEvents(device, process, this.#memory);
    this.#queues = new KfdQueues(device, process, this.#memory);
  }

  get xnack(): XnackMode {
    return this.#process.xnack;
  }

  setXnack(mode: 'on' | 'off'): void {
    this.#checkOpen();
    checkXnack(mode);
    setXnackMode(this.#device, this.#process, mode);
  }

  clockCounters(gpuId: number): ClockCounters {
    checkInteger(gpuId, 'gpuId');
    const answer = this.#call(GET_CLOCK_COUNTERS, { gpu_id: gpuId }, `reading the clocks of GPU ${gpuId}`);
    return {
      gpuTicks: answer.gpu_clock_counter,
      cpuNs: answer.cpu_clock_counter,
      systemTicks: answer.system_clock_counter,
      systemFrequencyHz: answer.system_clock_freq,
    };
  }

  availableMemoryBytes(gpuId: number): number {
    this.#checkOpen();
    checkInteger(gpuId, 'gpuId');
    requireMinor(this.#device, this.#process, SINCE_MINOR.AVAILABLE_MEMORY, 'AVAILABLE_MEMORY');
    return Number(this.#call(AVAILABLE_MEMORY, { gpu_id: gpuId }, `asking for the free memory of GPU ${gpuId}`).available);
  }

  allocate(options: AllocateOptions): ThunkMemory {
    this.#checkOpen();
    return this.#memory.allocate(options);
  }

  mapToGpus(memory: ThunkMemory, gpuIds: readonly number[]): void {
    this.#checkOpen();
    checkMemory(memory);
    checkGpuIds(gpuIds);
    this.#memory.mapToGpus(memory, gpuIds);
  }

  unmapFromGpus(memory: ThunkMemory, gpuIds: readonly number[]): void {
    this.#checkOpen();
    checkMemory(memory);
    checkGpuIds(gpuIds);
    this.#memory.unmapFromGpus(memory, gpuIds);
  }

  free(memory: ThunkMemory): void {
    this.#checkOpen();
    checkMemory(memory);
    this.#memory.free(memory);
  }

  hostMemory(sizeBytes: number): HostMemory {
    this.#checkOpen();
    return this.#memory.hostMemory(sizeBytes);
  }

  exportDmabuf(memory: ThunkMemory): DmabufFile {
    this.#checkOpen();
    checkMemory(memory);
    this.#memory.check(memory);
    return this.#files.exportDmabuf(memory);
  }

  dmabufInfo(file: number): DmabufInfo {
    this.#checkOpen();
    checkFile(file);
    return readDmabufInfo(this.#device, file);
  }

  importDmabuf(options: ImportDmabufOptions): ThunkMemory {
    this.#checkOpen();
    checkImport(options);
    return this.#memory.importDmabuf(options);
  }

  closeFile(file: number): void {
    this.#checkOpen();
    checkFile(file);
    this.#files.close(file);
  }

  svmSet(range: AddressRange, attributes: readonly SvmAttribute[]): void {
    this.#checkOpen();
    checkSvm(range, attributes);
    callSvm(this.#device, this.#process, { op: 'set', range, attributes });
  }

  svmGet(range: AddressRange, attributes: readonly SvmAttribute[]): readonly SvmAttribute[] {
    this.#checkOpen();
    checkSvm(range, attributes);
    return callSvm(this.#device, this.#process, { op: 'get', range, attributes });
  }

  tileConfig(gpuId: number): TileConfig {
    this.#checkOpen();
    checkInteger(gpuId, 'gpuId');
    return readTileConfig(this.#device, gpuId);
  }

  setMemoryPolicy(gpuId: number, policy: MemoryPolicy): void {
    checkMemoryPolicy(gpuId, policy);
    const args = {
      gpu_id: gpuId,
      default_policy: POLICY_OF[policy.default],
      alternate_policy: POLICY_OF[policy.alternate],
      alternate_aperture_base: policy.alternateBase,
      alternate_aperture_size: policy.alternateBytes,
    };
    this.#call(SET_MEMORY_POLICY, args, `setting the memory policy of GPU ${gpuId}`);
  }

  setScratchBacking(gpuId: number, address: bigint): void {
    checkInteger(gpuId, 'gpuId');
    checkAddress(address, 'address');
    // The driver takes the address in units of 64 KiB (amdgpu SH_HIDDEN_PRIVATE_BASE_VMID).
    this.#call(SET_SCRATCH_BACKING_VA, { gpu_id: gpuId, va_addr: address >> 16n }, `setting the scratch area of GPU ${gpuId}`);
  }

  setTrapHandler(gpuId: number, handlerAddress: bigint, bufferAddress: bigint): void {
    checkInteger(gpuId, 'gpuId');
    checkAddress(handlerAddress, 'handlerAddress');
    checkAddress(bufferAddress, 'bufferAddress');
    const args = { gpu_id: gpuId, tba_addr: handlerAddress, tma_addr: bufferAddress };
    this.#call(SET_TRAP_HANDLER, args, `setting the trap handler of GPU ${gpuId}`);
  }

  createQueue(options: CreateQueueOptions): ThunkQueue {
    this.#checkOpen();
    checkCreateQueue(options);
    return this.#queues.create(options);
  }

  updateQueue(queue: ThunkQueue, options: UpdateQueueOptions): void {
    this.#checkOpen();
    checkUpdateQueue(queue, options);
    this.#queues.update(queue, options);
  }

  destroyQueue(queue: ThunkQueue): void {
    this.#checkOpen();
    checkQueue(queue);
    this.#queues.destroy(queue);
  }

  setCuMask(queue: ThunkQueue, mask: Uint32Array): void {
    this.#checkOpen();
    checkCuMask(queue, mask);
    this.#queues.setCuMask(queue, mask);
  }

  queueWaveState(queue: ThunkQueue): QueueWaveState {
    this.#checkOpen();
    checkQueue(queue);
    return this.#queues.waveState(queue);
  }

  allocateGws(queue: ThunkQueue, count: number): number {
    this.#checkOpen();
    checkQueue(queue);
    checkInteger(count, 'count');
    return this.#queues.allocateGws(queue, count);
  }

  createEvent(options: { readonly kind: EventKind; readonly reset?: 'auto' | 'manual' }): ThunkEvent {
    this.#checkOpen();
    checkCreateEvent(options);
    return this.#events.create(options);
  }

  setEvent(event: ThunkEvent): void {
    this.#checkOpen();
    checkEvent(event);
    this.#events.set(event);
  }

  resetEvent(event: ThunkEvent): void {
    this.#checkOpen();
    checkEvent(event);
    this.#events.reset(event);
  }

  destroyEvent(event: ThunkEvent): void {
    this.#checkOpen();
    checkEvent(event);
    this.#events.destroy(event);
  }

  async waitEvents(events: readonly WaitTarget[], options: WaitEventsOptions): Promise<WaitOutcome> {
    this.#checkOpen();
    checkWait(events, options);
    return this.#events.wait(events, options);
  }

  runtimeEnable(options: {
    readonly rDebugAddress: bigint;
    readonly saveTrapTemporaries: 'yes' | 'no';
  }): 'enabled' | 'unsupported' {
    this.#checkOpen();
    checkRuntime(options);
    if (this.version.minor < SINCE_MINOR.RUNTIME_ENABLE) return 'unsupported';
    const { KFD_RUNTIME_ENABLE_MODE_ENABLE_MASK: enable, KFD_RUNTIME_ENABLE_MODE_TTMP_SAVE_MASK: saveTtmps } = kfd;
    callKfd(this.#device, RUNTIME_ENABLE, {
      args: { r_debug: options.rDebugAddress, mode_mask: options.saveTrapTemporaries === 'yes' ? enable | saveTtmps : enable },
      purpose: {
        doing: 'announcing the runtime',
        errnos: {
          [EBUSY]: { meaning: 'a runtime of this process is announced already' },
          [EEXIST]: { meaning: 'the process has queues; it must be done before the first one' },
        },
      },
    });
    this.#runtime = 'enabled';
    return 'enabled';
  }

  runtimeDisable(): void {
    this.#checkOpen();
    this.#disableRuntime();
  }

  /** Destroys queues, memory and events that are left, in this order, then closes the device. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const steps = [() => this.#releaseLive(), () => this.#events.drain(), () => this.#device[Symbol.asyncDispose]()];
    await releaseAllAsync(steps, `closing ${this.path} left something behind`);
  }

  #releaseLive(): void {
    const freeMemory = (): void =>
      releaseAll(
        this.#memory.live.map((memory) => () => this.#memory.free(memory)),
        'memory',
      );
    const giveBack = (): void =>
      releaseAll(
        [
          ...this.#files.open.map((file) => () => this.#files.close(file)),
          ...this.#memory.liveHostMemory.map((memory) => () => memory[Symbol.dispose]()),
        ],
        'files or system memory',
      );
    releaseAll(
      [
        ...this.#queues.live.map((queue) => () => this.#queues.destroy(queue)),
        ...this.#events.live.map((event) => () => this.#events.destroy(event)),
        () => this.#disableRuntime(),
        // Buffers of destroyed queues are gone by now; what is left was never freed.
        freeMemory,
        giveBack,
      ],
      'queues, events or memory',
    );
  }

  #disableRuntime(): void {
    if (this.#runtime === 'disabled') return;
    callKfd(this.#device, RUNTIME_ENABLE, { args: { mode_mask: 0 }, purpose: { doing: 'taking the runtime back' } });
    this.#runtime = 'disabled';
  }

  #call<F extends Fields>(ioctl: Ioctl<F>, args: Parameters<typeof callKfd<F>>[2]['args'], doing: string) {
    this.#checkOpen();
    return callKfd(this.#device, ioctl, { args, purpose: { doing } });
  }

  #checkOpen(): void {
    if (this.#closing === undefined) return;
    throw new HsaError('ERR_DISPOSED', { message: `the thunk on ${this.path} is closed` });
  }
}
