/** DS loads, stores and atomics on the workgroup's LDS (semantics.md §10). */
import type { Address, Value } from '../ir/block.js';
import { SGPR_EXEC, SGPR_M0 } from '../ir/block.js';
import type { AtomicOp } from '../ir/ops.js';
import type { Access } from '../ir/wave-builder.js';
import type { NarrowLoad } from './memory.js';
import { laneAccess, loadDwords, loadNarrow, need, setDwords, storeDwords, storeNarrow } from './memory.js';
import type { Operation, Semantic } from './operation.js';

function requireLds(o: Operation): void {
  if (o.immediate('gds') === 1) o.unsupported('global data share');
}

function address(o: Operation, constant: number): Address {
  return { offset: o.read32(need(o, 'addr')), constant };
}

export function access(o: Operation, constant: number = o.immediate('offset')): Required<Access> {
  requireLds(o);
  return laneAccess(o, 'lds', address(o, constant));
}

function load(dwords: number): Semantic {
  return (o) => {
    setDwords(o, loadDwords(o, access(o), dwords));
  };
}

function store(dwords: number): Semantic {
  return (o) => {
    storeDwords(o, access(o), need(o, 'data0'), dwords);
  };
}

/** Two elements at offset0 and offset1, in units of the element, with `stride64` of 64 elements. */
function load2(dwords: 1 | 2, unit: number): Semantic {
  return (o) => {
    const first = loadDwords(o, access(o, o.immediate('offset0') * unit), dwords);
    const second = loadDwords(o, access(o, o.immediate('offset1') * unit), dwords);
    setDwords(o, [...first, ...second]);
  };
}

function store2(dwords: 1 | 2, unit: number): Semantic {
  return (o) => {
    storeDwords(o, access(o, o.immediate('offset0') * unit), need(o, 'data0'), dwords);
    storeDwords(o, access(o, o.immediate('offset1') * unit), need(o, 'data1'), dwords);
  };
}

function data(o: Operation, name: string, bits: 32 | 64): Value {
  const operand = need(o, name);
  return bits === 64 ? o.read64(operand) : o.read32(operand);
}

function setOld(o: Operation, old: Value): void {
  if (o.results.length === 0) return;
  if (old.type === 'i64') o.set64(old);
  else o.set32(old);
}

/** ds_add_f32 treats denormals as MODE says, always rounded to nearest (semantics.md §10). */
function additionOf(o: Operation): AtomicOp {
  const keeps = o.b.mode.denormF32;
  if (keeps === 3) return 'addF32';
  return keeps === 0 ? 'addFlushF32' : o.unsupported(`${o.name} that keeps denormals on one side only`);
}

function atomic(op: AtomicOp, bits: 32 | 64): Semantic {
  return (o) => {
    setOld(o, o.b.atomic(access(o), op === 'addF32' ? additionOf(o) : op, data(o, 'data0', bits)));
  };
}

/** data0 is the new value, data1 the one to compare with (gfx11 and later). */
function compareStore(op: AtomicOp, bits: 32 | 64): Semantic {
  return (o) => {
    setOld(o, o.b.atomic(access(o), op, data(o, 'data0', bits), data(o, 'data1', bits)));
  };
}

/** data0 is the value to compare with, data1 the new one (up to gfx10). */
function compareSwap(op: AtomicOp, bits: 32 | 64): Semantic {
  return (o) => {
    setOld(o, o.b.atomic(access(o), op, data(o, 'data1', bits), data(o, 'data0', bits)));
  };
}

/** Each dword of data0 with bit 31 set is exchanged, without that bit; the others are read only. */
const exchangeByBit: Semantic = (o) => {
  const { b } = o;
  const old = [0, 1].map((part) => {
    const { space, address: place, mask } = access(o, o.immediate('offset') + 4 * part);
    const word = o.read32(need(o, 'data0'), part);
    const isWritten = b.op('ltS32', word, b.i32(0));
    const before = b.load({ space, address: place, mask }, 32);
    const written = { space, address: place, mask: b.op('and', isWritten, mask) };
    const exchanged = b.atomic(written, 'swap', b.op('and32', word, b.i32(0x7fff_ffff)));
    return b.op('select32', isWritten, exchanged, before);
  });
  setDwords(o, old);
};

/** old >= data0 ? old - data0 : old + data1. */
const wrap: Semantic = (o) => {
  setOld(o, o.b.atomic(access(o), 'wrap', data(o, 'data0', 32), data(o, 'data1', 32)));
};

/** (old & ~data0) | data1. */
function maskOr(bits: 32 | 64): Semantic {
  return (o) => {
    setOld(o, o.b.atomic(access(o), 'mskor', data(o, 'data1', bits), data(o, 'data0', bits)));
  };
}

function exchange2(bits: 32 | 64, unit: number): Semantic {
  return (o) => {
    const [first, second] = [access(o, o.immediate('offset0') * unit), access(o, o.immediate('offset1') * unit)];
    const values = [data(o, 'data0', bits), data(o, 'data1', bits)] as const;
    const old = [o.b.atomic(first, 'swap', values[0]), o.b.atomic(second, 'swap', values[1])];
    setDwords(o, bits === 64 ? old.flatMap((value) => [o.b.op('low64', value), o.b.op('high64', value)]) : old);
  };
}

const LOADS: Readonly<Record<string, NarrowLoad>> = {
  ds_load_u8: { bits: 8, isSigned: false, half: '' },
  ds_load_i8: { bits: 8, isSigned: true, half: '' },
  ds_load_u16: { bits: 16, isSigned: false, half: '' },
  ds_load_i16: { bits: 16, isSigned: true, half: '' },
  ds_load_u8_d16: { bits: 8, isSigned: false, half: 'low' },
  ds_load_u8_d16_hi: { bits: 8, isSigned: false, half: 'high' },
  ds_load_i8_d16: { bits: 8, isSigned: true, half: 'low' },
  ds_load_i8_d16_hi: { bits: 8, isSigned: true, half: 'high' },
  ds_load_u16_d16: { bits: 16, isSigned: false, half: 'low' },
  ds_load_u16_d16_hi: { bits: 16, isSigned: false, half: 'high' },
};

const STORES: readonly (readonly [name: string, bits: 8 | 16, half: 'high' | ''])[] = [
  ['ds_store_b8', 8, ''],
  ['ds_store_b16', 16, ''],
  ['ds_store_b8_d16_hi', 8, 'high'],
  ['ds_store_b16_d16_hi', 16, 'high'],
];

/** Name between `ds_` and the type; the returning form has `_rtn` there. */
const ATOMICS: readonly (readonly [name: string, type: string, op: AtomicOp, bits: 32 | 64])[] = [
  ['add', 'u32', 'add', 32],
  ['add', 'u64', 'add', 64],
  ['sub', 'u32', 'sub', 32],
  ['sub', 'u64', 'sub', 64],
  ['rsub', 'u32', 'rsub', 32],
  ['rsub', 'u64', 'rsub', 64],
  ['inc', 'u32', 'inc', 32],
  ['inc', 'u64', 'inc', 64],
  ['dec', 'u32', 'dec', 32],
  ['dec', 'u64', 'dec', 64],
  ['min', 'i32', 'minS', 32],
  ['min', 'i64', 'minS', 64],
  ['min', 'u32', 'minU', 32],
  ['min', 'u64', 'minU', 64],
  ['max', 'i32', 'maxS', 32],
  ['max', 'i64', 'maxS', 64],
  ['max', 'u32', 'maxU', 32],
  ['max', 'u64', 'maxU', 64],
  ['and', 'b32', 'and', 32],
  ['and', 'b64', 'and', 64],
  ['or', 'b32', 'or', 32],
  ['or', 'b64', 'or', 64],
  ['xor', 'b32', 'xor', 32],
  ['xor', 'b64', 'xor', 64],
  ['sub_clamp', 'u32', 'subClamp', 32],
  ['cond_sub', 'u32', 'condSub', 32],
  ['storexchg', 'b32', 'swap', 32],
  ['storexchg', 'b64', 'swap', 64],
  ['add', 'f32', 'addF32', 32],
  ['min', 'f32', 'minF32', 32],
  ['max', 'f32', 'maxF32', 32],
  ['min', 'f64', 'minF64', 64],
  ['max', 'f64', 'maxF64', 64],
  ['add', 'f64', 'addF64', 64],
  ['pk_add', 'f16', 'pkAddF16', 32],
  ['pk_add', 'bf16', 'pkAddBf16', 32],
];

function atomicTable(): Record<string, Semantic> {
  const result: Record<string, Semantic> = {};
  for (const [name, type, op, bits] of ATOMICS) {
    result[`ds_${name}_${type}`] = atomic(op, bits);
    result[`ds_${name}_rtn_${type}`] = atomic(op, bits);
  }
  for (const bits of [32, 64] as const) {
    for (const rtn of ['', '_rtn']) {
      result[`ds_cmpstore${rtn}_b${bits}`] = compareStore('cmpswap', bits);
      result[`ds_cmpstore${rtn}_f${bits}`] = compareStore(bits === 64 ? 'cmpswapF64' : 'cmpswapF32', bits);
      result[`ds_mskor${rtn}_b${bits}`] = maskOr(bits);
      result[`ds_cmpst${rtn}_b${bits}`] = compareSwap('cmpswap', bits);
      result[`ds_cmpst${rtn}_f${bits}`] = compareSwap(bits === 64 ? 'cmpswapF64' : 'cmpswapF32', bits);
    }
  }
  return result;
}

/**
 * ds_append, ds_consume: the counter at M0[15:0] + offset grows or shrinks by the number of active lanes, once for the wave; all
 * get the value before.
 */
function count(op: 'add' | 'sub'): Semantic {
  return (o) => {
    requireLds(o);
    const { b } = o;
    const offset = b.op('and32', b.sgpr(SGPR_M0), b.i32(0xffff));
    const mask = b.op('eq32', b.op('laneId'), b.i32(0));
    const active = b.op('popcnt64', b.waveMask(SGPR_EXEC));
    const old = b.atomic({ space: 'lds', address: { offset, constant: o.immediate('offset') }, mask }, op, active);
    o.set32(b.op('readLane', old, b.i32(0)));
  };
}

/** M0[15:0] + lane·4 + offset. */
function addtid(o: Operation) {
  requireLds(o);
  const { b } = o;
  const base = b.op('and32', b.sgpr(SGPR_M0), b.i32(0xffff));
  const offset = b.op('add32', base, b.op('shl32', b.op('laneId'), b.i32(2)));
  return laneAccess(o, 'lds', { offset, constant: o.immediate('offset') });
}

export const MEMORY_LDS: Readonly<Record<string, Semantic>> = {
  ...atomicTable(),
  ...Object.fromEntries(
    Object.entries(LOADS).map(([name, narrow]): [string, Semantic] => [
      name,
      (o) => {
        loadNarrow(o, access(o), narrow);
      },
    ]),
  ),
  ...Object.fromEntries(
    STORES.map(([name, bits, half]): [string, Semantic] => [
      name,
      (o) => {
        storeNarrow(o, access(o), need(o, 'data0'), bits, half);
      },
    ]),
  ),
  ds_load_b32: load(1),
  ds_load_b64: load(2),
  ds_load_b96: load(3),
  ds_load_b128: load(4),
  ds_store_b32: store(1),
  ds_store_b64: store(2),
  ds_store_b96: store(3),
  ds_store_b128: store(4),
  ds_load_2addr_b32: load2(1, 4),
  ds_load_2addr_b64: load2(2, 8),
  ds_load_2addr_stride64_b32: load2(1, 4 * 64),
  ds_load_2addr_stride64_b64: load2(2, 8 * 64),
  ds_store_2addr_b32: store2(1, 4),
  ds_store_2addr_b64: store2(2, 8),
  ds_store_2addr_stride64_b32: store2(1, 4 * 64),
  ds_store_2addr_stride64_b64: store2(2, 8 * 64),
  ds_storexchg_2addr_rtn_b32: exchange2(32, 4),
  ds_storexchg_2addr_rtn_b64: exchange2(64, 8),
  ds_storexchg_2addr_stride64_rtn_b32: exchange2(32, 4 * 64),
  ds_storexchg_2addr_stride64_rtn_b64: exchange2(64, 8 * 64),
  ds_load_addtid_b32: (o) => {
    setDwords(o, loadDwords(o, addtid(o), 1));
  },
  ds_store_addtid_b32: (o) => {
    storeDwords(o, addtid(o), need(o, 'data0'), 1);
  },
  ds_condxchg32_rtn_b64: exchangeByBit,
  ds_wrap_rtn_b32: wrap,
  ds_append: count('add'),
  ds_consume: count('sub'),
  ds_nop: () => undefined,
};
