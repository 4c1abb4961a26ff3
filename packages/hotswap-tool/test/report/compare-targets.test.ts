import { describe, expect, it } from 'vitest';
import { compareTargets } from '../../src/index.js';
import { clangObject, kernelObject } from '../retarget/objects.js';

describe('a comparison with another generation', () => {
  // llvm-mc-22 -mcpu=gfx942 knows v_add_f32 and not v_prng_b32, which gfx950 brought.
  it('counts the instructions that stand in the way', () => {
    const bytes = kernelObject('gfx950', { code: 'v_add_f32 v0, v1, v2\nv_prng_b32 v0, v1\nv_prng_b32 v2, v1' });
    const { kernels, obstacles, counts } = compareTargets(bytes, { target: 'gfx942' });
    expect(counts).toEqual({ same: 2, 'other-encoding': 0, operands: 0, missing: 2, undecodable: 0 });
    expect(obstacles).toEqual([
      {
        mnemonic: 'v_prng_b32_e32',
        portability: 'missing',
        count: 2,
        place: { symbol: 'k', section: '.text', offset: 4, instruction: { source: 'v_prng_b32_e32 v0, v1', target: '' } },
      },
    ]);
    expect(kernels).toMatchObject([{ name: 'k', movesAsIs: false, instructions: 4, limits: [] }]);
  });

  it('finds kernels that could move as they are', () => {
    const { kernels } = compareTargets(kernelObject('gfx950', { code: 'v_add_f32 v0, v1, v2' }), { target: 'gfx942' });
    expect(kernels).toMatchObject([{ name: 'k', movesAsIs: true, obstacles: [] }]);
  });

  // llvm-mc-22 -mcpu=gfx1100: other bytes, an operand that it refuses, an unknown mnemonic.
  it('tells other encodings, operands and names apart', () => {
    const code = 'global_load_b32 v2, v[2:3], off\nglobal_load_b32 v2, v[2:3], off scope:SCOPE_SE\ns_wait_loadcnt 0x0';
    const { counts, obstacles } = compareTargets(kernelObject('gfx1201', { code }), { target: 'gfx1100' });
    expect(counts).toMatchObject({ 'other-encoding': 1, operands: 1, missing: 1 });
    expect(obstacles.map(({ mnemonic, portability }) => `${mnemonic} ${portability}`)).toEqual([
      'global_load_b32 other-encoding',
      'global_load_b32 operands',
      's_wait_loadcnt missing',
    ]);
  });

  it('says what keeps kernels beside their instructions', () => {
    const bytes = kernelObject('gfx90a', { code: 'v_add_f32 v0, v1, v2' });
    expect(compareTargets(bytes, { target: 'gfx1250' }).kernels[0]?.limits).toEqual([
      'kernel descriptors have another layout',
      'the ids of workgroups come in other registers',
      'there are no waves of 64 lanes',
    ]);
  });

  it('counts functions only for the kernels that call them', () => {
    const rest = '.type f,@function\nf:\n  s_add_f32 s0, s1, s2\n  s_setpc_b64 s[30:31]\n.Lf:\n.size f, .Lf-f';
    const apart = kernelObject('gfx1150', { rest });
    const call = kernelObject('gfx1150', { rest, code: 's_call_b64 s[30:31], f' });
    expect(compareTargets(apart, { target: 'gfx1101' }).kernels[0]).toMatchObject({ movesAsIs: true, instructions: 1 });
    expect(compareTargets(call, { target: 'gfx1101' }).kernels[0]).toMatchObject({ movesAsIs: false, instructions: 4 });
  });

  it('adds up to everything that is decoded', () => {
    const { counts } = compareTargets(clangObject('gfx1100'), { target: 'gfx1201' });
    const { counts: related } = compareTargets(clangObject('gfx1100'), { target: 'gfx1101' });
    const sum = (all: Readonly<Record<string, number>>): number => Object.values(all).reduce((a, b) => a + b, 0);
    expect(sum(counts)).toBe(sum(related));
    expect(related.same).toBe(sum(related));
  });

  it('needs instruction tables', () => {
    expect(() => compareTargets(clangObject('gfx1030'), { target: 'gfx803' })).toThrow(
      expect.objectContaining({ code: 'ERR_NOT_SUPPORTED' }),
    );
  });
});
