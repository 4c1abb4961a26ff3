/**
 * The links of an emulated machine, by the kernel's rules (amdkfd kfd_crat.c, kfd_topology.c): `io_links` between neighbours,
 * `p2p_links` between those that reach each other over CPUs.
 */
import { HsaError } from '@doorbell/abi';
import { GPU_TOPOLOGIES } from '../generated/topologies.js';
import type { GpuTopologyName } from '../generated/topologies.js';
import type { PropertyLines } from './topology-data.js';

/** How the GPUs of a machine are linked to each other: over the CPUs, or each to each by XGMI. */
export type GpuLinks = 'pcie' | 'xgmi';

/** Links of one node. */
export interface NodeLinks {
  readonly ioLinks: readonly PropertyLines[];
  readonly p2pLinks: readonly PropertyLines[];
}

/** Which GPUs the machine has, on how many CPU nodes; GPU nodes follow the CPU nodes. */
export interface LinkPlan {
  readonly targets: readonly GpuTopologyName[];
  readonly cpuNodes: number;
  readonly links: GpuLinks;
}

/** kfd_crat.h CRAT_IOLINK_TYPE_*, CRAT_IOLINK_FLAGS_ENABLED. */
const TYPE_HYPERTRANSPORT = 1;
const TYPE_XGMI = 11;
const LINK_ENABLED = 1;
/** What firmware tells of two sockets beside each other (ACPI SLIT): the weight of their link. */
const SOCKET_DISTANCE = 32;
/** kfd_crat.c: the weight of an XGMI hop. */
const XGMI_WEIGHT = 15;
/** MB/s of one link of 16 lanes (amdgpu_xgmi.c): 25 GT/s on gfx90a, 32 GT/s on gfx942. */
const XGMI_BANDWIDTH: Partial<Record<GpuTopologyName, number>> = { gfx90a: 50_000, gfx942: 64_000 };

/** The CPU node that a GPU is attached to: GPUs are spread evenly, in order. */
export function cpuNodeOf({ targets, cpuNodes }: LinkPlan, gpuIndex: number): number {
  return Math.floor((gpuIndex * cpuNodes) / targets.length);
}

/** @throws {HsaError} ERR_NOT_SUPPORTED for XGMI between GPUs that have none, or that are not of one kind. */
export function checkLinks({ targets, links }: LinkPlan): void {
  if (links === 'pcie') return;
  const wrong = targets.find((target) => XGMI_BANDWIDTH[target] === undefined || target !== targets[0]);
  if (wrong === undefined) return;
  throw new HsaError('ERR_NOT_SUPPORTED', {
    message: `${wrong} has no XGMI links to the others here: they are for several GPUs of one of ${Object.keys(XGMI_BANDWIDTH).join(', ')}`,
    details: { targets, links },
  });
}

/** Links of a CPU node: to the other sockets and its own GPUs; over other sockets to their GPUs. */
export function linksOfCpu(plan: LinkPlan, cpu: number): NodeLinks {
  const ioLinks: PropertyLines[] = [];
  const p2pLinks: PropertyLines[] = [];
  for (let other = 0; other < plan.cpuNodes; other += 1) if (other !== cpu) ioLinks.push(socketLink(cpu, other));
  for (const [index, target] of plan.targets.entries()) {
    const ends = { node_from: cpu, node_to: plan.cpuNodes + index };
    const down = GPU_TOPOLOGIES[target].reciprocal_io_link_on_cpu_node;
    const nearest = cpuNodeOf(plan, index);
    if (nearest === cpu) ioLinks.push({ ...down, ...ends });
    else p2pLinks.push(joinLinks([socketLink(cpu, nearest), down], ends));
  }
  return { ioLinks, p2pLinks };
}

/** Links of a GPU node: to its CPU, and to its peers directly in a hive, else over CPUs; to the other sockets over its own. */
export function linksOfGpu(
  plan: LinkPlan,
  { index, target: ownTarget }: { readonly index: number; readonly target: GpuTopologyName },
): NodeLinks {
  const { targets, cpuNodes, links } = plan;
  const node_from = cpuNodes + index;
  const own = cpuNodeOf(plan, index);
  const up = GPU_TOPOLOGIES[ownTarget].io_links[0] ?? {};
  const ioLinks: PropertyLines[] = [{ ...up, node_from, node_to: own }];
  const p2pLinks: PropertyLines[] = [];
  for (let cpu = 0; cpu < cpuNodes; cpu += 1) {
    if (cpu !== own) p2pLinks.push(joinLinks([up, socketLink(own, cpu)], { node_from, node_to: cpu }));
  }
  for (const [peer, target] of targets.entries()) {
    if (peer === index) continue;
    const ends = { node_from, node_to: cpuNodes + peer };
    if (links === 'xgmi') {
      ioLinks.push({ ...up, ...ends, type: TYPE_XGMI, weight: XGMI_WEIGHT, ...sameBandwidth(XGMI_BANDWIDTH[target] ?? 0) });
      continue;
    }
    const other = cpuNodeOf(plan, peer);
    const between = other === own ? [] : [socketLink(own, other)];
    p2pLinks.push(joinLinks([up, ...between, GPU_TOPOLOGIES[target].reciprocal_io_link_on_cpu_node], ends));
  }
  return { ioLinks, p2pLinks };
}

function socketLink(node_from: number, node_to: number): PropertyLines {
  return {
    type: TYPE_HYPERTRANSPORT,
    version_major: 0,
    version_minor: 0,
    node_from,
    node_to,
    weight: SOCKET_DISTANCE,
    min_latency: 0,
    max_latency: 0,
    ...sameBandwidth(0),
    recommended_transfer_size: 0,
    recommended_sdma_engine_id_mask: 0,
    flags: LINK_ENABLED,
  };
}

/** A way over several links: weights add up, the narrowest that tells its bandwidth limits (kfd_topology.c kfd_add_peer_prop). */
function joinLinks(way: readonly PropertyLines[], ends: { readonly node_from: number; readonly node_to: number }): PropertyLines {
  const values = (key: string): readonly number[] => way.map((link) => Number(link[key] ?? 0));
  const narrowest = (key: string): number => {
    const told = values(key).filter((value) => value > 0);
    return told.length === 0 ? 0 : Math.min(...told);
  };
  return {
    ...way.find((link) => link['type'] !== TYPE_HYPERTRANSPORT),
    ...ends,
    weight: values('weight').reduce((sum, weight) => sum + weight, 0),
    min_bandwidth: narrowest('min_bandwidth'),
    max_bandwidth: narrowest('max_bandwidth'),
    flags: LINK_ENABLED,
  };
}

function sameBandwidth(bandwidth: number): PropertyLines {
  return { min_bandwidth: bandwidth, max_bandwidth: bandwidth };
}
