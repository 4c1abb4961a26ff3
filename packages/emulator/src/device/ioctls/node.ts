/** Ioctls about the driver, the process and its GPUs as a whole (amdkfd kfd_chardev.c). */
import type { StructInit } from '@doorbell/abi';
import { kfd } from '@doorbell/abi';
import { ticksOfNs } from '../clock.js';
import { EBUSY, EEXIST, EFAULT, EINVAL, ENODEV, EPERM, ESRCH } from '../errno.js';
import type { Gpu } from '../gpu.js';
import type { Ioctl } from '../ioctl.js';
import { defineIoctl } from '../ioctl.js';
import { KFD_IOCTL_MAJOR_VERSION, KFD_RUNTIME_ENABLE_MODE_ENABLE_MASK } from '../kfd-constants.js';
import type { Process } from '../process.js';
import { numberOf } from '../../sysfs/machine.js';

/** amdkfd kfd_flat_memory.c, gfx9 on. */
const LDS_APERTURE = 0x0001_0000_0000_0000n;
const SCRATCH_APERTURE = 0x0002_0000_0000_0000n;
const APERTURE_BYTES = 0x1_0000_0000n;
/** Sizes of adev->gfx.config.tile_mode_array and macrotile_mode_array. */
const TILE_MODES = 32;
const MACRO_TILE_MODES = 16;
const NS_PER_SECOND = 1_000_000_000n;

export const getVersion: Ioctl = defineIoctl(kfd.kfd_ioctl_get_version_args, 'R', ({ process, put }) => {
  put({ major_version: KFD_IOCTL_MAJOR_VERSION, minor_version: process.interfaceMinor });
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
    for (const gpu of process.gpus.slice(0, count)) layout.write(bytes, aperturesOf(process, gpu), gpu.index * layout.sizeBytes);
    put({ num_of_nodes: count });
    return 0;
  },
);

/** The old form, with room for seven GPUs in the argument itself. */
export const getProcessApertures: Ioctl = {
  sizeBytes: kfd.kfd_ioctl_get_process_apertures_args.sizeBytes,
  direction: 'R',
  run(process, arg) {
    const { sizeBytes } = kfd.kfd_process_device_apertures;
    const gpus = process.gpus.slice(0, kfd.NUM_OF_SUPPORTED_GPUS);
    for (const gpu of gpus) kfd.kfd_process_device_apertures.write(arg, aperturesOf(process, gpu), gpu.index * sizeBytes);
    kfd.kfd_ioctl_get_process_apertures_args.write(arg, { num_of_nodes: gpus.length });
    return 0;
  },
};

/** GPUs from gfx9 on have no tile modes: the driver's arrays are there and hold zeros (amdgpu_amdkfd.c amdgpu_amdkfd_get_tile_config). */
export const getTileConfig: Ioctl = defineIoctl(kfd.kfd_ioctl_get_tile_config_args, 'WR', ({ process, args, put }) => {
  if (process.gpu(args.gpu_id) === undefined) return -EINVAL;
  const counts = {
    num_tile_configs: Math.min(args.num_tile_configs, TILE_MODES),
    num_macro_tile_configs: Math.min(args.num_macro_tile_configs, MACRO_TILE_MODES),
  };
  put({ ...counts, gb_addr_config: 0, num_banks: 0, num_ranks: 0 });
  for (const [address, count] of [
    [args.tile_config_ptr, counts.num_tile_configs],
    [args.macro_tile_config_ptr, counts.num_macro_tile_configs],
  ] as const) {
    if (count === 0) continue;
    const words = process.resolve(address, count * 4);
    if (words === undefined) return -EFAULT;
    words.fill(0);
  }
  return 0;
});

/** The old debugger ioctls answer EPERM since their hardware support went (kfd_chardev.c kfd_ioctl_dbg_register). */
export const dbgDeprecated: Ioctl = { sizeBytes: 0, direction: 'W', run: () => -EPERM };

/** Negative asks; the switch is there where every GPU has it for each process (kfd_process.c kfd_process_xnack_mode). */
export const setXnackMode: Ioctl = defineIoctl(kfd.kfd_ioctl_set_xnack_mode_args, 'WR', ({ process, args, put }) => {
  if (args.xnack_enabled < 0) {
    put({ xnack_enabled: process.svm.isXnackOn ? 1 : 0 });
    return 0;
  }
  if (process.queues.count > 0) return -EBUSY;
  const isOn = args.xnack_enabled !== 0;
  if (isOn === process.svm.isXnackOn) return 0;
  if (isOn && !process.gpus.every(hasXnackSwitch)) return -EPERM;
  process.svm.setXnack(isOn);
  return 0;
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

function aperturesOf({ placement }: Process, gpu: Gpu): StructInit<typeof kfd.kfd_process_device_apertures.fields> {
  return {
    lds_base: LDS_APERTURE,
    lds_limit: LDS_APERTURE + APERTURE_BYTES - 1n,
    scratch_base: SCRATCH_APERTURE,
    scratch_limit: SCRATCH_APERTURE + APERTURE_BYTES - 1n,
    gpuvm_base: placement.first,
    gpuvm_limit: placement.last,
    gpu_id: gpu.id,
    pad: 0,
  };
}

/** kfd_priv.h KFD_SUPPORT_XNACK_PER_PROCESS: gfx90a, gfx94x, gfx950. */
function hasXnackSwitch({ description: { properties } }: Gpu): boolean {
  const version = numberOf(properties, 'gfx_target_version');
  return version === 90_010 || (version >= 90_402 && version <= 90_500);
}

/** Whether the GPU is there and its VM acquired; `withoutVm` is what the ioctl answers without one. */
function checkVm(process: Process, gpuId: number, withoutVm: number): number {
  const gpu = process.gpu(gpuId);
  if (gpu === undefined) return -EINVAL;
  return gpu.vmFile === undefined ? -withoutVm : 0;
}
