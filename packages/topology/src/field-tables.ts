/** Which key of which file becomes which field (amdkfd kfd_topology.c node_show, mem_show, kfd_cache_show, iolink_show). */
import type { FieldTable } from './properties-file.js';
import type { Cache, MemoryBank, NodeLink, NodeProperties, SystemProperties } from './topology-types.js';

const u32 = <K extends string>(key: K): { readonly key: K; readonly type: 'u32' } => ({ key, type: 'u32' });
const u64 = <K extends string>(key: K): { readonly key: K; readonly type: 'u64' } => ({ key, type: 'u64' });

export const NODE_FIELDS: FieldTable<NodeProperties> = {
  cpuCoresCount: u32('cpu_cores_count'),
  simdCount: u32('simd_count'),
  memBanksCount: u32('mem_banks_count'),
  cachesCount: u32('caches_count'),
  ioLinksCount: u32('io_links_count'),
  p2pLinksCount: u32('p2p_links_count'),
  cpuCoreIdBase: u32('cpu_core_id_base'),
  simdIdBase: u32('simd_id_base'),
  maxWavesPerSimd: u32('max_waves_per_simd'),
  ldsSizeInKb: u32('lds_size_in_kb'),
  gdsSizeInKb: u32('gds_size_in_kb'),
  numGws: u32('num_gws'),
  waveFrontSize: u32('wave_front_size'),
  arrayCount: u32('array_count'),
  simdArraysPerEngine: u32('simd_arrays_per_engine'),
  cuPerSimdArray: u32('cu_per_simd_array'),
  simdPerCu: u32('simd_per_cu'),
  maxSlotsScratchCu: u32('max_slots_scratch_cu'),
  gfxTargetVersion: u32('gfx_target_version'),
  vendorId: u32('vendor_id'),
  deviceId: u32('device_id'),
  locationId: u32('location_id'),
  domain: u32('domain'),
  drmRenderMinor: u32('drm_render_minor'),
  hiveId: u64('hive_id'),
  numSdmaEngines: u32('num_sdma_engines'),
  numSdmaXgmiEngines: u32('num_sdma_xgmi_engines'),
  numSdmaQueuesPerEngine: u32('num_sdma_queues_per_engine'),
  numCpQueues: u32('num_cp_queues'),
  maxEngineClkFcompute: u32('max_engine_clk_fcompute'),
  localMemSize: u64('local_mem_size'),
  fwVersion: u32('fw_version'),
  capability: u32('capability'),
  capability2: u32('capability2'),
  debugProp: u64('debug_prop'),
  sdmaFwVersion: u32('sdma_fw_version'),
  uniqueId: u64('unique_id'),
  numXcc: u32('num_xcc'),
  maxEngineClkCcompute: u32('max_engine_clk_ccompute'),
  familyId: u32('family_id'),
};

export const SYSTEM_FIELDS: FieldTable<SystemProperties> = {
  platformOem: u64('platform_oem'),
  platformId: u64('platform_id'),
  platformRev: u64('platform_rev'),
};

export const MEMORY_BANK_FIELDS: FieldTable<MemoryBank> = {
  heapType: u32('heap_type'),
  sizeInBytes: u64('size_in_bytes'),
  flags: u32('flags'),
  width: u32('width'),
  memClkMax: u32('mem_clk_max'),
};

export const CACHE_FIELDS: FieldTable<Omit<Cache, 'siblingMap'>> = {
  processorIdLow: u32('processor_id_low'),
  level: u32('level'),
  sizeKib: u32('size'),
  cacheLineSize: u32('cache_line_size'),
  cacheLinesPerTag: u32('cache_lines_per_tag'),
  association: u32('association'),
  latency: u32('latency'),
  type: u32('type'),
};

/** A link as its file has it: both ends are numbers of `nodes/`. */
export type RawLink = Omit<NodeLink, 'kind' | 'nodeTo'> & { readonly sysfsFrom: number; readonly sysfsTo: number };

export const LINK_FIELDS: FieldTable<RawLink> = {
  type: u32('type'),
  versionMajor: u32('version_major'),
  versionMinor: u32('version_minor'),
  sysfsFrom: u32('node_from'),
  sysfsTo: u32('node_to'),
  weight: u32('weight'),
  minLatency: u32('min_latency'),
  maxLatency: u32('max_latency'),
  minBandwidth: u32('min_bandwidth'),
  maxBandwidth: u32('max_bandwidth'),
  recommendedTransferSize: u32('recommended_transfer_size'),
  recommendedSdmaEngineIdMask: u32('recommended_sdma_engine_id_mask'),
  flags: u32('flags'),
};
