/** D = A·B + C of a case as a plain loop over matrices, and the registers that hold the matrices. */
import { FIRST, MATRIX_VGPRS, type MatrixCase } from './matrix-case.js';
import {
  numberOf,
  randomCode,
  readBits,
  slotOf,
  widthOf,
  writeBits,
  type RecordedLayout,
  type Registers,
} from './recorded-layouts.js';

/** What fields of the instruction do to the matrices. */
export interface MatrixFields {
  /** Block of A that a block reads. */
  readonly blockOfA?: (block: number) => number;
  /** Lane that a lane's B is read from. */
  readonly laneOfB?: (lane: number) => number;
  readonly signs?: readonly [(k: number) => number, (k: number) => number, number];
  /** Absolute values of C. */
  readonly absC?: boolean;
  readonly indexSet?: number;
  /** Half of the registers in which gfx11 keeps 16-bit results. */
  readonly half?: 0 | 1;
  readonly clamp?: boolean;
  readonly factors?: (side: 0 | 1, block: number, row: number) => number;
  readonly factorBlock?: number;
}

/** Elements by {@link key}. */
type Matrix = Map<number, number>;
/** No block, row or column is beyond 255. */
const key = (block: number, row: number, column: number): number => (block << 16) | (row << 8) | column;
const unkey = (at: number): [number, number, number] => [at >> 16, (at >> 8) & 255, at & 255];

/** Lanes that hold copies of an element. */
function copies(layout: RecordedLayout, lane: number): number[] {
  let lanes = [lane];
  for (const bit of layout.dup?.split(' ') ?? []) lanes = lanes.flatMap((l) => [l, l | (1 << Number(bit.slice(1)))]);
  return lanes;
}

/** Sums of any 8-bit floats do not fit f16. */
const largestOf = (item: MatrixCase): number => (item.out === 'f16' ? 8 : Infinity);

export function randomRegisters(waveSize: number, word: () => number): Registers {
  return { waveSize, dwords: Uint32Array.from({ length: MATRIX_VGPRS * waveSize }, word) };
}

/** Fills A, B, C (and the index) with random elements through the layouts; the answer is what D must be. */
export function fillAndMultiply(item: MatrixCase, fields: MatrixFields, registers: Registers, word: () => number): Matrix {
  const { row, layouts, formats, cType } = item;
  const { m, n, k, blocks } = row;
  const put = (first: number, layout: RecordedLayout, at: Record<string, number>, format: string, extra = 0): number => {
    const { lane, bit } = slotOf(layout, at);
    const code = randomCode(format, word, largestOf(item));
    const shift = layout.half === undefined ? 0 : 16 * (fields.half ?? 0);
    for (const copy of copies(layout, lane)) writeBits(registers, first, copy, bit + extra + shift, widthOf(format), code);
    return numberOf(format, code);
  };
  const A: Matrix = new Map();
  const C: Matrix = new Map();
  for (let b = 0; b < blocks; b++) {
    for (let i = 0; i < m; i++) {
      if (layouts.X === undefined)
        for (let s = 0; s < k; s++) A.set(key(b, i, s), put(FIRST.A, layouts.A, { b, i, k: s }, formats[0]));
      else for (let g = 0; g < k / 4; g++) sparseGroup(item, fields, registers, word, A, i, g);
      for (let j = 0; j < n; j++) C.set(key(b, i, j), put(row.sparse ? FIRST.D : FIRST.C, layouts.C, { b, i, j }, cType));
      for (let s = 0; s < k; s++) for (let j = 0; j < n; j++) if (i === 0) put(FIRST.B, layouts.B, { b, k: s, j }, formats[1]);
    }
  }
  const elementOfB = (b: number, s: number, j: number): number => {
    const { lane, bit } = slotOf(layouts.B, { b, k: s, j });
    const width = widthOf(formats[1]);
    return numberOf(formats[1], readBits(registers, FIRST.B, fields.laneOfB?.(lane) ?? lane, bit, width));
  };
  const [signA, signB, signC] = fields.signs ?? [() => 1, () => 1, 1];
  const { factorBlock = 32 } = fields;
  const D: Matrix = new Map();
  for (let b = 0; b < blocks; b++) {
    const B = Float64Array.from({ length: k * n }, (_, at) => elementOfB(b, Math.floor(at / n), at % n));
    for (let i = 0; i < m; i++) {
      const a = Float64Array.from(
        { length: k },
        (_, s) => signA(s) * (A.get(key(fields.blockOfA?.(b) ?? b, i, s)) ?? 0) * signB(s),
      );
      for (let j = 0; j < n; j++) {
        const c = C.get(key(b, i, j))!;
        let sum = signC * (fields.absC === true ? Math.abs(c) : c);
        for (let first = 0; first < k; first += factorBlock) {
          const block = first / factorBlock;
          const factor = fields.factors === undefined ? 1 : fields.factors(0, block, i) * fields.factors(1, block, j);
          for (let s = first; s < Math.min(k, first + factorBlock); s++) sum += a[s]! * B[s * n + j]! * factor;
        }
        D.set(key(b, i, j), cType === 'i32' ? (fields.clamp === true ? clamp(sum) : sum | 0) : sum);
      }
    }
  }
  return D;
}

const clamp = (value: number): number => Math.min(2 ** 31 - 1, Math.max(-(2 ** 31), value));

/** Two values at different positions of a group of four k, and the nibble that says where. */
function sparseGroup(
  item: MatrixCase,
  fields: MatrixFields,
  registers: Registers,
  word: () => number,
  A: Matrix,
  i: number,
  g: number,
): void {
  const { layouts, formats } = item;
  const { lane, bit } = slotOf(layouts.A, { i, g });
  const first = word() % 4;
  const positions = [first, (first + 1 + (word() % 3)) % 4];
  for (const [n, position] of positions.entries()) {
    const width = widthOf(formats[0]);
    const code = randomCode(formats[0], word, largestOf(item));
    writeBits(registers, FIRST.A, lane, bit + n * width, width, code);
    A.set(key(0, i, 4 * g + position), numberOf(formats[0], code));
  }
  const X = layouts.X!;
  const at = slotOf(X, { i, g });
  const nibble = BigInt(positions[0]! | (positions[1]! << 2));
  writeBits(registers, FIRST.X, at.lane, (fields.indexSet ?? 0) * X.setbits! + at.bit, 4, nibble);
}

/** Relative error that rounding to the result's format and sums of so many products may have. */
const TOLERANCE: Readonly<Record<string, number>> = { f32: 2 ** -18, f64: 2 ** -48, f16: 2 ** -9, bf16: 2 ** -6 };

/** The first element of D that is not what it must be, or ''. */
export function checkResult(item: MatrixCase, fields: MatrixFields, registers: Registers, expected: Matrix): string {
  const { layouts, out } = item;
  const width = out === 'i32' ? 32 : widthOf(out);
  const size = Math.max(1, ...[...expected.values()].map(Math.abs));
  for (const [at, wanted] of expected) {
    const [b, i, j] = unkey(at);
    const { lane, bit } = slotOf(layouts.D, { b, i, j });
    const shift = layouts.D.half === undefined ? 0 : 16 * (fields.half ?? 0);
    const code = readBits(registers, FIRST.D, lane, bit + shift, width);
    const got = out === 'i32' ? Number(BigInt.asIntN(32, code)) : numberOf(out, code);
    const isRight = out === 'i32' ? got === wanted : Math.abs(got - wanted) <= size * TOLERANCE[out]!;
    if (!isRight) return `${item.processor} wave${item.waveSize} ${item.name} D[${b},${i},${j}] = ${got}, must be ${wanted}`;
  }
  return '';
}
