/** Limits of every AMD GPU, as agents and instruction sets report them (hsa-api §3.1, §4.3). */

export const MAX_WORKGROUP = 1024;
export const FBARRIERS = 32;
export const GRID_MAX_DIM = { x: 0x7fff_ffff, y: 65535, z: 65535 } as const;
/** Work-items of a grid. */
export const GRID_MAX = 0xffff_ffff;
export const MIN_QUEUE_PACKETS = 0x40;
export const MAX_QUEUE_PACKETS = 0x2_0000;
