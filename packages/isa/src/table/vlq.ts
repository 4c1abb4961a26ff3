/** Reads the text columns of the generated tables; tools/isa-generator/src/vlq.mjs writes them. */

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** `*` and an unsigned number n stand for n differences of 0. */
const RUN = 42;

const digitValues = new Uint8Array(128);
for (let i = 0; i < DIGITS.length; i++) digitValues[DIGITS.charCodeAt(i)] = i;

/** A column of `count` integers: differences of neighbours, zigzag, base64 digits of 5 bits each with a continuation bit. */
export function unpackColumn(text: string, count: number): number[] {
  const values = new Array<number>(count).fill(0);
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

/** Front-coded sorted words: each begins with how many characters it shares with the one before. */
export function unpackWords(text: string): string[] {
  const words: string[] = [];
  let previous = '';
  for (const packed of text.split(' ')) {
    previous = previous.slice(0, digitValues[packed.charCodeAt(0)] ?? 0) + packed.slice(1);
    words.push(previous);
  }
  return words;
}
