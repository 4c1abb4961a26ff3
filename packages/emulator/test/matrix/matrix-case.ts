/** Matrix instructions of every target as blocks, with the registers that they use. */
import { createAssembler, createDecoder } from '@doorbell/isa';
import type { Block } from '../../src/ir/block.js';
import { buildBlock } from '../../src/semantics/index.js';
import { MODE } from '../compile/harness.js';
import { RECORDED, recordedLayout, type RecordedInstruction, type RecordedLayout } from './recorded-layouts.js';

/** First registers of the operands in every case. */
export const FIRST = { D: 0, C: 32, A: 64, B: 80, X: 96, scaleA: 98, scaleB: 100 } as const;
export const MATRIX_VGPRS = 104;

export interface MatrixCase {
  readonly processor: string;
  readonly waveSize: 32 | 64;
  readonly name: string;
  readonly row: RecordedInstruction;
  readonly layouts: Readonly<Record<'A' | 'B' | 'C' | 'D', RecordedLayout>> & { readonly X: RecordedLayout | undefined };
  readonly formats: readonly [string, string];
  readonly out: string;
  readonly cType: string;
  /** Fields that choose formats, as text. */
  readonly fields: string;
}

const TYPES: Readonly<Record<string, string>> = {
  fp32: 'f32',
  fp64: 'f64',
  fp16: 'f16',
  int8: 's8',
  iu8: 'u8',
  iu4: 'u4',
  int32: 'i32',
  amd_fp8: 'fp8fnuz',
  amd_bf8: 'bf8fnuz',
};
const PROCESSORS = [
  ['gfx90a', [64], ['cdna2']],
  ['gfx942', [64], ['cdna3']],
  ['gfx950', [64], ['gfx950']],
  ['gfx1100', [32, 64], ['rdna3']],
  ['gfx1201', [32, 64], ['rdna4']],
  ['gfx1250', [32], ['gfx1250', 'rdna4']],
] as const;
const FIELD_NAMES = ['fp8', 'bf8', 'fp6', 'bf6', 'fp4'];

function plain(processor: string, waveSize: 32 | 64, row: RecordedInstruction): MatrixCase {
  const numbers = row.wave[waveSize]!;
  const pair = /_([fb][fp]8)_([fb][fp]8)$/.exec(row.name);
  const type = (name: string): string => TYPES[name] ?? name;
  const formats: [string, string] = [type(row.in), type(row.in1)];
  if (pair !== null && !row.in.startsWith('amd_')) formats.splice(0, 2, pair[1]!, pair[2]!);
  const layouts = {
    A: recordedLayout(numbers.A),
    B: recordedLayout(numbers.B),
    C: recordedLayout(numbers.D),
    D: recordedLayout(numbers.D),
    X: row.sparse ? recordedLayout(numbers.X) : undefined,
  };
  const out = type(row.out);
  return { processor, waveSize, name: row.name, row, layouts, formats, out, cType: out, fields: '' };
}

/** The f8f6f4 forms: every pair of formats whose layouts are recorded. */
function mixed(processor: string, waveSize: 32 | 64, rows: readonly RecordedInstruction[]): MatrixCase[] {
  const codes = (row: RecordedInstruction): number[] => row.format!.replace('fmt ', '').split(',').map(Number);
  return rows.flatMap((rowOfA) =>
    rows.flatMap((rowOfB) =>
      codes(rowOfA).flatMap((a) =>
        codes(rowOfB).map((b) => {
          const [first, second] = [plain(processor, waveSize, rowOfA), plain(processor, waveSize, rowOfB)];
          const fields = processor === 'gfx1250' ? ` matrix_a_fmt:${a} matrix_b_fmt:${b}` : ` cbsz:${a} blgp:${b}`;
          const formats = [FIELD_NAMES[a]!, FIELD_NAMES[b]!] as const;
          return { ...first, layouts: { ...first.layouts, B: second.layouts.B }, formats, fields };
        }),
      ),
    ),
  );
}

/** Every recorded instruction on the processors that have it. */
export function matrixCases(): MatrixCase[] {
  return PROCESSORS.flatMap(([processor, waveSizes, tables]) =>
    waveSizes.flatMap((waveSize) => {
      const rows = RECORDED.filter(
        // Safe: a string among strings.
        (row) => (tables as readonly string[]).includes(row.arch) && row.wave[waveSize] !== undefined,
      );
      const fixed = rows.filter(({ format }) => format === undefined).map((row) => plain(processor, waveSize, row));
      const names = new Set(rows.filter(({ format }) => format !== undefined).map(({ name }) => name));
      const chosen = [...names].flatMap((name) =>
        mixed(
          processor,
          waveSize,
          rows.filter((row) => row.name === name),
        ),
      );
      return [...fixed, ...fixed.flatMap(withSingleC), ...chosen];
    }),
  );
}

/** The form of gfx1250 whose C is f32 and whose D is bf16. */
function withSingleC(item: MatrixCase): MatrixCase[] {
  if (item.name !== 'v_wmma_bf16_16x16x32_bf16') return [];
  const single = RECORDED.find(({ name }) => name === 'v_wmma_f32_16x16x32_bf16')!;
  const C = recordedLayout(single.wave['32']!.D);
  return [{ ...item, name: 'v_wmma_bf16f32_16x16x32_bf16', layouts: { ...item.layouts, C }, cType: 'f32' }];
}

const tuple = (first: number, count: number): string => (count === 1 ? `v${first}` : `v[${first}:${first + count - 1}]`);

/** The instruction with modifiers as text; `scales`: more operands. */
export function caseText({ name, layouts, fields }: MatrixCase, modifiers: string, scales: string = ''): string {
  const { A, B, C, D, X } = layouts;
  const last = X === undefined ? tuple(FIRST.C, C.regs) : tuple(FIRST.X, X.regs);
  return `${name} ${tuple(FIRST.D, D.regs)}, ${tuple(FIRST.A, A.regs)}, ${tuple(FIRST.B, B.regs)}, ${last}${scales}${fields}${modifiers}`;
}

export function buildText(processor: string, waveSize: 32 | 64, text: string): Block {
  const assembled = createAssembler(processor, { waveSize }).assemble(text);
  if (!assembled.ok) throw new Error(`${processor}: ${text}: ${JSON.stringify(assembled)}`);
  const bytes = new Uint8Array(Uint32Array.from(assembled.words).buffer);
  const decoded = createDecoder(processor, { waveSize }).decode(bytes, 0);
  if (!decoded.ok) throw new Error(`${text}: ${decoded.failure.message}`);
  const block = buildBlock([{ offset: 0, instruction: decoded.instruction }], { waveSize, mode: MODE, processor, codeBase: 0n });
  if (block.exit.kind !== 'fall') throw new Error(`${text}: ${JSON.stringify(block.exit)}`);
  return block;
}
