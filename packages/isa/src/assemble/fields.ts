import type { FieldSlice } from '../table/packed-table.js';

const MAX_WORDS = 6;

/** The dwords of an instruction under construction. */
export class InstructionWords {
  readonly words: Uint32Array = new Uint32Array(MAX_WORDS);

  constructor(value: ArrayLike<number>) {
    for (let i = 0; i < Math.min(value.length, MAX_WORDS); i++) this.words[i] = value[i] ?? 0;
  }

  /** Sets the bits of a field beside those that are set already; false where the value has bits that the field does not. */
  add(slices: readonly FieldSlice[], value: number): boolean {
    let rest = value;
    for (const [bit, width, target] of slices) {
      const part = Math.floor(value / 2 ** target) % 2 ** width;
      const word = bit >>> 5;
      this.words[word] = (this.words[word] ?? 0) | (part << (bit & 31));
      rest -= part * 2 ** target;
    }
    return rest === 0;
  }
}

/** How many low bits a field holds. */
export function fieldBits(slices: readonly FieldSlice[]): number {
  return slices.reduce((top, [, width, target]) => Math.max(top, width + target), 0);
}

/** Two's complement of a number in so many bits. */
export function unsigned(value: number, bits: number): number {
  return value < 0 ? value + 2 ** bits : value;
}
