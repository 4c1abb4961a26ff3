/**
 * Conversions of gfx1250 between 8 or 16 floats and as many small floats with a scale (v_cvt_scale_pk8, v_cvt_scalef32_pk8 and the
 * like; OCP Microscaling Formats 1.0).
 */
import type { Operand } from '@doorbell/isa';
import type { Value } from '../ir/block.js';
import type { WaveBuilder } from '../ir/wave-builder.js';
import { SMALL_FLOATS } from '../matrix/element-format.js';
import { fromSmall, toSmall } from './convert-small.js';
import { absF32, flushF16, flushF32 } from './float-bits.js';
import { allLanes } from './lane.js';
import type { Operation, Semantic } from './operation.js';
import { narrowToF16 } from './rounding.js';
import { narrowToBf16 } from './valu-bf16.js';
import { nextRandom } from './valu-gfx1250.js';

type SmallName = 'fp8' | 'bf8' | 'fp6' | 'bf6' | 'fp4';
type WideName = 'f32' | 'f16' | 'bf16';

/** Numbers that one instruction converts. */
const countOf = (name: SmallName): number => (SMALL_FLOATS[name].bits === 6 ? 16 : 8);

const NAN_F32 = 0x7fc0_0000;

// Small to wide

/** 2^(code - 127) as f32; the code 255 is NaN (E8M0). */
function powerOf(b: WaveBuilder, code: Value): Value {
  const normal = b.op('shl32', code, b.i32(23));
  const low = b.op('select32', b.op('eq32', code, b.i32(0)), b.i32(0x0040_0000), normal);
  return b.op('select32', b.op('eq32', code, b.i32(255)), b.i32(NAN_F32), low);
}

/**
 * The scale of each lane: a byte of a lane of the half of the wave that scale_sel names, the lane of the same number within it. Bit 0 of
 * scale_sel: blocks of 16 instead of 32 elements. The halves of the wave hold different blocks of 4- and 6-bit elements, so each takes a
 * byte of its own (MLIR, amdgpu.scaled_ext_packed_matrix, and its lowering, getScaleSel).
 */
function unpackScale(o: Operation, name: SmallName): Value {
  const { b } = o;
  const select = o.immediate('scale_sel');
  const isBlock16 = (select & 1) === 1;
  const isByte = SMALL_FLOATS[name].bits === 8;
  if (isByte && isBlock16) o.unsupported(`${o.name} with blocks of 16: which byte a lane takes is not published`);
  const lane = b.op('laneId');
  const word = allLanes(o, o.source(1));
  const firstLane = ((select >> (isByte ? 3 : 2)) & 1) * 16;
  const index = b.op('or32', b.op('and32', lane, b.i32(15)), b.i32(firstLane));
  const scales = word.uniform ? word : b.op('shuffle', word, index);
  const isUpper = b.op('and32', lane, b.i32(16));
  let shift: Value;
  if (isByte) shift = b.i32(8 * ((select >> 1) & 3));
  else if (isBlock16) shift = b.op('add32', isUpper, b.i32(8 * ((select >> 1) & 1)));
  else shift = b.op('add32', b.op('shrU32', isUpper, b.i32(1)), b.i32(16 * ((select >> 1) & 1)));
  return powerOf(b, b.op('and32', b.op('shrU32', scales, shift), b.i32(0xff)));
}

/** Bits of element `n` of a packed source and what is above them. */
function element(o: Operation, operand: Operand, n: number, bits: number): Value {
  const { b } = o;
  const [part, shift] = [(n * bits) >> 5, (n * bits) & 31];
  const low = b.op('shrU32', o.read32(operand, part), b.i32(shift));
  if (shift + bits <= 32) return low;
  return b.op('or32', low, b.op('shl32', o.read32(operand, part + 1), b.i32(32 - shift)));
}

function unpack(name: SmallName, wide: WideName): Semantic {
  return (o) => {
    const { b } = o;
    const format = SMALL_FLOATS[name];
    const scale = unpackScale(o, name);
    const values = Array.from({ length: countOf(name) }, (_, n) =>
      b.op('mulF32', fromSmall(b, format, element(o, o.source(0), n, format.bits)), scale),
    );
    if (wide === 'f32') {
      values
        .map((value) => flushF32(b, value, 'output'))
        .forEach((value, n) => {
          o.set32(value, o.result(), n);
        });
      return;
    }
    const halves = values.map((value) =>
      wide === 'f16' ? flushF16(b, narrowToF16(b, value, 0), 'output') : narrowToBf16(b, value),
    );
    setPacked(o, halves, 16);
  };
}

/** Codes side by side from the lowest bit of the result up. */
function setPacked(o: Operation, codes: readonly Value[], bits: number): void {
  const { b } = o;
  const parts: Value[] = Array.from({ length: (codes.length * bits) / 32 }, () => b.i32(0));
  const add = (part: number, value: Value): void => {
    parts[part] = b.op('or32', parts[part] ?? b.i32(0), value);
  };
  codes.forEach((code, n) => {
    const [part, shift] = [(n * bits) >> 5, (n * bits) & 31];
    add(part, b.op('shl32', code, b.i32(shift)));
    if (shift + bits > 32) add(part + 1, b.op('shrU32', code, b.i32(32 - shift)));
  });
  // All are read before the first is written: the registers may be the sources'.
  parts.forEach((value, n) => {
    o.set32(value, o.result(), n);
  });
}

// Wide to small

const WIDE_MANTISSA: Readonly<Record<WideName, number>> = { f32: 23, f16: 10, bf16: 7 };

function wideElement(o: Operation, n: number, wide: WideName): Value {
  const { b } = o;
  const operand = o.source(0);
  if (wide === 'f32') return o.read32(operand, n);
  const word = o.read32(operand, n >> 1);
  const bits = n % 2 === 0 ? b.op('and32', word, b.i32(0xffff)) : b.op('shrU32', word, b.i32(16));
  return wide === 'f16' ? b.op('f16ToF32', bits) : b.op('shl32', bits, b.i32(16));
}

/** 2^(127 - exponent field) of the scale, whose sign and mantissa do not count (AMD CDNA4 ISA document, V_CVT_SCALEF32_PK_FP4_F32). */
function packFactor(b: WaveBuilder, scale: Value): Value {
  const exponent = b.op('and32', b.op('shrU32', scale, b.i32(23)), b.i32(0xff));
  const normal = b.op('shl32', b.op('sub32', b.i32(254), exponent), b.i32(23));
  const low = b.op('select32', b.op('eq32', exponent, b.i32(254)), b.i32(0x0040_0000), normal);
  return b.op('select32', b.op('eq32', exponent, b.i32(255)), b.i32(NAN_F32), low);
}

/**
 * Each number divided by the scale and rounded. Stochastic: the high bits of source 1, as many as are below the result's last place in the
 * source's mantissa; each number takes the next value of v_prng_b32 (V_CVT_SCALEF32_SR_PK_FP4_F32).
 */
function pack(name: SmallName, wide: WideName, isStochastic: boolean): Semantic {
  return (o) => {
    const { b } = o;
    const format = SMALL_FLOATS[name];
    const factor = packFactor(b, o.read32(o.source(isStochastic ? 2 : 1)));
    const kept = ~(2 ** (32 - (WIDE_MANTISSA[wide] - format.mantissaBits)) - 1) >>> 0;
    const isSaturating = b.mode.fp16Overflow || format.specials === 'none';
    let random = isStochastic ? o.read32(o.source(1)) : b.i32(0);
    const codes = Array.from({ length: countOf(name) }, (_, n) => {
      const value = wideElement(o, n, wide);
      const isNumber = b.op('ltU32', absF32(b, value), b.i32(0x7f80_0000));
      const rounding = isStochastic ? ({ random: b.op('and32', random, b.i32(kept)), ofResult: true } as const) : 'nearest';
      random = isStochastic ? nextRandom(b, random) : random;
      return toSmall(b, format, b.op('mulF32', value, factor), rounding, isSaturating, isNumber);
    });
    setPacked(o, codes, format.bits);
  };
}

const SMALL: readonly SmallName[] = ['fp8', 'bf8', 'fp6', 'bf6', 'fp4'];
const WIDE: readonly WideName[] = ['f32', 'f16', 'bf16'];

export const CONVERT_SCALED: Readonly<Record<string, Semantic>> = Object.fromEntries(
  SMALL.flatMap((small) =>
    WIDE.flatMap((wide): [string, Semantic][] => {
      const count = `pk${countOf(small)}`;
      return [
        [`v_cvt_scale_${count}_${wide}_${small}`, unpack(small, wide)],
        [`v_cvt_scalef32_${count}_${small}_${wide}`, pack(small, wide, false)],
        [`v_cvt_scalef32_sr_${count}_${small}_${wide}`, pack(small, wide, true)],
      ];
    }),
  ),
);
