/** Modifiers of matrix operations as llvm-mc prints them (LLVM AMDGPUInstPrinter; AMDGPUAsmUtils, WMMAMods). */
import type { Instruction } from '../instruction.js';

/** Element formats of the f8f6f4 operations by number. */
const MATRIX_FORMATS = ['MATRIX_FMT_FP8', 'MATRIX_FMT_BF8', 'MATRIX_FMT_FP6', 'MATRIX_FMT_BF6', 'MATRIX_FMT_FP4'] as const;
const MATRIX_SCALES = ['MATRIX_SCALE_ROW0', 'MATRIX_SCALE_ROW1'] as const;
const MATRIX_SCALE_FORMATS = ['MATRIX_SCALE_FMT_E8', 'MATRIX_SCALE_FMT_E5M3', 'MATRIX_SCALE_FMT_E4M3'] as const;

/** Modifiers in the order they are printed; what has no names is a number. 0 is not printed. */
const NAMED: readonly (readonly [operand: string, names: readonly string[]])[] = [
  ['matrix_a_fmt', MATRIX_FORMATS],
  ['matrix_b_fmt', MATRIX_FORMATS],
  ['matrix_a_scale', MATRIX_SCALES],
  ['matrix_b_scale', MATRIX_SCALES],
  ['matrix_a_scale_fmt', MATRIX_SCALE_FORMATS],
  ['matrix_b_scale_fmt', MATRIX_SCALE_FORMATS],
];
/** Broadcasts of the A operand and permutations of the B operand of CDNA (AMD CDNA3 ISA document, "MFMA"). */
const BROADCASTS = ['cbsz', 'abid'] as const;
const FLAGS = ['matrix_a_reuse', 'matrix_b_reuse'] as const;
const INDEX_KEY = /^index_key_/;

/** `index_key:1 matrix_a_fmt:MATRIX_FMT_FP4 matrix_b_reuse`; each part begins with a space. */
export function formatMatrixModifiers(instruction: Instruction): string {
  const key = instruction.operands.find(({ name }) => INDEX_KEY.test(name))?.value ?? 0;
  let text = key === 0 ? '' : ` index_key:${key}`;
  for (const [name, names] of NAMED) {
    const value = instruction.operand(name)?.value ?? 0;
    if (value !== 0) text += ` ${name}:${names[value] ?? value}`;
  }
  for (const name of BROADCASTS) {
    const value = instruction.operand(name)?.value ?? 0;
    if (value !== 0) text += ` ${name}:${value}`;
  }
  text += permutation(instruction);
  for (const name of FLAGS) if ((instruction.operand(name)?.value ?? 0) !== 0) text += ` ${name}`;
  return text;
}

/** Operations on f64 of gfx942 and later take the field for the signs of their sources. */
function permutation(instruction: Instruction): string {
  const value = instruction.operand('blgp')?.value ?? 0;
  if (value === 0) return '';
  if (!/^v_mfma_f64_\d+x\d+x\d+(?:_4b)?_f64$/.test(instruction.name)) return ` blgp:${value}`;
  return ` neg:[${[0, 1, 2].map((bit) => (value >>> bit) & 1).join()}]`;
}
