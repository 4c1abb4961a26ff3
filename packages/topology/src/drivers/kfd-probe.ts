/** amdkfd: the driver of AMD GPUs. */
import type { DriverProbe } from './driver-report.js';

const KFD_PATH = '/dev/kfd';

/** Looks whether the device file is there; the thunk opens it. */
export const kfdProbe: DriverProbe = {
  driver: 'kfd',
  devicePath: KFD_PATH,
  probe({ source }) {
    const row = { driver: 'kfd', devicePath: KFD_PATH } as const;
    const stat = source.stat(KFD_PATH);
    if (!stat.ok) {
      const { errno } = stat;
      if (errno !== 'ENOENT') return { ...row, state: 'unusable', reason: `looking at ${KFD_PATH} failed with ${errno}`, errno };
      const module = source.stat('/sys/module/amdgpu').ok ? 'the amdgpu module is loaded' : 'the amdgpu module is not loaded';
      const hint = 'Load amdgpu on a kernel built with CONFIG_HSA_AMD; in a container, pass --device /dev/kfd.';
      return { ...row, state: 'absent', reason: `${KFD_PATH} does not exist; ${module}`, errno, hint };
    }
    if (stat.value.kind !== 'character-device') {
      return { ...row, state: 'unusable', reason: `${KFD_PATH} is a ${stat.value.kind}, not a character device` };
    }
    const { mode, uid, gid } = stat.value;
    return { ...row, state: 'usable', reason: `${KFD_PATH} is there: mode ${mode.toString(8)}, owner ${uid}, group ${gid}` };
  },
};
