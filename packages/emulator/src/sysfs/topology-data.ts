/**
 * Shape of the captured node sets (`generated/topologies.ts`). Keys are those of the sysfs files, in file order, so that a
 * record is written out as it stands.
 */

/** The `key value` lines of one properties file, in file order; a decimal string where the value exceeds 2^53. */
export type PropertyLines = Readonly<Record<string, number | string>>;

/** Caches of one kind: `count` instances, each shared by `cus_per_instance` compute units. */
export interface CacheGroupData {
  readonly level: number;
  /** KiB. */
  readonly size: number;
  readonly cache_line_size: number;
  readonly cache_lines_per_tag: number;
  readonly association: number;
  readonly latency: number;
  readonly type: number;
  readonly count: number;
  readonly cus_per_instance: number;
}

/** One node as captured. */
interface NodeTopologyData {
  readonly gpu_id: number;
  readonly name: string;
  readonly properties: PropertyLines;
  readonly mem_banks: readonly PropertyLines[];
  readonly cache_groups: readonly CacheGroupData[];
  readonly io_links: readonly PropertyLines[];
  readonly p2p_links: readonly PropertyLines[];
}

/** The host node, and the files beside `nodes/`. */
export interface CpuTopologyData extends NodeTopologyData {
  readonly system: { readonly generation_id: number; readonly system_properties: PropertyLines };
}

/** What DRM tells of a GPU (amdgpu_drm.h `drm_amdgpu_info_device`). */
export interface DrmData {
  readonly family_id: number;
  readonly pci_rev: number;
  readonly external_rev: number;
  readonly asic_revision: number;
  readonly marketing_name: string;
}

/** A GPU node, with the link that its CPU node shows back to it. */
export interface GpuTopologyData extends NodeTopologyData {
  readonly reciprocal_io_link_on_cpu_node: PropertyLines;
  readonly drm: DrmData;
}
