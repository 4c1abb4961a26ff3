/** Agents of NPUs: what an XDNA driver that answered has behind it. */
import type { DriverReport } from '../drivers/driver-report.js';
import type { AieAgent } from './agent-types.js';

/** One agent for each driver with an NPU; they come last, as in hsa_iterate_agents. */
export function aieAgents(drivers: readonly DriverReport[]): readonly AieAgent[] {
  return drivers.flatMap(({ driver, devicePath, version, npu }): readonly AieAgent[] => {
    if (driver !== 'xdna' || npu === undefined) return [];
    return [
      {
        kind: 'aie',
        driver,
        // The XDNA driver has one node (rocr amd_xdna_driver.cpp GetSystemProperties).
        nodeId: 0,
        id: `${driver}/0/aie`,
        name: npu.architecture,
        vendorName: 'AMD',
        marketingName: npu.productName,
        devicePath,
        interfaceVersion: version ?? { major: 0, minor: 0 },
        npu,
      },
    ];
  });
}
