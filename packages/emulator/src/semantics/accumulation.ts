/** Moves between vector registers and the accumulation registers of CDNA (semantics.md §13). */
import type { Semantic } from './operation.js';

const move: Semantic = (o) => {
  o.set32(o.u32(0));
};

export const ACCUMULATION: Readonly<Record<string, Semantic>> = {
  v_accvgpr_read_b32: move,
  v_accvgpr_write_b32: move,
  v_accvgpr_mov_b32: move,
};
