/** Makes agents out of nodes. */
import { findProcessor } from '@doorbell/abi';
import type { XnackMode } from '@doorbell/thunk-loader';
import type { Capability } from '../capability.js';
import { decodeCapability } from '../capability.js';
import type { AgentIsa, GfxVersion } from '../agent-isa.js';
import { decodeGfxVersion, processorName, resolveIsa } from '../agent-isa.js';
import type { Cache, NodeProperties, TopologyNode } from '../topology-types.js';
import { agentLinks } from './agent-links.js';
import type { AgentCommon, CpuAgent, GpuAgent, SkippedAgent } from './agent-types.js';
import type { GfxOverride, GfxOverrides } from './gfx-override.js';
import { overrideOf } from './gfx-override.js';
import { gpuPools, HEAP_VRAM_PRIVATE, isVram, systemPools } from './memory-pools.js';
import { partitionOf } from './partitions.js';

/** ROCr reports a line of 64 bytes where there is no level 2. */
const DEFAULT_CACHE_LINE_BYTES = 64;
const KIB = 1024;
/** The 64-bit doorbells that AQL queues need (hsakmttypes.h HSA_CAPABILITY DoorbellType). */
const DOORBELL_TYPE_64_BIT = 2;
/** hsakmttypes.h HSA_ENGINE_ID uCode, HSA_ENGINE_VERSION uCodeSDMA: 10 bits. */
const MICROCODE_MASK = 0x3ff;

export function buildCpuAgent(node: TopologyNode, allSystemBytes: bigint): CpuAgent {
  const { properties } = node;
  const modelName = node.cpu?.modelName ?? '';
  return {
    kind: 'cpu',
    ...common(node),
    id: `kfd/${node.nodeId}/cpu`,
    name: modelName === '' ? 'CPU' : modelName,
    vendorName: 'CPU',
    marketingName: modelName,
    uuid: 'CPU-XX',
    profile: 'full',
    maxClockMhz: properties.maxEngineClkCcompute,
    pools: systemPools({ banks: node.memoryBanks, allSystemBytes, isApu: node.gpuId !== 0 }),
    coresCount: properties.cpuCoresCount,
    coreIdBase: properties.cpuCoreIdBase,
  };
}

/** What a GPU agent needs beside its node. */
export interface BuildGpuOptions {
  readonly xnack: XnackMode;
  readonly marketingName: string;
  readonly fineGrainedOverPcie: boolean;
  readonly gfxOverrides: GfxOverrides | undefined;
  /** All nodes of the snapshot. */
  readonly nodes: readonly TopologyNode[];
}

/** The agent, or why the GPU cannot be one. */
export function buildGpuAgent(node: TopologyNode, options: BuildGpuOptions): GpuAgent | SkippedAgent {
  const { properties } = node;
  const skip = (reason: string, hint?: string): SkippedAgent => ({
    sysfsId: node.sysfsId,
    name: node.name,
    reason,
    ...(hint === undefined ? {} : { hint }),
  });
  const actual = decodeGfxVersion(properties.gfxTargetVersion);
  const setting = overrideOf(options.gfxOverrides, node.nodeId);
  if (setting !== undefined && setting.version === undefined) {
    return skip(
      `${setting.variable} is ${JSON.stringify(setting.value)}, not major.minor.stepping`,
      `Unset ${setting.variable}, or set it to a version like 10.3.0.`,
    );
  }
  const version = setting?.version ?? actual;
  const capability = decodeCapability(properties);
  const isa = resolveIsa(version, { sramEcc: capability.sramEcc, xnack: options.xnack });
  if (isa === undefined) {
    const unknown = `${processorName(version)} is not a known processor`;
    return setting === undefined
      ? skip(unknown)
      : skip(
          `${setting.variable}=${setting.value}: ${unknown}`,
          `Unset ${setting.variable}: the GPU is ${processorName(actual)}.`,
        );
  }
  const override = setting === undefined ? undefined : { variable: setting.variable, value: setting.value, actual };
  const { processor } = isa;
  if (capability.doorbellType !== DOORBELL_TYPE_64_BIT) {
    return skip(
      `${processor} has doorbells of type ${capability.doorbellType}; AQL queues need 64-bit ones (type ${DOORBELL_TYPE_64_BIT})`,
    );
  }
  const { simdPerCu, simdArraysPerEngine, waveFrontSize, simdCount } = properties;
  if (
    simdPerCu === 0 ||
    simdArraysPerEngine === 0 ||
    simdCount % simdPerCu !== 0 ||
    (waveFrontSize !== 32 && waveFrontSize !== 64)
  ) {
    return skip(
      `${processor} has implausible properties: simd_count ${simdCount}, simd_per_cu ${simdPerCu}, ` +
        `simd_arrays_per_engine ${simdArraysPerEngine}, wave_front_size ${waveFrontSize}`,
    );
  }
  return assembleGpu(node, { ...options, isa, version, capability, override });
}

function assembleGpu(
  node: TopologyNode,
  options: BuildGpuOptions & {
    readonly isa: AgentIsa;
    readonly version: GfxVersion;
    readonly capability: Capability;
    readonly override: GfxOverride | undefined;
  },
): GpuAgent {
  const { isa, version, capability, override, marketingName, fineGrainedOverPcie, nodes } = options;
  const { properties } = node;
  const partition = partitionOf(node, nodes);
  const ldsBytesPerCu = properties.ldsSizeInKb * KIB;
  const vram = node.memoryBanks.filter(({ heapType }) => isVram(heapType));
  const lastBank = vram.at(-1);
  const base = common(node);
  const hasCpuCores = properties.cpuCoresCount > 0;
  return {
    kind: 'gpu',
    ...base,
    id: `kfd/${node.nodeId}/gpu`,
    name: isa.processor,
    vendorName: 'AMD',
    marketingName,
    uuid: formatUuid(properties.uniqueId),
    profile: hasCpuCores ? 'full' : 'base',
    maxClockMhz: properties.maxEngineClkFcompute,
    pools: gpuPools({
      banks: node.memoryBanks,
      ldsBytes: ldsBytesPerCu,
      hasExtendedFine: !(version.major === 12 && version.minor === 0),
      fineVisible: properties.hiveId !== 0n || fineGrainedOverPcie,
    }),
    gpuId: node.gpuId,
    renderMinor: properties.drmRenderMinor,
    integrated: hasCpuCores || findProcessor(isa.processor)?.isApu === true,
    isa,
    version,
    ...(override === undefined ? {} : { override }),
    ...(partition === undefined ? {} : { partition }),
    vendorId: properties.vendorId,
    deviceId: properties.deviceId,
    pciAddress: formatPciAddress(properties),
    locationId: properties.locationId,
    pciDomain: properties.domain,
    uniqueId: properties.uniqueId,
    hiveId: properties.hiveId,
    computeUnits: properties.simdCount / properties.simdPerCu,
    simdsPerCu: properties.simdPerCu,
    shaderEngines: Math.floor(properties.arrayCount / properties.simdArraysPerEngine),
    arraysPerEngine: properties.simdArraysPerEngine,
    xccCount: properties.numXcc,
    wavefrontSize: properties.waveFrontSize,
    maxWavesPerSimd: properties.maxWavesPerSimd,
    maxWavesPerCu: properties.maxWavesPerSimd * properties.simdPerCu,
    scratchSlotsPerCu: properties.maxSlotsScratchCu,
    ldsBytesPerCu,
    gdsBytes: properties.gdsSizeInKb * KIB,
    gwsCount: properties.numGws,
    vramBytes: vram.reduce((sum, { sizeInBytes }) => sum + sizeInBytes, 0n),
    memoryWidthBits: lastBank?.width ?? 0,
    memoryClockMhz: lastBank?.memClkMax ?? 0,
    largeBar: vram.length > 0 && vram.every(({ heapType }) => heapType !== HEAP_VRAM_PRIVATE),
    sdmaEngines: properties.numSdmaEngines,
    sdmaXgmiEngines: properties.numSdmaXgmiEngines,
    sdmaQueuesPerEngine: properties.numSdmaQueuesPerEngine,
    computeQueues: properties.numCpQueues,
    microcodeVersion: properties.fwVersion & MICROCODE_MASK,
    sdmaMicrocodeVersion: properties.sdmaFwVersion & MICROCODE_MASK,
    capability,
    familyId: properties.familyId === 0 ? undefined : properties.familyId,
    nearestCpuNodeId: hasCpuCores ? node.nodeId : findNearestCpu(base.links, nodes),
    queueSizeInputs: {
      gfxTargetVersion: properties.gfxTargetVersion,
      simdCount: properties.simdCount,
      simdPerCu: properties.simdPerCu,
      arrayCount: properties.arrayCount,
      simdArraysPerEngine: properties.simdArraysPerEngine,
      xccCount: properties.numXcc,
      ldsSizeKb: properties.ldsSizeInKb,
    },
  };
}

function common(
  node: TopologyNode,
): Pick<AgentCommon, 'driver' | 'nodeId' | 'sysfsId' | 'caches' | 'cacheBytes' | 'cacheLineBytes' | 'links'> {
  const { nodeId, sysfsId, caches } = node;
  return {
    driver: 'kfd',
    nodeId,
    sysfsId,
    caches,
    cacheBytes: [firstCacheBytes(caches, 1), allCacheBytes(caches, 2), allCacheBytes(caches, 3), allCacheBytes(caches, 4)],
    cacheLineBytes: caches.find(({ level }) => level === 2)?.cacheLineSize ?? DEFAULT_CACHE_LINE_BYTES,
    links: agentLinks(node.links),
  };
}

function firstCacheBytes(caches: readonly Cache[], wanted: number): number {
  return (caches.find(({ level }) => level === wanted)?.sizeKib ?? 0) * KIB;
}

function allCacheBytes(caches: readonly Cache[], wanted: number): number {
  return caches.reduce((sum, { level, sizeKib }) => (level === wanted ? sum + sizeKib * KIB : sum), 0);
}

function findNearestCpu(links: AgentCommon['links'], nodes: readonly TopologyNode[]): number | undefined {
  const toCpus = links.filter(({ nodeId }) => (nodes[nodeId]?.properties.cpuCoresCount ?? 0) > 0);
  return toCpus.reduce<(typeof toCpus)[number] | undefined>(
    (best, link) => (best === undefined || link.weight < best.weight ? link : best),
    undefined,
  )?.nodeId;
}

/** `GPU-` and the serial number; `GPU-XX` without one. */
export function formatUuid(uniqueId: bigint): string {
  return uniqueId === 0n ? 'GPU-XX' : `GPU-${uniqueId.toString(16).padStart(16, '0')}`;
}

/** `domain:bus:device.function` in hex. */
export function formatPciAddress({ domain, locationId }: Pick<NodeProperties, 'domain' | 'locationId'>): string {
  const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
  return `${hex(domain, 4)}:${hex((locationId >> 8) & 0xff, 2)}:${hex((locationId >> 3) & 0x1f, 2)}.${locationId & 7}`;
}
