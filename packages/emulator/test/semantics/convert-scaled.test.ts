import { describe, expect, it } from 'vitest';
import { Random } from '../compile/harness.js';
import { numberOf, widthOf } from '../matrix/recorded-layouts.js';
import { LANES, run } from './support/one-instruction.js';

/**
 * The scaled conversions of gfx1250 against the OCP formats' values by code, exact arithmetic in f64 and searches for the nearest; the
 * lanes and bytes of scales as MLIR's amdgpu.scaled_ext_packed_matrix lists them; stochastic rounding as integer arithmetic on exact
 * multiples of the last place (HIP, amd_hip_ocp_host.hpp, from_float_sr).
 */

/** Sources from v0, seed v20, scale v21, results from v32. */
const [SEED, SCALE, RESULT] = [20, 21, 32];

const f32 = (value: number): number => new Uint32Array(new Float32Array([value]).buffer)[0]!;
const ofF32 = (bits: number): number => new Float32Array(new Uint32Array([bits]).buffer)[0]!;
const valueOf = (wide: string, bits: number): number =>
  wide === 'f32' ? ofF32(bits) : wide === 'bf16' ? ofF32(bits * 0x10000) : numberOf('f16', BigInt(bits));
const isSpecial = (name: string, code: number): boolean =>
  (name === 'fp8' && (code & 0x7f) === 0x7f) || (name === 'bf8' && (code & 0x7f) >= 0x7c);

const SMALL = ['fp8', 'bf8', 'fp6', 'bf6', 'fp4'] as const;
const WIDE = ['f32', 'f16', 'bf16'] as const;
const CASES = SMALL.flatMap((small) => WIDE.map((wide) => ({ small, wide, count: widthOf(small) === 6 ? 16 : 8 })));
const range = (from: number, count: number): string => (count === 1 ? `v${from}` : `v[${from}:${from + count - 1}]`);

/** Bits of a value packed with others from a register on. */
function field(read: (n: number) => number, at: number, width: number): number {
  const [n, shift] = [at >> 5, at & 31];
  const pair = BigInt(read(n)) | (shift + width > 32 ? BigInt(read(n + 1)) << 32n : 0n);
  return Number((pair >> BigInt(shift)) & ((1n << BigInt(width)) - 1n));
}

/** A finite number of the wide format near `value`. */
function rounded(wide: string, value: number): number {
  if (wide === 'f32') return f32(value);
  if (wide === 'bf16') return f32(value) >>> 16;
  let best = 0;
  const size = Math.abs(value);
  for (let bit = 14; bit >= 0; bit--)
    if (numberOf('f16', BigInt(best | (1 << bit))) <= size && (best | (1 << bit)) < 0x7c00) best |= 1 << bit;
  return value < 0 ? best | 0x8000 : best;
}

function packText({ small, wide, count }: (typeof CASES)[number], isStochastic: boolean): string {
  const width = widthOf(small);
  const sources = `${range(0, wide === 'f32' ? count : count / 2)}${isStochastic ? `, v${SEED}` : ''}, v${SCALE}`;
  return `v_cvt_scalef32_${isStochastic ? 'sr_' : ''}pk${count}_${small}_${wide} ${range(RESULT, (count * width) / 32)}, ${sources}`;
}

/** Random numbers about the small format's range times the scale, as sources of every lane. */
function makeSources(
  { small, wide, count }: (typeof CASES)[number],
  scale: (lane: number) => number,
): { bits: number[][]; fill: (vgpr: number, lane: number) => number } {
  const random = new Random(11);
  const codes = 1 << (widthOf(small) - 1);
  const bits = Array.from({ length: LANES }, (_, lane) =>
    Array.from({ length: count }, () => {
      const code = random.below(codes);
      const value = isSpecial(small, code) ? 1 : numberOf(small, BigInt(code));
      const next = isSpecial(small, code + 1) || code + 1 === codes ? value * 1.5 : numberOf(small, BigInt(code + 1));
      const part = [0, 0.25, 0.5, random.below(1000) / 1000][random.below(4)]!;
      return rounded(wide, (value + (next - value) * part) * scale(lane) * (random.below(2) === 0 ? 1 : -1));
    }),
  );
  const fill = (vgpr: number, lane: number): number => {
    if (wide === 'f32') return bits[lane]![vgpr] ?? 0;
    return ((bits[lane]![2 * vgpr] ?? 0) | ((bits[lane]![2 * vgpr + 1] ?? 0) << 16)) >>> 0;
  };
  return { bits, fill };
}

const largestOf = (small: string): number => {
  const codes = Array.from({ length: 1 << (widthOf(small) - 1) }, (_, code) => code).filter((code) => !isSpecial(small, code));
  return codes.at(-1)!;
};

/** The nearest code, ties to even; beyond the largest number by half a place: infinity, NaN, or the largest where there is neither. */
function nearest(small: string, value: number): number {
  const sign = value < 0 || Object.is(value, -0) ? 1 << (widthOf(small) - 1) : 0;
  const [size, largest] = [Math.abs(value), largestOf(small)];
  const [top, below] = [numberOf(small, BigInt(largest)), numberOf(small, BigInt(largest - 1))];
  const limit = top + (top - below) / 2;
  if (size > limit || (size === limit && largest % 2 === 1))
    return sign | (small === 'fp8' ? 0x7f : small === 'bf8' ? 0x7c : largest);
  let best = 0;
  for (let code = 0; code <= largest; code++) {
    const [distance, before] = [Math.abs(numberOf(small, BigInt(code)) - size), Math.abs(numberOf(small, BigInt(best)) - size)];
    if (distance < before || (distance === before && code % 2 === 0)) best = code;
  }
  return sign | best;
}

describe('scaled conversions of gfx1250', () => {
  it.each(CASES)('$small → $wide: every code, every choice of the scale', ({ small, wide, count }) => {
    const width = widthOf(small);
    const random = new Random(5);
    const selections = width === 8 ? [0, 2, 4, 6, 8, 12] : [0, 1, 2, 3, 4, 5, 6, 7];
    for (const select of selections) {
      const results = wide === 'f32' ? count : count / 2;
      const words = Array.from({ length: 4 * LANES }, () => random.below(2 ** 32));
      const scales = Array.from({ length: LANES }, () => 0x7a7b7c7d + random.below(4) * 0x02020202);
      const text = `v_cvt_scale_pk${count}_${wide}_${small} ${range(RESULT, results)}, ${range(0, (count * width) / 32)}, v${SCALE} scale_sel:${select}`;
      const read = run(text, (vgpr, lane) =>
        vgpr === SCALE ? scales[lane]! : vgpr < 4 ? words[vgpr * LANES + lane]! : 0xdead_beef,
      );
      for (let lane = 0; lane < LANES; lane++) {
        const isUpper = lane >= 16;
        const firstLane = (select & (width === 8 ? 8 : 4)) !== 0 ? 16 : 0;
        const pair = (select >> 1) & 1;
        const byte =
          width === 8 ? (select >> 1) & 3 : (select & 1) === 0 ? 2 * pair + (isUpper ? 1 : 0) : pair + (isUpper ? 2 : 0);
        const scale = 2 ** (((scales[firstLane + (lane % 16)]! >>> (8 * byte)) & 0xff) - 127);
        for (let n = 0; n < count; n++) {
          const code = field((part) => words[part * LANES + lane]!, n * width, width);
          const got = wide === 'f32' ? read(n, lane) : (read(n >> 1, lane) >>> (16 * (n & 1))) & 0xffff;
          if (small === 'fp8' && (code & 0x7f) === 0x7f) expect(valueOfNan(wide, got)).toBe(true);
          else if (small === 'bf8' && (code & 0x7f) > 0x7c) expect(valueOfNan(wide, got)).toBe(true);
          else if (small === 'bf8' && (code & 0x7f) === 0x7c) expect(got).toBe(infinity(wide, code >> 7));
          else {
            const value = numberOf(small, BigInt(code)) * scale;
            // bf8 and f16 have the same range: a scale takes its largest numbers beyond.
            if (wide === 'f16' && Math.abs(value) >= 65520) expect(got).toBe(infinity(wide, code >> (width - 1)));
            else if (wide === 'f16' && Math.abs(value) < 2 ** -14)
              expect(Math.abs(valueOf(wide, got) - value)).toBeLessThanOrEqual(2 ** -25);
            else expect(valueOf(wide, got)).toBe(value);
          }
        }
      }
    }
  });

  it('of blocks whose scale is NaN or the smallest power', () => {
    const [nan, small] = [0xff, 0].map((byte) =>
      run(`v_cvt_scale_pk8_f32_fp4 v[32:39], v0, v${SCALE}`, (vgpr) => (vgpr === SCALE ? byte * 0x01010101 : 0x2222_2222)),
    );
    expect(ofF32(nan!(0, 3))).toBeNaN();
    expect(ofF32(small!(0, 3))).toBe(2 ** -127);
  });

  it.each(CASES)('$wide → $small, to nearest even; only the exponent of the scale counts', (each) => {
    const exponent = (lane: number): number => (each.wide === 'f16' ? (lane % 3) - 1 : (lane % 9) * 10 - 40);
    const scale = (lane: number): number => 2 ** exponent(lane);
    const { bits, fill } = makeSources(each, scale);
    const read = run(packText(each, false), (vgpr, lane) =>
      vgpr === SCALE ? (f32(scale(lane)) | 0x8012_3456) >>> 0 : fill(vgpr, lane),
    );
    const width = widthOf(each.small);
    for (let lane = 0; lane < LANES; lane++) {
      const got = Array.from({ length: each.count }, (_, n) => field((part) => read(part, lane), n * width, width));
      expect(got).toEqual(bits[lane]!.map((value) => nearest(each.small, valueOf(each.wide, value) / scale(lane))));
    }
  });

  it('of numbers that are too large, infinite or none', () => {
    const inputs = [1e6, Infinity, -Infinity, NaN];
    const codes = (small: string, fp16Overflow: boolean): number[] => {
      const count = widthOf(small) === 6 ? 16 : 8;
      const text = packText({ small: small as 'fp8', wide: 'f32', count }, false);
      const read = run(text, (vgpr, lane) => (vgpr === SCALE ? f32(1) : f32(inputs[lane] ?? 0)), { fp16Overflow });
      return inputs.map((_, lane) => field((part) => read(part, lane), 0, widthOf(small)));
    };
    expect(codes('fp8', false)).toEqual([0x7f, 0x7f, 0xff, 0x7f]);
    expect(codes('fp8', true)).toEqual([0x7e, 0x7f, 0xff, 0x7f]);
    expect(codes('bf8', false)).toEqual([0x7c, 0x7c, 0xfc, 0x7f]);
    expect(codes('bf8', true)).toEqual([0x7b, 0x7c, 0xfc, 0x7f]);
    expect(codes('fp6', false)).toEqual([0x1f, 0x1f, 0x3f, 0x1f]);
    expect(codes('bf6', false)).toEqual([0x1f, 0x1f, 0x3f, 0x1f]);
    expect(codes('fp4', false)).toEqual([7, 7, 0xf, 7]);
    const nanScale = run(packText(CASES[0]!, false), (vgpr) => (vgpr === SCALE ? 0x7f80_0000 : f32(1)));
    expect(nanScale(0, 0)).toBe(0x7f7f_7f7f);
  });

  it.each(CASES)('$wide → $small, stochastic', (each) => {
    const { small, wide, count } = each;
    const width = widthOf(small);
    const mantissa = { fp8: 3, bf8: 2, fp6: 3, bf6: 2, fp4: 1 }[small];
    const source = { f32: 23, f16: 10, bf16: 7 }[wide];
    const { bits, fill } = makeSources(each, () => 2);
    const seeds = Array.from({ length: LANES }, (_, lane) => (0x243f_6a88 ^ Math.imul(lane + 1, 0x9e37_79b9)) >>> 0);
    const read = run(packText(each, true), (vgpr, lane) =>
      vgpr === SCALE ? f32(2) : vgpr === SEED ? seeds[lane]! : fill(vgpr, lane),
    );
    const largest = largestOf(small);
    for (let lane = 0; lane < LANES; lane++) {
      let seed = seeds[lane]!;
      for (let n = 0; n < count; n++) {
        const value = valueOf(wide, bits[lane]![n]!) / 2;
        const size = Math.abs(value);
        // The code below, and how far it is to the next, in units of the seed's lowest bit that counts; what is below them is cut off.
        let below = 0;
        while (below < largest && numberOf(small, BigInt(below + 1)) <= size) below++;
        const from = numberOf(small, BigInt(below));
        const step = below < largest ? numberOf(small, BigInt(below + 1)) - from : from - numberOf(small, BigInt(below - 1));
        const part = Math.floor(((size - from) / step) * 2 ** (source - mantissa));
        const isUp = part + Math.floor(seed / 2 ** (32 - (source - mantissa))) >= 2 ** (source - mantissa);
        const code = below + (isUp ? 1 : 0);
        const fits = code <= largest && part < 2 ** (source - mantissa);
        const wanted = fits ? code : small === 'fp8' ? 0x7f : small === 'bf8' ? 0x7c : largest;
        const sign = (bits[lane]![n]! >>> (wide === 'f32' ? 31 : 15)) << (width - 1);
        expect([lane, n, field((part2) => read(part2, lane), n * width, width)]).toEqual([lane, n, wanted | sign]);
        // v_prng_b32.
        seed = ((seed << 1) ^ ((seed >>> 31) * 0xc5)) >>> 0;
      }
    }
  });
});

function valueOfNan(wide: string, bits: number): boolean {
  return wide === 'f32' ? Number.isNaN(ofF32(bits)) : wide === 'bf16' ? (bits & 0x7fff) > 0x7f80 : (bits & 0x7fff) > 0x7c00;
}

const infinity = (wide: string, sign: number): number =>
  wide === 'f32' ? 0x7f80_0000 + sign * 0x8000_0000 : (wide === 'bf16' ? 0x7f80 : 0x7c00) + sign * 0x8000;
