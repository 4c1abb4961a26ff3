/** The ioctls that the emulated driver knows, by number. */
import { kfd } from '@doorbell/abi';
import type { Ioctl } from '../ioctl.js';
import { decodeRequest } from '../ioctl.js';
import { createEvent, destroyEvent, resetEvent, setEvent, waitEvents } from './events.js';
import { acquireVm, allocMemoryOfGpu, availableMemory, freeMemoryOfGpu, mapMemoryToGpu, unmapMemoryFromGpu } from './memory.js';
import {
  getClockCounters,
  getProcessAperturesNew,
  getVersion,
  runtimeEnable,
  setMemoryPolicy,
  setScratchBackingVa,
  setTrapHandler,
  setXnackMode,
} from './node.js';
import { createQueue, destroyQueue, updateQueue } from './queues.js';

const BY_REQUEST: readonly (readonly [request: number, ioctl: Ioctl])[] = [
  [kfd.AMDKFD_IOC_GET_VERSION, getVersion],
  [kfd.AMDKFD_IOC_CREATE_QUEUE, createQueue],
  [kfd.AMDKFD_IOC_DESTROY_QUEUE, destroyQueue],
  [kfd.AMDKFD_IOC_SET_MEMORY_POLICY, setMemoryPolicy],
  [kfd.AMDKFD_IOC_GET_CLOCK_COUNTERS, getClockCounters],
  [kfd.AMDKFD_IOC_UPDATE_QUEUE, updateQueue],
  [kfd.AMDKFD_IOC_CREATE_EVENT, createEvent],
  [kfd.AMDKFD_IOC_DESTROY_EVENT, destroyEvent],
  [kfd.AMDKFD_IOC_SET_EVENT, setEvent],
  [kfd.AMDKFD_IOC_RESET_EVENT, resetEvent],
  [kfd.AMDKFD_IOC_WAIT_EVENTS, waitEvents],
  [kfd.AMDKFD_IOC_SET_SCRATCH_BACKING_VA, setScratchBackingVa],
  [kfd.AMDKFD_IOC_SET_TRAP_HANDLER, setTrapHandler],
  [kfd.AMDKFD_IOC_GET_PROCESS_APERTURES_NEW, getProcessAperturesNew],
  [kfd.AMDKFD_IOC_ACQUIRE_VM, acquireVm],
  [kfd.AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, allocMemoryOfGpu],
  [kfd.AMDKFD_IOC_FREE_MEMORY_OF_GPU, freeMemoryOfGpu],
  [kfd.AMDKFD_IOC_MAP_MEMORY_TO_GPU, mapMemoryToGpu],
  [kfd.AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU, unmapMemoryFromGpu],
  [kfd.AMDKFD_IOC_SET_XNACK_MODE, setXnackMode],
  [kfd.AMDKFD_IOC_AVAILABLE_MEMORY, availableMemory],
  [kfd.AMDKFD_IOC_RUNTIME_ENABLE, runtimeEnable],
];

const BY_NUMBER: ReadonlyMap<number, Ioctl> = new Map(
  BY_REQUEST.map(([request, ioctl]) => [decodeRequest(request).number, ioctl]),
);

/** The ioctl of a number; undefined when the emulated driver has none. */
export function ioctlOf(number: number): Ioctl | undefined {
  return BY_NUMBER.get(number);
}
