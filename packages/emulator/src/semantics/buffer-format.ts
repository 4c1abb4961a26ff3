/**
 * Typed buffer data: how components lie in memory by data format, and what number formats make of them (AMD ISA documents, "Buffer
 * data formats"; Mesa, ac_formats.c for the order of components). The format is a value of the wave: a constant in MTBUF, a field of
 * the resource in MUBUF, where everything below is computed with what it happens to be.
 */
import { bufferFormatNames } from '@doorbell/isa';
import type { Value } from '../ir/block.js';
import type { WaveBuilder } from '../ir/wave-builder.js';
import { isNaNF32 } from './float-bits.js';
import { narrowToF16, TOWARD_ZERO } from './rounding.js';

/** Number formats that the hardware numbers 0 … 7; 6 is reserved. */
const NUMBERS = ['UNORM', 'SNORM', 'USCALED', 'SSCALED', 'UINT', 'SINT', '', 'FLOAT'] as const;
type NumberFormat = Exclude<(typeof NUMBERS)[number], ''>;

/** Widths of the components by data format, from the lowest bits up: the names go from the highest down. */
const LAYOUTS: readonly (readonly number[])[] = [
  [],
  [8],
  [16],
  [8, 8],
  [32],
  [16, 16],
  [11, 11, 10],
  [10, 11, 11],
  [2, 10, 10, 10],
  [10, 10, 10, 2],
  [8, 8, 8, 8],
  [32, 32],
  [16, 16, 16, 16],
  [32, 32, 32],
  [32, 32, 32, 32],
];

const ONE_F32 = 0x3f80_0000;

/** A component's place: width, dword and shift. Width 0: the format does not have it. */
interface ComponentPlace {
  readonly width: Value;
  readonly dword: Value;
  readonly shift: Value;
}

/** A format taken apart; everything uniform. */
export interface BufferFormat {
  /** 0 for what is no format: nothing is accessed. */
  readonly sizeBytes: Value;
  readonly components: readonly ComponentPlace[];
  readonly is: (number: NumberFormat) => Value;
  /** UINT or SINT: components are integers, no floats. */
  readonly isInteger: Value;
}

/** Layout | number format << 4 of each format number of a processor. */
const codes = new Map<string, readonly number[]>();

function codesOf(processor: string): readonly number[] {
  let found = codes.get(processor);
  if (found === undefined) {
    found = bufferFormatNames(processor).map((name) => {
      const parts = name.split('_');
      const number = NUMBERS.findIndex((each) => each !== '' && each === parts.at(-1));
      const widths = parts.slice(0, -1).map(Number).reverse().join();
      const layout = LAYOUTS.findIndex((each) => each.length > 0 && each.join() === widths);
      return number < 0 || layout < 0 ? 0 : layout | (number << 4);
    });
    codes.set(processor, found);
  }
  return found;
}

/** The entry of a table; 0 beyond its end. */
function lookUp(b: WaveBuilder, table: readonly number[], index: Value): Value {
  if (index.kind === 'const') return b.i32(table[index.low] ?? 0);
  return table.reduce(
    (rest, entry, n) => (entry === 0 ? rest : b.op('select32', b.op('eq32', index, b.i32(n)), b.i32(entry), rest)),
    b.i32(0),
  );
}

export function formatOf(b: WaveBuilder, processor: string, number: Value): BufferFormat {
  const code = lookUp(b, codesOf(processor), number);
  const layout = b.op('and32', code, b.i32(15));
  const numberFormat = b.op('shrU32', code, b.i32(4));
  const bitsBefore = (widths: readonly number[], n: number): number => widths.slice(0, n).reduce((sum, width) => sum + width, 0);
  const component = (n: number): ComponentPlace => ({
    width: lookUp(
      b,
      LAYOUTS.map((widths) => widths[n] ?? 0),
      layout,
    ),
    dword: lookUp(
      b,
      LAYOUTS.map((widths) => bitsBefore(widths, n) >> 5),
      layout,
    ),
    shift: lookUp(
      b,
      LAYOUTS.map((widths) => bitsBefore(widths, n) & 31),
      layout,
    ),
  });
  const is = (name: NumberFormat): Value => b.op('eq32', numberFormat, b.i32(NUMBERS.indexOf(name)));
  return {
    sizeBytes: lookUp(
      b,
      LAYOUTS.map((widths) => bitsBefore(widths, widths.length) >> 3),
      layout,
    ),
    components: [0, 1, 2, 3].map(component),
    is,
    isInteger: b.op('or', is('UINT'), is('SINT')),
  };
}

const select = (b: WaveBuilder, condition: Value, yes: Value, no: Value): Value => b.op('select32', condition, yes, no);

/** All bits of a width of 1 … 32 (0 for 0). */
function onesOf(b: WaveBuilder, width: Value): Value {
  const ones = b.op('shrU32', b.i32(-1), b.op('sub32', b.i32(32), width));
  return select(b, b.op('eq32', width, b.i32(0)), b.i32(0), ones);
}

/** 2^width - 1, and 2^(width-1) - 1, as f32. */
function scales(b: WaveBuilder, width: Value): { readonly unsigned: Value; readonly signed: Value } {
  const ones = onesOf(b, width);
  return { unsigned: b.op('u32ToF32', ones), signed: b.op('u32ToF32', b.op('shrU32', ones, b.i32(1))) };
}

/** Component n of the dwords in memory: 32 bits of float or integer; 0, 0, 0, 1 for components that the format does not have. */
export function decodeComponent(b: WaveBuilder, format: BufferFormat, dwords: readonly Value[], n: number): Value {
  const place = format.components[n];
  const zero = b.i32(0);
  if (place === undefined) return zero;
  const { width, shift } = place;
  const word = dwords.reduce((rest, dword, index) => select(b, b.op('eq32', place.dword, b.i32(index)), dword, rest), zero);
  const unsigned = b.op('and32', b.op('shrU32', word, shift), onesOf(b, width));
  const unused = b.op('sub32', b.i32(32), width);
  const signed = b.op('shrS32', b.op('shl32', unsigned, unused), unused);
  const scale = scales(b, width);
  const lowest = b.i32(0xbf80_0000);
  const isWidth = (bits: number): Value => b.op('eq32', width, b.i32(bits));
  // 11 and 10 bits are f16 without sign and without the last 4 or 5 bits.
  const half = select(b, isWidth(16), unsigned, b.op('shl32', unsigned, b.op('sub32', b.i32(15), width)));
  const values: readonly (readonly [NumberFormat, Value])[] = [
    ['UNORM', b.op('divF32', b.op('u32ToF32', unsigned), scale.unsigned)],
    ['SNORM', b.op('maxNumF32', b.op('divF32', b.op('s32ToF32', signed), scale.signed), lowest)],
    ['USCALED', b.op('u32ToF32', unsigned)],
    ['SSCALED', b.op('s32ToF32', signed)],
    ['SINT', signed],
    ['FLOAT', select(b, isWidth(32), unsigned, b.op('f16ToF32', half))],
  ];
  const value = values.reduce((rest, [name, each]) => select(b, format.is(name), each, rest), unsigned);
  const missing = n === 3 ? oneOf(b, format) : zero;
  return select(b, isWidth(0), missing, value);
}

/** 1 as the format has it. */
export function oneOf(b: WaveBuilder, format: BufferFormat): Value {
  return select(b, format.isInteger, b.i32(1), b.i32(ONE_F32));
}

/** The dwords in memory of components given as 32 bits. */
export function encodeComponents(b: WaveBuilder, format: BufferFormat, values: readonly Value[]): Value[] {
  const zero = b.i32(0);
  const encoded = format.components.map(({ width }, n) => encodeComponent(b, format, width, values[n] ?? zero));
  return [0, 1, 2, 3].map((dword) =>
    encoded.reduce((rest, bits, n) => {
      const place = format.components[n];
      if (place === undefined) return rest;
      const isHere = b.op('eq32', place.dword, b.i32(dword));
      return b.op('or32', rest, select(b, isHere, b.op('shl32', bits, place.shift), zero));
    }, zero),
  );
}

/** The bits of one component: normalised numbers are limited and rounded to nearest, integers limited, other floats cut off. */
function encodeComponent(b: WaveBuilder, format: BufferFormat, width: Value, value: Value): Value {
  const ones = onesOf(b, width);
  const top = b.op('shrU32', ones, b.i32(1));
  const bottom = b.op('xor32', top, b.i32(-1));
  const scale = scales(b, width);
  const number = select(b, isNaNF32(b, value), b.i32(0), value);
  const limit = (low: number): Value => b.op('minNumF32', b.op('maxNumF32', number, b.i32(low)), b.i32(ONE_F32));
  const nearest = (x: Value): Value => b.op('f32ToS32', b.op('nearestF32', x));
  const limitSigned = (x: Value): Value => b.op('maxS32', b.op('minS32', x, top), bottom);
  const isWidth = (bits: number): Value => b.op('eq32', width, b.i32(bits));
  const half = narrowToF16(b, value, TOWARD_ZERO);
  const isNegative = b.op('and', b.op('ltS32', value, b.i32(0)), b.op('not', isNaNF32(b, value)));
  const positive = select(b, isNegative, b.i32(0), b.op('and32', half, b.i32(0x7fff)));
  const small = b.op('shrU32', positive, b.op('sub32', b.i32(15), width));
  const float = select(b, isWidth(32), value, select(b, isWidth(16), b.op('f32ToF16', value), small));
  const values: readonly (readonly [NumberFormat, Value])[] = [
    ['UNORM', nearest(b.op('mulF32', limit(0), scale.unsigned))],
    ['SNORM', nearest(b.op('mulF32', limit(0xbf80_0000), scale.signed))],
    ['USCALED', b.op('minU32', b.op('f32ToU32', value), ones)],
    ['SSCALED', limitSigned(b.op('f32ToS32', value))],
    ['SINT', limitSigned(value)],
    ['FLOAT', float],
  ];
  const bits = values.reduce((rest, [name, each]) => select(b, format.is(name), each, rest), b.op('minU32', value, ones));
  return b.op('and32', bits, ones);
}
