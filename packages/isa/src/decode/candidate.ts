import type { DecodeContext } from './decode-context.js';
import { isSizedByFields } from './image.js';
import type { FieldCheck, FieldValues, ShapePlan, ShapePlans } from './operand-plan.js';
import { FIELD_VALUE, UNKNOWN_VALUE } from './operand-plan.js';

/** Outcome of trying a candidate whose fixed bits agree: its size in bytes, or one of these. */
export const NO_MATCH = 0;
export const BAD_OPERAND = -1;
export const TOO_SHORT = -2;

const DWORD_BYTES = 4;
/** Numbers per check in {@link Candidate.checks}: the bit of the first two words where the field begins, its mask, the bits to shift it up by. */
const CHECK_NUMBERS = 3;
const NO_CHECKS = new Int32Array(0);

/** `[bit, width, allowed values]` of fields. */
export type Requirement = readonly (readonly [number, number, readonly number[]])[];

/** One entry as the decoder tries it; what its first match needs is worked out then. All fields are flat, public and of one type for speed. */
export class Candidate {
  readonly context: DecodeContext;
  readonly entry: number;
  readonly mask0: number;
  readonly value0: number;
  readonly mask1: number;
  readonly value1: number;
  readonly mask2: number;
  readonly value2: number;
  readonly mask3: number;
  readonly value3: number;
  readonly sizeBytes: number;
  readonly requirement: Requirement | undefined;
  /** The size includes a mandatory literal. */
  readonly hasOwnLiteral: boolean;
  /** An image instruction, whose register counts depend on fields. */
  readonly isImage: boolean;
  /** The first two words' fixed bits and fields decide, and {@link Candidate.measure} does it; known once the entry matched. */
  isPlain = false;
  checks: Int32Array = NO_CHECKS;
  values: readonly FieldValues[] = [];
  readonly plans: ShapePlans;
  knownPlan: ShapePlan | undefined = undefined;

  constructor(context: DecodeContext, entry: number, plans: ShapePlans) {
    const { table } = context;
    const requirement = table.requirement(entry);
    const common = commonBits(requirement ?? []);
    const mask = (word: number): number => (table.masks[entry * 4 + word] ?? 0) | (common.masks[word] ?? 0);
    const value = (word: number): number => (table.values[entry * 4 + word] ?? 0) | (common.values[word] ?? 0);
    this.context = context;
    this.entry = entry;
    this.mask0 = mask(0);
    this.value0 = value(0);
    this.mask1 = mask(1);
    this.value1 = value(1);
    this.mask2 = mask(2);
    this.value2 = value(2);
    this.mask3 = mask(3);
    this.value3 = value(3);
    this.sizeBytes = table.sizes[entry] ?? 0;
    this.requirement = requirement;
    this.hasOwnLiteral = table.extension(entry) === 'LIT';
    this.isImage = isSizedByFields(table, entry);
    this.plans = plans;
  }

  /** Operands and checks; made when the entry first matches. */
  get plan(): ShapePlan {
    return this.knownPlan ?? this.#makePlan();
  }

  /** Size of a plain candidate whose fixed bits agree with the two words; else why it does not match. */
  // hot
  measure(word0: number, word1: number, left: number): number {
    let size = this.sizeBytes;
    if (size > left) return TOO_SHORT;
    const { checks, values } = this;
    let hasLiteral = false;
    for (let i = 0, at = 0; i < values.length; i++, at += CHECK_NUMBERS) {
      const field = values[i];
      if (field === undefined) break;
      const bit = checks[at] ?? 0;
      const value = (((bit < 32 ? word0 : word1) >>> bit) & (checks[at + 1] ?? 0)) << (checks[at + 2] ?? 0);
      let state = field.states[value] ?? FIELD_VALUE.invalid;
      if (state === UNKNOWN_VALUE) state = field.resolve(value);
      if (state !== FIELD_VALUE.valid) {
        if (state === FIELD_VALUE.invalid) return BAD_OPERAND;
        hasLiteral = true;
      }
    }
    if (hasLiteral && !this.hasOwnLiteral) size += DWORD_BYTES;
    return size > left ? TOO_SHORT : size;
  }

  #makePlan(): ShapePlan {
    const plan = this.plans.get(this.entry);
    this.knownPlan = plan;
    const isLong = this.mask2 !== 0 || this.mask3 !== 0;
    this.isPlain = !isLong && !this.isImage && this.requirement === undefined && plan.checks.every(isFlat);
    if (this.isPlain) {
      this.checks = Int32Array.from(plan.checks.flatMap(({ word, shift, mask, target }) => [word * 32 + shift, mask, target]));
      this.values = plan.checks.map(({ values }) => values);
    }
    return plan;
  }
}

/** A field in one piece of the first two words. */
function isFlat(check: FieldCheck): boolean {
  return check.mask !== 0 && check.word < 2;
}

/** Bits that all allowed values of the fields have alike: most words that are refused are refused by these. */
function commonBits(requirement: Requirement): { readonly masks: Int32Array; readonly values: Int32Array } {
  const masks = new Int32Array(4);
  const values = new Int32Array(4);
  for (const [bit, width, allowed] of requirement) {
    const [first = 0] = allowed;
    const mask = allowed.reduce((same, value) => same & ~(value ^ first), (1 << width) - 1);
    masks[bit >>> 5] = (masks[bit >>> 5] ?? 0) | (mask << (bit & 31));
    values[bit >>> 5] = (values[bit >>> 5] ?? 0) | ((first & mask) << (bit & 31));
  }
  return { masks, values };
}
