/** Vector conversions between number formats (semantics.md §6, §12). */
import type { Value } from '../ir/block.js';
import type { WaveBuilder } from '../ir/wave-builder.js';
import { flushF16, isNaNF32 } from './float-bits.js';
import type { Operation, Semantic } from './operation.js';
import { integerToF32, narrowToF16, narrowToF32, TOWARD_ZERO } from './rounding.js';

/** An f16 result from an f32, with output modifiers. */
function setRoundedF16(o: Operation, value: Value): void {
  o.setF16(narrowToF16(o.b, value));
}

/** Two f32 → two f16, toward zero whatever MODE says; denormal results flushed. */
export function packToF16TowardZero(o: Operation): Value {
  const { b } = o;
  const part = (n: number): Value => flushF16(b, narrowToF16(b, o.f32(n), TOWARD_ZERO), 'output');
  return pair(b, part(0), part(1));
}

function fromInteger(op: 's32ToF32' | 'u32ToF32', read: (o: Operation) => Value): Semantic {
  return (o) => {
    o.setF32(integerToF32(o.b, op, read(o)));
  };
}

function byte(n: number): Semantic {
  return fromInteger('u32ToF32', (o) => o.b.op('and32', o.b.op('shrU32', o.u32(0), o.b.i32(8 * n)), o.b.i32(0xff)));
}

/** Conversions to integers saturate; clamp asks for nothing more. */
function toInteger(convert: (o: Operation) => Value): Semantic {
  return (o) => {
    o.set32(convert(o));
  };
}

/** Signed 16 bits of a saturated integer. */
function saturate16(b: WaveBuilder, value: Value, type: 'signed' | 'unsigned'): Value {
  if (type === 'unsigned') return b.op('minU32', value, b.i32(0xffff));
  return b.op('and32', b.op('minS32', b.op('maxS32', value, b.i32(-0x8000)), b.i32(0x7fff)), b.i32(0xffff));
}

function pair(b: WaveBuilder, low: Value, high: Value): Value {
  return b.op('or32', b.op('and32', low, b.i32(0xffff)), b.op('shl32', high, b.i32(16)));
}

/** f16 value as f32, of source n. */
const half = (o: Operation, n: number): Value => o.b.op('f16ToF32', o.f16(n));

/** -1 … 1 or 0 … 1 to the full range of 16 bits, rounded to nearest. */
function normalise(b: WaveBuilder, value: Value, type: 'signed' | 'unsigned'): Value {
  const scale = type === 'signed' ? 0x46ff_fe00 : 0x477f_ff00; // 32767, 65535
  const low = b.i32(type === 'signed' ? 0xbf80_0000 : 0);
  const limited = b.op('minNumF32', b.op('maxNumF32', value, low), b.i32(0x3f80_0000));
  const scaled = b.op('nearestF32', b.op('mulF32', limited, b.i32(scale)));
  const integer = b.op('f32ToS32', scaled);
  return b.op('select32', isNaNF32(b, value), b.i32(0), b.op('and32', integer, b.i32(0xffff)));
}

/** floor(x + 0.5) without the rounding of the sum. */
function nearestUp(b: WaveBuilder, x: Value): Value {
  const sum = b.op('floorF64', b.op('addF64', b.op('f32ToF64', x), b.i64(0, 0x3fe0_0000)));
  return b.op('f64ToS32', sum);
}

function packNormalised(read: (o: Operation, n: number) => Value, type: 'signed' | 'unsigned'): Semantic {
  return (o) => {
    o.set32(pair(o.b, normalise(o.b, read(o, 0), type), normalise(o.b, read(o, 1), type)));
  };
}

const toSigned = (o: Operation, n: number): Value => o.b.op('f32ToS32', o.f32(n));
const toUnsigned = (o: Operation, n: number): Value => o.b.op('f32ToU32', o.f32(n));

function packIntegers(read: (o: Operation, n: number) => Value, type: 'signed' | 'unsigned'): Semantic {
  return (o) => {
    const { b } = o;
    o.set32(pair(b, saturate16(b, read(o, 0), type), saturate16(b, read(o, 1), type)));
  };
}

export const CONVERT: Readonly<Record<string, Semantic>> = {
  v_cvt_f32_i32: fromInteger('s32ToF32', (o) => o.u32(0)),
  v_cvt_f32_u32: fromInteger('u32ToF32', (o) => o.u32(0)),
  v_cvt_f32_ubyte0: byte(0),
  v_cvt_f32_ubyte1: byte(1),
  v_cvt_f32_ubyte2: byte(2),
  v_cvt_f32_ubyte3: byte(3),
  v_cvt_i32_f32: toInteger((o) => toSigned(o, 0)),
  v_cvt_u32_f32: toInteger((o) => toUnsigned(o, 0)),
  v_cvt_floor_i32_f32: toInteger((o) => o.b.op('f32ToS32', o.b.op('floorF32', o.f32(0)))),
  v_cvt_nearest_i32_f32: toInteger((o) => nearestUp(o.b, o.f32(0))),
  v_cvt_i32_f64: toInteger((o) => o.b.op('f64ToS32', o.f64(0))),
  v_cvt_u32_f64: toInteger((o) => o.b.op('f64ToU32', o.f64(0))),
  v_cvt_f64_i32: (o) => {
    o.setF64(o.b.op('s32ToF64', o.u32(0)));
  },
  v_cvt_f64_u32: (o) => {
    o.setF64(o.b.op('u32ToF64', o.u32(0)));
  },
  v_cvt_f64_f32: (o) => {
    o.setF64(o.b.op('f32ToF64', o.f32(0)));
  },
  v_cvt_f32_f64: (o) => {
    o.setF32(narrowToF32(o.b, o.f64(0)));
  },
  v_cvt_f32_f16: (o) => {
    o.setF32(half(o, 0));
  },
  v_cvt_f16_f32: (o) => {
    setRoundedF16(o, o.f32(0));
  },
  v_cvt_f16_u16: (o) => {
    setRoundedF16(o, o.b.op('u32ToF32', o.u16(0)));
  },
  v_cvt_f16_i16: (o) => {
    setRoundedF16(o, o.b.op('s32ToF32', o.s16(0)));
  },
  v_cvt_u16_f16: (o) => {
    o.set16(saturate16(o.b, o.b.op('f32ToU32', half(o, 0)), 'unsigned'));
  },
  v_cvt_i16_f16: (o) => {
    o.set16(saturate16(o.b, o.b.op('f32ToS32', half(o, 0)), 'signed'));
  },
  v_cvt_norm_i16_f16: (o) => {
    o.set16(normalise(o.b, half(o, 0), 'signed'));
  },
  v_cvt_norm_u16_f16: (o) => {
    o.set16(normalise(o.b, half(o, 0), 'unsigned'));
  },
  v_cvt_i32_i16: (o) => {
    o.set32(o.s16(0));
  },
  v_cvt_u32_u16: (o) => {
    o.set32(o.u16(0));
  },
  // Four bits, signed, in sixteenths.
  v_cvt_off_f32_i4: (o) => {
    const { b } = o;
    o.setF32(b.op('mulF32', b.op('s32ToF32', o.signExtend(o.u32(0), 4)), b.i32(0x3d80_0000)));
  },
  v_cvt_pk_f16_f32: (o) => {
    const part = (n: number): Value => o.outputF16(narrowToF16(o.b, o.f32(n)));
    o.set32(pair(o.b, part(0), part(1)));
  },
  v_cvt_pk_rtz_f16_f32: (o) => {
    o.set32(packToF16TowardZero(o));
  },
  // One byte of S2 is replaced; which, S1 says.
  v_cvt_pk_u8_f32: (o) => {
    const { b } = o;
    const shift = b.op('shl32', b.op('and32', o.u32(1), b.i32(3)), b.i32(3));
    const value = b.op('minU32', toUnsigned(o, 0), b.i32(0xff));
    const kept = b.op('and32', o.u32(2), b.op('xor32', b.op('shl32', b.i32(0xff), shift), b.i32(-1)));
    o.set32(b.op('or32', kept, b.op('shl32', value, shift)));
  },
  v_cvt_pk_i16_i32: packIntegers((o, n) => o.u32(n), 'signed'),
  v_cvt_pk_u16_u32: packIntegers((o, n) => o.u32(n), 'unsigned'),
  v_cvt_pk_i16_f32: packIntegers(toSigned, 'signed'),
  v_cvt_pk_u16_f32: packIntegers(toUnsigned, 'unsigned'),
  v_cvt_pk_norm_i16_f32: packNormalised((o, n) => o.f32(n), 'signed'),
  v_cvt_pk_norm_u16_f32: packNormalised((o, n) => o.f32(n), 'unsigned'),
  v_cvt_pk_norm_i16_f16: packNormalised(half, 'signed'),
  v_cvt_pk_norm_u16_f16: packNormalised(half, 'unsigned'),
  v_sat_pk_u8_i16: (o) => {
    const { b } = o;
    const part = (value: Value): Value => b.op('minS32', b.op('maxS32', value, b.i32(0)), b.i32(0xff));
    const low = part(o.signExtend(o.u32(0), 16));
    const high = part(b.op('shrS32', o.u32(0), b.i32(16)));
    o.set16(b.op('or32', low, b.op('shl32', high, b.i32(8))));
  },
};
