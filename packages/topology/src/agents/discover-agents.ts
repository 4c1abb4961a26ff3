/** From nodes to agents: who is there, who is hidden, who was left out and why. */
import type { SysfsSource } from '@doorbell/abi';
import type { Thunk } from '@doorbell/thunk-loader';
import type { RefusedNode, Topology, TopologyNode } from '../topology-types.js';
import type { Agent, CpuAgent, GpuAgent, SkippedAgent } from './agent-types.js';
import { buildCpuAgent, buildGpuAgent } from './build-agents.js';
import { MarketingNames } from './marketing-name.js';
import { systemBankBytes } from './memory-pools.js';
import { filterVisibleGpus } from './visible-devices.js';

/** How to look; see {@link discoverAgents}. */
export interface DiscoverAgentsOptions {
  /** Where the names of products are looked up: the source of the topology. */
  readonly source: SysfsSource;
  /** The open thunk: it knows the xnack mode, and which GPUs it could not acquire. Default: xnack off, all GPUs usable. */
  readonly thunk?: Pick<Thunk, 'xnack' | 'gpus'>;
  /** Value of ROCR_VISIBLE_DEVICES. Default: all GPUs are visible. */
  readonly visibleDevices?: string;
  /** Whether programs see fine-grained VRAM of GPUs outside an XGMI hive (HSA_FORCE_FINE_GRAIN_PCIE=1). Default: hidden. */
  readonly fineGrainedOverPcie?: 'visible' | 'hidden';
}

/** The agents of a machine. */
export interface AgentDiscovery {
  /** In the order of hsa_iterate_agents: CPUs, then visible GPUs. */
  readonly agents: readonly Agent[];
  readonly cpus: readonly CpuAgent[];
  readonly gpus: readonly GpuAgent[];
  /** Usable, but withheld from programs by ROCR_VISIBLE_DEVICES. */
  readonly hiddenGpus: readonly GpuAgent[];
  /** What gave no agent. */
  readonly skipped: readonly SkippedAgent[];
  /** What filters changed. */
  readonly notes: readonly string[];
}

/** Makes agents of the usable nodes. What cannot be an agent is listed with the reason; nothing throws. */
export function discoverAgents(topology: Topology, options: DiscoverAgentsOptions): AgentDiscovery {
  const { nodes } = topology;
  const cpuNodes = nodes.filter(({ properties }) => properties.cpuCoresCount > 0);
  const allSystemBytes = cpuNodes.reduce((sum, { memoryBanks }) => sum + systemBankBytes(memoryBanks), 0n);
  const cpus = cpuNodes.map((node) => buildCpuAgent(node, allSystemBytes));
  const names = new MarketingNames(options.source);
  const gpus: GpuAgent[] = [];
  const skipped = topology.refusedNodes.map(skippedNode);
  for (const node of nodes) {
    const gpu = gpuOfNode(node, { ...options, nodes, names });
    if (gpu === undefined) continue;
    if ('reason' in gpu) skipped.push(gpu);
    else gpus.push(gpu);
  }
  const visibility =
    options.visibleDevices === undefined
      ? { visible: gpus, hidden: [], notes: [] }
      : filterVisibleGpus(gpus, options.visibleDevices);
  return {
    agents: [...cpus, ...visibility.visible],
    cpus,
    gpus: visibility.visible,
    hiddenGpus: visibility.hidden,
    skipped,
    notes: visibility.notes,
  };
}

function gpuOfNode(
  node: TopologyNode,
  {
    nodes,
    names,
    thunk,
    fineGrainedOverPcie,
  }: DiscoverAgentsOptions & { readonly nodes: readonly TopologyNode[]; readonly names: MarketingNames },
): GpuAgent | SkippedAgent | undefined {
  if (node.gpuId === 0) {
    if (node.properties.cpuCoresCount > 0 && node.properties.simdCount === 0) return undefined;
    const reason = node.problems[0]?.reason ?? 'the node has neither CPU cores nor a GPU';
    return { sysfsId: node.sysfsId, name: node.name, reason };
  }
  const refusal = thunk?.gpus.find(({ gpuId }) => gpuId === node.gpuId)?.problem;
  if (refusal !== undefined) return { sysfsId: node.sysfsId, name: node.name, reason: refusal.message };
  return buildGpuAgent(node, {
    xnack: thunk?.xnack ?? 'off',
    marketingName: names.find({ deviceId: node.properties.deviceId, renderMinor: node.properties.drmRenderMinor }),
    fineGrainedOverPcie: fineGrainedOverPcie === 'visible',
    nodes,
  });
}

function skippedNode({ sysfsId, name, problems: [{ reason, hint }] }: RefusedNode): SkippedAgent {
  return { sysfsId, name, reason, ...(hint === undefined ? {} : { hint }) };
}
