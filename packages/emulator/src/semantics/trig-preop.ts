/** v_trig_preop_f64: 53 bits of 2/π, for the reduction of large arguments of sine and cosine (RDNA3 ISA document, V_TRIG_PREOP_F64). */
import type { Value } from '../ir/block.js';
import type { Operation, Semantic } from './operation.js';
import { scale64 } from './valu-float.js';

/** The first 1201 bits of 2/π after the point, then zeros: dwords, the first bit on top. */
// prettier-ignore
const TWO_OVER_PI: readonly number[] = [
  0xa2f9_836e, 0x4e44_1529, 0xfc27_57d1, 0xf534_ddc0, 0xdb62_9599, 0x3c43_9041, 0xfe51_63ab, 0xdebb_c561,
  0xb724_6e3a, 0x424d_d2e0, 0x0649_2eea, 0x09d1_921c, 0xfe1d_eb1c, 0xb129_a73e, 0xe882_35f5, 0x2ebb_4484,
  0xe99c_7026, 0xb45f_7e41, 0x3991_d639, 0x8353_39f4, 0x9c84_5f8b, 0xbdf9_283b, 0x1ff8_97ff, 0xde05_980f,
  0xef2f_118b, 0x5a0a_6d1f, 0x6d36_7ecf, 0x27cb_09b7, 0x4f46_3f66, 0x9e5f_ea2d, 0x7527_bac7, 0xebe5_f17b,
  0x3d07_39f7, 0x8a52_92ea, 0x6bfb_5fb1, 0x1f8d_5d08, 0x5603_3046, 0xfc7b_0000,
];

/** Bits of 2/π that an exponent of the argument up to this leaves alone; a larger one skips as many as it is larger. */
const SMALL_EXPONENT = 1077;
/** From this exponent on the result is scaled up by 2^128. */
const LARGE_EXPONENT = 1968;

/** Dword `index` of the constant, 0 beyond its end. */
function wordAt(o: Operation, index: Value): Value {
  const { b } = o;
  return TWO_OVER_PI.reduceRight((rest, word, n) => b.op('select32', b.op('eq32', index, b.i32(n)), b.i32(word), rest), b.i32(0));
}

const trigPreop: Semantic = (o) => {
  const { b } = o;
  const high = b.op('high64', o.f64Unflushed(o.source(0)));
  const exponent = b.op('and32', b.op('shrU32', high, b.i32(20)), b.i32(0x7ff));
  const beyond = b.op('maxS32', b.op('sub32', exponent, b.i32(SMALL_EXPONENT)), b.i32(0));
  const segment = b.op('mul32', b.op('and32', o.u32(1), b.i32(31)), b.i32(53));
  const shift = b.op('add32', segment, beyond);
  // 53 bits from there on: out of three dwords.
  const first = b.op('shrU32', shift, b.i32(5));
  const word = (n: number): Value => wordAt(o, b.op('add32', first, b.i32(n)));
  const [x, y, z] = [word(0), word(1), word(2)];
  const within = b.op('and32', shift, b.i32(31));
  const aligned = (upper: Value, lower: Value): Value => b.op('high64', b.op('shl64', b.op('pack64', lower, upper), within));
  const [top, rest] = [aligned(x, y), aligned(y, z)];
  const number = b.op(
    'addF64',
    b.op('mulF64', b.op('u32ToF64', top), b.i64(0, 0x4140_0000)), // 2^21
    b.op('u32ToF64', b.op('shrU32', rest, b.i32(11))),
  );
  const isLarge = b.op('ltU32', b.i32(LARGE_EXPONENT - 1), exponent);
  const scale = b.op('sub32', b.op('select32', isLarge, b.i32(128 - 53), b.i32(-53)), shift);
  o.setF64(scale64(b, number, scale));
};

export const TRIG_PREOP: Readonly<Record<string, Semantic>> = { v_trig_preop_f64: trigPreop };
