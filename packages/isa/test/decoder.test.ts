import { describe, expect, it } from 'vitest';
import { isHsaError } from '@doorbell/abi';
import type { Decoded, Instruction, Operand } from '../src/index.js';
import { createDecoder } from '../src/index.js';
import { fromHex } from './support/encodings.js';

// Encodings and their meaning: llvm-mc 22 -show-encoding; values: AMD RDNA3 ISA document, "Operand encoding".

function decode(hex: string, waveSize: 32 | 64 = 32, processor = 'gfx1100'): Decoded {
  return createDecoder(processor, { waveSize }).decode(fromHex(hex), 0);
}

function instruction(hex: string, waveSize: 32 | 64 = 32, processor = 'gfx1100'): Instruction {
  const decoded = decode(hex, waveSize, processor);
  if (!decoded.ok) throw new Error(decoded.failure.message);
  return decoded.instruction;
}

function operand(hex: string, name: string): Operand {
  const found = instruction(hex).operand(name);
  if (!found) throw new Error(`no operand ${name}`);
  return found;
}

describe('decoder', () => {
  it('gives mnemonic, name, format, size and words', () => {
    // v_add_f32_e32 v1, v2, v3
    const add = instruction('02070206');
    expect(add).toMatchObject({ mnemonic: 'v_add_f32_e32', name: 'v_add_f32', format: 'VOP2', extension: '', sizeBytes: 4 });
    expect(add.words).toEqual([0x06020702]);
    expect(add.operands.map(({ name, kind, index, isResult }) => [name, kind, index, isResult])).toEqual([
      ['vdst', 'vgpr', 1, true],
      ['src0', 'vgpr', 2, false],
      ['src1', 'vgpr', 3, false],
    ]);
    expect(add.hasFlag('VALU')).toBe(true);
    expect(add.hasFlag('isBranch')).toBe(false);
    expect(add.implicitReads).toContain('exec');
  });

  it('counts a literal into the size', () => {
    // s_mov_b32 s0, 0x12345678
    const move = instruction('ff0080be78563412');
    expect(move.sizeBytes).toBe(8);
    expect(move.words).toEqual([0xbe8000ff, 0x12345678]);
    expect(move.operand('src0')).toMatchObject({ kind: 'literal', low: 0x12345678, high: 0 });
  });

  it.each([
    ['s_mov_b64 s[0:1], 0x80000000', 'ff0180be00000080', 'src0', 0x80000000, 0],
    ['s_ashr_i64 s[0:1], 0x80000000, s2', 'ff02808600000080', 'src0', 0x80000000, 0xffffffff],
    ['v_add_f64 v[0:1], 0x40490fdb, v[2:3]', '000027d7ff040200db0f4940', 'src0', 0, 0x40490fdb],
    ['v_cmp_lt_u64_e32 vcc_lo, 0x80000000, v[0:1]', 'ff00b27c00000080', 'src0', 0x80000000, 0],
    ['v_cmp_lt_i64_e32 vcc_lo, 0x80000000, v[0:1]', 'ff00a27c00000080', 'src0', 0x80000000, 0xffffffff],
    ['v_add_f16_e32 v0.l, 0x1234, v0.l', 'ff00006478563412', 'src0', 0x5678, 0],
  ])('extends the literal of %s for its operand', (_text, hex, name, low, high) => {
    expect(operand(hex, name)).toMatchObject({ kind: 'literal', low, high });
  });

  it.each([
    ['v_mov_b32_e32 v0, 64', 'c002007e', 64, 0],
    ['v_mov_b32_e32 v0, -16', 'd002007e', 0xfffffff0, 0],
    ['v_add_f32_e32 v0, 1.0, v0', 'f2000006', 0x3f800000, 0],
    ['v_add_f16_e32 v0.l, 1.0, v0.l', 'f2000064', 0x3c00, 0],
    ['s_mov_b64 s[0:1], -1', 'c10180be', 0xffffffff, 0xffffffff],
    ['s_mov_b64 s[0:1], 1.0', 'f20180be', 0, 0x3ff00000],
    ['v_floor_f64_e32 v[0:1], 0.15915494309189532', 'f834007e', 0x6dc9c882, 0x3fc45f30],
  ])('expands the inline constant of %s', (_text, hex, low, high) => {
    expect(operand(hex, 'src0')).toMatchObject({ kind: 'inline', low, high });
  });

  it('gives a float constant in a 16-bit integer operand the low half of the f32 pattern', () => {
    // v_add_nc_u16 v0.l, 1.0, v0.l and v_pk_add_u16 v0, 1.0, v0: AMD hardware reads the f32 pattern.
    expect(operand('000003d7f2000200', 'src0')).toMatchObject({ low: 0 });
    expect(operand('00400accf2000218', 'src0')).toMatchObject({ low: 0x3f800000 });
  });

  it('lets op_sel_hi decide the type of a mixed source', () => {
    // v_fma_mix_f32 v0, 1.0, v1, v2, without and with op_sel_hi:[1,0,0]
    expect(operand('000020ccf2020a04', 'src0')).toMatchObject({ type: 'f32', low: 0x3f800000 });
    expect(operand('000020ccf2020a0c', 'src0')).toMatchObject({ type: 'f16', low: 0x3c00 });
  });

  it('finds halves of registers: in bit 7 of short encodings, in op_sel of VOP3', () => {
    // v_add_f16_e32 v0.h, v2.l, v2.h
    expect(instruction('02050165').operands.map((o) => [o.index, o.isHighHalf])).toEqual([
      [0, true],
      [2, false],
      [2, true],
    ]);
    // v_add_f16_e64 v200.h, v201.l, v202.h op_sel:[0,1,1]
    expect(
      instruction('c85032d5c9950300')
        .operands.slice(0, 3)
        .map((o) => [o.index, o.isHighHalf]),
    ).toEqual([
      [200, true],
      [201, false],
      [202, true],
    ]);
  });

  it('marks accumulators and DPP destinations as read', () => {
    expect(operand('02070256', 'vdst')).toMatchObject({ isResult: true, isRead: true }); // v_fmac_f32_e32 v1, v2, v3
    expect(operand('fa02027e02e400ff', 'vdst')).toMatchObject({ isResult: true, isRead: true }); // v_mov_b32_dpp v1, v2
    expect(operand('02070206', 'vdst')).toMatchObject({ isResult: true, isRead: false }); // v_add_f32_e32 v1, v2, v3
  });

  it('names wave masks by the wave size', () => {
    // v_cndmask_b32_e64 v0, v1, v2, vcc
    expect(instruction('000001d50105aa01', 32).operand('src2')).toMatchObject({ special: 'vcc_lo', bits: 32 });
    expect(instruction('000001d50105aa01', 64).operand('src2')).toMatchObject({ special: 'vcc', bits: 64 });
  });

  it('sign-extends the offset of global_load and keeps that of flat_load', () => {
    expect(operand('ff1f52dc01007c05', 'offset').value).toBe(-1); // global_load_b32 v5, v[1:2], off offset:-1
    expect(operand('ff1f50dc01007c05', 'offset').value).toBe(8191); // flat_load_b32 v5, v[1:2] offset:8191
  });

  it('tells which entries only gfx11.5 has', () => {
    // s_add_f32 s0, s1, s2
    expect(decode('010200a0', 32, 'gfx1150')).toMatchObject({ ok: true });
    expect(decode('010200a0', 32, 'gfx1100')).toMatchObject({ ok: false, failure: { reason: 'unknown-opcode', sizeBytes: 4 } });
  });

  it('splits a pair, with dstY of the other parity', () => {
    // v_dual_mov_b32 v6, s4 :: v_dual_fmac_f32 v5, s0, v2
    const pair = instruction('040000ca00040406');
    expect(pair).toMatchObject({ format: 'VOPD', sizeBytes: 8 });
    const [x, y] = pair.vopd!;
    expect(x).toMatchObject({ mnemonic: 'v_dual_mov_b32', name: 'v_mov_b32' });
    expect(x.operands.map(({ name, kind, index }) => [name, kind, index])).toEqual([
      ['vdst', 'vgpr', 6],
      ['src0', 'sgpr', 4],
    ]);
    expect(y).toMatchObject({ mnemonic: 'v_dual_fmac_f32', name: 'v_fmac_f32' });
    expect(y.operands.map(({ name, index, isRead }) => [name, index, isRead])).toEqual([
      ['vdst', 5, true],
      ['src0', 0, true],
      ['src1', 2, true],
    ]);
    expect(decode('040000ca00040406', 64).ok).toBe(false);
  });

  it('gives the literal of a pair to both halves', () => {
    // v_dual_fmamk_f32 v0, v1, 0x42280000, v2 :: v_dual_mul_f32 v3, 0x42280000, v4
    const pair = instruction('010586c8ff08020000002842');
    expect(pair.sizeBytes).toBe(12);
    const [x, y] = pair.vopd!;
    expect(x.operands.map((o) => o.name)).toEqual(['vdst', 'src0', 'imm', 'src1']);
    expect(x.operands[2]).toMatchObject({ kind: 'literal', low: 0x42280000 });
    expect(y.operands[1]).toMatchObject({ kind: 'literal', low: 0x42280000 });
  });

  it('says why bytes are no instruction', () => {
    expect(decode('ffffffff')).toMatchObject({ ok: false, failure: { reason: 'unknown-opcode', words: [0xffffffff] } });
    // v_mov_b32 with source 209, which names nothing
    expect(decode('d102007e')).toMatchObject({ ok: false, failure: { reason: 'invalid-operand', sizeBytes: 4 } });
    // s_mov_b64 s[0:1], m0; global_load_b64 v[255:256], v[1:2], off
    expect(decode('7d0180be')).toMatchObject({ ok: false, failure: { reason: 'invalid-operand' } });
    expect(decode('000056dc01007cff')).toMatchObject({ ok: false, failure: { reason: 'invalid-operand' } });
    expect(decode('ff0080be')).toMatchObject({ ok: false, failure: { reason: 'truncated', sizeBytes: 4 } });
    expect(decode('0080')).toMatchObject({ ok: false, failure: { reason: 'truncated', sizeBytes: 2 } });
    expect(decode('')).toMatchObject({ ok: false, failure: { reason: 'truncated', sizeBytes: 0 } });
  });

  it('reads at an offset and not beyond the view', () => {
    const all = fromHex('00000000ff0080be78563412');
    const decoder = createDecoder('gfx1100');
    expect(decoder.decode(all, 4)).toMatchObject({ ok: true, instruction: { sizeBytes: 8 } });
    expect(decoder.decode(all.subarray(0, 8), 4)).toMatchObject({ ok: false, failure: { reason: 'truncated' } });
    expect(decoder.decode(all, 99)).toMatchObject({ ok: false, failure: { sizeBytes: 0 } });
    expect(decoder.decode(all, -4)).toMatchObject({ ok: false, failure: { reason: 'truncated' } });
  });

  it('refuses processors and wave sizes that it has not', () => {
    const codeOf = (make: () => unknown): string => {
      try {
        make();
      } catch (error) {
        if (isHsaError(error)) return error.code;
      }
      return '';
    };
    expect(codeOf(() => createDecoder('gfx801'))).toBe('ERR_NOT_SUPPORTED');
    expect(codeOf(() => createDecoder('gfx11'))).toBe('ERR_INVALID_ARGUMENT');
    // Safe: the point is a caller without types.
    expect(codeOf(() => createDecoder('gfx1100', { waveSize: 16 as 32 }))).toBe('ERR_INVALID_ARGUMENT');
  });
});
