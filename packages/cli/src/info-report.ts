import { limits } from '@doorbell/runtime';
import { topology } from '@doorbell/runtime/layers';
import type { Runtime } from '@doorbell/runtime';

/** What `--json` prints; sizes in bytes, ids as hexadecimal strings. */
export interface InfoReport {
  readonly version: string;
  readonly backend: string;
  /** Whose drivers, topology and agents these are: an emulated machine's /dev/kfd is no file of the real one. */
  readonly machine: 'real' | 'emulated';
  /** What hsa_system_get_info tells. */
  readonly system: {
    readonly hsaVersion: string;
    readonly timestampHz: number;
    readonly machineModel: 'large';
    readonly endianness: 'little';
  };
  readonly thunk: { readonly path: string; readonly interfaceVersion: string };
  readonly candidates: readonly { readonly backend: string; readonly state: string; readonly reason: string }[];
  readonly drivers: readonly topology.DriverReport[];
  readonly topology: TopologyReport;
  readonly agents: readonly AgentReport[];
  /** Reported alone: nothing runs on them. */
  readonly npus: readonly topology.AieAgent[];
  readonly hiddenGpus: readonly string[];
  readonly skipped: readonly topology.SkippedAgent[];
  readonly notes: readonly string[];
}

/** The snapshot that agents were made of. */
interface TopologyReport {
  readonly root: string;
  readonly generationId: number;
  /** How many nodes of which kind there are, and what PCI shows beside them. */
  readonly summary: string;
  readonly platform: topology.SystemProperties;
  readonly nodes: readonly {
    readonly nodeId: number;
    readonly sysfsId: number;
    readonly gpuId: number;
    readonly name: string;
    readonly properties: topology.NodeProperties;
    readonly memoryBanks: readonly topology.MemoryBank[];
    readonly performanceBlocks: readonly topology.PerformanceBlock[];
    readonly problems: readonly topology.TopologyProblem[];
  }[];
  readonly refusedNodes: readonly topology.RefusedNode[];
  readonly problems: readonly topology.TopologyProblem[];
}

/** One agent. */
export interface AgentReport {
  /** Unique over drivers: `kfd/1/gpu`. */
  readonly id: string;
  readonly driver: string;
  readonly kind: 'cpu' | 'gpu';
  readonly name: string;
  readonly marketingName: string;
  readonly vendorName: string;
  readonly uuid: string;
  readonly nodeId: number;
  readonly sysfsId: number;
  readonly profile: string;
  readonly maxClockMhz: number;
  readonly isaNames: readonly string[];
  readonly gpu?: Readonly<Record<string, string | number | boolean>>;
  /** The capability bits of a GPU. */
  readonly capability?: topology.GpuAgent['capability'];
  /** Where the GPU runs as another. */
  readonly override?: topology.GfxOverride;
  readonly cacheLineBytes: number;
  readonly cores?: number;
  /** APIC id of the first core. */
  readonly coreIdBase?: number;
  /** What kernels and queues may be; a CPU has none. */
  readonly dispatch?: DispatchReport;
  readonly pools: readonly PoolReport[];
  readonly caches: readonly CacheReport[];
  readonly links: readonly topology.AgentLink[];
}

/** Caches of one kind. */
interface CacheReport {
  readonly level: number;
  readonly type: 'data' | 'instruction' | 'unified';
  readonly sizeBytes: number;
  readonly lineBytes: number;
  /** Processors that share one. */
  readonly sharedBy: number;
  readonly count: number;
}

/** Limits of dispatches, as hsa_agent_get_info tells them. */
interface DispatchReport {
  readonly maxQueues: number;
  readonly minQueuePackets: number;
  readonly maxQueuePackets: number;
  readonly queueType: 'multi';
  readonly maxWorkgroupSize: number;
  readonly maxGridSize: number;
  readonly maxFbarriers: number;
  readonly floatRounding: 'near';
  readonly fastF16: boolean;
}

/** One memory pool. */
interface PoolReport {
  readonly kind: string;
  readonly coherence: string;
  readonly kernarg: boolean;
  readonly sizeBytes: number;
  readonly allocMaxBytes: number;
  readonly granuleBytes: number;
  readonly alignmentBytes: number;
  readonly runtimeAllocAllowed: boolean;
  readonly accessibleByAll: boolean;
  readonly hostVisible: boolean;
  /** Whether programs see it when they iterate. */
  readonly userVisible: boolean;
  readonly globalFlags: number;
  readonly recommendedGranuleBytes: number;
  readonly busWidthBits: number;
  readonly maxClockMhz: number;
  /** Who may use it, by the id of the agent. */
  readonly access: Readonly<Record<string, topology.PoolAccess>>;
}

/** Everything that `doorbell info` prints of an open runtime. */
export function describeRuntime(runtime: Runtime): InfoReport {
  const { discovery, thunk } = runtime;
  const isEmulated = runtime.backend === 'emulated';
  return {
    version: runtime.version,
    backend: runtime.backend,
    machine: isEmulated ? 'emulated' : 'real',
    system: {
      hsaVersion: '1.1',
      timestampHz: Number(runtime.systemClock().systemFrequencyHz),
      machineModel: 'large',
      endianness: 'little',
    },
    thunk: { path: thunk.path, interfaceVersion: `${thunk.version.major}.${thunk.version.minor}` },
    candidates: runtime.candidates.map(({ backend, state, reason }) => ({ backend, state, reason })),
    drivers: isEmulated
      ? runtime.drivers.map((driver) => ({ ...driver, reason: `in the emulated machine, ${driver.reason}` }))
      : runtime.drivers,
    topology: describeTopology(runtime),
    agents: discovery.agents.map((agent) => describeAgent(agent, runtime)),
    npus: discovery.aies,
    hiddenGpus: discovery.hiddenGpus.map(({ name, pciAddress }) => `${name} (${pciAddress})`),
    skipped: discovery.skipped,
    notes: discovery.notes,
  };
}

function describeTopology({ topology: snapshot, thunk }: Runtime): TopologyReport {
  const { root, generationId, system, nodes, refusedNodes, problems } = snapshot;
  return {
    root,
    generationId: Number(generationId),
    summary: topology.summarizeTopology(snapshot, thunk.sysfs),
    platform: system,
    nodes: nodes.map(({ nodeId, sysfsId, gpuId, name, properties, memoryBanks, performanceBlocks, problems: own }) => ({
      nodeId,
      sysfsId,
      gpuId,
      name,
      properties,
      memoryBanks,
      performanceBlocks,
      problems: own,
    })),
    refusedNodes,
    problems,
  };
}

function describeAgent(agent: topology.Agent, runtime: Runtime): AgentReport {
  const common = {
    id: agent.id,
    driver: agent.driver,
    kind: agent.kind,
    name: agent.name,
    marketingName: agent.marketingName,
    vendorName: agent.vendorName,
    uuid: agent.uuid,
    nodeId: agent.nodeId,
    sysfsId: agent.sysfsId,
    profile: agent.profile,
    maxClockMhz: agent.maxClockMhz,
    cacheLineBytes: agent.cacheLineBytes,
  };
  const { agents } = runtime.discovery;
  const memory = {
    pools: agent.pools.map((pool) => describePool(pool, { owner: agent, agents })),
    caches: groupCaches(agent.caches),
    links: agent.links,
  };
  if (agent.kind === 'cpu') return { ...common, isaNames: [], cores: agent.coresCount, coreIdBase: agent.coreIdBase, ...memory };
  return {
    ...common,
    isaNames: agent.isa.isaNames,
    gpu: describeGpu(agent),
    capability: agent.capability,
    ...(agent.override === undefined ? {} : { override: agent.override }),
    dispatch: describeDispatch(runtime),
    ...memory,
  };
}

function describeGpu(gpu: topology.GpuAgent): NonNullable<AgentReport['gpu']> {
  return {
    gpuId: gpu.gpuId,
    integrated: gpu.integrated,
    ...(gpu.partition === undefined ? {} : { partition: `${gpu.partition.index} of ${gpu.partition.count}` }),
    pciAddress: gpu.pciAddress,
    pciDomain: gpu.pciDomain,
    locationId: gpu.locationId,
    vendorId: `0x${gpu.vendorId.toString(16)}`,
    chipId: `0x${gpu.deviceId.toString(16)}`,
    asicRevision: gpu.capability.asicRevision,
    ...(gpu.familyId === undefined ? {} : { familyId: gpu.familyId }),
    uniqueId: `0x${gpu.uniqueId.toString(16)}`,
    hiveId: `0x${gpu.hiveId.toString(16)}`,
    ...(gpu.nearestCpuNodeId === undefined ? {} : { nearestCpuNodeId: gpu.nearestCpuNodeId }),
    renderNode: `renderD${gpu.renderMinor}`,
    computeUnits: gpu.computeUnits,
    simdsPerCu: gpu.simdsPerCu,
    shaderEngines: gpu.shaderEngines,
    arraysPerEngine: gpu.arraysPerEngine,
    xccCount: gpu.xccCount,
    wavefrontSize: gpu.wavefrontSize,
    maxWavesPerSimd: gpu.maxWavesPerSimd,
    maxWavesPerCu: gpu.maxWavesPerCu,
    scratchSlotsPerCu: gpu.scratchSlotsPerCu,
    gdsBytes: gpu.gdsBytes,
    gwsCount: gpu.gwsCount,
    ldsBytesPerCu: gpu.ldsBytesPerCu,
    vramBytes: Number(gpu.vramBytes),
    memoryWidthBits: gpu.memoryWidthBits,
    memoryClockMhz: gpu.memoryClockMhz,
    largeBar: gpu.largeBar,
    computeQueues: gpu.computeQueues,
    watchPoints: gpu.capability.watchPoints,
    sdmaEngines: gpu.sdmaEngines,
    sdmaXgmiEngines: gpu.sdmaXgmiEngines,
    sdmaQueuesPerEngine: gpu.sdmaQueuesPerEngine,
    microcodeVersion: gpu.microcodeVersion,
    sdmaMicrocodeVersion: gpu.sdmaMicrocodeVersion,
  };
}

function describeDispatch(runtime: Runtime): DispatchReport {
  return {
    maxQueues: runtime.flags.maxQueues,
    minQueuePackets: limits.MIN_QUEUE_PACKETS,
    maxQueuePackets: limits.MAX_QUEUE_PACKETS,
    queueType: 'multi',
    maxWorkgroupSize: limits.MAX_WORKGROUP,
    maxGridSize: limits.GRID_MAX,
    maxFbarriers: limits.FBARRIERS,
    floatRounding: 'near',
    fastF16: true,
  };
}

function describePool(
  pool: topology.MemoryPool,
  { owner, agents }: { readonly owner: topology.Agent; readonly agents: readonly topology.Agent[] },
): PoolReport {
  const { sizeBytes, allocMaxBytes, allocGranuleBytes, ...facts } = pool;
  return {
    ...facts,
    // Safe as numbers: no memory is larger than 2^53 bytes.
    sizeBytes: Number(sizeBytes),
    allocMaxBytes: Number(allocMaxBytes),
    granuleBytes: allocGranuleBytes,
    access: Object.fromEntries(agents.map((agent) => [agent.id, topology.poolAccess(agent, { owner, pool })])),
  };
}

/** hsakmttypes.h HsaCacheType: data, instruction. */
const CACHE_DATA = 1;
const CACHE_INSTRUCTION = 2;

/** Caches of one level, kind and size, counted. */
function groupCaches(caches: readonly topology.Cache[]): AgentReport['caches'] {
  const groups = new Map<string, CacheReport>();
  for (const { level, sizeKib, cacheLineSize, type, siblingMap } of caches) {
    const sharedBy = siblingMap.reduce((sum, bit) => sum + bit, 0);
    const key = `${level} ${type} ${sizeKib} ${cacheLineSize} ${sharedBy}`;
    const known = groups.get(key);
    groups.set(key, {
      level,
      type: (type & CACHE_DATA) === 0 ? 'instruction' : (type & CACHE_INSTRUCTION) === 0 ? 'data' : 'unified',
      sizeBytes: sizeKib * 1024,
      lineBytes: cacheLineSize,
      sharedBy,
      count: (known?.count ?? 0) + 1,
    });
  }
  return [...groups.values()].sort((a, b) => a.level - b.level || a.sizeBytes - b.sizeBytes);
}
