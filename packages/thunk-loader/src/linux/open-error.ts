import type { HsaError, SysfsSource } from '@doorbell/abi';
import type { Caller } from '../access.js';
import { currentCaller, describeNodeAccess } from '../access.js';
import { EACCES, EAGAIN, EISDIR, ENODEV, ENOENT, ENOMEM, ENXIO, EPERM, systemCallError } from '../errno.js';
import { readKfdNodes } from '../kfd-nodes.js';

const EMULATED_HINT = "Without it, the emulated GPU is there: backend 'emulated'.";

/** What is known when opening the device node failed. */
export interface OpenFailure {
  readonly path: string;
  readonly errno: number;
  readonly sysfs: SysfsSource;
  readonly caller?: Caller;
}

/** The typed error of an open(2) of the device node that failed: what the errno means there, and what to do. */
export function openError(failure: OpenFailure): HsaError {
  const { path, errno, sysfs } = failure;
  const base = { call: 'open', path, errno, doing: 'opening the kernel driver' };
  switch (errno) {
    case ENOENT:
    case ENODEV:
    case ENXIO:
      return systemCallError({ ...base, code: 'ERR_KFD_MISSING', ...missing(sysfs) });
    case EACCES:
    case EPERM: {
      const { meaning, hint, details } = describeNodeAccess(sysfs, path, failure.caller ?? currentCaller());
      return systemCallError({ ...base, code: 'ERR_KFD_PERMISSION', meaning, hint, details });
    }
    case ENOMEM:
      return outOfMemory(base, sysfs);
    case EAGAIN:
      return systemCallError({
        ...base,
        code: 'ERR_DEVICE_FILE',
        meaning: 'the driver is locked while a GPU is reset; try again',
      });
    case EISDIR:
      return systemCallError({ ...base, code: 'ERR_DEVICE_FILE', meaning: 'it is a folder, not a device node' });
    default:
      return systemCallError({ ...base, code: 'ERR_DEVICE_FILE' });
  }
}

/** No node: the module is not there, was built without HSA_AMD, or the container was not given the device. */
function missing(sysfs: SysfsSource) {
  const isLoaded = sysfs.list('/sys/module/amdgpu').ok;
  const hasKfd = sysfs.list('/sys/class/kfd/kfd').ok;
  const details = { amdgpuModule: isLoaded ? 'loaded' : 'not loaded', kfdClass: hasKfd ? 'present' : 'absent' };
  if (hasKfd) {
    return {
      meaning: 'the driver runs, but its device node is not here',
      hint: `In a container, hand it in: --device=/dev/kfd --device=/dev/dri. ${EMULATED_HINT}`,
      details,
    };
  }
  if (isLoaded) {
    return {
      meaning: 'the amdgpu module is loaded, but it was built without CONFIG_HSA_AMD (or supports none of the cards for compute)',
      hint: `Use a kernel with CONFIG_HSA_AMD=y. ${EMULATED_HINT}`,
      details,
    };
  }
  return {
    meaning: 'the amdgpu module is not loaded (CONFIG_DRM_AMDGPU with CONFIG_HSA_AMD)',
    hint: `Load it: sudo modprobe amdgpu. ${EMULATED_HINT}`,
    details,
  };
}

/** The driver answers ENOMEM where it has no compute device for the process, so the topology decides what it means. */
function outOfMemory(base: { call: string; path: string; errno: number; doing: string }, sysfs: SysfsSource): HsaError {
  const gpus = countGpuNodes(sysfs);
  if (gpus !== undefined && gpus > 0) {
    return systemCallError({
      ...base,
      code: 'ERR_DEVICE_FILE',
      meaning: `the kernel could not set the process up, although the topology has ${gpus} GPU nodes`,
      details: { gpuNodes: gpus },
    });
  }
  return systemCallError({
    ...base,
    code: 'ERR_KFD_UNSUPPORTED',
    meaning: `the kernel driver does not support this card for compute: ${gpus === undefined ? 'there is no topology' : 'the topology has no GPU node'}`,
    hint: `The kernel log says which card it refused: sudo dmesg | grep -i kfd. ${EMULATED_HINT}`,
    details: { gpuNodes: gpus ?? 0 },
  });
}

function countGpuNodes(sysfs: SysfsSource): number | undefined {
  try {
    return readKfdNodes(sysfs).filter((node) => node.gpuId !== 0).length;
  } catch {
    // No topology at all, which the caller says.
    return undefined;
  }
}
