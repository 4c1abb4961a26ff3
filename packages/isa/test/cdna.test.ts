import { describe, expect, it } from 'vitest';
import type { Decoded, Instruction } from '../src/index.js';
import { createDecoder, formatInstruction } from '../src/index.js';
import { fromHex } from './support/encodings.js';

// Encodings and texts: llvm-mc 22 -show-encoding.

function decode(processor: string, hex: string): Decoded {
  return createDecoder(processor).decode(fromHex(hex), 0);
}

function instruction(processor: string, hex: string): Instruction {
  const decoded = decode(processor, hex);
  if (!decoded.ok) throw new Error(decoded.failure.message);
  return decoded.instruction;
}

const MFMA = '0091cdd30209ca73';
const SCALED = '0008acd30c1b0210000aadd304110294';
const LOAD_AGPR = '008054de0200ff04';
const READ_LDS = '0800ecd801000006';

describe('gfx9 and CDNA', () => {
  it.each([
    ['gfx90a', MFMA, 'v_mfma_f32_16x16x16f16 a[0:3], v[2:3], a[4:5], 1.0 cbsz:1 abid:2 blgp:3'],
    ['gfx90a', LOAD_AGPR, 'global_load_dwordx2 a[4:5], v[2:3], off scc'],
    ['gfx90a', READ_LDS, 'ds_read_b64 v[6:7], v1 offset:8'],
    [
      'gfx950',
      SCALED,
      'v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[4:9], a[8:11], v[0:3], v12, v13 op_sel:[1,0,0] op_sel_hi:[0,1,0] cbsz:2 blgp:4',
    ],
    ['gfx950', 'fa70047e04530931', 'v_mov_b64_dpp v[2:3], v[4:5] row_newbcast:3 row_mask:0x3 bank_mask:0x1 bound_ctrl:1'],
    ['gfx900', 'fa02027e024209a5', 'v_mov_b32_dpp v1, v2 row_bcast:15 row_mask:0xa bank_mask:0x5 bound_ctrl:1'],
    ['gfx900', '330290bf', 's_sendmsg sendmsg(MSG_GS_DONE, GS_OP_EMIT_CUT, 2)'],
    ['gfx900', '014102c01000000a', 's_load_dword s4, s[2:3], s5 offset:0x10'],
    ['gfx900', '005300f004000200', 'image_load v[0:1], v4, s[8:15] dmask:0x3 unorm da'],
  ])('prints for %s %s: %s', (processor, hex, text) => {
    expect(formatInstruction(instruction(processor, hex))).toBe(text);
  });

  it('names the register file of each operand', () => {
    expect(instruction('gfx90a', MFMA).operands.map(({ name, kind, index }) => [name, kind, index])).toEqual([
      ['vdst', 'agpr', 0],
      ['src0', 'vgpr', 2],
      ['src1', 'agpr', 4],
      ['src2', 'inline', 0],
      ['cbsz', 'immediate', 0],
      ['abid', 'immediate', 0],
      ['blgp', 'immediate', 0],
    ]);
    expect(instruction('gfx90a', LOAD_AGPR).operand('vdst')).toMatchObject({ kind: 'agpr', index: 4, bits: 64 });
  });

  it('sizes the sources of f8f6f4 by their formats', () => {
    const scaled = instruction('gfx950', SCALED);
    expect(scaled.sizeBytes).toBe(16);
    expect(['src0', 'src1', 'src2'].map((name) => scaled.operand(name)?.bits)).toEqual([192, 128, 128]);
  });

  it('refuses memory access to AGPRs before gfx90a, and tuples at odd registers from it on', () => {
    expect(decode('gfx908', '008054dc02007f04')).toMatchObject({ ok: true });
    expect(decode('gfx908', '008054dc0200ff04')).toMatchObject({ ok: false, failure: { reason: 'invalid-operand' } });
    expect(decode('gfx908', '0800ecda01000006')).toMatchObject({ ok: false, failure: { reason: 'invalid-operand' } });
    expect(decode('gfx90a', '0800ecd801000007')).toMatchObject({ ok: false, failure: { reason: 'invalid-operand' } });
    expect(decode('gfx908', '0800ecd801000007')).toMatchObject({ ok: true });
  });
});
