/** Queues through libhsakmt, which allocates what the driver wants for each and maps the doorbells. */
import type { DoorbellPage } from '@doorbell/abi';
import { HsaError, hsakmt } from '@doorbell/abi';
import type { Libc } from '../linux/libc.js';
import { LinuxDoorbellPage } from '../linux/kfd-device.js';
import type { CreateQueueOptions, QueuePriority, QueueWaveState, ThunkQueue, UpdateQueueOptions } from '../thunk.js';
import { EBUSY, EINVAL, ENODEV } from '../errno.js';
import type { HsakmtEvents } from './events.js';
import type { HsakmtSession } from './session.js';
import { nodeOf, notSupported } from './session.js';

const PRIORITIES: Readonly<Record<QueuePriority, number>> = {
  minimum: hsakmt.HSA_QUEUE_PRIORITY_MINIMUM,
  low: hsakmt.HSA_QUEUE_PRIORITY_LOW,
  'below-normal': hsakmt.HSA_QUEUE_PRIORITY_BELOW_NORMAL,
  normal: hsakmt.HSA_QUEUE_PRIORITY_NORMAL,
  'above-normal': hsakmt.HSA_QUEUE_PRIORITY_ABOVE_NORMAL,
  high: hsakmt.HSA_QUEUE_PRIORITY_HIGH,
  maximum: hsakmt.HSA_QUEUE_PRIORITY_MAXIMUM,
};

const PAGE_BYTES = 4096;

interface LiveQueue {
  /** The library's record of the queue, which is what it calls a queue id. */
  readonly record: bigint;
  priority: bigint;
  percentage: number;
  ring: { readonly address: bigint; readonly sizeBytes: number };
}

/** Queues of one thunk. */
export class HsakmtQueues {
  readonly #session: HsakmtSession;
  readonly #libc: Libc;
  readonly #events: HsakmtEvents;
  readonly #live = new Map<ThunkQueue, LiveQueue>();
  /** Pages of doorbells by address; the library maps them once for each GPU, and for the life of the process. */
  readonly #pages = new Map<bigint, DoorbellPage>();

  constructor(session: HsakmtSession, libc: Libc, events: HsakmtEvents) {
    this.#session = session;
    this.#libc = libc;
    this.#events = events;
  }

  get live(): readonly ThunkQueue[] {
    return [...this.#live.keys()];
  }

  create(options: CreateQueueOptions): ThunkQueue {
    const { gpuId, kind, priority = 'normal', percentage = 100, error } = options;
    const { library } = this.#session;
    const node = nodeOf(this.#session, gpuId);
    if (kind !== 'aql') {
      throw notSupported(
        library,
        `an ${kind} queue with pointers of the caller's`,
        'the library has its own for all but AQL queues',
      );
    }
    if (options.engineId !== undefined || options.targetXcc !== undefined) {
      const message = `engineId is for sdma-engine queues, targetXcc for pm4 queues; kind is ${kind}`;
      throw new HsaError('ERR_INVALID_ARGUMENT', { message });
    }
    const event = error === undefined || error.eventId === 0 ? null : this.#events.recordOf(error.eventId);
    const layout = library.layouts.HsaQueueResource;
    const resource = layout.create({
      QueueWptrValue: options.writePointerAddress,
      QueueRptrValue: options.readPointerAddress,
      ...(error === undefined ? {} : { ErrorReason: error.payloadAddress }),
    });
    const ring = { address: options.ringAddress, sizeBytes: options.ringBytes };
    const live = { priority: BigInt(PRIORITIES[priority]), percentage, ring };
    library.call(
      'hsaKmtCreateQueue',
      [node, hsakmt.HSA_QUEUE_COMPUTE_AQL, percentage, live.priority, ring.address, BigInt(ring.sizeBytes), event, resource],
      { doing: `creating an ${kind} queue of ${ring.sizeBytes} bytes on GPU ${gpuId}`, code: 'ERR_QUEUE_CREATION' },
    );
    const { QueueId: record, QueueDoorBell: address } = layout.read(resource);
    const byteOffset = Number(address % BigInt(PAGE_BYTES));
    const doorbell = Object.freeze({ page: this.#page(address - BigInt(byteOffset)), byteOffset, address });
    // An address of this process: a safe integer.
    const queue: ThunkQueue = Object.freeze({ queueId: Number(record), gpuId, kind, doorbell });
    this.#live.set(queue, { ...live, record });
    return queue;
  }

  update(queue: ThunkQueue, options: UpdateQueueOptions): void {
    const live = this.#liveQueue(queue);
    const ring = options.ring ?? live.ring;
    const percentage = options.percentage ?? live.percentage;
    const priority = options.priority === undefined ? live.priority : BigInt(PRIORITIES[options.priority]);
    this.#session.library.call(
      'hsaKmtUpdateQueue',
      [live.record, percentage, priority, ring.address, BigInt(ring.sizeBytes), null],
      { doing: `changing ${describe(queue)}` },
    );
    Object.assign(live, { ring, percentage, priority });
  }

  destroy(queue: ThunkQueue): void {
    const { record } = this.#liveQueue(queue);
    this.#session.library.call('hsaKmtDestroyQueue', [record], { doing: `destroying ${describe(queue)}` });
    this.#live.delete(queue);
  }

  setCuMask(queue: ThunkQueue, mask: Uint32Array): void {
    const { record } = this.#liveQueue(queue);
    // koffi takes no empty array; the library refuses to be given none.
    const words = mask.length === 0 ? null : mask;
    this.#session.library.call('hsaKmtSetQueueCUMask', [record, mask.length * 32, words], {
      doing: `limiting ${describe(queue)} to some compute units`,
      code: 'ERR_KFD_IOCTL',
      meaning: 'the mask is empty, or splits the two compute units of a work-group processor',
    });
  }

  waveState(queue: ThunkQueue): QueueWaveState {
    const { record } = this.#liveQueue(queue);
    const { library } = this.#session;
    const layout = library.layouts.HsaQueueInfo;
    const bytes = layout.create();
    library.call('hsaKmtGetQueueInfo', [record, bytes], {
      doing: `asking what ${describe(queue)} has saved`,
      errnos: {
        [EBUSY]: { meaning: 'the queue runs; stop it first (percentage 0)' },
        [EINVAL]: { meaning: 'the queue runs (stop it first: percentage 0), or has nowhere to save waves' },
      },
    });
    const info = layout.read(bytes);
    return {
      controlStackAddress: info.SaveAreaHeader,
      controlStackUsedBytes: Number(info.ControlStackUsedInBytes),
      saveAreaUsedBytes: Number(info.SaveAreaSizeInBytes),
    };
  }

  allocateGws(queue: ThunkQueue, count: number): number {
    const { record } = this.#liveQueue(queue);
    const first = new Uint32Array(1);
    this.#session.library.call('hsaKmtAllocQueueGWS', [record, count, first], {
      doing: `giving ${describe(queue)} ${count} global wave sync resources`,
      errnos: {
        [ENODEV]: { code: 'ERR_NOT_SUPPORTED', meaning: 'the GPU has none, or the driver does not schedule it by hardware' },
        [EBUSY]: { meaning: 'another queue of the process has them, or a debugger' },
      },
    });
    return first[0] ?? 0;
  }

  #liveQueue(queue: ThunkQueue): LiveQueue {
    const live = this.#live.get(queue);
    if (live !== undefined) return live;
    throw new HsaError('ERR_DISPOSED', {
      message: `${describe(queue)} was destroyed, or is another thunk's`,
      details: { queueId: queue.queueId },
    });
  }

  #page(address: bigint): DoorbellPage {
    const known = this.#pages.get(address);
    if (known !== undefined) return known;
    const page = new LinuxDoorbellPage({ address, sizeBytes: PAGE_BYTES, bytes: this.#libc.view(address, PAGE_BYTES) });
    this.#pages.set(address, page);
    return page;
  }
}

function describe(queue: ThunkQueue): string {
  return `queue ${queue.queueId.toString(16)} on GPU ${queue.gpuId}`;
}
