/** Packed f32 operations of gfx90a and later: two f32 in a register pair (semantics.md §12). */
import type { Value } from '../ir/block.js';
import type { WaveBuilder } from '../ir/wave-builder.js';
import { flushF32, negF32, outputF32 } from './float-bits.js';
import type { Operation, Semantic } from './operation.js';
import { addF32, fmaF32, mulF32 } from './rounding.js';

/** The low or the high result. */
type Part = 0 | 1;

/** The dword of a source pair that a result takes: op_sel for the low one, op_sel_hi for the high one. */
function selected(o: Operation, n: number, part: Part): Value {
  const operand = o.source(n);
  const isHigh = part === 0 ? operand.opSel : operand.opSelHi;
  return o.read32(operand, isHigh ? 1 : 0);
}

/** As f32: negated by neg_lo or neg_hi, denormals flushed. */
function float(o: Operation, n: number, part: Part): Value {
  const operand = o.source(n);
  const value = selected(o, n, part);
  const isNegated = part === 0 ? operand.neg : operand.abs;
  return flushF32(o.b, isNegated ? negF32(o.b, value) : value, 'input');
}

/** Both results from the sources as they were before. */
function setBoth(o: Operation, results: readonly [Value, Value]): void {
  o.set32(results[0], o.result(), 0);
  o.set32(results[1], o.result(), 1);
}

function floats(f: (b: WaveBuilder, read: (n: number) => Value) => Value): Semantic {
  return (o) => {
    const one = (part: Part): Value => {
      const value = f(o.b, (n) => float(o, n, part));
      return outputF32(o.b, value, 0, o.immediate('clamp'));
    };
    setBoth(o, [one(0), one(1)]);
  };
}

export const VALU_PACKED_F32: Readonly<Record<string, Semantic>> = {
  v_pk_add_f32: floats((b, read) => addF32(b, read(0), read(1))),
  v_pk_mul_f32: floats((b, read) => mulF32(b, read(0), read(1))),
  v_pk_fma_f32: floats((b, read) => fmaF32(b, read(0), read(1), read(2))),
  // The low result comes from S0, the high one from S1, each by its op_sel (CDNA3 ISA document, V_PK_MOV_B32).
  v_pk_mov_b32: (o) => {
    const from = (n: number): Value => o.read32(o.source(n), o.source(n).opSel ? 1 : 0);
    setBoth(o, [from(0), from(1)]);
  },
};
