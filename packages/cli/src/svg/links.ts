/** Links between nodes as a drawing shows them: both directions as one. */
import type { AgentReport } from '../info-report.js';

type Link = AgentReport['links'][number];

/** The way between two nodes. */
export interface LinkPair {
  readonly from: number;
  readonly to: number;
  readonly type: Link['type'];
  readonly isDirect: boolean;
  readonly hops: number;
  /** `20`; `20 / 40` where the directions differ; `20 →` where there is one alone. */
  readonly weights: string;
  readonly bandwidthMbps: number;
}

const NAMES: Readonly<Record<Link['type'], string>> = {
  pcie: 'PCIe',
  xgmi: 'xGMI',
  hypertransport: 'HyperTransport',
  qpi: 'QPI',
  infiniband: 'InfiniBand',
  other: 'other link',
};

const COLORS: Readonly<Record<Link['type'], string>> = {
  pcie: '#2c6fbb',
  xgmi: '#c0392b',
  hypertransport: '#3b7d3b',
  qpi: '#3b7d3b',
  infiniband: '#8e44ad',
  other: '#666666',
};

/** Name of a kind of link, for people. */
export function linkName(type: Link['type']): string {
  return NAMES[type];
}

/** Colour of a kind of link. */
export function linkColor(type: Link['type']): string {
  return COLORS[type];
}

/** The ways between the nodes of these agents, each once. */
export function pairsOf(agents: readonly AgentReport[]): readonly LinkPair[] {
  const links = linksByNodes(agents);
  const pairs: LinkPair[] = [];
  for (const { from, link } of links.values()) {
    const back = links.get(nodesKey(link.nodeId, from))?.link;
    // The first of the two directions stands for both.
    if (back !== undefined && from > link.nodeId) continue;
    pairs.push(pairOf(from, link, back));
  }
  return pairs;
}

/** Links by both ends; an APU's agents share those of their node. */
export function linksByNodes(
  agents: readonly AgentReport[],
): ReadonlyMap<string, { readonly from: number; readonly link: Link }> {
  const links = new Map<string, { readonly from: number; readonly link: Link }>();
  for (const { nodeId, links: own } of agents) {
    for (const link of own) links.set(nodesKey(nodeId, link.nodeId), { from: nodeId, link });
  }
  return links;
}

/** Names the way from one node to another. */
export function nodesKey(from: number, to: number): string {
  return `${from} ${to}`;
}

function pairOf(from: number, link: Link, back: Link | undefined): LinkPair {
  const { nodeId, type, isDirect, hops, weight, maxBandwidthMbps } = link;
  const weights = back === undefined ? `${weight} →` : back.weight === weight ? `${weight}` : `${weight} / ${back.weight}`;
  return { from, to: nodeId, type, isDirect, hops, weights, bandwidthMbps: maxBandwidthMbps };
}
