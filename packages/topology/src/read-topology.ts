/** Reads the whole KFD topology as one consistent snapshot. */
import { HsaError } from '@doorbell/abi';
import type { SysfsSource } from '@doorbell/abi';
import { readCpuCaches, readCpuIdentities } from './cpu.js';
import { SYSTEM_FIELDS } from './field-tables.js';
import { addIndirectLinks } from './indirect-links.js';
import type { RenderNodeProbe } from './render-node.js';
import { statRenderNode } from './render-node.js';
import { decodeFields, readLines, readNumber } from './properties-file.js';
import type { RawNode } from './read-node.js';
import { readNode } from './read-node.js';
import type { NodeLink, RefusedNode, SystemProperties, Topology, TopologyNode, TopologyProblem } from './topology-types.js';

/** How to read; see {@link readTopology}. */
export interface ReadTopologyOptions {
  /** How often to start again when devices come and go while reading. Default: 10. */
  readonly attempts?: number;
  /** Tries to open a render node. Default: looks whether the file exists. */
  readonly probeRenderNode?: RenderNodeProbe;
}

/** libhsakmt opens the first; the second is a link to the same folder, where `/sys/class` is all that is there. */
export const TOPOLOGY_ROOTS: readonly string[] = ['/sys/devices/virtual/kfd/kfd/topology', '/sys/class/kfd/kfd/topology'];

/** More nodes than any machine has: a bound against hostile trees. */
const MAX_NODES = 1024;

/**
 * Reads nodes, memory banks, caches and links. A node that is hidden, unreadable or nonsense is listed in `refusedNodes`
 * with the reason; it never hides the others.
 *
 * @throws {HsaError} ERR_TOPOLOGY when there is no topology, or when it keeps changing.
 */
export function readTopology(source: SysfsSource, options: ReadTopologyOptions = {}): Topology {
  const { attempts = 10, probeRenderNode = statRenderNode(source) } = options;
  const { root, generationId } = findRoot(source);
  let before = generationId;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const snapshot = readSnapshot({ source, root, probeRenderNode });
    const after = readNumber(source, `${root}/generation_id`);
    if (!after.ok) throw new HsaError('ERR_TOPOLOGY', { message: after.problem.reason, details: { ...after.problem } });
    if (after.value === before) return { root, generationId: before, ...snapshot };
    before = after.value;
  }
  throw new HsaError('ERR_TOPOLOGY', {
    message: `the topology in ${root} changed ${attempts} times while it was read (generation ${before})`,
    hint: 'A GPU is being reset or hot-plugged; try again.',
    details: { root, attempts },
  });
}

function findRoot(source: SysfsSource): { readonly root: string; readonly generationId: bigint } {
  const tried: TopologyProblem[] = [];
  for (const root of TOPOLOGY_ROOTS) {
    const generation = readNumber(source, `${root}/generation_id`);
    if (generation.ok) return { root, generationId: generation.value };
    tried.push(generation.problem);
  }
  const isAbsent = tried.every(({ errno }) => errno === 'ENOENT');
  const module = source.stat('/sys/module/amdgpu').ok ? 'the amdgpu module is loaded' : 'the amdgpu module is not loaded';
  throw new HsaError('ERR_TOPOLOGY', {
    message: isAbsent
      ? `there is no KFD topology in sysfs (${TOPOLOGY_ROOTS.join(', ')}); ${module}`
      : `the KFD topology cannot be read: ${tried.map(({ reason }) => reason).join('; ')}`,
    hint: isAbsent
      ? 'Use a kernel built with CONFIG_HSA_AMD and load amdgpu; in a container, let /sys through.'
      : 'Check what the reasons in the message name.',
    details: { tried },
  });
}

type Snapshot = Omit<Topology, 'root' | 'generationId'>;

interface SnapshotOptions {
  readonly source: SysfsSource;
  readonly root: string;
  readonly probeRenderNode: RenderNodeProbe;
}

function readSnapshot({ source, root, probeRenderNode }: SnapshotOptions): Snapshot {
  const problems: TopologyProblem[] = [];
  const raw: RawNode[] = [];
  const refusedNodes: RefusedNode[] = [];
  for (const sysfsId of listNodes(source, `${root}/nodes`, problems)) {
    const node = readNode({ source, path: `${root}/nodes/${sysfsId}`, sysfsId, probeRenderNode });
    if ('properties' in node) raw.push(node);
    else refusedNodes.push(node);
  }
  const system = readSystem(source, `${root}/system_properties`, problems);
  return { system, nodes: addIndirectLinks(finishNodes(source, raw)), refusedNodes, problems };
}

function listNodes(source: SysfsSource, path: string, problems: TopologyProblem[]): readonly number[] {
  const names = source.list(path);
  if (!names.ok) {
    problems.push({ kind: 'unreadable', path, reason: `listing ${path} failed with ${names.errno}`, errno: names.errno });
    return [];
  }
  const ids: number[] = [];
  for (const name of names.value) {
    if (/^(0|[1-9]\d{0,5})$/.test(name)) ids.push(Number(name));
    else problems.push({ kind: 'malformed', path, reason: `${path} has an entry that is no node: ${JSON.stringify(name)}` });
  }
  if (ids.some((id, index) => id !== index)) {
    problems.push({ kind: 'inconsistent', path, reason: `the nodes in ${path} are not numbered 0…${ids.length - 1}` });
  }
  if (ids.length > MAX_NODES) {
    problems.push({ kind: 'implausible', path, reason: `${path} has ${ids.length} nodes; the first ${MAX_NODES} are read` });
  }
  return ids.slice(0, MAX_NODES);
}

function readSystem(source: SysfsSource, path: string, problems: TopologyProblem[]): SystemProperties {
  const lines = readLines(source, path);
  const fields = lines.ok ? decodeFields(path, lines.value, SYSTEM_FIELDS) : lines;
  if (fields.ok) return fields.value;
  problems.push(fields.problem);
  return { platformOem: 0n, platformId: 0n, platformRev: 0n };
}

/** Numbers the usable nodes densely, leads their links to those numbers, and adds what the host tells of CPUs. */
function finishNodes(source: SysfsSource, raw: readonly RawNode[]): readonly TopologyNode[] {
  const nodeIds = new Map(raw.map((node, nodeId) => [node.sysfsId, nodeId]));
  const hasCpu = raw.some(({ properties }) => properties.cpuCoresCount > 0);
  const identities = hasCpu ? readCpuIdentities(source) : [];
  return raw.map((node, nodeId) => {
    const problems = [...node.problems];
    const links = node.links.flatMap((link): readonly NodeLink[] => {
      const { sysfsFrom, sysfsTo, path, ...facts } = link;
      const nodeTo = nodeIds.get(sysfsTo);
      const wrong =
        sysfsFrom !== node.sysfsId
          ? `node_from is ${sysfsFrom}, not ${node.sysfsId}`
          : nodeTo === undefined
            ? `it leads to node ${sysfsTo}, which cannot be used`
            : nodeTo === nodeId
              ? 'it leads to its own node'
              : undefined;
      if (wrong !== undefined) problems.push({ kind: 'inconsistent', path, reason: `the link is left out: ${wrong}` });
      return wrong !== undefined || nodeTo === undefined ? [] : [{ ...facts, nodeTo }];
    });
    const { sysfsId, gpuId, name, properties, memoryBanks, performanceBlocks } = node;
    const common = { nodeId, sysfsId, gpuId, name, properties, memoryBanks, performanceBlocks };
    const { cpuCoresCount, cpuCoreIdBase, cachesCount } = properties;
    if (cpuCoresCount === 0) return { ...common, caches: node.caches, links, problems };
    const identity = identities.find(({ apicId }) => apicId === cpuCoreIdBase);
    return {
      ...common,
      // The kernel shows no CPU caches on x86; libhsakmt takes them from the NUMA node of the same number.
      caches: cachesCount > 0 ? node.caches : readCpuCaches(source, { numaNode: sysfsId, identities }),
      links,
      cpu: { vendor: identity?.vendor ?? '', modelName: identity?.modelName ?? '' },
      problems,
    };
  });
}
