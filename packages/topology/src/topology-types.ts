/** What a snapshot of the KFD topology consists of. Field names follow the files; see amdkfd kfd_topology.c and hsakmttypes.h. */

/** Something in the tree that is not as it should be. */
export interface TopologyProblem {
  readonly kind:
    | 'hidden' // the node exists and is withheld from this process: device cgroup, or its render node is not there
    | 'unreadable' // reading failed otherwise
    | 'malformed' // the text is not what the kernel writes
    | 'implausible' // the values cannot be those of a working node
    | 'inconsistent'; // two places contradict each other
  /** The file or folder. */
  readonly path: string;
  /** For people. */
  readonly reason: string;
  /** Name of the errno where a read failed. */
  readonly errno?: string;
  /** One action the reader can take. */
  readonly hint?: string;
}

/** Everything in `nodes/<N>/properties`. A key that the kernel does not write is 0. */
export interface NodeProperties {
  /** Logical CPUs of the NUMA node; 0 on a discrete GPU. */
  readonly cpuCoresCount: number;
  /** Active SIMDs over all XCCs; 0 on a CPU. */
  readonly simdCount: number;
  readonly memBanksCount: number;
  readonly cachesCount: number;
  readonly ioLinksCount: number;
  readonly p2pLinksCount: number;
  /** APIC id of the first core. */
  readonly cpuCoreIdBase: number;
  readonly simdIdBase: number;
  readonly maxWavesPerSimd: number;
  readonly ldsSizeInKb: number;
  readonly gdsSizeInKb: number;
  readonly numGws: number;
  readonly waveFrontSize: number;
  /** Shader arrays over all engines and XCCs. */
  readonly arrayCount: number;
  readonly simdArraysPerEngine: number;
  /** Physical compute units of an array; can exceed the active ones. */
  readonly cuPerSimdArray: number;
  readonly simdPerCu: number;
  readonly maxSlotsScratchCu: number;
  /** major × 10000 + minor × 100 + stepping, decimal; 0 before Linux 5.16. */
  readonly gfxTargetVersion: number;
  readonly vendorId: number;
  readonly deviceId: number;
  /** bus << 8 | device << 3 | function, the partition in the low bits. */
  readonly locationId: number;
  /** PCI domain. */
  readonly domain: number;
  readonly drmRenderMinor: number;
  /** XGMI hive; 0 if none. */
  readonly hiveId: bigint;
  readonly numSdmaEngines: number;
  readonly numSdmaXgmiEngines: number;
  readonly numSdmaQueuesPerEngine: number;
  readonly numCpQueues: number;
  /** MHz. */
  readonly maxEngineClkFcompute: number;
  readonly localMemSize: bigint;
  readonly fwVersion: number;
  /** See {@link decodeCapability}. */
  readonly capability: number;
  readonly capability2: number;
  readonly debugProp: bigint;
  readonly sdmaFwVersion: number;
  /** Serial number; 0 unknown. */
  readonly uniqueId: bigint;
  /** XCCs of this partition; 1 where the kernel does not say. */
  readonly numXcc: number;
  /** MHz. */
  readonly maxEngineClkCcompute: number;
  /** amdgpu family; most kernels leave it to DRM. */
  readonly familyId: number;
}

/** One `mem_banks/<i>`. */
export interface MemoryBank {
  /** hsakmttypes.h HSA_HEAPTYPE: 0 system, 1 VRAM that the CPU sees, 2 VRAM that it does not see. */
  readonly heapType: number;
  readonly sizeInBytes: bigint;
  /** Bit 0 hot-pluggable, bit 1 non-volatile. */
  readonly flags: number;
  /** Bits. */
  readonly width: number;
  /** MHz. */
  readonly memClkMax: number;
}

/** One `caches/<i>`, or one cache of a CPU from `/sys/devices/system`. */
export interface Cache {
  readonly processorIdLow: number;
  readonly level: number;
  readonly sizeKib: number;
  /** Bytes. */
  readonly cacheLineSize: number;
  readonly cacheLinesPerTag: number;
  readonly association: number;
  readonly latency: number;
  /** hsakmttypes.h HsaCacheType: bit 0 data, 1 instruction, 2 CPU, 3 GPU. */
  readonly type: number;
  /** 1 for each processor that shares the cache, counted from {@link processorIdLow}. Caches may share the array: do not write it. */
  readonly siblingMap: Uint8Array;
}

/** One `io_links/<i>` or `p2p_links/<i>` to a usable node. */
export interface NodeLink {
  /** `direct` from io_links; `peer`, over other nodes, from p2p_links or, where the kernel has none of them, by libhsakmt's rule. */
  readonly kind: 'direct' | 'peer';
  /** hsakmttypes.h HSA_IOLINKTYPE. */
  readonly type: number;
  readonly versionMajor: number;
  readonly versionMinor: number;
  /** {@link TopologyNode.nodeId} of the other end. */
  readonly nodeTo: number;
  readonly weight: number;
  readonly minLatency: number;
  readonly maxLatency: number;
  /** MB/s. */
  readonly minBandwidth: number;
  readonly maxBandwidth: number;
  readonly recommendedTransferSize: number;
  readonly recommendedSdmaEngineIdMask: number;
  /** hsakmttypes.h HSA_LINKPROPERTY. */
  readonly flags: number;
}

/** One `perf/<block>`: counters of a part of the chip that the driver offers (amdkfd kfd_topology.c kfd_build_sysfs_node_entry). */
export interface PerformanceBlock {
  /** Name of the folder: `iommu`. */
  readonly name: string;
  /** Counters that can run at once. */
  readonly maxConcurrent: number;
  readonly numCounters: number;
  readonly counterIds: readonly number[];
}

/** Who the processors of a CPU node are, from `/proc/cpuinfo`; empty strings where it does not say. */
export interface CpuIdentity {
  readonly vendor: string;
  readonly modelName: string;
}

/** A node that can be used. Its {@link problems} are those that took only a part of it away. */
export interface TopologyNode {
  /** Dense number among the usable nodes, as libhsakmt counts. */
  readonly nodeId: number;
  /** N of `nodes/<N>`. */
  readonly sysfsId: number;
  /** The driver's id of the GPU; 0 on a CPU node, and on an APU whose GPU cannot be used (see {@link problems}). */
  readonly gpuId: number;
  readonly name: string;
  readonly properties: NodeProperties;
  readonly memoryBanks: readonly MemoryBank[];
  readonly caches: readonly Cache[];
  readonly links: readonly NodeLink[];
  /** Empty on most kernels: the IOMMU's counters alone are shown here. */
  readonly performanceBlocks: readonly PerformanceBlock[];
  /** On nodes with CPU cores. */
  readonly cpu?: CpuIdentity;
  readonly problems: readonly TopologyProblem[];
}

/** A node that cannot be used; its first problem says why. */
export interface RefusedNode {
  readonly sysfsId: number;
  /** Name of the ASIC where it could be read. */
  readonly name: string;
  readonly problems: readonly [TopologyProblem, ...TopologyProblem[]];
}

/** The files beside `nodes/`: numbers that name the platform, 0 when the firmware tells nothing. */
export interface SystemProperties {
  readonly platformOem: bigint;
  readonly platformId: bigint;
  readonly platformRev: bigint;
}

/** A consistent snapshot; see {@link readTopology}. */
export interface Topology {
  /** The folder it was read from. */
  readonly root: string;
  readonly generationId: bigint;
  readonly system: SystemProperties;
  /** Usable nodes; index = {@link TopologyNode.nodeId}. */
  readonly nodes: readonly TopologyNode[];
  readonly refusedNodes: readonly RefusedNode[];
  /** What is wrong with the tree as a whole. */
  readonly problems: readonly TopologyProblem[];
}
