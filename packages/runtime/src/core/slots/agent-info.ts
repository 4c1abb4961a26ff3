/** Values of hsa_agent_get_info (hsa-api §3). */
import { hsa } from '@doorbell/abi';
import type { GpuAgent } from '@doorbell/topology';
import type { RuntimeAgent } from '../agents.js';
import type { Runtime } from '../runtime.js';
import { fail } from './result.js';
import { FBARRIERS, GRID_MAX, GRID_MAX_DIM, MAX_QUEUE_PACKETS, MAX_WORKGROUP, MIN_QUEUE_PACKETS } from './limits.js';

/** hsa-api §3.2, SCRATCH_LIMIT_MAX: 4 GiB of each XCC. */
const SCRATCH_LIMIT_OF_XCC = 0x1_0000_0000n;

/** Attributes that CPU and GPU agents share, then each kind's own. */
export function agentInfo(runtime: Runtime, { agent, isas }: RuntimeAgent, attribute: number): unknown {
  switch (attribute) {
    case hsa.HSA_AGENT_INFO_NAME:
      return agent.name;
    case hsa.HSA_AGENT_INFO_VENDOR_NAME:
      return agent.vendorName;
    case hsa.HSA_AGENT_INFO_MACHINE_MODEL:
      return hsa.HSA_MACHINE_MODEL_LARGE;
    case hsa.HSA_AGENT_INFO_PROFILE:
      return agent.profile === 'full' ? hsa.HSA_PROFILE_FULL : hsa.HSA_PROFILE_BASE;
    case hsa.HSA_AGENT_INFO_DEFAULT_FLOAT_ROUNDING_MODE:
    case hsa.HSA_AGENT_INFO_BASE_PROFILE_DEFAULT_FLOAT_ROUNDING_MODES:
      return hsa.HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR;
    case hsa.HSA_AGENT_INFO_NODE:
    case hsa.HSA_AMD_AGENT_INFO_DRIVER_NODE_ID:
      return agent.nodeId;
    case hsa.HSA_AGENT_INFO_DEVICE:
      return agent.kind === 'gpu' ? hsa.HSA_DEVICE_TYPE_GPU : hsa.HSA_DEVICE_TYPE_CPU;
    case hsa.HSA_AGENT_INFO_CACHE_SIZE:
      return agent.cacheBytes;
    case hsa.HSA_AGENT_INFO_ISA:
      return isas[0]?.handle ?? 0n;
    case hsa.HSA_AGENT_INFO_EXTENSIONS:
      return new Uint8Array(128);
    case hsa.HSA_AGENT_INFO_VERSION_MAJOR:
    case hsa.HSA_AGENT_INFO_VERSION_MINOR:
      return 1;
    case hsa.HSA_AMD_AGENT_INFO_CACHELINE_SIZE:
      return agent.cacheLineBytes;
    case hsa.HSA_AMD_AGENT_INFO_MAX_CLOCK_FREQUENCY:
      return agent.maxClockMhz;
    case hsa.HSA_AMD_AGENT_INFO_PRODUCT_NAME:
      return agent.marketingName;
    case hsa.HSA_AMD_AGENT_INFO_UUID:
      return agent.uuid;
    default:
      return agent.kind === 'gpu' ? gpuInfo(runtime, agent, attribute) : cpuInfo(agent.coresCount, attribute);
  }
}

function cpuInfo(coresCount: number, attribute: number): unknown {
  switch (attribute) {
    case hsa.HSA_AGENT_INFO_FEATURE:
    case hsa.HSA_AGENT_INFO_WAVEFRONT_SIZE:
    case hsa.HSA_AGENT_INFO_WORKGROUP_MAX_SIZE:
    case hsa.HSA_AGENT_INFO_GRID_MAX_SIZE:
    case hsa.HSA_AGENT_INFO_FBARRIER_MAX_SIZE:
    case hsa.HSA_AGENT_INFO_QUEUES_MAX:
    case hsa.HSA_AGENT_INFO_QUEUE_MIN_SIZE:
    case hsa.HSA_AGENT_INFO_QUEUE_MAX_SIZE:
    case hsa.HSA_AGENT_INFO_QUEUE_TYPE:
      return 0;
    case hsa.HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT:
      return coresCount;
    default:
      return fail(hsa.HSA_STATUS_ERROR_INVALID_ARGUMENT, `agent attribute 0x${attribute.toString(16)} is not known of a CPU`);
  }
}

function gpuInfo(runtime: Runtime, gpu: GpuAgent, attribute: number): unknown {
  switch (attribute) {
    case hsa.HSA_AGENT_INFO_FEATURE:
      return hsa.HSA_AGENT_FEATURE_KERNEL_DISPATCH;
    case hsa.HSA_AGENT_INFO_FAST_F16_OPERATION:
      return true;
    case hsa.HSA_AGENT_INFO_WAVEFRONT_SIZE:
      return gpu.wavefrontSize;
    case hsa.HSA_AGENT_INFO_WORKGROUP_MAX_DIM:
      return [MAX_WORKGROUP, MAX_WORKGROUP, MAX_WORKGROUP];
    case hsa.HSA_AGENT_INFO_WORKGROUP_MAX_SIZE:
      return MAX_WORKGROUP;
    case hsa.HSA_AGENT_INFO_GRID_MAX_DIM:
      return GRID_MAX_DIM;
    case hsa.HSA_AGENT_INFO_GRID_MAX_SIZE:
      return GRID_MAX;
    case hsa.HSA_AGENT_INFO_FBARRIER_MAX_SIZE:
      return FBARRIERS;
    case hsa.HSA_AGENT_INFO_QUEUES_MAX:
      return runtime.flags.maxQueues;
    case hsa.HSA_AGENT_INFO_QUEUE_MIN_SIZE:
      return MIN_QUEUE_PACKETS;
    case hsa.HSA_AGENT_INFO_QUEUE_MAX_SIZE:
      return MAX_QUEUE_PACKETS;
    case hsa.HSA_AGENT_INFO_QUEUE_TYPE:
      return hsa.HSA_QUEUE_TYPE_MULTI;
    case hsa.HSA_AMD_AGENT_INFO_CHIP_ID:
      return gpu.deviceId;
    case hsa.HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT:
      return gpu.computeUnits;
    case hsa.HSA_AMD_AGENT_INFO_BDFID:
      return gpu.locationId;
    case hsa.HSA_AMD_AGENT_INFO_MEMORY_WIDTH:
      return gpu.memoryWidthBits;
    case hsa.HSA_AMD_AGENT_INFO_MEMORY_MAX_FREQUENCY:
      return gpu.memoryClockMhz;
    case hsa.HSA_AMD_AGENT_INFO_MAX_WAVES_PER_CU:
      return gpu.maxWavesPerCu;
    case hsa.HSA_AMD_AGENT_INFO_NUM_SIMDS_PER_CU:
      return gpu.simdsPerCu;
    case hsa.HSA_AMD_AGENT_INFO_NUM_SHADER_ENGINES:
      return gpu.shaderEngines;
    case hsa.HSA_AMD_AGENT_INFO_NUM_SHADER_ARRAYS_PER_SE:
      return gpu.arraysPerEngine;
    case hsa.HSA_AMD_AGENT_INFO_DOMAIN:
      return gpu.pciDomain;
    case hsa.HSA_AMD_AGENT_INFO_COOPERATIVE_QUEUES:
      return gpu.gwsCount !== 0;
    case hsa.HSA_AMD_AGENT_INFO_COOPERATIVE_COMPUTE_UNIT_COUNT:
      return gpu.computeUnits;
    case hsa.HSA_AMD_AGENT_INFO_MEMORY_AVAIL:
      return BigInt(runtime.thunk.availableMemoryBytes(gpu.gpuId));
    case hsa.HSA_AMD_AGENT_INFO_TIMESTAMP_FREQUENCY:
      return runtime.gpuClockHz(gpu.gpuId);
    case hsa.HSA_AMD_AGENT_INFO_UCODE_VERSION:
      return gpu.microcodeVersion;
    case hsa.HSA_AMD_AGENT_INFO_SDMA_UCODE_VERSION:
      return gpu.sdmaMicrocodeVersion;
    case hsa.HSA_AMD_AGENT_INFO_NUM_SDMA_ENG:
      return gpu.sdmaEngines;
    case hsa.HSA_AMD_AGENT_INFO_NUM_SDMA_XGMI_ENG:
      return gpu.sdmaXgmiEngines;
    case hsa.HSA_AMD_AGENT_INFO_NUM_XCC:
      return gpu.xccCount;
    case hsa.HSA_AMD_AGENT_INFO_DRIVER_UID:
      return gpu.gpuId;
    case hsa.HSA_AMD_AGENT_INFO_MAX_ADDRESS_WATCH_POINTS:
      return gpu.capability.watchPoints;
    case hsa.HSA_AMD_AGENT_INFO_HDP_FLUSH:
      // The driver's remapped MMIO page is not mapped.
      return { HDP_MEM_FLUSH_CNTL: 0n, HDP_REG_FLUSH_CNTL: 0n };
    case hsa.HSA_AMD_AGENT_INFO_ASIC_REVISION:
      return gpu.capability.asicRevision;
    case hsa.HSA_AMD_AGENT_INFO_SVM_DIRECT_HOST_ACCESS:
      return gpu.capability.coherentHostAccess;
    case hsa.HSA_AMD_AGENT_INFO_ASIC_FAMILY_ID:
      return gpu.familyId ?? fail(hsa.HSA_STATUS_ERROR_INVALID_ARGUMENT, `sysfs does not tell the family of ${gpu.name}`);
    case hsa.HSA_AMD_AGENT_INFO_IOMMU_SUPPORT:
      return gpu.capability.hsaMmuPresent ? hsa.HSA_IOMMU_SUPPORT_V2 : hsa.HSA_IOMMU_SUPPORT_NONE;
    case hsa.HSA_AMD_AGENT_INFO_MEMORY_PROPERTIES:
      return Uint8Array.of(gpu.integrated ? 1 : 0, 0, 0, 0, 0, 0, 0, 0);
    case hsa.HSA_AMD_AGENT_INFO_AQL_EXTENSIONS:
      return new Uint8Array(8);
    case hsa.HSA_AMD_AGENT_INFO_SCRATCH_LIMIT_MAX:
      return BigInt(gpu.xccCount) * SCRATCH_LIMIT_OF_XCC;
    case hsa.HSA_AMD_AGENT_INFO_SCRATCH_LIMIT_CURRENT:
      // Scratch is not reclaimed while queues run.
      return 0n;
    case hsa.HSA_AMD_AGENT_INFO_CLOCK_COUNTERS: {
      const { gpuTicks, cpuNs, systemTicks, systemFrequencyHz } = runtime.thunk.clockCounters(gpu.gpuId);
      return {
        gpu_clock_counter: gpuTicks,
        cpu_clock_counter: cpuNs,
        system_clock_counter: systemTicks,
        system_clock_frequency: systemFrequencyHz,
      };
    }
    case hsa.HSA_AMD_AGENT_INFO_NEAREST_CPU:
      return (
        runtime.registry.list.find(({ agent }) => agent.kind === 'cpu' && agent.nodeId === gpu.nearestCpuNodeId)?.handle ?? 0n
      );
    default:
      return fail(hsa.HSA_STATUS_ERROR_INVALID_ARGUMENT, `agent attribute 0x${attribute.toString(16)} is not known of a GPU`);
  }
}
