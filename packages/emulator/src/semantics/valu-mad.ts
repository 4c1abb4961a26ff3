/**
 * Multiply-add of gfx9 and gfx10.1 that rounds the product before the sum. Denormals are zeros in it whatever MODE says
 * (semantics.md §1).
 */
import type { Value } from '../ir/block.js';
import type { WaveBuilder } from '../ir/wave-builder.js';
import { flushDenormalF16, flushDenormalF32 } from './float-bits.js';
import type { Operation, Semantic } from './operation.js';
import { addF16, addF32, mulF16, mulF32 } from './rounding.js';
import { zeroWins } from './valu-float.js';

/** Three sources as they are before MODE flushes them. */
type Read = (o: Operation) => readonly [Value, Value, Value];
type Product = (b: WaveBuilder, x: Value, y: Value) => Value;

function mad32(read: Read, product: Product = mulF32): Semantic {
  return (o) => {
    const { b } = o;
    const flush = (value: Value): Value => flushDenormalF32(b, value);
    const [x, y, z] = read(o);
    o.setF32(flush(addF32(b, flush(product(b, flush(x), flush(y))), flush(z))));
  };
}

function mad16(read: Read): Semantic {
  return (o) => {
    const { b } = o;
    const flush = (value: Value): Value => flushDenormalF16(b, value);
    const [x, y, z] = read(o);
    o.setF16(flush(addF16(b, flush(mulF16(b, flush(x), flush(y))), flush(z))));
  };
}

const f32 = (o: Operation, n: number): Value => o.f32Unflushed(o.source(n));
const f16 = (o: Operation, n: number): Value => o.f16Unflushed(o.source(n));
const three32: Read = (o) => [f32(o, 0), f32(o, 1), f32(o, 2)];
const three16: Read = (o) => [f16(o, 0), f16(o, 1), f16(o, 2)];

const legacy: Product = (b, x, y) => zeroWins(b, x, y, mulF32(b, x, y));

export const VALU_MAD: Readonly<Record<string, Semantic>> = {
  v_mad_f32: mad32(three32),
  // S0·S1 + K and S0·K + S1; sources come in assembly order.
  v_madak_f32: mad32(three32),
  v_madmk_f32: mad32(three32),
  v_mac_f32: mad32((o) => [f32(o, 0), f32(o, 1), o.old32()]),
  v_mad_legacy_f32: mad32(three32, legacy),
  v_mac_legacy_f32: mad32((o) => [f32(o, 0), f32(o, 1), o.old32()], legacy),
  v_mad_f16: mad16(three16),
  v_mad_legacy_f16: mad16(three16),
  v_madak_f16: mad16(three16),
  v_madmk_f16: mad16(three16),
  v_mac_f16: mad16((o) => [f16(o, 0), f16(o, 1), o.old16()]),
};
