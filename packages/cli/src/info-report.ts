import { limits } from '@doorbell/runtime';
import type { Runtime, topology } from '@doorbell/runtime';

/** What `--json` prints; sizes in bytes, ids as hexadecimal strings. */
export interface InfoReport {
  readonly version: string;
  readonly backend: string;
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
  readonly agents: readonly AgentReport[];
  readonly hiddenGpus: readonly string[];
  readonly skipped: readonly topology.SkippedAgent[];
  readonly notes: readonly string[];
}

/** One agent. */
export interface AgentReport {
  readonly kind: 'cpu' | 'gpu';
  readonly name: string;
  readonly marketingName: string;
  readonly vendorName: string;
  readonly uuid: string;
  readonly nodeId: number;
  readonly profile: string;
  readonly maxClockMhz: number;
  readonly isaNames: readonly string[];
  readonly gpu?: Readonly<Record<string, string | number | boolean>>;
  readonly cacheLineBytes: number;
  readonly cores?: number;
  /** What kernels and queues may be; a CPU has none. */
  readonly dispatch?: DispatchReport;
  readonly pools: readonly PoolReport[];
  readonly caches: readonly { readonly level: number; readonly sizeBytes: number; readonly count: number }[];
  readonly links: readonly topology.AgentLink[];
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
}

/** Everything that `doorbell info` prints of an open runtime. */
export function describeRuntime(runtime: Runtime): InfoReport {
  const { discovery, thunk } = runtime;
  return {
    version: runtime.version,
    backend: runtime.backend,
    system: {
      hsaVersion: '1.1',
      timestampHz: Number(runtime.systemClock().systemFrequencyHz),
      machineModel: 'large',
      endianness: 'little',
    },
    thunk: { path: thunk.path, interfaceVersion: `${thunk.version.major}.${thunk.version.minor}` },
    candidates: runtime.candidates.map(({ backend, state, reason }) => ({ backend, state, reason })),
    drivers: runtime.drivers,
    agents: discovery.agents.map((agent) => describeAgent(agent, runtime)),
    hiddenGpus: discovery.hiddenGpus.map(({ name, pciAddress }) => `${name} (${pciAddress})`),
    skipped: discovery.skipped,
    notes: discovery.notes,
  };
}

function describeAgent(agent: topology.Agent, runtime: Runtime): AgentReport {
  const { kind, name, marketingName, vendorName, uuid, nodeId, profile, maxClockMhz, cacheLineBytes, links } = agent;
  const common = { kind, name, marketingName, vendorName, uuid, nodeId, profile, maxClockMhz, cacheLineBytes };
  const memory = { pools: agent.pools.map(describePool), caches: groupCaches(agent.caches), links };
  if (agent.kind === 'cpu') return { ...common, isaNames: [], cores: agent.coresCount, ...memory };
  return { ...common, isaNames: agent.isa.isaNames, gpu: describeGpu(agent), dispatch: describeDispatch(runtime), ...memory };
}

function describeGpu(gpu: topology.GpuAgent): NonNullable<AgentReport['gpu']> {
  return {
    gpuId: gpu.gpuId,
    integrated: gpu.integrated,
    pciAddress: gpu.pciAddress,
    chipId: `0x${gpu.deviceId.toString(16)}`,
    renderNode: `renderD${gpu.renderMinor}`,
    computeUnits: gpu.computeUnits,
    simdsPerCu: gpu.simdsPerCu,
    shaderEngines: gpu.shaderEngines,
    arraysPerEngine: gpu.arraysPerEngine,
    xccCount: gpu.xccCount,
    wavefrontSize: gpu.wavefrontSize,
    maxWavesPerCu: gpu.maxWavesPerCu,
    ldsBytesPerCu: gpu.ldsBytesPerCu,
    vramBytes: Number(gpu.vramBytes),
    memoryWidthBits: gpu.memoryWidthBits,
    memoryClockMhz: gpu.memoryClockMhz,
    largeBar: gpu.largeBar,
    computeQueues: gpu.computeQueues,
    watchPoints: gpu.capability.watchPoints,
    sdmaEngines: gpu.sdmaEngines,
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

function describePool(pool: topology.MemoryPool): PoolReport {
  const { kind, coherence, kernarg, alignmentBytes, runtimeAllocAllowed, accessibleByAll, hostVisible } = pool;
  return {
    kind,
    coherence,
    kernarg,
    // Safe as numbers: no memory is larger than 2^53 bytes.
    sizeBytes: Number(pool.sizeBytes),
    allocMaxBytes: Number(pool.allocMaxBytes),
    granuleBytes: pool.allocGranuleBytes,
    alignmentBytes,
    runtimeAllocAllowed,
    accessibleByAll,
    hostVisible,
  };
}

/** Caches of one level and size, counted. */
function groupCaches(caches: readonly topology.Cache[]): AgentReport['caches'] {
  const groups = new Map<string, { level: number; sizeBytes: number; count: number }>();
  for (const { level, sizeKib } of caches) {
    const key = `${level} ${sizeKib}`;
    const group = groups.get(key) ?? { level, sizeBytes: sizeKib * 1024, count: 0 };
    group.count++;
    groups.set(key, group);
  }
  return [...groups.values()].sort((a, b) => a.level - b.level || a.sizeBytes - b.sizeBytes);
}
