/** Expands the cache groups of a GPU into the entries that the kernel shows, one file each. */
import type { NodeDescription } from './machine.js';
import { numberOf } from './machine.js';
import type { CacheGroupData, PropertyLines } from './topology-data.js';

/** Bits of the sibling map for one shader array (amdkfd kfd_topology.c: four bytes an array). */
const SIBLING_BITS_PER_ARRAY = 32;

/**
 * The `key value` lines of every cache, in the kernel's order. Level 1 has one entry for each group of compute units that
 * share it; levels 2 and 3 have one for the node, whose map runs over all shader arrays.
 */
export function expandCaches(node: NodeDescription): readonly PropertyLines[] {
  return node.cacheGroups.flatMap((group) => {
    const siblings = siblingMap(group, node);
    return Array.from({ length: group.count }, (_, instance) => ({
      processor_id_low: numberOf(node.properties, 'simd_id_base') + instance * group.cus_per_instance,
      level: group.level,
      size: group.size,
      cache_line_size: group.cache_line_size,
      cache_lines_per_tag: group.cache_lines_per_tag,
      association: group.association,
      latency: group.latency,
      type: group.type,
      sibling_map: siblings,
    }));
  });
}

function siblingMap(group: CacheGroupData, node: NodeDescription): string {
  const arrays = group.level === 1 ? 1 : numberOf(node.properties, 'array_count');
  const shared =
    group.level === 1 ? group.cus_per_instance : Math.min(group.cus_per_instance, numberOf(node.properties, 'cu_per_simd_array'));
  const oneArray = Array.from({ length: SIBLING_BITS_PER_ARRAY }, (_, bit) => (bit < shared ? '1' : '0')).join(',');
  return Array.from({ length: arrays }, () => oneArray).join(',');
}
