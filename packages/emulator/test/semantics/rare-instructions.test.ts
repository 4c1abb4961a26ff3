import { describe, expect, it } from 'vitest';
import { createWaveState, type WaveState } from '../../src/evaluate/index.js';
import { encode, execute } from './support/assemble.js';
import { DeviceMemory, MEMORY_BASE_HIGH } from './support/device-memory.js';

/** What compilers hardly emit; expected values by hand from the pseudo-code of AMD's RDNA3 and RDNA4 ISA documents. */
const f32 = (value: number): number => new Uint32Array(new Float32Array([value]).buffer)[0]!;

function makeWave(registers: readonly number[]): WaveState {
  const wave = createWaveState(32);
  wave.sgprs[126] = 1;
  for (const [n, value] of registers.entries()) wave.vgprs[n * 32] = value;
  return wave;
}

function run(text: string, wave: WaveState, memory?: DeviceMemory, processor: string = 'gfx1100'): void {
  const options = memory === undefined ? { processor } : { processor, memory };
  expect(execute(encode(text, processor, 32), wave, options), text).toMatchObject({ kind: 'next' });
}

const vgpr = (wave: WaveState, n: number): number => wave.vgprs[n * 32]!;

describe('atomics', () => {
  it.each([
    ['gfx1100', 'csub_u32', 'glc', 10, 3, 7],
    ['gfx1100', 'csub_u32', 'glc', 2, 3, 0],
    ['gfx1201', 'sub_clamp_u32', 'th:TH_ATOMIC_RETURN', 2, 3, 0],
    ['gfx1201', 'cond_sub_u32', 'th:TH_ATOMIC_RETURN', 10, 3, 7],
    ['gfx1201', 'cond_sub_u32', 'th:TH_ATOMIC_RETURN', 2, 3, 2],
  ] as const)('%s %s of %s %i - %i', (processor, name, policy, old, data, wanted) => {
    const wave = makeWave([16, data]);
    [wave.sgprs[2], wave.sgprs[3]] = [0, MEMORY_BASE_HIGH];
    const memory = new DeviceMemory(64);
    memory.view.setUint32(16, old, true);
    run(`global_atomic_${name} v2, v0, v1, s[2:3] ${policy}`, wave, memory, processor);
    expect([vgpr(wave, 2), memory.view.getUint32(16, true)]).toEqual([old, wanted]);
  });

  it('cmpswap_f32 compares numbers: -0 is 0, a NaN equals nothing', () => {
    for (const [old, compare, isSwapped] of [
      [f32(-0), f32(0), true],
      [f32(NaN), f32(NaN), false],
      [f32(2), f32(2), true],
    ] as const) {
      const wave = makeWave([16, 0x1234_5678, compare]);
      const memory = new DeviceMemory(64, 64);
      memory.lds.setUint32(16, old, true);
      memory.view.setUint32(16, old, true);
      run('ds_cmpstore_rtn_f32 v4, v0, v1, v2', wave, memory);
      expect([vgpr(wave, 4), memory.lds.getUint32(16, true)]).toEqual([old, isSwapped ? 0x1234_5678 : old]);
      [wave.sgprs[2], wave.sgprs[3]] = [0, MEMORY_BASE_HIGH];
      run('global_atomic_cmpswap_f32 v0, v[1:2], s[2:3]', wave, memory);
      expect(memory.view.getUint32(16, true)).toBe(isSwapped ? 0x1234_5678 : old);
    }
  });
});

describe('vector instructions', () => {
  it('v_cvt_pk_u8_f32 replaces a byte', () => {
    const wave = makeWave([f32(200.7), 2, 0x1122_3344]);
    run('v_cvt_pk_u8_f32 v3, v0, v1, v2', wave);
    expect(vgpr(wave, 3)).toBe(0x11c8_3344);
    wave.vgprs[0] = f32(1000);
    run('v_cvt_pk_u8_f32 v3, v0, v1, v2', wave);
    expect(vgpr(wave, 3)).toBe(0x11ff_3344);
  });

  it('v_dot2_f16_f16 and v_dot2_bf16_bf16 add two products', () => {
    // 1·2 + 3·4 + 0.5
    const wave = makeWave([0x4200_3c00, 0x4400_4000, 0x3800, 0xffff_ffff]);
    run('v_dot2_f16_f16 v3.l, v0, v1, v2.l', wave);
    expect(vgpr(wave, 3)).toBe(0xffff_4b40);
    const other = makeWave([0x4040_3f80, 0x4080_4000, 0x3f00, 0]);
    run('v_dot2_bf16_bf16 v3.l, v0, v1, v2.l', other);
    expect(vgpr(other, 3)).toBe(0x4168);
  });

  it('registers addressed through both halves of M0 move and change places', () => {
    const wave = makeWave([10, 11, 12, 13, 14, 15]);
    wave.sgprs[125] = 1 | (2 << 16);
    run('v_movrelsd_2_b32 v3, v0', wave); // v5 = v1
    expect([vgpr(wave, 3), vgpr(wave, 5)]).toEqual([13, 11]);
    run('v_swaprel_b32 v0, v3', wave); // v2 and v4
    expect([2, 3, 4].map((n) => vgpr(wave, n))).toEqual([14, 13, 12]);
    [wave.sgprs[8], wave.sgprs[9]] = [70, 71];
    run('s_movrelsd_2_b32 s20, s8', wave); // s22 = s9
    expect(wave.sgprs[22]).toBe(71);
  });
});
