import type { OperandPlan } from '../decode/operand-plan.js';
import type { InstructionTable } from '../table/instruction-table.js';
import type { FieldSlice } from '../table/packed-table.js';

/** Bits 1 to 6 of the result field: EXEC_LO. */
const EXEC_RESULT: readonly FieldSlice[] = [[1, 6, 0]];
/** Fields of op_sel_hi in VOP3P by source (AMD RDNA3 ISA document, "VOP3P"). */
const OP_SEL_HI: readonly (readonly FieldSlice[])[] = [[[59, 1, 0]], [[60, 1, 0]], [[14, 1, 0]]];
const OP_SEL_HI_BIT = 3;

/**
 * Fields that the hardware ignores and that llvm-mc sets to ones: the result of comparisons that write EXEC alone, and op_sel_hi of
 * sources that a packed operation or a move of accumulators does not have (LLVM AMDGPUMCCodeEmitter, getImplicitOpSelHiEncoding).
 */
export function unusedBits(
  table: InstructionTable,
  entry: number,
  operands: readonly OperandPlan[],
): readonly (readonly FieldSlice[])[] {
  const format = table.format(entry);
  if (format === 'VOP3') {
    const writesExec = table.family !== 'gfx9' && table.implicitWrites(entry).includes('exec');
    return writesExec && operands.every((plan) => !plan.isResult) ? [EXEC_RESULT] : [];
  }
  const name = table.name(entry);
  if (format === 'VOP3P_MAI' && !name.startsWith('v_mfma_ld_scale')) return name.startsWith('v_accvgpr_') ? OP_SEL_HI : [];
  // These use the bits for something else.
  if (!/^VOP3P(?:_MAI)?$/.test(format) || operands.some(({ name }) => name === 'matrix_b_fmt' || name === 'matrix_b_reuse'))
    return [];
  const sources = [0, 1, 2].map((number) => operands.find(({ name }) => name === `src${number}`));
  const hasField = sources.some((plan) =>
    plan?.modifiers?.some(([, width, target]) => target <= OP_SEL_HI_BIT && target + width > OP_SEL_HI_BIT),
  );
  return OP_SEL_HI.filter((_, number) => !hasField || sources[number] === undefined);
}
