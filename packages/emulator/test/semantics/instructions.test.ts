import { skipReason } from '@doorbell/test-support';
import { describe, expect, it } from 'vitest';
import { createWaveState } from '../../src/evaluate/index.js';
import type { WaveState } from '../../src/evaluate/index.js';
import { createRandom } from '../ir/random.js';
import { assemble, DEFAULT_MODE, execute, recorded, runAssembler } from './support/assemble.js';
import { DeviceMemory } from './support/device-memory.js';

/**
 * Single instructions with expected values written out from the pseudo-code of AMD's ISA documents, for what compiled C does not
 * reach: lane crossing, masks, modifiers, odd corners of scalar operations.
 */

const reason = skipReason('llvm-mc-22');

/** v0 … v3 random, v4 the lane, v9 all ones; s0 … s9 random; EXEC as given. */
function makeWave(waveSize: 32 | 64, exec: bigint): WaveState {
  const random = createRandom(waveSize + Number(exec & 0xffn));
  const wave = createWaveState(waveSize);
  for (let n = 0; n < 10; n++) wave.sgprs[n] = random();
  for (let lane = 0; lane < waveSize; lane++) {
    for (let n = 0; n < 4; n++) wave.vgprs[n * waveSize + lane] = random();
    wave.vgprs[4 * waveSize + lane] = lane;
    wave.vgprs[9 * waveSize + lane] = 0xffff_ffff;
  }
  wave.sgprs[125] = 2; // M0
  wave.sgprs[126] = Number(exec & 0xffff_ffffn);
  wave.sgprs[127] = Number(exec >> 32n);
  return wave;
}

const vgpr = (wave: WaveState, n: number): number[] =>
  Array.from(wave.vgprs.subarray(n * wave.waveSize, (n + 1) * wave.waveSize));
const isActive = (wave: WaveState, lane: number): boolean => ((wave.sgprs[126 + (lane >> 5)]! >>> (lane & 31)) & 1) === 1;
const f32 = (value: number): number => new Uint32Array(new Float32Array([value]).buffer)[0]!;

type LaneFunction = (v: readonly (readonly number[])[], lane: number, wave: WaveState) => number;

/** v5 after the instruction, in active lanes; the others keep what they had. */
const VECTOR: readonly (readonly [asm: string, expected: LaneFunction])[] = [
  ['v_perm_b32 v5, v0, v1, v2', ([x, y, z], lane) => permute(x![lane]!, y![lane]!, z![lane]!)],
  ['v_perm_b32 v5, v0, v1, 0x0c0b0a09', ([x, y], l) => permute(x![l]!, y![l]!, 0x0c0b_0a09)],
  ['v_perm_b32 v5, v0, v1, 0x08070300', ([x, y], l) => permute(x![l]!, y![l]!, 0x0807_0300)],
  ['v_alignbyte_b32 v5, v0, v1, v2.l', ([x, y, z], l) => shiftPair(x![l]!, y![l]!, (z![l]! & 3) * 8)],
  ['v_alignbit_b32 v5, v0, v1, 31', ([x, y], l) => shiftPair(x![l]!, y![l]!, 31)],
  ['v_movrels_b32_e32 v5, v1', (v, l) => v[3]![l]!],
  ['v_movreld_b32_e32 v3, v0', ([x], l) => x![l]!],
  ['v_bfi_b32 v5, v0, v1, v2', ([x, y, z], l) => ((x![l]! & y![l]!) | (~x![l]! & z![l]!)) >>> 0],
  ['v_bfe_i32 v5, v0, 28, 9', ([x], l) => (x![l]! >> 28) >>> 0],
  ['v_bfe_u32 v5, v0, 3, 0', () => 0],
  ['v_bfm_b32 v5, 5, 30', () => (0x1f << 30) >>> 0],
  ['v_sad_u8 v5, v0, v1, 7', ([x, y], l) => bytes(x![l]!).reduce((sum, p, n) => sum + Math.abs(p - bytes(y![l]!)[n]!), 7)],
  ['v_lerp_u8 v5, v0, v1, v9', ([x, y], l) => average(x![l]!, y![l]!)],
  ['v_mbcnt_lo_u32_b32 v5, s2, 9', (_, lane, wave) => 9 + popcount(wave.sgprs[2]! & (lane >= 32 ? -1 : (1 << lane) - 1))],
  ['v_mbcnt_hi_u32_b32 v5, s2, 9', (_, lane, wave) => 9 + (lane < 32 ? 0 : popcount(wave.sgprs[2]! & ((1 << (lane - 32)) - 1)))],
  ['v_med3_u32 v5, v0, v1, v2', ([x, y, z], l) => [x![l]!, y![l]!, z![l]!].sort((p, q) => p - q)[1]!],
  ['v_cndmask_b32 v5, 1, -v4, vcc_lo', (_v, lane) => (lane % 2 === 0 ? (lane | 0x8000_0000) >>> 0 : 1)],
  ['v_add_nc_u32_e64 v5, v0, -1 clamp', ([x], l) => Math.min(0xffff_ffff, x![l]! + 0xffff_ffff)],
  ['v_sub_nc_u32_e64 v5, v0, v1 clamp', ([x, y], l) => Math.max(0, x![l]! - y![l]!)],
  ['v_add_nc_i32 v5, v0, v1 clamp', ([x, y], l) => clampSigned((x![l]! | 0) + (y![l]! | 0))],
  ['v_add_nc_u16 v5.h, v0.h, v1.l', ([x, y], l) => (((((x![l]! >>> 16) + y![l]!) & 0xffff) << 16) | 0xbeef) >>> 0],
  [
    'v_pk_add_u16 v5, v0, v1 op_sel:[1,0] op_sel_hi:[0,1]',
    ([x, y], l) => ((((x![l]! + (y![l]! >>> 16)) & 0xffff) << 16) | (((x![l]! >>> 16) + y![l]!) & 0xffff)) >>> 0,
  ],
  ['v_pk_max_i16 v5, v0, v1', ([x, y], l) => pair((p, q) => Math.max((p << 16) >> 16, (q << 16) >> 16), x![l]!, y![l]!)],
  [
    'v_dot4_i32_iu8 v5, v0, v1, v2 neg_lo:[1,0,0]',
    ([x, y, z], l) => bytes(x![l]!).reduce((sum, p, n) => sum + ((p << 24) >> 24) * bytes(y![l]!)[n]!, z![l]! | 0) >>> 0,
  ],
  ['v_mov_b32_dpp v5, v4 quad_perm:[3,2,1,0] row_mask:0xf bank_mask:0xf', (_, lane) => lane ^ 3],
  ['v_mov_b32_dpp v5, v4 row_shl:3 row_mask:0xf bank_mask:0xf bound_ctrl:1', (_, lane) => (lane % 16 < 13 ? lane + 3 : 0)],
  ['v_mov_b32_dpp v5, v4 row_shr:1 row_mask:0xf bank_mask:0xf', (_, lane) => (lane % 16 === 0 ? 0xdead_beef : lane - 1)],
  ['v_mov_b32_dpp v5, v4 row_ror:4 row_mask:0xf bank_mask:0xf', (_, lane) => (lane & ~15) | ((lane - 4) & 15)],
  ['v_mov_b32_dpp v5, v4 row_mirror row_mask:0xf bank_mask:0xf', (_, lane) => lane ^ 15],
  ['v_mov_b32_dpp v5, v4 row_half_mirror row_mask:0xf bank_mask:0xf', (_, lane) => lane ^ 7],
  ['v_mov_b32_dpp v5, v4 row_share:5 row_mask:0xf bank_mask:0xf', (_, lane) => (lane & ~15) | 5],
  ['v_mov_b32_dpp v5, v4 row_xmask:9 row_mask:0xf bank_mask:0xf', (_, lane) => lane ^ 9],
  [
    'v_mov_b32_dpp v5, v4 row_xmask:0 row_mask:0x5 bank_mask:0x3',
    (_, lane) => ((0x5 >> ((lane >> 4) & 3)) & (0x3 >> ((lane >> 2) & 3)) & 1 ? lane : 0xdead_beef),
  ],
  ['v_add_nc_u32_dpp v5, v4, v0 dpp8:[7,6,5,4,3,2,1,0]', ([x], lane) => ((lane ^ 7) + x![lane]!) >>> 0],
  [
    'ds_swizzle_b32 v5, v4 offset:swizzle(BITMASK_PERM, "00p1i")',
    (_, lane) => (lane & ~31) | (((lane & 4) | 2 | (~lane & 1)) & 31),
  ],
  ['ds_swizzle_b32 v5, v4 offset:swizzle(QUAD_PERM, 1, 1, 0, 3)', (_, lane) => (lane & ~3) | [1, 1, 0, 3][lane & 3]!],
  ['v_permlane16_b32 v5, v4, s2, s3', (_, lane, wave) => (lane & ~15) | nibble(wave, lane)],
  ['v_permlanex16_b32 v5, v4, s2, s3', (_, lane, wave) => ((lane ^ 16) & ~15) | nibble(wave, lane)],
];

const nibble = (wave: WaveState, lane: number): number => (wave.sgprs[(lane & 15) < 8 ? 2 : 3]! >>> ((lane & 7) * 4)) & 15;
const bytes = (word: number): number[] => [0, 8, 16, 24].map((shift) => (word >>> shift) & 0xff);
const popcount = (word: number): number => (word >>> 0).toString(2).replaceAll('0', '').length;
const shiftPair = (high: number, low: number, amount: number): number =>
  Number((((BigInt(high) << 32n) | BigInt(low)) >> BigInt(amount)) & 0xffff_ffffn);
const clampSigned = (value: number): number => Math.max(-0x8000_0000, Math.min(0x7fff_ffff, value)) >>> 0;
const average = (x: number, y: number): number =>
  bytes(x).reduce((word, p, n) => (word | (((p + bytes(y)[n]! + 1) >> 1) << (8 * n))) >>> 0, 0);
const pair = (f: (p: number, q: number) => number, x: number, y: number): number =>
  ((f(x & 0xffff, y & 0xffff) & 0xffff) | (f(x >>> 16, y >>> 16) << 16)) >>> 0;

function permute(high: number, low: number, selectors: number): number {
  const source = [...bytes(low), ...bytes(high)];
  return bytes(selectors).reduce((word, selector, n) => {
    let byte = selector === 12 ? 0 : 0xff;
    if (selector < 8) byte = source[selector]!;
    else if (selector < 12) byte = source[(selector - 8) * 2 + 1]! >= 0x80 ? 0xff : 0;
    return (word | (byte << (8 * n))) >>> 0;
  }, 0);
}

describe('single vector instructions', () => {
  for (const waveSize of [32, 64] as const) {
    const lines = VECTOR.map(([asm]) => (waveSize === 64 ? asm.replace('vcc_lo', 'vcc') : asm));
    const code = assemble(lines, 'gfx1100', waveSize);
    for (const [n, [asm, expected]] of VECTOR.entries()) {
      it(`wave${waveSize} ${asm}`, () => {
        const wave = makeWave(waveSize, waveSize === 64 ? (1n << 64n) - 1n : 0xffff_ffffn);
        wave.sgprs[106] = wave.sgprs[107] = 0x5555_5555;
        wave.vgprs.fill(0xdead_beef, 5 * waveSize, 6 * waveSize);
        const before = [0, 1, 2, 3, 4].map((index) => vgpr(wave, index));
        const wanted = before[0]!.map((_, lane) => expected(before, lane, wave));
        expect(execute(code[n]!, wave)).toEqual({ kind: 'next', to: 0x100 + code[n]!.length });
        expect(vgpr(wave, 5)).toEqual(wanted);
      });
      it(`wave${waveSize} ${asm} leaves inactive lanes alone`, () => {
        const wave = makeWave(waveSize, waveSize === 64 ? 0x8000_0001_0000_8421n : 0x8421n);
        wave.vgprs.fill(0xdead_beef, 5 * waveSize, 6 * waveSize);
        execute(code[n]!, wave);
        for (const [lane, value] of vgpr(wave, 5).entries()) if (!isActive(wave, lane)) expect(value).toBe(0xdead_beef);
      });
    }
  }
});

/** Result of a scalar instruction on s0 … s9: s10 (and s11), SCC. */
const SCALAR: readonly (readonly [
  asm: string,
  set: Readonly<Record<number, number>>,
  results: Readonly<Record<number, number>>,
  scc?: 0 | 1,
])[] = [
  ['s_add_i32 s10, s0, s1', { 0: 0x7fff_ffff, 1: 1 }, { 10: 0x8000_0000 }, 1],
  ['s_add_i32 s10, s0, s1', { 0: 0xffff_ffff, 1: 1 }, { 10: 0 }, 0],
  ['s_add_u32 s10, s0, s1', { 0: 0xffff_ffff, 1: 1 }, { 10: 0 }, 1],
  ['s_sub_u32 s10, s0, s1', { 0: 1, 1: 2 }, { 10: 0xffff_ffff }, 1],
  ['s_sub_i32 s10, s0, s1', { 0: 0x8000_0000, 1: 1 }, { 10: 0x7fff_ffff }, 1],
  ['s_min_i32 s10, s0, s1', { 0: 5, 1: 5 }, { 10: 5 }, 0],
  ['s_max_i32 s10, s0, s1', { 0: 5, 1: 5 }, { 10: 5 }, 1],
  ['s_max_u32 s10, s0, s1', { 0: 5, 1: 0x8000_0000 }, { 10: 0x8000_0000 }, 0],
  ['s_bfe_u32 s10, s0, 0x80004', { 0: 0xabcd_ef12 }, { 10: 0xf1 }, 1],
  ['s_bfe_i32 s10, s0, 0x4001c', { 0: 0xabcd_ef12 }, { 10: 0xffff_fffa }, 1],
  ['s_bfe_i32 s10, s0, 0x20001c', { 0: 0xabcd_ef12 }, { 10: 0xffff_fffa }, 1],
  ['s_bfe_u32 s10, s0, 0x4', { 0: 0xabcd_ef12 }, { 10: 0 }, 0],
  ['s_bfe_u64 s[10:11], s[0:1], 0x180010', { 0: 0x8765_4321, 1: 0x0fed_cba9 }, { 10: 0xa9_8765, 11: 0 }, 1],
  ['s_bfe_i64 s[10:11], s[0:1], 0x10003c', { 0: 0, 1: 0x9000_0000 }, { 10: 0xffff_fff9, 11: 0xffff_ffff }, 1],
  ['s_bfm_b32 s10, 8, 4', {}, { 10: 0xff0 }],
  ['s_bfm_b64 s[10:11], 33, 4', {}, { 10: 0xffff_fff0, 11: 0x1f }],
  ['s_clz_i32_u32 s10, s0', { 0: 0 }, { 10: 0xffff_ffff }],
  ['s_ctz_i32_b64 s10, s[0:1]', { 0: 0, 1: 0x100 }, { 10: 40 }],
  ['s_cls_i32 s10, s0', { 0: 0xffff_0000 }, { 10: 16 }],
  ['s_cls_i32_i64 s10, s[0:1]', { 0: 0xffff_ffff, 1: 0xffff_ffff }, { 10: 0xffff_ffff }],
  ['s_bcnt0_i32_b32 s10, s0', { 0: 0xffff_ffff }, { 10: 0 }, 0],
  ['s_quadmask_b32 s10, s0', { 0: 0x1000_0f02 }, { 10: 0x85 }, 1],
  ['s_quadmask_b64 s[10:11], s[0:1]', { 0: 0x1, 1: 0x8000_0000 }, { 10: 0x8001, 11: 0 }, 1],
  ['s_wqm_b32 s10, s0', { 0: 0x1000_0802 }, { 10: 0xf000_0f0f }, 1],
  ['s_bitreplicate_b64_b32 s[10:11], s0', { 0: 0x8000_8005 }, { 10: 0xc000_0033, 11: 0xc000_0000 }],
  ['s_bitset0_b32 s10, s0', { 0: 35, 10: 0xff }, { 10: 0xf7 }],
  ['s_bitset1_b64 s[10:11], s0', { 0: 33, 10: 0, 11: 0 }, { 10: 0, 11: 2 }],
  ['s_bitcmp1_b32 s0, s1', { 0: 0x10, 1: 36 }, {}, 1],
  ['s_absdiff_i32 s10, s0, s1', { 0: 3, 1: 10 }, { 10: 7 }, 1],
  ['s_abs_i32 s10, s0', { 0: 0x8000_0000 }, { 10: 0x8000_0000 }, 1],
  ['s_lshl4_add_u32 s10, s0, s1', { 0: 0x1000_0000, 1: 5 }, { 10: 5 }, 1],
  ['s_lshl1_add_u32 s10, s0, s1', { 0: 0x7fff_ffff, 1: 2 }, { 10: 0 }, 1],
  ['s_mul_hi_i32 s10, s0, s1', { 0: 0xffff_ffff, 1: 2 }, { 10: 0xffff_ffff }],
  ['s_cmpk_lt_i32 s0, 0xffff', { 0: 0xffff_fffe }, {}, 1],
  ['s_cmpk_lt_u32 s0, 0xffff', { 0: 0xfffe }, {}, 1],
  ['s_addk_i32 s10, 0x8000', { 10: 0x8000 }, { 10: 0 }, 0],
  ['s_mulk_i32 s10, 0xffff', { 10: 3 }, { 10: 0xffff_fffd }],
  ['s_mov_b64 s[10:11], 0xdeadbeef', {}, { 10: 0xdead_beef, 11: 0 }],
  ['s_mov_b64 s[10:11], -2', {}, { 10: 0xffff_fffe, 11: 0xffff_ffff }],
  ['s_ashr_i64 s[10:11], 0xdeadbeef, 4', {}, { 10: 0xfdea_dbee, 11: 0xffff_ffff }, 1],
  ['s_pack_hl_b32_b16 s10, s0, s1', { 0: 0x1234_5678, 1: 0x9abc_def0 }, { 10: 0xdef0_1234 }],
  ['s_sext_i32_i8 s10, s0', { 0: 0x80 }, { 10: 0xffff_ff80 }],
  ['s_brev_b64 s[10:11], s[0:1]', { 0: 1, 1: 2 }, { 10: 0x4000_0000, 11: 0x8000_0000 }],
  ['s_and_not1_b32 s10, s0, s1', { 0: 0xff, 1: 0x0f }, { 10: 0xf0 }, 1],
  ['s_and_not0_saveexec_b32 s10, s0', { 0: 0xff, 126: 0xf0f }, { 10: 0xf0f, 126: 0xf00 }, 1],
  ['s_or_saveexec_b64 s[10:11], s[0:1]', { 0: 1, 1: 2, 126: 4, 127: 8 }, { 10: 4, 11: 8, 126: 5, 127: 10 }, 1],
  ['s_and_not1_wrexec_b32 s10, s0', { 0: 0xff, 126: 0xf }, { 10: 0xf0, 126: 0xf0 }, 1],
  ['s_getpc_b64 s[10:11]', {}, { 10: 0x104, 11: 0x42 }],
  ['s_getreg_b32 s10, hwreg(HW_REG_MODE, 4, 4)', {}, { 10: 0xf }],
  ['s_mov_b64 s[10:11], src_shared_base', {}, { 10: 0, 11: 0x1_0000 }],
  ['s_movrels_b32 s10, s0', { 2: 77, 125: 2 }, { 10: 77 }],
  ['s_movreld_b64 s[6:7], s[0:1]', { 0: 1, 1: 2, 125: 4 }, { 6: 0, 10: 1, 11: 2 }],
  ['s_mov_b32 s10, null', {}, { 10: 0 }],
];

describe('single scalar instructions', () => {
  const code = assemble(
    SCALAR.map(([asm]) => asm),
    'gfx1100',
    64,
  );
  for (const [n, [asm, set, results, scc]] of SCALAR.entries()) {
    it(`${asm} of ${JSON.stringify(set)}`, () => {
      const wave = createWaveState(64);
      for (const [index, value] of Object.entries(set)) wave.sgprs[Number(index)] = value;
      // A value of SCC that the instruction must change, or keep.
      wave.scc = scc === undefined ? 1 : 1 - scc;
      execute(code[n]!, wave);
      for (const [index, value] of Object.entries(results)) expect(wave.sgprs[Number(index)], `s${index}`).toBe(value);
      expect(wave.scc, 'scc').toBe(scc ?? 1);
    });
  }
});

describe('masks, lanes and modes', () => {
  const run = (asm: string, wave: WaveState, mode: number = DEFAULT_MODE): ReturnType<typeof execute> =>
    execute(assemble([asm], 'gfx1100', wave.waveSize)[0]!, wave, { mode });

  it('a comparison writes 0 for inactive lanes and replaces the whole mask', () => {
    const wave = makeWave(64, 0xf0n);
    wave.sgprs[10] = wave.sgprs[11] = 0xffff_ffff;
    run('v_cmp_ge_u32_e64 s[10:11], v4, 6', wave);
    expect([wave.sgprs[10], wave.sgprs[11]]).toEqual([0xc0, 0]);
  });

  it('v_cmpx writes EXEC alone', () => {
    const wave = makeWave(32, 0xffffn);
    wave.sgprs[106] = 0x1234;
    run('v_cmpx_gt_u32_e32 5, v4', wave);
    expect([wave.sgprs[126], wave.sgprs[106]]).toEqual([0x1f, 0x1234]);
  });

  it('carries go out and come in by lane', () => {
    const wave = makeWave(32, 0x0fn);
    wave.sgprs[7] = 0x5;
    run('v_add_co_ci_u32_e64 v5, s8, v9, v4, s7', wave);
    expect(vgpr(wave, 5).slice(0, 5)).toEqual([0, 0, 2, 2, 0]);
    expect(wave.sgprs[8]).toBe(0b1111);
    run('v_subrev_co_ci_u32_e64 v5, s8, v4, 2, s7', wave);
    expect(vgpr(wave, 5).slice(0, 4)).toEqual([1, 1, 0xffff_ffff, 0xffff_ffff]);
    expect(wave.sgprs[8]).toBe(0b1100);
  });

  it('v_readfirstlane takes the lowest active lane, lane 0 if there is none', () => {
    const wave = makeWave(64, 0x8_0000_0000n);
    run('v_readfirstlane_b32 s10, v4', wave);
    expect(wave.sgprs[10]).toBe(35);
    wave.sgprs[127] = 0;
    run('v_readfirstlane_b32 s10, v4', wave);
    expect(wave.sgprs[10]).toBe(0);
  });

  it('v_readlane and v_writelane ignore EXEC and wrap their lane', () => {
    const wave = makeWave(32, 0n);
    wave.sgprs[6] = 37;
    run('v_readlane_b32 s10, v4, s6', wave);
    expect(wave.sgprs[10]).toBe(5);
    run('v_writelane_b32 v4, 77, s6', wave);
    expect(vgpr(wave, 4).slice(4, 7)).toEqual([4, 77, 6]);
  });

  it('ds_bpermute reads 0 from inactive lanes and stays in its half on gfx11', () => {
    const wave = makeWave(64, 0xffff_fff0_ffff_fff0n);
    for (let lane = 0; lane < 64; lane++) wave.vgprs[5 * 64 + lane] = (lane ^ 1) * 4;
    run('ds_bpermute_b32 v6, v5, v4', wave);
    expect(vgpr(wave, 6).slice(4, 8)).toEqual([5, 4, 7, 6]);
    expect(vgpr(wave, 6).slice(36, 40)).toEqual([37, 36, 39, 38]);
    for (let lane = 0; lane < 64; lane++) wave.vgprs[5 * 64 + lane] = 0;
    run('ds_bpermute_b32 v6, v5, v4', wave);
    expect(vgpr(wave, 6)[40]).toBe(0);
  });

  it('ds_permute: of two senders the higher lane wins, a lane without one gets 0', () => {
    const wave = makeWave(32, 0xffff_ffffn);
    for (let lane = 0; lane < 32; lane++) wave.vgprs[5 * 32 + lane] = (lane >> 1) * 4;
    run('ds_permute_b32 v6, v5, v4', wave);
    expect(vgpr(wave, 6).slice(0, 17)).toEqual([1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 0]);
  });

  it('v_permlane64 swaps the halves of a wave64', () => {
    const wave = makeWave(64, (1n << 64n) - 1n);
    run('v_permlane64_b32 v5, v4', wave);
    expect(vgpr(wave, 5)).toEqual(vgpr(wave, 4).map((lane) => lane ^ 32));
  });

  it('a dual instruction reads before it writes', () => {
    const wave = makeWave(32, 0xffff_ffffn);
    const before = [vgpr(wave, 0), vgpr(wave, 1)];
    run('v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v1, v0', wave);
    expect([vgpr(wave, 0), vgpr(wave, 1)]).toEqual([before[1], before[0]]);
  });

  it('sources and results are flushed as MODE says, signs kept', () => {
    const wave = makeWave(32, 1n);
    wave.vgprs[0] = 0x8000_0001;
    wave.vgprs[32] = f32(0);
    run('v_add_f32_e32 v5, v0, v1', wave);
    expect(wave.vgprs[5 * 32]).toBe(0x8000_0001);
    run('v_add_f32_e32 v5, v0, v1', wave, DEFAULT_MODE & ~0x10); // inputs flushed: -0 + 0
    expect(wave.vgprs[5 * 32]).toBe(0);
    run('v_mul_f32_e32 v5, 1.0, v0', wave, DEFAULT_MODE & ~0x20); // result flushed
    expect(wave.vgprs[5 * 32]).toBe(0x8000_0000);
  });

  it('output modifiers count only without IEEE and where denormal results are flushed; clamp makes a NaN 0', () => {
    const wave = makeWave(32, 1n);
    wave.vgprs[0] = f32(3);
    run('v_mul_f32_e64 v5, 1.0, v0 mul:4', wave);
    expect(wave.vgprs[5 * 32]).toBe(f32(3));
    run('v_mul_f32_e64 v5, 1.0, v0 mul:4', wave, DEFAULT_MODE & ~0x30);
    expect(wave.vgprs[5 * 32]).toBe(f32(3));
    run('v_mul_f32_e64 v5, 1.0, v0 mul:4', wave, DEFAULT_MODE & ~0x230);
    expect(wave.vgprs[5 * 32]).toBe(f32(12));
    run('v_mul_f32_e64 v5, 0, -v0 mul:4', wave, DEFAULT_MODE & ~0x230);
    expect(wave.vgprs[5 * 32]).toBe(0);
    run('v_add_f32_e64 v5, -v0, 1.0 clamp', wave);
    expect(wave.vgprs[5 * 32]).toBe(0);
    wave.vgprs[0] = 0x7fc0_0000;
    run('v_add_f32_e64 v5, v0, 1.0 clamp', wave);
    expect(wave.vgprs[5 * 32]).toBe(0);
  });

  it('minima quieten a signalling NaN with IEEE, and prefer the number without', () => {
    const wave = makeWave(32, 1n);
    [wave.vgprs[0], wave.vgprs[32]] = [f32(1), 0x7f80_0001];
    run('v_min_f32_e32 v5, v0, v1', wave);
    expect(wave.vgprs[5 * 32]).toBe(0x7fc0_0001);
    run('v_min_f32_e32 v5, v0, v1', wave, DEFAULT_MODE & ~0x200);
    expect(wave.vgprs[5 * 32]).toBe(f32(1));
    run('v_med3_f32 v5, v0, v1, 2.0', wave, DEFAULT_MODE & ~0x200);
    expect(wave.vgprs[5 * 32]).toBe(f32(1));
  });

  it('branches, barriers and ends say where control goes', () => {
    const wave = makeWave(32, 0n);
    expect(run('s_branch 0xfffe', wave)).toEqual({ kind: 'next', to: 0xfc });
    expect(run('s_cbranch_execz 2', wave)).toEqual({ kind: 'next', to: 0x10c });
    expect(run('s_cbranch_execnz 2', wave)).toEqual({ kind: 'next', to: 0x104 });
    expect(run('s_barrier', wave)).toEqual({ kind: 'barrier', to: 0x104 });
    expect(run('s_sleep 1', wave)).toEqual({ kind: 'yield', to: 0x104 });
    expect(run('s_endpgm', wave)).toEqual({ kind: 'end' });
    expect(run('s_trap 2', wave)).toEqual({ kind: 'trap', id: 2, pc: 0x100, to: 0x104 });
    [wave.sgprs[0], wave.sgprs[1]] = [0x40, 0x42];
    expect(run('s_swappc_b64 s[10:11], s[0:1]', wave)).toEqual({
      kind: 'indirect',
      target: 0x42_0000_0040n,
      mode: expect.any(Number) as number,
    });
    expect([wave.sgprs[10], wave.sgprs[11]]).toEqual([0x104, 0x42]);
  });
});

describe('memory', () => {
  const memory = new DeviceMemory(0x1000, 0x400, 0x100);
  const run = (asm: string, wave: WaveState): ReturnType<typeof execute> =>
    execute(assemble([asm], 'gfx1100', wave.waveSize)[0]!, wave, { memory });
  const word = (at: number): number => memory.view.getUint32(at, true);

  it('narrow loads extend or fill one half', () => {
    const wave = makeWave(32, 1n);
    memory.view.setUint32(0x200, 0x1234_f680, true);
    [wave.sgprs[0], wave.sgprs[1], wave.vgprs[0]] = [0x1f0, 0x42, 0x20];
    const expected: readonly (readonly [string, number])[] = [
      ['global_load_u8 v5, v0, s[0:1] offset:-16', 0x80],
      ['global_load_i8 v5, v0, s[0:1] offset:-16', 0xffff_ff80],
      ['global_load_u16 v5, v0, s[0:1] offset:-16', 0xf680],
      ['global_load_i16 v5, v0, s[0:1] offset:-16', 0xffff_f680],
      ['global_load_d16_u8 v5, v0, s[0:1] offset:-16', 0xdead_0080],
      ['global_load_d16_hi_i8 v5, v0, s[0:1] offset:-16', 0xff80_beef],
      ['global_load_d16_hi_b16 v5, v0, s[0:1] offset:-16', 0xf680_beef],
    ];
    for (const [asm, value] of expected) {
      wave.vgprs[5 * 32] = 0xdead_beef;
      run(asm, wave);
      expect(wave.vgprs[5 * 32], asm).toBe(value);
    }
  });

  it('stores write what they should and nothing else', () => {
    const wave = makeWave(32, 1n);
    memory.bytes.fill(0xee, 0x300, 0x340);
    [wave.vgprs[0], wave.vgprs[32], wave.vgprs[2 * 32]] = [0x300, 0x42, 0x8765_4321];
    run('global_store_d16_hi_b16 v[0:1], v2, off offset:2', wave);
    expect(word(0x300)).toBe(0x8765_eeee);
    run('flat_store_b8 v[0:1], v2 offset:9', wave);
    expect(word(0x308)).toBe(0xeeee_21ee);
    wave.vgprs[3 * 32] = 7;
    run('global_store_b64 v[0:1], v[2:3], off offset:16', wave);
    expect([word(0x310), word(0x314), word(0x318)]).toEqual([0x8765_4321, 7, 0xeeee_eeee]);
  });

  it('a fault names lane, address and access, and leaves the registers', () => {
    const wave = makeWave(32, 0b110n);
    for (let lane = 0; lane < 32; lane++) [wave.vgprs[lane], wave.vgprs[32 + lane]] = [lane * 0x800, 0x42];
    const before = vgpr(wave, 5);
    expect(run('global_load_b32 v5, v[0:1], off', wave)).toEqual({
      kind: 'fault',
      fault: { pc: 0x100, lane: 2, address: 0x42_0000_1000n, access: 'read', failure: 'not-present' },
    });
    expect(vgpr(wave, 5)).toEqual(before);
  });

  it('atomics return the old value; data before compare', () => {
    const wave = makeWave(32, 0b11n);
    for (let lane = 0; lane < 2; lane++) {
      [wave.vgprs[lane], wave.vgprs[32 + lane], wave.vgprs[64 + lane]] = [0x40, 100 + lane, lane];
    }
    memory.lds.setUint32(0x40, 0, true);
    run('ds_cmpstore_rtn_b32 v5, v0, v1, v2', wave); // new v1 where the old value is v2
    expect(memory.lds.getUint32(0x40, true)).toBe(100);
    expect(vgpr(wave, 5).slice(0, 2)).toEqual([0, 100]);
    run('ds_mskor_b32 v0, v1, v2', wave); // (old & ~v1) | v2
    expect(memory.lds.getUint32(0x40, true)).toBe(1);
    run('ds_rsub_u32 v0, v1', wave);
    expect(memory.lds.getUint32(0x40, true)).toBe(101 - (100 - 1));
    run('ds_inc_rtn_u32 v5, v0, v2', wave); // 2 ≥ 0: 0; then 0 < 1: 1
    expect(memory.lds.getUint32(0x40, true)).toBe(1);
    memory.view.setBigUint64(0x400, 5n, true);
    [wave.sgprs[126], wave.sgprs[0], wave.sgprs[1]] = [1, 0x400, 0x42];
    [wave.vgprs[0], wave.vgprs[6 * 32], wave.vgprs[7 * 32], wave.vgprs[8 * 32], wave.vgprs[9 * 32]] = [0, 9, 1, 5, 0];
    run('global_atomic_cmpswap_b64 v[10:11], v0, v[6:9], s[0:1] glc', wave);
    expect(memory.view.getBigUint64(0x400, true)).toBe(0x1_0000_0009n);
    expect([wave.vgprs[320], wave.vgprs[352]]).toEqual([5, 0]);
  });

  it('LDS beyond its end reads 0 and drops writes; two addresses are scaled by the element', () => {
    const wave = makeWave(32, 1n);
    wave.vgprs[0] = 0x10;
    memory.lds.setUint32(0x10 + 4 * 3, 0x33, true);
    memory.lds.setUint32(0x10 + 4 * 64 * 2, 0x44, true);
    run('ds_load_2addr_b32 v[5:6], v0 offset0:3 offset1:128', wave);
    expect([wave.vgprs[160], wave.vgprs[192]]).toEqual([0x33, 0x44]);
    run('ds_load_2addr_stride64_b32 v[5:6], v0 offset0:2 offset1:100', wave);
    expect([wave.vgprs[160], wave.vgprs[192]]).toEqual([0x44, 0]);
  });

  it('scalar loads ignore the low address bits and need no lane', () => {
    const wave = makeWave(32, 0n);
    memory.view.setUint32(0x500, 0xabcd, true);
    memory.view.setUint32(0x504, 0x1234, true);
    [wave.sgprs[0], wave.sgprs[1], wave.sgprs[2]] = [0x4f3, 0x42, 7];
    run('s_load_b64 s[10:11], s[0:1], 0x10', wave);
    expect([wave.sgprs[10], wave.sgprs[11]]).toEqual([0xabcd, 0x1234]);
    run('s_load_b32 s10, s[0:1], s2 offset:0x9', wave); // 0x4f0 + 7 + 9
    expect(wave.sgprs[10]).toBe(0xabcd);
  });

  it('scratch is private to each lane', () => {
    const wave = makeWave(32, 0xffn);
    wave.sgprs[0] = 0x10;
    for (let lane = 0; lane < 8; lane++) wave.vgprs[lane] = 4 * (lane & 1);
    run('scratch_store_b32 v0, v4, s0 offset:8', wave);
    expect(memory.scratch[5]!.getUint32(0x1c, true)).toBe(5);
    run('scratch_load_b32 v5, v0, s0 offset:8', wave);
    expect(vgpr(wave, 5).slice(0, 8)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });
});

describe.skipIf(reason !== '')(`recorded encodings ${reason}`, () => {
  it('are what llvm-mc gives', () => {
    const groups = groupEntries(Object.entries(recorded));
    for (const [group, entries] of groups) {
      const [processor = '', wave = ''] = group.split(' ');
      const lines = entries.map(([key]) => key.slice(group.length + 1));
      const encodings = runAssembler(lines, processor, wave === 'wave64' ? 64 : 32);
      expect(encodings.map((bytes) => Buffer.from(bytes).toString('hex'))).toEqual(entries.map(([, hex]) => hex));
    }
  });
});

/** By the first two words of the key: processor and wave size. */
function groupEntries(entries: [string, string][]): Map<string, [string, string][]> {
  const groups = new Map<string, [string, string][]>();
  for (const entry of entries) {
    const group = entry[0].split(' ', 2).join(' ');
    groups.set(group, [...(groups.get(group) ?? []), entry]);
  }
  return groups;
}
