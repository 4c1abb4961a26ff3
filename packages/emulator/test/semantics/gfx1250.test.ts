import { describe, expect, it } from 'vitest';
import { createWaveState, evaluateBlock } from '../../src/evaluate/index.js';
import { buildBlock } from '../../src/semantics/index.js';
import { withVgprBanks } from '../../src/semantics/vgpr-banks.js';
import { MODE, Random } from '../compile/harness.js';
import { DeviceMemory } from './support/device-memory.js';
import { decodeText, LANES, run } from './support/one-instruction.js';

/** Instructions that only gfx1250 has, against functions written from HIP's headers and AMD's CDNA5 ISA document. */

/** HIP's shuffles (amd_warp_functions.h): the lane that `self` reads in groups of `width`. */
const SHUFFLES: Readonly<Record<string, (self: number, n: number, width: number) => number>> = {
  bcast: (self, lane, width) => (self & ~(width - 1)) + (lane & (width - 1)),
  up: (self, delta, width) => (self - delta < (self & ~(width - 1)) ? self : self - delta),
  down: (self, delta, width) => ((self & (width - 1)) + delta >= width ? self : self + delta),
  xor: (self, mask, width) => ((self ^ mask) >= ((self + width) & ~(width - 1)) ? self : self ^ mask),
};

describe('lanes of groups', () => {
  it.each(Object.keys(SHUFFLES))('v_permlane_%s_b32 reads the lane that HIP says', (name) => {
    for (const width of [2, 4, 8, 16, 32]) {
      for (const select of [0, 1, 2, 5, 7, 8, 15, 31]) {
        const read = run(`v_permlane_${name}_b32 v32, v1, s4, s5`, (vgpr, lane) => vgpr * 100 + lane, {
          sgprs: { 4: select, 5: width },
          exec: 0x7fff_ffff,
        });
        for (let lane = 0; lane < 31; lane++) expect(read(0, lane)).toBe(100 + SHUFFLES[name]!(lane, select, width));
        expect(read(0, 31)).toBe(3231);
      }
    }
  });

  it('v_permlane_idx_gen_b32 makes the address of a lane of the group', () => {
    const read = run('v_permlane_idx_gen_b32 v32, v1, 8', (vgpr, lane) => (vgpr === 1 ? lane * 3 + 1 : 0));
    for (let lane = 0; lane < LANES; lane++) expect(read(0, lane)).toBe(4 * ((lane & ~7) + ((lane * 3 + 1) & 7)));
  });
});

it.each([
  ['v_perm_pk16_b4_u4 v[32:33], v0, v2, v[8:9]', 4, [2], [0]],
  ['v_perm_pk16_b6_u4 v[32:34], v0, v[2:3], v[8:9]', 6, [2, 3], [0]],
  ['v_perm_pk16_b8_u4 v[32:35], v[0:1], v[2:3], v[8:9]', 8, [2, 3], [0, 1]],
] as const)('%s looks sixteen elements up', (text, bits, low, high) => {
  const random = new Random(3);
  const words = Array.from({ length: 16 * LANES }, () => random.below(2 ** 32));
  const read = run(text, (vgpr, lane) => words[(vgpr % 16) * LANES + lane]!);
  for (let lane = 0; lane < LANES; lane++) {
    const join = (registers: readonly number[]): bigint =>
      registers.reduce((sum, n, at) => sum | (BigInt(words[n * LANES + lane]!) << BigInt(32 * at)), 0n);
    const [table, selectors] = [join([...low, ...high]), join([8, 9])];
    for (let n = 0; n < 16; n++) {
      const select = (selectors >> BigInt(4 * n)) & 15n;
      const [at, place] = [n * bits, (n * bits) & 31];
      const pair = BigInt(read(at >> 5, lane)) | (BigInt(read((at >> 5) + 1, lane)) << 32n);
      const mask = (1n << BigInt(bits)) - 1n;
      expect((pair >> BigInt(place)) & mask).toBe((table >> (select * BigInt(bits))) & mask);
    }
  }
});

const f32 = (value: number): number => new Uint32Array(new Float32Array([value]).buffer)[0]!;

it('v_cvt_sr_pk_bf16_f32 adds a half of the random bits to each number', () => {
  const random = new Random(9);
  const words = Array.from({ length: 3 * LANES }, (_, n) =>
    n < 2 * LANES ? f32((random.below(4001) - 2000) / 64) : random.below(2 ** 32),
  );
  const read = run('v_cvt_sr_pk_bf16_f32 v32, v0, v1, v2', (vgpr, lane) => words[vgpr * LANES + lane] ?? 0);
  for (let lane = 0; lane < LANES; lane++) {
    const [x, y, seed] = [0, 1, 2].map((n) => words[n * LANES + lane]!) as [number, number, number];
    const wanted = Math.floor((x + (seed & 0xffff)) / 0x10000) + Math.floor((y + (seed >>> 16)) / 0x10000) * 0x10000;
    expect(read(0, lane)).toBe(wanted);
  }
  const special = run('v_cvt_sr_pk_bf16_f32 v32, v0, v1, v2', (vgpr) => [f32(Infinity), f32(-Infinity), 0xffff_ffff][vgpr] ?? 0);
  expect(special(0, 0)).toBe(0xff80_7f80);
});

describe('v_tanh', () => {
  const ofF32 = (bits: number): number => new Float32Array(new Uint32Array([bits]).buffer)[0]!;
  const random = new Random(17);
  const inputs = Array.from({ length: 40 * LANES }, (_, n) => {
    const value =
      n % 3 === 0 ? random.below(2 ** 16) / 2 ** 12 : 2 ** (random.below(60) - 40) * (1 + random.below(2 ** 20) / 2 ** 20);
    return Math.fround(n % 2 === 0 ? value : -value);
  });

  it('is within 0.51 ulp of the exact value', () => {
    let worst = 0;
    for (let first = 0; first < inputs.length; first += LANES) {
      const read = run('v_tanh_f32 v32, v0', (vgpr, lane) => (vgpr === 0 ? f32(inputs[first + lane]!) : 0));
      for (let lane = 0; lane < LANES; lane++) {
        // Math.tanh has an error of its own, of about 1e-16.
        const [exact, got] = [Math.tanh(inputs[first + lane]!), ofF32(read(0, lane))];
        worst = Math.max(worst, Math.abs(got - exact) / 2 ** (Math.floor(Math.log2(Math.abs(exact))) - 23));
      }
    }
    expect(worst).toBeGreaterThan(0.4);
    expect(worst).toBeLessThan(0.51);
  });

  it.each([
    ['v_tanh_f16_e32 v32, v0', 0x3c00, 0xbc00, 0x7c00, 0xfc00],
    ['v_tanh_bf16_e32 v32, v0', 0x3f80, 0xbf80, 0x7f80, 0xff80],
    ['v_tanh_f32_e32 v32, v0', 0x3f80_0000, 0xbf80_0000, 0x7f80_0000, 0xff80_0000],
  ])('%s of infinities, zeros and NaN', (text, one, minusOne, infinity, minusInfinity) => {
    const values = [infinity, minusInfinity, 0, minusOne - one, minusInfinity + 1];
    const read = run(text, (vgpr, lane) => (vgpr === 0 ? (values[lane] ?? 0) : 0));
    expect([0, 1, 2, 3].map((lane) => read(0, lane))).toEqual([one, minusOne, 0, minusOne - one]);
    expect(read(0, 4)).toBeGreaterThan(minusInfinity);
  });
});

it('both halves of a dual instruction read before either writes, in VGPR banks too', () => {
  const instruction = decodeText('v_dual_mov_b32 v5, v6 :: v_dual_mov_b32 v6, v5');
  // First sources and results are v256 to v511.
  for (const [banks, first] of [
    [0, 0],
    [0x41, 256],
  ] as const) {
    const block = buildBlock([{ offset: 0, instruction }], {
      waveSize: 32,
      mode: withVgprBanks(MODE, banks),
      processor: 'gfx1250',
      codeBase: 0n,
    });
    const wave = createWaveState(32, 512);
    wave.sgprs[126] = 0xffff_ffff;
    wave.vgprs.fill(3, (first + 5) * LANES, (first + 6) * LANES);
    wave.vgprs.fill(4, (first + 6) * LANES, (first + 7) * LANES);
    expect(evaluateBlock(block, wave, new DeviceMemory(4096, 4096, 4096))).toMatchObject({ kind: 'next' });
    expect([wave.vgprs[(first + 5) * LANES], wave.vgprs[(first + 6) * LANES]]).toEqual([4, 3]);
  }
});
