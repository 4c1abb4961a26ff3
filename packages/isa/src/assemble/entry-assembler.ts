import { Candidate } from '../decode/candidate.js';
import type { DecodeContext } from '../decode/decode-context.js';
import { countAddressFields, imageOperandBits, imageRegisters } from '../decode/image.js';
import { matrixOperandBits } from '../decode/matrix.js';
import type { OperandPlan } from '../decode/operand-plan.js';
import { ShapePlans, canHaveLiteral } from '../decode/operand-plan.js';
import { MIXED } from '../disassemble/modifiers.js';
import type { FieldSlice } from '../table/packed-table.js';
import type { AssembledInstruction, SymbolScope } from './assembler.js';
import { Encoding, encodeOperand } from './encode-operand.js';
import type { OperandRules } from './encode-operand.js';
import type { Expression } from './expression.js';
import { fieldBits } from './fields.js';
import { finishWords } from './finish.js';
import { parseImmediate } from './immediates.js';
import { ModifierParser } from './modifiers.js';
import type { ModifierRules } from './modifiers.js';
import type { OperandParser, OperandText } from './operand-text.js';
import type { Slot } from './syntax.js';
import { operandSlots } from './syntax.js';
import type { TokenReader } from './token-reader.js';
import { AssemblySyntaxError } from './token-reader.js';
import { unusedBits } from './unused-bits.js';
import { VocabularyMaker, entryWords, printedWords } from './vocabulary.js';

/** Cache policies with which an atomic returns the old value. */
const RETURNS = /^(?:glc|sc0|th:.*RETURN)$/;

/** The assemblers of a processor's entries, made when first needed. */
export class EntryAssemblers {
  readonly #shared: SharedParts;
  readonly #byEntry: (EntryAssembler | undefined)[] = [];

  constructor(context: DecodeContext, operands: OperandParser) {
    this.#shared = {
      context,
      plans: new ShapePlans(context.table, context.waveSize),
      operands,
      vocabularies: new VocabularyMaker(context),
    };
  }

  get(entry: number): EntryAssembler {
    return (this.#byEntry[entry] ??= new EntryAssembler(this.#shared, entry));
  }
}

interface SharedParts {
  readonly context: DecodeContext;
  readonly plans: ShapePlans;
  readonly operands: OperandParser;
  readonly vocabularies: VocabularyMaker;
}

/** Assembles text as one entry of the table. */
class EntryAssembler {
  readonly #shared: SharedParts;
  readonly #entry: number;
  readonly #candidate: Candidate;
  readonly #slots: readonly Slot[];
  readonly #takesSigns: boolean;
  readonly #hasLiteral: boolean;
  /** Fields that the hardware ignores, and that llvm-mc sets. */
  readonly #unusedBits: readonly (readonly FieldSlice[])[];
  /** An atomic whose cache policy has a bit for that. */
  readonly #returnsOldValue: boolean;
  /** Addresses of an image in one tuple, where a list of them is another encoding. */
  readonly #tupleAddress: OperandPlan | undefined;
  #rules: ModifierRules | undefined = undefined;

  constructor(shared: SharedParts, entry: number) {
    const { context } = shared;
    const { table } = context;
    this.#shared = shared;
    this.#entry = entry;
    this.#candidate = new Candidate(context, entry, shared.plans);
    this.#slots = operandSlots(context, entry, this.#candidate.plan);
    const isPacked = table.format(entry).startsWith('VOP3P') && !MIXED.test(table.name(entry));
    this.#takesSigns = !isPacked;
    this.#hasLiteral = canHaveLiteral(table, entry);
    this.#returnsOldValue = table.operandSet(entry).some((operand) => operand.atomic_ret === 1);
    const isTuple = this.#candidate.isImage && table.family !== 'gfx9' && table.extension(entry) === '';
    this.#tupleAddress = isTuple ? this.#candidate.plan.operands.find(({ name }) => name.startsWith('vaddr')) : undefined;
    this.#unusedBits = unusedBits(table, entry, this.#candidate.plan.operands);
  }

  /** @throws {AssemblySyntaxError} the text is something else. */
  assemble(reader: TokenReader, scope: SymbolScope): AssembledInstruction {
    const { context } = this.#shared;
    const encoding = new Encoding(entryWords(this.#candidate));
    for (const slices of this.#unusedBits) encoding.add(slices, 2 ** fieldBits(slices) - 1);
    const modifiers = new ModifierParser(this.#modifierRules(), reader, scope);
    const operands: (readonly [OperandPlan, OperandText])[] = [];
    const { branch, exports } = this.#readOperands(reader, scope, encoding, modifiers, operands);
    for (;;) {
      reader.skip(',');
      if (reader.isAtEnd) break;
      if (!modifiers.read()) reader.fail([...modifiers.expected(), 'the end of the line']);
    }
    modifiers.write(encoding);
    const bitsOf = this.#operandWidths(encoding);
    this.#checkAddresses(operands, bitsOf);
    for (const [plan, text] of operands) encodeOperand(encoding, plan, text, this.#operandRules(bitsOf(plan)));
    this.#writeExports(encoding, exports, modifiers.words.has('compr'));
    const printed = printedWords(context, this.#candidate, encoding.words);
    const { fixed } = this.#modifierRules().vocabulary;
    const missing = printed.find((word) => fixed.includes(word) && !modifiers.words.has(word));
    if (missing !== undefined) reader.fail([`'${missing}'`]);
    if (this.#returnsOldValue && ![...modifiers.words].some((word) => RETURNS.test(word))) {
      reader.fail(fixed.filter((word) => RETURNS.test(word)).map((word) => `'${word}'`));
    }
    return finishWords(encoding, this.#candidate, branch);
  }

  #readOperands(
    reader: TokenReader,
    scope: SymbolScope,
    encoding: Encoding,
    modifiers: ModifierParser,
    operands: (readonly [OperandPlan, OperandText])[],
  ): { readonly branch: Expression | undefined; readonly exports: readonly OperandText[] } {
    const { context } = this.#shared;
    let branch: Expression | undefined;
    const exports: OperandText[] = [];
    for (const [i, slot] of this.#slots.entries()) {
      if (i > 0) reader.skip(',');
      // Some write modifiers between the operands: `s[4:7], format:1, s0`.
      while (reader.peek().kind === 'name' && reader.is(':', 1) && modifiers.read()) reader.skip(',');
      switch (slot.kind) {
        case 'operand':
          if (slot.plan === this.#tupleAddress && reader.is('[') && !reader.is(']', 2)) reader.fail(['a tuple of registers']);
          operands.push([slot.plan, this.#operand(reader, scope)]);
          break;
        case 'immediate': {
          const { value, channel, branch: target } = parseImmediate(reader, scope, slot.plan, context);
          encoding.add(slot.plan.slices, value);
          if (channel !== undefined) encoding.add(this.#slices('attrchan'), channel);
          branch = target ?? branch;
          break;
        }
        case 'implied':
          reader.skip(slot.register);
          break;
        case 'off':
          reader.expect('off');
          break;
        case 'export': {
          const operand = this.#operand(reader, scope);
          exports.push(operand);
          break;
        }
        case 'addresses':
          this.#readAddresses(reader, scope, slot.plans, operands);
      }
    }
    return { branch, exports };
  }

  /** Registers of an export; compressed, the first holds the first two values and the third the others. */
  #writeExports(encoding: Encoding, exports: readonly OperandText[], isCompressed: boolean): void {
    const slots = this.#slots.filter((slot) => slot.kind === 'export');
    const texts = isCompressed ? exports.filter((_, i) => i % 2 === 0) : exports;
    for (const [i, text] of texts.entries()) {
      const slot = slots[i];
      if (text.value.kind === 'off' || !slot) continue;
      encodeOperand(encoding, slot.plan, text, this.#operandRules(slot.plan.bits));
      encoding.add(this.#slices('en'), isCompressed ? 3 * 4 ** i : 2 ** i);
    }
  }

  #operand(reader: TokenReader, scope: SymbolScope): OperandText {
    return this.#shared.operands.operand(reader, scope);
  }

  /** `[v1, v4, v[6:7]]`; one address may stand without brackets. */
  #readAddresses(
    reader: TokenReader,
    scope: SymbolScope,
    plans: readonly OperandPlan[],
    operands: (readonly [OperandPlan, OperandText])[],
  ): void {
    const isList = reader.skip('[');
    for (const [i, plan] of plans.entries()) {
      operands.push([plan, this.#operand(reader, scope)]);
      if (!isList || i === plans.length - 1 || !reader.skip(',')) break;
    }
    if (isList) reader.expect(']');
  }

  /** Width of each operand; for images it follows from the modifiers. */
  #operandWidths(encoding: Encoding): (plan: OperandPlan) => number {
    const { table } = this.#shared.context;
    if (this.#candidate.isMatrix) return (plan) => matrixOperandBits(table, this.#entry, plan, encoding.words);
    if (!this.#candidate.isImage) return (plan) => plan.bits;
    const registers = imageRegisters(table, this.#entry, encoding.words);
    const fields = countAddressFields(this.#candidate.plan.operands);
    return (plan) => imageOperandBits(plan, registers, fields);
  }

  /** Every address that the image needs must be given, and no other. */
  #checkAddresses(operands: readonly (readonly [OperandPlan, OperandText])[], bitsOf: (plan: OperandPlan) => number): void {
    if (!this.#candidate.isImage) return;
    const isAddress = (plan: OperandPlan): boolean => plan.description.k === 'vgpr' && plan.name.startsWith('vaddr');
    const needed = this.#candidate.plan.operands.filter((plan) => isAddress(plan) && bitsOf(plan) > 0);
    const given = operands.filter(([plan]) => isAddress(plan));
    const [first] = given;
    if (first && needed.length !== given.length) {
      const expected = `${needed.length} address registers`;
      throw new AssemblySyntaxError(`${given.length} address registers`, first[1].column, [expected]);
    }
  }

  #operandRules(bits: number): OperandRules {
    const { table } = this.#shared.context;
    return {
      table,
      bits,
      hasLiteral: this.#hasLiteral,
      takesSigns: this.#takesSigns,
      foldsSigns: true,
      literalType: this.#candidate.plan.operands.find(({ name }) => name === 'src0')?.description.t ?? '',
    };
  }

  #slices(name: string): OperandPlan['slices'] {
    return this.#candidate.plan.operands.find((plan) => plan.name === name)?.slices ?? [];
  }

  /** Made when the first operands are read. */
  #modifierRules(): ModifierRules {
    this.#rules ??= this.#makeRules();
    return this.#rules;
  }

  #makeRules(): ModifierRules {
    const { context, vocabularies } = this.#shared;
    const { table } = context;
    const plans = this.#candidate.plan.operands;
    const required = new Map<string, number>();
    for (const [bit, , allowed] of this.#candidate.requirement ?? []) {
      const field = plans.find(({ slices }) => slices.some(([first]) => first === bit));
      if (field && allowed[0] !== undefined) required.set(field.name, allowed[0]);
    }
    const layout = table.layout(this.#entry);
    // The accumulator of v_fmac is a source without a register field of its own; interpolation has no second source.
    const names = ['src0', 'src1', 'src2'];
    const last = names.findLastIndex((name) => table.operandSet(this.#entry).some(({ n }) => n === name));
    const sources = names.slice(0, last + 1);
    return {
      plans: plans
        .filter(
          (plan) => plan.description.k !== 'imm' || !this.#slots.some((slot) => slot.kind === 'immediate' && slot.plan === plan),
        )
        .filter(({ name }) => name !== 'en' && name !== 'attrchan'),
      vocabulary: vocabularies.make(this.#candidate),
      isPacked: !this.#takesSigns,
      hasHighSelects: table.format(this.#entry).startsWith('VOP3P'),
      isBoundByZero: table.family === 'gfx9' || table.family === 'gfx10',
      sources: sources.map((name) => layout.get(`${name}_modifiers`) ?? []),
      required,
    };
  }
}
