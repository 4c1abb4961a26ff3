/**
 * The words behind the operands that an entry takes. They are learnt from the disassembler, which prints them for every value of
 * every field, so that each name is written down once.
 */
import type { DecodeContext } from '../decode/decode-context.js';
import { DecodedInstruction } from '../decode/decoded-instruction.js';
import type { Candidate } from '../decode/candidate.js';
import type { OperandPlan, ShapePlan } from '../decode/operand-plan.js';
import { readField } from '../decode/operand-plan.js';
import { formatModifiers } from '../disassemble/modifiers.js';
import { InstructionWords } from './fields.js';

/** A word sets bits of a field. */
export interface WordMeaning {
  readonly field: OperandPlan;
  readonly value: number;
}

/** What can stand behind a modifier's name. */
export interface ModifierWords {
  /** By what stands behind the colon, `''` for a name alone: `[0,1,2,3]`, `SCOPE_SYS`, `0x3`. */
  readonly meanings: ReadonlyMap<string, WordMeaning>;
  /** The field whose value is the number behind the colon; undefined where there is none. */
  readonly number: OperandPlan | undefined;
}

export interface Vocabulary {
  readonly modifiers: ReadonlyMap<string, ModifierWords>;
  /** Words of what the encoding itself fixes: `offen`, `gds`, `glc` of an atomic with result. */
  readonly fixed: readonly string[];
}

/** Fields that the assembler reads itself: numbers of many bits, and what are operands. */
const OWN_FIELDS: ReadonlySet<string> = new Set([
  'offset',
  'offset0',
  'offset1',
  'dpp8',
  'simm16',
  'en',
  'tgt',
  'attr',
  'attrchan',
  'sdata',
  'imm',
]);
const MAX_BITS = 10;
/** Fields whose words do not depend on the operation. */
const COMMON_FIELDS =
  /^(?:dpp_ctrl|row_mask|bank_mask|bound_ctrl|fi|clamp|omod|(?:dst|src[01])_sel|dst_unused|format|dmask|dim|waitexp|bitop3)$/;

/** Makes vocabularies; what several entries have alike is learnt once. */
export class VocabularyMaker {
  readonly #context: DecodeContext;
  readonly #learnt = new Map<string, ReadonlyMap<string, number>>();
  /** Entries of one shape that print the same words share their vocabulary. */
  readonly #known = new Map<ShapePlan, Map<string, Vocabulary>>();

  constructor(context: DecodeContext) {
    this.#context = context;
  }

  make(candidate: Candidate): Vocabulary {
    const base = this.#base(candidate);
    const fixed = printedWords(this.#context, candidate, base);
    let known = this.#known.get(candidate.plan);
    if (!known) {
      known = new Map();
      this.#known.set(candidate.plan, known);
    }
    const key = `${this.#wordScope(candidate)} ${fixed.join()}`;
    let vocabulary = known.get(key);
    if (!vocabulary) {
      vocabulary = this.#makeVocabulary(candidate, base, fixed);
      known.set(key, vocabulary);
    }
    return vocabulary;
  }

  /** What words depend on: cache policies read differently for loads, stores and atomics; matrix operations each have their own. */
  #wordScope({ entry }: Candidate): string {
    const { table } = this.#context;
    const mnemonic = table.mnemonic(entry);
    const isSpecial = table.format(entry).startsWith('VOP3P') || /async|tensor|_f64/.test(mnemonic);
    return isSpecial ? mnemonic : [...table.flags(entry)].join();
  }

  #makeVocabulary(candidate: Candidate, base: ArrayLike<number>, fixed: readonly string[]): Vocabulary {
    const modifiers = new Map<string, { meanings: Map<string, WordMeaning>; number: OperandPlan | undefined }>();
    for (const field of candidate.plan.operands) {
      if (field.description.k !== 'imm' || OWN_FIELDS.has(field.name) || /^src\d$|^vsrc$/.test(field.name)) continue;
      for (const [word, value] of this.#learn(candidate, field, base, fixed)) {
        const [name, text] = splitWord(word);
        let entry = modifiers.get(name);
        if (!entry) {
          entry = { meanings: new Map(), number: undefined };
          modifiers.set(name, entry);
        }
        entry.meanings.set(text, { field, value });
        if (text !== '' && (Number(text) === value || name === 'format')) entry.number = field;
      }
    }
    return { modifiers, fixed: fixed.filter((word) => !word.includes(':') || word.startsWith('th:')) };
  }

  /** Values of the field by the words that appear with them. */
  #learn(
    candidate: Candidate,
    field: OperandPlan,
    base: ArrayLike<number>,
    fixed: readonly string[],
  ): ReadonlyMap<string, number> {
    const { table } = this.#context;
    const { entry } = candidate;
    const scope = COMMON_FIELDS.test(field.name) ? '' : this.#wordScope(candidate);
    const key = `${table.format(entry)}/${table.extension(entry)} ${field.name} ${JSON.stringify(field.slices)} ${scope} ${fixed.join()}`;
    let learnt = this.#learnt.get(key);
    if (!learnt) {
      // What the field itself holds in the base is one of its values.
      const holdsBase = field.name === 'dpp_ctrl' && readField(field.slices, base) !== 0;
      learnt = holdsBase ? this.#print(candidate, field, entryWords(candidate), []) : this.#print(candidate, field, base, fixed);
      this.#learnt.set(key, learnt);
    }
    return learnt;
  }

  /** The encoding that values are put into: the fixed bits, with the first DPP control that there is. */
  #base(candidate: Candidate): ArrayLike<number> {
    const plain = new InstructionWords(entryWords(candidate)).words;
    const control = candidate.plan.operands.find(({ name }) => name === 'dpp_ctrl');
    if (!control || printedWords(this.#context, candidate, plain).length > 0) return plain;
    for (const value of valuesOf(control)) {
      const words = new InstructionWords(entryWords(candidate));
      words.add(control.slices, value);
      if (printedWords(this.#context, candidate, words.words).length > 0) return words.words;
    }
    return plain;
  }

  #print(
    candidate: Candidate,
    field: OperandPlan,
    base: ArrayLike<number>,
    fixed: readonly string[],
  ): ReadonlyMap<string, number> {
    const values = new Map<string, number>();
    const unprinted = new Set(fixed.filter((word) => word.includes(':')));
    const always = new Set(fixed);
    for (const value of valuesOf(field)) {
      const words = new InstructionWords(base);
      words.add(field.slices, value);
      const printed = printedWords(this.#context, candidate, words.words);
      if (printed.length === 0) continue;
      for (const word of printed) {
        // What one word means is what all values that print it have in common.
        if (!fixed.includes(word)) values.set(word, (values.get(word) ?? -1) & value);
      }
      for (const word of always) if (!printed.includes(word)) always.delete(word);
    }
    // What other values do not print is a word of this field for its value 0.
    for (const word of unprinted) if (!always.has(word)) values.set(word, 0);
    return values;
  }
}

/** Every value that the bits of a field can form. */
function* valuesOf(field: OperandPlan): Generator<number> {
  const bits = field.slices.flatMap(([, width, target]) => Array.from({ length: width }, (_, i) => 2 ** (target + i)));
  if (bits.length > MAX_BITS) return;
  for (let choice = 0; choice < 2 ** bits.length; choice++) {
    yield bits.reduce((sum, bit, i) => sum + (((choice >>> i) & 1) === 1 ? bit : 0), 0);
  }
}

/** The words that the disassembler prints behind the operands. */
export function printedWords(context: DecodeContext, candidate: Candidate, words: ArrayLike<number>): readonly string[] {
  const word = (index: number): number => (words[index] ?? 0) | 0;
  const instruction = new DecodedInstruction(candidate, candidate.sizeBytes, word(0), word(1), word(2), word(3), word(4));
  const text = formatModifiers(instruction, context);
  return text.includes('/*') ? [] : text.split(' ').filter((part) => part !== '');
}

function splitWord(word: string): readonly [name: string, text: string] {
  const colon = word.indexOf(':');
  return colon < 0 ? [word, ''] : [word.slice(0, colon), word.slice(colon + 1)];
}

/** The fixed bits of an entry. */
export function entryWords({ value0, value1, value2, value3 }: Candidate): readonly number[] {
  return [value0, value1, value2, value3];
}
