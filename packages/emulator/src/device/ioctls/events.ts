/** Ioctls about events (amdkfd kfd_chardev.c, kfd_events.c). */
import { kfd } from '@doorbell/abi';
import { EFAULT, EINVAL, ENOMEM } from '../errno.js';
import type { WaitEntry, WaitOutcome } from '../events.js';
import type { Ioctl } from '../ioctl.js';
import { defineIoctl } from '../ioctl.js';
import {
  EVENT_PAGE_BYTES,
  KFD_IOC_EVENT_DEBUG,
  KFD_IOC_EVENT_SIGNAL,
  KFD_IOC_WAIT_RESULT_FAIL,
  KFD_MMAP_TYPE_EVENTS,
  KFD_MMAP_TYPE_SHIFT,
} from '../kfd-constants.js';
import type { Process } from '../process.js';

export const createEvent: Ioctl = defineIoctl(kfd.kfd_ioctl_create_event_args, 'WR', ({ process, args, put }) => {
  if (args.event_page_offset !== 0n) {
    const status = bringPage(process, args.event_page_offset);
    if (status !== 0) return status;
  }
  const isSlotted = args.event_type === KFD_IOC_EVENT_SIGNAL || args.event_type === KFD_IOC_EVENT_DEBUG;
  if (isSlotted && !process.events.hasPage && process.eventPages.place() === undefined) return -ENOMEM;
  const id = process.events.create(args.event_type, args.auto_reset === 0 ? 'manual' : 'auto');
  if (id < 0) return id;
  put({
    event_id: id,
    event_trigger_data: id,
    event_page_offset: isSlotted ? KFD_MMAP_TYPE_EVENTS << KFD_MMAP_TYPE_SHIFT : 0n,
    ...(isSlotted ? { event_slot_index: id } : {}),
  });
  return 0;
});

export const destroyEvent: Ioctl = defineIoctl(kfd.kfd_ioctl_destroy_event_args, 'W', ({ process, args }) =>
  process.events.destroy(args.event_id),
);

export const setEvent: Ioctl = defineIoctl(kfd.kfd_ioctl_set_event_args, 'W', ({ process, args }) => {
  const status = process.events.set(args.event_id);
  // User space sets events of signals that it has just stored: queues may wait for them.
  process.queues.nudge();
  return status;
});

export const resetEvent: Ioctl = defineIoctl(kfd.kfd_ioctl_reset_event_args, 'W', ({ process, args }) =>
  process.events.reset(args.event_id),
);

export const waitEvents: Ioctl = defineIoctl(kfd.kfd_ioctl_wait_events_args, 'WR', ({ process, args, put }) => {
  const entryBytes = kfd.kfd_event_data.sizeBytes;
  const bytes = args.num_events === 0 ? new Uint8Array(0) : process.resolve(args.events_ptr, args.num_events * entryBytes);
  if (bytes === undefined) {
    put({ wait_result: KFD_IOC_WAIT_RESULT_FAIL });
    return -EFAULT;
  }
  const entries: WaitEntry[] = [];
  for (let index = 0; index < args.num_events; index += 1) {
    const data = kfd.kfd_event_data.read(bytes, index * entryBytes);
    entries.push({ eventId: data.event_id, lastAge: data.signal_event_data.last_event_age });
  }
  const finish = ({ errno, result, updates }: WaitOutcome): number => {
    for (const update of updates) bytes.set(update.bytes, update.index * entryBytes);
    put({ wait_result: result });
    return errno;
  };
  const outcome = process.events.wait(entries, { all: args.wait_for_all !== 0, timeoutMs: args.timeout });
  return outcome instanceof Promise ? outcome.then(finish) : finish(outcome);
});

/** The slots shall lie in a buffer of user space: a 32 KiB one that is GPU memory of this process, once. */
function bringPage(process: Process, handle: bigint): number {
  const buffer = process.buffers.get(handle);
  if (process.events.hasPage || buffer?.kind !== 'gtt' || buffer.sizeBytes !== EVENT_PAGE_BYTES) return -EINVAL;
  process.eventBuffer = buffer;
  // The driver itself maps the buffer.
  process.pageTable.setHost(buffer.offset, buffer.sizeBytes, 'write');
  process.events.usePage(process.slotsAt(buffer.offset), 'full');
  return 0;
}
