import type { InstructionTable } from '../table/instruction-table.js';
import type { DecodedOperand } from './decoded-operand.js';
import { makeOperand } from './decoded-operand.js';
import type { OperandPlan } from './operand-plan.js';
import { readField } from './operand-plan.js';

/** Operands that a cache holds at most. */
const CACHE_SLOTS = 256;
/** Fields above are not looked for in a cache. */
const MAX_CACHED_FIELD = 0xffff;
const MODIFIER_SHIFT = 16;
const REST_SHIFT = 24;
/** dst_unused of SDWA: the rest of the destination stays. */
const UNUSED_PRESERVE = 2;

/** Operands made before, by field and modifiers; each slot holds the last one that fell on it. */
class OperandCache {
  readonly keys: Int32Array = new Int32Array(CACHE_SLOTS).fill(-1);
  readonly operands: (DecodedOperand | undefined)[] = new Array<DecodedOperand | undefined>(CACHE_SLOTS);
}

/** Reads one operand from the words of instructions. What it gives is shared by all instructions that have the same operand. */
export class OperandReader {
  readonly plan: OperandPlan;
  readonly table: InstructionTable;
  readonly cache: OperandCache;
  /** Where the field lies when it is in one piece; `mask` 0: read the slices. */
  readonly word: number;
  readonly shift: number;
  readonly mask: number;
  readonly target: number;

  constructor(table: InstructionTable, plan: OperandPlan, cache: OperandCache) {
    const [first = [0, 0, 0], second] = plan.slices;
    const [bit, width, target] = first;
    this.plan = plan;
    this.table = table;
    this.cache = cache;
    this.word = bit >>> 5;
    this.shift = bit & 31;
    this.mask = second || width > 16 ? 0 : (1 << width) - 1;
    this.target = target;
  }

  /** The operand in the words of an instruction whose literal, if any, begins at the word `literalWord`. */
  // hot
  read(words: Int32Array, literalWord: number): DecodedOperand {
    const { plan, mask, cache } = this;
    const field = mask === 0 ? readField(plan.slices, words) : (((words[this.word] ?? 0) >>> this.shift) & mask) << this.target;
    const modifiers = plan.modifiers === undefined ? 0 : readField(plan.modifiers, words);
    const keepsRest = plan.unusedRest !== undefined && readField(plan.unusedRest, words) === UNUSED_PRESERVE;
    if (field > MAX_CACHED_FIELD) return this.make(field, modifiers, keepsRest, words, literalWord, plan.bits);
    const key = field | (modifiers << MODIFIER_SHIFT) | (keepsRest ? 1 << REST_SHIFT : 0);
    const slot = (field ^ (field >>> 8) ^ (modifiers << 5)) & (CACHE_SLOTS - 1);
    if (cache.keys[slot] === key) {
      const cached = cache.operands[slot];
      if (cached !== undefined) return cached;
    }
    const operand = this.make(field, modifiers, keepsRest, words, literalWord, plan.bits);
    // A literal's value is not in the field.
    if (operand.kind !== 'literal') {
      cache.keys[slot] = key;
      cache.operands[slot] = operand;
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

/** The readers of one decoder. Those of operands that differ only in where they lie share what they made. */
export class OperandReaders {
  readonly #table: InstructionTable;
  readonly #readers = new Map<OperandPlan, OperandReader>();
  readonly #caches = new Map<string, OperandCache>();

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
    const key = JSON.stringify({ ...plan, slices: '', modifiers: '', unusedRest: '' });
    let cache = this.#caches.get(key);
    if (!cache) {
      cache = new OperandCache();
      this.#caches.set(key, cache);
    }
    return cache;
  }
}
