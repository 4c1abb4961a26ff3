/** Vector integer operations that only gfx1250 has (LLVM VOP2Instructions.td, VOP3Instructions.td; semantics.md §4). */
import type { Value } from '../ir/block.js';
import type { WaveBuilder } from '../ir/wave-builder.js';
import { addWithCarry } from './carry.js';
import type { Operation, Semantic } from './operation.js';
import { invert } from './salu-logic.js';
import { fmaF64 } from './rounding.js';

function noClamp(o: Operation): void {
  if (o.immediate('clamp') === 1) o.unsupported(`clamp of ${o.name}`);
}

const wide = (f: (b: WaveBuilder, x: Value, y: Value) => Value): Semantic => {
  return (o) => {
    noClamp(o);
    o.set64(f(o.b, o.u64(0), o.u64(1)));
  };
};

const extreme64 = (which: 'min' | 'max', less: 'ltS64' | 'ltU64'): Semantic =>
  wide((b, x, y) => b.op('select64', which === 'min' ? b.op(less, x, y) : b.op(less, y, x), x, y));

/** S0·S1 + S2 in 64 bits, without a carry. */
const multiplyAdd64 = (product: 'mulWideU32' | 'mulWideS32'): Semantic => {
  return (o) => {
    noClamp(o);
    o.set64(o.b.op('add64', o.b.op(product, o.u32(0), o.u32(1)), o.u64(2)));
  };
};

/** The sum of S0 and S1, saturated with clamp; of that and S2 the smaller or larger. */
function addExtreme(type: 'S32' | 'U32', which: 'min' | 'max'): Semantic {
  return (o) => {
    const { b } = o;
    const [x, y] = [o.u32(0), o.u32(1)];
    const { sum, carry } = addWithCarry(b, x, y, b.bool(0));
    let first = sum;
    if (o.immediate('clamp') === 1 && type === 'U32') first = b.op('select32', carry, b.i32(0xffff_ffff), sum);
    if (o.immediate('clamp') === 1 && type === 'S32') {
      const signs = b.op('and32', b.op('xor32', x, sum), b.op('xor32', y, sum));
      const bound = b.op('xor32', b.op('shrS32', x, b.i32(31)), b.i32(0x7fff_ffff));
      first = b.op('select32', b.op('ltS32', signs, b.i32(0)), bound, sum);
    }
    o.set32(b.op(`${which}${type}`, first, o.u32(2)));
  };
}

/** Two dwords shifted right by S2, each saturated to a byte. */
function shiftPack(min: number, max: number): Semantic {
  return (o) => {
    const { b } = o;
    const byte = (value: Value): Value => {
      const shifted = b.op('shrS32', value, o.u32(2));
      return b.op('and32', b.op('minS32', b.op('maxS32', shifted, b.i32(min)), b.i32(max)), b.i32(0xff));
    };
    o.set16(b.op('or32', byte(o.u32(0)), b.op('shl32', byte(o.u32(1)), b.i32(8))));
  };
}

/** The function of three bits with this table, whose index is {x, y, z}, bit by bit. */
function bitFunction(b: WaveBuilder, table: number, x: Value, y: Value, z: Value): Value {
  const choose = (bit: Value, yes: Value, no: Value): Value => {
    if (yes === no) return yes;
    return b.op('or32', b.op('and32', bit, yes), b.op('and32', invert(b, bit), no));
  };
  const value = (index: number): Value => b.i32((table >>> index) & 1 ? 0xffff_ffff : 0);
  const withZ = (index: number): Value => choose(z, value(index + 1), value(index));
  const withY = (index: number): Value => choose(y, withZ(index + 2), withZ(index));
  return choose(x, withY(4), withY(0));
}

/** Four bytes saturated to four bits each. */
function saturateNibbles(min: number, max: number): Semantic {
  return (o) => {
    const { b } = o;
    let result = b.i32(0);
    for (let n = 0; n < 4; n++) {
      const top = b.op('shl32', o.u32(0), b.i32(24 - 8 * n));
      const byte = b.op(min < 0 ? 'shrS32' : 'shrU32', top, b.i32(24));
      const small = min < 0 ? b.op('minS32', b.op('maxS32', byte, b.i32(min)), b.i32(max)) : b.op('minU32', byte, b.i32(max));
      result = b.op('or32', result, b.op('shl32', b.op('and32', small, b.i32(15)), b.i32(4 * n)));
    }
    o.set16(result);
  };
}

/** The next of a sequence of random numbers: a shift register with feedback. */
export function nextRandom(b: WaveBuilder, x: Value): Value {
  const feedback = b.op('and32', b.op('shrS32', x, b.i32(31)), b.i32(0xc5));
  return b.op('xor32', b.op('shl32', x, b.i32(1)), feedback);
}

/**
 * Sixteen elements of a table of sixteen, each chosen by four bits of S2. S0 holds the upper part of the table (AMD CDNA5 ISA document,
 * V_PERM_PK16_B4_U4).
 */
function lookUp(bits: 4 | 6 | 8, lowDwords: 1 | 2): Semantic {
  return (o) => {
    const { b } = o;
    const dwords = bits / 2;
    const table = Array.from({ length: dwords }, (_, n) =>
      n < lowDwords ? o.read32(o.source(1), n) : o.read32(o.source(0), n - lowDwords),
    );
    const dword = (index: Value): Value =>
      table.reduce((found, each, n) => (n === 0 ? each : b.op('select32', b.op('eq32', index, b.i32(n)), each, found)));
    const results = Array.from({ length: dwords }, () => b.i32(0));
    const put = (n: number, value: Value): void => {
      results[n] = b.op('or32', results[n] ?? b.i32(0), value);
    };
    for (let n = 0; n < 16; n++) {
      const select = b.op('and32', b.op('shrU32', o.read32(o.source(2), n >> 3), b.i32(4 * (n & 7))), b.i32(15));
      const at = b.op('mul32', select, b.i32(bits));
      const [index, shift] = [b.op('shrU32', at, b.i32(5)), b.op('and32', at, b.i32(31))];
      let element = b.op('shrU32', dword(index), shift);
      // Shifted in two steps: an element that ends in its dword takes nothing from the next.
      if (bits === 6) {
        const next = b.op('shl32', dword(b.op('add32', index, b.i32(1))), b.i32(1));
        element = b.op('or32', element, b.op('shl32', next, b.op('sub32', b.i32(31), shift)));
      }
      const value = b.op('and32', element, b.i32((1 << bits) - 1));
      const [to, place] = [(n * bits) >> 5, (n * bits) & 31];
      put(to, b.op('shl32', value, b.i32(place)));
      if (place + bits > 32) put(to + 1, b.op('shrU32', value, b.i32(32 - place)));
    }
    results.forEach((value, n) => {
      o.set32(value, o.result(), n);
    });
  };
}

const fused64 = (read: (o: Operation) => readonly [Value, Value, Value]): Semantic => {
  return (o) => {
    o.setF64(fmaF64(o.b, ...read(o)));
  };
};

export const VALU_GFX1250: Readonly<Record<string, Semantic>> = {
  v_add_nc_u64: wide((b, x, y) => b.op('add64', x, y)),
  v_sub_nc_u64: wide((b, x, y) => b.op('sub64', x, y)),
  v_mul_u64: wide((b, x, y) => b.op('mul64', x, y)),
  v_min_i64: extreme64('min', 'ltS64'),
  v_max_i64: extreme64('max', 'ltS64'),
  v_min_u64: extreme64('min', 'ltU64'),
  v_max_u64: extreme64('max', 'ltU64'),
  v_mad_u32: (o) => {
    noClamp(o);
    o.set32(o.b.op('add32', o.b.op('mul32', o.u32(0), o.u32(1)), o.u32(2)));
  },
  v_mad_nc_u64_u32: multiplyAdd64('mulWideU32'),
  v_mad_nc_i64_i32: multiplyAdd64('mulWideS32'),
  v_add_max_i32: addExtreme('S32', 'max'),
  v_add_min_i32: addExtreme('S32', 'min'),
  v_add_max_u32: addExtreme('U32', 'max'),
  v_add_min_u32: addExtreme('U32', 'min'),
  v_ashr_pk_i8_i32: shiftPack(-0x80, 0x7f),
  v_ashr_pk_u8_i32: shiftPack(0, 0xff),
  v_bitop3_b32: (o) => {
    o.set32(bitFunction(o.b, o.immediate('bitop3'), o.u32(0), o.u32(1), o.u32(2)));
  },
  // In dual instructions alone: the table of three inputs, the third of which is 0 (clang 22 makes `and` 0x40, `or` 0x54, `xor` 0x14).
  v_bitop2_b32: (o) => {
    o.set32(bitFunction(o.b, o.immediate('bitop3'), o.u32(0), o.u32(1), o.b.i32(0)));
  },
  v_bitop3_b16: (o) => {
    o.set16(bitFunction(o.b, o.immediate('bitop3'), o.u16(0), o.u16(1), o.u16(2)));
  },
  v_sat_pk4_i4_i8: saturateNibbles(-8, 7),
  v_sat_pk4_u4_u8: saturateNibbles(0, 15),
  v_perm_pk16_b4_u4: lookUp(4, 1),
  v_perm_pk16_b6_u4: lookUp(6, 2),
  v_perm_pk16_b8_u4: lookUp(8, 2),
  v_prng_b32: (o) => {
    o.set32(nextRandom(o.b, o.u32(0)));
  },
  v_fmaak_f64: fused64((o) => [o.f64(0), o.f64(1), o.f64(2)]),
  v_fmamk_f64: fused64((o) => [o.f64(0), o.f64(1), o.f64(2)]),
};
