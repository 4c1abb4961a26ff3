/** Ioctls about queues (amdkfd kfd_chardev.c set_queue_properties_from_user, kfd_queue.c kfd_queue_acquire_buffers). */
import { kfd } from '@doorbell/abi';
import { PAGE_BYTES } from '../../memory-map.js';
import { alignUp } from '../address.js';
import type { Buffer } from '../buffers.js';
import { EBUSY, EFAULT, EINVAL, EIO, ENOMEM, ENOSPC, ENOTSUPP, ESRCH } from '../errno.js';
import type { Gpu } from '../gpu.js';
import type { Ioctl } from '../ioctl.js';
import { defineIoctl } from '../ioctl.js';
import {
  DOORBELL_BYTES,
  KFD_IOC_QUEUE_TYPE_COMPUTE_AQL,
  KFD_IOC_QUEUE_TYPE_SDMA_BY_ENG_ID,
  KFD_IOC_QUEUE_TYPE_SDMA_XGMI,
  KFD_MAX_QUEUE_PERCENTAGE,
  KFD_MAX_QUEUE_PRIORITY,
  KFD_MIN_QUEUE_RING_SIZE,
  KFD_MMAP_GPU_ID_SHIFT,
  KFD_MMAP_TYPE_DOORBELL,
  KFD_MMAP_TYPE_SHIFT,
} from '../kfd-constants.js';
import type { Process } from '../process.js';
import { MAX_QUEUES } from '../shared-state.js';
import { numberOf } from '../../sysfs/machine.js';

/** Addresses below this are the user's (x86-64 TASK_SIZE_MAX). */
const USER_END = 0x7fff_ffff_f000n;
const PERCENT_MASK = 0xff;
const AQL_PACKET_BYTES = 64;
/** kfd_ioctl.h 1.17: queues on a given SDMA engine. */
const SDMA_BY_ENG_ID_MINOR = 17;
/** amdkfd kfd_process_queue_manager.c pqm_create_queue: what the hardware scheduler takes of a process (255 on gfx9.4.3 and gfx9.5). */
const QUEUES_PER_GPU = 127;

export const createQueue: Ioctl = defineIoctl(kfd.kfd_ioctl_create_queue_args, 'WR', ({ process, args, put }) => {
  const checked = checkProperties(args);
  if (checked !== 0) return checked;
  const addresses = [
    args.write_pointer_address,
    args.read_pointer_address,
    args.eop_buffer_address,
    args.ctx_save_restore_address,
  ];
  if (addresses.some((address) => address >= USER_END)) return -EFAULT;
  const gpu = process.gpu(args.gpu_id);
  if (gpu === undefined) return -EINVAL;
  const lastType =
    process.interfaceMinor >= SDMA_BY_ENG_ID_MINOR ? KFD_IOC_QUEUE_TYPE_SDMA_BY_ENG_ID : KFD_IOC_QUEUE_TYPE_SDMA_XGMI;
  if (args.queue_type > lastType) return -ENOTSUPP;
  if (gpu.vmFile === undefined) return -ESRCH;
  if (args.queue_type === KFD_IOC_QUEUE_TYPE_SDMA_BY_ENG_ID && args.sdma_engine_id >= sdmaEngines(gpu)) return -EINVAL;
  // Nothing here executes PM4 or SDMA packets: such a queue would take work and never do it.
  if (args.queue_type !== KFD_IOC_QUEUE_TYPE_COMPUTE_AQL) return -ENOTSUPP;
  const ringBytes = Math.max(args.ring_size, KFD_MIN_QUEUE_RING_SIZE);
  const buffers = queueBuffers({ process, gpu, args, ringBytes });
  if (buffers === undefined) return -EINVAL;
  if (process.queues.isLost) return -EIO;
  if (process.queues.countOn(gpu.index) >= QUEUES_PER_GPU) return -ENOSPC;
  if (process.queues.count >= MAX_QUEUES) return -ENOMEM;
  const doorbells = gpu.doorbells.place();
  if (doorbells === undefined) return -ENOMEM;
  const doorbellIndex = gpu.doorbellSlots.takeForCompute();
  if (doorbellIndex === undefined) return -EBUSY;
  const queueId = process.queues.create({
    gpuIndex: gpu.index,
    doorbells,
    doorbellIndex,
    controlStackBytes: gpu.queueSizes.controlStackBytes,
    ringOffset: buffers.ring.offset,
    ringPackets: ringBytes / AQL_PACKET_BYTES,
    readIndexOffset: buffers.readIndexOffset,
    writeIndexOffset: buffers.writeIndexOffset,
    isEnabled: args.ring_size !== 0 && (args.queue_percentage & PERCENT_MASK) !== 0,
    buffers: buffers.all,
  });
  put({
    queue_id: queueId,
    doorbell_offset:
      (KFD_MMAP_TYPE_DOORBELL << KFD_MMAP_TYPE_SHIFT) |
      (BigInt(gpu.id) << KFD_MMAP_GPU_ID_SHIFT) |
      BigInt(doorbellIndex * DOORBELL_BYTES),
  });
  return 0;
});

export const destroyQueue: Ioctl = defineIoctl(kfd.kfd_ioctl_destroy_queue_args, 'WR', ({ process, args }) => {
  const queue = process.queues.get(args.queue_id);
  const gpu = queue === undefined ? undefined : process.gpus[queue.gpuIndex];
  if (queue === undefined || gpu === undefined) return -EINVAL;
  if (gpu.gwsQueue === args.queue_id) gpu.gwsQueue = undefined;
  gpu.doorbellSlots.give(queue.doorbellIndex);
  return process.queues.destroy(args.queue_id);
});

export const updateQueue: Ioctl = defineIoctl(kfd.kfd_ioctl_update_queue_args, 'W', ({ process, args }) => {
  const checked = checkProperties(args);
  if (checked !== 0) return checked;
  const queue = process.queues.get(args.queue_id);
  const gpu = queue === undefined ? undefined : process.gpus[queue.gpuIndex];
  if (gpu === undefined) return -EFAULT;
  const percent = args.queue_percentage & PERCENT_MASK;
  if (args.ring_base_address === 0n || args.ring_size === 0 || percent === 0) {
    process.queues.disable(args.queue_id);
    return 0;
  }
  const ringBytes = Math.max(args.ring_size, KFD_MIN_QUEUE_RING_SIZE);
  const ring = mappedBuffer(process, gpu, { address: args.ring_base_address, sizeBytes: ringBytes });
  if (ring === undefined) return -EFAULT;
  process.queues.enable(args.queue_id, { ring, ringPackets: ringBytes / AQL_PACKET_BYTES });
  return 0;
});

interface QueueProperties {
  readonly ring_base_address: bigint;
  readonly ring_size: number;
  readonly queue_percentage: number;
  readonly queue_priority: number;
}

function checkProperties(args: QueueProperties): number {
  if ((args.queue_percentage & PERCENT_MASK) > KFD_MAX_QUEUE_PERCENTAGE) return -EINVAL;
  if (args.queue_priority > KFD_MAX_QUEUE_PRIORITY) return -EINVAL;
  if (args.ring_base_address >= USER_END) return -EFAULT;
  return (args.ring_size & (args.ring_size - 1)) === 0 ? 0 : -EINVAL;
}

interface QueueAddresses {
  readonly ring_base_address: bigint;
  readonly read_pointer_address: bigint;
  readonly write_pointer_address: bigint;
  readonly eop_buffer_address: bigint;
  readonly eop_buffer_size: bigint;
  readonly ctx_save_restore_address: bigint;
  readonly ctx_save_restore_size: number;
  readonly ctl_stack_size: number;
}

interface QueueBuffers {
  readonly ring: Buffer;
  readonly readIndexOffset: number;
  readonly writeIndexOffset: number;
  readonly all: readonly Buffer[];
}

/** The buffers behind a queue, each of exactly the expected range and mapped on the GPU; undefined when one is not. */
function queueBuffers(request: {
  readonly process: Process;
  readonly gpu: Gpu;
  readonly args: QueueAddresses;
  readonly ringBytes: number;
}): QueueBuffers | undefined {
  const { process, gpu, args, ringBytes } = request;
  const mapped = (address: bigint, sizeBytes: number): Buffer | undefined => mappedBuffer(process, gpu, { address, sizeBytes });
  const pageOf = (address: bigint): Buffer | undefined => mapped(address - (address % BigInt(PAGE_BYTES)), PAGE_BYTES);
  const { eopBytes, controlStackBytes, saveRestoreBytes, areaBytes } = gpu.queueSizes;
  const ring = mapped(args.ring_base_address, ringBytes);
  const saveArea = mapped(args.ctx_save_restore_address, areaBytes);
  const writePage = pageOf(args.write_pointer_address);
  const readPage = pageOf(args.read_pointer_address);
  const eop = args.eop_buffer_address === 0n ? ring : mapped(args.eop_buffer_address, eopBytes);
  if (args.eop_buffer_address !== 0n && args.eop_buffer_size !== BigInt(eopBytes)) return undefined;
  if (args.ctl_stack_size !== controlStackBytes || args.ctx_save_restore_size < saveRestoreBytes) return undefined;
  const readIndexOffset = process.offsetOf(args.read_pointer_address, 8);
  const writeIndexOffset = process.offsetOf(args.write_pointer_address, 8);
  if (readIndexOffset === undefined || writeIndexOffset === undefined) return undefined;
  if (readIndexOffset % 8 !== 0 || writeIndexOffset % 8 !== 0) return undefined;
  if (!ring || !saveArea || !writePage || !readPage || !eop) return undefined;
  return { ring, readIndexOffset, writeIndexOffset, all: [...new Set([ring, saveArea, writePage, readPage, eop])] };
}

/** The buffer that begins at this address, is exactly this long (in whole pages, since mappings are) and mapped on the GPU. */
function mappedBuffer(
  { buffers }: Process,
  gpu: Gpu,
  { address, sizeBytes }: { readonly address: bigint; readonly sizeBytes: number },
): Buffer | undefined {
  return buffers.mappedAt(address, alignUp(sizeBytes, PAGE_BYTES), gpu.id);
}

function sdmaEngines({ description: { properties } }: Gpu): number {
  return numberOf(properties, 'num_sdma_engines') + numberOf(properties, 'num_sdma_xgmi_engines');
}
