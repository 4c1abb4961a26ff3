/** The ioctls of amdkfd by number: those that the emulated driver has, from which version on, and those that it has not. */
import { kfd } from '@doorbell/abi';
import type { Ioctl } from '../ioctl.js';
import { decodeRequest } from '../ioctl.js';
import { exportDmabuf, getDmabufInfo, importDmabuf } from './dmabuf.js';
import { createEvent, destroyEvent, resetEvent, setEvent, waitEvents } from './events.js';
import { acquireVm, allocMemoryOfGpu, availableMemory, freeMemoryOfGpu, mapMemoryToGpu, unmapMemoryFromGpu } from './memory.js';
import {
  dbgDeprecated,
  getClockCounters,
  getProcessApertures,
  getProcessAperturesNew,
  getTileConfig,
  getVersion,
  runtimeEnable,
  setMemoryPolicy,
  setScratchBackingVa,
  setTrapHandler,
  setXnackMode,
} from './node.js';
import { allocQueueGws, getQueueWaveState, setCuMask } from './queue-control.js';
import { createQueue, destroyQueue, updateQueue } from './queues.js';
import { svm } from './svm.js';

/** One ioctl of the driver's table. */
export interface IoctlEntry {
  /** Without AMDKFD_IOC_. */
  readonly name: string;
  readonly number: number;
  /** Minor version that brought it (kfd_ioctl.h's history); 0: always there. */
  readonly since: number;
  /** What it does; absent where the emulated driver has none and answers ENOTTY. */
  readonly ioctl?: Ioctl;
}

type Row = readonly [name: string, request: number, since: number, ioctl?: Ioctl];

const ROWS: readonly Row[] = [
  ['GET_VERSION', kfd.AMDKFD_IOC_GET_VERSION, 0, getVersion],
  ['CREATE_QUEUE', kfd.AMDKFD_IOC_CREATE_QUEUE, 0, createQueue],
  ['DESTROY_QUEUE', kfd.AMDKFD_IOC_DESTROY_QUEUE, 0, destroyQueue],
  ['SET_MEMORY_POLICY', kfd.AMDKFD_IOC_SET_MEMORY_POLICY, 0, setMemoryPolicy],
  ['GET_CLOCK_COUNTERS', kfd.AMDKFD_IOC_GET_CLOCK_COUNTERS, 0, getClockCounters],
  ['GET_PROCESS_APERTURES', kfd.AMDKFD_IOC_GET_PROCESS_APERTURES, 0, getProcessApertures],
  ['UPDATE_QUEUE', kfd.AMDKFD_IOC_UPDATE_QUEUE, 0, updateQueue],
  ['CREATE_EVENT', kfd.AMDKFD_IOC_CREATE_EVENT, 0, createEvent],
  ['DESTROY_EVENT', kfd.AMDKFD_IOC_DESTROY_EVENT, 0, destroyEvent],
  ['SET_EVENT', kfd.AMDKFD_IOC_SET_EVENT, 0, setEvent],
  ['RESET_EVENT', kfd.AMDKFD_IOC_RESET_EVENT, 0, resetEvent],
  ['WAIT_EVENTS', kfd.AMDKFD_IOC_WAIT_EVENTS, 0, waitEvents],
  ['DBG_REGISTER_DEPRECATED', kfd.AMDKFD_IOC_DBG_REGISTER_DEPRECATED, 0, dbgDeprecated],
  ['DBG_UNREGISTER_DEPRECATED', kfd.AMDKFD_IOC_DBG_UNREGISTER_DEPRECATED, 0, dbgDeprecated],
  ['DBG_ADDRESS_WATCH_DEPRECATED', kfd.AMDKFD_IOC_DBG_ADDRESS_WATCH_DEPRECATED, 0, dbgDeprecated],
  ['DBG_WAVE_CONTROL_DEPRECATED', kfd.AMDKFD_IOC_DBG_WAVE_CONTROL_DEPRECATED, 0, dbgDeprecated],
  ['SET_SCRATCH_BACKING_VA', kfd.AMDKFD_IOC_SET_SCRATCH_BACKING_VA, 0, setScratchBackingVa],
  ['GET_TILE_CONFIG', kfd.AMDKFD_IOC_GET_TILE_CONFIG, 0, getTileConfig],
  ['SET_TRAP_HANDLER', kfd.AMDKFD_IOC_SET_TRAP_HANDLER, 0, setTrapHandler],
  ['GET_PROCESS_APERTURES_NEW', kfd.AMDKFD_IOC_GET_PROCESS_APERTURES_NEW, 0, getProcessAperturesNew],
  ['ACQUIRE_VM', kfd.AMDKFD_IOC_ACQUIRE_VM, 0, acquireVm],
  ['ALLOC_MEMORY_OF_GPU', kfd.AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, 0, allocMemoryOfGpu],
  ['FREE_MEMORY_OF_GPU', kfd.AMDKFD_IOC_FREE_MEMORY_OF_GPU, 0, freeMemoryOfGpu],
  ['MAP_MEMORY_TO_GPU', kfd.AMDKFD_IOC_MAP_MEMORY_TO_GPU, 0, mapMemoryToGpu],
  ['UNMAP_MEMORY_FROM_GPU', kfd.AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU, 0, unmapMemoryFromGpu],
  ['SET_CU_MASK', kfd.AMDKFD_IOC_SET_CU_MASK, 0, setCuMask],
  ['GET_QUEUE_WAVE_STATE', kfd.AMDKFD_IOC_GET_QUEUE_WAVE_STATE, 0, getQueueWaveState],
  ['GET_DMABUF_INFO', kfd.AMDKFD_IOC_GET_DMABUF_INFO, 0, getDmabufInfo],
  ['IMPORT_DMABUF', kfd.AMDKFD_IOC_IMPORT_DMABUF, 0, importDmabuf],
  ['ALLOC_QUEUE_GWS', kfd.AMDKFD_IOC_ALLOC_QUEUE_GWS, 0, allocQueueGws],
  ['SMI_EVENTS', kfd.AMDKFD_IOC_SMI_EVENTS, 3],
  ['SVM', kfd.AMDKFD_IOC_SVM, 5, svm],
  ['SET_XNACK_MODE', kfd.AMDKFD_IOC_SET_XNACK_MODE, 5, setXnackMode],
  ['CRIU_OP', kfd.AMDKFD_IOC_CRIU_OP, 7],
  ['AVAILABLE_MEMORY', kfd.AMDKFD_IOC_AVAILABLE_MEMORY, 9, availableMemory],
  ['EXPORT_DMABUF', kfd.AMDKFD_IOC_EXPORT_DMABUF, 12, exportDmabuf],
  ['RUNTIME_ENABLE', kfd.AMDKFD_IOC_RUNTIME_ENABLE, 13, runtimeEnable],
  ['DBG_TRAP', kfd.AMDKFD_IOC_DBG_TRAP, 13],
  ['CREATE_PROCESS', kfd.AMDKFD_IOC_CREATE_PROCESS, 19],
  // Not in the mainline kernel: AMD's own module has them in every version.
  ['IPC_IMPORT_HANDLE', kfd.AMDKFD_IOC_IPC_IMPORT_HANDLE, 0],
  ['IPC_EXPORT_HANDLE', kfd.AMDKFD_IOC_IPC_EXPORT_HANDLE, 0],
  ['CROSS_MEMORY_COPY', kfd.AMDKFD_IOC_CROSS_MEMORY_COPY, 0],
  ['RLC_SPM', kfd.AMDKFD_IOC_RLC_SPM, 0],
  ['PC_SAMPLE', kfd.AMDKFD_IOC_PC_SAMPLE, 0],
];

/** Every ioctl of the driver, in order of its number. */
export const IOCTLS: readonly IoctlEntry[] = ROWS.map(([name, request, since, ioctl]) => ({
  name,
  number: decodeRequest(request).number,
  since,
  ...(ioctl === undefined ? {} : { ioctl }),
}));

const BY_NUMBER: ReadonlyMap<number, IoctlEntry> = new Map(IOCTLS.map((entry) => [entry.number, entry]));

/** The ioctl of a number at a minor version of the interface; undefined when the emulated driver has none. */
export function ioctlOf(number: number, interfaceMinor: number): Ioctl | undefined {
  const entry = BY_NUMBER.get(number);
  return entry === undefined || entry.since > interfaceMinor ? undefined : entry.ioctl;
}
