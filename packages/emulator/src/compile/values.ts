/** How the compiler holds values of a block: per-lane values by shape, lane masks, scalars. Numbers are nodes of the graph. */
import type { Value } from '../ir/block.js';
import type { Partition, Pattern } from './shapes.js';

/**
 * A per-lane i32. Shape S: `partition` with one base node a class plus the pattern; `zeros` are the bases' known zero bits.
 * Shape V: `groups`, one v128 node for four lanes (absent while facts are computed); `zeros` are the values' known zero bits.
 * A value with `pair` and neither is the high half of a 64-bit sum that nobody has asked for yet.
 */
export interface Vec {
  readonly partition: Partition | undefined;
  readonly bases: readonly number[];
  readonly pattern: Pattern;
  groups: readonly number[] | undefined;
  readonly zeros: number;
  readonly pair: Pair | undefined;
}

/** The 64-bit per-lane value base + zero-extended offset · multiplier. */
export interface Pair {
  /** i64 node. */
  readonly base: number;
  readonly offset: Vec;
  readonly multiplier: number;
  /** The block's value that is the low half. */
  readonly low: Value;
}

/** One bool a lane: known, or one condition for all lanes, or a v128 mask for each group. */
export interface Mask {
  readonly known: 0 | 1 | undefined;
  /** i32 node of 0 or 1; -1: none. */
  readonly condition: number;
  readonly groups: readonly number[] | undefined;
  /** i32 nodes, if there is a cheap test: 1 only if every lane is set, 1 only if none is. */
  readonly every?: number;
  readonly none?: number;
}

/** A uniform i32: a scalar node, or 32 bits of a lane mask (8 groups). */
export interface Uniform {
  readonly node: number;
  readonly mask: Mask | undefined;
}

/** A uniform i64: a node, or two halves. */
export interface UniformWide {
  readonly node: number;
  readonly low: Uniform | undefined;
  readonly high: Uniform | undefined;
}

/** A per-lane i64: halves, or i64x2 nodes of lanes 0, 1 and 2, 3 of each group, or a sum not yet computed; at least one of them. */
export interface Wide {
  low: Vec | undefined;
  high: Vec | undefined;
  joined: readonly [readonly number[], readonly number[]] | undefined;
  readonly sum: { readonly base: number; readonly offset: Vec; readonly multiplier: number } | undefined;
}

export const ALL: Mask = { known: 1, condition: -1, groups: undefined };
export const NONE: Mask = { known: 0, condition: -1, groups: undefined };
