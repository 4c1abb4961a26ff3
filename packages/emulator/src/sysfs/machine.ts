/** What an emulated machine consists of: one CPU node and its GPU nodes, described by captured data. */
import { findProcessor, HsaError } from '@doorbell/abi';
import type { GpuTopologyName } from '../generated/topologies.js';
import { CPU_TOPOLOGY, GPU_TOPOLOGIES } from '../generated/topologies.js';
import { SYSTEM_HEAP_BYTES, VRAM_HEAP_BYTES } from '../memory-map.js';
import type { GpuLinks, LinkPlan } from './machine-links.js';
import { checkLinks, cpuNodeOf, linksOfCpu, linksOfGpu } from './machine-links.js';
import type { CacheGroupData, DrmData, PropertyLines } from './topology-data.js';

/** Targets that a captured node set is there for. */
export type EmulatedTarget = GpuTopologyName;

/** One node of the machine, as its files show it. */
export interface NodeDescription {
  /** Index in `nodes/`; CPUs first. */
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
  /** Processor whose code it executes: `gfx1100`, `gfx1031`. */
  readonly target: string;
  readonly renderMinor: number;
  readonly vramBytes: number;
  readonly uniqueId: bigint;
  /** The CPU node that it is attached to. */
  readonly cpuNodeId: number;
  readonly drm: DrmData;
}

/** A whole emulated machine; see {@link describeMachine}. */
export interface MachineDescription {
  readonly generationId: number;
  readonly systemProperties: PropertyLines;
  /** NUMA nodes; index = node id. */
  readonly cpus: readonly NodeDescription[];
  readonly gpus: readonly GpuNodeDescription[];
  readonly systemBytes: number;
}

/** What to emulate. */
export interface DescribeMachineOptions {
  /** One node for each entry, in order. */
  readonly gpus: readonly string[];
  /** NUMA nodes, over which GPUs and system memory are spread; default: 1. */
  readonly cpuNodes?: number;
  /** How the GPUs reach each other; `xgmi` makes a hive of them. Default: `pcie`. */
  readonly links?: GpuLinks;
  /** Size of system memory; default: what the memory map can back. */
  readonly systemBytes?: number;
  /** Size of VRAM on each GPU; default: an even share of what the memory map can back. */
  readonly vramBytes?: number;
}

/** First minor of DRM render nodes (drm.h: render nodes are 128…). */
const FIRST_RENDER_MINOR = 128;
const MEMORY_GRANULE_BYTES = 4096;
/** More sockets than any x86 machine has. */
const MAX_CPU_NODES = 8;
/** Render nodes have the minors 128…255. */
const MAX_GPUS = 128;
/** One bus in location_id: each GPU has its own. */
const BUS = 1 << 8;
/** Keeps the 16-bit ids of GPUs of one kind apart. */
const GPU_ID_STEP = 0x100;

/**
 * Families whose other members are emulated too: as the captured part with their own version. They run the same code but for
 * what their instruction tables lack.
 */
const FAMILIES: readonly string[] = ['gfx10-3-generic', 'gfx11-generic', 'gfx12-generic'];

/** All targets with captured data of their own; {@link describeMachine} also takes the other members of three RDNA families. */
export function listEmulatedTargets(): readonly EmulatedTarget[] {
  // Safe: the keys of a record typed by exactly this union.
  return Object.keys(GPU_TOPOLOGIES) as EmulatedTarget[];
}

/**
 * Describes a machine with these GPUs. Memory sizes are those that the emulator can back, whatever the captured part has.
 *
 * @throws {HsaError} ERR_NOT_SUPPORTED for a target without captured data, or XGMI where GPUs have none;
 * ERR_INVALID_ARGUMENT for a size that is no positive multiple of a page, and for wrong numbers of nodes.
 */
export function describeMachine({
  gpus,
  cpuNodes = 1,
  links = 'pcie',
  systemBytes = SYSTEM_HEAP_BYTES,
  vramBytes = evenShare(VRAM_HEAP_BYTES, gpus.length),
}: DescribeMachineOptions): MachineDescription {
  checkBytes('systemBytes', systemBytes);
  checkBytes('vramBytes', vramBytes);
  checkCount('cpuNodes', cpuNodes, { min: 1, max: MAX_CPU_NODES });
  checkCount('the number of GPUs', gpus.length, { min: 0, max: MAX_GPUS });
  const plan: LinkPlan = { targets: gpus.map(capturedTargetOf), cpuNodes, links };
  checkLinks(plan);
  const described: GpuNodeDescription[] = [];
  for (const [index, target] of gpus.entries()) {
    described.push(describeGpu({ target, index, vramBytes, plan, before: described }));
  }
  return {
    generationId: CPU_TOPOLOGY.system.generation_id,
    systemProperties: CPU_TOPOLOGY.system.system_properties,
    cpus: Array.from({ length: cpuNodes }, (_, node) => describeCpu(node, plan, evenShare(systemBytes, cpuNodes))),
    gpus: described,
    systemBytes,
  };
}

/** The number behind `key`; 0 where the file does not have it. */
export function numberOf(lines: PropertyLines, key: string): number {
  return Number(lines[key] ?? 0);
}

function describeCpu(nodeId: number, plan: LinkPlan, systemBytes: number): NodeDescription {
  const { ioLinks, p2pLinks } = linksOfCpu(plan, nodeId);
  return {
    nodeId,
    gpuId: CPU_TOPOLOGY.gpu_id,
    name: CPU_TOPOLOGY.name,
    properties: {
      ...CPU_TOPOLOGY.properties,
      io_links_count: ioLinks.length,
      p2p_links_count: p2pLinks.length,
      cpu_core_id_base: nodeId * numberOf(CPU_TOPOLOGY.properties, 'cpu_cores_count'),
    },
    memBanks: CPU_TOPOLOGY.mem_banks.map((bank) => ({ ...bank, size_in_bytes: systemBytes })),
    cacheGroups: CPU_TOPOLOGY.cache_groups,
    ioLinks,
    p2pLinks,
  };
}

interface GpuPlace {
  readonly target: string;
  readonly index: number;
  readonly vramBytes: number;
  readonly plan: LinkPlan;
  /** The GPUs of the nodes before. */
  readonly before: readonly GpuNodeDescription[];
}

/** The captured part, moved to its place in the machine: what must be unique is made unique. */
function describeGpu({ target, index, vramBytes, plan, before }: GpuPlace): GpuNodeDescription {
  const captured = capturedTargetOf(target);
  const data = GPU_TOPOLOGIES[captured];
  const uniqueId = BigInt(data.properties['unique_id'] ?? 0) + BigInt(index);
  const renderMinor = FIRST_RENDER_MINOR + index;
  const { ioLinks, p2pLinks } = linksOfGpu(plan, { index, target: captured });
  const previous = before.at(-1)?.properties;
  const taken = new Set(before.map(({ properties }) => numberOf(properties, 'location_id')));
  let locationId = numberOf(data.properties, 'location_id') + index * BUS;
  while (taken.has(locationId)) locationId += BUS;
  const properties: PropertyLines = {
    ...data.properties,
    ...(captured === target ? {} : { gfx_target_version: versionOf(target) }),
    io_links_count: ioLinks.length,
    p2p_links_count: p2pLinks.length,
    ...(previous === undefined
      ? {}
      : {
          simd_id_base: numberOf(previous, 'simd_id_base') + numberOf(previous, 'simd_count') / numberOf(previous, 'simd_per_cu'),
        }),
    location_id: locationId,
    drm_render_minor: renderMinor,
    // All GPUs of the machine are one hive, named by the first one's serial number.
    ...(plan.links === 'xgmi' ? { hive_id: (before[0]?.uniqueId ?? uniqueId).toString() } : {}),
    unique_id: uniqueId.toString(),
  };
  return {
    nodeId: plan.cpuNodes + index,
    gpuId: data.gpu_id + index * GPU_ID_STEP,
    name: data.name,
    properties,
    memBanks: data.mem_banks.map((bank) => ({ ...bank, size_in_bytes: vramBytes })),
    cacheGroups: data.cache_groups,
    ioLinks,
    p2pLinks,
    target,
    renderMinor,
    vramBytes,
    uniqueId,
    cpuNodeId: cpuNodeOf(plan, index),
    drm: data.drm,
  };
}

/** The target whose captured data describes a GPU: its own, or that of its family. */
function capturedTargetOf(name: string): EmulatedTarget {
  const known = listEmulatedTargets();
  const processor = findProcessor(name);
  const family = processor?.isAgentProcessor === true ? processor.generic : undefined;
  const target =
    known.find((own) => own === name) ??
    known.find((own) => family !== undefined && FAMILIES.includes(family) && findProcessor(own)?.generic === family);
  if (target !== undefined) return target;
  throw new HsaError('ERR_NOT_SUPPORTED', {
    message: `no emulated GPU for target ${name}; there are ${known.join(', ')} and the members of ${FAMILIES.join(', ')}`,
    details: { target: name, known, families: FAMILIES },
  });
}

/** As KFD writes it: major * 10000 + minor * 100 + stepping. */
function versionOf(name: string): number {
  const [major, minor, stepping] = findProcessor(name)?.version ?? [0, 0, 0];
  return major * 10_000 + minor * 100 + stepping;
}

/** What each of `count` gets, in whole pages. */
function evenShare(bytes: number, count: number): number {
  return Math.floor(bytes / Math.max(1, count) / MEMORY_GRANULE_BYTES) * MEMORY_GRANULE_BYTES;
}

function checkCount(what: string, count: number, { min, max }: { readonly min: number; readonly max: number }): void {
  if (Number.isInteger(count) && count >= min && count <= max) return;
  throw new HsaError('ERR_INVALID_ARGUMENT', { message: `${what} is ${count}; it must be ${min}…${max}` });
}

function checkBytes(what: string, bytes: number): void {
  if (Number.isSafeInteger(bytes) && bytes > 0 && bytes % MEMORY_GRANULE_BYTES === 0) return;
  throw new HsaError('ERR_INVALID_ARGUMENT', {
    message: `${what} is ${bytes}; it must be a positive multiple of ${MEMORY_GRANULE_BYTES}`,
  });
}
