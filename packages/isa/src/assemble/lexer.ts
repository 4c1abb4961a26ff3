/** Tokens of assembler text, for instructions and for directives. */

export type TokenKind = 'name' | 'integer' | 'float' | 'string' | 'punctuation' | 'end' | 'invalid';

export interface Token {
  readonly kind: TokenKind;
  /** As written; of a string: what is between the quotes, escapes as written (see {@link unescapeString}). */
  readonly text: string;
  /** Of the first character, counted from 1. */
  readonly column: number;
  /** Column behind the last character. */
  readonly end: number;
  /** Of an integer; 0 for other kinds. */
  readonly value: bigint;
}

const SPACE = /[ \t\r\n\f\v]*/y;
/** Also `1b` and `1f`, which name the nearest label `1:` behind and ahead. */
const NAME = /[A-Za-z_.$][\w.$?]*|\d+[bf](?![\w.])/y;
const HEX_FLOAT = /0[xX][\da-fA-F]*\.?[\da-fA-F]*[pP][+-]?\d+/y;
const FLOAT = /\d+(?:\.\d*(?:[eE][+-]?\d+)?|[eE][+-]?\d+)|\.\d+(?:[eE][+-]?\d+)?/y;
const INTEGER = /0[xX][\da-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|\d+/y;
const STRING = /"((?:[^"\\]|\\[\s\S])*)"/y;
const PUNCTUATION = /<<|<>|>>|&&|\|\||==|!=|<=|>=|::|[^\w\s]/y;
const WORD = /[\w.$?]+|[\s\S]/y;

/**
 * Splits text into tokens; the last one is of the kind `end`. Never throws: what no token begins with is `invalid`.
 *
 * @param column of the first character
 */
export function tokenize(text: string, column = 1): readonly Token[] {
  const tokens: Token[] = [];
  let position = skipSpace(text, 0);
  while (position < text.length) {
    const token = readToken(text, position, column);
    tokens.push(token);
    position = skipSpace(text, token.end - column);
  }
  tokens.push({ kind: 'end', text: '', column: column + position, end: column + position, value: 0n });
  return tokens;
}

function skipSpace(text: string, position: number): number {
  SPACE.lastIndex = position;
  SPACE.exec(text);
  return SPACE.lastIndex;
}

function readToken(text: string, position: number, column: number): Token {
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = position;
    return pattern.exec(text);
  };
  const make = (kind: TokenKind, [whole, inner = whole]: RegExpExecArray, value = 0n): Token => {
    return { kind, text: inner, column: column + position, end: column + position + whole.length, value };
  };
  const float = match(HEX_FLOAT) ?? match(FLOAT);
  if (float && !continuesWord(text, position + float[0].length)) return make('float', float);
  const name = match(NAME);
  if (name) return make('name', name);
  const integer = match(INTEGER);
  if (integer && !continuesWord(text, position + integer[0].length)) return make('integer', integer, integerValue(integer[0]));
  const string = match(STRING);
  if (string) return make('string', string);
  const punctuation = match(PUNCTUATION);
  if (punctuation && punctuation[0] !== '"') return make('punctuation', punctuation);
  const word = match(WORD);
  return {
    kind: 'invalid',
    text: word?.[0] ?? '',
    column: column + position,
    end: column + position + (word?.[0].length ?? 1),
    value: 0n,
  };
}

function continuesWord(text: string, position: number): boolean {
  return /[\w$?]/.test(text.charAt(position));
}

/** A leading 0 makes a number octal, as in C. */
function integerValue(text: string): bigint {
  return BigInt(/^0[0-7]+$/.test(text) ? `0o${text.slice(1)}` : text.toLowerCase());
}

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** The bytes that a string token stands for: escapes resolved (`\n`, `\"`, `\\`, `\101`, `\x41`), other characters as UTF-8. */
export function unescapeString(text: string): Uint8Array {
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  const add = (part: string): void => {
    for (const byte of encoder.encode(part)) bytes.push(byte);
  };
  for (const [part] of text.matchAll(/\\[0-7]{1,3}|\\[xX][\da-fA-F]+|\\[\s\S]|[^\\]+/g)) {
    const escaped = part.startsWith('\\') ? part.slice(1) : undefined;
    if (escaped === undefined) add(part);
    else if (/^[0-7]/.test(escaped)) bytes.push(Number.parseInt(escaped, 8) & 0xff);
    // As many digits as there are; the last two count.
    else if (/^[xX][\da-fA-F]/.test(escaped)) bytes.push(Number.parseInt(escaped.slice(1).slice(-2), 16));
    else add(ESCAPES[escaped] ?? escaped);
  }
  return Uint8Array.from(bytes);
}

/** The value of a float token, hexadecimal ones too. */
export function floatValue(text: string): number {
  const hexadecimal = /^0x([\da-f]*)\.?([\da-f]*)p([+-]?\d+)$/i.exec(text);
  if (!hexadecimal) return Number(text);
  const [, whole = '', fraction = '', exponent = '0'] = hexadecimal;
  return Number.parseInt(`0${whole}${fraction}`, 16) * 2 ** (Number(exponent) - 4 * fraction.length);
}
