import type { DoorbellPage, KfdDevice } from '@doorbell/abi';
import { HsaError, kfd } from '@doorbell/abi';
import { EBUSY, EFAULT, EINVAL, ENOMEM, ENOSPC, EPERM, ESRCH, systemCallError } from '../errno.js';
import type { CreateQueueOptions, QueueKind, ThunkGpu, ThunkMemory, ThunkQueue, UpdateQueueOptions } from '../thunk.js';
import { DOORBELL_SLICE_BYTES, PRIORITIES } from './constants.js';
import type { IoctlPurpose } from './ioctl.js';
import { callKfd, tryKfd } from './ioctl.js';
import type { KfdMemory } from './memory.js';
import type { KfdProcess } from './process.js';
import type { QueueSizes } from './queue-sizes.js';
import { aqlQueueSizes, queueSizeInputs } from './queue-sizes.js';
import { Unwind } from './unwind.js';

const CREATE_QUEUE = { name: 'CREATE_QUEUE', request: kfd.AMDKFD_IOC_CREATE_QUEUE, layout: kfd.kfd_ioctl_create_queue_args };
const DESTROY_QUEUE = { name: 'DESTROY_QUEUE', request: kfd.AMDKFD_IOC_DESTROY_QUEUE, layout: kfd.kfd_ioctl_destroy_queue_args };
const UPDATE_QUEUE = { name: 'UPDATE_QUEUE', request: kfd.AMDKFD_IOC_UPDATE_QUEUE, layout: kfd.kfd_ioctl_update_queue_args };

const SAVE_HEADER = kfd.kfd_context_save_area_header;

const TYPE_OF: Readonly<Record<QueueKind, number>> = {
  aql: kfd.KFD_IOC_QUEUE_TYPE_COMPUTE_AQL,
  sdma: kfd.KFD_IOC_QUEUE_TYPE_SDMA,
  'sdma-xgmi': kfd.KFD_IOC_QUEUE_TYPE_SDMA_XGMI,
};

const CREATE_QUEUE_ERRNOS: NonNullable<IoctlPurpose['errnos']> = {
  [EPERM]: { meaning: 'the driver forbids more queues than the hardware has' },
  [ESRCH]: { meaning: 'the process has no address space on this GPU' },
  [ENOMEM]: { meaning: 'the driver has no queue id or no engine queue left' },
  [EFAULT]: { meaning: 'an address lies outside user space' },
  [EBUSY]: { meaning: 'all doorbells of this process or GPU are in use' },
  [EINVAL]: { meaning: 'ring, pointers, EOP buffer or save area are not mapped as the driver wants them' },
  [ENOSPC]: { meaning: 'the process has as many queues on this GPU as the driver allows' },
};

interface LiveQueue {
  readonly memories: readonly ThunkMemory[];
  priority: number;
  percentage: number;
  ring: { readonly address: bigint; readonly sizeBytes: number };
}

/** Queues of one thunk, with the buffers that the driver wants for each. */
export class KfdQueues {
  readonly #device: KfdDevice;
  readonly #process: KfdProcess;
  readonly #memory: KfdMemory;
  readonly #live = new Map<ThunkQueue, LiveQueue>();

  constructor(device: KfdDevice, process: KfdProcess, memory: KfdMemory) {
    this.#device = device;
    this.#process = process;
    this.#memory = memory;
  }

  get live(): readonly ThunkQueue[] {
    return [...this.#live.keys()];
  }

  create(options: CreateQueueOptions): ThunkQueue {
    const { gpuId, kind, priority = 'normal', percentage = 100 } = options;
    const gpu = this.#gpu(gpuId);
    requireWideDoorbells(gpu);
    const sizes = kind === 'aql' ? aqlQueueSizes(queueSizeInputs(gpu.properties)) : undefined;
    const unwind = new Unwind();
    try {
      const memories: ThunkMemory[] = [];
      const own = (memory: ThunkMemory): ThunkMemory => {
        memories.push(memory);
        unwind.add(() => this.#memory.free(memory));
        return memory;
      };
      const eop = sizes === undefined || sizes.eopBytes === 0 ? undefined : own(this.#allocateEop(gpuId, sizes.eopBytes));
      const save = sizes === undefined ? undefined : own(this.#allocateSaveArea(gpuId, sizes, options.error));
      const answer = callKfd(this.#device, CREATE_QUEUE, {
        args: {
          ring_base_address: options.ringAddress,
          ring_size: options.ringBytes,
          write_pointer_address: options.writePointerAddress,
          read_pointer_address: options.readPointerAddress,
          gpu_id: gpuId,
          queue_type: TYPE_OF[kind],
          queue_percentage: percentage,
          queue_priority: PRIORITIES[priority],
          ...(eop === undefined ? {} : { eop_buffer_address: eop.address, eop_buffer_size: BigInt(eop.sizeBytes) }),
          ...(save === undefined || sizes === undefined
            ? {}
            : {
                ctx_save_restore_address: save.address,
                ctx_save_restore_size: sizes.saveBytes,
                ctl_stack_size: sizes.controlStackBytes,
              }),
        },
        purpose: {
          doing: `creating an ${kind} queue of ${options.ringBytes} bytes on GPU ${gpuId}`,
          code: 'ERR_QUEUE_CREATION',
          errnos: CREATE_QUEUE_ERRNOS,
        },
      });
      unwind.add(() => tryKfd(this.#device, DESTROY_QUEUE, { queue_id: answer.queue_id }));
      const queue: ThunkQueue = Object.freeze({
        queueId: answer.queue_id,
        gpuId,
        kind,
        doorbell: this.#doorbell(gpuId, answer.doorbell_offset),
      });
      const ring = { address: options.ringAddress, sizeBytes: options.ringBytes };
      this.#live.set(queue, { memories, priority: PRIORITIES[priority], percentage, ring });
      return queue;
    } catch (error) {
      unwind.run();
      throw error;
    }
  }

  update(queue: ThunkQueue, options: UpdateQueueOptions): void {
    const live = this.#liveQueue(queue);
    const ring = options.ring ?? live.ring;
    const percentage = options.percentage ?? live.percentage;
    const priority = options.priority === undefined ? live.priority : PRIORITIES[options.priority];
    callKfd(this.#device, UPDATE_QUEUE, {
      args: {
        queue_id: queue.queueId,
        ring_base_address: ring.address,
        ring_size: ring.sizeBytes,
        queue_percentage: percentage,
        queue_priority: priority,
      },
      purpose: { doing: `changing queue ${queue.queueId}` },
    });
    live.ring = ring;
    live.percentage = percentage;
    live.priority = priority;
  }

  destroy(queue: ThunkQueue): void {
    const { memories } = this.#liveQueue(queue);
    callKfd(this.#device, DESTROY_QUEUE, {
      args: { queue_id: queue.queueId },
      purpose: { doing: `destroying queue ${queue.queueId}` },
    });
    this.#live.delete(queue);
    for (const memory of memories.toReversed()) this.#memory.free(memory);
  }

  #gpu(gpuId: number): ThunkGpu {
    const gpu = this.#process.gpus.find((candidate) => candidate.gpuId === gpuId && candidate.problem === undefined);
    if (gpu !== undefined) return gpu;
    throw new HsaError('ERR_INVALID_ARGUMENT', {
      message: `${this.#device.path}: there is no usable GPU ${gpuId}`,
      details: { gpuId },
    });
  }

  #liveQueue(queue: ThunkQueue): LiveQueue {
    const live = this.#live.get(queue);
    if (live !== undefined) return live;
    throw new HsaError('ERR_DISPOSED', {
      message: `queue ${queue.queueId} was destroyed, or is another thunk's`,
      details: { queueId: queue.queueId },
    });
  }

  #allocateEop(gpuId: number, sizeBytes: number): ThunkMemory {
    return this.#memory.allocate({ kind: 'vram', gpuIds: [gpuId], sizeBytes, executable: true });
  }

  /** The save area with a header per XCC, which tells the debugger and the driver where its own part is. */
  #allocateSaveArea(gpuId: number, sizes: QueueSizes, error: CreateQueueOptions['error']): ThunkMemory {
    const memory = this.#memory.allocate({ kind: 'gtt', gpuIds: [gpuId], sizeBytes: sizes.saveAreaBytes, executable: true });
    const { bytes } = memory;
    if (bytes === undefined) return memory;
    for (let i = 0; i < sizes.xccCount; i++) {
      SAVE_HEADER.write(
        bytes,
        {
          debug_offset: (sizes.xccCount - i) * sizes.saveBytes,
          debug_size: sizes.debugBytes * sizes.xccCount,
          ...(error === undefined ? {} : { err_payload_addr: error.payloadAddress, err_event_id: error.eventId }),
        },
        i * sizes.saveBytes,
      );
    }
    return memory;
  }

  #doorbell(gpuId: number, offset: bigint): ThunkQueue['doorbell'] {
    const slice = BigInt(DOORBELL_SLICE_BYTES);
    const byteOffset = Number(offset % slice);
    const page = this.#doorbellPage(gpuId, offset - BigInt(byteOffset));
    return Object.freeze({ page, byteOffset, address: page.address + BigInt(byteOffset) });
  }

  #doorbellPage(gpuId: number, offset: bigint): DoorbellPage {
    const known = this.#process.doorbells.get(gpuId);
    if (known !== undefined) return known;
    const page = this.#device.mapDoorbells({ offset, sizeBytes: DOORBELL_SLICE_BYTES });
    if (typeof page === 'number') {
      throw systemCallError({
        code: 'ERR_QUEUE_CREATION',
        call: 'mmap',
        path: this.#device.path,
        errno: -page,
        doing: `mapping the doorbells of GPU ${gpuId}`,
        details: { offset },
      });
    }
    this.#process.doorbells.set(gpuId, page);
    return page;
  }
}

/** capability bits 13:12 (kfd_topology.h HSA_CAP_DOORBELL_TYPE): 2 is the 64-bit doorbell of gfx9 and later. */
function requireWideDoorbells(gpu: ThunkGpu): void {
  const type = Number(((gpu.properties.get('capability') ?? 0n) >> 12n) & 3n);
  if (type === 2) return;
  throw new HsaError('ERR_NOT_SUPPORTED', {
    message: `GPU ${gpu.gpuId} has doorbells of type ${type}; queues need the 64-bit ones (type 2) of gfx9 and later`,
    details: { gpuId: gpu.gpuId, doorbellType: type },
  });
}
