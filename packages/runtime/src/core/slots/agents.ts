/** Slots about agents, instruction sets, caches and the system: hsa.h, "Agent", "ISA"; hsa_ext_amd.h. Attribute numbers: hsa-api §2–4. */
import type { AmdExtApi, CoreApi } from '@doorbell/abi';
import { hsa, hsaStatusString } from '@doorbell/abi';
import { parseTargetId, targetsCompatible } from '@doorbell/code-object/core';
import type { RuntimeAgent, RuntimeIsa } from '../agents.js';
import type { Runtime } from '../runtime.js';
import { agentInfo } from './agent-info.js';
import { FBARRIERS, GRID_MAX_DIM, MAX_WORKGROUP } from './limits.js';
import { fail, required, SUCCESS } from './result.js';

const UINT64_MAX = 0xffff_ffff_ffff_ffffn;

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

function isaInfo(isa: RuntimeIsa, attribute: number): unknown {
  switch (attribute) {
    case hsa.HSA_ISA_INFO_NAME_LENGTH:
      return isa.name.length + 1;
    case hsa.HSA_ISA_INFO_NAME:
      return isa.name;
    case hsa.HSA_ISA_INFO_CALL_CONVENTION_COUNT:
      return 1;
    // Deprecated, and the same for every instruction set, also those of 32 lanes.
    case hsa.HSA_ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONT_SIZE:
      return 64;
    case hsa.HSA_ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONTS_PER_COMPUTE_UNIT:
      return 40;
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
      return FBARRIERS;
    default:
      return fail(hsa.HSA_STATUS_ERROR_INVALID_ARGUMENT, `ISA attribute ${attribute} is not known`);
  }
}
