/** Single instructions of gfx90a and gfx942, with expected values written out from AMD's ISA documents (Vega, CDNA2, CDNA3). */
import { createDecoder } from '@doorbell/isa';
import { describe, expect, it } from 'vitest';
import type { WaveState } from '../../src/evaluate/index.js';
import { createWaveState, evaluateBlock } from '../../src/evaluate/index.js';
import { buildBlock, decodeMode } from '../../src/semantics/index.js';
import { createRandom } from '../ir/random.js';
import { assemble, DEFAULT_MODE, execute } from './support/assemble.js';
import { DeviceMemory } from './support/device-memory.js';

const LANES = 64;
const FIRST_AGPR = 256;

/** v0 … v3 random, v4 the lane, v5 0xdeadbeef; s0 … s9 random; all lanes active. */
function makeWave(): WaveState {
  const random = createRandom(90);
  const wave = createWaveState(LANES, 512);
  for (let n = 0; n < 10; n++) wave.sgprs[n] = random();
  for (let lane = 0; lane < LANES; lane++) {
    for (let n = 0; n < 4; n++) wave.vgprs[n * LANES + lane] = random();
    wave.vgprs[4 * LANES + lane] = lane;
    wave.vgprs[5 * LANES + lane] = 0xdead_beef;
    wave.vgprs[(FIRST_AGPR + 7) * LANES + lane] = random();
  }
  wave.sgprs[126] = wave.sgprs[127] = 0xffff_ffff;
  return wave;
}

const lanes = (wave: WaveState, n: number): number[] => Array.from(wave.vgprs.subarray(n * LANES, (n + 1) * LANES));
const put = (wave: WaveState, n: number, values: (lane: number) => number): void => {
  for (let lane = 0; lane < LANES; lane++) wave.vgprs[n * LANES + lane] = values(lane);
};
const bits = (value: number): number => new Uint32Array(new Float32Array([value]).buffer)[0]!;
const float = (word: number): number => new Float32Array(new Uint32Array([word]).buffer)[0]!;

type LaneFunction = (x: number, y: number, z: number, lane: number) => number;

/** v5 after the instruction, from v0, v1, v2 of the lane. */
const VECTOR: readonly (readonly [asm: string, expected: LaneFunction])[] = [
  // SDWA: a part of each source, a part of the result, and what becomes of the rest.
  [
    'v_xor_b32_sdwa v5, v0, v1 dst_sel:BYTE_2 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_1 src1_sel:BYTE_3',
    (x, y) => ((0xdead_beef & ~0xff_0000) | ((((x >>> 8) ^ (y >>> 24)) & 0xff) << 16)) >>> 0,
  ],
  [
    'v_add_u32_sdwa v5, sext(v0), v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:WORD_1',
    (x, y) => (((x << 24) >> 24) + (y >>> 16)) >>> 0,
  ],
  ['v_mov_b32_sdwa v5, v0 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:WORD_0', (x) => (x << 16) >>> 0],
  ['v_mov_b32_sdwa v5, v0 dst_sel:BYTE_1 dst_unused:UNUSED_SEXT src0_sel:BYTE_3', (x) => ((x >> 24) << 8) >>> 0],
  [
    'v_lshlrev_b32_sdwa v5, v4, v0 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:BYTE_2',
    (x, _y, _z, lane) => (((x >>> 16) & 0xff) << (lane & 31)) >>> 0,
  ],
  // 16-bit results clear the other half, but for those that can choose it or add to it.
  ['v_add_u16_e32 v5, v0, v1', (x, y) => (x + y) & 0xffff],
  ['v_sub_u16_e64 v5, v0, v1 clamp', (x, y) => Math.max(0, (x & 0xffff) - (y & 0xffff))],
  ['v_subrev_u16_e32 v5, v0, v1', (x, y) => (y - x) & 0xffff],
  ['v_max_i16_e32 v5, v0, v1', (x, y) => Math.max((x << 16) >> 16, (y << 16) >> 16) & 0xffff],
  [
    'v_mad_u16 v5, v0, v1, v2 op_sel:[1,0,1,0]',
    (x, y, z) => (0xdead_0000 | (((x >>> 16) * (y & 0xffff) + (z >>> 16)) & 0xffff)) >>> 0,
  ],
  [
    'v_mad_u16 v5, v0, v1, v2 op_sel:[0,0,0,1]',
    (x, y, z) => (((((x & 0xffff) * (y & 0xffff) + z) & 0xffff) << 16) | 0xbeef) >>> 0,
  ],
  ['v_mad_legacy_u16 v5, v0, v1, v2', (x, y, z) => ((x & 0xffff) * (y & 0xffff) + z) & 0xffff],
  // Across the wave.
  ['v_mov_b32_dpp v5, v4 wave_shl:1 row_mask:0xf bank_mask:0xf', (_x, _y, _z, lane) => (lane < 63 ? lane + 1 : 0xdead_beef)],
  ['v_mov_b32_dpp v5, v4 wave_rol:1 row_mask:0xf bank_mask:0xf', (_x, _y, _z, lane) => (lane + 1) % 64],
  ['v_mov_b32_dpp v5, v4 wave_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:0', (_x, _y, _z, lane) => Math.max(0, lane - 1)],
  ['v_mov_b32_dpp v5, v4 wave_ror:1 row_mask:0xf bank_mask:0xf', (_x, _y, _z, lane) => (lane + 63) % 64],
  [
    'v_mov_b32_dpp v5, v4 row_bcast:15 row_mask:0xa bank_mask:0xf',
    (_x, _y, _z, lane) => ((lane >> 4) & 1 ? (lane & ~15) - 1 : 0xdead_beef),
  ],
  ['v_mov_b32_dpp v5, v4 row_bcast:31 row_mask:0xc bank_mask:0xf', (_x, _y, _z, lane) => (lane >= 32 ? 31 : 0xdead_beef)],
  ['v_mov_b32_dpp v5, v4 row_newbcast:6 row_mask:0xf bank_mask:0xf', (_x, _y, _z, lane) => (lane & ~15) + 6],
  // Integers.
  ['v_add_i32 v5, v0, v1 clamp', (x, y) => Math.min(0x7fff_ffff, Math.max(-0x8000_0000, (x | 0) + (y | 0))) >>> 0],
  ['v_dot4_i32_i8 v5, v0, v1, v2', (x, y, z) => signedBytes(x).reduce((sum, p, n) => sum + p * signedBytes(y)[n]!, z) >>> 0],
  ['v_dot8_i32_i4 v5, v0, v1, v2', (x, y, z) => nibbles(x).reduce((sum, p, n) => sum + p * nibbles(y)[n]!, z) >>> 0],
  [
    'v_dot2_i32_i16 v5, v0, v1, v2 clamp',
    (x, y, z) => {
      const sum = ((x << 16) >> 16) * ((y << 16) >> 16) + (x >> 16) * (y >> 16) + (z | 0);
      return Math.min(0x7fff_ffff, Math.max(-0x8000_0000, sum)) >>> 0;
    },
  ],
  ['v_accvgpr_read_b32 v5, a7', (_x, _y, _z, lane) => makeWave().vgprs[(FIRST_AGPR + 7) * LANES + lane]!],
];

const signedBytes = (word: number): number[] => [24, 16, 8, 0].map((shift) => (word << shift) >> 24);
const nibbles = (word: number): number[] => [28, 24, 20, 16, 12, 8, 4, 0].map((shift) => (word << shift) >> 28);

function run(asm: string, wave: WaveState, processor: 'gfx90a' | 'gfx942' = 'gfx90a', memory?: DeviceMemory): void {
  const [code] = assemble([asm], processor, 64);
  const outcome = execute(code!, wave, memory === undefined ? { processor } : { processor, memory });
  expect(outcome.kind).toBe('next');
}

describe('vector instructions of gfx90a', () => {
  it.each(VECTOR)('%s', (asm, expected) => {
    const wave = makeWave();
    const [x, y, z] = [0, 1, 2].map((n) => lanes(wave, n)) as [number[], number[], number[]];
    run(asm, wave);
    expect(lanes(wave, 5)).toEqual(x.map((value, lane) => expected(value, y[lane]!, z[lane]!, lane) >>> 0));
  });

  it('v_mad_f32 rounds the product and treats denormals as zeros', () => {
    const wave = makeWave();
    const values = [
      // (1 + 2^-12)² - 1: the product rounded loses 2^-24.
      [bits(1 + 2 ** -12), bits(1 + 2 ** -12), bits(-1)],
      [bits(2 ** -130), bits(2 ** 100), bits(1)],
      [bits(2 ** -100), bits(2 ** -40), bits(2 ** -120)],
    ];
    for (let n = 0; n < 3; n++) put(wave, n, (lane) => values[lane % 3]![n]!);
    run('v_mad_f32 v5, v0, v1, v2', wave);
    expect(lanes(wave, 5).slice(0, 3).map(float)).toEqual([2 ** -11, 1, 2 ** -120]);
  });

  it('comparisons for EXEC also write the mask', () => {
    const wave = makeWave();
    run('v_cmpx_gt_u32_e64 s[10:11], 5, v4', wave);
    expect([wave.sgprs[10], wave.sgprs[11], wave.sgprs[126], wave.sgprs[127]]).toEqual([0x1f, 0, 0x1f, 0]);
    const short = makeWave();
    run('v_cmpx_eq_u32_e32 vcc, 33, v4', short);
    expect([short.sgprs[106], short.sgprs[107], short.sgprs[126], short.sgprs[127]]).toEqual([0, 2, 0, 2]);
  });

  it('packed f32 takes each half by op_sel', () => {
    const wave = makeWave();
    for (const [n, value] of [2, 3, 5, 7].entries()) put(wave, n, () => bits(value));
    run('v_pk_fma_f32 v[10:11], v[0:1], v[2:3], v[0:1] op_sel:[1,0,0] op_sel_hi:[0,1,1] neg_lo:[0,1,0]', wave);
    // Low: 3·-5 + 2; high: 2·7 + 3.
    expect([lanes(wave, 10)[0]!, lanes(wave, 11)[0]!].map(float)).toEqual([-13, 17]);
    run('v_pk_mov_b32 v[12:13], v[0:1], v[2:3] op_sel:[1,0]', wave);
    expect([lanes(wave, 12)[9]!, lanes(wave, 13)[9]!].map(float)).toEqual([3, 5]);
  });
});

describe('memory of gfx90a and gfx942', () => {
  const makeMemory = (): DeviceMemory => new DeviceMemory(0x1000, 0x1000, 0x100);

  it('a vector register or an accumulation register is loaded and stored', () => {
    const [wave, memory] = [makeWave(), makeMemory()];
    put(wave, 0, (lane) => 0x100 + 4 * lane);
    put(wave, 1, () => 0x42);
    run('global_store_dword v[0:1], a7, off offset:16', wave, 'gfx90a', memory);
    expect(memory.view.getUint32(0x110 + 4 * 9, true)).toBe(lanes(wave, FIRST_AGPR + 7)[9]);
    run('global_load_dword a3, v[0:1], off offset:16', wave, 'gfx90a', memory);
    expect(lanes(wave, FIRST_AGPR + 3)).toEqual(lanes(wave, FIRST_AGPR + 7));
  });

  it('ds_cmpst compares with the first datum and stores the second', () => {
    const [wave, memory] = [makeWave(), makeMemory()];
    put(wave, 0, (lane) => 4 * lane);
    put(wave, 1, (lane) => (lane % 2 === 0 ? 0 : 9));
    put(wave, 2, (lane) => 100 + lane);
    run('ds_cmpst_rtn_b32 v5, v0, v1, v2', wave, 'gfx90a', memory);
    expect(lanes(wave, 5).every((value) => value === 0)).toBe(true);
    expect([memory.lds.getUint32(8, true), memory.lds.getUint32(12, true)]).toEqual([102, 0]);
  });

  it('packed halves are added in memory, each by itself', () => {
    const [wave, memory] = [makeWave(), makeMemory()];
    memory.lds.setUint32(0, 0x3c00_7bff, true); // 1, 65504
    put(wave, 0, () => 0);
    put(wave, 1, () => 0x0001_4c00); // the least denormal, 16
    wave.sgprs[126] = 1;
    wave.sgprs[127] = 0;
    run('ds_pk_add_rtn_f16 v5, v0, v1', wave, 'gfx942', memory);
    expect(lanes(wave, 5)[0]).toBe(0x3c00_7bff);
    expect(memory.lds.getUint32(0, true)).toBe(0x3c00_7c00); // 65520 is nearest to infinity
    memory.lds.setUint32(0, 0x3f80_3f81, true); // bf16 1, 1 + 2^-7
    put(wave, 1, () => 0x3b80_3b80); // 2^-8: ties to even
    run('ds_pk_add_bf16 v0, v1', wave, 'gfx942', memory);
    expect(memory.lds.getUint32(0, true)).toBe(0x3f80_3f82);
  });

  it('a load into LDS goes lane by lane from M0 on', () => {
    const [wave, memory] = [makeWave(), makeMemory()];
    put(wave, 0, (lane) => 0x200 + 4 * (63 - lane));
    put(wave, 1, () => 0x42);
    for (let n = 0; n < 64; n++) memory.view.setUint32(0x200 + 4 * n, 1000 + n, true);
    wave.sgprs[125] = 0x40;
    run('global_load_lds_dword v[0:1], off', wave, 'gfx942', memory);
    expect([0, 5, 63].map((lane) => memory.lds.getUint32(0x40 + 4 * lane, true))).toEqual([1063, 1058, 1000]);
  });

  it('ds_append counts the active lanes once', () => {
    const [wave, memory] = [makeWave(), makeMemory()];
    memory.lds.setUint32(0x24, 7, true);
    wave.sgprs[125] = 0x20;
    wave.sgprs[126] = 0xf0;
    wave.sgprs[127] = 1;
    run('ds_append v5 offset:4', wave, 'gfx90a', memory);
    expect(memory.lds.getUint32(0x24, true)).toBe(12);
    expect([lanes(wave, 5)[4], lanes(wave, 5)[32], lanes(wave, 5)[0]]).toEqual([7, 7, 0xdead_beef]);
  });

  it('scalar stores and atomics happen once, whatever EXEC is', () => {
    const [wave, memory] = [makeWave(), makeMemory()];
    wave.sgprs[126] = wave.sgprs[127] = 0;
    [wave.sgprs[4], wave.sgprs[5], wave.sgprs[6]] = [0x300, 0x42, 5];
    run('s_store_dword s6, s[4:5], 0x10', wave, 'gfx90a', memory);
    run('s_atomic_add s6, s[4:5], 0x10 glc', wave, 'gfx90a', memory);
    expect([memory.view.getUint32(0x310, true), wave.sgprs[6]]).toEqual([10, 5]);
  });
});

it('register indexing adds M0 to the operands that it names', () => {
  const wave = makeWave();
  const program = [
    's_set_gpr_idx_on s9, gpr_idx(SRC0)',
    'v_mov_b32_e32 v5, v0',
    's_set_gpr_idx_mode gpr_idx(DST)',
    'v_mov_b32_e32 v10, v4',
    's_set_gpr_idx_off',
    'v_mov_b32_e32 v20, v4',
  ];
  wave.sgprs[9] = 0x302; // only the low byte counts
  let mode = decodeMode(DEFAULT_MODE);
  for (const code of assemble(program, 'gfx90a', 64)) {
    const bytes = new Uint8Array(20);
    bytes.set(code);
    const decoded = createDecoder('gfx90a').decode(bytes, 0);
    if (!decoded.ok) throw new Error(decoded.failure.message);
    const options = { waveSize: 64, mode, processor: 'gfx90a', codeBase: 0n, vgprCount: 32 } as const;
    const block = buildBlock([{ offset: 0, instruction: decoded.instruction }], options);
    expect(evaluateBlock(block, wave, new DeviceMemory(16, 16, 16)).kind).toBe('next');
    mode = block.modeAfter ?? mode;
  }
  expect(lanes(wave, 5)).toEqual(lanes(wave, 2));
  expect(lanes(wave, 12)).toEqual(lanes(wave, 4));
  expect(lanes(wave, 10).every((value) => value === 0)).toBe(true);
  expect(lanes(wave, 20)).toEqual(lanes(wave, 4));
});

it('v_trig_preop_f64 gives 53 bits of 2/π at each segment', () => {
  // Machin: π/4 = 4·atan(1/5) - atan(1/239), in 1300 bits.
  const scale = 1n << 1300n;
  const arctan = (n: bigint): bigint => {
    let [sum, term] = [0n, scale / n];
    for (let k = 1n; term !== 0n; k += 2n, term /= -n * n) sum += term / k;
    return sum;
  };
  const pi = 4n * (4n * arctan(5n) - arctan(239n));
  const bitsOf = (2n * scale * scale) / pi; // 2/π · 2^1300
  const wave = makeWave();
  put(wave, 0, () => 0);
  put(wave, 1, () => 0x3ff0_0000);
  put(wave, 2, (lane) => lane % 20);
  run('v_trig_preop_f64 v[10:11], v[0:1], v2', wave);
  for (let lane = 0; lane < 20; lane++) {
    const digits = (bitsOf >> (1300n - 53n * BigInt(lane + 1))) & ((1n << 53n) - 1n);
    const result = new Float64Array(new Uint32Array([lanes(wave, 10)[lane]!, lanes(wave, 11)[lane]!]).buffer)[0]!;
    expect(result).toBe(Number(digits) * 2 ** (-53 * (lane + 1)));
  }
});
