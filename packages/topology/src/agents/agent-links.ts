/** Links as HSA reports them (rocr amd_topology.cpp RegisterLinkInfo). */
import type { NodeLink } from '../topology-types.js';
import type { AgentLink } from './agent-types.js';

/** hsakmttypes.h HSA_IOLINKTYPE → name, and hsa_ext_amd.h hsa_amd_link_info_type_t. */
const LINK_TYPES: Readonly<Record<number, { readonly type: AgentLink['type']; readonly hsaType: number }>> = {
  1: { type: 'hypertransport', hsaType: 0 },
  2: { type: 'pcie', hsaType: 2 },
  5: { type: 'qpi', hsaType: 1 },
  9: { type: 'infiniband', hsaType: 3 },
  11: { type: 'xgmi', hsaType: 4 },
};

/** hsakmttypes.h HSA_LINKPROPERTY bits. */
const FLAG_OVERRIDE = 1;
const FLAG_NON_COHERENT = 2;
const FLAG_NO_ATOMICS_32 = 4;
const FLAG_NO_ATOMICS_64 = 8;
const FLAG_NO_PEER_DMA = 16;

/** The links that an agent can use; one without peer-to-peer DMA is none. */
export function agentLinks(links: readonly NodeLink[]): readonly AgentLink[] {
  return links.filter(({ flags }) => !((flags & FLAG_OVERRIDE) !== 0 && (flags & FLAG_NO_PEER_DMA) !== 0)).map(agentLink);
}

function agentLink(link: NodeLink): AgentLink {
  const known = LINK_TYPES[link.type];
  const type = known?.type ?? 'other';
  // Without the override flag the type alone decides.
  const isBus = type !== 'other' && type !== 'infiniband';
  const has = (missing: number): boolean => ((link.flags & FLAG_OVERRIDE) === 0 ? isBus : (link.flags & missing) === 0);
  return {
    nodeId: link.nodeTo,
    type,
    hsaType: known?.hsaType,
    weight: link.weight,
    hops: 1,
    isDirect: link.kind === 'direct',
    minBandwidthMbps: link.minBandwidth,
    maxBandwidthMbps: link.maxBandwidth,
    minLatencyNs: link.minLatency,
    maxLatencyNs: link.maxLatency,
    atomics32: has(FLAG_NO_ATOMICS_32),
    atomics64: has(FLAG_NO_ATOMICS_64),
    coherent: has(FLAG_NON_COHERENT),
    recommendedSdmaEngineMask: link.recommendedSdmaEngineIdMask,
  };
}
