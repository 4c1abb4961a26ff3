import type { OperandPlan } from '../decode/operand-plan.js';
import type { FieldSlice } from '../table/packed-table.js';
import type { SymbolScope } from './assembler.js';
import type { Encoding } from './encode-operand.js';
import { fieldBits, unsigned } from './fields.js';
import { integerBetween } from './operand-text.js';
import { parseSwizzle } from './swizzle.js';
import type { TokenReader } from './token-reader.js';
import { AssemblySyntaxError } from './token-reader.js';
import type { ModifierWords, Vocabulary, WordMeaning } from './vocabulary.js';

/** What is known of the entry whose modifiers are read. */
export interface ModifierRules {
  readonly plans: readonly OperandPlan[];
  readonly vocabulary: Vocabulary;
  /** Halves are chosen by op_sel_hi unless it says otherwise, and signs are lists. */
  readonly isPacked: boolean;
  /** There is an op_sel_hi. */
  readonly hasHighSelects: boolean;
  /** `bound_ctrl:0` sets the bit too, as it does until gfx10. */
  readonly isBoundByZero: boolean;
  /** Modifier fields by source, empty for a source that has none. */
  readonly sources: readonly (readonly FieldSlice[])[];
  /** Value of fields with only some allowed ones. */
  readonly required: ReadonlyMap<string, number>;
}

const MOD_NEG = 1;
const MOD_ABS = 2;
const MOD_OP_SEL = 4;
const MOD_OP_SEL_HI = 8;
const BIT_LISTS: Readonly<Record<string, number>> = {
  op_sel: MOD_OP_SEL,
  op_sel_hi: MOD_OP_SEL_HI,
  neg_lo: MOD_NEG,
  neg_hi: MOD_ABS,
};
/** Sources, and the destination. */
const MOST_BITS = 4;
const OFFSETS: ReadonlySet<string> = new Set(['offset', 'offset0', 'offset1']);
const DPP8_LANES = 8;

/** Values of fields that are not mentioned, where they are not 0 (LLVM AMDGPUAsmParser, addOptionalImmOperand). */
const DEFAULTS: Readonly<Record<string, number>> = {
  row_mask: 15,
  bank_mask: 15,
  format: 1,
  dst_sel: 6,
  src0_sel: 6,
  src1_sel: 6,
  dst_unused: 2,
};
/** Column of a failure that says nothing about the text: another encoding's is more to the point. */
const NOWHERE = 0;
/** Fields that must be mentioned, by the modifiers that do. */
const MANDATORY: Readonly<Record<string, readonly string[]>> = {
  dpp_ctrl: ['a DPP control, as quad_perm:[0,1,2,3]'],
  dpp8: ['dpp8:[0,1,2,3,4,5,6,7]'],
  dim: ["'dim:'"],
};

/** Reads the modifiers of one instruction, in any order. */
export class ModifierParser {
  readonly #rules: ModifierRules;
  readonly #reader: TokenReader;
  readonly #scope: SymbolScope;
  readonly #fields = new Map<OperandPlan, number>();
  readonly #lists = new Map<string, readonly number[]>();
  readonly words: Set<string> = new Set();

  constructor(rules: ModifierRules, reader: TokenReader, scope: SymbolScope) {
    this.#rules = rules;
    this.#reader = reader;
    this.#scope = scope;
  }

  /** Reads one modifier if the next token begins one. */
  read(): boolean {
    const reader: TokenReader = this.#reader;
    const { kind, text: name } = reader.peek();
    if (kind !== 'name') return false;
    const hasValue = reader.is(':', 1);
    if (hasValue && OFFSETS.has(name)) return this.#offset(name);
    if (hasValue && name === 'dpp8') return this.#dpp8();
    if (hasValue && BIT_LISTS[name] !== undefined && this.#takesList(name)) return this.#bitList(name);
    const { modifiers, fixed } = this.#rules.vocabulary;
    if (!hasValue && fixed.includes(name)) {
      reader.next();
      this.words.add(name);
      return true;
    }
    const modifier = modifiers.get(name);
    return modifier === undefined ? false : this.#word(name, modifier);
  }

  /** Writes what was read, and the defaults of the rest. */
  write(encoding: Encoding): void {
    const { plans, isPacked, sources, required } = this.#rules;
    for (const plan of plans) {
      if (plan.description.k !== 'imm') continue;
      const value = this.#fields.get(plan) ?? required.get(plan.name) ?? DEFAULTS[plan.name];
      const missing = MANDATORY[plan.name];
      if (value === undefined && missing) throw new AssemblySyntaxError('a modifier is missing', NOWHERE, missing);
      encoding.add(plan.slices, value ?? 0);
    }
    if (isPacked && !this.#lists.has('op_sel_hi'))
      this.#lists.set(
        'op_sel_hi',
        sources.map(() => 1),
      );
    for (const [name, bits] of this.#lists) {
      const bit = BIT_LISTS[name] ?? 0;
      for (const [i, slices] of sources.entries()) if (bits[i] === 1) encoding.add(slices, bit);
      // The last bit of op_sel is the destination's.
      const result = plans.find((plan) => plan.isResult);
      if (name === 'op_sel' && bits[sources.length] === 1 && result?.modifiers) encoding.add(result.modifiers, MOD_OP_SEL_HI);
    }
  }

  /** Names that could stand here. */
  expected(): readonly string[] {
    const { vocabulary, plans } = this.#rules;
    const names = [...vocabulary.fixed.filter((word) => !word.includes(':')), ...vocabulary.modifiers.keys()];
    for (const { name } of plans) if (OFFSETS.has(name) || name === 'dpp8') names.push(name);
    for (const name of Object.keys(BIT_LISTS)) if (this.#takesList(name)) names.push(name);
    return names.filter((name) => !this.words.has(name)).map((name) => `'${name}'`);
  }

  #set(field: OperandPlan, value: number): void {
    this.#fields.set(field, (this.#fields.get(field) ?? 0) | value);
  }

  #offset(name: string): boolean {
    const reader: TokenReader = this.#reader;
    const plan = this.#rules.plans.find((candidate) => candidate.name === name);
    if (!plan) return false;
    reader.next();
    reader.next();
    if (plan.description.c === 'swizzle' && reader.is('swizzle')) this.#set(plan, parseSwizzle(reader, this.#scope));
    else this.#set(plan, parseOffset(reader, this.#scope, plan));
    this.words.add(name);
    return true;
  }

  #dpp8(): boolean {
    const reader: TokenReader = this.#reader;
    const plan = this.#rules.plans.find((candidate) => candidate.name === 'dpp8');
    if (!plan) return false;
    reader.next();
    reader.next();
    const lanes = this.#list(DPP8_LANES - 1);
    if (lanes.length !== DPP8_LANES) reader.fail([`${DPP8_LANES} lanes`]);
    this.#set(
      plan,
      lanes.reduce((sum, lane, i) => sum + lane * 8 ** i, 0),
    );
    return true;
  }

  /** Whether any source has the bit of a list, or for op_sel the destination. */
  #takesList(name: string): boolean {
    const bit = BIT_LISTS[name] ?? 0;
    const { sources, plans, isPacked, hasHighSelects } = this.#rules;
    if (name === 'op_sel_hi' ? !hasHighSelects : name !== 'op_sel' && !isPacked) return false;
    const isOfResult =
      name === 'op_sel' && plans.some(({ isResult, modifiers = [] }) => isResult && hasBit(modifiers, MOD_OP_SEL_HI));
    return isOfResult || sources.some((slices) => hasBit(slices, bit));
  }

  #bitList(name: string): boolean {
    this.#reader.next();
    this.#reader.next();
    const { column } = this.#reader.peek();
    const bits = this.#list(1);
    if (bits.length > MOST_BITS) throw new AssemblySyntaxError(`${bits.length} bits`, column, [`${MOST_BITS} bits at most`]);
    this.#lists.set(name, bits);
    this.words.add(name);
    return true;
  }

  /** `[0,1,1]` */
  #list(highest: number): readonly number[] {
    const reader: TokenReader = this.#reader;
    const values: number[] = [];
    reader.expect('[');
    do values.push(integerBetween(reader, this.#scope, 0, highest));
    while (reader.skip(','));
    reader.expect(']');
    return values;
  }

  #word(name: string, { meanings, number }: ModifierWords): boolean {
    const reader: TokenReader = this.#reader;
    reader.next();
    if (!reader.is(':')) {
      const meaning = meanings.get('');
      if (!meaning) reader.fail(["':'"]);
      this.#set(meaning.field, meaning.value);
      this.words.add(name);
      return true;
    }
    reader.next();
    const token = reader.peek();
    const text = this.#valueText();
    const meaning = this.#find(name, text, meanings);
    const numeric = typeof text === 'number' ? text : undefined;
    if (meaning) this.#set(meaning.field, meaning.value);
    else if (number && numeric !== undefined && numeric >= 0 && numeric < 2 ** fieldBits(number.slices))
      this.#set(number, numeric);
    else throw new AssemblySyntaxError(`${name} cannot be that`, token.column, expectedTexts(meanings, number));
    this.words.add(`${name}:${String(text)}`);
    return true;
  }

  #find(name: string, text: string | number, meanings: ModifierWords['meanings']): WordMeaning | undefined {
    if (typeof text === 'number') {
      if (name === 'bound_ctrl' && this.#rules.isBoundByZero && text === 0) return meanings.get('1') ?? meanings.get('0');
      for (const [key, meaning] of meanings) if (key !== '' && Number(key) === text) return meaning;
      return undefined;
    }
    return meanings.get(text) ?? meanings.get(`SQ_RSRC_IMG_${text}`);
  }

  /** What stands behind the colon: a number, a name, or a list without its spaces. */
  #valueText(): string | number {
    const reader: TokenReader = this.#reader;
    const { kind, text } = reader.peek();
    if (reader.is('[')) {
      const parts: string[] = [];
      reader.next();
      do {
        const element = reader.next();
        if (element.kind === 'end') reader.fail(["']'"]);
        parts.push(element.kind === 'integer' ? String(element.value) : element.text);
      } while (reader.skip(','));
      reader.expect(']');
      return `[${parts.join(',')}]`;
    }
    if (kind === 'invalid' || (kind === 'name' && this.#scope.find(text) === undefined)) return reader.next().text;
    return integerBetween(reader, this.#scope, -(2 ** 31), 2 ** 32 - 1);
  }
}

function hasBit(slices: readonly FieldSlice[], bit: number): boolean {
  return slices.some(([, width, target]) => bit >= 2 ** target && bit < 2 ** (target + width));
}

const MOST_EXPECTED = 12;
/** The lanes of a quad as they are. */
const IDENTITY = '[0,1,2,3]';

function expectedTexts(meanings: ModifierWords['meanings'], number: OperandPlan | undefined): readonly string[] {
  if (number) return [`an integer from 0 to ${2 ** fieldBits(number.slices) - 1}`];
  if (meanings.has(IDENTITY)) return [`a list, as ${IDENTITY}`];
  return [...meanings.keys()].slice(0, MOST_EXPECTED).map((key) => `'${key}'`);
}

/** An offset within its field. */
export function parseOffset(reader: TokenReader, scope: SymbolScope, plan: OperandPlan): number {
  const bits = fieldBits(plan.slices);
  const signed = plan.signedBits;
  const value =
    signed > 0
      ? integerBetween(reader, scope, -(2 ** (signed - 1)), 2 ** (signed - 1) - 1)
      : integerBetween(reader, scope, 0, 2 ** bits - 1);
  return unsigned(value, bits);
}
