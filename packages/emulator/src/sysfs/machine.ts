/** What an emulated machine consists of: one CPU node and its GPU nodes, described by captured data. */
import { HsaError } from '@doorbell/abi';
import type { GpuTopologyName } from '../generated/topologies.js';
import { CPU_TOPOLOGY, GPU_TOPOLOGIES } from '../generated/topologies.js';
import { SYSTEM_HEAP_BYTES, VRAM_HEAP_BYTES } from '../memory-map.js';
import type { CacheGroupData, DrmData, PropertyLines } from './topology-data.js';

/** Targets that a captured node set is there for. */
export type EmulatedTarget = GpuTopologyName;

/** One node of the machine, as its files show it. */
export interface NodeDescription {
  /** Index in `nodes/`; CPU first. */
  readonly nodeId: number;
  /** KFD's handle of the GPU; 0 on the CPU node. */
  readonly gpuId: number;
  readonly name: string;
  /** The `key value` lines in file order. */
  readonly properties: PropertyLines;
  readonly memBanks: readonly PropertyLines[];
  readonly cacheGroups: readonly CacheGroupData[];
  readonly ioLinks: readonly PropertyLines[];
  readonly p2pLinks: readonly PropertyLines[];
}

/** A GPU node, with what the emulated device needs to know of it beyond its files. */
export interface GpuNodeDescription extends NodeDescription {
  /** Processor whose code it executes, e.g. `gfx1100`. */
  readonly target: EmulatedTarget;
  readonly renderMinor: number;
  readonly vramBytes: number;
  readonly uniqueId: bigint;
  readonly drm: DrmData;
}

/** A whole emulated machine; see {@link describeMachine}. */
export interface MachineDescription {
  readonly generationId: number;
  readonly systemProperties: PropertyLines;
  readonly cpu: NodeDescription;
  readonly gpus: readonly GpuNodeDescription[];
  readonly systemBytes: number;
}

/** What to emulate. */
export interface DescribeMachineOptions {
  /** One node for each entry, in order. */
  readonly gpus: readonly string[];
  /** Size of system memory; default: what the memory map can back. */
  readonly systemBytes?: number;
  /** Size of VRAM on each GPU; default: an even share of what the memory map can back. */
  readonly vramBytes?: number;
}

/** First minor of DRM render nodes (drm.h: render nodes are 128…). */
const FIRST_RENDER_MINOR = 128;
const MEMORY_GRANULE_BYTES = 4096;
/** kfd_crat.h CRAT_IOLINK_FLAGS_ENABLED. */
const LINK_ENABLED = 1;

/** All targets that {@link describeMachine} knows. */
export function listEmulatedTargets(): readonly EmulatedTarget[] {
  // Safe: the keys of a record typed by exactly this union.
  return Object.keys(GPU_TOPOLOGIES) as EmulatedTarget[];
}

/**
 * Describes a machine with these GPUs. Memory sizes are those that the emulator can back, whatever the captured part has.
 *
 * @throws {HsaError} ERR_NOT_SUPPORTED for a target without captured data, ERR_INVALID_ARGUMENT for a size that is no
 * positive multiple of a page.
 */
export function describeMachine({
  gpus,
  systemBytes = SYSTEM_HEAP_BYTES,
  vramBytes = defaultVramBytes(gpus.length),
}: DescribeMachineOptions): MachineDescription {
  checkBytes('systemBytes', systemBytes);
  checkBytes('vramBytes', vramBytes);
  const targets = gpus.map(requireTarget);
  const described: GpuNodeDescription[] = [];
  let simdIdBase: number | undefined;
  for (const [index, target] of targets.entries()) {
    const gpu = describeGpu({ target, index, vramBytes, simdIdBase, peers: targets });
    simdIdBase =
      numberOf(gpu.properties, 'simd_id_base') + numberOf(gpu.properties, 'simd_count') / numberOf(gpu.properties, 'simd_per_cu');
    described.push(gpu);
  }
  return {
    generationId: CPU_TOPOLOGY.system.generation_id,
    systemProperties: CPU_TOPOLOGY.system.system_properties,
    cpu: describeCpu(targets, systemBytes),
    gpus: described,
    systemBytes,
  };
}

/** The number behind `key`; 0 where the file does not have it. */
export function numberOf(lines: PropertyLines, key: string): number {
  return Number(lines[key] ?? 0);
}

function describeCpu(targets: readonly EmulatedTarget[], systemBytes: number): NodeDescription {
  const ioLinks = targets.map((target, index) => ({
    ...GPU_TOPOLOGIES[target].reciprocal_io_link_on_cpu_node,
    node_to: index + 1,
  }));
  return {
    nodeId: 0,
    gpuId: CPU_TOPOLOGY.gpu_id,
    name: CPU_TOPOLOGY.name,
    properties: { ...CPU_TOPOLOGY.properties, io_links_count: ioLinks.length },
    memBanks: CPU_TOPOLOGY.mem_banks.map((bank) => ({ ...bank, size_in_bytes: systemBytes })),
    cacheGroups: CPU_TOPOLOGY.cache_groups,
    ioLinks,
    p2pLinks: [],
  };
}

interface GpuPlace {
  readonly target: EmulatedTarget;
  readonly index: number;
  readonly vramBytes: number;
  readonly simdIdBase: number | undefined;
  readonly peers: readonly EmulatedTarget[];
}

/** The captured part, moved to its place in the machine: what must be unique is made unique. */
function describeGpu({ target, index, vramBytes, simdIdBase, peers }: GpuPlace): GpuNodeDescription {
  const data = GPU_TOPOLOGIES[target];
  const nodeId = index + 1;
  const uniqueId = BigInt(data.properties['unique_id'] ?? 0) + BigInt(index);
  const renderMinor = FIRST_RENDER_MINOR + index;
  const p2pLinks = peers.flatMap((peer, other) =>
    other === index ? [] : [peerLink({ target, nodeId, peer, peerNodeId: other + 1 })],
  );
  const properties: PropertyLines = {
    ...data.properties,
    p2p_links_count: p2pLinks.length,
    ...(simdIdBase === undefined ? {} : { simd_id_base: simdIdBase }),
    // One bus for each GPU after the first.
    location_id: numberOf(data.properties, 'location_id') + (index << 8),
    drm_render_minor: renderMinor,
    unique_id: uniqueId.toString(),
  };
  return {
    nodeId,
    gpuId: data.gpu_id + index * 0x100,
    name: data.name,
    properties,
    memBanks: data.mem_banks.map((bank) => ({ ...bank, size_in_bytes: vramBytes })),
    cacheGroups: data.cache_groups,
    ioLinks: data.io_links.map((link) => ({ ...link, node_from: nodeId })),
    p2pLinks,
    target,
    renderMinor,
    vramBytes,
    uniqueId,
    drm: data.drm,
  };
}

/** The way to a peer through the CPU: weights add up, the narrower link limits (amdkfd kfd_topology.c kfd_add_peer_prop). */
function peerLink({
  target,
  nodeId,
  peer,
  peerNodeId,
}: {
  readonly target: EmulatedTarget;
  readonly nodeId: number;
  readonly peer: EmulatedTarget;
  readonly peerNodeId: number;
}): PropertyLines {
  const own = GPU_TOPOLOGIES[target].io_links[0] ?? {};
  const others = GPU_TOPOLOGIES[peer].reciprocal_io_link_on_cpu_node;
  const narrower = (key: string): number => Math.min(numberOf(own, key), numberOf(others, key));
  return {
    ...own,
    node_from: nodeId,
    node_to: peerNodeId,
    weight: numberOf(own, 'weight') + numberOf(others, 'weight'),
    min_bandwidth: narrower('min_bandwidth'),
    max_bandwidth: narrower('max_bandwidth'),
    flags: LINK_ENABLED,
  };
}

function requireTarget(name: string): EmulatedTarget {
  const target = listEmulatedTargets().find((known) => known === name);
  if (target !== undefined) return target;
  throw new HsaError('ERR_NOT_SUPPORTED', {
    message: `no emulated GPU for target ${name}; there are ${listEmulatedTargets().join(', ')}`,
    details: { target: name, known: listEmulatedTargets() },
  });
}

function defaultVramBytes(gpuCount: number): number {
  return Math.floor(VRAM_HEAP_BYTES / Math.max(1, gpuCount) / MEMORY_GRANULE_BYTES) * MEMORY_GRANULE_BYTES;
}

function checkBytes(what: string, bytes: number): void {
  if (Number.isSafeInteger(bytes) && bytes > 0 && bytes % MEMORY_GRANULE_BYTES === 0) return;
  throw new HsaError('ERR_INVALID_ARGUMENT', {
    message: `${what} is ${bytes}; it must be a positive multiple of ${MEMORY_GRANULE_BYTES}`,
  });
}
