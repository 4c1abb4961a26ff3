/** Expands the cache groups of a GPU into the entries that the kernel shows, one file each. */
import type { NodeDescription } from './machine.js';
import { numberOf } from './machine.js';
import { formatLines } from './property-lines.js';
import type { CacheGroupData } from './topology-data.js';

/** Bits of the sibling map for one shader array (amdkfd kfd_topology.c: four bytes an array). */
const SIBLING_BITS_PER_ARRAY = 32;

/**
 * The text of every cache, in the kernel's order. Level 1 has one entry for each group of compute units that share it; levels 2 and 3
 * have one for the node, whose map runs over all shader arrays. There are hundreds, and those of a group differ in their first line alone.
 */
export function expandCaches(node: NodeDescription): readonly (() => string)[] {
  return node.cacheGroups.flatMap((group) => {
    const firstId = numberOf(node.properties, 'simd_id_base');
    let rest: string | undefined;
    return Array.from({ length: group.count }, (_, instance) => {
      let text: string | undefined;
      return (): string => (text ??= textOf(instance));
    });
    function textOf(instance: number): string {
      rest ??= formatLines({
        level: group.level,
        size: group.size,
        cache_line_size: group.cache_line_size,
        cache_lines_per_tag: group.cache_lines_per_tag,
        association: group.association,
        latency: group.latency,
        type: group.type,
        sibling_map: siblingMap(group, node),
      });
      return `processor_id_low ${firstId + instance * group.cus_per_instance}\n${rest}`;
    }
  });
}

function siblingMap(group: CacheGroupData, node: NodeDescription): string {
  const arrays = group.level === 1 ? 1 : numberOf(node.properties, 'array_count');
  const shared =
    group.level === 1 ? group.cus_per_instance : Math.min(group.cus_per_instance, numberOf(node.properties, 'cu_per_simd_array'));
  const oneArray = Array.from({ length: SIBLING_BITS_PER_ARRAY }, (_, bit) => (bit < shared ? '1' : '0')).join(',');
  return Array.from({ length: arrays }, () => oneArray).join(',');
}
