import type { Operand, OperandKind } from '../instruction.js';
import type { InstructionTable } from '../table/instruction-table.js';
import type { DwordPair } from './constants.js';
import { extendLiteral, inlineConstant } from './constants.js';
import { signExtend } from './immediates.js';
import type { OperandPlan } from './operand-plan.js';
import type { SourceReference } from './registers.js';
import { LITERAL64_CODE, LITERAL_CODE, resolveSource } from './registers.js';

const MOD_NEG = 1;
const MOD_ABS = 2;
const MOD_OP_SEL = 4;
const MOD_OP_SEL_HI = 8;
const MOD_SEXT = 16;

/** Fields above are not kept. */
export const MAX_KEPT_FIELD = 0xffff;
const NOT_KEPT = -1;

const NO_BITS: DwordPair = [0, 0];
const NO_SOURCE: SourceReference = { kind: 'immediate', index: 0, code: -1, special: '', isHighHalf: false };

const LITERAL: SourceReference = { ...NO_SOURCE, kind: 'literal', code: LITERAL_CODE };
const WIDE_LITERAL: SourceReference = { ...NO_SOURCE, kind: 'literal', code: LITERAL64_CODE };

/** One operand of a decoded instruction. */
export class DecodedOperand implements Operand {
  readonly name: string;
  readonly kind: OperandKind;
  readonly isResult: boolean;
  readonly isRead: boolean;
  readonly index: number;
  readonly code: number;
  readonly bits: number;
  readonly type: string;
  /** The type as the tables have it, by which llvm-mc prints constants; {@link DecodedOperand.type} may know better. */
  readonly described: string;
  readonly special: string;
  readonly low: number;
  readonly high: number;
  readonly value: number;
  /** What the field holds, by which operands made before are found again; -1 for what is not kept. A small integer, for speed. */
  readonly field: number;
  readonly immediate: string;
  readonly isHighHalf: boolean;
  readonly neg: boolean;
  readonly abs: boolean;
  readonly opSel: boolean;
  readonly opSelHi: boolean;
  readonly selectsHalf: boolean;
  readonly sext: boolean;

  constructor(plan: OperandPlan, given: GivenOperand) {
    const { source, modifiers } = given;
    this.name = plan.name;
    this.kind = source.kind;
    this.isResult = plan.isResult;
    this.isRead = plan.isRead || given.keepsRest;
    this.index = source.index;
    this.code = source.code;
    this.bits = given.bits;
    this.type = given.type;
    this.described = plan.description.t ?? '';
    this.special = source.special;
    this.low = given.constant[0];
    this.high = given.constant[1];
    this.value = given.value;
    this.field = given.field > MAX_KEPT_FIELD ? NOT_KEPT : given.field;
    this.immediate = plan.description.c ?? '';
    this.isHighHalf =
      source.isHighHalf || (plan.halfBit >= 0 && source.kind === 'vgpr' && ((modifiers >>> plan.halfBit) & 1) === 1);
    const isSource = !plan.isResult;
    const hasSigns = isSource && plan.hasSigns;
    this.neg = hasSigns && (modifiers & MOD_NEG) !== 0;
    this.abs = hasSigns && (modifiers & MOD_ABS) !== 0;
    this.opSel = (modifiers & (isSource ? MOD_OP_SEL : MOD_OP_SEL_HI)) !== 0;
    this.opSelHi = isSource && (modifiers & MOD_OP_SEL_HI) !== 0;
    this.selectsHalf = plan.selectsHalf;
    this.sext = isSource && (modifiers & MOD_SEXT) !== 0;
  }
}

/** What the words say of an operand, beside its plan. */
export interface GivenOperand {
  readonly source: SourceReference;
  readonly bits: number;
  readonly type: string;
  readonly constant: DwordPair;
  readonly value: number;
  readonly field: number;
  readonly modifiers: number;
  /** A result that keeps the part of the register that the instruction does not write. */
  readonly keepsRest: boolean;
}

/** Fields of an operand and where else its value may come from. */
export interface OperandFields {
  readonly field: number;
  readonly modifiers: number;
  readonly keepsRest: boolean;
  readonly bits: number;
  /** The words of the instruction; its literal, if any, begins at the word `literalWord`. */
  readonly words: ArrayLike<number>;
  readonly literalWord: number;
}

/** The operand of a plan with these fields. But for a literal, nothing beside field, modifiers, `keepsRest` and width may decide what it is. */
export function makeOperand(table: InstructionTable, plan: OperandPlan, fields: OperandFields): DecodedOperand {
  const { description } = plan;
  const { field, modifiers, keepsRest, bits, words, literalWord } = fields;
  const type = operandType(plan, modifiers);
  if (description.k === 'imm') {
    // The bit that makes an atomic return its old value is fixed in the encoding, and part of the cache policy.
    const value = signExtend(field, plan.signedBits) | (description.atomic_ret === 1 ? 1 : 0);
    return new DecodedOperand(plan, {
      source: NO_SOURCE,
      bits,
      type,
      constant: NO_BITS,
      value,
      field,
      modifiers: 0,
      keepsRest: false,
    });
  }
  if (description.k === 'lit') {
    const isWide = bits === 64;
    const source = isWide ? WIDE_LITERAL : LITERAL;
    return new DecodedOperand(plan, {
      source,
      bits,
      type,
      constant: isWide ? wideLiteral(words, literalWord) : extendLiteral(field | 0, type, bits),
      value: 0,
      field,
      modifiers: 0,
      keepsRest: false,
    });
  }
  // A field that failed its check never gets here.
  const source = resolveSource(table, description, bits, field, true) ?? NO_SOURCE;
  let constant = NO_BITS;
  if (source.kind === 'inline') constant = inlineConstant(source.code, type, bits);
  else if (source.code === LITERAL64_CODE && source.kind === 'literal') constant = wideLiteral(words, literalWord);
  else if (source.kind === 'literal') constant = extendLiteral((words[literalWord] ?? 0) | 0, type, bits);
  return new DecodedOperand(plan, { source, bits, type, constant, value: 0, field, modifiers, keepsRest });
}

/** A literal of 64 bits. */
function wideLiteral(words: ArrayLike<number>, literalWord: number): DwordPair {
  return [(words[literalWord] ?? 0) >>> 0, (words[literalWord + 1] ?? 0) >>> 0];
}

/** v_fma_mix sources are f16 or f32 by op_sel_hi; the tables describe them as f16 in a whole register. */
function operandType(plan: OperandPlan, modifiers: number): string {
  return plan.isMixed && (modifiers & MOD_OP_SEL_HI) === 0 ? 'f32' : plan.type;
}
