/** Typed loads and stores: MTBUF, and MUBUF with the resource's format (semantics.md §10). */
import type { Value } from '../ir/block.js';
import type { BufferPlace } from './buffer-address.js';
import { placeOf } from './buffer-address.js';
import type { BufferFormat } from './buffer-format.js';
import { decodeComponent, encodeComponents, formatOf, oneOf } from './buffer-format.js';
import { need } from './memory.js';
import { loadBufferPart, setStatus, storeBufferPart } from './memory-buffer.js';
import { storeToLds } from './memory-global.js';
import type { Operation, Semantic } from './operation.js';

/** 16-bit components: one to each half of the registers, or the first one to the high half. */
type Packing = '' | 'd16' | 'd16_hi';

const LETTERS = ['x', 'xy', 'xyz', 'xyzw'] as const;

/** The instruction's format, else the resource's (gfx9: data format in bits 18:15 of word 3, number format in 14:12). */
function readFormat(o: Operation, place: BufferPlace): BufferFormat {
  const { b } = o;
  const { processor, isGfx9, family } = o.generation;
  const given = o.find('format');
  if (given !== undefined) return formatOf(b, processor, b.i32(given.value));
  const { word3 } = place.resource;
  const field = (first: number, bits: number): Value => b.op('and32', b.op('shrU32', word3, b.i32(first)), b.i32(2 ** bits - 1));
  const number = isGfx9
    ? b.op('or32', field(15, 4), b.op('shl32', field(12, 3), b.i32(4)))
    : field(12, family === 'gfx10' ? 7 : 6);
  return formatOf(b, processor, number);
}

/** The dwords of one element, as many as the format has; 0 where out of range. All or nothing. */
function loadElement(o: Operation, place: BufferPlace, format: BufferFormat): Value[] {
  const { b } = o;
  const size = format.sizeBytes;
  const is = (bytes: number): Value => b.op('eq32', size, b.i32(bytes));
  const byte = loadBufferPart(o, place, 8, 0, { size, when: is(1) });
  const half = loadBufferPart(o, place, 16, 0, { size, when: is(2) });
  return [0, 1, 2, 3].map((n) => {
    const when = b.op('ltU32', b.i32(4 * n + 3), size);
    const dword = loadBufferPart(o, place, 32, 4 * n, { size, when });
    return n > 0 ? dword : b.op('or32', dword, b.op('or32', byte, half));
  });
}

/** 16 bits of a component. */
function narrow(o: Operation, format: BufferFormat, value: Value): Value {
  const { b } = o;
  const half = b.op('f32ToF16', value);
  return b.op('select32', format.isInteger, b.op('and32', value, b.i32(0xffff)), half);
}

function load(count: number, packing: Packing): Semantic {
  return (o) => {
    const { b } = o;
    const place = placeOf(o);
    const format = readFormat(o, place);
    const element = loadElement(o, place, format);
    // Out of range every component is 0, also one that the format lacks.
    const inRange = place.inRange(0, format.sizeBytes);
    const all = [0, 1, 2, 3].map((n) => b.op('select32', inRange, decodeComponent(b, format, element, n), b.i32(0)));
    const values = Array.from({ length: count }, (_, n) => selectComponent(o, place, format, all, n));
    if (place.access.lds) storeToLds(o, values);
    else if (packing === '') {
      for (const [n, value] of values.entries()) o.set32(value, o.result(), n);
      setStatus(o, place, count);
    } else {
      setHalves(
        o,
        place,
        values.map((value) => narrow(o, format, value)),
        packing,
      );
    }
  };
}

/** 16-bit components: two to a register, or the one of the instruction to a half. */
function setHalves(o: Operation, place: BufferPlace, halves: readonly Value[], packing: Packing): void {
  const { b } = o;
  const count = halves.length;
  const [first = b.i32(0)] = halves;
  if (count === 1) setHalf(o, first, packing);
  else {
    for (let n = 0; n < count; n += 2) {
      const high = b.op('shl32', halves[n + 1] ?? b.i32(0), b.i32(16));
      o.set32(b.op('or32', halves[n] ?? b.i32(0), high), o.result(), n / 2);
    }
  }
  setStatus(o, place, Math.ceil(count / 2));
}

/** One half of the result; the other stays. */
function setHalf(o: Operation, value: Value, packing: Packing): void {
  const { b } = o;
  const isHigh = packing === 'd16_hi';
  const kept = b.op('and32', o.read32(o.result()), b.i32(isHigh ? 0xffff : 0xffff_0000));
  o.set32(b.op('or32', kept, isHigh ? b.op('shl32', value, b.i32(16)) : value));
}

/** Component n of the result: as the resource's dst_sel says for MUBUF, in order for MTBUF. */
function selectComponent(o: Operation, place: BufferPlace, format: BufferFormat, all: readonly Value[], n: number): Value {
  const { b } = o;
  if (o.find('format') !== undefined) return all[n] ?? b.i32(0);
  const code = b.op('and32', b.op('shrU32', place.resource.word3, b.i32(3 * n)), b.i32(7));
  const is = (value: number): Value => b.op('eq32', code, b.i32(value));
  const one = b.op('select32', is(1), oneOf(b, format), b.i32(0));
  return all.reduce((rest, value, index) => b.op('select32', is(4 + index), value, rest), one);
}

function store(count: number, packing: Packing): Semantic {
  return (o) => {
    const { b } = o;
    const place = placeOf(o);
    const format = readFormat(o, place);
    const data = need(o, 'vdata');
    const values = Array.from({ length: count }, (_, n) => {
      if (packing === '') return o.read32(data, n);
      const word = o.read32(data, n >> 1);
      const isHigh = packing === 'd16_hi' || (n & 1) === 1;
      return widen(o, format, isHigh ? b.op('shrU32', word, b.i32(16)) : b.op('and32', word, b.i32(0xffff)));
    });
    const dwords = encodeComponents(b, format, values);
    const size = format.sizeBytes;
    const is = (bytes: number): Value => b.op('eq32', size, b.i32(bytes));
    const [first = b.i32(0)] = dwords;
    storeBufferPart(o, place, 8, 0, first, { size, when: is(1) });
    storeBufferPart(o, place, 16, 0, first, { size, when: is(2) });
    for (const [n, dword] of dwords.entries()) {
      storeBufferPart(o, place, 32, 4 * n, dword, { size, when: b.op('ltU32', b.i32(4 * n + 3), size) });
    }
  };
}

/** 16 bits of data as 32: integers extended, else f16. */
function widen(o: Operation, format: BufferFormat, half: Value): Value {
  const { b } = o;
  const integer = b.op('select32', format.is('SINT'), o.signExtend(half, 16), half);
  return b.op('select32', format.isInteger, integer, b.op('f16ToF32', half));
}

function table(): Record<string, Semantic> {
  const result: Record<string, Semantic> = {};
  for (const prefix of ['buffer', 'tbuffer']) {
    for (const [index, letters] of LETTERS.entries()) {
      result[`${prefix}_load_format_${letters}`] = load(index + 1, '');
      result[`${prefix}_store_format_${letters}`] = store(index + 1, '');
      result[`${prefix}_load_d16_format_${letters}`] = load(index + 1, 'd16');
      result[`${prefix}_store_d16_format_${letters}`] = store(index + 1, 'd16');
    }
  }
  result['buffer_load_d16_hi_format_x'] = load(1, 'd16_hi');
  result['buffer_store_d16_hi_format_x'] = store(1, 'd16_hi');
  return result;
}

export const MEMORY_BUFFER_FORMAT: Readonly<Record<string, Semantic>> = table();
