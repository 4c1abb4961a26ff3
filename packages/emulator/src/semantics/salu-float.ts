/** Scalar f32 operations and float comparisons of gfx11.5 and later; they honour MODE like the vector ones (semantics.md §1). */
import type { Value } from '../ir/block.js';
import type { OpName } from '../ir/ops.js';
import type { WaveBuilder } from '../ir/wave-builder.js';
import { FLOAT_PREDICATES } from './compare.js';
import { packToF16TowardZero } from './convert.js';
import { flushF16 } from './float-bits.js';
import { extreme, extremeF16 } from './min-max.js';
import type { Operation, Semantic } from './operation.js';
import { addF16, addF32, fmaF16, fmaF32, integerToF32, mulF16, mulF32, narrowToF16, subF16, subF32 } from './rounding.js';

function result(f: (o: Operation) => Value): Semantic {
  return (o) => {
    o.setF32(f(o));
  };
}

const binary = (f: (b: WaveBuilder, x: Value, y: Value) => Value): Semantic => result((o) => f(o.b, o.f32(0), o.f32(1)));
const unary = (op: OpName): Semantic => result((o) => o.b.op(op, o.f32(0)));

/** The upper half of the register becomes 0: what it is on hardware is not documented, and compilers do not look at it. */
function half(f: (o: Operation) => Value): Semantic {
  return (o) => {
    o.setF16(f(o));
  };
}

const halves = (f: (b: WaveBuilder, x: Value, y: Value) => Value): Semantic => half((o) => f(o.b, o.f16(0), o.f16(1)));
const rounded = (op: OpName): Semantic => half((o) => o.b.op('f32ToF16', o.b.op(op, o.b.op('f16ToF32', o.f16(0)))));

function comparisons(): Record<string, Semantic> {
  const table: Record<string, Semantic> = {};
  const order = { lt: 'ltF32', le: 'leF32', eq: 'eqF32' } as const;
  for (const [name, predicate] of Object.entries(FLOAT_PREDICATES)) {
    if (name === 'f' || name === 't') continue;
    table[`s_cmp_${name}_f32`] = (o) => {
      o.b.setScc(predicate(o.b, order, o.f32(0), o.f32(1)));
    };
    table[`s_cmp_${name}_f16`] = (o) => {
      const { b } = o;
      b.setScc(predicate(b, order, b.op('f16ToF32', o.f16(0)), b.op('f16ToF32', o.f16(1))));
    };
  }
  return table;
}

export const SALU_FLOAT: Readonly<Record<string, Semantic>> = {
  ...comparisons(),
  s_add_f32: binary(addF32),
  s_sub_f32: binary(subF32),
  s_mul_f32: binary(mulF32),
  s_fmac_f32: result((o) => fmaF32(o.b, o.f32(0), o.f32(1), o.f32Of(o.result()))),
  // Sources in assembly order: S0·S1 + K, S0·K + S1.
  s_fmaak_f32: result((o) => fmaF32(o.b, o.f32(0), o.f32(1), o.f32(2))),
  s_fmamk_f32: result((o) => fmaF32(o.b, o.f32(0), o.f32(1), o.f32(2))),
  s_min_f32: result((o) => extreme(o.b, 'minNumF32', o.f32(0), o.f32(1))),
  s_max_f32: result((o) => extreme(o.b, 'maxNumF32', o.f32(0), o.f32(1))),
  s_ceil_f32: unary('ceilF32'),
  s_floor_f32: unary('floorF32'),
  s_trunc_f32: unary('truncF32'),
  s_rndne_f32: unary('nearestF32'),
  s_add_f16: halves(addF16),
  s_sub_f16: halves(subF16),
  s_mul_f16: halves(mulF16),
  s_fmac_f16: half((o) => fmaF16(o.b, o.f16(0), o.f16(1), flushF16(o.b, o.old16(), 'input'))),
  s_min_f16: halves((b, x, y) => extremeF16(b, 'minNumF32', x, y)),
  s_max_f16: halves((b, x, y) => extremeF16(b, 'maxNumF32', x, y)),
  s_ceil_f16: rounded('ceilF32'),
  s_floor_f16: rounded('floorF32'),
  s_trunc_f16: rounded('truncF32'),
  s_rndne_f16: rounded('nearestF32'),
  s_cvt_f16_f32: half((o) => narrowToF16(o.b, o.f32(0))),
  s_cvt_f32_i32: result((o) => integerToF32(o.b, 's32ToF32', o.u32(0))),
  s_cvt_f32_u32: result((o) => integerToF32(o.b, 'u32ToF32', o.u32(0))),
  s_cvt_i32_f32: (o) => {
    o.set32(o.b.op('f32ToS32', o.f32(0)));
  },
  s_cvt_u32_f32: (o) => {
    o.set32(o.b.op('f32ToU32', o.f32(0)));
  },
  s_cvt_f32_f16: result((o) => o.b.op('f16ToF32', o.f16(0))),
  s_cvt_hi_f32_f16: result((o) => o.b.op('f16ToF32', o.b.op('shrU32', o.u32(0), o.b.i32(16)))),
  s_cvt_pk_rtz_f16_f32: (o) => {
    o.set32(packToF16TowardZero(o));
  },
};
