/** Partitions: one GPU that the driver shows as several nodes (amdgpu compute partitions DPX, QPX, CPX). */
import type { TopologyNode } from '../topology-types.js';

/** Place of a node among the partitions of its GPU. */
export interface Partition {
  /** The low bits of location_id. */
  readonly index: number;
  /** Nodes of the same GPU that are usable. */
  readonly count: number;
}

/** location_id: bus << 8 | device << 3, and below it the partition, where nodes share a device (kfd_topology.c). */
const DEVICE_MASK = ~7;

/** The partition that the node is; undefined when it is a GPU of its own. */
export function partitionOf(node: TopologyNode, nodes: readonly TopologyNode[]): Partition | undefined {
  const { domain, locationId } = node.properties;
  const siblings = nodes.filter(
    (other) =>
      other.gpuId !== 0 &&
      other.properties.domain === domain &&
      (other.properties.locationId & DEVICE_MASK) === (locationId & DEVICE_MASK),
  );
  return siblings.length < 2 ? undefined : { index: locationId & ~DEVICE_MASK, count: siblings.length };
}
