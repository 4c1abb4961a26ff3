/**
 * Text with what repeats replaced by references: the counterpart of packages/isa/src/table/expand.ts, which says how it is written.
 * Node's own compression has no counterpart that is synchronous in web pages.
 */

/** Digits of distances and lengths: printable ASCII without what a string literal would have to escape. */
const DIGITS = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i))
  .filter((digit) => !`'\\`.includes(digit))
  .join('');
const BASE = DIGITS.length;
/** A reference with a distance of two digits, and one with three. */
const NEAR = '~';
const FAR = '^';
/** A reference of so many characters is shorter than what it stands for. */
const SHORTEST_NEAR = 5;
const SHORTEST_FAR = 6;
const LONGEST = SHORTEST_NEAR + BASE - 1;
const KEY_LENGTH = 5;
const MOST_TRIES = 500;

/**
 * @param {string} text printable ASCII without `'`, `\`, `~`, `^`
 * @returns {string}
 */
export function compress(text) {
  if (!/^[ -&(-[\]_-}]*$/.test(text)) throw new Error('a character that cannot be compressed');
  const places = new Map();
  const remember = (at) => {
    const key = text.slice(at, at + KEY_LENGTH);
    const list = places.get(key);
    if (list) list.push(at);
    else places.set(key, [at]);
  };
  let packed = '';
  for (let at = 0; at < text.length; ) {
    const match = longestMatch(text, at, places.get(text.slice(at, at + KEY_LENGTH)) ?? []);
    packed += match === undefined ? text[at] : reference(match);
    for (const end = at + (match?.length ?? 1); at < end; at++) remember(at);
  }
  return packed;
}

/** The match that saves most; of equals the nearest. */
function longestMatch(text, at, places) {
  let best;
  let saved = 0;
  for (let i = places.length - 1; i >= Math.max(0, places.length - MOST_TRIES); i--) {
    const distance = at - places[i];
    const isNear = distance < BASE ** 2;
    let length = 0;
    while (length < LONGEST && at + length < text.length && text[places[i] + length] === text[at + length]) length++;
    const saves = length - (isNear ? SHORTEST_NEAR : SHORTEST_FAR) + 1;
    if (saves > saved) {
      best = { distance, length, isNear };
      saved = saves;
    }
  }
  return best;
}

function reference({ distance, length, isNear }) {
  const digits = isNear ? [1, 0] : [2, 1, 0];
  const text = digits.map((place) => DIGITS[Math.floor(distance / BASE ** place) % BASE]).join('');
  return (isNear ? NEAR : FAR) + text + DIGITS[length - SHORTEST_NEAR];
}
