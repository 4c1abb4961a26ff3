import type { FieldCheck, FieldValues } from './operand-plan.js';
import { FIELD_VALUE, UNKNOWN_VALUE } from './operand-plan.js';

/** Outcome of trying an encoding whose fixed bits agree: its size in bytes, or one of these. */
export const NO_MATCH = 0;
export const BAD_OPERAND = -1;
export const TOO_SHORT = -2;

/** Numbers per check in {@link FlatChecks.places}: the bit of the words where the field begins, its mask, the bits to shift it up by. */
const PLACE_NUMBERS = 3;
/** The checks of an encoding, each of a field in one piece of the first three words, in arrays for speed. */
export class FlatChecks {
  readonly sizeBytes: number;
  /** The size includes a mandatory literal, which is the one that operands name too. */
  readonly hasOwnLiteral: boolean;
  readonly places: Int32Array;
  readonly values: readonly FieldValues[];

  constructor(checks: readonly FieldCheck[], sizeBytes: number, hasOwnLiteral: boolean) {
    this.sizeBytes = sizeBytes;
    this.hasOwnLiteral = hasOwnLiteral;
    this.places = Int32Array.from(checks.flatMap(({ word, shift, mask, target }) => [word * 32 + shift, mask, target]));
    this.values = checks.map(({ values }) => values);
  }

  /** Size of the instruction in these words, of which `left` bytes are there; else why it is none. */
  // hot
  measure(word0: number, word1: number, word2: number, left: number): number {
    const { places, values } = this;
    if (this.sizeBytes > left) return TOO_SHORT;
    let literalBytes = 0;
    for (let i = 0, at = 0; i < values.length; i++, at += PLACE_NUMBERS) {
      const field = values[i];
      if (field === undefined) break;
      const bit = places[at] ?? 0;
      const word = bit < 32 ? word0 : bit < 64 ? word1 : word2;
      const value = ((word >>> bit) & (places[at + 1] ?? 0)) << (places[at + 2] ?? 0);
      let state = field.states[value] ?? FIELD_VALUE.invalid;
      if (state === UNKNOWN_VALUE) state = field.resolve(value);
      if (state !== FIELD_VALUE.valid) {
        if (state === FIELD_VALUE.invalid) return BAD_OPERAND;
        // There is one literal.
        if (literalBytes !== 0 && state !== literalBytes) return BAD_OPERAND;
        literalBytes = state;
      }
    }
    const size = this.hasOwnLiteral ? this.sizeBytes : this.sizeBytes + literalBytes;
    return size > left ? TOO_SHORT : size;
  }
}

/** Whether the field lies in one piece in the first `words` words. */
export function isFlatCheck(check: FieldCheck, words: number): boolean {
  return check.mask !== 0 && check.word < words;
}
