/** Which drivers are there: rows of a table in ROCr's order, so that new ones are one entry (rocr amd_topology.cpp DiscoverDrivers). */
import type { SysfsSource } from '@doorbell/abi';
import type { DeviceOpener } from '@doorbell/thunk-loader';
import type { DriverProbe, DriverReport } from './driver-report.js';
import { kfdProbe } from './kfd-probe.js';
import { virtioProbe } from './virtio-probe.js';
import { xdnaProbe } from './xdna-probe.js';

/** All drivers in ROCr's order. */
export const DRIVER_PROBES: readonly DriverProbe[] = [kfdProbe, xdnaProbe, virtioProbe];

/** How to look; see {@link discoverDrivers}. */
export interface DiscoverDriversOptions {
  /** Opens devices to ask them. Default: none is opened, and those that would have to be are `not-probed`. */
  readonly openDevice?: DeviceOpener;
  /** Default: {@link DRIVER_PROBES}. */
  readonly probes?: readonly DriverProbe[];
}

/**
 * One report for each driver, in order. A driver that is not there, cannot be opened or fails while it is asked is reported;
 * it never hides the next, and nothing throws.
 */
export function discoverDrivers(
  source: SysfsSource,
  { openDevice, probes = DRIVER_PROBES }: DiscoverDriversOptions = {},
): readonly DriverReport[] {
  return probes.map((probe) => {
    try {
      return probe.probe({ source, openDevice });
    } catch (error) {
      // A failure to ask is an answer: the report carries it.
      const reason = `asking the driver failed: ${error instanceof Error ? error.message : String(error)}`;
      return { driver: probe.driver, devicePath: probe.devicePath, state: 'unusable', reason };
    }
  });
}
