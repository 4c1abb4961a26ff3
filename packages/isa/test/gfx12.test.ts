import { describe, expect, it } from 'vitest';
import type { Decoded, Instruction, Operand } from '../src/index.js';
import { createDecoder, disassemble, formatInstruction } from '../src/index.js';
import { fromHex } from './support/encodings.js';

// Encodings and texts: llvm-mc 22 -show-encoding.

function decode(hex: string, processor: string): Decoded {
  return createDecoder(processor).decode(fromHex(hex), 0);
}

function instruction(hex: string, processor = 'gfx1250'): Instruction {
  const decoded = decode(hex, processor);
  if (!decoded.ok) throw new Error(decoded.failure.message);
  return decoded.instruction;
}

function operand(hex: string, name: string, processor = 'gfx1250'): Operand {
  const found = instruction(hex, processor).operand(name);
  if (!found) throw new Error(`no operand ${name}`);
  return found;
}

const DUAL_FMA = '02214dcf080a030401091506';
const DUAL_FMA_F64 = '048180cf0b0106080200000a';
const WMMA = '004833cc0831a204';
const WMMA_SCALE = '000035cc0105020c001033cc0831a204';
const SAMPLE_D = '0100c7e70000000404050607';
const BUFFER_LOAD = '040005c40000bc0000ffff7f';
const S_BUFFER_LOAD = '020002f4ffff7ff8';

describe('gfx12', () => {
  it.each([
    [SAMPLE_D, 'image_sample_d v[0:3], [v4, v5, v6, v[7:9]], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D'],
    ['000040d10000000004000000', 'image_load v[0:1], v4, s[0:7] dmask:0x5 dim:SQ_RSRC_IMG_1D'],
    ['1040e0d3000000140a0c0e11', 'image_bvh8_intersect_ray v[0:9], [v[10:11], v[12:13], v[14:16], v[17:19], v20], s[0:3]'],
    [BUFFER_LOAD, 'buffer_load_b32 v0, off, s[0:3], s4 offset:8388607 th:TH_LOAD_BYPASS scope:SCOPE_SYS'],
    ['020000f4000080f8', 's_load_b32 s0, s[4:5], -0x800000'],
    ['7c0005ee000000000200 0080', 'global_load_b32 v0, v[2:3], off offset:-8388608'],
    ['0118ecd502010000', 'v_cvt_f32_fp8_e64 v1, v2 byte_sel:3'],
    ['004850cc0819521c', 'v_swmmac_f32_16x16x32_f16 v[0:7], v[8:11], v[12:19], v20 index_key:1'],
  ])('prints %s as %s', (hex, text) => {
    expect(formatInstruction(instruction(hex, 'gfx1200'))).toBe(text);
  });

  it('gives the last address of an image instruction the registers that the others leave', () => {
    const { operands } = instruction(SAMPLE_D, 'gfx1200');
    const addresses = operands.filter(({ name }) => name.startsWith('vaddr'));
    expect(addresses.map(({ index, bits }) => [index, bits])).toEqual([
      [4, 32],
      [5, 32],
      [6, 32],
      [7, 96],
    ]);
  });

  it('refuses negative offsets into buffers, not those of other memory', () => {
    expect(instruction(BUFFER_LOAD, 'gfx1200').operand('offset')?.value).toBe(0x7fffff);
    expect(decode(BUFFER_LOAD.replace(/7f$/, '80'), 'gfx1200')).toMatchObject({ failure: { reason: 'invalid-operand' } });
    expect(instruction(S_BUFFER_LOAD, 'gfx1200').operand('offset')?.value).toBe(0x7fffff);
    expect(decode(S_BUFFER_LOAD.replace('7ff8', '80f8'), 'gfx1200')).toMatchObject({ failure: { reason: 'invalid-operand' } });
    expect(operand('020000f4000080f8', 'offset', 'gfx1200').value).toBe(-0x800000);
  });

  it('reads the number of a split barrier as a scalar source', () => {
    expect(operand('c14e80be', 'src0', 'gfx1200')).toMatchObject({ kind: 'inline', low: 0xffffffff }); // s_barrier_signal -1
    expect(operand('7d4e80be', 'src0', 'gfx1200')).toMatchObject({ kind: 'special', special: 'm0' }); // s_barrier_signal m0
  });
});

describe('gfx1250', () => {
  it.each([
    ['s_mov_b64 s[0:1], 0x1234567890abcdef', 'fe0180beefcdab9078563412', 'src0'],
    ['v_add_f64_e32 v[0:1], 0x1234567890abcdef, v[2:3]', 'fe040004efcdab9078563412', 'src0'],
    ['v_fmaak_f64 v[0:1], v[2:3], v[4:5], 0x1234567890abcdef', '02090048efcdab9078563412', 'imm'],
  ])('takes all 64 bits of the literal of %s', (text, hex, name) => {
    const decoded = instruction(hex);
    expect(formatInstruction(decoded)).toBe(text);
    expect(decoded.sizeBytes).toBe(12);
    expect(operand(hex, name)).toMatchObject({ kind: 'literal', low: 0x90abcdef, high: 0x12345678 });
    expect(decode(hex.slice(0, -2), 'gfx1250')).toMatchObject({ failure: { reason: 'truncated' } });
  });

  it('refuses literals of both sizes in one instruction', () => {
    // s_add_nc_u64 with sources 254 and 255
    expect(decode('feff80a9efcdab9078563412', 'gfx1250')).toMatchObject({ failure: { reason: 'invalid-operand' } });
  });

  it('splits a pair of three sources, with signs and truth table', () => {
    const pair = instruction(DUAL_FMA);
    expect(pair).toMatchObject({ format: 'VOPD3', sizeBytes: 12 });
    expect(formatInstruction(pair)).toBe('v_dual_fma_f32 v1, -v2, v3, -v4 :: v_dual_bitop2_b32 v6, s8, v9 bitop3:0x15');
    const [x, y] = pair.vopd!;
    expect(x.operands.map(({ name, kind, index, neg }) => [name, kind, index, neg])).toEqual([
      ['vdst', 'vgpr', 1, false],
      ['src0', 'vgpr', 2, true],
      ['src1', 'vgpr', 3, false],
      ['src2', 'vgpr', 4, true],
    ]);
    expect(y.operands.map(({ name, kind, index, value }) => [name, kind, index, value])).toEqual([
      ['vdst', 'vgpr', 6, 0],
      ['src0', 'sgpr', 8, 0],
      ['src1', 'vgpr', 9, 0],
      ['bitop3', 'immediate', 0, 0x15],
    ]);
  });

  it('reads pairs of registers in a pair of operations, and refuses fields that it has not', () => {
    const pair = instruction(DUAL_FMA_F64);
    expect(formatInstruction(pair)).toBe('v_dual_fma_f64 v[2:3], v[4:5], v[6:7], v[8:9] :: v_dual_mov_b32 v10, v11');
    expect(pair.vopd![0].operands.map(({ bits }) => bits)).toEqual([64, 64, 64, 64]);
    // v_dual_mov_b32 has no second source.
    expect(decode('048180cf0b0106080201000a', 'gfx1250').ok).toBe(false);
  });

  it('counts the registers of a matrix by its format', () => {
    expect(formatInstruction(instruction(WMMA))).toBe(
      'v_wmma_f32_16x16x128_f8f6f4 v[0:7], v[8:23], v[24:31], v[40:47] matrix_a_fmt:MATRIX_FMT_BF8 matrix_b_fmt:MATRIX_FMT_FP4',
    );
    expect([operand(WMMA, 'src0').bits, operand(WMMA, 'src1').bits]).toEqual([512, 256]);
    expect(formatInstruction(instruction(WMMA_SCALE))).toBe(
      'v_wmma_scale_f32_16x16x128_f8f6f4 v[0:7], v[8:19], v[24:39], v[40:47], v1, v2 matrix_a_fmt:MATRIX_FMT_FP6 matrix_b_scale:MATRIX_SCALE_ROW1',
    );
    expect([operand(WMMA_SCALE, 'src0').bits, operand(WMMA_SCALE, 'src1').bits]).toEqual([384, 512]);
  });

  it('refuses tuples of vector registers at odd ones', () => {
    // v_add_f64_e32 v[0:1], v[2:3], v[4:5], then with v[5:6]
    expect(decode('02090004', 'gfx1250').ok).toBe(true);
    expect(decode('020b0004', 'gfx1250')).toMatchObject({ failure: { reason: 'invalid-operand' } });
    expect(decode('020b0004', 'gfx1200').ok).toBe(true);
  });

  it('does not take an atomic with a result at odd registers for one without', () => {
    // global_atomic_add_u64 v[195:196], v76, v[136:137], s[64:65] th:TH_ATOMIC_RETURN
    expect(decode('40c010eec30010444c000000', 'gfx1250').ok).toBe(false);
    expect(formatInstruction(instruction('04400dec0100900102000000'))).toBe(
      'flat_atomic_add_u32 v1, v2, v3, s[4:5] th:TH_ATOMIC_RETURN',
    );
  });

  it('names registers above v255 in comments, until the block ends', () => {
    const code = fromHex(
      'e40086bf 000002d502090240 02070258db0f4940 02314ccf0501030701060004 7cc006ee0000000202000000 0000c0d802030401 040005c40100804002000000 0000a0bf 0203027e',
    );
    // As llvm-objdump 22 prints it.
    expect([...disassemble(code, { processor: 'gfx1250' })].map(({ text }) => text)).toEqual([
      's_set_vgpr_msb 0xe4',
      'v_add_f64_e64 v[0:1] /*v[768:769]*/, v[2:3], -v[4:5] /*v[260:261]*/',
      'v_fmamk_f32 v1 /*v769*/, v2, 0x40490fdb, v3 /*v515*/',
      'v_dual_fma_f32 v1 /*v769*/, v2, v3 /*v259*/, v7 /*v519*/ :: v_dual_mul_f32 v4 /*v772*/, v5, v6 /*v262*/',
      'global_store_b64 v[2:3], v[4:5] /*v[260:261]*/, off',
      'ds_cmpstore_rtn_b32 v1 /*v769*/, v2, v3 /*v259*/, v4 /*v516*/',
      'buffer_load_b32 v1 /*v769*/, v2, s[0:3], s4 offen',
      's_branch 0',
      'v_mov_b32_e32 v1, v2',
    ]);
  });
});
