import { describe, expect, it } from 'vitest';
import type { Instruction } from '../src/index.js';
import { createDecoder, formatInstruction } from '../src/index.js';
import { fromHex } from './support/encodings.js';

// Encodings and texts: llvm-mc 22 -show-encoding.

function decode(hex: string): Instruction {
  const decoded = createDecoder('gfx900').decode(fromHex(hex), 0);
  if (!decoded.ok) throw new Error(decoded.failure.message);
  return decoded.instruction;
}

const ADD_F32 = 'f906020202753286';
const ADD_U16 = 'f90a034c020b0c80';
const CLASS = 'f904207c01840105';
const LESS = 'f904827d01000905';

describe('SDWA', () => {
  it.each([
    [
      ADD_F32,
      'v_add_f32_sdwa v1, -|v2|, s3 clamp mul:2 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2 src1_sel:DWORD',
    ],
    [ADD_U16, 'v_add_u16_sdwa v1, sext(v2), 5 dst_sel:BYTE_3 dst_unused:UNUSED_SEXT src0_sel:WORD_0 src1_sel:BYTE_0'],
    [CLASS, 'v_cmp_class_f32_sdwa s[4:5], v1, v2 src0_sel:BYTE_1 src1_sel:WORD_1'],
    [LESS, 'v_cmp_lt_i32_sdwa vcc, sext(v1), v2 src0_sel:BYTE_1 src1_sel:WORD_1'],
    [
      'f906023802060606',
      'v_addc_co_u32_sdwa v1, vcc, v2, v3, vcc dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:DWORD',
    ],
  ])('prints %s', (hex, text) => {
    expect(formatInstruction(decode(hex))).toBe(text);
  });

  it('gives selects as numbers, in the order BYTE_0…3, WORD_0, WORD_1, DWORD', () => {
    const add = decode(ADD_F32);
    const value = (name: string): number | undefined => add.operand(name)?.value;
    expect(['dst_sel', 'dst_unused', 'src0_sel', 'src1_sel'].map(value)).toEqual([5, 2, 2, 6]);
  });

  it('gives scalar sources and constants by the numbers that other operands have', () => {
    expect(decode(ADD_F32).operand('src1')).toMatchObject({ kind: 'sgpr', index: 3, code: 3 });
    expect(decode(ADD_U16).operand('src0')).toMatchObject({ kind: 'vgpr', index: 2, code: 258, sext: true, neg: false });
    expect(decode(ADD_U16).operand('src1')).toMatchObject({ kind: 'inline', low: 5, sext: false });
  });

  it('reads the result whose rest it keeps', () => {
    expect(decode(ADD_F32).operand('vdst')).toMatchObject({ isResult: true, isRead: true });
    expect(decode(ADD_U16).operand('vdst')).toMatchObject({ isResult: true, isRead: false });
  });

  it('writes the named register of a comparison alone', () => {
    expect(decode(CLASS).operand('sdst')).toMatchObject({ kind: 'sgpr', index: 4, bits: 64 });
    expect(decode(CLASS).implicitWrites).toEqual([]);
    expect(decode(LESS).operand('sdst')).toMatchObject({ kind: 'special', special: 'vcc', bits: 64 });
  });

  it.each([
    ['dst_sel 7', 'f906020202773286'],
    ['dst_unused 3', 'f9060202027d3286'],
    ['src0_sel 7', 'f906020202753786'],
    ['a literal', 'f9060202ff068686'],
  ])('has no instruction with %s', (_what, hex) => {
    expect(createDecoder('gfx900').decode(fromHex(hex), 0)).toMatchObject({ ok: false, failure: { reason: 'invalid-operand' } });
  });
});
