/** HsaNodeProperties by the names that the kernel gives the same facts in sysfs (kfd_topology.c node_show). */
import type { hsakmtA, hsakmtB } from '@doorbell/abi';

type NodeProperties = ReturnType<typeof hsakmtA.HsaNodeProperties.read> | ReturnType<typeof hsakmtB.HsaNodeProperties.read>;

/** What both have. The number of memory banks is not among it: the library adds apertures to the kernel's. */
export function nodePropertiesOf(node: NodeProperties): ReadonlyMap<string, bigint> {
  const { Major, Minor, Stepping, uCode } = node.EngineId.ui32;
  const numbers: Readonly<Record<string, number | bigint>> = {
    cpu_cores_count: node.NumCPUCores,
    simd_count: node.NumFComputeCores,
    caches_count: node.NumCaches,
    io_links_count: node.NumIOLinks,
    cpu_core_id_base: node.CComputeIdLo,
    simd_id_base: node.FComputeIdLo,
    capability: node.Capability.Value,
    max_waves_per_simd: node.MaxWavesPerSIMD,
    lds_size_in_kb: node.LDSSizeInKB,
    gds_size_in_kb: node.GDSSizeInKB,
    wave_front_size: node.WaveFrontSize,
    array_count: node.NumShaderBanks,
    simd_arrays_per_engine: node.NumArrays,
    cu_per_simd_array: node.NumCUPerArray,
    simd_per_cu: node.NumSIMDPerCU,
    max_slots_scratch_cu: node.MaxSlotsScratchCU,
    gfx_target_version: Major * 10_000 + Minor * 100 + Stepping,
    fw_version: uCode,
    sdma_fw_version: node.uCodeEngineVersions.uCodeSDMA,
    vendor_id: node.VendorId,
    device_id: node.DeviceId,
    location_id: node.LocationId,
    domain: node.Domain,
    local_mem_size: node.LocalMemSize,
    max_engine_clk_fcompute: node.MaxEngineClockMhzFCompute,
    max_engine_clk_ccompute: node.MaxEngineClockMhzCCompute,
    drm_render_minor: node.DrmRenderMinor,
    debug_prop: node.DebugProperties.Value,
    hive_id: node.HiveID,
    unique_id: node.UniqueID,
    num_sdma_engines: node.NumSdmaEngines,
    num_sdma_xgmi_engines: node.NumSdmaXgmiEngines,
    num_sdma_queues_per_engine: node.NumSdmaQueuesPerEngine,
    num_cp_queues: node.NumCpQueues,
    num_gws: node.NumGws,
    ...('NumXcc' in node ? { num_xcc: node.NumXcc, capability2: node.Capability2.Value, family_id: node.FamilyID } : {}),
  };
  return new Map(Object.entries(numbers).map(([name, value]) => [name, BigInt(value)]));
}
