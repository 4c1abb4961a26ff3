/** Columns of integers as text: differences of neighbours, zigzag, base64 digits of 5 bits each with a continuation bit. */

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Marks a run: `*` and an unsigned number n stand for n differences of 0. */
const RUN = '*';
const SHORTEST_RUN = 4;

/**
 * A column as text. The first value is a difference from 0.
 * @param {readonly number[]} values integers below 2^45 in size
 * @returns {string}
 */
export function packColumn(values) {
  let text = '';
  let previous = 0;
  let zeros = 0;
  const flush = () => {
    text += zeros < SHORTEST_RUN ? DIGITS[0].repeat(zeros) : RUN + packNumber(zeros);
    zeros = 0;
  };
  for (const value of values) {
    if (!Number.isSafeInteger(value)) throw new Error(`not an integer: ${value}`);
    const difference = value - previous;
    previous = value;
    if (difference === 0) {
      zeros++;
    } else {
      flush();
      text += packNumber(difference < 0 ? -difference * 2 - 1 : difference * 2);
    }
  }
  flush();
  return text;
}

/** One unsigned number; arithmetic, not bit operators: it may be above 2^32. */
function packNumber(value) {
  let text = '';
  let rest = value;
  do {
    const low = rest % 32;
    rest = (rest - low) / 32;
    text += DIGITS[rest > 0 ? low + 32 : low];
  } while (rest > 0);
  return text;
}

/** A word of which the index is a multiple of this shares nothing, so that any word is found from few others. */
const WORDS_PER_BLOCK = 16;

/**
 * Sorted words as text: each word is one digit (how many characters it shares with the word before) and its own rest.
 * @param {readonly string[]} words sorted, without spaces
 * @returns {string}
 */
export function packWords(words) {
  let previous = '';
  const packed = [];
  for (const [index, word] of words.entries()) {
    if (index % WORDS_PER_BLOCK === 0) previous = '';
    if (word.includes(' ')) throw new Error(`a space in '${word}'`);
    let shared = 0;
    while (shared < 63 && shared < word.length && word[shared] === previous[shared]) shared++;
    packed.push(DIGITS[shared] + word.slice(shared));
    previous = word;
  }
  return packed.join(' ');
}
