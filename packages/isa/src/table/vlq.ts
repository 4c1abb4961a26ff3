/** Reads the text columns of the generated tables; tools/isa-generator/src/vlq.mjs writes them. */

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** `*` and an unsigned number n stand for n differences of 0. */
const RUN = 42;

const digitValues = new Uint8Array(128);
for (let i = 0; i < DIGITS.length; i++) digitValues[DIGITS.charCodeAt(i)] = i;

/** A column of `count` integers: differences of neighbours, zigzag, base64 digits of 5 bits each with a continuation bit. */
export function unpackColumn(text: string, count: number): number[] {
  const values: number[] = [];
  let value = 0;
  let position = 0;
  const readNumber = (): number => {
    let number = 0;
    let scale = 1;
    for (;;) {
      const digit = digitValues[text.charCodeAt(position++)] ?? 0;
      number += (digit % 32) * scale;
      if (digit < 32) return number;
      scale *= 32;
    }
  };
  while (position < text.length) {
    if (text.charCodeAt(position) === RUN) {
      position++;
      for (let left = readNumber(); left > 0; left--) values.push(value);
    } else {
      const zigzag = readNumber();
      value += zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
      values.push(value);
    }
  }
  if (values.length !== count) throw new RangeError(`column of ${values.length} values, expected ${count}`);
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
