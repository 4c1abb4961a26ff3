/** Slots about memory: regions and pools (a pool's handle is its region's), allocation, access, copies by the host. hsa-api §5. */
import type { AmdExtApi, CoreApi, Memory } from '@doorbell/abi';
import { hsa } from '@doorbell/abi';
import type { PoolAccess } from '@doorbell/topology';
import { poolAccess } from '@doorbell/topology';
import type { RuntimeAgent, RuntimePool } from '../agents.js';
import type { Runtime } from '../runtime.js';
import { fail, required, SUCCESS } from './result.js';

/** hsa_ext_amd.h hsa_amd_memory_pool_flag_t: executable memory. */
const POOL_FLAG_EXECUTABLE = 4;
const ACCESS_PERMISSIONS: readonly number[] = [
  hsa.HSA_ACCESS_PERMISSION_RO,
  hsa.HSA_ACCESS_PERMISSION_WO,
  hsa.HSA_ACCESS_PERMISSION_RW,
];

/** hsa_ext_amd.h hsa_amd_memory_pool_access_t. */
const ACCESS: Readonly<Record<PoolAccess, number>> = { never: 0, default: 1, 'on-request': 2 };

export function memorySlots(runtime: Runtime): Partial<CoreApi> {
  const { registry, memory } = runtime;
  const agentOf = (handle: bigint): RuntimeAgent =>
    required(registry.agents.get(handle), hsa.HSA_STATUS_ERROR_INVALID_AGENT, 'agent');
  const regionOf = (handle: bigint): RuntimePool =>
    required(registry.pools.get(handle), hsa.HSA_STATUS_ERROR_INVALID_REGION, 'region');
  return {
    hsa_agent_iterate_regions: (agent, callback, data) => iterate(regionsOf(runtime, agentOf(agent)), callback, data),
    hsa_region_get_info: (region, attribute, value) => {
      value.value = regionInfo(regionOf(region), attribute);
      return SUCCESS;
    },
    hsa_memory_allocate: (region, size, address) => {
      if (size === 0n) return hsa.HSA_STATUS_ERROR_INVALID_ARGUMENT;
      const { agent, pool } = regionOf(region);
      address.value = memory.allocate({ agent, pool, sizeBytes: Number(size) }).address;
      return SUCCESS;
    },
    hsa_memory_free: (address) => {
      if (address !== 0n) memory.free(address);
      return SUCCESS;
    },
    hsa_memory_copy: (destination, source, size) => {
      if (destination === 0n || source === 0n) return hsa.HSA_STATUS_ERROR_INVALID_ARGUMENT;
      if (size === 0n) return SUCCESS;
      const bytes = (place: Memory): Uint8Array => runtime.loader.bytesOf(place, Number(size));
      bytes(destination).set(bytes(source));
      return SUCCESS;
    },
    // Every agent may use the memory as it is: only the arguments are looked at.
    hsa_memory_assign_agent: (address, agent, access) => {
      if (address === 0n || !ACCESS_PERMISSIONS.includes(access)) return hsa.HSA_STATUS_ERROR_INVALID_ARGUMENT;
      agentOf(agent);
      return SUCCESS;
    },
  };
}

export function memoryExtensionSlots(runtime: Runtime): Partial<AmdExtApi> {
  const { registry, memory, thunk } = runtime;
  const agentOf = (handle: bigint): RuntimeAgent =>
    required(registry.agents.get(handle), hsa.HSA_STATUS_ERROR_INVALID_AGENT, 'agent');
  const poolOf = (handle: bigint): RuntimePool =>
    required(registry.pools.get(handle), hsa.HSA_STATUS_ERROR_INVALID_MEMORY_POOL, 'memory pool');
  return {
    hsa_amd_agent_iterate_memory_pools: (agent, callback, data) => iterate(agentOf(agent).pools, callback, data),
    hsa_amd_memory_pool_get_info: (pool, attribute, value) => {
      value.value = poolInfo(poolOf(pool), attribute);
      return SUCCESS;
    },
    hsa_amd_memory_pool_allocate: (handle, size, flags, address) => {
      if (size === 0n) return hsa.HSA_STATUS_ERROR_INVALID_ARGUMENT;
      const { agent, pool } = poolOf(handle);
      address.value = memory.allocate({
        agent,
        pool,
        sizeBytes: Number(size),
        executable: (flags & POOL_FLAG_EXECUTABLE) !== 0,
      }).address;
      return SUCCESS;
    },
    hsa_amd_memory_pool_free: (address) => {
      if (address !== 0n) memory.free(address);
      return SUCCESS;
    },
    hsa_amd_agents_allow_access: (count, agents, flags, address) => {
      if (flags !== null || count === 0 || count > agents.length) return hsa.HSA_STATUS_ERROR_INVALID_ARGUMENT;
      const allocation = memory.find(address);
      if (allocation?.address !== address) return hsa.HSA_STATUS_ERROR_INVALID_ALLOCATION;
      const gpuIds = agents.slice(0, count).flatMap((handle) => {
        const { agent } = agentOf(handle);
        return agent.kind === 'gpu' ? [agent.gpuId] : [];
      });
      thunk.mapToGpus(allocation.memory, gpuIds);
      return SUCCESS;
    },
    hsa_amd_agent_memory_pool_get_info: (handle, poolHandle, attribute, value) => {
      value.value = accessInfo(agentOf(handle), poolOf(poolHandle), attribute);
      return SUCCESS;
    },
    hsa_amd_memory_fill: (address, word, count) => {
      if (address === 0n || address % 4n !== 0n) return hsa.HSA_STATUS_ERROR_INVALID_ARGUMENT;
      if (count === 0n) return SUCCESS;
      const view = memory.view(address, Number(count) * 4);
      new Uint32Array(view.buffer, view.byteOffset, Number(count)).fill(word);
      return SUCCESS;
    },
    hsa_amd_pointer_info: (address, info, _allocate, count, accessible) => {
      const allocation = memory.find(address);
      info.value = {
        ...info.value,
        type: allocation ? hsa.HSA_EXT_POINTER_TYPE_HSA : hsa.HSA_EXT_POINTER_TYPE_UNKNOWN,
        agentBaseAddress: allocation?.address ?? 0n,
        hostBaseAddress: allocation?.memory.bytes ? allocation.address : 0n,
        sizeInBytes: BigInt(allocation?.sizeBytes ?? 0),
        userData: 0n,
        agentOwner: allocation?.agent.handle ?? 0n,
        global_flags: allocation?.pool.globalFlags ?? 0,
      };
      if (count && accessible && allocation) {
        accessible.value = registry.list
          .filter(({ agent }) => agent.kind === 'gpu' && allocation.memory.gpuIds.includes(agent.gpuId))
          .map(({ handle }) => handle);
        count.value = accessible.value.length;
      }
      return SUCCESS;
    },
  };
}

/** A CPU's regions are its pools; a GPU also uses the system's: fine-grained ones, then coarse ones (hsa-api §5.2). */
function regionsOf({ registry }: Runtime, agent: RuntimeAgent): readonly RuntimePool[] {
  if (agent.agent.kind !== 'gpu') return agent.pools;
  const system = registry.list.flatMap(({ pools }) => pools.filter(({ pool }) => pool.kind === 'system'));
  const isCoarse = ({ pool }: RuntimePool): boolean => pool.coherence === 'coarse';
  return [...agent.pools, ...system.filter((entry) => !isCoarse(entry)), ...system.filter(isCoarse)];
}

function iterate(pools: readonly RuntimePool[], callback: (handle: bigint, data: unknown) => number, data: unknown): number {
  for (const { handle, pool } of pools) {
    if (!pool.userVisible) continue;
    const status = callback(handle, data);
    if (status !== SUCCESS) return status;
  }
  return SUCCESS;
}

function regionInfo({ pool }: RuntimePool, attribute: number): unknown {
  switch (attribute) {
    case hsa.HSA_REGION_INFO_SEGMENT:
      return pool.kind === 'group' ? hsa.HSA_REGION_SEGMENT_GROUP : hsa.HSA_REGION_SEGMENT_GLOBAL;
    case hsa.HSA_REGION_INFO_GLOBAL_FLAGS:
      return pool.globalFlags;
    case hsa.HSA_REGION_INFO_SIZE:
      return pool.sizeBytes;
    case hsa.HSA_REGION_INFO_ALLOC_MAX_SIZE:
      return pool.allocMaxBytes;
    case hsa.HSA_REGION_INFO_RUNTIME_ALLOC_ALLOWED:
      return pool.runtimeAllocAllowed;
    case hsa.HSA_REGION_INFO_RUNTIME_ALLOC_GRANULE:
      return BigInt(pool.allocGranuleBytes);
    case hsa.HSA_REGION_INFO_RUNTIME_ALLOC_ALIGNMENT:
      return BigInt(pool.alignmentBytes);
    case hsa.HSA_AMD_REGION_INFO_HOST_ACCESSIBLE:
      return pool.kind === 'system';
    case hsa.HSA_AMD_REGION_INFO_BASE:
      return 0n;
    case hsa.HSA_AMD_REGION_INFO_BUS_WIDTH:
      return pool.busWidthBits;
    case hsa.HSA_AMD_REGION_INFO_MAX_CLOCK_FREQUENCY:
      return pool.maxClockMhz;
    default:
      return fail(hsa.HSA_STATUS_ERROR_INVALID_ARGUMENT, `region attribute ${attribute} is not known`);
  }
}

function poolInfo(entry: RuntimePool, attribute: number): unknown {
  const { pool, agent } = entry;
  switch (attribute) {
    case hsa.HSA_AMD_MEMORY_POOL_INFO_SEGMENT:
      return pool.kind === 'group' ? hsa.HSA_AMD_SEGMENT_GROUP : hsa.HSA_AMD_SEGMENT_GLOBAL;
    case hsa.HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS:
      return pool.globalFlags;
    case hsa.HSA_AMD_MEMORY_POOL_INFO_SIZE:
      return pool.sizeBytes;
    case hsa.HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED:
      return pool.runtimeAllocAllowed;
    case hsa.HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_GRANULE:
      return BigInt(pool.allocGranuleBytes);
    case hsa.HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALIGNMENT:
      return BigInt(pool.alignmentBytes);
    case hsa.HSA_AMD_MEMORY_POOL_INFO_ACCESSIBLE_BY_ALL:
      return pool.accessibleByAll;
    case hsa.HSA_AMD_MEMORY_POOL_INFO_ALLOC_MAX_SIZE:
      return pool.allocMaxBytes;
    case hsa.HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_REC_GRANULE:
      return BigInt(pool.recommendedGranuleBytes);
    case hsa.HSA_AMD_MEMORY_POOL_INFO_LOCATION:
      if (pool.kind === 'group') return fail(hsa.HSA_STATUS_ERROR_INVALID_ARGUMENT, 'LDS has no location');
      return agent.agent.kind === 'gpu' ? 1 : 0;
    default:
      return fail(hsa.HSA_STATUS_ERROR_INVALID_ARGUMENT, `memory pool attribute ${attribute} is not known`);
  }
}

/** Access of an agent to a pool, hops, and the links between (hsa-api §5.4). */
function accessInfo(agent: RuntimeAgent, { agent: owner, pool }: RuntimePool, attribute: number): unknown {
  const link = agent.agent.links.find(({ nodeId }) => nodeId === owner.agent.nodeId);
  switch (attribute) {
    case hsa.HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS:
      return ACCESS[poolAccess(agent.agent, { owner: owner.agent, pool })];
    case hsa.HSA_AMD_AGENT_MEMORY_POOL_INFO_NUM_LINK_HOPS:
      return owner === agent ? 0 : (link?.hops ?? 0);
    case hsa.HSA_AMD_AGENT_MEMORY_POOL_INFO_LINK_INFO:
      return link === undefined || owner === agent
        ? []
        : [
            {
              min_latency: link.minLatencyNs,
              max_latency: link.maxLatencyNs,
              min_bandwidth: link.minBandwidthMbps,
              max_bandwidth: link.maxBandwidthMbps,
              atomic_support_32bit: link.atomics32,
              atomic_support_64bit: link.atomics64,
              coherent_support: link.coherent,
              link_type: link.hsaType ?? 0,
              numa_distance: link.weight,
            },
          ];
    default:
      return fail(hsa.HSA_STATUS_ERROR_INVALID_ARGUMENT, `agent memory pool attribute ${attribute} is not known`);
  }
}
