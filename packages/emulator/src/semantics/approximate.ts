/**
 * Instructions whose result hardware gives within a bound only, not exactly. `ulps` is what the emulator keeps, measured against
 * values of 113 bits (test/semantics/approximate.sweep.test.ts); hardware's own bounds are in semantics.md §6.
 */
export interface Approximation {
  /** Largest error in units of the last place, rounded up. */
  readonly ulps: number;
  readonly how: string;
}

const DIVISION = 'correctly rounded division';
const ROOT = 'correctly rounded square root';
const ROOT_DIVISION = 'square root, then division, each correctly rounded';
const SERIES = 'evaluated in f64, rounded to f32';
const HALF = 'evaluated in f32, rounded to f16';

/** By name; other instructions are exact, but for those of {@link UNDOCUMENTED}. */
export const APPROXIMATE: Readonly<Record<string, Approximation>> = {
  v_rcp_f32: { ulps: 0.5, how: DIVISION },
  v_rsq_f32: { ulps: 0.51, how: 'square root and division in f64, rounded to f32' },
  v_sqrt_f32: { ulps: 0.5, how: ROOT },
  v_exp_f32: { ulps: 0.51, how: SERIES },
  v_log_f32: { ulps: 0.51, how: SERIES },
  v_sin_f32: { ulps: 0.51, how: SERIES },
  v_cos_f32: { ulps: 0.51, how: SERIES },
  v_rcp_f16: { ulps: 0.51, how: HALF },
  v_rsq_f16: { ulps: 0.51, how: HALF },
  v_sqrt_f16: { ulps: 0.51, how: HALF },
  v_exp_f16: { ulps: 0.51, how: HALF },
  v_log_f16: { ulps: 0.51, how: HALF },
  v_sin_f16: { ulps: 0.51, how: HALF },
  v_cos_f16: { ulps: 0.51, how: HALF },
  v_rcp_f64: { ulps: 0.5, how: DIVISION },
  v_rsq_f64: { ulps: 1.5, how: ROOT_DIVISION },
  v_sqrt_f64: { ulps: 0.5, how: ROOT },
};

/** Instructions of which no public document says how hardware rounds: what the emulator does. */
export const UNDOCUMENTED: Readonly<Record<string, string>> = {
  v_mfma_: 'and the other matrix instructions, but for integers: order of the sums and rounding inside',
  v_tanh_:
    'gfx1250: evaluated in f64, rounded to f32 (at most 0.51 ulp), that to f16 or bf16, as the bf16 forms of rcp, rsq, sqrt, exp, log, sin and cos are',
  v_cvt_sr_pk_bf16_f32: 'the low half of the random bits goes to the first number, the high half to the second',
  v_dot2_f32_f16: 'one f32 rounding after each product, low half first; hardware within 1 ulp',
  v_dot2_f32_bf16: 'one f32 rounding after each product, low half first',
  v_dot2acc_f32_f16: 'as v_dot2_f32_f16',
  v_dot2acc_f32_bf16: 'as v_dot2_f32_bf16',
  v_dot2_f16_f16: 'one f16 rounding after each product, low half first',
  v_dot2_bf16_bf16: 'one bf16 rounding after each product, low half first',
  v_cvt_pk_u8_f32: 'cut off like v_cvt_u32_f32, limited to 255',
};

const MATRIX = /^v_(?:mfma|smfmac|wmma|swmmac)_(?!i32)/;
const TRANSCENDENTAL = /^v_(?:tanh|(?:rcp|rsq|sqrt|exp|log|sin|cos)(?=_bf16))_/;

/** How exact an instruction that has a meaning is. */
export function fidelityOf(name: string): 'exact' | 'approximate' | 'undocumented' {
  // Scalar forms of gfx12, the form with an integer's flags, and those with older denormal rules are the same functions.
  const plain = name.replace(/^v_s_/, 'v_').replace(/_(?:iflag|legacy)(?=_f32$)/, '');
  if (plain in APPROXIMATE) return 'approximate';
  return name in UNDOCUMENTED || MATRIX.test(name) || TRANSCENDENTAL.test(name) ? 'undocumented' : 'exact';
}
