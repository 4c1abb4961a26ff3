/** GLOBAL, FLAT and SCRATCH loads, stores and atomics (semantics.md §10). */
import type { Address, Value } from '../ir/block.js';
import { SGPR_M0 } from '../ir/block.js';
import type { AtomicOp } from '../ir/ops.js';
import type { Access } from '../ir/wave-builder.js';
import type { NarrowLoad } from './memory.js';
import { laneAccess, loadDwords, loadNarrow, need, scaledOffset, setDwords, storeDwords, storeNarrow } from './memory.js';
import type { Operation, Semantic } from './operation.js';

type Space = 'global' | 'flat' | 'scratch';

/**
 * global: SGPR pair + 32-bit VGPR + offset, or VGPR pair + offset. flat: VGPR pair + offset. scratch: the lane's private segment at
 * VGPR + SGPR + offset, each of them optional.
 */
export function access(o: Operation, space: Space, bytes: number): Required<Access> {
  return laneAccess(o, space, space === 'scratch' ? scratchAddress(o, bytes) : addressOf(o, bytes));
}

function addressOf(o: Operation, bytes: number): Address {
  const constant = o.immediate('offset');
  const scalar = o.find('saddr');
  const vector = o.find('vaddr');
  if (scalar !== undefined && o.scalarIndex(scalar) !== -1) {
    const base = o.read64(scalar);
    return vector === undefined ? { base, constant } : { base, offset: scaledOffset(o, vector, bytes), constant };
  }
  return { vector: o.read64(vector ?? need(o, 'vaddr')), constant };
}

function scratchAddress(o: Operation, bytes: number): Address {
  const { b } = o;
  const [vector, scalar] = [o.find('vaddr'), o.find('saddr')];
  const values: Value[] = [];
  if (vector !== undefined) values.push(scaledOffset(o, vector, bytes));
  if (scalar !== undefined) values.push(o.read32(scalar));
  const offset = values.reduce((sum, value) => b.op('add32', sum, value), b.i32(0));
  return { offset, constant: o.immediate('offset') };
}

function load(space: Space, dwords: number): Semantic {
  return (o) => {
    if (o.results.length === 0) storeToLds(o, loadDwords(o, access(o, space, 4 * dwords), dwords));
    else setDwords(o, loadDwords(o, access(o, space, 4 * dwords), dwords));
  };
}

/**
 * Loads that write LDS instead of a register (up to gfx950): each lane its own dwords, one lane after the other from M0 on. The
 * offset of the instruction counts on both sides (CDNA3 ISA document, "Memory Buffer Load to LDS").
 */
export function storeToLds(o: Operation, values: readonly Value[]): void {
  const group = o.b.newGroup();
  const address = ldsPlace(o, values.length);
  for (const [n, value] of values.entries()) {
    o.b.store(laneAccess(o, 'lds', { ...address, constant: address.constant + 4 * n }), 32, value, group);
  }
}

/** Where the lane's dwords lie in LDS. */
export function ldsPlace(o: Operation, dwords: number): Address {
  const { b } = o;
  const base = b.op('and32', b.sgpr(SGPR_M0), b.i32(o.generation.processor === 'gfx950' ? 0x3_ffff : 0xffff));
  return { offset: b.op('add32', base, b.op('mul32', b.op('laneId'), b.i32(4 * dwords))), constant: o.immediate('offset') };
}

function loadPart(space: Space, narrow: NarrowLoad): Semantic {
  return (o) => {
    if (o.results.length > 0) {
      loadNarrow(o, access(o, space, narrow.bits / 8), narrow);
      return;
    }
    if (narrow.half !== '') o.unsupported(`${o.name} into LDS`);
    const loaded = o.b.load(access(o, space, narrow.bits / 8), narrow.bits);
    storeToLds(o, [narrow.isSigned ? o.signExtend(loaded, narrow.bits) : loaded]);
  };
}

function store(space: Space, dwords: number): Semantic {
  return (o) => {
    storeDwords(o, access(o, space, 4 * dwords), need(o, 'vdata'), dwords);
  };
}

/** Sums of f32 in memory flush denormals up to gfx90a and gfx10, whatever MODE says (semantics.md §10). */
function additionOf({ generation }: Operation): AtomicOp {
  const { family } = generation;
  return family === 'gfx9' || family === 'gfx90a' || family === 'gfx10' ? 'addFlushF32' : 'addF32';
}

/** Returns the old value where the encoding has a result. */
function atomic(space: Space, op: AtomicOp, bits: 32 | 64): Semantic {
  return (o) => {
    const data = need(o, 'vdata');
    const address = access(o, space, bits / 8);
    const old = o.b.atomic(address, op === 'addF32' ? additionOf(o) : op, bits === 64 ? o.read64(data) : o.read32(data));
    if (o.results.length === 0) return;
    if (bits === 64) o.set64(old);
    else o.set32(old);
  };
}

/** vdata: the new value, then the value to compare with. */
function compareSwap(space: Space, op: AtomicOp, bits: 32 | 64): Semantic {
  return (o) => {
    const { b } = o;
    const data = need(o, 'vdata');
    const wide = (part: number) => b.op('pack64', o.read32(data, part), o.read32(data, part + 1));
    const [value, compare] = bits === 64 ? [wide(0), wide(2)] : [o.read32(data, 0), o.read32(data, 1)];
    const old = b.atomic(access(o, space, bits / 8), op, value, compare);
    if (o.results.length === 0) return;
    if (bits === 64) o.set64(old);
    else o.set32(old);
  };
}

export const LOADS: Readonly<Record<string, NarrowLoad>> = {
  load_u8: { bits: 8, isSigned: false, half: '' },
  load_i8: { bits: 8, isSigned: true, half: '' },
  load_u16: { bits: 16, isSigned: false, half: '' },
  load_i16: { bits: 16, isSigned: true, half: '' },
  load_d16_u8: { bits: 8, isSigned: false, half: 'low' },
  load_d16_i8: { bits: 8, isSigned: true, half: 'low' },
  load_d16_b16: { bits: 16, isSigned: false, half: 'low' },
  load_d16_hi_u8: { bits: 8, isSigned: false, half: 'high' },
  load_d16_hi_i8: { bits: 8, isSigned: true, half: 'high' },
  load_d16_hi_b16: { bits: 16, isSigned: false, half: 'high' },
};

export const STORES: readonly (readonly [name: string, bits: 8 | 16, half: 'high' | ''])[] = [
  ['store_b8', 8, ''],
  ['store_b16', 16, ''],
  ['store_d16_hi_b8', 8, 'high'],
  ['store_d16_hi_b16', 16, 'high'],
];

export const ATOMICS: readonly (readonly [name: string, op: AtomicOp, bits: 32 | 64])[] = [
  ['swap_b32', 'swap', 32],
  ['swap_b64', 'swap', 64],
  ['add_u32', 'add', 32],
  ['add_u64', 'add', 64],
  ['sub_u32', 'sub', 32],
  ['sub_u64', 'sub', 64],
  ['min_i32', 'minS', 32],
  ['min_i64', 'minS', 64],
  ['min_u32', 'minU', 32],
  ['min_u64', 'minU', 64],
  ['max_i32', 'maxS', 32],
  ['max_i64', 'maxS', 64],
  ['max_u32', 'maxU', 32],
  ['max_u64', 'maxU', 64],
  ['and_b32', 'and', 32],
  ['and_b64', 'and', 64],
  ['or_b32', 'or', 32],
  ['or_b64', 'or', 64],
  ['xor_b32', 'xor', 32],
  ['xor_b64', 'xor', 64],
  ['inc_u32', 'inc', 32],
  ['inc_u64', 'inc', 64],
  ['dec_u32', 'dec', 32],
  ['dec_u64', 'dec', 64],
  ['csub_u32', 'subClamp', 32],
  ['sub_clamp_u32', 'subClamp', 32],
  ['cond_sub_u32', 'condSub', 32],
  ['add_f32', 'addF32', 32],
  ['min_f32', 'minF32', 32],
  ['max_f32', 'maxF32', 32],
  ['add_f64', 'addF64', 64],
  ['min_f64', 'minF64', 64],
  ['max_f64', 'maxF64', 64],
  ['pk_add_f16', 'pkAddF16', 32],
  ['pk_add_bf16', 'pkAddBf16', 32],
];

export const COMPARE_SWAPS: readonly (readonly [name: string, op: AtomicOp, bits: 32 | 64])[] = [
  ['cmpswap_b32', 'cmpswap', 32],
  ['cmpswap_b64', 'cmpswap', 64],
  ['cmpswap_f32', 'cmpswapF32', 32],
  ['cmpswap_f64', 'cmpswapF64', 64],
];

function table(space: Space): Record<string, Semantic> {
  const result: Record<string, Semantic> = {};
  for (const [name, narrow] of Object.entries(LOADS)) {
    result[`${space}_${name}`] = loadPart(space, narrow);
    // gfx942 and gfx950 name the loads that write LDS.
    if (narrow.half === '') result[`${space}_${name.replace('load_', 'load_lds_')}`] = loadPart(space, narrow);
  }
  for (const [name, bits, half] of STORES) {
    result[`${space}_${name}`] = (o) => {
      storeNarrow(o, access(o, space, bits / 8), need(o, 'vdata'), bits, half);
    };
  }
  for (const dwords of [1, 2, 3, 4]) {
    result[`${space}_load_b${dwords * 32}`] = load(space, dwords);
    result[`${space}_load_lds_b${dwords * 32}`] = load(space, dwords);
    result[`${space}_store_b${dwords * 32}`] = store(space, dwords);
  }
  if (space === 'scratch') return result;
  for (const [name, op, bits] of ATOMICS) result[`${space}_atomic_${name}`] = atomic(space, op, bits);
  for (const [name, op, bits] of COMPARE_SWAPS) result[`${space}_atomic_${name}`] = compareSwap(space, op, bits);
  return result;
}

/** gfx12: as many of 32 registers as M0 has bits, each at its own place in memory (LLVM SIFrameLowering.cpp, block spills). */
function block(space: Space, action: 'load' | 'store'): Semantic {
  return (o) => {
    const { b } = o;
    const at = access(o, space, 128);
    const data = action === 'load' ? o.result() : need(o, 'vdata');
    for (let n = 0; n < BLOCK_REGISTERS; n++) {
      const bit = b.op('and32', b.sgpr(SGPR_M0), b.i32(1 << n));
      const mask = b.op('and', b.op('not', b.op('eq32', bit, b.i32(0))), at.mask);
      const part = { ...at, address: { ...at.address, constant: at.address.constant + 4 * n }, mask };
      if (action === 'store') b.store(part, 32, o.read32(data, n));
      else b.setVgprUnder(mask, data.index + n, b.load(part, 32));
    }
  };
}

const BLOCK_REGISTERS = 32;

/** gfx1250: from memory to the lane's own address in LDS, or back; it is done when the instruction is. */
function asyncLds(bits: 8 | 32 | 64 | 128, direction: 'to' | 'from'): Semantic {
  return (o) => {
    const { b } = o;
    if (o.immediate('offset') !== 0)
      o.unsupported(`${o.name} with an offset: which of its addresses it counts for is not documented`);
    const memory = access(o, 'global', bits / 8);
    const address = need(o, direction === 'to' ? 'vdst' : 'vdata');
    const lds = laneAccess(o, 'lds', { offset: o.read32(address), constant: 0 });
    const [source, target] = direction === 'to' ? [memory, lds] : [lds, memory];
    if (bits === 8) {
      b.store(target, 8, b.load(source, 8));
      return;
    }
    const group = b.newGroup();
    for (const [n, value] of loadDwords(o, source, bits / 32).entries()) {
      b.store({ ...target, address: { ...target.address, constant: target.address.constant + 4 * n } }, 32, value, group);
    }
  };
}

/** What gfx1250 has beside: loads that watch a line, loads for a cluster, which is one workgroup here, and copies to and from LDS. */
function gfx1250Table(): Record<string, Semantic> {
  const result: Record<string, Semantic> = {};
  for (const bits of [32, 64, 128]) {
    result[`global_load_monitor_b${bits}`] = load('global', bits / 32);
    result[`flat_load_monitor_b${bits}`] = load('flat', bits / 32);
    result[`cluster_load_b${bits}`] = load('global', bits / 32);
  }
  for (const bits of [8, 32, 64, 128] as const) {
    result[`global_load_async_to_lds_b${bits}`] = asyncLds(bits, 'to');
    result[`cluster_load_async_to_lds_b${bits}`] = asyncLds(bits, 'to');
    result[`global_store_async_from_lds_b${bits}`] = asyncLds(bits, 'from');
  }
  return result;
}

/** Base + lane·4 + offset. */
function addtid(o: Operation): Required<Access> {
  const { b } = o;
  const scalar = o.find('saddr');
  const base = scalar === undefined ? b.i64(0, 0) : o.read64(scalar);
  const offset = b.op('shl32', b.op('laneId'), b.i32(2));
  return laneAccess(o, 'global', { base, offset, constant: o.immediate('offset') });
}

export const MEMORY_GLOBAL: Readonly<Record<string, Semantic>> = {
  ...table('global'),
  ...table('flat'),
  ...table('scratch'),
  ...gfx1250Table(),
  global_load_block: block('global', 'load'),
  global_store_block: block('global', 'store'),
  scratch_load_block: block('scratch', 'load'),
  scratch_store_block: block('scratch', 'store'),
  global_load_addtid_b32: (o) => {
    setDwords(o, loadDwords(o, addtid(o), 1));
  },
  global_store_addtid_b32: (o) => {
    storeDwords(o, addtid(o), need(o, 'vdata'), 1);
  },
};
