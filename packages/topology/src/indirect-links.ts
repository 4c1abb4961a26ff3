/**
 * Ways between nodes on kernels before 5.19, which list no `p2p_links`: over CPUs, by the rule of libhsakmt (topology.c,
 * get_indirect_iolink_info).
 */
import type { NodeLink, TopologyNode } from './topology-types.js';

/** hsakmttypes.h HSA_HEAPTYPE_FRAME_BUFFER_PUBLIC. */
const HEAP_VRAM_PUBLIC = 1;
/** kfd_crat.h CRAT_IOLINK_FLAGS_ENABLED. */
const LINK_ENABLED = 1;

/** The nodes with links to those that they reach over CPUs; unchanged where the kernel itself lists such links. */
export function addIndirectLinks(nodes: readonly TopologyNode[]): readonly TopologyNode[] {
  if (nodes.some(({ properties, links }) => properties.p2pLinksCount > 0 || links.some(({ kind }) => kind === 'peer')))
    return nodes;
  return nodes.map((node) => {
    const added = nodes.flatMap((other) => indirectLink(node, other, nodes) ?? []);
    return added.length === 0 ? node : { ...node, links: [...node.links, ...added] };
  });
}

function indirectLink(from: TopologyNode, to: TopologyNode, nodes: readonly TopologyNode[]): NodeLink | undefined {
  if (from.nodeId === to.nodeId || (!isGpu(from) && !isGpu(to))) return undefined;
  if (from.links.some(({ nodeTo }) => nodeTo === to.nodeId)) return undefined;
  const { hiveId } = from.properties;
  if (hiveId !== 0n && hiveId === to.properties.hiveId) return undefined;
  // What is written to over the bus must be visible on it.
  if (isGpu(to) && !to.memoryBanks.some(({ heapType }) => heapType === HEAP_VRAM_PUBLIC)) return undefined;
  const up = isGpu(from) ? linkToCpu(from, nodes) : undefined;
  const down = isGpu(to) ? linkToCpu(to, nodes) : undefined;
  if ((isGpu(from) && up === undefined) || (isGpu(to) && down === undefined)) return undefined;
  const firstCpu = up?.nodeTo ?? from.nodeId;
  const lastCpu = down?.nodeTo ?? to.nodeId;
  const between = firstCpu === lastCpu ? undefined : nodes[firstCpu]?.links.find(({ nodeTo }) => nodeTo === lastCpu);
  if (firstCpu !== lastCpu && between === undefined) return undefined;
  const weight = (up?.weight ?? 0) + (between?.weight ?? 0) + (down?.weight ?? 0);
  return {
    kind: 'peer',
    // The link between sockets names the way, where there is one.
    type: (between ?? up ?? down)?.type ?? 0,
    versionMajor: 0,
    versionMinor: 0,
    nodeTo: to.nodeId,
    weight,
    minLatency: 0,
    maxLatency: 0,
    minBandwidth: 0,
    maxBandwidth: 0,
    recommendedTransferSize: 0,
    recommendedSdmaEngineIdMask: 0,
    flags: LINK_ENABLED,
  };
}

function isGpu({ gpuId }: TopologyNode): boolean {
  return gpuId !== 0;
}

/** The direct link of a GPU to its CPU. */
function linkToCpu({ links }: TopologyNode, nodes: readonly TopologyNode[]): NodeLink | undefined {
  return links.find(({ nodeTo }) => (nodes[nodeTo]?.properties.cpuCoresCount ?? 0) > 0);
}
