/** `doorbell info --tree`: machine, drivers, nodes, agents, and under them caches, pools and links. */
import type { AgentReport, InfoReport } from './info-report.js';
import type { Colors } from './output.js';
import { count, formatBytes } from './text.js';

interface TreeNode {
  readonly text: string;
  readonly children?: readonly TreeNode[];
}

/** The tree as text, one line for each branch. */
export function formatInfoTree(report: InfoReport, color: Colors): string {
  const { thunk, agents, npus, drivers, skipped, hiddenGpus, notes } = report;
  const nodes = [...new Set(agents.map(({ nodeId }) => nodeId))].sort((a, b) => a - b);
  const root: TreeNode = {
    text: `${thunk.path} (${report.backend}, interface ${thunk.interfaceVersion})`,
    children: [
      ...drivers.map(({ driver, state, reason }) => ({ text: `driver ${driver}: ${state}, ${reason}` })),
      ...nodes.map((nodeId) => nodeBranch(nodeId, agents, color)),
      ...npus.map(({ id, name, marketingName, npu }) => ({
        text: `${color.bold(`NPU ${name}`)} ${id}${marketingName === '' ? '' : `, ${marketingName}`}: ${npu.columns} × ${npu.coreRows} compute tiles`,
      })),
      ...skipped.map(({ sysfsId, reason }) => ({ text: `left out: node ${sysfsId}, ${reason}` })),
      ...hiddenGpus.map((gpu) => ({ text: `hidden: ${gpu}` })),
      ...notes.map((note) => ({ text: `note: ${note}` })),
    ],
  };
  return `${root.text}\n${drawChildren(root.children ?? [], '')}`;
}

function nodeBranch(nodeId: number, agents: readonly AgentReport[], color: Colors): TreeNode {
  return {
    text: `node ${nodeId}`,
    children: agents.filter((agent) => agent.nodeId === nodeId).map((agent) => agentBranch(agent, agents, color)),
  };
}

function agentBranch(agent: AgentReport, agents: readonly AgentReport[], color: Colors): TreeNode {
  const { kind, name, marketingName, id } = agent;
  const product = marketingName === '' || marketingName === name ? '' : `, ${marketingName}`;
  const size = agent.cores === undefined ? `${agent.gpu?.['computeUnits'] ?? 0} compute units` : count(agent.cores, 'core');
  const caches = agent.caches.map(
    ({ level, type, sizeBytes, count: number }) =>
      `L${level} ${type} ${formatBytes(sizeBytes)}${number > 1 ? ` × ${number}` : ''}`,
  );
  const address = agent.gpu?.['pciAddress'];
  return {
    text: `${color.bold(`${kind === 'gpu' ? 'GPU' : 'CPU'} ${name}`)} ${id}${product}, ${size}${address === undefined ? '' : `, ${String(address)}`}`,
    children: [
      ...agent.isaNames.map((isa) => ({ text: `ISA ${isa}` })),
      ...(caches.length === 0 ? [] : [{ text: 'caches', children: caches.map((text) => ({ text })) }]),
      { text: 'pools', children: agent.pools.map((pool) => ({ text: poolText(pool, agents) })) },
      ...(agent.links.length === 0 ? [] : [{ text: 'links', children: agent.links.map((link) => ({ text: linkText(link) })) }]),
    ],
  };
}

function poolText(pool: AgentReport['pools'][number], agents: readonly AgentReport[]): string {
  const { kind, coherence, sizeBytes, kernarg, userVisible, access } = pool;
  const others = agents.filter(({ id }) => (access[id] ?? 'never') !== 'never').length;
  const words = [
    coherence === 'none' ? kind : `${kind} ${coherence}`,
    formatBytes(sizeBytes),
    ...(kernarg ? ['kernarg'] : []),
    ...(userVisible ? [] : ['not for programs']),
    `for ${others} of ${count(agents.length, 'agent')}`,
  ];
  return words.join(', ');
}

function linkText({
  nodeId,
  type,
  weight,
  hops,
  isDirect,
  maxBandwidthMbps,
  atomics64,
  coherent,
}: AgentReport['links'][number]): string {
  const words = [
    `to node ${nodeId}: ${type}`,
    `weight ${weight}`,
    isDirect ? count(hops, 'hop') : 'over other nodes',
    ...(maxBandwidthMbps > 0 ? [`${maxBandwidthMbps} MB/s`] : []),
    ...(atomics64 ? ['atomics'] : []),
    ...(coherent ? ['coherent'] : []),
  ];
  return words.join(', ');
}

function drawChildren(children: readonly TreeNode[], indent: string): string {
  return children
    .map(({ text, children: below = [] }, index) => {
      const isLast = index === children.length - 1;
      return `${indent}${isLast ? '└─ ' : '├─ '}${text}\n${drawChildren(below, `${indent}${isLast ? '   ' : '│  '}`)}`;
    })
    .join('');
}
