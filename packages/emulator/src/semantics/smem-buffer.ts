/** Scalar loads through buffer resources (semantics.md §10, SMEM): accesses of one lane, as they may be out of range. */
import type { Address, Value } from '../ir/block.js';
import { readResource } from './buffer-resource.js';
import { need } from './memory.js';
import type { Operation, Semantic } from './operation.js';

const ALIGNED = 0xffff_fffc;

/** The value of lane 0, which alone accesses memory. */
const fromFirst = (o: Operation, value: Value): Value => o.b.op('readLane', value, o.b.i32(0));

/** The first lane, whatever EXEC is. */
export const firstLane = (o: Operation): Value => o.b.op('eq32', o.b.op('laneId'), o.b.i32(0));

/** Offset of a scalar buffer access: unsigned, instruction and register. */
function bufferOffset(o: Operation): Value {
  const { b } = o;
  const register = o.find('soffset');
  const offset = b.i32(o.immediate('offset'));
  return register === undefined ? offset : b.op('add32', o.read32(register), offset);
}

/** A part of a scalar buffer access. */
export interface ScalarBufferPlace {
  readonly address: Address;
  readonly inRange: Value;
}

/** The place of `size` bytes that lie `bytes` behind the offset of a scalar buffer access. */
export function scalarBufferPlace(o: Operation, isNarrow: boolean): (bytes: number, size: number) => ScalarBufferPlace {
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

function loadFrom(o: Operation, { address, inRange }: ScalarBufferPlace, bits: 8 | 16 | 32): Value {
  const { b } = o;
  const mask = b.op('and', firstLane(o), inRange);
  const loaded = b.load({ space: 'global', address, mask }, bits);
  return b.op('select32', inRange, fromFirst(o, loaded), b.i32(0));
}

/** Dwords out of range are 0. */
function loadBuffer(dwords: number): Semantic {
  return (o) => {
    const place = scalarBufferPlace(o, false);
    const values = Array.from({ length: dwords }, (_, n) => loadFrom(o, place(4 * n, 4), 32));
    for (const [n, value] of values.entries()) o.set32(value, o.result(), n);
  };
}

function loadBufferNarrow(bits: 8 | 16, sign: 'signed' | 'unsigned'): Semantic {
  return (o) => {
    const value = loadFrom(o, scalarBufferPlace(o, true)(0, bits / 8), bits);
    o.set32(sign === 'signed' ? o.signExtend(value, bits) : value);
  };
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
  // Translation probes and cache maintenance: translations are always there, memory is coherent.
  s_atc_probe: nothing,
  s_atc_probe_buffer: nothing,
  s_buffer_prefetch_data: nothing,
  buffer_invl2: nothing,
  buffer_inv: nothing,
  buffer_wbl2: nothing,
  buffer_wbinvl1: nothing,
  buffer_wbinvl1_vol: nothing,
};
