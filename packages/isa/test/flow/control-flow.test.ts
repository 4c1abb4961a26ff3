/** Graphs of small programs. Encodings by llvm-mc 22; the graphs follow from the programs' text. */
import { describe, expect, it } from 'vitest';
import type { ControlFlow, RegisterRange } from '../../src/index.js';
import { controlFlow, liveness } from '../../src/index.js';

const fromHex = (hex: string): Uint8Array => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/**
 * 00 s_mov_b32 s2, 4 · 04 outer: s_mov_b32 s3, 8 · 08 inner: v_add_f32 v1, v1, v0 · s_sub_u32 s3, s3, 1 · s_cmp_lg_u32 s3, 0 ·
 * 14 s_cbranch_scc1 inner · 18 s_cbranch_execz skip · 1c v_mul_f32 v1, v1, v1 · 20 skip: s_sub_u32 s2, s2, 1 · s_cmp_lg_u32 s2, 0 ·
 * 28 s_cbranch_scc1 outer · 2c global_store_b32 v[2:3], v1, off · 34 s_endpgm · 38 s_nop 0 · 3c s_code_end · s_code_end ·
 * 44 v_mov_b32 v9, v8 · s_endpgm · 4c .long 0xffffffff
 */
const LOOPS = fromHex(
  '840082be880083be0101020603818380038007bffcffa2bf0100a5bf0103021002818280028007bff6ffa2bf' +
    '00006adc02017c000000b0bf000080bf00009fbf00009fbf0803127e0000b0bfffffffff',
);

/**
 * 00 k: s_mov_b32 s32, 0 · v_mov_b32 v1, v0 · s_getpc_b64 s[2:3] · s_add_u32 s2, s2, 0x24 · s_addc_u32 s3, s3, 0 ·
 * 18 s_swappc_b64 s[30:31], s[2:3] · 1c v_mov_b32 v2, v0 · 20 s_swappc_b64 s[30:31], s[2:3] ·
 * 24 global_store_b32 v[4:5], v2, off · 2c s_endpgm
 * 30 f: v_writelane_b32 v40, s30, 0 · v_writelane_b32 v40, s31, 1 · 40 s_call_b64 s[30:31], g ·
 * 44 v_readlane_b32 s31, v40, 1 · v_readlane_b32 s30, v40, 0 · 54 s_setpc_b64 s[30:31]
 * 58 g: v_add_f32 v0, v1, v6 · s_getpc_b64 s[8:9] · s_add_u32 s8, s8, 0x14 · s_addc_u32 s9, s9, 0 · 6c s_setpc_b64 s[8:9] ·
 * 70 s_nop 0 · 74 far: s_setpc_b64 s[30:31]
 * 78 unknown: s_load_b64 s[4:5], s[0:1], null · s_waitcnt lgkmcnt(0) · 84 s_swappc_b64 s[30:31], s[4:5] · 88 s_setpc_b64 s[6:7]
 */
const CALLS = fromHex(
  '8000a0be0003027e004782be02ff0280240000000380038202499ebe0003047e02499ebe00006adc04027c000000b0bf' +
    '280061d71e000100280061d71f02010005001eba1f0060d7280301001e0060d7280101001e4880be' +
    '010d0006004788be08ff08801400000009800982084880be000080bf1e4880be' +
    '000104f4000000f807fc89bf04499ebe064880be',
);

/** Edges as `start kind start`, in order. */
function edgesOf({ blocks }: ControlFlow): string[] {
  return blocks.flatMap(({ start, successors }) =>
    successors.map(({ to, kind, isBack }) => `${hex(start)} ${kind} ${hex(blocks[to]!.start)}${isBack ? ' back' : ''}`),
  );
}

const hex = (offset: number): string => offset.toString(16);

const show = (ranges: readonly RegisterRange[]): string =>
  ranges.map(({ file, first, count }) => (count === 1 ? `${file}${first}` : `${file}${first}-${first + count - 1}`)).join(' ');

describe('a program with two loops', () => {
  const flow = controlFlow(LOOPS, { processor: 'gfx1100', entries: [0] });

  it('has the blocks and edges of its text', () => {
    expect(flow.blocks.map(({ start, end }) => `${hex(start)}-${hex(end)}`)).toEqual([
      '0-4',
      '4-8',
      '8-18',
      '18-1c',
      '1c-20',
      '20-2c',
      '2c-38',
    ]);
    expect(edgesOf(flow)).toEqual([
      '0 fall 4',
      '4 fall 8',
      '8 taken 8 back',
      '8 not-taken 18',
      '18 taken 20',
      '18 not-taken 1c',
      '1c fall 20',
      '20 taken 4 back',
      '20 not-taken 2c',
    ]);
    expect(flow.blocks.map(({ exit }) => (exit.kind === 'branch' ? exit.condition : exit.kind))).toEqual([
      'fall',
      'fall',
      'scc1',
      'execz',
      'fall',
      'scc1',
      'end',
    ]);
  });

  it('has dominators and nested loops', () => {
    expect(flow.blocks.map(({ dominator }) => dominator)).toEqual([-1, 0, 1, 2, 3, 3, 5]);
    expect(flow.loops.map(({ header, parent, depth, blocks }) => ({ header, parent, depth, blocks }))).toEqual([
      { header: 1, parent: -1, depth: 1, blocks: [1, 2, 3, 4, 5] },
      { header: 2, parent: 0, depth: 2, blocks: [2] },
    ]);
    expect(flow.blocks.map(({ loop }) => loop)).toEqual([-1, 0, 1, 0, 0, 0, -1]);
  });

  it('reports what no entry reaches', () => {
    expect(flow.gaps).toEqual([
      { start: 0x38, end: 0x44, kind: 'padding' },
      { start: 0x44, end: 0x4c, kind: 'code' },
      { start: 0x4c, end: 0x50, kind: 'data' },
    ]);
    expect(controlFlow(LOOPS, { processor: 'gfx1100', entries: [0, 2, 0x50, -4, 1e9] }).badEntries).toEqual([2, 0x50, -4, 1e9]);
  });

  it('finds a block by the offsets of its instructions only', () => {
    expect(flow.blockAt(0x10)?.index).toBe(2);
    expect(flow.blockAt(0x30)).toBeUndefined();
    expect(flow.blockAt(0x44)).toBeUndefined();
  });

  it('has the registers live that are read before they are written', () => {
    const live = liveness(flow);
    // Set before use: s2, s3, SCC. Read: v0 and v1 by the addition, v[2:3] by the store, EXEC, MODE.
    expect(show(live.liveIn(0).ranges())).toBe('vgpr0-3 exec0 mode0');
    expect(show(live.liveIn(2).ranges())).toBe('sgpr2-3 vgpr0-3 exec0 mode0');
    expect(show(live.liveBefore(0x34)?.ranges() ?? [])).toBe('');
    expect(show(live.liveBefore(0x2c)?.ranges() ?? [])).toBe('vgpr1-3 exec0');
    expect(show(live.liveAfter(0x28)?.ranges() ?? [])).toBe('sgpr2 vgpr0-3 exec0 mode0');
    expect(live.liveBefore(0x30)).toBeUndefined();
  });
});

describe('a program with calls', () => {
  const flow = controlFlow(CALLS, { processor: 'gfx1100', entries: [0], baseAddress: 0x7f00_0000_1000n });

  it('follows s_getpc and constants to callees and jump targets', () => {
    expect(flow.unknownTransfers).toEqual([]);
    expect(flow.functions.map(({ entry, isKernel, callers }) => ({ entry, isKernel, callers }))).toEqual([
      { entry: 0, isKernel: true, callers: [] },
      { entry: 0x30, isKernel: false, callers: [0, 1] },
      { entry: 0x58, isKernel: false, callers: [3] },
    ]);
    expect(edgesOf(flow)).toEqual(['0 return 1c', '1c return 24', '30 return 44', '58 jump 74']);
  });

  it('knows returns, also of an address that was kept in lanes of a VGPR', () => {
    expect(flow.blocks.map(({ start, exit }) => `${hex(start)} ${exit.kind}`)).toEqual([
      '0 call',
      '1c call',
      '24 end',
      '30 call',
      '44 return',
      '58 jump',
      '74 return',
    ]);
  });

  it('sees through calls what is live', () => {
    const live = liveness(flow);
    // v1 is v0's copy and v6 is g's; v40 has lanes that f does not write; v2 is written before the store.
    expect(show(live.liveIn(0).ranges())).toBe('vgpr0 vgpr4-6 vgpr40 exec0 mode0');
    // f writes neither s[2:3] nor v1, which the second call needs.
    expect(show(live.liveBefore(0x1c)?.ranges() ?? [])).toBe('sgpr2-3 vgpr0-1 vgpr4-6 vgpr40 exec0 mode0');
    expect(show(live.liveAfter(0x20)?.ranges() ?? [])).toBe('sgpr30-31 vgpr1-2 vgpr4-6 vgpr40 exec0 mode0');
  });

  it('keeps nothing over calls that need not keep the convention, but what they do not write', () => {
    const strict = controlFlow(CALLS, { processor: 'gfx1100', entries: [0], callsPreserve: 'nothing' });
    expect(strict.unknownTransfers).toEqual([]);
  });

  it('reports transfers whose target comes from memory, and takes everything for live there', () => {
    const unknown = controlFlow(CALLS, { processor: 'gfx1100', entries: [0x78] });
    expect(unknown.unknownTransfers).toEqual([
      { offset: 0x84, kind: 'call' },
      { offset: 0x88, kind: 'jump' },
    ]);
    expect(unknown.blocks[0]?.callee).toBe(-1);
    const live = liveness(unknown);
    expect(live.liveBefore(0x84)?.has('vgpr', 255)).toBe(true);
    expect(live.liveBefore(0x84)?.has('agpr', 255)).toBe(true);
    expect(live.liveBefore(0x78)?.has('sgpr', 4)).toBe(false);
  });

  it('lets functions of the options return through s[30:31]', () => {
    const called = controlFlow(CALLS, { processor: 'gfx1100', entries: [], functions: [0x30] });
    expect(called.blocks.map(({ exit }) => exit.kind)).toEqual(['call', 'return', 'jump', 'return']);
    // Its caller is not known, and may need anything.
    expect(liveness(called).liveIn(0).has('vgpr', 200)).toBe(true);
    expect(liveness(called).liveIn(0).has('vgpr', 0)).toBe(false);
  });
});

describe('the two views of lanes', () => {
  // s_mov_b32 exec_lo, s0 · v_mov_b32 v1, v0 · global_store_b32 v[2:3], v1, off · s_endpgm
  const code = fromHex('0000febe0003027e00006adc02017c000000b0bf');

  it('differ by what a write under EXEC ends', () => {
    const flow = controlFlow(code, { processor: 'gfx1100', entries: [0] });
    expect(show(liveness(flow).liveIn(0).ranges())).toBe('sgpr0 vgpr0 vgpr2-3');
    expect(show(liveness(flow, { lanes: 'whole-wave' }).liveIn(0).ranges())).toBe('sgpr0 vgpr0-3');
  });
});

describe('operands that do not mean the register they name', () => {
  it('are all registers while gfx9 indexes them', () => {
    // s_set_gpr_idx_on s0, SRC0 · v_mov_b32 v1, v2 · s_set_gpr_idx_off · v_mov_b32 v3, v4 · global_store_dword v[6:7], v3 · s_endpgm
    const code = fromHex('000111bf0203027e00009cbf0403067e008070dc06037f00000081bf');
    const flow = controlFlow(code, { processor: 'gfx90a', entries: [0] });
    const live = liveness(flow);
    expect(live.liveBefore(4)?.has('vgpr', 200)).toBe(true);
    expect(show(live.liveBefore(12)?.ranges() ?? [])).toBe('vgpr4 vgpr6-7 exec0-1');
  });

  it('are in any bank of gfx1250 after s_set_vgpr_msb', () => {
    // s_set_vgpr_msb 1 · v_mov_b32 v1, v2 · s_set_vgpr_msb 0 · v_mov_b32 v3, v4 · global_store_b32 v[6:7], v3, off · s_endpgm
    const code = fromHex('010086bf0203027e000086bf0403067e7c8006ee00008001060000000000b0bf');
    const flow = controlFlow(code, { processor: 'gfx1250', entries: [0] });
    const live = liveness(flow);
    expect(
      show(
        live
          .liveBefore(4)
          ?.ranges()
          .filter(({ file }) => file === 'vgpr') ?? [],
      ),
    ).toBe('vgpr2 vgpr4 vgpr6-7 vgpr258 vgpr514 vgpr770');
  });
});
