/**
 * v_tanh of gfx1250, whose error no public document bounds: evaluated in f64, rounded to f32, that to f16. The bf16 form
 * is in valu-bf16.ts.
 */
import type { Value } from '../ir/block.js';
import type { WaveBuilder } from '../ir/wave-builder.js';
import { absF32, isNaNF32 } from './float-bits.js';
import type { Operation, Semantic } from './operation.js';
import { narrowToF16 } from './rounding.js';

const view = new DataView(new ArrayBuffer(8));

function f64(b: WaveBuilder, value: number): Value {
  view.setFloat64(0, value);
  return b.i64(view.getUint32(4), view.getUint32(0));
}

/** Numbers that are 1 in f32 from here on: 1 - tanh(10) is 4e-9. */
const LARGEST = 10;
/** Below, x - x³/3 + 2x⁵/15 has 53 bits of the result, and the quotient too few. */
const SMALLEST = 2 ** -8;
/** ln(2)ⁿ / n!: 2ᶠ for |f| ≤ 1/2 to 53 bits. */
const POWERS: readonly number[] = Array.from({ length: 15 }, (_, n) =>
  Array.from({ length: n }, (_each, k) => Math.LN2 / (k + 1)).reduce((product, factor) => product * factor, 1),
);

/** f32 tanh of f32 bits. */
export function tanhF32(b: WaveBuilder, x: Value): Value {
  const size = b.op('minNumF64', b.op('f32ToF64', absF32(b, x)), f64(b, LARGEST));
  // e^2x = 2^y = 2^n 2^f
  const y = b.op('mulF64', size, f64(b, 2 / Math.LN2));
  const n = b.op('nearestF64', y);
  const f = b.op('subF64', y, n);
  const power = POWERS.reduceRight<Value>((sum, factor) => b.op('addF64', b.op('mulF64', sum, f), f64(b, factor)), f64(b, 0));
  const exponent = b.op('shl32', b.op('add32', b.op('f64ToS32', n), b.i32(1023)), b.i32(20));
  const whole = b.op('mulF64', power, b.op('pack64', b.i32(0), exponent));
  const quotient = b.op('divF64', b.op('subF64', whole, f64(b, 1)), b.op('addF64', whole, f64(b, 1)));
  const square = b.op('mulF64', size, size);
  const series = b.op('addF64', b.op('mulF64', square, f64(b, 2 / 15)), f64(b, -1 / 3));
  const near = b.op('addF64', b.op('mulF64', b.op('mulF64', size, square), series), size);
  const result = b.op('f64ToF32', b.op('select64', b.op('ltF64', size, f64(b, SMALLEST)), near, quotient));
  const signed = b.op('or32', result, b.op('and32', x, b.i32(0x8000_0000)));
  return b.op('select32', isNaNF32(b, x), b.op('or32', x, b.i32(0x0040_0000)), signed);
}

const half = (o: Operation): Value => tanhF32(o.b, o.b.op('f16ToF32', o.f16(0)));

export const TANH: Readonly<Record<string, Semantic>> = {
  v_tanh_f32: (o) => {
    o.setF32(tanhF32(o.b, o.f32(0)));
  },
  v_tanh_f16: (o) => {
    o.setF16(narrowToF16(o.b, half(o)));
  },
};
