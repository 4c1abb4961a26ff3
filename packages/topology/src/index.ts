export type { Agent, AgentCommon, AgentLink, CpuAgent, GpuAgent, MemoryPool, SkippedAgent } from './agents/agent-types.js';
export { chooseDefaultDevice } from './agents/default-device.js';
export type { DefaultDevice } from './agents/default-device.js';
export { discoverAgents } from './agents/discover-agents.js';
export type { AgentDiscovery, DiscoverAgentsOptions } from './agents/discover-agents.js';
export { decodeCapability } from './capability.js';
export type { Capability } from './capability.js';
export { discoverDrivers, DRIVER_PROBES } from './drivers.js';
export type { DriverName, DriverProbe, DriverReport } from './drivers.js';
export { listPciGpus, summarizeTopology } from './pci-gpus.js';
export type { PciGpu } from './pci-gpus.js';
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
  RefusedNode,
  SystemProperties,
  Topology,
  TopologyNode,
  TopologyProblem,
} from './topology-types.js';
