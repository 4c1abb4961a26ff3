/** Operations across lanes: readlane, writelane, permutations, swizzles, counts of lower lanes (semantics.md §2, §9). */
import type { Value } from '../ir/block.js';
import type { Operand } from '@doorbell/isa';
import type { WaveBuilder } from '../ir/wave-builder.js';
import { need } from './memory.js';
import type { Operation, Semantic } from './operation.js';

/** All lanes of a vector source, whatever EXEC is; a scalar source is the same in all. */
export function allLanes(o: Operation, operand: Operand): Value {
  if (o.b.mode.indexed !== undefined) o.unsupported(`${o.name} with indexed registers`);
  const index = o.vectorIndex(operand);
  return index === undefined ? o.read32(operand) : o.b.vgprAllLanes(index);
}

/** The first lane's value of what should be uniform: lane numbers and scalars that come from a VGPR are read as scalars. */
function uniform(o: Operation, value: Value): Value {
  return value.uniform ? value : o.unsupported(`${o.name} with a lane number per lane`);
}

/** `value` of lane `index`, 0 where that lane is not active. */
function shuffleActive(b: WaveBuilder, value: Value, index: Value): Value {
  const exec = b.op('select32', b.execMask(), b.i32(1), b.i32(0));
  const isActive = b.op('eq32', b.op('shuffle', exec, index), b.i32(1));
  return b.op('select32', isActive, b.op('shuffle', value, index), b.i32(0));
}

/** v_permlane16 and v_permlanex16: the lane within a row by a nibble of {S2, S1}. */
function permuteRow(row: 'same' | 'other'): Semantic {
  return (o) => {
    const { b } = o;
    const lane = b.op('laneId');
    const position = b.op('and32', lane, b.i32(15));
    const word = b.op('select32', b.op('ltU32', position, b.i32(8)), o.u32(1), o.u32(2));
    const shift = b.op('shl32', b.op('and32', position, b.i32(7)), b.i32(2));
    const nibble = b.op('and32', b.op('shrU32', word, shift), b.i32(15));
    const base = b.op('and32', row === 'same' ? lane : b.op('xor32', lane, b.i32(16)), b.i32(~15));
    const index = b.op('or32', base, nibble);
    fetch(o, index);
  };
}

/** gfx12: v_permlane16_var and v_permlanex16_var, the lane within a row by the low four bits of S1. */
function permuteRowByLane(row: 'same' | 'other'): Semantic {
  return (o) => {
    const { b } = o;
    const lane = b.op('laneId');
    const base = b.op('and32', row === 'same' ? lane : b.op('xor32', lane, b.i32(16)), b.i32(~15));
    fetch(o, b.op('or32', base, b.op('and32', o.u32(1), b.i32(15))));
  };
}

/** S0 of lane `index`. op_sel[0]: also of inactive lanes; op_sel[1]: what is not fetched is 0 instead of the old value. */
function fetch(o: Operation, index: Value): void {
  const { b } = o;
  const moved = b.op('shuffle', allLanes(o, o.source(0)), index);
  if (o.source(0).opSel) {
    o.set32(moved);
    return;
  }
  const exec = b.op('select32', b.execMask(), b.i32(1), b.i32(0));
  const isActive = b.op('eq32', b.op('shuffle', exec, index), b.i32(1));
  o.set32(b.op('select32', isActive, moved, o.source(1).opSel ? b.i32(0) : o.old32()));
}

/** Rows 1 and 3 of the first operand change places with rows 0 and 2 of the second (semantics.md §4). */
const swapRows: Semantic = (o) => {
  const { b } = o;
  if (o.immediate('fi') === 1 || o.immediate('bound_ctrl') === 1) o.unsupported(`${o.name} with fi or bound_ctrl`);
  const [x, y] = [o.result(0), o.result(1)];
  const lane = b.op('laneId');
  const other = b.op('xor32', lane, b.i32(16));
  const isOddRow = b.op('eq32', b.op('and32', lane, b.i32(16)), b.i32(16));
  const [fromX, fromY] = [b.op('shuffle', allLanes(o, x), other), b.op('shuffle', allLanes(o, y), other)];
  const [newX, newY] = [b.op('select32', isOddRow, fromY, o.read32(x)), b.op('select32', isOddRow, o.read32(y), fromX)];
  o.set32(newX, x);
  o.set32(newY, y);
};

/** Lanes below this one among the set bits of a mask half. */
function countBelow(half: 0 | 1): Semantic {
  return (o) => {
    const { b } = o;
    const lane = b.op('laneId');
    // Bits below the lane's own in this half; the shift of 32 in the other half becomes all ones or none.
    const below = b.op('sub32', b.op('shl32', b.i32(1), lane), b.i32(1));
    const isUpper = b.op('ltU32', b.i32(31), lane);
    const mask = half === 0 ? b.op('select32', isUpper, b.i32(0xffff_ffff), below) : b.op('select32', isUpper, below, b.i32(0));
    o.set32(b.op('add32', b.op('popcnt32', b.op('and32', o.u32(0), mask)), o.u32(1)));
  };
}

/** Number of the lane that ds_bpermute and ds_permute mean: within the 32 lanes of the same half on gfx10 and gfx11. */
function permuteIndex(o: Operation): Value {
  const { b } = o;
  const address = b.op('add32', o.read32(need(o, 'addr')), b.i32(o.immediate('offset')));
  const index = b.op('shrU32', address, b.i32(2));
  const { family } = o.generation;
  const isHalved = family === 'gfx10' || family === 'gfx11';
  if (!isHalved) return b.op('and32', index, b.i32(b.waveSize - 1));
  const half = b.op('and32', b.op('laneId'), b.i32(32));
  return b.op('or32', half, b.op('and32', index, b.i32(31)));
}

/** ds_swizzle: the source lane of each lane, by the mode in the offset (formats.json, ds_swizzle). */
function swizzleIndex(o: Operation): Value {
  const { b } = o;
  const mode = o.immediate('offset') & 0xffff;
  const lane = b.op('laneId');
  const group = b.op('and32', lane, b.i32(~31));
  if (mode >= 0xe000) return o.unsupported('ds_swizzle in FFT mode');
  if (mode >= 0xc000) {
    const amount = (mode >> 5) & 31;
    const kept = b.i32(mode & 31);
    const moved = b.op('add32', lane, b.i32((mode & 0x400) === 0 ? amount : -amount));
    const index = b.op('or32', b.op('and32', lane, kept), b.op('and32', moved, b.i32(~mode & 31)));
    return b.op('or32', group, b.op('and32', index, b.i32(31)));
  }
  if ((mode & 0x8000) !== 0) {
    const shift = b.op('shl32', b.op('and32', lane, b.i32(3)), b.i32(1));
    const within = b.op('and32', b.op('shrU32', b.i32(mode & 0xff), shift), b.i32(3));
    return b.op('or32', b.op('and32', lane, b.i32(~3)), within);
  }
  const [and, or, xor] = [mode & 31, (mode >> 5) & 31, (mode >> 10) & 31];
  const index = b.op('xor32', b.op('or32', b.op('and32', lane, b.i32(and)), b.i32(or)), b.i32(xor));
  return b.op('or32', group, index);
}

/** ds_permute: each active lane hands its value to another; of two to the same lane the higher one wins, a lane without gets 0. */
const permuteForward: Semantic = (o) => {
  const { b } = o;
  const [value, target] = [allLanes(o, need(o, 'data0')), permuteIndex(o)];
  const active = b.op('select32', b.execMask(), b.i32(1), b.i32(0));
  const lane = b.op('laneId');
  let result = b.i32(0);
  for (let n = 0; n < b.waveSize; n++) {
    const from = b.i32(n);
    const isActive = b.op('eq32', b.op('readLane', active, from), b.i32(1));
    const isMine = b.op('and', b.op('eq32', lane, b.op('readLane', target, from)), isActive);
    result = b.op('select32', isMine, b.op('readLane', value, from), result);
  }
  o.set32(result);
};

export const LANE: Readonly<Record<string, Semantic>> = {
  v_readfirstlane_b32: (o) => {
    o.set32(o.b.op('readFirstLane', allLanes(o, o.source(0)), o.b.execMask()));
  },
  v_readlane_b32: (o) => {
    o.set32(o.b.op('readLane', allLanes(o, o.source(0)), uniform(o, o.u32(1))));
  },
  v_writelane_b32: (o) => {
    const result = o.result();
    const [value, lane] = [uniform(o, o.u32(0)), uniform(o, o.u32(1))];
    o.b.setVgprAllLanes(result.index, o.b.op('insertLane', o.b.vgprAllLanes(result.index), lane, value));
  },
  v_permlane16_b32: permuteRow('same'),
  v_permlanex16_b32: permuteRow('other'),
  v_permlane16_var_b32: permuteRowByLane('same'),
  v_permlanex16_var_b32: permuteRowByLane('other'),
  v_permlane16_swap_b32: swapRows,
  // Swaps the halves of a wave64; no operation in wave32 (RDNA3 ISA document, V_PERMLANE64_B32).
  v_permlane64_b32: (o) => {
    const { b } = o;
    if (b.waveSize === 32) return;
    o.set32(b.op('shuffle', allLanes(o, o.source(0)), b.op('xor32', b.op('laneId'), b.i32(32))));
  },
  v_mbcnt_lo_u32_b32: countBelow(0),
  v_mbcnt_hi_u32_b32: countBelow(1),
  ds_bpermute_b32: (o) => {
    o.set32(shuffleActive(o.b, allLanes(o, need(o, 'data0')), permuteIndex(o)));
  },
  // Also reads inactive lanes.
  ds_bpermute_fi_b32: (o) => {
    o.set32(o.b.op('shuffle', allLanes(o, need(o, 'data0')), permuteIndex(o)));
  },
  ds_permute_b32: permuteForward,
  ds_swizzle_b32: (o) => {
    o.set32(shuffleActive(o.b, allLanes(o, need(o, 'addr')), swizzleIndex(o)));
  },
};
