/** Operands as they are written, before it is known what they must be. */
import type { SymbolScope } from './assembler.js';
import { evaluate } from './evaluate.js';
import type { Expression } from './expression.js';
import { floatValue } from './lexer.js';
import { parseExpression } from './parse-expression.js';
import type { TokenReader } from './token-reader.js';

export type RegisterFile = 'vgpr' | 'agpr' | 'sgpr' | 'ttmp' | 'special';

export interface RegisterText {
  readonly kind: 'register';
  readonly file: RegisterFile;
  /** First register; 0 for special ones. */
  readonly index: number;
  readonly count: number;
  /** `v1.l`, `v1.h`; '' for whole registers. */
  readonly half: '' | 'l' | 'h';
  /** Of a special register; else ''. */
  readonly name: string;
}

/** How a literal is asked for: `lit(…)` and `lit64(…)` never become inline constants. */
type LiteralForm = '' | 'lit' | 'lit64';

export type ValueText =
  | RegisterText
  | { readonly kind: 'integer'; readonly value: bigint; readonly form: LiteralForm }
  | { readonly kind: 'float'; readonly value: number; readonly form: LiteralForm }
  /** Not known yet. */
  | { readonly kind: 'expression'; readonly expression: Expression; readonly form: LiteralForm }
  | { readonly kind: 'off' };

export interface OperandText {
  readonly value: ValueText;
  readonly neg: boolean;
  readonly abs: boolean;
  readonly sext: boolean;
  /** Of the value, without its signs. */
  readonly column: number;
}

const FILES: Readonly<Record<string, RegisterFile>> = { v: 'vgpr', a: 'agpr', acc: 'agpr', s: 'sgpr', ttmp: 'ttmp' };
const REGISTER = /^(v|acc|a|s|ttmp)(\d+)(?:\.([lh]))?$/;
/** Halves of pairs, which as a list name the pair. */
const PAIR = /^(vcc|exec|flat_scratch|xnack_mask)_lo$/;

/** Registers outside the files: the name that the tables have, by every way to write it. */
export function specialRegisters(names: Iterable<string>): ReadonlyMap<string, string> {
  const result = new Map<string, string>();
  for (const name of names) {
    result.set(name, name);
    const pair = PAIR.exec(name)?.[1];
    if (pair !== undefined) result.set(pair, pair);
    if (name.startsWith('src_')) result.set(name.slice(4), name);
  }
  return result;
}

/** Reads operands; knows the special registers of the generation. */
export class OperandParser {
  readonly #specials: ReadonlyMap<string, string>;

  constructor(specials: ReadonlyMap<string, string>) {
    this.#specials = specials;
  }

  /** A register, constant or expression with its signs: `-|v1|`, `neg(1.0)`, `sext(v2)`, `lit(0x3f800000)`, `off`. */
  operand(reader: TokenReader, scope: SymbolScope): OperandText {
    let neg = false;
    let abs = false;
    let sext = false;
    const closing: string[] = [];
    if (reader.is('-') && this.#startsSigned(reader)) {
      reader.next();
      neg = true;
    }
    for (;;) {
      if (isCall(reader, 'neg') && !neg) neg = true;
      else if (isCall(reader, 'abs') && !abs) abs = true;
      else if (isCall(reader, 'sext') && !sext) sext = true;
      else if (reader.is('|') && !abs) {
        reader.next();
        abs = true;
        closing.push('|');
        continue;
      } else break;
      reader.next();
      reader.next();
      closing.push(')');
    }
    const { column } = reader.peek();
    const value = this.#value(reader, scope, closing.includes('|') ? ['|'] : []);
    for (const text of closing.toReversed()) reader.expect(text);
    return { value, neg, abs, sext, column };
  }

  /** A register where the next token begins one. */
  register(reader: TokenReader, scope: SymbolScope): RegisterText | undefined {
    if (reader.is('[')) return this.#list(reader, scope);
    const { kind, text } = reader.peek();
    if (kind !== 'name') return undefined;
    const single = REGISTER.exec(text);
    if (single) {
      reader.next();
      const [, file = '', index = '', half = ''] = single;
      // Safe: the pattern allows these two.
      return register(FILES[file], Number(index), 1, half as '' | 'l' | 'h');
    }
    const file = FILES[text];
    if (file !== undefined && reader.is('[', 1)) {
      reader.next();
      return this.#range(reader, scope, file);
    }
    const special = this.#specials.get(text);
    if (special === undefined) return undefined;
    reader.next();
    return { kind: 'register', file: 'special', index: 0, count: 1, half: '', name: special };
  }

  /** A minus that is a sign of what follows, not part of a number or an expression. */
  #startsSigned(reader: TokenReader): boolean {
    const { kind, text } = reader.peek(1);
    if (text === '|' || text === '[') return true;
    if (kind !== 'name') return false;
    if (['neg', 'abs', 'sext', 'lit', 'lit64'].includes(text) && reader.is('(', 2)) return true;
    return REGISTER.test(text) || this.#specials.has(text) || (FILES[text] !== undefined && reader.is('[', 2));
  }

  #value(reader: TokenReader, scope: SymbolScope, stopAt: readonly string[]): ValueText {
    const found = this.register(reader, scope);
    if (found) return found;
    for (const form of ['lit', 'lit64'] as const) {
      if (!isCall(reader, form)) continue;
      reader.next();
      reader.next();
      const value = constant(reader, scope, form, []);
      reader.expect(')');
      return value;
    }
    if (reader.is('off')) {
      reader.next();
      return { kind: 'off' };
    }
    return constant(reader, scope, '', stopAt);
  }

  /** `[1:4]`, `[7]` */
  #range(reader: TokenReader, scope: SymbolScope, file: RegisterFile): RegisterText {
    reader.expect('[');
    const start = reader.peek();
    const first = absoluteInteger(reader, scope);
    const last = reader.skip(':') ? absoluteInteger(reader, scope) : first;
    reader.expect(']');
    if (first < 0 || last < first) reader.fail(['the first register, then the last'], start);
    return register(file, first, last - first + 1, '');
  }

  /** `[v1, v2]`, `[vcc_lo, vcc_hi]` */
  #list(reader: TokenReader, scope: SymbolScope): RegisterText {
    reader.expect('[');
    let whole: RegisterText | undefined;
    do {
      const token = reader.peek();
      const next = this.register(reader, scope);
      if (!next || next.count !== 1 || next.half !== '') reader.fail(['a register'], token);
      const joined = whole === undefined ? next : join(whole, next);
      if (joined === undefined) reader.fail(['the register behind the one before'], token);
      whole = joined;
    } while (reader.skip(','));
    reader.expect(']');
    return whole;
  }
}

function isCall(reader: TokenReader, name: string): boolean {
  return reader.is(name) && reader.is('(', 1);
}

function register(file: RegisterFile | undefined, index: number, count: number, half: '' | 'l' | 'h'): RegisterText {
  return { kind: 'register', file: file ?? 'vgpr', index, count, half, name: '' };
}

function join(first: RegisterText, next: RegisterText): RegisterText | undefined {
  if (first.file !== next.file) return undefined;
  if (first.file === 'special') {
    const pair = PAIR.exec(first.name)?.[1];
    return pair !== undefined && next.name === `${pair}_hi` ? { ...first, name: pair } : undefined;
  }
  return next.index === first.index + first.count ? { ...first, count: first.count + 1 } : undefined;
}

/** A number, or an expression whose symbols are not all known. */
function constant(reader: TokenReader, scope: SymbolScope, form: LiteralForm, stopAt: readonly string[]): ValueText {
  const sign = reader.is('-') && reader.peek(1).kind === 'float' ? -1 : 1;
  if (sign < 0) reader.next();
  const token = reader.peek();
  if (token.kind === 'float') {
    reader.next();
    return { kind: 'float', value: sign * floatValue(token.text), form };
  }
  if (token.kind === 'end' || token.kind === 'invalid' || token.text === ',') reader.fail(['an operand']);
  const expression = parseExpression(reader, { stopAt });
  const result = evaluate(expression, scope);
  if (result.ok && result.value.kind === 'absolute') return { kind: 'integer', value: result.value.value, form };
  if (!result.ok && result.reason === 'invalid') reader.fail([`an expression with a value; this has ${result.message}`], token);
  return { kind: 'expression', expression, form };
}

/** @throws {AssemblySyntaxError} the expression is not absolute, or too large for exact arithmetic. */
function absoluteInteger(reader: TokenReader, scope: SymbolScope, stopAt: readonly string[] = []): number {
  const token = reader.peek();
  const result = evaluate(parseExpression(reader, { stopAt }), scope);
  if (!result.ok || result.value.kind !== 'absolute') reader.fail(['an absolute expression'], token);
  const value = Number(result.value.value);
  if (!Number.isSafeInteger(value)) reader.fail(['a smaller number'], token);
  return value;
}

/** An absolute expression within limits. */
export function integerBetween(
  reader: TokenReader,
  scope: SymbolScope,
  lowest: number,
  highest: number,
  stopAt: readonly string[] = [],
): number {
  const token = reader.peek();
  const what = `an integer from ${lowest} to ${highest}`;
  if (token.kind === 'end' || token.kind === 'invalid' || token.kind === 'float') reader.fail([what]);
  const value = absoluteInteger(reader, scope, stopAt);
  if (value < lowest || value > highest) reader.fail([what], token);
  return value;
}
