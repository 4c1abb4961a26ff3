import type { InstructionTable } from '../table/instruction-table.js';
import type { FieldSlice, OperandDescription } from '../table/packed-table.js';
import type { DecodedOperand } from './decoded-operand.js';
import { makeOperand, MAX_KEPT_FIELD } from './decoded-operand.js';
import type { OperandPlan } from './operand-plan.js';
import { readField } from './operand-plan.js';

/** Fields of up to so many bits have a slot for each value. */
const MOST_SLOT_BITS = 10;
/** Slots of wider fields; each holds the last operand that fell on it. */
const SHARED_SLOTS = 1024;
const MODIFIER_SHIFT = 16;
const REST_SHIFT = 24;
/** dst_unused of SDWA: the rest of the destination stays. */
const UNUSED_PRESERVE = 2;
const WORD_BITS = 32;
/** Pieces of a field that {@link OperandReader.find} puts together. */
const MOST_PIECES = 2;
/** It is given two words and either the third or, of a pair, the one that is not encoded. */
const EXTRA_WORD = 2;
export const UNENCODED_WORD = 5;
/** Operands with modifiers that a cache holds at most. */
const MOST_MODIFIED = 1024;

/** Operands made before. Those of wide fields and those with modifiers are told apart by a key beside. */
class OperandCache {
  /** Operands without modifiers by field. */
  readonly plain: (DecodedOperand | undefined)[];
  readonly modified: Map<number, DecodedOperand> = new Map();

  constructor(slots: number) {
    this.plain = new Array<DecodedOperand | undefined>(slots);
  }
}

/** Reads one operand from the words of instructions. What it gives is shared by all instructions that have the same operand. */
export class OperandReader {
  readonly plan: OperandPlan;
  readonly table: InstructionTable;
  readonly modified: Map<number, DecodedOperand>;
  readonly plain: (DecodedOperand | undefined)[];
  /** Where the pieces of the field lie: word, shift, mask, bits to shift up by. */
  readonly wordA: number;
  readonly shiftA: number;
  readonly maskA: number;
  readonly targetA: number;
  readonly wordB: number;
  readonly shiftB: number;
  readonly maskB: number;
  readonly targetB: number;
  /** Bits of the first two words that change the operand beside its field. */
  readonly modifiers0: number;
  readonly modifiers1: number;
  /** The field and what changes the operand lie where {@link OperandReader.find} looks; else it finds nothing. */
  readonly isSimple: boolean;

  constructor(table: InstructionTable, plan: OperandPlan, cache: OperandCache) {
    const [first = NO_SLICE, second = NO_SLICE] = plan.slices;
    const others = [...(plan.modifiers ?? []), ...(plan.unusedRest ?? [])];
    this.plan = plan;
    this.table = table;
    this.modified = cache.modified;
    this.wordA = first[0] >>> 5;
    this.shiftA = first[0] & 31;
    this.maskA = sliceMask(first);
    this.targetA = first[2];
    this.wordB = second[0] >>> 5;
    this.shiftB = second[0] & 31;
    this.maskB = sliceMask(second);
    this.targetB = second[2];
    this.modifiers0 = bitsOfWord(others, 0);
    this.modifiers1 = bitsOfWord(others, 1);
    const isShort = plan.slices.every(([, width, target]) => width + target <= MODIFIER_SHIFT);
    const [extra = EXTRA_WORD, another] = new Set(plan.slices.map(([bit]) => bit >>> 5).filter((word) => word >= EXTRA_WORD));
    const isInReach = another === undefined && (extra === EXTRA_WORD || extra === UNENCODED_WORD);
    const hasFewPieces = plan.slices.length > 0 && plan.slices.length <= MOST_PIECES;
    this.isSimple = isShort && isInReach && hasFewPieces && others.every(([bit]) => bit < EXTRA_WORD * WORD_BITS);
    this.plain = this.isSimple ? cache.plain : NOTHING;
  }

  /**
   * The operand if it has no modifiers and was made before.
   *
   * @param extra the word beside the first two that can hold a piece of the field
   */
  // hot
  find(word0: number, word1: number, extra: number): DecodedOperand | undefined {
    if (((word0 & this.modifiers0) | (word1 & this.modifiers1)) !== 0) return undefined;
    const a = this.wordA === 0 ? word0 : this.wordA === 1 ? word1 : extra;
    let field = ((a >>> this.shiftA) & this.maskA) << this.targetA;
    if (this.maskB !== 0) {
      const b = this.wordB === 0 ? word0 : this.wordB === 1 ? word1 : extra;
      field |= ((b >>> this.shiftB) & this.maskB) << this.targetB;
    }
    const { plain } = this;
    const operand = plain[(field ^ (field >>> 8)) & (plain.length - 1)];
    return operand !== undefined && operand.field === field ? operand : undefined;
  }

  /** The operand in the words of an instruction whose literal, if any, begins at the word `literalWord`. */
  read(words: Int32Array, literalWord: number): DecodedOperand {
    const { plan } = this;
    const field = readField(plan.slices, words);
    const modifiers = plan.modifiers === undefined ? 0 : readField(plan.modifiers, words);
    const rest = plan.unusedRest === undefined ? 0 : readField(plan.unusedRest, words);
    const keepsRest = rest === UNUSED_PRESERVE;
    if (field > MAX_KEPT_FIELD) return this.make(field, modifiers, keepsRest, words, literalWord, plan.bits);
    const key = field | (modifiers << MODIFIER_SHIFT) | (keepsRest ? 1 << REST_SHIFT : 0);
    const cached = this.modified.get(key);
    if (cached !== undefined) return cached;
    const operand = this.make(field, modifiers, keepsRest, words, literalWord, plan.bits);
    // A literal's value is not in the field.
    if (operand.kind === 'literal') return operand;
    if (this.isSimple && modifiers === 0 && rest === 0) {
      this.plain[(field ^ (field >>> 8)) & (this.plain.length - 1)] = operand;
    } else {
      if (this.modified.size >= MOST_MODIFIED) this.modified.clear();
      this.modified.set(key, operand);
    }
    return operand;
  }

  /** {@link OperandReader.read} for an operand whose width other fields decide. */
  readSized(words: Int32Array, bits: number): DecodedOperand {
    const { plan } = this;
    const modifiers = plan.modifiers === undefined ? 0 : readField(plan.modifiers, words);
    return this.make(readField(plan.slices, words), modifiers, false, words, words.length, bits);
  }

  make(
    field: number,
    modifiers: number,
    keepsRest: boolean,
    words: Int32Array,
    literalWord: number,
    bits: number,
  ): DecodedOperand {
    return makeOperand(this.table, this.plan, { field, modifiers, keepsRest, bits, words, literalWord });
  }
}

const NOTHING: (DecodedOperand | undefined)[] = new Array<DecodedOperand | undefined>(1);
const NO_SLICE: FieldSlice = [0, 0, 0];

function sliceMask([, width]: FieldSlice): number {
  return width >= WORD_BITS ? -1 : (1 << width) - 1;
}

/** The bits of one word that fields take. */
function bitsOfWord(slices: readonly FieldSlice[], word: number): number {
  let bits = 0;
  for (const slice of slices) if (slice[0] >>> 5 === word) bits |= sliceMask(slice) << (slice[0] & 31);
  return bits;
}

/** The readers of one decoder. Those of operands that differ only in where they lie share what they made. */
export class OperandReaders {
  readonly #table: InstructionTable;
  readonly #readers = new Map<OperandPlan, OperandReader>();
  readonly #caches = new Map<string, OperandCache>();
  readonly #contents = new Map<OperandDescription, string>();

  constructor(table: InstructionTable) {
    this.#table = table;
  }

  get(plan: OperandPlan): OperandReader {
    let reader = this.#readers.get(plan);
    if (!reader) {
      reader = new OperandReader(this.#table, plan, this.#cacheOf(plan));
      this.#readers.set(plan, reader);
    }
    return reader;
  }

  #cacheOf(plan: OperandPlan): OperandCache {
    const width = plan.slices.reduce((top, [, size, target]) => Math.max(top, size + target), 0);
    const slots = width <= MOST_SLOT_BITS ? 2 ** width : SHARED_SLOTS;
    const { name, bits, type, isResult, isRead, hasSigns, halfBit, selectsHalf, isMixed, signedBits } = plan;
    const key = [slots, this.#contentOf(plan.description), name, bits, type, isResult, isRead, hasSigns, halfBit, selectsHalf];
    const text = `${key.join()} ${isMixed} ${signedBits}`;
    let cache = this.#caches.get(text);
    if (!cache) {
      cache = new OperandCache(slots);
      this.#caches.set(text, cache);
    }
    return cache;
  }

  /** Many plans have the same description. */
  #contentOf(description: OperandDescription): string {
    let content = this.#contents.get(description);
    if (content === undefined) {
      content = JSON.stringify(description);
      this.#contents.set(description, content);
    }
    return content;
  }
}
