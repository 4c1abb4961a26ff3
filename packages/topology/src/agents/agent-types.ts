/** Agents: what a runtime hands out to programs (hsa.h, hsa_ext_amd.h). */
import type { QueueSizeInputs } from '@doorbell/thunk-loader';
import type { Capability } from '../capability.js';
import type { AgentIsa, GfxVersion } from '../agent-isa.js';
import type { NpuDevice } from '../drivers/driver-report.js';
import type { Cache } from '../topology-types.js';
import type { GfxOverride } from './gfx-override.js';
import type { Partition } from './partitions.js';

/** A memory pool of an agent (hsa_ext_amd.h hsa_amd_memory_pool_info_t). */
export interface MemoryPool {
  /** `system` on CPU agents; `vram` and `group` (LDS) on GPU agents. */
  readonly kind: 'system' | 'vram' | 'group';
  /** `none` for LDS. */
  readonly coherence: 'fine' | 'extended-fine' | 'coarse' | 'none';
  readonly kernarg: boolean;
  /** hsa_amd_memory_pool_global_flag_t bits; 0 for LDS. */
  readonly globalFlags: number;
  readonly sizeBytes: bigint;
  /** Largest single allocation; 0 where the runtime cannot allocate. */
  readonly allocMaxBytes: bigint;
  readonly runtimeAllocAllowed: boolean;
  readonly allocGranuleBytes: number;
  readonly recommendedGranuleBytes: number;
  readonly alignmentBytes: number;
  /** Every agent may use it without being asked to. */
  readonly accessibleByAll: boolean;
  /** The CPU reaches it by plain loads and stores. */
  readonly hostVisible: boolean;
  readonly busWidthBits: number;
  readonly maxClockMhz: number;
  /** Whether programs see it when they iterate; the others serve the runtime. */
  readonly userVisible: boolean;
}

/** A link from the agent to another node. */
export interface AgentLink {
  /** {@link AgentCommon.nodeId} of the other end. */
  readonly nodeId: number;
  readonly type: 'hypertransport' | 'qpi' | 'pcie' | 'infiniband' | 'xgmi' | 'other';
  /** hsa_amd_link_info_type_t; undefined where HSA has no name for it. */
  readonly hsaType: number | undefined;
  /** Cost of the way, as NUMA counts: 20 for a PCIe hop, 13…15 for XGMI. */
  readonly weight: number;
  /** 1, as HSA reports every link; see {@link isDirect}. */
  readonly hops: number;
  /** The two are neighbours; else the way leads over others. */
  readonly isDirect: boolean;
  readonly minBandwidthMbps: number;
  readonly maxBandwidthMbps: number;
  readonly minLatencyNs: number;
  readonly maxLatencyNs: number;
  readonly atomics32: boolean;
  readonly atomics64: boolean;
  readonly coherent: boolean;
  /** SDMA engines that the driver recommends for copies over this link. */
  readonly recommendedSdmaEngineMask: number;
}

/** What CPU and GPU agents have in common. */
export interface AgentCommon {
  readonly driver: 'kfd';
  /** Names the agent among those of all drivers, whose node ids all start at 0: `kfd/1/gpu`. */
  readonly id: string;
  /** Number among the usable nodes of the driver: HSA_AMD_AGENT_INFO_DRIVER_NODE_ID. */
  readonly nodeId: number;
  /** N of `topology/nodes/<N>`. */
  readonly sysfsId: number;
  /** HSA_AGENT_INFO_NAME. */
  readonly name: string;
  readonly vendorName: string;
  /** HSA_AMD_AGENT_INFO_PRODUCT_NAME; empty where nothing tells it. */
  readonly marketingName: string;
  /** HSA_AMD_AGENT_INFO_UUID. */
  readonly uuid: string;
  /** HSA_AGENT_INFO_PROFILE. */
  readonly profile: 'base' | 'full';
  readonly maxClockMhz: number;
  readonly pools: readonly MemoryPool[];
  readonly caches: readonly Cache[];
  /** Bytes by level, 1 first: the first cache of level 1, the sum of all on the levels above (HSA_AGENT_INFO_CACHE_SIZE). */
  readonly cacheBytes: readonly [number, number, number, number];
  readonly cacheLineBytes: number;
  readonly links: readonly AgentLink[];
}

/** A CPU: its cores and the system memory beside them. */
export interface CpuAgent extends AgentCommon {
  readonly kind: 'cpu';
  readonly coresCount: number;
  readonly coreIdBase: number;
}

/** A GPU. */
export interface GpuAgent extends AgentCommon {
  readonly kind: 'gpu';
  /** The driver's id of the GPU: HSA_AMD_AGENT_INFO_DRIVER_UID. */
  readonly gpuId: number;
  readonly renderMinor: number;
  /** Shares memory with the CPU (an APU). */
  readonly integrated: boolean;
  readonly isa: AgentIsa;
  readonly version: GfxVersion;
  /** Where {@link isa} and {@link version} are not the GPU's own: HSA_OVERRIDE_GFX_VERSION. */
  readonly override?: GfxOverride;
  /** Where the node is a part of a GPU that the driver shows as several. */
  readonly partition?: Partition;
  readonly vendorId: number;
  readonly deviceId: number;
  /** `0000:03:00.0`. */
  readonly pciAddress: string;
  /** bus << 8 | device << 3 | function: HSA_AMD_AGENT_INFO_BDFID. */
  readonly locationId: number;
  readonly pciDomain: number;
  /** Serial number; 0 unknown. */
  readonly uniqueId: bigint;
  readonly hiveId: bigint;
  readonly computeUnits: number;
  readonly simdsPerCu: number;
  readonly shaderEngines: number;
  readonly arraysPerEngine: number;
  readonly xccCount: number;
  readonly wavefrontSize: number;
  readonly maxWavesPerSimd: number;
  readonly maxWavesPerCu: number;
  readonly scratchSlotsPerCu: number;
  readonly ldsBytesPerCu: number;
  readonly gdsBytes: number;
  /** Barriers over the whole GPU; cooperative queues need one. */
  readonly gwsCount: number;
  readonly vramBytes: bigint;
  readonly memoryWidthBits: number;
  readonly memoryClockMhz: number;
  /** The CPU reaches all of VRAM. */
  readonly largeBar: boolean;
  readonly sdmaEngines: number;
  readonly sdmaXgmiEngines: number;
  readonly sdmaQueuesPerEngine: number;
  readonly computeQueues: number;
  /** Version of the compute microcode, 10 bits as HSA reports it. */
  readonly microcodeVersion: number;
  readonly sdmaMicrocodeVersion: number;
  readonly capability: Capability;
  /** amdgpu family where sysfs tells it; else DRM has to be asked. */
  readonly familyId: number | undefined;
  /** The CPU over the cheapest link; undefined without one. */
  readonly nearestCpuNodeId: number | undefined;
  /** What the sizes of a queue's context save area follow from; see `aqlQueueSizes` of the thunk loader. */
  readonly queueSizeInputs: QueueSizeInputs;
}

/** A CPU or GPU agent; `kind` tells which. */
export type Agent = CpuAgent | GpuAgent;

/** An NPU. It is reported alone: this runtime runs nothing on it. */
export interface AieAgent {
  readonly kind: 'aie';
  readonly driver: 'xdna';
  /** `xdna/0/aie`; see {@link AgentCommon.id}. */
  readonly id: string;
  readonly nodeId: number;
  /** `aie2`. */
  readonly name: string;
  readonly vendorName: string;
  /** Empty where nothing tells it. */
  readonly marketingName: string;
  readonly devicePath: string;
  readonly interfaceVersion: { readonly major: number; readonly minor: number };
  readonly npu: NpuDevice;
}

/** A node, or a part of one, that gave no agent. */
export interface SkippedAgent {
  readonly sysfsId: number;
  readonly name: string;
  readonly reason: string;
  readonly hint?: string;
}
