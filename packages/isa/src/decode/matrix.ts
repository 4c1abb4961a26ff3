/**
 * Register counts of matrix operations whose element formats are fields (LLVM AMDGPUBaseInfo, wmmaScaleF8F6F4FormatToNumRegs and
 * mfmaScaleF8F6F4FormatToNumRegs).
 */
import type { InstructionTable } from '../table/instruction-table.js';
import type { OperandPlan } from './operand-plan.js';
import { readField } from './operand-plan.js';

const REGISTER_BITS = 32;
const VGPRS = 256;

/** Registers of an operand by its format: FP8, BF8, FP6, BF6, FP4. */
const FORMAT_REGISTERS = [16, 16, 12, 12, 8];
const LARGEST = 16;
/** The field that an operand's width names, when it is a format; gfx950 keeps the formats in the fields of broadcast and permutation. */
const FORMAT_FIELD = /^(?:matrix_[ab]_fmt|cbsz|blgp)$/;
const GFX950_FIELD = /^(?:cbsz|blgp)$/;

/** Whether format fields decide how many registers the sources have. */
export function hasFormatFields(table: InstructionTable, entry: number): boolean {
  return table.operandSet(entry).some(({ w }) => typeof w === 'string' && FORMAT_FIELD.test(w));
}

/** Width of one operand in bits. */
export function matrixOperandBits(table: InstructionTable, entry: number, plan: OperandPlan, words: ArrayLike<number>): number {
  const { w } = plan.description;
  if (typeof w !== 'string' || !FORMAT_FIELD.test(w)) return plan.bits;
  const layout = table.layout(entry);
  const count = (field: string): number | undefined => FORMAT_REGISTERS[readField(layout.get(field) ?? [], words)];
  // A wave of gfx950 has twice the lanes of one of gfx1250, so half the registers.
  if (GFX950_FIELD.test(w)) return ((count(w) ?? LARGEST) / 2) * REGISTER_BITS;
  // Both formats must be known.
  const isKnown = count('matrix_a_fmt') !== undefined && count('matrix_b_fmt') !== undefined;
  return ((isKnown ? count(w) : undefined) ?? LARGEST) * REGISTER_BITS;
}

/** Whether the sources begin at even registers and lie within v0…v255. */
export function hasMatrixRegisters(
  table: InstructionTable,
  { entry, plan }: { readonly entry: number; readonly plan: { readonly operands: readonly OperandPlan[] } },
  words: ArrayLike<number>,
): boolean {
  return plan.operands.every((operand) => {
    if (typeof operand.description.w !== 'string') return true;
    const index = readField(operand.slices, words) % VGPRS;
    return index % 2 === 0 && index + matrixOperandBits(table, entry, operand, words) / REGISTER_BITS <= VGPRS;
  });
}
