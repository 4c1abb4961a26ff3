/** Where a matrix instruction's operands, result and work space lie in the control block's matrix area. */
import { InternalError } from '@doorbell/abi';
import { isInteger } from '../matrix/element-format.js';
import type { MatrixOp } from '../matrix/matrix-op.js';
import { matrixOperands, storedValues } from '../matrix/matrix-op.js';
import { AREA_MATRIX, AREA_MATRIX_BYTES } from './wave-state.js';

/** Offsets from the control block. */
export interface MatrixArea {
  /** The operands' registers in order. */
  readonly operands: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly index: number;
  readonly scales: readonly [number, number];
  /** The result's registers; C's where both have one layout. */
  readonly result: number;
  /** Work space: A and B by rows of k, what the index says, scale factors by blocks of k. */
  readonly rowsOfA: number;
  readonly rowsOfB: number;
  readonly positions: number;
  readonly factors: readonly [number, number];
}

/** How the elements of A and B are laid out for the sums: `pairs`: two 16-bit integers of different k in one dword. */
export type RowForm = 'f32' | 'f64' | 'pairs' | 'i32';

export function rowForm(op: MatrixOp): RowForm {
  if (isInteger(op.formats[0])) return op.index === undefined ? 'pairs' : 'i32';
  return op.formats[0] === 'f64' ? 'f64' : 'f32';
}

export function elementBytes(op: MatrixOp): 4 | 8 {
  return rowForm(op) === 'f64' ? 8 : 4;
}

/** Bytes of a row of A, of B: one k (or pair of k), all blocks. */
export function rowBytes(op: MatrixOp): readonly [number, number] {
  const bytes = op.blocks * elementBytes(op);
  return [op.m * bytes, op.n * bytes];
}

/** Rows of A, of B. */
export function rowCounts(op: MatrixOp): readonly [number, number] {
  return rowForm(op) === 'pairs' ? [op.k / 2, op.k / 2] : [storedValues(op), op.k];
}

export function matrixArea(op: MatrixOp): MatrixArea {
  let next = AREA_MATRIX;
  const take = (bytes: number): number => {
    const start = next;
    next += bytes;
    if (next > AREA_MATRIX + AREA_MATRIX_BYTES) throw new InternalError(`no room for ${op.key}`);
    return start;
  };
  const starts = matrixOperands(op).map((registers) => take(registers * op.waveSize * 4));
  const [a = 0, b = 0, c = 0, index = 0, scaleOfA = 0, scaleOfB = 0] = starts;
  const result = op.c === op.d ? c : take(op.d.registers * op.waveSize * 4);
  const [rowOfA, rowOfB] = rowBytes(op);
  const [countOfA, countOfB] = rowCounts(op);
  const factorBlocks = op.scale === undefined ? 0 : op.k / op.scale.block;
  return {
    operands: a,
    a,
    b,
    c,
    index,
    scales: [scaleOfA, scaleOfB],
    result,
    rowsOfA: take(countOfA * rowOfA),
    rowsOfB: take(countOfB * rowOfB),
    positions: take(op.index === undefined ? 0 : countOfA * rowOfA),
    factors: [take(factorBlocks * rowOfA), take(factorBlocks * rowOfB)],
  };
}
