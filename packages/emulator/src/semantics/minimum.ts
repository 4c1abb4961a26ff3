/**
 * Minimum and maximum of gfx12 that pass NaNs on (IEEE 754-2019 `minimum`, `maximum`; semantics.md §5): of two NaNs the first,
 * quieted. Those that prefer numbers are in min-max.ts.
 */
import type { Value } from '../ir/block.js';
import type { WaveBuilder } from '../ir/wave-builder.js';
import { absF16, isNaNF32, isNaNF64, quietF32, quietF64 } from './float-bits.js';
import type { Operation, Semantic } from './operation.js';

type Which = 'min' | 'max';
export type Extreme = (b: WaveBuilder, which: Which, x: Value, y: Value) => Value;

const minimumF32: Extreme = (b, which, x, y) => {
  const number = b.op(`${which}NumF32`, x, y);
  return b.op('select32', isNaNF32(b, x), quietF32(b, x), b.op('select32', isNaNF32(b, y), quietF32(b, y), number));
};

const minimumF64: Extreme = (b, which, x, y) => {
  const number = b.op(`${which}NumF64`, x, y);
  return b.op('select64', isNaNF64(b, x), quietF64(b, x), b.op('select64', isNaNF64(b, y), quietF64(b, y), number));
};

/** On f16 bits: compared as f32, which holds every f16. */
export const minimumF16: Extreme = (b, which, x, y) => {
  const number = b.op('f32ToF16', b.op(`${which}NumF32`, b.op('f16ToF32', x), b.op('f16ToF32', y)));
  const isNaN = (value: Value): Value => b.op('ltU32', b.i32(0x7c00), absF16(b, value));
  const quiet = (value: Value): Value => b.op('or32', value, b.i32(0x0200));
  return b.op('select32', isNaN(x), quiet(x), b.op('select32', isNaN(y), quiet(y), number));
};

interface FloatType {
  readonly extreme: Extreme;
  readonly read: (o: Operation, n: number) => Value;
  readonly write: (o: Operation, value: Value) => void;
}

const TYPES: Readonly<Record<'f16' | 'f32' | 'f64', FloatType>> = {
  f16: {
    extreme: minimumF16,
    read: (o, n) => o.f16(n),
    write: (o, value) => {
      o.setF16(value);
    },
  },
  f32: {
    extreme: minimumF32,
    read: (o, n) => o.f32(n),
    write: (o, value) => {
      o.setF32(value);
    },
  },
  f64: {
    extreme: minimumF64,
    read: (o, n) => o.f64(n),
    write: (o, value) => {
      o.setF64(value);
    },
  },
};

const two =
  ({ extreme, read, write }: FloatType, which: Which): Semantic =>
  (o) => {
    write(o, extreme(o.b, which, read(o, 0), read(o, 1)));
  };

/** S0 first S1, and that second S2. */
const three =
  ({ extreme, read, write }: FloatType, first: Which, second: Which): Semantic =>
  (o) => {
    write(o, extreme(o.b, second, extreme(o.b, first, read(o, 0), read(o, 1)), read(o, 2)));
  };

function table(): Record<string, Semantic> {
  const result: Record<string, Semantic> = {};
  for (const type of ['f16', 'f32', 'f64'] as const) {
    result[`v_minimum_${type}`] = two(TYPES[type], 'min');
    result[`v_maximum_${type}`] = two(TYPES[type], 'max');
    if (type === 'f64') continue;
    result[`s_minimum_${type}`] = two(TYPES[type], 'min');
    result[`s_maximum_${type}`] = two(TYPES[type], 'max');
    result[`v_minimum3_${type}`] = three(TYPES[type], 'min', 'min');
    result[`v_maximum3_${type}`] = three(TYPES[type], 'max', 'max');
    result[`v_minimummaximum_${type}`] = three(TYPES[type], 'min', 'max');
    result[`v_maximumminimum_${type}`] = three(TYPES[type], 'max', 'min');
  }
  return result;
}

export const MINIMUM: Readonly<Record<string, Semantic>> = table();
