import type { OperandPlan } from '../decode/operand-plan.js';
import type { SourceReference } from '../decode/registers.js';
import { LITERAL64_CODE, resolveSource } from '../decode/registers.js';
import type { InstructionTable } from '../table/instruction-table.js';
import type { OperandDescription } from '../table/packed-table.js';
import { encodeConstant, encodeMandatory } from './constants.js';
import type { NumberText } from './constants.js';
import type { Expression } from './expression.js';
import { InstructionWords, fieldBits } from './fields.js';
import type { OperandText, RegisterText } from './operand-text.js';
import { AssemblySyntaxError } from './token-reader.js';

const MOD_NEG = 1;
const MOD_ABS = 2;
const MOD_SEXT = 16;

/** A literal, or the expression that will fill it. */
export type Literal =
  | { readonly kind: 'number'; readonly low: number; readonly high: number; readonly isWide: boolean }
  | { readonly kind: 'expression'; readonly expression: Expression; readonly isWide: boolean };

/** An instruction under construction: its words, and the literal that follows them. */
export class Encoding extends InstructionWords {
  literal: Literal | undefined = undefined;

  /** All literals of an instruction are the same dword. */
  setLiteral(literal: Literal, column: number): void {
    const { literal: other } = this;
    const isSame =
      other === undefined ||
      (other.kind === 'number' &&
        literal.kind === 'number' &&
        other.low === literal.low &&
        other.high === literal.high &&
        other.isWide === literal.isWide);
    if (!isSame) throw new AssemblySyntaxError('a second literal', column, ['the literal of the other operand, or no literal']);
    this.literal = literal;
  }
}

/** What an entry and its format let an operand be. */
export interface OperandRules {
  readonly table: InstructionTable;
  /** Width in bits, which other fields may decide. */
  readonly bits: number;
  /** Whether a literal can follow the encoding. */
  readonly hasLiteral: boolean;
  /** Whether signs are written at the operand. */
  readonly takesSigns: boolean;
  /** Whether signs of a constant change it where the operand has no sign bits. */
  readonly foldsSigns: boolean;
  /** Type of a mandatory literal. */
  readonly literalType: string;
}

/** Field values by what they name: the decoder's reading of every value, turned round. */
class FieldInverse {
  readonly #values = new Map<string, number>();
  readonly #kinds = new Set<string>();

  constructor(plan: OperandPlan, { table, bits, hasLiteral }: OperandRules) {
    const count = 2 ** fieldBits(plan.slices);
    for (let value = 0; value < count; value++) {
      const source = resolveSource(table, plan.description, bits, value, hasLiteral);
      if (source === undefined) continue;
      const key = sourceKey(source);
      this.#kinds.add(source.kind);
      // Several values may name the same: the first is the one without stray bits, but vectors have bit 8 in fields of 10.
      if (plan.description.k === 'av10' || !this.#values.has(key)) this.#values.set(key, value);
    }
  }

  register({ file, index, name, half }: RegisterText, isHalfInField: boolean): number | undefined {
    return this.#values.get(registerKey(file, index, name, isHalfInField && half === 'h'));
  }

  inline(code: number): number | undefined {
    return this.#values.get(inlineKey(code));
  }

  get literal(): number | undefined {
    return this.#values.get(LITERAL);
  }

  /** A literal of 64 bits. */
  get literal64(): number | undefined {
    return this.#values.get(LITERAL64);
  }

  get takesInline(): boolean {
    return this.#values.has(inlineKey(FIRST_INLINE));
  }

  has(kind: string): boolean {
    return this.#kinds.has(kind);
  }
}

const FIRST_INLINE = 128;
const LITERAL = 'literal';
const LITERAL64 = 'literal64';

function sourceKey({ kind, code, index, special, isHighHalf }: SourceReference): string {
  if (kind === 'inline') return inlineKey(code);
  if (kind === 'literal') return code === LITERAL64_CODE ? LITERAL64 : LITERAL;
  return registerKey(kind, index, special, isHighHalf);
}

function registerKey(kind: string, index: number, special: string, isHighHalf: boolean): string {
  return `${kind} ${index} ${special}${isHighHalf ? ' h' : ''}`;
}

function inlineKey(code: number): string {
  return `inline ${code}`;
}

/** Inverses are made when first needed; descriptions are shared by all entries of a table. */
const inverses = new WeakMap<OperandDescription, Map<string, FieldInverse>>();

function inverseOf(plan: OperandPlan, rules: OperandRules): FieldInverse {
  let byRules = inverses.get(plan.description);
  if (!byRules) {
    byRules = new Map();
    inverses.set(plan.description, byRules);
  }
  const key = `${fieldBits(plan.slices)} ${rules.bits} ${rules.hasLiteral}`;
  let inverse = byRules.get(key);
  if (!inverse) {
    inverse = new FieldInverse(plan, rules);
    byRules.set(key, inverse);
  }
  return inverse;
}

/**
 * Writes an operand into its fields.
 *
 * @throws {AssemblySyntaxError} the operand cannot be that.
 */
export function encodeOperand(encoding: Encoding, plan: OperandPlan, operand: OperandText, rules: OperandRules): void {
  const { value, column } = operand;
  if (plan.description.k === 'lit') {
    encodeMandatoryLiteral(encoding, plan, operand, rules.literalType);
    return;
  }
  const inverse = inverseOf(plan, rules);
  const refuse = (found: string, expected = describe(plan, rules, inverse)): never => {
    throw new AssemblySyntaxError(found, column, expected);
  };
  let field: number | undefined;
  let signs = (operand.neg ? MOD_NEG : 0) | (operand.abs ? MOD_ABS : 0) | (operand.sext ? MOD_SEXT : 0);
  switch (value.kind) {
    case 'off':
      return refuse("unexpected 'off'");
    case 'register':
      field = encodeRegister(encoding, plan, value, rules, inverse);
      if (field === undefined) return refuse(`${registerName(value)} cannot stand here`);
      break;
    case 'expression': {
      // An address fills the whole operand where the encoding has room for it, as llvm-mc has it.
      const isWide = inverse.literal64 !== undefined;
      field = inverse.literal64 ?? inverse.literal;
      if (field === undefined) return refuse('a symbol without a value cannot stand here');
      encoding.setLiteral({ kind: 'expression', expression: value.expression, isWide }, column);
      break;
    }
    default: {
      if (!inverse.takesInline && inverse.literal === undefined) return refuse('a constant cannot stand here');
      let number: NumberText = value;
      if (signs !== 0 && plan.modifiers === undefined && rules.foldsSigns) {
        number = withSigns(number, operand, rules.bits);
        signs = 0;
      }
      const constant = encodeConstant(plan, rules.bits, number, value.form, inverse.literal64 !== undefined);
      if (typeof constant === 'string') return refuse('the constant does not fit', [constant]);
      if (constant.kind === 'inline') field = inverse.inline(constant.code);
      else {
        field = constant.isWide ? inverse.literal64 : inverse.literal;
        if (field !== undefined) encoding.setLiteral({ ...constant, kind: 'number' }, column);
      }
      if (field === undefined)
        return refuse(`${constant.kind === 'inline' ? 'an inline constant' : 'a literal'} cannot stand here`);
    }
  }
  encoding.add(plan.slices, field);
  if (signs === 0) return;
  const hasField = rules.takesSigns && plan.modifiers !== undefined && !plan.isResult && (plan.hasSigns || signs === MOD_SEXT);
  if (!hasField || !encoding.add(plan.modifiers, signs)) refuse('the operand has no sign', ['an operand without signs']);
}

function encodeRegister(
  encoding: Encoding,
  plan: OperandPlan,
  register: RegisterText,
  { bits }: OperandRules,
  inverse: FieldInverse,
): number | undefined {
  const isHalf = plan.description.t16 === 1 && register.file === 'vgpr';
  if (isHalf !== (register.half !== '')) return undefined;
  if (register.file !== 'special' && register.count !== Math.ceil(bits / 32)) return undefined;
  const isHalfInField = plan.halfBit < 0;
  const field = inverse.register(register, isHalfInField);
  if (field === undefined) return undefined;
  if (register.half === 'h' && !isHalfInField && plan.modifiers) encoding.add(plan.modifiers, 1 << plan.halfBit);
  return field;
}

function encodeMandatoryLiteral(
  encoding: Encoding,
  plan: OperandPlan,
  { value, neg, abs, sext, column }: OperandText,
  type: string,
): void {
  if (neg || abs || sext || value.kind === 'register' || value.kind === 'off') {
    throw new AssemblySyntaxError('no literal', column, ['a literal']);
  }
  const isWide = plan.bits === 64;
  if (value.kind === 'expression') {
    encoding.setLiteral({ kind: 'expression', expression: value.expression, isWide }, column);
    return;
  }
  const literal = encodeMandatory(type, value, isWide);
  if (typeof literal === 'string') throw new AssemblySyntaxError('the constant does not fit', column, [literal]);
  encoding.setLiteral({ ...literal, kind: 'number' }, column);
}

/** A constant with its signs applied, for operands that have no sign bits. */
function withSigns(number: NumberText, { neg, abs }: OperandText, bits: number): NumberText {
  if (number.kind === 'float') {
    const magnitude = abs ? Math.abs(number.value) : number.value;
    return { kind: 'float', value: neg ? -magnitude : magnitude };
  }
  const sign = 1n << BigInt(bits - 1);
  let value = BigInt.asUintN(bits, number.value);
  if (abs) value &= ~sign;
  if (neg) value ^= sign;
  return { kind: 'integer', value };
}

const PREFIXES = { vgpr: 'v', agpr: 'a', sgpr: 's', ttmp: 'ttmp' } as const;

function registerName({ file, index, count, half, name }: RegisterText): string {
  if (file === 'special') return name;
  const prefix = PREFIXES[file];
  return count === 1 ? `${prefix}${index}${half === '' ? '' : `.${half}`}` : `${prefix}[${index}:${index + count - 1}]`;
}

/** What the operand could be: `a VGPR`, `2 SGPRs`, `an inline constant`, … */
function describe(plan: OperandPlan, { bits }: OperandRules, inverse: FieldInverse): readonly string[] {
  const count = Math.ceil(bits / 32);
  const isHalf = plan.description.t16 === 1;
  const registers = (['vgpr', 'agpr', 'sgpr', 'ttmp'] as const)
    .filter((file) => inverse.has(file) && file !== 'ttmp')
    .map((file) => {
      const name = file.toUpperCase();
      if (isHalf && file === 'vgpr') return 'half a VGPR (v0.l, v0.h)';
      return count === 1 ? `${file === 'sgpr' ? 'an' : 'a'} ${name}` : `${count} ${name}s (${PREFIXES[file]}[0:${count - 1}])`;
    });
  if (inverse.takesInline) registers.push('an inline constant');
  if (inverse.literal !== undefined) registers.push('a literal');
  return registers;
}
