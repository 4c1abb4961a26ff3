/** Which drivers are there: rows of a table in ROCr's order, so that new ones are one entry (rocr amd_topology.cpp DiscoverDrivers). */
import type { SysfsSource } from '@doorbell/abi';

/** Kernel drivers that ROCr knows. */
export type DriverName = 'kfd' | 'xdna' | 'kfd-virtio';

/** What was found of one driver. */
export interface DriverReport {
  readonly driver: DriverName;
  /** The device file that belongs to it; empty where there is none. */
  readonly devicePath: string;
  /**
   * `usable`: probed, and agents can come from it. `absent`: the device file is not there. `unusable`: it is there and
   * cannot be used. `not-probed`: nobody looked yet.
   */
  readonly state: 'usable' | 'absent' | 'unusable' | 'not-probed';
  /** Evidence for the state. */
  readonly reason: string;
  readonly errno?: string;
  readonly hint?: string;
}

/** How to look for one driver. */
export interface DriverProbe {
  readonly driver: DriverName;
  probe(source: SysfsSource): DriverReport;
}

const KFD_PATH = '/dev/kfd';

const kfdProbe: DriverProbe = {
  driver: 'kfd',
  probe(source) {
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

function notProbed(driver: DriverName, devicePath: string): DriverProbe {
  return { driver, probe: () => ({ driver, devicePath, state: 'not-probed', reason: `the ${driver} driver is not probed yet` }) };
}

/** All drivers in ROCr's order. */
export const DRIVER_PROBES: readonly DriverProbe[] = [
  kfdProbe,
  notProbed('xdna', '/dev/accel/accel0'),
  notProbed('kfd-virtio', ''),
];

/** One report for each driver, in order. A driver that is not there or cannot be used never hides the next. */
export function discoverDrivers(source: SysfsSource, probes: readonly DriverProbe[] = DRIVER_PROBES): readonly DriverReport[] {
  return probes.map((driver) => driver.probe(source));
}
