/**
 * Scalar loads through buffer resources, and the scalar stores and atomics of gfx9 and gfx10 (semantics.md §10, SMEM). What may be out
 * of range or writes memory is an access of one lane, whatever EXEC is.
 */
import type { Address, Value } from '../ir/block.js';
import type { AtomicOp } from '../ir/ops.js';
import type { Access } from '../ir/wave-builder.js';
import { readResource } from './buffer-resource.js';
import { need } from './memory.js';
import { ATOMICS } from './memory-global.js';
import type { Operation, Semantic } from './operation.js';
import { scalarAddress } from './smem.js';

const ALIGNED = 0xffff_fffc;

/** The value of lane 0, which alone accesses memory. */
const scalar = (o: Operation, value: Value): Value => o.b.op('readLane', value, o.b.i32(0));

const firstLane = (o: Operation): Value => o.b.op('eq32', o.b.op('laneId'), o.b.i32(0));

/** Offset of a scalar buffer access: unsigned, instruction and register. */
function bufferOffset(o: Operation): Value {
  const { b } = o;
  const register = o.find('soffset');
  const offset = b.i32(o.immediate('offset'));
  return register === undefined ? offset : b.op('add32', o.read32(register), offset);
}

/** A place of a scalar buffer access: `bytes` behind its offset, and whether `size` bytes there are in range. */
function bufferPlace(o: Operation, isNarrow: boolean): (bytes: number, size: number) => { address: Address; inRange: Value } {
  const { b } = o;
  const { base, stride, records } = readResource(o, need(o, 'sbase'));
  const whole = bufferOffset(o);
  const offset = isNarrow ? whole : b.op('and32', whole, b.i32(ALIGNED));
  // Bytes: num_records, in strides where there is one.
  const isStructured = b.op('not', b.op('eq32', stride, b.i32(0)));
  const total = b.op('mulWideU32', records, b.op('select32', isStructured, stride, b.i32(1)));
  const start = isNarrow ? base : b.op('and64', base, b.i64(ALIGNED, 0xffff_ffff));
  return (bytes, size) => {
    const end = b.op('add64', b.op('pack64', offset, b.i32(0)), b.i64(bytes + size, 0));
    return { address: { base: start, offset, constant: bytes }, inRange: b.op('not', b.op('ltU64', total, end)) };
  };
}

function loadFrom(o: Operation, { address, inRange }: { address: Address; inRange: Value }, bits: 8 | 16 | 32): Value {
  const { b } = o;
  const mask = b.op('and', firstLane(o), inRange);
  const loaded = b.load({ space: 'global', address, mask }, bits);
  return b.op('select32', inRange, scalar(o, loaded), b.i32(0));
}

/** Dwords out of range are 0. */
function loadBuffer(dwords: number): Semantic {
  return (o) => {
    const place = bufferPlace(o, false);
    const values = Array.from({ length: dwords }, (_, n) => loadFrom(o, place(4 * n, 4), 32));
    for (const [n, value] of values.entries()) o.set32(value, o.result(), n);
  };
}

function loadBufferNarrow(bits: 8 | 16, sign: 'signed' | 'unsigned'): Semantic {
  return (o) => {
    const value = loadFrom(o, bufferPlace(o, true)(0, bits / 8), bits);
    o.set32(sign === 'signed' ? o.signExtend(value, bits) : value);
  };
}

/** Stores are dropped dword by dword where they are out of range. */
function storeBuffer(dwords: number): Semantic {
  return (o) => {
    const { b } = o;
    const place = bufferPlace(o, false);
    const data = need(o, 'sdata');
    for (let n = 0; n < dwords; n++) {
      const { address, inRange } = place(4 * n, 4);
      b.store({ space: 'global', address, mask: b.op('and', firstLane(o), inRange) }, 32, o.read32(data, n));
    }
  };
}

function store(dwords: number): Semantic {
  return (o) => {
    const data = need(o, 'sdata');
    const address = scalarAddress(o);
    const group = o.b.newGroup();
    for (let n = 0; n < dwords; n++) {
      const access = {
        space: 'global',
        address: { ...address, constant: address.constant + 4 * n },
        mask: firstLane(o),
      } as const;
      o.b.store(access, 32, o.read32(data, n), group);
    }
  };
}

/** Data, and the value to compare with behind it, in the registers that also take the old value. */
function atomic(op: AtomicOp, bits: 32 | 64, kind: 'memory' | 'buffer'): Semantic {
  return (o) => {
    const { b } = o;
    const data = o.find('sdata') ?? need(o, 'sdst');
    const value = (n: number): Value =>
      bits === 64 ? b.op('pack64', o.read32(data, 2 * n), o.read32(data, 2 * n + 1)) : o.read32(data, n);
    let access: Required<Access> = { space: 'global', address: { constant: 0 }, mask: firstLane(o) };
    let inRange = b.bool(1);
    if (kind === 'memory') access = { ...access, address: scalarAddress(o) };
    else {
      const place = bufferPlace(o, false)(0, bits / 8);
      inRange = place.inRange;
      access = { ...access, address: place.address, mask: b.op('and', firstLane(o), inRange) };
    }
    const old = b.atomic(access, op, value(0), op === 'cmpswap' ? value(1) : undefined);
    if (o.results.length === 0) return;
    const parts = bits === 64 ? [b.op('low64', old), b.op('high64', old)] : [old];
    for (const [n, part] of parts.entries()) o.set32(b.op('select32', inRange, scalar(o, part), b.i32(0)), o.result(), n);
  };
}

function atomics(): Record<string, Semantic> {
  const table: Record<string, Semantic> = {};
  for (const [name, op, bits] of [...ATOMICS, ['cmpswap_b32', 'cmpswap', 32], ['cmpswap_b64', 'cmpswap', 64]] as const) {
    if (/_(?:f|bf)\d+$/.test(name)) continue;
    table[`s_atomic_${name}`] = atomic(op, bits, 'memory');
    table[`s_buffer_atomic_${name}`] = atomic(op, bits, 'buffer');
  }
  return table;
}

const nothing: Semantic = () => undefined;

export const SMEM_BUFFER: Readonly<Record<string, Semantic>> = {
  s_buffer_load_b32: loadBuffer(1),
  s_buffer_load_b64: loadBuffer(2),
  s_buffer_load_b96: loadBuffer(3),
  s_buffer_load_b128: loadBuffer(4),
  s_buffer_load_b256: loadBuffer(8),
  s_buffer_load_b512: loadBuffer(16),
  s_buffer_load_u8: loadBufferNarrow(8, 'unsigned'),
  s_buffer_load_i8: loadBufferNarrow(8, 'signed'),
  s_buffer_load_u16: loadBufferNarrow(16, 'unsigned'),
  s_buffer_load_i16: loadBufferNarrow(16, 'signed'),
  s_buffer_store_b32: storeBuffer(1),
  s_buffer_store_b64: storeBuffer(2),
  s_buffer_store_b128: storeBuffer(4),
  s_store_b32: store(1),
  s_store_b64: store(2),
  s_store_b128: store(4),
  ...atomics(),
  // Translation probes and cache maintenance: translations are always there, memory is coherent.
  s_atc_probe: nothing,
  s_atc_probe_buffer: nothing,
  s_buffer_prefetch_data: nothing,
  s_dcache_wb: nothing,
  s_dcache_wb_vol: nothing,
  s_dcache_inv_vol: nothing,
  s_dcache_discard: nothing,
  s_dcache_discard_x2: nothing,
  buffer_invl2: nothing,
  buffer_inv: nothing,
  buffer_wbl2: nothing,
  buffer_wbinvl1: nothing,
  buffer_wbinvl1_vol: nothing,
};
