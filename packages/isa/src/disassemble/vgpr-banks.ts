/** Vector registers above v255 of gfx1250: s_set_vgpr_msb says which bank each operand of what follows means (LLVM AMDGPUInstPrinter). */
import type { DecodedOperand } from '../decode/decoded-operand.js';
import type { Format, Instruction, Operand } from '../instruction.js';
import { formatRegister } from './values.js';

/** Two bits for each kind of operand, as the low byte of s_set_vgpr_msb has them; 0: all are below v256. */
export type VgprBanks = number;

const BANK_BITS = 3;
const BANK_REGISTERS = 256;
const ALL_BANKS = 0xff;

const VALU_OPERANDS = ['src0', 'src1', 'src2', 'vdst'];
const MEMORY_OPERANDS = ['vaddr', 'vdata', '', 'vdst'];
const LDS_OPERANDS = ['addr', 'data0', 'data1', 'vdst'];
const BUFFER_OPERANDS = ['vaddr', '', '', 'vdata'];
/** Operands in the order of their bits where these differ from those of vector operations. */
const OPERANDS: Partial<Record<Format, readonly string[]>> = {
  DS: LDS_OPERANDS,
  FLAT: MEMORY_OPERANDS,
  GLOBAL: MEMORY_OPERANDS,
  SCRATCH: MEMORY_OPERANDS,
  MUBUF: BUFFER_OPERANDS,
  MTBUF: BUFFER_OPERANDS,
};
/** Loads of matrix scales read registers below v256 whatever the banks are. */
const WITHOUT_BANKS = /^v_wmma_ld_scale/;
/** The second source of these is the third operand of the addition. */
const SECOND_IS_THIRD = /^v_(?:dual_)?fmamk_/;

/** The banks after an instruction: the next block begins with none. */
export function banksAfter(instruction: Instruction, banks: VgprBanks): VgprBanks {
  if (instruction.name === 's_set_vgpr_msb') return (instruction.operand('simm16')?.value ?? 0) & ALL_BANKS;
  return instruction.hasFlag('isTerminator') ? 0 : banks;
}

/** How many times 256 is added to the number of a VGPR operand under these banks. */
export function bankOf(operand: Operand, format: Format, mnemonic: string, banks: VgprBanks): number {
  if (banks === 0 || operand.kind !== 'vgpr' || WITHOUT_BANKS.test(mnemonic)) return 0;
  const name = operand.name === 'src1' && SECOND_IS_THIRD.test(mnemonic) ? 'src2' : operand.name;
  const place = (OPERANDS[format] ?? VALU_OPERANDS).indexOf(name);
  return place < 0 ? 0 : (banks >>> (2 * place)) & BANK_BITS;
}

/** `v[256:257]` in a comment behind a register that is meant to be another; '' where it is the one that it seems. */
export function formatBank(operand: DecodedOperand, format: Format, mnemonic: string, banks: VgprBanks): string {
  const bank = bankOf(operand, format, mnemonic, banks);
  return bank === 0 ? '' : ` /*${formatRegister({ ...operand, index: operand.index + bank * BANK_REGISTERS }, 'v')}*/`;
}
