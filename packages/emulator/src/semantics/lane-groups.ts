/**
 * gfx1250: values from other lanes of groups of 2, 4, … 32 lanes, whose size is the last scalar source. They are HIP's __shfl,
 * __shfl_up, __shfl_down and __shfl_xor (HIP, amd_warp_functions.h); what inactive lanes hold is read too.
 */
import type { Value } from '../ir/block.js';
import type { WaveBuilder } from '../ir/wave-builder.js';
import { allLanes } from './lane.js';
import type { Operation, Semantic } from './operation.js';

interface Group {
  readonly lane: Value;
  /** Number of the last lane of the group, in its group. */
  readonly last: Value;
  /** Number of the group's first lane. */
  readonly base: Value;
  /** The lane's number in its group. */
  readonly place: Value;
}

/** Groups of `size` lanes, a power of two; 0 or what is larger than the wave means the wave. */
function groupOf(b: WaveBuilder, size: Value): Group {
  const lane = b.op('laneId');
  const last = b.op('minU32', b.op('sub32', size, b.i32(1)), b.i32(b.waveSize - 1));
  const place = b.op('and32', lane, last);
  return { lane, last, base: b.op('sub32', lane, place), place };
}

/** The lane that each reads; `select` is the scalar that chooses it. */
type Choice = (b: WaveBuilder, group: Group, select: Value) => Value;

function move(choose: Choice): Semantic {
  return (o) => {
    const { b } = o;
    o.set32(b.op('shuffle', allLanes(o, o.source(0)), choose(b, groupOf(b, o.u32(2)), o.u32(1))));
  };
}

/** Lanes of the group; `select` counts in it. */
const inGroup = (b: WaveBuilder, { base, last }: Group, select: Value): Value => b.op('add32', base, b.op('and32', select, last));

const below: Choice = (b, { lane, place }, select) =>
  b.op('select32', b.op('ltU32', place, select), lane, b.op('sub32', lane, select));

const above: Choice = (b, { lane, place, last }, select) =>
  b.op('select32', b.op('ltU32', b.op('sub32', last, place), select), lane, b.op('add32', lane, select));

/** Lanes behind the group's end are not read; those before its start are. */
const exclusive: Choice = (b, { lane, base, last }, select) => {
  const other = b.op('xor32', lane, select);
  return b.op('select32', b.op('ltU32', b.op('add32', base, last), other), lane, other);
};

/** The address that ds_bpermute takes for lane S0 of the group. */
function makeIndex(o: Operation): void {
  const { b } = o;
  o.set32(b.op('shl32', inGroup(b, groupOf(b, o.u32(1)), o.u32(0)), b.i32(2)));
}

export const LANE_GROUPS: Readonly<Record<string, Semantic>> = {
  v_permlane_bcast_b32: move(inGroup),
  v_permlane_up_b32: move(below),
  v_permlane_down_b32: move(above),
  v_permlane_xor_b32: move(exclusive),
  v_permlane_idx_gen_b32: makeIndex,
};
