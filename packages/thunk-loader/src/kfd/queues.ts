import type { KfdDevice } from '@doorbell/abi';
import { HsaError, kfd } from '@doorbell/abi';
import { EBUSY, EFAULT, EINVAL, ENODEV, ENOMEM, ENOSPC, EPERM, ESRCH } from '../errno.js';
import type { CreateQueueOptions, QueueKind, QueueWaveState, ThunkMemory, ThunkQueue, UpdateQueueOptions } from '../thunk.js';
import { DOORBELL_SLICE_BYTES, PRIORITIES, SINCE_MINOR } from '../driver-constants.js';
import { doorbellPageOf, requireWideDoorbells } from './doorbells.js';
import type { IoctlPurpose } from './ioctl.js';
import { callKfd, tryKfd } from './ioctl.js';
import type { KfdMemory } from './memory.js';
import type { KfdProcess } from './process.js';
import { requireMinor, usableGpu } from './process.js';
import type { QueueSizes } from './queue-sizes.js';
import { aqlQueueSizes, queueSizeInputs } from './queue-sizes.js';
import { Unwind } from '../unwind.js';

const CREATE_QUEUE = { name: 'CREATE_QUEUE', request: kfd.AMDKFD_IOC_CREATE_QUEUE, layout: kfd.kfd_ioctl_create_queue_args };
const DESTROY_QUEUE = { name: 'DESTROY_QUEUE', request: kfd.AMDKFD_IOC_DESTROY_QUEUE, layout: kfd.kfd_ioctl_destroy_queue_args };
const UPDATE_QUEUE = { name: 'UPDATE_QUEUE', request: kfd.AMDKFD_IOC_UPDATE_QUEUE, layout: kfd.kfd_ioctl_update_queue_args };
const SET_CU_MASK = { name: 'SET_CU_MASK', request: kfd.AMDKFD_IOC_SET_CU_MASK, layout: kfd.kfd_ioctl_set_cu_mask_args };
const GET_QUEUE_WAVE_STATE = {
  name: 'GET_QUEUE_WAVE_STATE',
  request: kfd.AMDKFD_IOC_GET_QUEUE_WAVE_STATE,
  layout: kfd.kfd_ioctl_get_queue_wave_state_args,
};
const ALLOC_QUEUE_GWS = {
  name: 'ALLOC_QUEUE_GWS',
  request: kfd.AMDKFD_IOC_ALLOC_QUEUE_GWS,
  layout: kfd.kfd_ioctl_alloc_queue_gws_args,
};

const SAVE_HEADER = kfd.kfd_context_save_area_header;

const TYPE_OF: Readonly<Record<QueueKind, number>> = {
  aql: kfd.KFD_IOC_QUEUE_TYPE_COMPUTE_AQL,
  pm4: kfd.KFD_IOC_QUEUE_TYPE_COMPUTE,
  sdma: kfd.KFD_IOC_QUEUE_TYPE_SDMA,
  'sdma-xgmi': kfd.KFD_IOC_QUEUE_TYPE_SDMA_XGMI,
  'sdma-engine': kfd.KFD_IOC_QUEUE_TYPE_SDMA_BY_ENG_ID,
};

/** queue_percentage: the XCC of a PM4 queue stands above the share (kfd_chardev.c set_queue_properties_from_user). */
const XCC_SHIFT = 8;

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
  readonly saveArea: ThunkMemory | undefined;
  readonly targetXcc: number;
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
    const { gpuId, kind, priority = 'normal', percentage = 100, targetXcc = 0 } = options;
    const { gpu } = usableGpu(this.#device, this.#process, gpuId);
    requireWideDoorbells(gpu);
    this.#checkEngine(options);
    const sizes = isCompute(kind) ? aqlQueueSizes(queueSizeInputs(gpu.properties)) : undefined;
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
          queue_percentage: percentage | (targetXcc << XCC_SHIFT),
          queue_priority: PRIORITIES[priority],
          ...(options.engineId === undefined ? {} : { sdma_engine_id: options.engineId }),
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
      this.#live.set(queue, { memories, saveArea: save, targetXcc, priority: PRIORITIES[priority], percentage, ring });
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
        queue_percentage: percentage | (live.targetXcc << XCC_SHIFT),
        queue_priority: priority,
      },
      purpose: {
        doing: `changing queue ${queue.queueId}`,
        errnos: {
          [EINVAL]: { meaning: 'share, priority or size of the ring make no sense' },
          [EFAULT]: { meaning: 'the ring is not mapped on the GPU' },
        },
      },
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

  setCuMask(queue: ThunkQueue, mask: Uint32Array): void {
    this.#liveQueue(queue);
    requireCompute(queue, 'a mask of compute units');
    using buffer = this.#device.hostBuffer(Math.max(4, mask.byteLength));
    buffer.bytes.set(new Uint8Array(mask.buffer, mask.byteOffset, mask.byteLength));
    callKfd(this.#device, SET_CU_MASK, {
      args: { queue_id: queue.queueId, num_cu_mask: mask.length * 32, cu_mask_ptr: buffer.address },
      purpose: {
        doing: `limiting queue ${queue.queueId} to some compute units`,
        errnos: {
          [EINVAL]: { meaning: 'the mask is empty, or splits the two compute units of a work-group processor' },
          [EBUSY]: { meaning: 'the driver itself limits this queue, for a debugger' },
        },
      },
    });
  }

  waveState(queue: ThunkQueue): QueueWaveState {
    const { saveArea } = this.#liveQueue(queue);
    requireCompute(queue, 'saved waves');
    const address = saveArea?.address ?? 0n;
    const answer = callKfd(this.#device, GET_QUEUE_WAVE_STATE, {
      args: { queue_id: queue.queueId, ctl_stack_address: address },
      purpose: {
        doing: `asking what queue ${queue.queueId} has saved`,
        errnos: {
          [EBUSY]: { meaning: 'the queue runs; stop it first (percentage 0)' },
          [EINVAL]: { meaning: 'the queue runs (stop it first: percentage 0), or has nowhere to save waves' },
        },
      },
    });
    return {
      controlStackAddress: address,
      controlStackUsedBytes: answer.ctl_stack_used_size,
      saveAreaUsedBytes: answer.save_area_used_size,
    };
  }

  allocateGws(queue: ThunkQueue, count: number): number {
    this.#liveQueue(queue);
    return callKfd(this.#device, ALLOC_QUEUE_GWS, {
      args: { queue_id: queue.queueId, num_gws: count },
      purpose: {
        doing: `giving queue ${queue.queueId} ${count} global wave sync resources`,
        errnos: {
          [ENODEV]: { code: 'ERR_NOT_SUPPORTED', meaning: 'the GPU has none, or the driver does not schedule it by hardware' },
          [EBUSY]: { meaning: 'another queue of the process has them, or a debugger' },
        },
      },
    }).first_gws;
  }

  #checkEngine({ kind, engineId, targetXcc }: CreateQueueOptions): void {
    if (kind === 'sdma-engine')
      requireMinor(this.#device, this.#process, SINCE_MINOR.SDMA_ENGINE, 'an SDMA queue on a given engine');
    if ((kind === 'sdma-engine') !== (engineId !== undefined)) {
      throw new HsaError('ERR_INVALID_ARGUMENT', {
        message: `engineId is for sdma-engine queues, which need it; kind is ${kind}`,
      });
    }
    if (targetXcc === undefined || (kind === 'pm4' && Number.isInteger(targetXcc) && targetXcc >= 0 && targetXcc < 256)) return;
    throw new HsaError('ERR_INVALID_ARGUMENT', {
      message: `targetXcc is for pm4 queues and an integer from 0 to 255; kind is ${kind}, targetXcc ${targetXcc}`,
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
    const byteOffset = Number(offset % BigInt(DOORBELL_SLICE_BYTES));
    const page = doorbellPageOf(this.#device, this.#process, { gpuId, code: 'ERR_QUEUE_CREATION' });
    return Object.freeze({ page, byteOffset, address: page.address + BigInt(byteOffset) });
  }
}

function isCompute(kind: QueueKind): boolean {
  return kind === 'aql' || kind === 'pm4';
}

function requireCompute(queue: ThunkQueue, what: string): void {
  if (isCompute(queue.kind)) return;
  throw new HsaError('ERR_INVALID_ARGUMENT', { message: `queue ${queue.queueId} is an ${queue.kind} queue and has no ${what}` });
}
