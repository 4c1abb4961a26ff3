import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAssembler, listProcessors } from '../../src/index.js';
import { readAssemblyRecording } from '../support/assembly.js';

/** Text, column, and one of the things that should stand there. */
const WRONG: readonly (readonly [text: string, column: number, expected: string])[] = [
  ['', 1, 'a mnemonic'],
  ['v_ad_f32 v0, v1, v2', 1, 'a mnemonic'],
  ['v_add_f32_e128 v0, v1, v2', 1, 'a mnemonic'],
  ['v_add_f32', 10, 'an operand'],
  ['v_add_f32 v0, v1', 17, 'an operand'],
  ['v_add_f32 v0, v1,', 18, 'an operand'],
  ['v_add_f32 s0, v1, v2', 11, 'a VGPR'],
  ['v_add_f32 v0, v[1:2], v3', 15, 'a VGPR'],
  ['v_add_f32 v0, v1, v256', 19, 'a VGPR'],
  ['v_add_f32 v0, v1, v2, v3', 23, 'the end of the line'],
  ['v_add_f32 v0, v1, v2 clmap', 22, "'clamp'"],
  ['v_add_f64 v[0:1], v2, v[4:5]', 19, '2 VGPRs (v[0:1])'],
  ['v_add_f64 v[1:0], v[2:3], v[4:5]', 13, 'the first register, then the last'],
  ['v_mov_b32 v0, 0x123456789', 15, 'an integer of 32 bits'],
  ['v_mov_b32 v0, 1 / 0', 15, 'an expression with a value; this has a division by zero'],
  ['v_mov_b32 v0, |v1|', 16, 'an operand without signs'],
  ['v_mov_b32 v0, |v1', 18, "'|'"],
  ['v_fma_f32 v0, v1, 0x12345, 0x12346', 28, 'the literal of the other operand, or no literal'],
  ['s_mov_b64 s[1:2], 0', 11, '2 SGPRs (s[0:1])'],
  ['s_mov_b64 s[0:1], 0x123456789', 19, 'an integer of 32 bits'],
  ['s_mov_b32 s0, v1', 15, 'an SGPR'],
  ['s_mov_b32 s0, [s1, s3]', 20, 'the register behind the one before'],
  ['s_load_b32 s0, s[2:3], 0x100000', 24, 'an integer from -1048576 to 1048575'],
  ['s_waitcnt vmcnt(64)', 17, 'an integer from 0 to 63'],
  ['s_waitcnt vscnt(0)', 11, 'vmcnt'],
  ['s_waitcnt vmcnt(0) &', 21, 'lgkmcnt'],
  ['s_getreg_b32 s0, hwreg(HW_REG_FOO)', 24, 'a known name'],
  ['s_getreg_b32 s0, hwreg(HW_REG_MODE, 32, 1)', 37, 'an integer from 0 to 31'],
  ['s_sendmsg sendmsg(MSG_FOO)', 19, 'a known name'],
  ['s_delay_alu instid0(VALU_DEP_9)', 21, 'VALU_DEP_4'],
  ['s_getreg_b32 s0, {id: 1, id: 2}', 26, 'offset'],
  ['v_cmp_lt_f32_e32 vcc, v0, v1', 27, 'the end of the line'],
  ['v_pk_add_f16 v0, v1, v2 op_sel:[0,0,0,0,0]', 32, '4 bits at most'],
  ['s_branch', 9, 'a label'],
  ['s_branch 100000000', 10, 'a target within 32768 dwords'],
  ['global_load_b32 v0, v[2:3], off offset:4096', 40, 'an integer from -4096 to 4095'],
  ['global_load_b32 v0, v[2:3]', 27, "'off'"],
  ['global_load_b32 v0, v[2:3], off glc glx', 37, "'slc'"],
  ['global_atomic_add_u32 v0, v[2:3], v4, off', 42, "'glc'"],
  ['buffer_load_b32 v0, v1, s[4:7], s8', 35, "'offen'"],
  ['ds_load_b32 v0, v1 offset:65536', 27, 'an integer from 0 to 65535'],
  ['ds_swizzle_b32 v0, v1 offset:swizzle(SWAP,3)', 43, 'a power of two'],
  ['v_mov_b32_dpp v0, v1 quad_perm:[0,1,2,4] row_mask:0xf', 32, 'a list, as [0,1,2,3]'],
  ['v_mov_b32_dpp v0, v1', 21, 'a DPP control, as quad_perm:[0,1,2,3]'],
  ['v_mov_b32_dpp v0, v1 dpp8:[0,1,2]', 34, '8 lanes'],
  ['v_mov_b32_dpp v0, v1 row_shl:1 row_mask:16', 41, 'an integer from 0 to 15'],
  ['image_load v[0:3], v4, s[8:15] dmask:0xf dim:SQ_RSRC_IMG_2D', 20, '2 VGPRs (v[0:1])'],
  ['image_load v[0:3], [v4, v5, v6], s[8:15] dmask:0xf dim:2D', 21, '2 address registers'],
  ['image_load v[0:3], v4, s[8:15] dmask:0xf', 41, "'dim:'"],
  ['v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v2, v3', 41, 'an even destination and an odd one'],
  ['v_dual_mov_b32 v0, v1', 1, 'a mnemonic'],
  ['v_dual_mov_b32 v0, v1 :: v_mov_b32 v1, v3', 26, 'an operation that this half of a pair has'],
  ['exp mrt9 v0, v0, v0, v0', 5, 'mrt0'],
  ['lds_param_load v0, attr0.q', 20, 'an attribute, attr0.x to attr63.w'],
];

describe('wrong text', () => {
  const assembler = createAssembler('gfx1100');

  it.each(WRONG)('%j: column %i, %s', (text, column, expected) => {
    const result = assembler.assemble(text);
    expect(result.ok ? result : { column: result.column, expected: result.expected }).toEqual({
      column,
      expected: expect.arrayContaining([expected]) as unknown,
    });
  });
});

describe('any text', () => {
  const ALPHABET = 'v_add_f32 v0, s[1:2] 0x1.5e -|lit(&:: offset:glc dpp8[](){}"@#\n\u00e9'.split('');

  it.each(['gfx1100', 'gfx90a', 'gfx1030', 'gfx1250'])('is assembled or refused for %s, without a throw', (processor) => {
    const assembler = createAssembler(processor);
    const lines = readAssemblyRecording({ gfx1100: 'gfx11', gfx1030: 'gfx10' }[processor] ?? processor).map(
      ([, , text = '']) => text,
    );
    const mutated = fc
      .tuple(fc.constantFrom(...lines), fc.nat(60), fc.nat(8), fc.string({ unit: fc.constantFrom(...ALPHABET), maxLength: 6 }))
      .map(([line, at, count, text]) => line.slice(0, at) + text + line.slice(at + count));
    const anything = fc.string({ unit: fc.constantFrom(...ALPHABET), maxLength: 60 });
    fc.assert(
      fc.property(fc.oneof({ weight: 3, arbitrary: mutated }, anything), (text) => {
        const result = assembler.assemble(text);
        if (result.ok) {
          expect(result.sizeBytes).toBe(result.words.length * 4);
          expect([4, 8, 12, 16, 20]).toContain(result.sizeBytes);
        } else {
          expect(result.column).toBeGreaterThanOrEqual(1);
          expect(result.column).toBeLessThanOrEqual(text.length + 1);
          expect(result.message).not.toMatch(/undefined|NaN/);
        }
      }),
      { numRuns: 400, seed: 4 },
    );
  });

  it('ends on text without end', () => {
    const assembler = createAssembler('gfx1100');
    for (const text of [
      's_mov_b32 s0, ' + '('.repeat(100_000),
      's_mov_b32 s0, ' + '-'.repeat(100_000),
      'v_add_f32 v0, ' + '|'.repeat(10_000),
      `v_mov_b32 v0, ${'1+'.repeat(20_000)}1`,
    ]) {
      expect(typeof assembler.assemble(text).ok).toBe('boolean');
    }
  });
});

it('is there for every processor with a table', () => {
  const missing = listProcessors().filter(
    ({ name, table }) => table !== undefined && !createAssembler(name).assemble('s_endpgm').ok,
  );
  expect(missing).toEqual([]);
  expect(() => createAssembler('gfx000')).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }));
  expect(() => createAssembler('gfx900', { waveSize: 32 })).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }));
});
