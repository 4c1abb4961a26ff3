/**
 * A matrix instruction with everything that its encoding fixes: D = A·B + C over registers of the whole wave. What source modifiers
 * do to whole registers (signs, halves) has happened to the operands before; EXEC plays no part.
 */
import type { ElementFormat, ResultFormat } from './element-format.js';
import type { MatrixLayout } from './layout.js';

/**
 * In which order products are added.
 * - `chain`: acc = fma(a[k], b[k], acc), k ascending from C. For f32 and f64 this is what MI200 and MI300 were found to do (MMA-Sim,
 *   arXiv 2511.10909).
 * - `pairs2`, `pairs4`: groups of 2 or 4 products added as a tree, then to acc, each step rounded: f16 and bf16 of MI200 (the same).
 */
export type SumOrder = 'chain' | 'pairs2' | 'pairs4';

/** Scale factors of A and B: one byte for each row or column and `block` consecutive k. */
export interface MatrixScale {
  /** Consecutive k that share a factor: 16 or 32. */
  readonly block: number;
  /** Formats of the bytes. */
  readonly formats: readonly [ScaleFormat, ScaleFormat];
  /** Lane and byte of the register pair of row 0's factor of k block 0 …, for A and for B. */
  readonly places: readonly [ScalePlaces, ScalePlaces];
}

export type ScaleFormat = 'e8m0' | 'e5m3' | 'e4m3';

/** For each block of k: the lane of row 0, and the byte in that lane's dwords. */
export type ScalePlaces = readonly { readonly lane: number; readonly byte: number }[];

export interface MatrixOp {
  /** Same key: same operation. */
  readonly key: string;
  readonly waveSize: 32 | 64;
  readonly m: number;
  readonly n: number;
  readonly k: number;
  readonly blocks: number;
  readonly formats: readonly [ElementFormat, ElementFormat];
  readonly a: MatrixLayout;
  readonly b: MatrixLayout;
  readonly c: MatrixLayout;
  readonly d: MatrixLayout;
  readonly cFormat: ResultFormat;
  readonly dFormat: ResultFormat;
  /** A is sparse: its registers hold two of every four k, and an index register tells which. */
  readonly index: MatrixLayout | undefined;
  /** Set in the index register. */
  readonly indexSet: number;
  /** Block of A that each block reads. */
  readonly aBlocks: readonly number[];
  /** Lane that each lane's B value is read from, by 16 lanes. */
  readonly bLanes: readonly number[];
  readonly scale: MatrixScale | undefined;
  readonly order: SumOrder;
  /** Denormals of A, B, C, of products and sums are 0. */
  readonly flush: boolean;
  /** Integer results saturate. */
  readonly clamp: boolean;
}

/** Registers of the operands in the order of a node's arguments: A, B, C, index, scales of A, of B. */
export function matrixOperands(op: MatrixOp): readonly number[] {
  return [
    op.a.registers,
    op.b.registers,
    op.c.registers,
    op.index?.registers ?? 0,
    ...(op.scale === undefined ? [0, 0] : op.scale.places.map((places) => 1 + Math.max(...places.map(({ byte }) => byte >> 2)))),
  ];
}

/** Values of A along k: half of them if A is sparse. */
export function storedValues(op: MatrixOp): number {
  return op.index === undefined ? op.k : op.k / 2;
}

/** The value of a scale factor's byte; NaN where the format has one. */
export function decodeScale(format: ScaleFormat, byte: number): number {
  if (format === 'e8m0') return byte === 255 ? NaN : 2 ** (byte - 127);
  const [bias, exponentBits] = format === 'e5m3' ? [15, 5] : [7, 4];
  const exponent = (byte >> 3) & ((1 << exponentBits) - 1);
  const fraction = (byte & 7) / 8;
  if (format === 'e5m3' ? byte === 255 : (byte & 127) === 127) return NaN;
  const size = exponent === 0 ? fraction * 2 ** (1 - bias) : (1 + fraction) * 2 ** (exponent - bias);
  return format === 'e4m3' && byte >= 128 ? -size : size;
}
