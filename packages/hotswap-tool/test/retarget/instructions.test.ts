import { describe, expect, it } from 'vitest';
import { findingsOf, kernelObject, rulesOf } from './objects.js';

describe('instructions', () => {
  it('that the target lacks are named with their places', () => {
    const code = 's_nop 0\ns_add_f32 s0, s1, s2\ns_add_f32 s3, s1, s2';
    expect(findingsOf(kernelObject('gfx1150', { code }), 'gfx1101')).toEqual([
      {
        rule: 'missing-instruction',
        severity: 'blocker',
        message: 'gfx1101 has no s_add_f32',
        count: 2,
        places: [
          { symbol: 'k', section: '.text', offset: 4, instruction: { source: 's_add_f32 s0, s1, s2', target: '' } },
          { symbol: 'k', section: '.text', offset: 8, instruction: { source: 's_add_f32 s3, s1, s2', target: '' } },
        ],
      },
    ]);
  });

  it('that are others on the target are shown with both texts', () => {
    const code = 'v_mad_mix_f32 v0, v1, v2, v3';
    expect(findingsOf(kernelObject('gfx900', { code }), 'gfx906')[0]).toMatchObject({
      rule: 'different-instruction',
      places: [{ instruction: { source: code, target: 'v_fma_mix_f32 v0, v1, v2, v3' } }],
    });
  });

  it('list only the first places', () => {
    const code = 's_add_f32 s0, s1, s2\n'.repeat(100);
    const [finding] = findingsOf(kernelObject('gfx1150', { code }), 'gfx1101');
    expect([finding?.count, finding?.places.length]).toEqual([100, 8]);
  });

  it('take operands that only some processors take', () => {
    const dpp = (operand: string): string =>
      `v_add_f32_e64_dpp v0, v1, ${operand} quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf`;
    expect(rulesOf(kernelObject('gfx1150', { code: dpp('s2') }), 'gfx1101')).toEqual(['different-instruction blocker']);
    expect(rulesOf(kernelObject('gfx1150', { code: dpp('v2') }), 'gfx1101')).toEqual([]);
    expect(rulesOf(kernelObject('gfx1150', { code: dpp('s2') }), 'gfx1151')).toEqual([]);
  });

  it('are all for every wave size that may run them', () => {
    const rest = '.type f,@function\nf:\n  s_add_f32 s0, s1, s2\n  s_setpc_b64 s[30:31]\n.Lf:\n.size f, .Lf-f';
    expect(rulesOf(kernelObject('gfx1150', { rest, wave64: true }), 'gfx1100')).toEqual(['missing-instruction blocker']);
  });
});

/** LLVM GCNHazardRecognizer and AMDGPU.td: what gfx1100 to gfx1103 need and gfx1150 to gfx1153 do not. */
describe('hazards of gfx1100 that gfx1150 has not', () => {
  const other = (count: number): string => 'v_mov_b32 v5, v4\n'.repeat(count);

  it.each([
    ['a result used at once', 'v_exp_f32 v0, v1\nv_add_f32 v2, v0, v0', ['hazard doubt']],
    ['five operations between', `v_exp_f32 v0, v1\n${other(5)}v_add_f32 v2, v0, v0`, ['hazard doubt']],
    ['six operations between', `v_exp_f32 v0, v1\n${other(6)}v_add_f32 v2, v0, v0`, []],
    ['another register used', 'v_exp_f32 v0, v1\nv_add_f32 v2, v3, v3', []],
    ['a wait between', 'v_exp_f32 v0, v1\ns_waitcnt_depctr depctr_va_vdst(0)\nv_add_f32 v2, v0, v0', []],
    ['a store of the result', `v_exp_f32 v0, v1\nglobal_store_b32 v[2:3], v0, off`, []],
    ['a branch before it is over', 'v_exp_f32 v0, v1\ns_cbranch_scc0 1\ns_nop 0\ns_nop 0', ['hazard doubt']],
    ['a multiply-add over its source', 'v_mad_u64_u32 v[0:1], s0, v0, v2, v[4:5]', ['hazard doubt']],
    ['a multiply-add elsewhere', 'v_mad_u64_u32 v[0:1], s0, v6, v2, v[4:5]', []],
    ['a trap', 's_trap 2', ['hazard doubt']],
  ])('%s', (_name, code, rules) => {
    // Enough SGPRs that gfx1100's need of initialised ones is met.
    const fields = '.amdhsa_user_sgpr_count 15';
    expect(rulesOf(kernelObject('gfx1150', { code, fields }), 'gfx1103')).toEqual(rules);
    expect(rulesOf(kernelObject('gfx1150', { code, fields }), 'gfx1151')).toEqual([]);
  });

  it('do not matter the other way round', () => {
    const code = 'v_exp_f32 v0, v1\nv_add_f32 v2, v0, v0\nv_mad_u64_u32 v[0:1], s0, v0, v2, v[4:5]\ns_trap 2';
    expect(rulesOf(kernelObject('gfx1103', { code }), 'gfx1150')).toEqual([]);
  });
});

describe('bytes that are no instructions', () => {
  it('refuse where code may reach them', () => {
    const code = '.long 0xffffffff';
    expect(findingsOf(kernelObject('gfx1030', { code }), 'gfx1031')[0]).toMatchObject({
      rule: 'undecodable',
      severity: 'blocker',
      places: [{ symbol: 'k', section: '.text', offset: 0 }],
    });
  });

  it('are padding between functions when they are s_nop, s_code_end or zero', () => {
    const rest =
      's_nop 3\ns_code_end\n.long 0\n.long 0\n.globl f\n.type f,@function\nf:\n  s_setpc_b64 s[30:31]\n.Lf:\n.size f, .Lf-f';
    expect(rulesOf(kernelObject('gfx1030', { rest }), 'gfx1031')).toEqual([]);
  });

  it('refuse where no function is', () => {
    expect(rulesOf(kernelObject('gfx1030', { rest: 's_nop 0\n.long 0x12345678\n.long 0x9abcdef0' }), 'gfx1031')).toEqual([
      'layout blocker',
    ]);
  });
});
