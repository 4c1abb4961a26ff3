/** Slots about agents, instruction sets, caches and the system: hsa.h, "Agent", "ISA"; hsa_ext_amd.h. Attribute numbers: hsa-api §2–4. */
import type { AmdExtApi, CoreApi } from '@doorbell/abi';
import { hsa, hsaStatusString } from '@doorbell/abi';
import { parseTargetId, targetsCompatible } from '@doorbell/code-object';
import type { GpuAgent } from '@doorbell/topology';
import type { RuntimeAgent, RuntimeIsa } from '../agents.js';
import type { Runtime } from '../runtime.js';
import { fail, required, SUCCESS } from './result.js';

const INT32_MAX = 0x7fff_ffff;
const UINT32_MAX = 0xffff_ffff;
const UINT64_MAX = 0xffff_ffff_ffff_ffffn;
const MAX_WORKGROUP = 1024;
const GRID_MAX_DIM = { x: INT32_MAX, y: 65535, z: 65535 };

export function agentSlots(runtime: Runtime): Partial<CoreApi> {
  const agentOf = (handle: bigint): RuntimeAgent =>
    required(runtime.registry.agents.get(handle), hsa.HSA_STATUS_ERROR_INVALID_AGENT, 'agent');
  const isaOf = (handle: bigint): RuntimeIsa =>
    required(runtime.registry.isas.get(handle), hsa.HSA_STATUS_ERROR_INVALID_ISA, 'ISA');
  return {
    hsa_status_string: (status, text) => {
      text.value = hsaStatusString(status) ?? fail(hsa.HSA_STATUS_ERROR_INVALID_ARGUMENT, `no status is ${status}`);
      return SUCCESS;
    },
    hsa_system_get_info: (attribute, value) => {
      value.value = systemInfo(runtime, attribute);
      return SUCCESS;
    },
    hsa_iterate_agents: (callback, data) => {
      for (const { handle } of runtime.registry.list) {
        const status = callback(handle, data);
        if (status !== SUCCESS) return status;
      }
      return SUCCESS;
    },
    hsa_agent_get_info: (agent, attribute, value) => {
      value.value = agentInfo(runtime, agentOf(agent), attribute);
      return SUCCESS;
    },
    hsa_agent_iterate_isas: (agent, callback, data) => {
      const { isas } = agentOf(agent);
      if (isas.length === 0) return hsa.HSA_STATUS_ERROR_INVALID_AGENT;
      for (const { handle } of isas) {
        const status = callback(handle, data);
        if (status !== SUCCESS) return status;
      }
      return SUCCESS;
    },
    hsa_isa_from_name: (name, isa) => {
      for (const { isas } of runtime.registry.list) {
        const found = isas.find((candidate) => candidate.name === name);
        if (found) {
          isa.value = found.handle;
          return SUCCESS;
        }
      }
      return hsa.HSA_STATUS_ERROR_INVALID_ISA_NAME;
    },
    hsa_isa_get_info_alt: (isa, attribute, value) => {
      value.value = isaInfo(isaOf(isa), attribute);
      return SUCCESS;
    },
    hsa_isa_compatible: (codeObjectIsa, agentIsa, result) => {
      const [code, agent] = [isaOf(codeObjectIsa), isaOf(agentIsa)].map(({ name }) => parseTargetId(name));
      result.value =
        code !== undefined && agent !== undefined && targetsCompatible({ ...code, genericVersion: 1 }, agent).compatible;
      return SUCCESS;
    },
    hsa_agent_iterate_caches: (agent, callback, data) => {
      for (const { handle } of agentOf(agent).caches) {
        const status = callback(handle, data);
        if (status !== SUCCESS) return status;
      }
      return SUCCESS;
    },
    hsa_cache_get_info: (handle, attribute, value) => {
      const { cache } = required(runtime.registry.caches.get(handle), hsa.HSA_STATUS_ERROR_INVALID_CACHE, 'cache');
      const name = `L${cache.level}`;
      switch (attribute) {
        case hsa.HSA_CACHE_INFO_NAME_LENGTH:
          value.value = name.length;
          return SUCCESS;
        case hsa.HSA_CACHE_INFO_NAME:
          value.value = name;
          return SUCCESS;
        case hsa.HSA_CACHE_INFO_LEVEL:
          value.value = cache.level;
          return SUCCESS;
        case hsa.HSA_CACHE_INFO_SIZE:
          value.value = cache.sizeKib * 1024;
          return SUCCESS;
        default:
          return hsa.HSA_STATUS_ERROR_INVALID_ARGUMENT;
      }
    },
  };
}

export function agentExtensionSlots(runtime: Runtime): Partial<AmdExtApi> {
  return {
    hsa_amd_profiling_convert_tick_to_system_domain: (agent, tick, systemTick) => {
      const found = required(runtime.registry.agents.get(agent), hsa.HSA_STATUS_ERROR_INVALID_AGENT, 'agent');
      if (found.agent.kind !== 'gpu') return hsa.HSA_STATUS_ERROR_INVALID_AGENT;
      // The system clock counts nanoseconds.
      systemTick.value = runtime.clockOf(found.agent.gpuId).toNs(tick);
      return SUCCESS;
    },
  };
}

function systemInfo(runtime: Runtime, attribute: number): unknown {
  switch (attribute) {
    case hsa.HSA_SYSTEM_INFO_VERSION_MAJOR:
    case hsa.HSA_SYSTEM_INFO_VERSION_MINOR:
      return 1;
    case hsa.HSA_SYSTEM_INFO_TIMESTAMP:
      return runtime.systemClock().systemTicks;
    case hsa.HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY:
      return runtime.systemClock().systemFrequencyHz;
    case hsa.HSA_SYSTEM_INFO_SIGNAL_MAX_WAIT:
      return UINT64_MAX;
    case hsa.HSA_SYSTEM_INFO_ENDIANNESS:
      return hsa.HSA_ENDIANNESS_LITTLE;
    case hsa.HSA_SYSTEM_INFO_MACHINE_MODEL:
      return hsa.HSA_MACHINE_MODEL_LARGE;
    case hsa.HSA_SYSTEM_INFO_EXTENSIONS:
      return new Uint8Array(128);
    case hsa.HSA_AMD_SYSTEM_INFO_BUILD_VERSION:
      return `doorbell ${runtime.version}`;
    case hsa.HSA_AMD_SYSTEM_INFO_XNACK_ENABLED:
      return runtime.thunk.xnack === 'on';
    case hsa.HSA_AMD_SYSTEM_INFO_EXT_VERSION_MAJOR:
      return hsa.HSA_AMD_INTERFACE_VERSION_MAJOR;
    case hsa.HSA_AMD_SYSTEM_INFO_EXT_VERSION_MINOR:
      return hsa.HSA_AMD_INTERFACE_VERSION_MINOR;
    case hsa.HSA_AMD_SYSTEM_INFO_SVM_SUPPORTED:
    case hsa.HSA_AMD_SYSTEM_INFO_SVM_ACCESSIBLE_BY_DEFAULT:
    case hsa.HSA_AMD_SYSTEM_INFO_MWAITX_ENABLED:
    case hsa.HSA_AMD_SYSTEM_INFO_DMABUF_SUPPORTED:
    case hsa.HSA_AMD_SYSTEM_INFO_VIRTUAL_MEM_API_SUPPORTED:
      return false;
    default:
      return fail(hsa.HSA_STATUS_ERROR_INVALID_ARGUMENT, `system attribute 0x${attribute.toString(16)} is not known`);
  }
}

/** Attributes that CPU and GPU agents share, then each kind's own. */
function agentInfo(runtime: Runtime, { agent, isas }: RuntimeAgent, attribute: number): unknown {
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
      return UINT32_MAX;
    case hsa.HSA_AGENT_INFO_FBARRIER_MAX_SIZE:
      return 32;
    case hsa.HSA_AGENT_INFO_QUEUES_MAX:
      return runtime.flags.maxQueues;
    case hsa.HSA_AGENT_INFO_QUEUE_MIN_SIZE:
      return 0x40;
    case hsa.HSA_AGENT_INFO_QUEUE_MAX_SIZE:
      return 0x20000;
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
    case hsa.HSA_AMD_AGENT_INFO_NEAREST_CPU:
      return (
        runtime.registry.list.find(({ agent }) => agent.kind === 'cpu' && agent.nodeId === gpu.nearestCpuNodeId)?.handle ?? 0n
      );
    default:
      return fail(hsa.HSA_STATUS_ERROR_INVALID_ARGUMENT, `agent attribute 0x${attribute.toString(16)} is not known of a GPU`);
  }
}

function isaInfo(isa: RuntimeIsa, attribute: number): unknown {
  switch (attribute) {
    case hsa.HSA_ISA_INFO_NAME_LENGTH:
      return isa.name.length + 1;
    case hsa.HSA_ISA_INFO_NAME:
      return isa.name;
    case hsa.HSA_ISA_INFO_CALL_CONVENTION_COUNT:
      return 1;
    case hsa.HSA_ISA_INFO_MACHINE_MODELS:
      return [false, true];
    case hsa.HSA_ISA_INFO_PROFILES:
      return [true, false];
    case hsa.HSA_ISA_INFO_DEFAULT_FLOAT_ROUNDING_MODES:
    case hsa.HSA_ISA_INFO_BASE_PROFILE_DEFAULT_FLOAT_ROUNDING_MODES:
      return [false, false, true];
    case hsa.HSA_ISA_INFO_FAST_F16_OPERATION:
      return true;
    case hsa.HSA_ISA_INFO_WORKGROUP_MAX_DIM:
      return [MAX_WORKGROUP, MAX_WORKGROUP, MAX_WORKGROUP];
    case hsa.HSA_ISA_INFO_WORKGROUP_MAX_SIZE:
      return MAX_WORKGROUP;
    case hsa.HSA_ISA_INFO_GRID_MAX_DIM:
      return GRID_MAX_DIM;
    case hsa.HSA_ISA_INFO_GRID_MAX_SIZE:
      return UINT64_MAX;
    case hsa.HSA_ISA_INFO_FBARRIER_MAX_SIZE:
      return 32;
    default:
      return fail(hsa.HSA_STATUS_ERROR_INVALID_ARGUMENT, `ISA attribute ${attribute} is not known`);
  }
}
