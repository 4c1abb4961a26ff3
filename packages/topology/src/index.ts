export type {
  Agent,
  AgentCommon,
  AgentLink,
  AieAgent,
  CpuAgent,
  GpuAgent,
  MemoryPool,
  SkippedAgent,
} from './agents/agent-types.js';
export { chooseDefaultDevice } from './agents/default-device.js';
export type { DefaultDevice } from './agents/default-device.js';
export { discoverAgents } from './agents/discover-agents.js';
export type { AgentDiscovery, DiscoverAgentsOptions } from './agents/discover-agents.js';
export { listGfxOverrides, readGfxOverrides } from './agents/gfx-override.js';
export type { GfxOverride, GfxOverrides, GfxSetting } from './agents/gfx-override.js';
export type { Partition } from './agents/partitions.js';
export { poolAccess } from './agents/pool-access.js';
export type { PoolAccess } from './agents/pool-access.js';
export { malformedVisibleDevices } from './agents/visible-devices.js';
export { decodeCapability } from './capability.js';
export type { Capability } from './capability.js';
export { discoverDrivers, DRIVER_PROBES } from './drivers/discover-drivers.js';
export type { DiscoverDriversOptions } from './drivers/discover-drivers.js';
export type { DriverName, DriverProbe, DriverProbeContext, DriverReport, NpuDevice } from './drivers/driver-report.js';
export { listPciGpus, summarizeTopology } from './pci-gpus.js';
export type { PciGpu } from './pci-gpus.js';
export { processorName } from './agent-isa.js';
export type { AgentIsa, FeatureState, GfxVersion } from './agent-isa.js';
export { readTopology, TOPOLOGY_ROOTS } from './read-topology.js';
export type { ReadTopologyOptions } from './read-topology.js';
export type { RenderNodeProbe } from './render-node.js';
export type {
  Cache,
  CpuIdentity,
  MemoryBank,
  NodeLink,
  NodeProperties,
  PerformanceBlock,
  RefusedNode,
  SystemProperties,
  Topology,
  TopologyNode,
  TopologyProblem,
} from './topology-types.js';
