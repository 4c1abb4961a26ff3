/** Reads what tools/isa-generator/src/compress.mjs wrote. */

/** Begin a reference with a distance of two digits, and of three; behind it one digit for the length. */
const NEAR = 126; // ~
const FAR = 94; // ^
/** Length of a reference whose digit is 0. */
const SHORTEST = 5;
/** The digits are the printable characters in order, but for two: space is 0. */
const FIRST_DIGIT = 32;
const LEFT_OUT = [39, 92]; // ' \
const BASE = 93;

const digitValues = new Uint8Array(128);
for (let code = FIRST_DIGIT, value = 0; value < BASE; code++) {
  if (!LEFT_OUT.includes(code)) digitValues[code] = value++;
}

/** The text of `length` characters: a reference stands for so many characters from so far back; all else for itself. */
export function expand(packed: string, length: number): string {
  const bytes = new Uint8Array(length);
  let filled = 0;
  for (let at = 0; at < packed.length; ) {
    const code = packed.charCodeAt(at++);
    if (code !== NEAR && code !== FAR) {
      bytes[filled++] = code;
      continue;
    }
    let distance = 0;
    for (let digits = code === NEAR ? 2 : 3; digits > 0; digits--) {
      distance = distance * BASE + (digitValues[packed.charCodeAt(at++)] ?? 0);
    }
    const end = filled + SHORTEST + (digitValues[packed.charCodeAt(at++)] ?? 0);
    // What is referred to may reach into what it is copied to.
    if (end - filled <= distance) bytes.copyWithin(filled, filled - distance, end - distance);
    else for (let i = filled; i < end; i++) bytes[i] = bytes[i - distance] ?? 0;
    filled = end;
  }
  if (filled !== length) throw new RangeError(`not a text of ${length} characters`);
  return new TextDecoder().decode(bytes);
}
