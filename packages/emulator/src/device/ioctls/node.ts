/** Ioctls about the driver, the process and its GPUs as a whole (amdkfd kfd_chardev.c). */
import { kfd } from '@doorbell/abi';
import { ticksOfNs } from '../clock.js';
import { EBUSY, EEXIST, EFAULT, EINVAL, ENODEV, EPERM, ESRCH } from '../errno.js';
import type { Ioctl } from '../ioctl.js';
import { defineIoctl } from '../ioctl.js';
import { KFD_IOCTL_MAJOR_VERSION, KFD_IOCTL_MINOR_VERSION, KFD_RUNTIME_ENABLE_MODE_ENABLE_MASK } from '../kfd-constants.js';
import type { Process } from '../process.js';

/** amdkfd kfd_flat_memory.c, gfx9 on. */
const LDS_APERTURE = 0x0001_0000_0000_0000n;
const SCRATCH_APERTURE = 0x0002_0000_0000_0000n;
const APERTURE_BYTES = 0x1_0000_0000n;
const NS_PER_SECOND = 1_000_000_000n;

export const getVersion: Ioctl = defineIoctl(kfd.kfd_ioctl_get_version_args, 'R', ({ put }) => {
  put({ major_version: KFD_IOCTL_MAJOR_VERSION, minor_version: KFD_IOCTL_MINOR_VERSION });
  return 0;
});

export const setMemoryPolicy: Ioctl = defineIoctl(kfd.kfd_ioctl_set_memory_policy_args, 'W', ({ process, args }) => {
  if (args.default_policy > 1 || args.alternate_policy > 1) return -EINVAL;
  return checkVm(process, args.gpu_id, ESRCH);
});

export const setTrapHandler: Ioctl = defineIoctl(kfd.kfd_ioctl_set_trap_handler_args, 'W', ({ process, args }) =>
  checkVm(process, args.gpu_id, ESRCH),
);

export const setScratchBackingVa: Ioctl = defineIoctl(kfd.kfd_ioctl_set_scratch_backing_va_args, 'WR', ({ process, args }) =>
  checkVm(process, args.gpu_id, ENODEV),
);

export const getClockCounters: Ioctl = defineIoctl(kfd.kfd_ioctl_get_clock_counters_args, 'WR', ({ process, args, put }) => {
  const now = process.host.now();
  put({
    gpu_clock_counter: process.gpu(args.gpu_id) === undefined ? 0n : ticksOfNs(now),
    cpu_clock_counter: now,
    system_clock_counter: now,
    system_clock_freq: NS_PER_SECOND,
  });
  return 0;
});

export const getProcessAperturesNew: Ioctl = defineIoctl(
  kfd.kfd_ioctl_get_process_apertures_new_args,
  'WR',
  ({ process, args, put }) => {
    const layout = kfd.kfd_process_device_apertures;
    if (args.num_of_nodes === 0) {
      put({ num_of_nodes: process.gpus.length });
      return 0;
    }
    const count = Math.min(args.num_of_nodes, process.gpus.length);
    const bytes = process.resolve(args.kfd_process_device_apertures_ptr, count * layout.sizeBytes);
    if (bytes === undefined) return -EFAULT;
    for (const gpu of process.gpus.slice(0, count)) {
      const aperture = {
        lds_base: LDS_APERTURE,
        lds_limit: LDS_APERTURE + APERTURE_BYTES - 1n,
        scratch_base: SCRATCH_APERTURE,
        scratch_limit: SCRATCH_APERTURE + APERTURE_BYTES - 1n,
        gpuvm_base: process.placement.first,
        gpuvm_limit: process.placement.last,
        gpu_id: gpu.id,
        pad: 0,
      };
      layout.write(bytes, aperture, gpu.index * layout.sizeBytes);
    }
    put({ num_of_nodes: count });
    return 0;
  },
);

/** No emulated target switches XNACK on; negative asks. */
export const setXnackMode: Ioctl = defineIoctl(kfd.kfd_ioctl_set_xnack_mode_args, 'WR', ({ process, args, put }) => {
  if (args.xnack_enabled < 0) {
    put({ xnack_enabled: 0 });
    return 0;
  }
  if (process.queues.count > 0) return -EBUSY;
  return args.xnack_enabled === 0 ? 0 : -EPERM;
});

export const runtimeEnable: Ioctl = defineIoctl(kfd.kfd_ioctl_runtime_enable_args, 'WR', ({ process, args, put }) => {
  put({ capabilities_mask: 0 });
  if ((args.mode_mask & KFD_RUNTIME_ENABLE_MODE_ENABLE_MASK) === 0) {
    process.isRuntimeEnabled = false;
    return 0;
  }
  if (process.isRuntimeEnabled) return -EBUSY;
  if (process.queues.count > 0) return -EEXIST;
  process.isRuntimeEnabled = true;
  return 0;
});

/** Whether the GPU is there and its VM acquired; `withoutVm` is what the ioctl answers without one. */
function checkVm(process: Process, gpuId: number, withoutVm: number): number {
  const gpu = process.gpu(gpuId);
  if (gpu === undefined) return -EINVAL;
  return gpu.vmFile === undefined ? -withoutVm : 0;
}
