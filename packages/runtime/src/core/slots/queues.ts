/** Slots about queues: hsa.h, "Queues"; checks in the order of queues-signals §3.1. */
import type { AmdExtApi, CoreApi } from '@doorbell/abi';
import { hsa } from '@doorbell/abi';
import type { AqlQueue } from '@doorbell/queues';
import type { QueuePriority } from '@doorbell/thunk-loader';
import { MAX_QUEUE_PACKETS, MIN_QUEUE_PACKETS } from '@doorbell/queues';
import type { Runtime } from '../runtime.js';
import { guarded } from './callbacks.js';
import { fail, required, SUCCESS } from './result.js';

const MAX_PRIVATE_SEGMENT_BYTES = 262_128;
const UINT32_MAX = 0xffff_ffff;
const SIZES = `a queue has ${MIN_QUEUE_PACKETS} to ${MAX_QUEUE_PACKETS} packets, a power of two`;

export function queueSlots(runtime: Runtime): Partial<CoreApi> {
  const queueOf = (handle: bigint): AqlQueue =>
    required(runtime.queues.find(handle), hsa.HSA_STATUS_ERROR_INVALID_QUEUE, 'queue');
  const loadRead = (queue: bigint): bigint => queueOf(queue).loadReadIndex();
  const loadWrite = (queue: bigint): bigint => queueOf(queue).loadWriteIndex();
  const storeWrite = (queue: bigint, value: bigint): void => queueOf(queue).storeWriteIndex(value);
  const addWrite = (queue: bigint, value: bigint): bigint => queueOf(queue).addWriteIndex(value);
  const casWrite = (queue: bigint, expected: bigint, value: bigint): bigint =>
    queueOf(queue).compareExchangeWriteIndex(expected, value);
  return {
    hsa_queue_create: (agentHandle, size, type, callback, data, privateSegmentSize, _groupSegmentSize, queue) => {
      if (size === 0 || (size & (size - 1)) !== 0) fail(hsa.HSA_STATUS_ERROR_INVALID_ARGUMENT, SIZES);
      if (type > hsa.HSA_QUEUE_TYPE_COOPERATIVE) fail(hsa.HSA_STATUS_ERROR_INVALID_ARGUMENT, `no queue type is ${type}`);
      const { agent } = required(runtime.registry.agents.get(agentHandle), hsa.HSA_STATUS_ERROR_INVALID_AGENT, 'agent');
      if (agent.kind !== 'gpu' || type === hsa.HSA_QUEUE_TYPE_COOPERATIVE)
        return fail(hsa.HSA_STATUS_ERROR_INVALID_QUEUE_CREATION, `${agent.name} has no queues of type ${type}`);
      if (size > MAX_QUEUE_PACKETS) fail(hsa.HSA_STATUS_ERROR_OUT_OF_RESOURCES, SIZES);
      if (size < MIN_QUEUE_PACKETS) fail(hsa.HSA_STATUS_ERROR_INVALID_ARGUMENT, SIZES);
      if (privateSegmentSize !== UINT32_MAX && privateSegmentSize > MAX_PRIVATE_SEGMENT_BYTES)
        fail(hsa.HSA_STATUS_ERROR_OUT_OF_RESOURCES, `a work-item has at most ${MAX_PRIVATE_SEGMENT_BYTES} bytes of scratch`);
      queue.value = runtime.queues.create({
        gpuId: agent.gpuId,
        packets: size,
        onError: (error, handle) => {
          if (callback !== null) guarded(runtime, 'hsa_queue_create', () => callback(error.hsaStatus, handle, data));
        },
      }).address;
      return SUCCESS;
    },
    hsa_queue_destroy: (queue) => {
      queueOf(queue);
      runtime.queues.destroy(queue);
      return SUCCESS;
    },
    hsa_queue_inactivate: (queue) => {
      queueOf(queue).inactivate();
      return SUCCESS;
    },
    hsa_queue_load_read_index_scacquire: loadRead,
    hsa_queue_load_read_index_relaxed: loadRead,
    hsa_queue_load_write_index_scacquire: loadWrite,
    hsa_queue_load_write_index_relaxed: loadWrite,
    hsa_queue_store_write_index_relaxed: storeWrite,
    hsa_queue_store_write_index_screlease: storeWrite,
    hsa_queue_add_write_index_scacq_screl: addWrite,
    hsa_queue_add_write_index_scacquire: addWrite,
    hsa_queue_add_write_index_relaxed: addWrite,
    hsa_queue_add_write_index_screlease: addWrite,
    hsa_queue_cas_write_index_scacq_screl: casWrite,
    hsa_queue_cas_write_index_scacquire: casWrite,
    hsa_queue_cas_write_index_relaxed: casWrite,
    hsa_queue_cas_write_index_screlease: casWrite,
  };
}

/** HSA's three priorities among the driver's seven (queues-signals §5). */
const PRIORITIES: ReadonlyMap<number, QueuePriority> = new Map<number, QueuePriority>([
  [hsa.HSA_AMD_QUEUE_PRIORITY_LOW, 'minimum'],
  [hsa.HSA_AMD_QUEUE_PRIORITY_NORMAL, 'normal'],
  [hsa.HSA_AMD_QUEUE_PRIORITY_HIGH, 'high'],
]);

export function queueExtensionSlots(runtime: Runtime): Partial<AmdExtApi> {
  return {
    hsa_amd_queue_set_priority: (handle, value) => {
      const queue = required(runtime.queues.find(handle), hsa.HSA_STATUS_ERROR_INVALID_QUEUE, 'queue');
      const priority = required(PRIORITIES.get(value), hsa.HSA_STATUS_ERROR_INVALID_ARGUMENT, 'priority');
      runtime.thunk.updateQueue(queue.thunkQueue, { priority });
      return SUCCESS;
    },
    // Every queue of this runtime leaves time stamps; switching them off would only hide them.
    hsa_amd_profiling_set_profiler_enabled: (queue) => {
      required(runtime.queues.find(queue), hsa.HSA_STATUS_ERROR_INVALID_QUEUE, 'queue');
      return SUCCESS;
    },
    hsa_amd_profiling_get_dispatch_time: (agentHandle, signalHandle, time) => {
      const { agent } = required(runtime.registry.agents.get(agentHandle), hsa.HSA_STATUS_ERROR_INVALID_AGENT, 'agent');
      const signal = required(runtime.signals.find(signalHandle), hsa.HSA_STATUS_ERROR_INVALID_SIGNAL, 'signal');
      if (agent.kind !== 'gpu') return hsa.HSA_STATUS_ERROR_INVALID_AGENT;
      const timing = runtime.clockOf(agent.gpuId).timing(signal.timestamps());
      if (timing === undefined) return hsa.HSA_STATUS_ERROR;
      time.value = { start: timing.startNs, end: timing.endNs };
      return SUCCESS;
    },
  };
}
