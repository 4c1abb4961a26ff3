import type { SysfsSource } from '@doorbell/abi';
import { HsaError, hsakmt, releaseAll, releaseAllAsync } from '@doorbell/abi';
import { MAX_MACRO_TILE_MODES, MAX_TILE_MODES } from '../driver-constants.js';
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
import { EBUSY, EPERM } from '../errno.js';
import type { Libc } from '../linux/libc.js';
import { loadLibc } from '../linux/libc.js';
import { createLinuxSysfs } from '../linux/sysfs.js';
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
  ThunkProvider,
  ThunkQueue,
  TileConfig,
  UpdateQueueOptions,
  WaitEventsOptions,
  WaitOutcome,
  WaitTarget,
  XnackMode,
} from '../thunk.js';
import { HsakmtEvents } from './events.js';
import type { HsakmtLibrary, HsakmtLibraryOptions } from './hsakmt-library.js';
import { openHsakmtLibrary } from './hsakmt-library.js';
import { HsakmtMemory } from './memory.js';
import { HsakmtQueues } from './queues.js';
import type { HsakmtSession } from './session.js';
import { closeSession, nodeOf, notSupported, openSession } from './session.js';
import { hsakmtError, isSuccess } from './status.js';
import { callSvm } from './svm.js';

/** What to open; see {@link openHsakmtThunk}. */
export interface OpenHsakmtOptions extends HsakmtLibraryOptions {
  /** Default: `libhsakmt`. */
  readonly provider?: Exclude<ThunkProvider, 'kfd'>;
  /** The tree that the library reads itself. Default: the machine's own. */
  readonly sysfs?: SysfsSource;
}

const DEVICE_PATHS: Readonly<Record<ThunkProvider, string>> = { kfd: '/dev/kfd', libhsakmt: '/dev/kfd', librocdxg: '/dev/dxg' };

/** hsaKmtSetMemoryPolicy takes caching modes for the driver's policies. */
const CACHING_OF = { coherent: hsakmt.HSA_CACHING_CACHED, noncoherent: hsakmt.HSA_CACHING_NONCACHED } as const;

/**
 * Opens the thunk on a library with libhsakmt's interface. What the interface cannot do throws ERR_NOT_SUPPORTED with the reason. The
 * library stays in the process; thunks on one library share its snapshot of the topology.
 * @throws {HsaError} ERR_THUNK_NOT_FOUND (it cannot be loaded), ERR_KFD_MISSING, ERR_KFD_PERMISSION (what opening the driver answers),
 * ERR_KFD_UNSUPPORTED, ERR_NO_DEVICE, ERR_KFD_IOCTL; ERR_NATIVE_MODULE without koffi.
 * @example
 * const thunk = await openHsakmtThunk({ path: '/opt/rocm/lib/libhsakmt.so.1', generation: 'A' });
 */
export async function openHsakmtThunk(options: OpenHsakmtOptions): Promise<Thunk> {
  const { provider = 'libhsakmt', sysfs = createLinuxSysfs() } = options;
  const libc = loadLibc();
  const session = await openSession(openHsakmtLibrary(options), { sysfs, devicePath: DEVICE_PATHS[provider] });
  return new HsakmtThunk(session, { libc, provider, sysfs });
}

class HsakmtThunk implements Thunk {
  readonly provider: ThunkProvider;
  readonly path: string;
  readonly version: InterfaceVersion;
  readonly sysfs: SysfsSource;
  readonly gpus: readonly ThunkGpu[];
  readonly #libc: Libc;
  readonly #session: HsakmtSession;
  readonly #library: HsakmtLibrary;
  readonly #memory: HsakmtMemory;
  readonly #events: HsakmtEvents;
  readonly #queues: HsakmtQueues;
  #runtime: 'enabled' | 'disabled' = 'disabled';
  #closing: Promise<void> | undefined;

  constructor(
    session: HsakmtSession,
    { libc, provider, sysfs }: { readonly libc: Libc; readonly provider: ThunkProvider; readonly sysfs: SysfsSource },
  ) {
    this.provider = provider;
    this.path = session.library.path;
    this.version = session.version;
    this.sysfs = sysfs;
    this.gpus = session.gpus;
    this.#libc = libc;
    this.#session = session;
    this.#library = session.library;
    this.#memory = new HsakmtMemory(session, libc);
    this.#events = new HsakmtEvents(session, libc);
    this.#queues = new HsakmtQueues(session, libc, this.#events);
  }

  get xnack(): XnackMode {
    return this.#session.xnack;
  }

  setXnack(mode: 'on' | 'off'): void {
    this.#checkOpen();
    checkXnack(mode);
    this.#library.call('hsaKmtSetXNACKMode', [mode === 'on' ? 1 : 0], {
      doing: `switching recoverable page faults ${mode}`,
      errnos: {
        [EBUSY]: { meaning: 'the process has queues; it must be done before the first one' },
        [EPERM]: {
          code: 'ERR_NOT_SUPPORTED',
          meaning: 'a GPU of this process cannot, or the driver has no shared virtual memory',
        },
      },
    });
    this.#session.xnack = mode;
  }

  clockCounters(gpuId: number): ClockCounters {
    this.#checkOpen();
    checkInteger(gpuId, 'gpuId');
    const layout = this.#library.layouts.HsaClockCounters;
    const bytes = layout.create();
    const doing = `reading the clocks of GPU ${gpuId}`;
    this.#library.call('hsaKmtGetClockCounters', [nodeOf(this.#session, gpuId), bytes], { doing });
    const answer = layout.read(bytes);
    return {
      gpuTicks: answer.GPUClockCounter,
      cpuNs: answer.CPUClockCounter,
      systemTicks: answer.SystemClockCounter,
      systemFrequencyHz: answer.SystemClockFrequencyHz,
    };
  }

  availableMemoryBytes(gpuId: number): number {
    this.#checkOpen();
    checkInteger(gpuId, 'gpuId');
    const node = nodeOf(this.#session, gpuId);
    if (!this.#library.has('hsaKmtAvailableMemory')) {
      throw notSupported(this.#library, 'asking for free memory', 'this release has no hsaKmtAvailableMemory');
    }
    const bytes = new BigUint64Array(1);
    this.#library.call('hsaKmtAvailableMemory', [node, bytes], { doing: `asking for the free memory of GPU ${gpuId}` });
    return Number(bytes[0] ?? 0n);
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
    return this.#memory.exportDmabuf(memory);
  }

  dmabufInfo(file: number): DmabufInfo {
    this.#checkOpen();
    checkFile(file);
    const why = 'the library tells size and metadata only of what it imports, and never the kind';
    throw notSupported(this.#library, `asking what dma-buf ${file} holds`, why);
  }

  importDmabuf(options: ImportDmabufOptions): ThunkMemory {
    this.#checkOpen();
    checkImport(options);
    return this.#memory.importDmabuf(options);
  }

  closeFile(file: number): void {
    this.#checkOpen();
    checkFile(file);
    this.#memory.closeFile(file);
  }

  svmSet(range: AddressRange, attributes: readonly SvmAttribute[]): void {
    this.#checkOpen();
    checkSvm(range, attributes);
    callSvm(this.#session, { op: 'set', range, attributes });
  }

  svmGet(range: AddressRange, attributes: readonly SvmAttribute[]): readonly SvmAttribute[] {
    this.#checkOpen();
    checkSvm(range, attributes);
    return callSvm(this.#session, { op: 'get', range, attributes });
  }

  tileConfig(gpuId: number): TileConfig {
    this.#checkOpen();
    checkInteger(gpuId, 'gpuId');
    const words = new Uint32Array(new ArrayBuffer((MAX_TILE_MODES + MAX_MACRO_TILE_MODES) * 4));
    const address = this.#libc.addressOf(words.buffer);
    const layout = this.#library.layouts.HsaGpuTileConfig;
    const bytes = layout.create({
      TileConfig: address,
      MacroTileConfig: address + BigInt(MAX_TILE_MODES * 4),
      NumTileConfigs: MAX_TILE_MODES,
      NumMacroTileConfigs: MAX_MACRO_TILE_MODES,
    });
    const doing = `asking how GPU ${gpuId} tiles its memory`;
    this.#library.call('hsaKmtGetTileConfig', [nodeOf(this.#session, gpuId), bytes], { doing });
    const answer = layout.read(bytes);
    return {
      tileConfig: words.slice(0, answer.NumTileConfigs),
      macroTileConfig: words.slice(MAX_TILE_MODES, MAX_TILE_MODES + answer.NumMacroTileConfigs),
      gbAddrConfig: answer.GbAddrConfig,
      banks: answer.NumBanks,
      ranks: answer.NumRanks,
    };
  }

  setMemoryPolicy(gpuId: number, policy: MemoryPolicy): void {
    this.#checkOpen();
    checkMemoryPolicy(gpuId, policy);
    const { default: standard, alternate, alternateBase, alternateBytes } = policy;
    this.#library.call(
      'hsaKmtSetMemoryPolicy',
      [nodeOf(this.#session, gpuId), CACHING_OF[standard], CACHING_OF[alternate], alternateBase, alternateBytes],
      { doing: `setting the memory policy of GPU ${gpuId}`, meaning: 'libhsakmt has it for Kaveri only' },
    );
  }

  setScratchBacking(gpuId: number, address: bigint): void {
    this.#checkOpen();
    checkInteger(gpuId, 'gpuId');
    checkAddress(address, 'address');
    const what = `setting the scratch area of GPU ${gpuId} to 0x${address.toString(16)}`;
    throw notSupported(this.#library, what, 'the library sets it itself, to an address of its own, when scratch is allocated');
  }

  setTrapHandler(gpuId: number, handlerAddress: bigint, bufferAddress: bigint): void {
    this.#checkOpen();
    checkInteger(gpuId, 'gpuId');
    checkAddress(handlerAddress, 'handlerAddress');
    checkAddress(bufferAddress, 'bufferAddress');
    // The sizes go nowhere: the driver takes addresses only.
    this.#library.call('hsaKmtSetTrapHandler', [nodeOf(this.#session, gpuId), handlerAddress, 0n, bufferAddress, 0n], {
      doing: `setting the trap handler of GPU ${gpuId}`,
    });
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

  /** Before B it went through an ioctl that no upstream kernel has. */
  runtimeEnable(options: {
    readonly rDebugAddress: bigint;
    readonly saveTrapTemporaries: 'yes' | 'no';
  }): 'enabled' | 'unsupported' {
    this.#checkOpen();
    checkRuntime(options);
    const result = this.#library.tryCall('hsaKmtRuntimeEnable', [options.rDebugAddress, options.saveTrapTemporaries === 'yes']);
    if (result.status === hsakmt.HSAKMT_STATUS_NOT_SUPPORTED) return 'unsupported';
    if (!isSuccess(result.status)) {
      const errnos = { [EBUSY]: { meaning: 'a runtime of this process is announced already' } };
      throw hsakmtError({ ...result, errnos, call: 'hsaKmtRuntimeEnable', path: this.path, doing: 'announcing the runtime' });
    }
    this.#runtime = 'enabled';
    return 'enabled';
  }

  runtimeDisable(): void {
    this.#checkOpen();
    this.#disableRuntime();
  }

  /** Destroys queues, memory and events that are left, in this order, then leaves the library. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const steps = [
      () => this.#releaseLive(),
      () => this.#events.drain(),
      () => {
        closeSession(this.#session);
      },
    ];
    await releaseAllAsync(steps, `closing ${this.path} left something behind`);
  }

  #releaseLive(): void {
    releaseAll(
      [
        ...this.#queues.live.map((queue) => () => this.#queues.destroy(queue)),
        ...this.#events.live.map((event) => () => this.#events.destroy(event)),
        () => this.#disableRuntime(),
        ...this.#memory.live.map((memory) => () => this.#memory.free(memory)),
        ...this.#memory.openFiles.map((file) => () => this.#memory.closeFile(file)),
        ...this.#memory.liveHostMemory.map((memory) => () => memory[Symbol.dispose]()),
      ],
      'queues, events or memory',
    );
  }

  #disableRuntime(): void {
    if (this.#runtime === 'disabled') return;
    this.#library.call('hsaKmtRuntimeDisable', [], { doing: 'taking the runtime back' });
    this.#runtime = 'disabled';
  }

  #checkOpen(): void {
    if (this.#closing === undefined) return;
    throw new HsaError('ERR_DISPOSED', { message: `the thunk on ${this.path} is closed` });
  }
}
