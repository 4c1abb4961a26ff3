/** From nodes to agents: who is there, who is hidden, who was left out and why. */
import type { SysfsSource } from '@doorbell/abi';
import type { Thunk } from '@doorbell/thunk-loader';
import type { RefusedNode, Topology, TopologyNode } from '../topology-types.js';
import { processorName } from '../agent-isa.js';
import type { DriverReport } from '../drivers/driver-report.js';
import type { Agent, AieAgent, CpuAgent, GpuAgent, SkippedAgent } from './agent-types.js';
import { aieAgents } from './aie-agents.js';
import { buildCpuAgent, buildGpuAgent, formatPciAddress, formatUuid } from './build-agents.js';
import type { GfxOverrides } from './gfx-override.js';
import { MarketingNames } from './marketing-name.js';
import { systemBankBytes } from './memory-pools.js';
import type { NamedGpu } from './visible-devices.js';
import { filterVisibleGpus } from './visible-devices.js';

/** How to look; see {@link discoverAgents}. */
export interface DiscoverAgentsOptions {
  /** Where the names of products are looked up: the source of the topology. */
  readonly source: SysfsSource;
  /** The open thunk: it knows the xnack mode, and which GPUs it could not acquire. Default: xnack off, all GPUs usable. */
  readonly thunk?: Pick<Thunk, 'xnack' | 'gpus'>;
  /** Value of ROCR_VISIBLE_DEVICES. Default: all GPUs are visible. */
  readonly visibleDevices?: string;
  /** HSA_OVERRIDE_GFX_VERSION and its kin. Default: GPUs are what they are. */
  readonly gfxOverrides?: GfxOverrides;
  /** What discoverDrivers found: NPUs become agents. Default: none. */
  readonly drivers?: readonly DriverReport[];
  /** Whether programs see fine-grained VRAM of GPUs outside an XGMI hive (HSA_FORCE_FINE_GRAIN_PCIE=1). Default: hidden. */
  readonly fineGrainedOverPcie?: 'visible' | 'hidden';
}

/** The agents of a machine. */
export interface AgentDiscovery {
  /** In the order of hsa_iterate_agents: CPUs, then visible GPUs. */
  readonly agents: readonly Agent[];
  readonly cpus: readonly CpuAgent[];
  readonly gpus: readonly GpuAgent[];
  /** NPUs: reported, and not among {@link agents}, since nothing runs on them. */
  readonly aies: readonly AieAgent[];
  /** Usable, but withheld from programs by ROCR_VISIBLE_DEVICES. */
  readonly hiddenGpus: readonly GpuAgent[];
  /** What gave no agent. */
  readonly skipped: readonly SkippedAgent[];
  /** What ROCR_VISIBLE_DEVICES and HSA_OVERRIDE_GFX_VERSION removed or changed. */
  readonly notes: readonly string[];
}

/** Makes agents of the usable nodes. What cannot be an agent is listed with the reason; nothing throws. */
export function discoverAgents(topology: Topology, options: DiscoverAgentsOptions): AgentDiscovery {
  const { nodes } = topology;
  const cpuNodes = nodes.filter(({ properties }) => properties.cpuCoresCount > 0);
  const allSystemBytes = cpuNodes.reduce((sum, { memoryBanks }) => sum + systemBankBytes(memoryBanks), 0n);
  const cpus = cpuNodes.map((node) => buildCpuAgent(node, allSystemBytes));
  const names = new MarketingNames(options.source);
  const found: FoundGpu[] = [];
  for (const node of nodes) {
    const gpu = gpuOfNode(node, { ...options, nodes, names });
    if (gpu !== undefined) found.push(nameGpu(node, gpu));
  }
  // The variable counts GPU nodes, also those that gave no agent.
  const { visible, hidden, notes } =
    options.visibleDevices === undefined
      ? { visible: found, hidden: [], notes: [] }
      : filterVisibleGpus(
          found.filter(({ isNode }) => isNode),
          options.visibleDevices,
        );
  const agentsOf = (list: readonly FoundGpu[]): readonly GpuAgent[] => list.flatMap(({ gpu }) => ('reason' in gpu ? [] : [gpu]));
  const gpus = agentsOf(visible);
  return {
    agents: [...cpus, ...gpus],
    cpus,
    gpus,
    aies: aieAgents(options.drivers ?? []),
    hiddenGpus: agentsOf(hidden),
    skipped: [...topology.refusedNodes.map(skippedNode), ...found.flatMap(({ gpu }) => ('reason' in gpu ? [gpu] : []))],
    notes: [...notes, ...found.flatMap(({ gpu }) => overrideNote(gpu) ?? [])],
  };
}

/** A GPU node, as variables can name it, with its agent or the reason why it has none. */
interface FoundGpu extends NamedGpu {
  readonly gpu: GpuAgent | SkippedAgent;
  /** The driver counts it as a GPU. */
  readonly isNode: boolean;
}

function nameGpu(node: TopologyNode, gpu: GpuAgent | SkippedAgent): FoundGpu {
  const { uniqueId } = node.properties;
  const uuid = formatUuid(uniqueId);
  const name = gpu.name === '' ? `node ${node.nodeId}` : gpu.name;
  return { uniqueId, uuid, label: `${name} (${uuid}, ${formatPciAddress(node.properties)})`, gpu, isNode: node.gpuId !== 0 };
}

function overrideNote(gpu: GpuAgent | SkippedAgent): string | undefined {
  if ('reason' in gpu || gpu.override === undefined) return undefined;
  const { variable, value, actual } = gpu.override;
  const was = processorName(actual);
  const effect =
    was === gpu.name ? `is what ${was} (node ${gpu.nodeId}) is already` : `makes ${was} (node ${gpu.nodeId}) run as ${gpu.name}`;
  return `${variable}=${value} ${effect}`;
}

function gpuOfNode(
  node: TopologyNode,
  {
    nodes,
    names,
    thunk,
    gfxOverrides,
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
    gfxOverrides,
    nodes,
  });
}

function skippedNode({ sysfsId, name, problems: [{ reason, hint }] }: RefusedNode): SkippedAgent {
  return { sysfsId, name, reason, ...(hint === undefined ? {} : { hint }) };
}
