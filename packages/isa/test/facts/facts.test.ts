/** Facts of single instructions. Encodings by llvm-mc 22, expectations from AMD's ISA documents. */
import { describe, expect, it } from 'vitest';
import type { InstructionFacts, RegisterRange } from '../../src/index.js';
import { controlOf, createDecoder, factsOf } from '../../src/index.js';

function decode(processor: string, hex: string): InstructionFacts {
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  const decoded = createDecoder(processor).decode(bytes, 0);
  if (!decoded.ok) throw new Error(`${hex} does not decode for ${processor}: ${decoded.failure.message}`);
  return factsOf(decoded.instruction);
}

const LETTERS: Partial<Record<RegisterRange['file'], string>> = { sgpr: 's', vgpr: 'v', agpr: 'a', ttmp: 'ttmp' };

/** `v1`, `s[2:3]`, `exec:1` (so many registers). */
function show({ file, first, count }: RegisterRange): string {
  const letter = LETTERS[file];
  if (letter === undefined) return first === 0 ? `${file}:${count}` : `${file}@${first}:${count}`;
  return count === 1 ? `${letter}${first}` : `${letter}[${first}:${first + count - 1}]`;
}

const reads = (facts: InstructionFacts): string =>
  facts.reads.map((read) => show(read) + (read.half === undefined ? '' : `.${read.half}`)).join(' ');
const writes = (facts: InstructionFacts): string =>
  facts.writes.map((write) => [show(write), ...write.keeps].join('~')).join(' ');

describe('registers', () => {
  it.each([
    ['gfx1100', 'v_add_f32_e32 v1, v2, v3', '02070206', 'v2 v3 mode:1 exec:1', 'v1~inactive-lanes'],
    ['gfx1100', 'v_fmac_f32_e32 v4, s5, v6', '050c0856', 'v4 s5 v6 mode:1 exec:1', 'v4~inactive-lanes'],
    ['gfx1100', 'v_add_f16_e32 v1.h, v2.l, v3.h', '02070365', 'v2.low v3.high mode:1 exec:1', 'v1~inactive-lanes~other-half'],
    ['gfx1030', 'v_add_f16_e32 v0, v1, v2', '01050064', 'v1 v2 mode:1 exec:1', 'v0~inactive-lanes~other-half'],
    ['gfx1201', 'v_cvt_f16_f32_e32 v1, v2', '0215027e', 'v2 mode:1 exec:1', 'v1~inactive-lanes~other-half'],
    ['gfx90a', 'v_add_f16_e32 v0, v1, v2', '0105003e', 'v1 v2 mode:1 exec:2', 'v0~inactive-lanes'],
    [
      'gfx1100',
      'v_mov_b32_dpp v1, v2 quad_perm, masks full, no bound_ctrl',
      'fa02027e02b100ff',
      'v2 exec:1',
      'v1~inactive-lanes~other-lanes',
    ],
    ['gfx1100', 'v_mov_b32_dpp v1, v2 row_shr:1 bound_ctrl:1', 'fa02027e021109ff', 'v2 exec:1', 'v1~inactive-lanes'],
    ['gfx90a', 'v_mov_b32_sdwa v1, v2 BYTE_0 PRESERVE', 'f902027e02100600', 'v2 exec:2', 'v1~inactive-lanes~other-bytes'],
    ['gfx90a', 'v_mov_b32_sdwa v1, v2 BYTE_0 PAD', 'f902027e02000600', 'v2 exec:2', 'v1~inactive-lanes'],
    ['gfx1100', 'v_writelane_b32 v7, s3, 5', '070061d7030a0100', 's3', 'v7~other-lanes'],
    ['gfx1100', 'v_readlane_b32 s3, v7, 5', '030060d7070b0100', 'v7', 's3'],
    ['gfx1100', 'v_permlane16_b32 v1, v2, s3, s4', '01005bd602071000', 'v2 s3 s4 exec:1', 'v1~inactive-lanes~other-lanes'],
    ['gfx1100', 'v_cmp_lt_f32_e32 vcc_lo, v1, v2', '0105227c', 'v1 v2 mode:1 exec:1', 'vcc:1'],
    ['gfx1100', 'v_cmpx_eq_u32_e64 v1, v2', '7e00cad401050200', 'v1 v2 exec:1', 'exec:1'],
    ['gfx90a', 'v_cmpx_eq_u32_e32 v1, v2', '0105b47d', 'v1 v2 exec:2', 'vcc:2 exec:2'],
    ['gfx1100', 'v_add_co_ci_u32_e32 v1, vcc_lo, v2, v3, vcc_lo', '02070240', 'v2 v3 vcc:1 exec:1', 'v1~inactive-lanes vcc:1'],
    ['gfx1100', 'v_pk_fmac_f16 v0, v1, v2', '01050078', 'v0 v1 v2 mode:1 exec:1', 'v0~inactive-lanes'],
    ['gfx1100', 'v_swap_b32 v1, v2', '02cb027e', 'v1 v2 exec:1', 'v1~inactive-lanes v2~inactive-lanes'],
    [
      'gfx1100',
      'v_dual_fmac_f32 v0, v1, v2 :: v_dual_mov_b32 v3, v4',
      '010510c804010200',
      'v0 v1 v2 v4 mode:1 exec:1',
      'v0~inactive-lanes v3~inactive-lanes',
    ],
    [
      'gfx1100',
      'v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7]',
      '004040cc0821021c',
      'v[8:15] v[16:23] v[0:7] exec:1',
      'v[0:7]',
    ],
    [
      'gfx90a',
      'v_mfma_f32_32x32x8f16 a[0:15], v[0:1], v[2:3], a[0:15]',
      '0080ccd300050204',
      'v[0:1] v[2:3] a[0:15] mode:1 exec:2',
      'a[0:15]',
    ],
    ['gfx90a', 'v_accvgpr_write_b32 a1, v2', '0140d9d302010018', 'v2 exec:2', 'a1~inactive-lanes'],
    ['gfx1100', 's_and_saveexec_b32 s4, vcc_lo', '6a2084be', 'vcc:1 exec:1', 's4 exec:1 scc:1'],
    ['gfx1100', 's_cselect_b32 s0, s1, s2', '01020098', 's1 s2 scc:1', 's0'],
    ['gfx1100', 's_cmov_b64 s[0:1], s[2:3]', '020380be', 's[2:3] scc:1', 's[0:1]~all'],
    ['gfx1100', 's_bitset1_b32 s0, s1', '011280be', 's0 s1', 's0'],
    ['gfx1100', 's_addk_i32 s3, 5', '050083b7', 's3', 's3 scc:1'],
    ['gfx1100', 's_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 3', '011880b903000000', '', 'mode:1~other-bits'],
    ['gfx1100', 's_getreg_b32 s0, hwreg(HW_REG_FLAT_SCR_LO)', '14f880b8', 'flat_scratch:1', 's0'],
    ['gfx1100', 's_swappc_b64 s[30:31], s[2:3]', '02499ebe', 's[2:3]', 's[30:31]'],
    ['gfx1100', 'global_store_b8 v0, v1, s[2:3]', '000062dc00010200', 'v0 v1 s[2:3] exec:1', ''],
    [
      'gfx1100',
      'flat_load_d16_hi_b16 v1, v[2:3]',
      '00008cdc02007c01',
      'v[2:3] exec:1 flat_scratch:2',
      'v1~inactive-lanes~other-half',
    ],
    ['gfx1100', 's_load_b256 s[8:15], s[0:1], 0x10', '00020cf4100000f8', 's[0:1]', 's[8:15]'],
    ['gfx90a', 'global_store_dword v[0:1], a2, off', '008070dc0002ff00', 'v[0:1] a2 exec:2', ''],
  ])('%s %s', (processor, _text, hex, expectedReads, expectedWrites) => {
    const facts = decode(processor, hex);
    const sorted = (text: string): string => text.split(' ').sort().join(' ');
    expect(sorted(reads(facts))).toBe(sorted(expectedReads));
    expect(sorted(writes(facts))).toBe(sorted(expectedWrites));
  });

  it('gives the files that relative operands move in, not the operand', () => {
    const load = decode('gfx1100', '0287027e'); // v_movrels_b32_e32 v1, v2
    expect([reads(load), load.relativeReads, load.relativeWrites]).toEqual(['m0:1 exec:1', ['vgpr'], []]);
    const store = decode('gfx1100', '014280be'); // s_movreld_b32 s0, s1
    expect([reads(store), writes(store), store.relativeWrites]).toEqual(['s1 m0:1', '', ['sgpr']]);
  });

  it('tells changes of EXEC, MODE, VGPR numbers and operand indexing', () => {
    expect(decode('gfx1100', '7e00cad401050200').changesExec).toBe(true);
    expect(decode('gfx1100', '02070206').changesExec).toBe(false);
    expect(decode('gfx1100', '011880b903000000').changesMode).toBe(true);
    expect(decode('gfx1250', '410086bf')).toMatchObject({ changesVgprMsb: true, changesMode: false });
    expect(decode('gfx90a', '000111bf').changesGprIndexing).toBe(true);
  });
});

describe('memory', () => {
  it.each([
    ['gfx1100', 'global_load_b128', '10005edc04007c00', 'global load 16', 'vaddr offset', 'vmcnt'],
    ['gfx1100', 'global_store_b8', '000062dc00010200', 'global store 1', 'vaddr saddr offset', 'vscnt'],
    ['gfx1030', 'global_store_dword', '008070dc00027d00', 'global store 4', 'vaddr offset', 'vscnt'],
    ['gfx90a', 'global_store_dword', '008070dc0002ff00', 'global store 4', 'vaddr offset', 'vmcnt'],
    ['gfx1100', 'global_atomic_add_u32 glc', '0040d6dc00020201', 'global atomic 4 returns', 'vaddr saddr offset', 'vmcnt'],
    ['gfx1100', 'global_atomic_add_u32', '0000d6dc00020200', 'global atomic 4', 'vaddr saddr offset', 'vscnt'],
    ['gfx90a', 'global_atomic_add_f32', '008034dd00027f00', 'global atomic 4', 'vaddr offset', 'vmcnt'],
    ['gfx1100', 'flat_load_d16_hi_b16', '00008cdc02007c01', 'flat load 2', 'vaddr offset', 'vmcnt lgkmcnt'],
    ['gfx90a', 'flat_store_dword', '000070dc00020000', 'flat store 4', 'vaddr offset', 'vmcnt lgkmcnt'],
    ['gfx1201', 'flat_store_b32', '7c8006ec0000000100000000', 'flat store 4', 'vaddr offset', 'storecnt dscnt'],
    ['gfx1100', 'ds_load_2addr_b64', '0001dcd904000000', 'lds load 8 twice', 'addr offset0 offset1', 'lgkmcnt'],
    ['gfx1100', 'ds_add_u32 gds', '000002d800010000', 'gds atomic 4', 'addr offset', 'lgkmcnt expcnt'],
    ['gfx1250', 'ds_load_b32', '0000d8d801000000', 'lds load 4', 'addr offset', 'dscnt'],
    ['gfx1100', 'scratch_store_b64', '08006ddc00028400', 'scratch store 8', 'vaddr saddr offset', 'vscnt'],
    ['gfx1100', 'buffer_load_format_xy', '000004e002008103', 'buffer load 0', 'vaddr srsrc soffset offset', 'vmcnt'],
    ['gfx90a', 'buffer_load_dword lds', '000051e000000103', 'buffer load 4 lds', 'srsrc soffset offset', 'vmcnt'],
    ['gfx1100', 's_load_b256', '00020cf4100000f8', 'scalar load 32', 'sbase offset', 'lgkmcnt'],
    ['gfx1100', 's_buffer_load_b32', '020020f400000002', 'scalar-buffer load 4', 'sbase soffset', 'lgkmcnt'],
    ['gfx1201', 's_load_b96', '02a000f4000000f8', 'scalar load 12', 'sbase offset', 'kmcnt'],
    ['gfx1100', 'image_sample', '040f6cf004000008', 'image load 0', 'vaddr0 srsrc ssamp', 'vmcnt'],
    ['gfx1201', 'image_sample', '01c0c6e70000000404050000', 'image load 0', 'vaddr0 vaddr1 rsrc samp', 'samplecnt'],
    ['gfx1100', 'exp mrt0', '0f0800f800010203', 'export store 0', '', 'expcnt'],
    ['gfx1201', 'global_inv', '7cc00aee0000080000000000', 'cache maintenance 0', '', 'loadcnt'],
    ['gfx1250', 'global_load_b32', '7c0005ee0000000002000000', 'global load 4', 'vaddr offset', 'loadcnt xcnt'],
    ['gfx1250', 'global_load_async_to_lds_b32', '7c0018ee0000000002000000', 'global load 4 lds', 'vaddr offset', 'asynccnt xcnt'],
    ['gfx1250', 'tensor_load_to_lds', '010071d00000007c00047c7c', 'tensor load 0 lds', 'vaddr0 vaddr1', 'tensorcnt xcnt'],
  ])('%s %s', (processor, _text, hex, expected, address, counters) => {
    const facts = decode(processor, hex);
    const { memory } = facts;
    const marks = [memory?.accesses === 2 && 'twice', memory?.returnsOld && 'returns', memory?.usesLds && 'lds'].filter(Boolean);
    expect([memory?.space, memory?.access, memory?.bytes, ...marks].join(' ')).toBe(expected);
    if (processor !== 'gfx1250' || memory?.space !== 'tensor') expect(memory?.address.join(' ')).toBe(address);
    expect(facts.counters.join(' ')).toBe(counters);
    expect(facts.mayTrap).toBe(!['export', 'cache'].includes(memory?.space ?? ''));
  });

  it('is absent for instructions that touch none', () => {
    expect(decode('gfx1100', '02070206')).toMatchObject({ memory: undefined, counters: [], mayTrap: false });
    expect(decode('gfx1100', '804c80be')).toMatchObject({ memory: undefined, counters: ['lgkmcnt'] }); // s_sendmsg_rtn_b32
  });
});

describe('waits', () => {
  it.each([
    ['gfx1100', 's_waitcnt vmcnt(2) lgkmcnt(0)', '070889bf', 'vmcnt 2 lgkmcnt 0'],
    ['gfx1100', 's_waitcnt_vscnt null, 0x1', '01007cbc', 'vscnt 1'],
    ['gfx1100', 's_waitcnt_depctr depctr_va_vdst(1)', '9f1f88bf', 'va_vdst 1'],
    ['gfx1201', 's_wait_loadcnt_dscnt 0x102', '0201c8bf', 'loadcnt 1 dscnt 2'],
    ['gfx1250', 's_wait_asynccnt 0x1', '0100cabf', 'asynccnt 1'],
    ['gfx1201', 's_wait_idle', '00008abf', 'loadcnt 0 storecnt 0 samplecnt 0 bvhcnt 0 dscnt 0 kmcnt 0 expcnt 0'],
    ['gfx1100', 'v_add_f32_e32 v1, v2, v3', '02070206', ''],
  ])('%s %s', (processor, _text, hex, expected) => {
    const { waits } = decode(processor, hex);
    expect(waits.map(({ counter, value }) => `${counter} ${value}`).join(' ')).toBe(expected);
  });
});

describe('control flow', () => {
  it.each([
    ['gfx1100', 's_cbranch_vccnz 65535', 'ffffa4bf', { kind: 'branch', target: 0, condition: 'vccnz' }],
    ['gfx1100', 's_trap 2', '020090bf', { kind: 'trap', id: 2 }],
    ['gfx1100', 's_barrier', '0000bdbf', { kind: 'barrier' }],
    ['gfx1201', 's_barrier_wait -1', 'ffff94bf', { kind: 'barrier' }],
    ['gfx1250', 's_add_pc_i64 0x100', 'ff4b80be00010000', { kind: 'jump', target: 0x108 }],
    [
      'gfx1100',
      's_swappc_b64 s[30:31], s[2:3]',
      '02499ebe',
      {
        kind: 'call',
        target: undefined,
        through: { file: 'sgpr', first: 2, count: 2 },
        link: { file: 'sgpr', first: 30, count: 2 },
      },
    ],
    [
      'gfx1250',
      's_call_i64 s[30:31], 4',
      '04001eba',
      { kind: 'call', target: 20, through: undefined, link: { file: 'sgpr', first: 30, count: 2 } },
    ],
    ['gfx1100', 'v_add_f32_e32 v1, v2, v3', '02070206', { kind: 'fall' }],
  ])('%s %s', (processor, _text, hex, expected) => {
    expect(decode(processor, hex).control).toEqual(expected);
  });
});

it('refuses instructions of another maker', () => {
  const decoded = createDecoder('gfx1100').decode(Uint8Array.of(0, 0, 0xb0, 0xbf), 0);
  if (!decoded.ok) throw new Error('s_endpgm does not decode');
  const stranger = Object.create(decoded.instruction) as typeof decoded.instruction;
  Object.setPrototypeOf(stranger, {});
  for (const ask of [factsOf, controlOf]) expect(() => ask(stranger)).toThrowError(/decoder of this package/);
});
