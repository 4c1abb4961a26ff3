import type { AssemblyFailure } from './assembler.js';
import type { Token } from './lexer.js';
import { tokenize } from './lexer.js';

/** Thrown by the parsers of this package where the text is wrong; carries what the caller reports. */
export class AssemblySyntaxError extends Error {
  readonly failure: AssemblyFailure;

  constructor(message: string, column: number, expected: readonly string[] = []) {
    super(message);
    this.name = 'AssemblySyntaxError';
    this.failure = { ok: false, message, column, expected };
  }
}

/** Reads the tokens of a text one after the other; the last one, `end`, as often as asked. */
export class TokenReader {
  readonly #tokens: readonly Token[];
  #position = 0;

  /** @param column of the first character of `text` */
  constructor(text: string, column = 1) {
    this.#tokens = tokenize(text, column);
  }

  /** Index of the next token, to come back to. */
  get position(): number {
    return this.#position;
  }

  set position(index: number) {
    this.#position = index;
  }

  get isAtEnd(): boolean {
    return this.peek().kind === 'end';
  }

  /** Whether this punctuation or name is anywhere in the text. */
  has(text: string): boolean {
    return this.#tokens.some((token) => token.text === text && (token.kind === 'punctuation' || token.kind === 'name'));
  }

  /** The token that many behind the next one, without reading it. */
  peek(ahead = 0): Token {
    const token = this.#tokens[Math.min(this.#position + ahead, this.#tokens.length - 1)];
    // There is always the one of the end.
    if (!token) throw new RangeError('a reader without tokens');
    return token;
  }

  next(): Token {
    const token = this.peek();
    if (this.#position < this.#tokens.length - 1) this.#position++;
    return token;
  }

  /** Whether the next token is this punctuation or name. */
  is(text: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.text === text && (token.kind === 'punctuation' || token.kind === 'name');
  }

  /** Reads the next token if it is this punctuation or name. */
  skip(text: string): boolean {
    const found = this.is(text);
    if (found) this.next();
    return found;
  }

  /** @throws {AssemblySyntaxError} the next token is another one. */
  expect(text: string): Token {
    if (!this.is(text)) this.fail([`'${text}'`]);
    return this.next();
  }

  /** @throws {AssemblySyntaxError} the next token is no name. */
  expectName(what = 'a name'): Token {
    if (this.peek().kind !== 'name') this.fail([what]);
    return this.next();
  }

  /** Whether nothing, not even a space, is between the token before and the next one. */
  get isAdjacent(): boolean {
    const before = this.#tokens[this.#position - 1];
    return before !== undefined && before.end === this.peek().column;
  }

  /** Says what should stand where the next token is. */
  fail(expected: readonly string[], token: Token = this.peek()): never {
    const found = token.kind === 'end' ? 'end of the line' : `'${token.text}'`;
    throw new AssemblySyntaxError(`unexpected ${found}`, token.column, expected);
  }
}
