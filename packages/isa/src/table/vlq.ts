/** Reads the text columns of the generated tables; tools/isa-generator/src/vlq.mjs writes them. */

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** `*` and an unsigned number n stand for n differences of 0. */
const RUN = 42;

const digitValues = new Uint8Array(128);
for (let i = 0; i < DIGITS.length; i++) digitValues[DIGITS.charCodeAt(i)] = i;

/** A column of `count` integers of 32 bits: differences of neighbours, zigzag, base64 digits of 5 bits each with a continuation bit. */
export function unpackColumn(text: string, count: number): Int32Array {
  const values = new Int32Array(count);
  let filled = 0;
  let value = 0;
  // Every step reads one number, after the mark of a run or not.
  for (let position = 0; position < text.length; ) {
    let digit = text.charCodeAt(position++);
    const isRun = digit === RUN;
    if (isRun) digit = text.charCodeAt(position++);
    let number = digitValues[digit] ?? 0;
    if (number >= 32) {
      number -= 32;
      for (let scale = 32, isLast = false; !isLast; scale *= 32) {
        const next = digitValues[text.charCodeAt(position++)] ?? 0;
        number += (next % 32) * scale;
        isLast = next < 32;
      }
    }
    if (isRun) {
      const end = filled + number;
      if (end > count) break;
      values.fill(value, filled, end);
      filled = end;
    } else {
      value += number % 2 === 0 ? number / 2 : -(number + 1) / 2;
      if (filled < count) values[filled] = value;
      filled++;
    }
  }
  if (filled !== count) throw new RangeError(`not a column of ${count} values`);
  return values;
}

/** Sorted words, front-coded: each begins with how many characters it shares with the one before, which are none at times. A word is put together when asked for. */
export class WordList {
  readonly #packed: readonly string[];
  readonly #words: (string | undefined)[] = [];

  constructor(text: string) {
    this.#packed = text.split(' ');
  }

  get length(): number {
    return this.#packed.length;
  }

  at(index: number): string {
    return (this.#words[index] ??= this.#assemble(index));
  }

  /** Where the word is; -1 where it is not. */
  indexOf(word: string): number {
    let low = 0;
    for (let high = this.length - 1; low < high; ) {
      const middle = (low + high) >> 1;
      if (this.at(middle) < word) low = middle + 1;
      else high = middle;
    }
    return this.at(low) === word ? low : -1;
  }

  /** What a word shares comes from the words before it, each of which has some of it for its own. */
  #assemble(index: number): string {
    let word = '';
    for (let i = index, length = Infinity; i >= 0 && length > 0; i--) {
      const packed = this.#packed[i] ?? '';
      const shared = digitValues[packed.charCodeAt(0)] ?? 0;
      if (shared >= length) continue;
      word = packed.slice(1, 1 + length - shared) + word;
      length = shared;
    }
    return word;
  }
}
