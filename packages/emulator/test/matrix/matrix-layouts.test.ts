import { describe, expect, it } from 'vitest';
import { evaluateBlock, type WaveState } from '../../src/evaluate/index.js';
import { Random } from '../compile/harness.js';
import { DeviceMemory } from '../semantics/support/device-memory.js';
import { buildText, caseText, FIRST, MATRIX_VGPRS, matrixCases, type MatrixCase } from './matrix-case.js';
import { checkResult, fillAndMultiply, randomRegisters, type MatrixFields } from './matrix-product.js';

const memory = new DeviceMemory(4096, 4096, 4096);
const cases = matrixCases();
const random = new Random(0x3a7);
const word = (): number => random.word();

/** The first wrong element of one execution, or ''. */
function run(item: MatrixCase, modifiers: string, fields: MatrixFields = {}): string {
  const block = buildText(item.processor, item.waveSize, caseText(item, modifiers));
  const registers = randomRegisters(item.waveSize, word);
  const expected = fillAndMultiply(item, fields, registers, word);
  // EXEC is 0: all lanes take part nevertheless.
  const wave: WaveState = { waveSize: item.waveSize, sgprs: new Uint32Array(128), vgprs: registers.dwords, scc: 0 };
  const outcome = evaluateBlock(block, wave, memory);
  if (outcome.kind !== 'next') return `${item.name}: ${outcome.kind}`;
  return checkResult(item, fields, registers, expected);
}

const targets = [...new Set(cases.map(({ processor, waveSize }) => `${processor} wave${waveSize}`))];
const of = (target: string): MatrixCase[] => cases.filter((item) => `${item.processor} wave${item.waveSize}` === target);
const failures = (texts: readonly string[]): string[] => texts.filter((text) => text !== '');

describe.each(targets)('matrix instructions of %s', (target) => {
  it('are products of the matrices that the recorded layouts say', () => {
    const own = of(target);
    expect(own.length).toBeGreaterThan(5);
    expect(failures(own.map((item) => run(item, '')))).toEqual([]);
  });
});

interface SinglePoint {
  readonly text: string;
  /** Register, lane, dword of every register that is not 0. */
  readonly dwords: readonly (readonly [number, number, number])[];
  readonly result: readonly [number, number, number];
}

/** One product each, written out by hand from the rules in docs/emulator.md. */
const SINGLE_POINTS: readonly SinglePoint[] = [
  {
    text: 'v_swmmac_f32_16x16x128_fp8_fp8 v[0:7], v[64:71], v[80:95], v[96:97]',
    dwords: [
      [71, 21, 0x4000],
      [94, 23, 0x4400_0000],
      [97, 21, 0xc << 24],
    ],
    result: [5, 7, 0x40c0_0000],
  },
  {
    text: 'v_swmmac_f16_16x16x128_fp8_fp8 v[0:3], v[64:71], v[80:95], v[96:97]',
    dwords: [
      [71, 21, 0x4000],
      [94, 23, 0x4400_0000],
      [97, 21, 0xc << 24],
    ],
    result: [2, 7, 0x4600_0000],
  },
  {
    text: 'v_swmmac_f32_16x16x64_f16 v[0:7], v[64:71], v[80:95], v96',
    dwords: [
      [71, 21, 0x4000_0000],
      [95, 23, 0x4200_0000],
      [96, 21, 0xc << 28],
    ],
    result: [5, 7, 0x40c0_0000],
  },
  {
    text: 'v_wmma_f32_32x16x128_f4 v[0:15], v[64:79], v[80:87], v[32:47]',
    dwords: [
      [79, 21, 0x4000_0000],
      [87, 23, 0x5000_0000],
    ],
    result: [13, 7, 0x40c0_0000],
  },
  {
    text: 'v_wmma_f32_16x16x128_f8f6f4 v[0:7], v[64:75], v[80:91], v[32:39] matrix_a_fmt:2 matrix_b_fmt:2',
    dwords: [
      [75, 21, 0x10 << 26],
      [91, 23, 0x14 << 26],
    ],
    result: [5, 7, 0x40c0_0000],
  },
];

describe('elements by hand', () => {
  it.each(SINGLE_POINTS)('$text', ({ text, dwords, result: [register, lane, value] }) => {
    const vgprs = new Uint32Array(MATRIX_VGPRS * 32);
    for (const [at, of, dword] of dwords) vgprs[at * 32 + of] = dword;
    const expected = Uint32Array.from(vgprs);
    expected[register * 32 + lane] = value;
    evaluateBlock(buildText('gfx1250', 32, text), { waveSize: 32, sgprs: new Uint32Array(128), vgprs, scc: 0 }, memory);
    expect(vgprs).toEqual(expected);
  });
});

const named = (processor: string, pattern: RegExp): MatrixCase[] =>
  cases.filter((item) => item.processor === processor && pattern.test(item.name));

/** Factors of A and B: the value of a byte, and where the byte of a row and block of k is. */
interface Scaling {
  readonly name: string;
  readonly block: number;
  readonly modifiers: string;
  readonly registers: 1 | 2;
  readonly place: (side: 0 | 1, block: number, row: number, rows: number) => { readonly lane: number; readonly byte: number };
  readonly value?: (byte: number) => number;
}

function runScaled(item: MatrixCase, scaling: Scaling): string {
  const { place, block: factorBlock, value = (byte: number): number => 2 ** (byte - 127) } = scaling;
  const operand = (first: number): string => (scaling.registers === 1 ? `v${first}` : `v[${first}:${first + 1}]`);
  const scales = `, ${operand(FIRST.scaleA)}, ${operand(FIRST.scaleB)}`;
  const text = caseText({ ...item, name: item.name.replace('_f32', scaling.name) }, scaling.modifiers, scales);
  const block = buildText(item.processor, item.waveSize, text);
  const registers = randomRegisters(item.waveSize, word);
  const { waveSize } = item;
  const bytes = new Uint8Array(registers.dwords.buffer);
  const byteOf = (side: 0 | 1, kb: number, row: number): number => {
    const { lane, byte } = place(side, kb, row, side === 0 ? item.row.m : item.row.n);
    const register = (side === 0 ? FIRST.scaleA : FIRST.scaleB) + (byte >> 2);
    return (register * waveSize + lane) * 4 + (byte & 3);
  };
  for (const side of [0, 1] as const) {
    for (let kb = 0; kb < item.row.k / factorBlock; kb++) {
      for (let row = 0; row < 32 && row < item.row.m; row++) bytes[byteOf(side, kb, row)] = 124 + (word() % 8);
    }
  }
  const factors = (side: 0 | 1, kb: number, row: number): number => value(bytes[byteOf(side, kb, row)]!);
  const expected = fillAndMultiply(item, { factors, factorBlock }, registers, word);
  const wave: WaveState = { waveSize, sgprs: new Uint32Array(128), vgprs: registers.dwords, scc: 0 };
  evaluateBlock(block, wave, memory);
  return checkResult(item, {}, registers, expected);
}

describe('scale factors', () => {
  it('of gfx950 are a byte by op_sel in the lanes of their block of 32 k', () => {
    const texts = named('gfx950', /_f8f6f4$/).map((item) =>
      runScaled(item, {
        name: '_scale_f32',
        block: 32,
        modifiers: ' op_sel:[1,0,0] op_sel_hi:[0,1,0]',
        registers: 1,
        place: (side, block, row, rows) => ({ lane: row + block * rows, byte: side === 0 ? 1 : 2 }),
      }),
    );
    expect(texts.length).toBe(50);
    expect(failures(texts)).toEqual([]);
  });

  it('of gfx1250 are the bytes of one lane, for blocks of 32 or 16 k', () => {
    const items = named('gfx1250', /_f8f6f4$/);
    expect(items.length).toBe(25);
    const texts = items.flatMap((item) => [
      runScaled(item, {
        name: '_scale_f32',
        block: 32,
        modifiers: ' matrix_b_scale:MATRIX_SCALE_ROW1',
        registers: 1,
        place: (side, byte, row) => ({ lane: row + 16 * side, byte }),
      }),
      runScaled(item, {
        name: '_scale16_f32',
        block: 16,
        modifiers: ' matrix_a_scale:MATRIX_SCALE_ROW1',
        registers: 2,
        place: (side, byte, row) => ({ lane: row + 16 * (1 - side), byte }),
      }),
      runScaled(item, {
        name: '_scale_f32',
        block: 32,
        modifiers: ' matrix_a_scale_fmt:MATRIX_SCALE_FMT_E5M3 matrix_b_scale_fmt:MATRIX_SCALE_FMT_E5M3',
        registers: 1,
        place: (side, byte, row) => ({ lane: row, byte }),
        value: (byte) => (8 + (byte & 7)) * 2 ** ((byte >> 3) - 15 - 3),
      }),
    ]);
    expect(failures(texts)).toEqual([]);
  });
});

describe('fields of matrix instructions', () => {
  it('cbsz and abid give a block of A to others', () => {
    const blocks = cases.filter(({ row }) => row.blocks > 1 && row.cbsz_abid === true);
    expect(blocks.length).toBeGreaterThan(20);
    const texts = blocks.flatMap((item) =>
      Array.from({ length: Math.log2(item.row.blocks) }, (_, n) => {
        const group = 2 << n;
        const abid = word() % group;
        return run(item, ` cbsz:${n + 1} abid:${abid}`, { blockOfA: (block) => block - (block % group) + abid });
      }),
    );
    expect(failures(texts)).toEqual([]);
  });

  it('blgp permutes the lanes of B', () => {
    const lanes = [
      (lane: number): number => lane,
      (lane: number): number => lane & 31,
      (lane: number): number => (lane & 31) | 32,
      (lane: number): number => (lane + 16) & 63,
      (lane: number): number => lane & 15,
      (lane: number): number => (lane & 15) | 16,
      (lane: number): number => (lane & 15) | 32,
      (lane: number): number => (lane & 15) | 48,
    ];
    const permuted = cases.filter(({ row }) => row.blgp === true && row.in !== 'fp64');
    expect(permuted.length).toBeGreaterThan(20);
    const texts = permuted.map((item, n) => run(item, ` blgp:${1 + (n % 7)}`, { laneOfB: lanes[1 + (n % 7)]! }));
    expect(failures(texts)).toEqual([]);
  });

  it('abid and index_key choose the set of the index register', () => {
    const sparse = cases.filter(({ layouts }) => (layouts.X?.sets ?? 1) > 1);
    expect(sparse.length).toBeGreaterThan(20);
    // Each set of each layout is the turn of some instruction.
    const texts = sparse.map((item, n) => {
      const indexSet = n % item.layouts.X!.sets!;
      return run(item, item.name.startsWith('v_smfmac') ? ` abid:${indexSet}` : ` index_key:${indexSet}`, { indexSet });
    });
    const [first] = sparse.filter(({ name }) => name.startsWith('v_smfmac'));
    texts.push(run(first!, ' cbsz:1 abid:1', { indexSet: 0 }));
    expect(failures(texts)).toEqual([]);
  });

  it('neg of f64 on gfx942 changes signs', () => {
    const texts = named('gfx942', /f64$/).flatMap((item) => [
      run(item, ' neg:[1,0,0]', { signs: [() => -1, () => 1, 1] }),
      run(item, ' neg:[0,1,0]', { signs: [() => 1, () => -1, 1] }),
      run(item, ' neg:[1,1,1]', { signs: [() => -1, () => -1, -1] }),
    ]);
    expect(failures(texts)).toEqual([]);
  });

  it('neg_lo and neg_hi change signs of even and odd elements, and of C', () => {
    const texts = ['gfx1100', 'gfx1201', 'gfx1250'].flatMap((processor) =>
      named(processor, /_wmma_.*x(?:16|32)_b?f16$/).flatMap((item) => [
        run(item, ' neg_lo:[1,0,0]', { signs: [(k) => (k % 2 === 0 ? -1 : 1), () => 1, 1] }),
        run(item, ' neg_lo:[0,0,0] neg_hi:[0,1,0]', { signs: [() => 1, (k) => (k % 2 === 0 ? 1 : -1), 1] }),
        run(item, ' neg_lo:[0,0,1]', { signs: [() => 1, () => 1, -1] }),
        run(item, ' neg_lo:[0,0,1] neg_hi:[0,0,1]', { signs: [() => 1, () => 1, -1], absC: true }),
      ]),
    );
    expect(texts.length).toBeGreaterThan(20);
    expect(failures(texts)).toEqual([]);
  });

  it('neg_lo makes integer elements signed, clamp saturates', () => {
    const integers = ['gfx1100', 'gfx1201', 'gfx1250'].flatMap((processor) => named(processor, /_iu[48]$/));
    expect(integers.length).toBeGreaterThan(10);
    const texts = integers.flatMap((item) => {
      const bits = item.row.in.slice(2);
      return [
        ['[0,0,0]', 'u', 'u'],
        ['[1,0,0]', 's', 'u'],
        ['[0,1,0]', 'u', 's'],
        ['[1,1,0]', 's', 's'],
      ].map(([neg, a, b], n) => {
        const clamp = n % 3 === 0;
        return run({ ...item, formats: [`${a}${bits}`, `${b}${bits}`] }, ` neg_lo:${neg}${clamp ? ' clamp' : ''}`, { clamp });
      });
    });
    expect(failures(texts)).toEqual([]);
  });

  it('op_sel of gfx1100 chooses the half of 16-bit results', () => {
    const halves = named('gfx1100', /_wmma_b?f16_/);
    expect(halves.length).toBe(4);
    expect(failures(halves.map((item) => run(item, ' op_sel:[0,0,1]', { half: 1 })))).toEqual([]);
  });
});
