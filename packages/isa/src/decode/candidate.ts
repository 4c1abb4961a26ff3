import type { DecodeContext } from './decode-context.js';
import type { DecodedOperand } from './decoded-operand.js';
import { FlatChecks, isFlatCheck } from './flat-checks.js';
import { isSizedByFields } from './image.js';
import { hasFormatFields } from './matrix.js';
import type { OperandReader } from './operand-reader.js';
import type { ShapePlan, ShapePlans } from './operand-plan.js';

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
  /** An image instruction, whose register counts depend on fields; known once {@link Candidate.plan} is. */
  isImage = false;
  /** A matrix operation whose format fields decide about register counts; known once {@link Candidate.plan} is. */
  isMatrix = false;
  /** One of these two. */
  isSized = false;
  /** Set once the entry matched, if its fixed bits and fields in the first two words are all that decides. */
  flat: FlatChecks | undefined = undefined;
  /** Where a literal begins that operands can name. */
  readonly literalWord: number;
  readonly plans: ShapePlans;
  knownPlan: ShapePlan | undefined = undefined;
  knownReaders: readonly OperandReader[] | undefined = undefined;
  /** Operands that were read first: a list of the right length. */
  firstOperands: readonly DecodedOperand[] = [];

  constructor(context: DecodeContext, entry: number, plans: ShapePlans) {
    const { table } = context;
    const requirement = table.requirement(entry);
    const common = requirement === undefined ? undefined : commonBits(requirement);
    const mask = (word: number): number => table.mask(entry, word) | (common?.masks[word] ?? 0);
    const value = (word: number): number => table.value(entry, word) | (common?.values[word] ?? 0);
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
    this.sizeBytes = table.sizeBytes(entry);
    this.requirement = requirement;
    this.hasOwnLiteral = table.extension(entry).startsWith('LIT');
    this.literalWord = this.hasOwnLiteral ? 1 : this.sizeBytes / 4;
    this.plans = plans;
  }

  /** Operands and checks; made when the entry first matches. */
  get plan(): ShapePlan {
    return this.knownPlan ?? this.#makePlan();
  }

  /** Readers of the operands; made when operands are first asked for. */
  get readers(): readonly OperandReader[] {
    return this.knownReaders ?? this.#makeReaders();
  }

  #makeReaders(): readonly OperandReader[] {
    const readers = this.plan.operands.map((operand) => this.context.readers.get(operand));
    this.knownReaders = readers;
    return readers;
  }

  #makePlan(): ShapePlan {
    const plan = this.plans.get(this.entry);
    this.knownPlan = plan;
    this.isImage = isSizedByFields(this.context.table, this.entry);
    this.isMatrix = hasFormatFields(this.context.table, this.entry);
    this.isSized = this.isImage || this.isMatrix;
    const isLong = this.mask2 !== 0 || this.mask3 !== 0;
    const isPlain = !isLong && !this.isImage && !this.isMatrix && this.requirement === undefined;
    if (isPlain && plan.checks.every((check) => isFlatCheck(check, 2))) {
      this.flat = new FlatChecks(plan.checks, this.sizeBytes, this.hasOwnLiteral);
    }
    return plan;
  }
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
