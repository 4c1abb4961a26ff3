/** Ioctls that look at a queue or limit it (amdkfd kfd_chardev.c, kfd_process_queue_manager.c). */
import { kfd } from '@doorbell/abi';
import { numberOf } from '../../sysfs/machine.js';
import { EBUSY, EFAULT, EINVAL, ENODEV } from '../errno.js';
import type { Gpu } from '../gpu.js';
import type { Ioctl } from '../ioctl.js';
import { defineIoctl } from '../ioctl.js';
import type { Process } from '../process.js';

/** kfd_ioctl_set_cu_mask max_num_cus: what is beyond is dropped. */
const MAX_CU_BITS = 1024;
/** gfx_target_version from which on two compute units are one work-group processor. */
const FIRST_WGP_VERSION = 100_000;

/** Checked as the driver does; the emulated compute units are the host's threads, which take all work. */
export const setCuMask: Ioctl = defineIoctl(kfd.kfd_ioctl_set_cu_mask_args, 'W', ({ process, args }) => {
  if (args.num_cu_mask === 0 || args.num_cu_mask % 32 !== 0) return -EINVAL;
  const bits = Math.min(args.num_cu_mask, MAX_CU_BITS);
  const bytes = process.resolve(args.cu_mask_ptr, bits / 8);
  if (bytes === undefined) return -EFAULT;
  const gpu = gpuOf(process, args.queue_id);
  if (gpu === undefined) return -EFAULT;
  if (numberOf(gpu.description.properties, 'gfx_target_version') < FIRST_WGP_VERSION) return 0;
  // Both units of a pair or none: the bits 2i and 2i + 1 are equal.
  return bytes.every((byte) => (byte & 0x55) === ((byte >> 1) & 0x55)) ? 0 : -EINVAL;
});

/**
 * A stopped queue keeps its waves where they are, so that nothing is ever saved: control stack and save area are empty, as the
 * driver reports a queue without waves (kfd_mqd_manager_v9.c get_wave_state).
 */
export const getQueueWaveState: Ioctl = defineIoctl(kfd.kfd_ioctl_get_queue_wave_state_args, 'WR', ({ process, args, put }) => {
  const queue = process.queues.get(args.queue_id);
  if (queue === undefined) return -EFAULT;
  if (process.queues.isEnabled(args.queue_id)) return -EINVAL;
  const header = kfd.kfd_context_save_area_header;
  // The save area, which also a client with addresses of its own shares with the GPU.
  const { ctl_stack_address: address } = args;
  const bytes = process.resolve(address, header.sizeBytes) ?? process.gpuBytes(address, header.sizeBytes);
  if (bytes === undefined) return -EFAULT;
  const empty = queue.controlStackBytes;
  const state = { control_stack_offset: empty, control_stack_size: 0, wave_state_offset: empty, wave_state_size: 0 };
  header.write(bytes, { wave_state: state });
  put({ ctl_stack_used_size: 0, save_area_used_size: 0 });
  return 0;
});

/** One queue of a process and GPU may have the resources, all of them; 0 gives them back. */
export const allocQueueGws: Ioctl = defineIoctl(kfd.kfd_ioctl_alloc_queue_gws_args, 'WR', ({ process, args, put }) => {
  const gpu = gpuOf(process, args.queue_id);
  if (gpu === undefined) return -EINVAL;
  if (numberOf(gpu.description.properties, 'num_gws') === 0) return -ENODEV;
  const isWanted = args.num_gws !== 0;
  if (isWanted && gpu.gwsQueue !== undefined) return -EBUSY;
  if (!isWanted && gpu.gwsQueue === undefined) return -EINVAL;
  gpu.gwsQueue = isWanted ? args.queue_id : undefined;
  put({ first_gws: 0 });
  return 0;
});

function gpuOf(process: Process, queueId: number): Gpu | undefined {
  const queue = process.queues.get(queueId);
  return queue === undefined ? undefined : process.gpus[queue.gpuIndex];
}
