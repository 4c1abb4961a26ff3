/**
 * MUBUF without formats: loads, stores, atomics, transfers between memory and LDS (semantics.md §10). What is in range of a plain
 * resource is one access like a global one; the rest, lanes that are partly in range and swizzled resources, goes dword by dword
 * under a condition of the wave, so that it costs nothing where there is none.
 */
import type { Operand } from '@doorbell/isa';
import type { Address, Value } from '../ir/block.js';
import type { AtomicOp } from '../ir/ops.js';
import type { Access } from '../ir/wave-builder.js';
import type { BufferPlace } from './buffer-address.js';
import { placeOf } from './buffer-address.js';
import type { NarrowLoad } from './memory.js';
import { loadDwords, need, setDwords, setNarrow } from './memory.js';
import { ATOMICS, COMPARE_SWAPS, ldsPlace, LOADS, STORES, storeToLds } from './memory-global.js';
import type { Operation, Semantic } from './operation.js';

/** Where an access of several parts is done at once, and where part by part. */
interface Masks {
  /** Lanes of which all parts are in range of a plain resource. */
  readonly whole: Value;
  /** Other lanes in which the part is in range. */
  readonly part: (bytes: number, size: number) => Value;
}

function masksOf(o: Operation, place: BufferPlace, size: number | Value): Masks {
  const { b } = o;
  const exec = b.execMask();
  const whole = b.op('and', b.op('and', place.inRange(0, size), place.isPlain), exec);
  const others = b.op('any', b.op('and', exec, b.op('not', whole)));
  return {
    whole,
    part: (bytes, partSize) => {
      const lanes = b.op('and', b.op('and', place.inRange(bytes, partSize), b.op('not', whole)), exec);
      return b.op('and', lanes, others);
    },
  };
}

const isNever = (mask: Value): boolean => mask.kind === 'const' && mask.low === 0;

function choose(o: Operation, mask: Value, yes: Value, no: Value): Value {
  return o.b.op(yes.type === 'i64' ? 'select64' : 'select32', mask, yes, no);
}

/** An access under a mask: the plain address, or any. */
function at(place: BufferPlace, address: Address, mask: Value): Required<Access> {
  return { space: place.space, address, mask };
}

/** The dwords of a load; 0 where they are out of range. */
function loadBuffer(o: Operation, place: BufferPlace, dwords: number): Value[] {
  const { b } = o;
  const masks = masksOf(o, place, 4 * dwords);
  const whole = isNever(masks.whole) ? [] : loadDwords(o, at(place, place.plain, masks.whole), dwords);
  return Array.from({ length: dwords }, (_, n) => {
    const mask = masks.part(4 * n, 4);
    const rest = isNever(mask) ? b.i32(0) : choose(o, mask, b.load(at(place, place.any(4 * n), mask), 32), b.i32(0));
    const first = whole[n];
    return first === undefined ? rest : choose(o, masks.whole, first, rest);
  });
}

/** 8, 16 or 32 bits, zero-extended; 0 where out of range, or where the uniform `when` does not hold. */
export function loadBufferPart(
  o: Operation,
  place: BufferPlace,
  bits: 8 | 16 | 32,
  bytes: number,
  { size = bits / 8, when = o.b.bool(1) }: { readonly size?: number | Value; readonly when?: Value } = {},
): Value {
  const { b } = o;
  const allowed = b.op('and', b.op('and', place.inRange(0, size), b.execMask()), when);
  const whole = b.op('and', allowed, place.isPlain);
  const other = b.op('and', allowed, b.op('not', place.isPlain));
  const plain = { ...place.plain, constant: place.plain.constant + bytes };
  const zero = b.i32(0);
  const rest = isNever(other) ? zero : choose(o, other, b.load(at(place, place.any(bytes), other), bits), zero);
  return isNever(whole) ? rest : choose(o, whole, b.load(at(place, plain, whole), bits), rest);
}

/** Stores 8, 16 or 32 bits where all `size` bytes are in range and the uniform `when` holds. */
export function storeBufferPart(
  o: Operation,
  place: BufferPlace,
  bits: 8 | 16 | 32,
  bytes: number,
  data: Value,
  { size = bits / 8, when = o.b.bool(1) }: { readonly size?: number | Value; readonly when?: Value } = {},
): void {
  const { b } = o;
  const allowed = b.op('and', b.op('and', place.inRange(0, size), b.execMask()), when);
  const whole = b.op('and', allowed, place.isPlain);
  const other = b.op('and', allowed, b.op('not', place.isPlain));
  const plain = { ...place.plain, constant: place.plain.constant + bytes };
  if (!isNever(whole)) b.store(at(place, plain, whole), bits, data);
  if (!isNever(other)) b.store(at(place, place.any(bytes), other), bits, data);
}

/** The status dword behind the data: 0, no failure. */
export function setStatus(o: Operation, place: BufferPlace, dwords: number): void {
  if (place.access.tfe) o.set32(o.b.i32(0), o.result(), dwords);
}

function load(dwords: number): Semantic {
  return (o) => {
    const place = placeOf(o);
    const values = loadBuffer(o, place, dwords);
    if (place.access.lds) {
      storeToLds(o, values);
      return;
    }
    setDwords(o, values);
    setStatus(o, place, dwords);
  };
}

function loadNarrow(narrow: NarrowLoad): Semantic {
  return (o) => {
    const place = placeOf(o);
    const loaded = loadBufferPart(o, place, narrow.bits, 0);
    if (place.access.lds) {
      storeToLds(o, [narrow.isSigned ? o.signExtend(loaded, narrow.bits) : loaded]);
      return;
    }
    setNarrow(o, loaded, narrow);
    setStatus(o, place, 1);
  };
}

function storeFromLds(o: Operation): void {
  const value = o.b.load({ space: 'lds', address: ldsPlace(o, 1), mask: o.b.execMask() }, 32);
  storeBufferPart(o, placeOf(o), 32, 0, value);
}

function store(dwords: number): Semantic {
  return (o) => {
    const { b } = o;
    const place = placeOf(o);
    const data = need(o, 'vdata');
    const values = Array.from({ length: dwords }, (_, n) => o.read32(data, n));
    const masks = masksOf(o, place, 4 * dwords);
    if (!isNever(masks.whole)) {
      const group = b.newGroup();
      for (const [n, value] of values.entries()) {
        const address = { ...place.plain, constant: place.plain.constant + 4 * n };
        b.store(at(place, address, masks.whole), 32, value, group);
      }
    }
    for (const [n, value] of values.entries()) {
      const mask = masks.part(4 * n, 4);
      if (!isNever(mask)) b.store(at(place, place.any(4 * n), mask), 32, value);
    }
  };
}

function storeNarrow(bits: 8 | 16, half: 'high' | ''): Semantic {
  return (o) => {
    const { b } = o;
    const value = o.read32(need(o, 'vdata'));
    storeBufferPart(o, placeOf(o), bits, 0, half === 'high' ? b.op('shrU32', value, b.i32(16)) : value);
  };
}

/** Where an atomic is out of range, nothing is done and 0 is the old value. */
function update(o: Operation, op: AtomicOp, data: Value, compare?: Value): void {
  const { b } = o;
  const place = placeOf(o);
  const isWide = data.type === 'i64';
  const allowed = b.op('and', place.inRange(0, isWide ? 8 : 4), b.execMask());
  const whole = b.op('and', allowed, place.isPlain);
  const other = b.op('and', allowed, b.op('not', place.isPlain));
  let old = isWide ? b.i64(0, 0) : b.i32(0);
  if (!isNever(other)) old = choose(o, other, b.atomic(at(place, place.any(0), other), op, data, compare), old);
  if (!isNever(whole)) old = choose(o, whole, b.atomic(at(place, place.plain, whole), op, data, compare), old);
  if (o.results.length === 0) return;
  if (isWide) o.set64(old);
  else o.set32(old);
  setStatus(o, place, isWide ? 2 : 1);
}

function dataOf(o: Operation, data: Operand, bits: 32 | 64, n: number): Value {
  if (bits === 32) return o.read32(data, n);
  return o.b.op('pack64', o.read32(data, 2 * n), o.read32(data, 2 * n + 1));
}

const atomic =
  (op: AtomicOp, bits: 32 | 64): Semantic =>
  (o) => {
    update(o, op, dataOf(o, need(o, 'vdata'), bits, 0));
  };

/** vdata: the new value, then the value to compare with. */
const compareSwap =
  (op: AtomicOp, bits: 32 | 64): Semantic =>
  (o) => {
    const data = need(o, 'vdata');
    update(o, op, dataOf(o, data, bits, 0), dataOf(o, data, bits, 1));
  };

function table(): Record<string, Semantic> {
  const result: Record<string, Semantic> = { buffer_store_lds_dword: storeFromLds };
  for (const [name, narrow] of Object.entries(LOADS)) result[`buffer_${name}`] = loadNarrow(narrow);
  for (const [name, bits, half] of STORES) result[`buffer_${name}`] = storeNarrow(bits, half);
  for (const dwords of [1, 2, 3, 4]) {
    result[`buffer_load_b${dwords * 32}`] = load(dwords);
    result[`buffer_store_b${dwords * 32}`] = store(dwords);
  }
  for (const [name, op, bits] of ATOMICS) result[`buffer_atomic_${name}`] = atomic(op, bits);
  for (const [name, op, bits] of COMPARE_SWAPS) result[`buffer_atomic_${name}`] = compareSwap(op, bits);
  return result;
}

export const MEMORY_BUFFER: Readonly<Record<string, Semantic>> = table();
