import { evaluate, type Expression, type SymbolScope, type SymbolValue } from '@doorbell/isa';
import { STB_LOCAL, STT_NOTYPE, STV_DEFAULT } from '../elf/elf-constants.js';
import type { SourcePlace } from '../write/link-types.js';
import { SourceError } from './problems.js';
import type { Section } from './sections.js';

export type SymbolDefinition =
  | { readonly kind: 'label'; readonly section: Section; readonly offset: number }
  | { readonly kind: 'set'; readonly expression: Expression; readonly isRedefinable: boolean };

/** A symbol while the source is read. */
export interface AsmSymbol {
  readonly name: string;
  readonly isTemporary: boolean;
  binding: number;
  /** Whether a directive said the binding; a symbol that is used but not defined is global without. */
  hasBinding: boolean;
  type: number;
  visibility: number;
  size: { readonly expression: Expression; readonly origin: SourcePlace } | undefined;
  definition: SymbolDefinition | undefined;
  /** Where the definition stands, or the first use. */
  origin: SourcePlace | undefined;
  isUsed: boolean;
}

/** Expressions nest through symbols; more levels than this is a circle. */
const MAX_LEVELS = 64;
/** Symbols that one expression may lead through: symbols that double each other grow beyond all bounds. */
const MAX_STEPS = 10_000;

/** The symbols of one source, in the order they were first named. */
export class SymbolTable {
  readonly #symbols = new Map<string, AsmSymbol>();
  /** How often each numeric label was defined. */
  readonly #numeric = new Map<string, number>();
  #anonymous = 0;
  #steps = 0;

  get all(): Iterable<AsmSymbol> {
    return this.#symbols.values();
  }

  find(name: string): AsmSymbol | undefined {
    return this.#symbols.get(name);
  }

  /** The symbol of this name, which is added if it is new. */
  get(name: string): AsmSymbol {
    let symbol = this.#symbols.get(name);
    if (!symbol) {
      symbol = {
        name,
        isTemporary: HIDDEN_PREFIXES.some((prefix) => name.startsWith(prefix)),
        binding: STB_LOCAL,
        hasBinding: false,
        type: STT_NOTYPE,
        visibility: STV_DEFAULT,
        size: undefined,
        definition: undefined,
        origin: undefined,
        isUsed: false,
      };
      this.#symbols.set(name, symbol);
    }
    return symbol;
  }

  defineLabel(name: string, place: { readonly section: Section; readonly offset: number }, origin: SourcePlace): void {
    this.#define(name, { kind: 'label', ...place }, origin);
  }

  /** `.set`, `=`: may be said again; `.equiv` may not. */
  defineValue(
    name: string,
    expression: Expression,
    { isRedefinable, origin }: { readonly isRedefinable: boolean; readonly origin: SourcePlace },
  ): void {
    this.#define(name, { kind: 'set', expression, isRedefinable }, origin);
  }

  /** Defines the next one of a numeric label, `1:`. */
  defineNumeric(digits: string, place: { readonly section: Section; readonly offset: number }, origin: SourcePlace): void {
    const count = (this.#numeric.get(digits) ?? 0) + 1;
    this.#numeric.set(digits, count);
    this.defineLabel(numericName(digits, count), place, origin);
  }

  /** A label without a name, for `.` in an expression that is worked out later. */
  defineAnonymous(place: { readonly section: Section; readonly offset: number }, origin: SourcePlace): string {
    const name = `${NUMERIC_PREFIX}.${++this.#anonymous}`;
    this.defineLabel(name, place, origin);
    return name;
  }

  /** The name behind `1b` or `1f` at this point of the source; undefined for other names. */
  numericTarget(name: string): string | undefined {
    const match = /^(\d+)([bf])$/.exec(name);
    if (!match) return undefined;
    const [, digits = '', direction] = match;
    const count = this.#numeric.get(digits) ?? 0;
    if (direction === 'b' && count === 0) throw new SourceError(`there is no label ${digits}: before this line`);
    return numericName(digits, direction === 'b' ? count : count + 1);
  }

  /** What a symbol stands for as far as it is known now. */
  valueOf(name: string, level = 0): SymbolValue | undefined {
    const definition = this.#symbols.get(name)?.definition;
    if (!definition) return undefined;
    if (definition.kind === 'label') {
      return { kind: 'place', section: definition.section.name, offset: BigInt(definition.offset) };
    }
    if (level > MAX_LEVELS) throw new SourceError(`${name} is defined by itself`);
    this.#steps = level === 0 ? 0 : this.#steps + 1;
    if (this.#steps > MAX_STEPS) throw new SourceError(`${name} leads through too many symbols`);
    const result = evaluate(definition.expression, { find: (other) => this.valueOf(other, level + 1), here: undefined });
    return result.ok ? result.value : undefined;
  }

  /** All that is known now, with `here` for `.`. */
  scope(here?: SymbolValue): SymbolScope {
    return { find: (name) => this.valueOf(name), here };
  }

  #define(name: string, definition: SymbolDefinition, origin: SourcePlace): void {
    const symbol = this.get(name);
    const before = symbol.definition;
    const mayChange = before?.kind === 'set' && before.isRedefinable && definition.kind === 'set';
    if (before !== undefined && !mayChange) {
      const where = symbol.origin === undefined ? '' : ` in line ${symbol.origin.line}`;
      throw new SourceError(`${name.startsWith(NUMERIC_PREFIX) ? 'the label' : name} is defined already${where}`);
    }
    symbol.definition = definition;
    symbol.origin = origin;
  }
}

/** No name of a source begins like this. */
const NUMERIC_PREFIX = '\u0001';
/** Names that no symbol table has: local labels, and those that the assembler itself defines. */
const HIDDEN_PREFIXES: readonly string[] = ['.L', '.amdgcn.', NUMERIC_PREFIX];

/** A symbol's name in messages: `label 1` for numeric ones. */
export function shownName({ name }: AsmSymbol): string {
  return name.startsWith(NUMERIC_PREFIX) ? `label ${name.slice(1).split('.')[0] ?? ''}` : name;
}

function numericName(digits: string, count: number): string {
  return `${NUMERIC_PREFIX}${digits.replace(/^0+(?=\d)/, '')}.${count}`;
}

/** Copies an expression with other names. */
export function mapNames(expression: Expression, rename: (name: string) => string): Expression {
  switch (expression.kind) {
    case 'number':
      return expression;
    case 'symbol':
      return { ...expression, name: rename(expression.name) };
    case 'unary':
      return { ...expression, operand: mapNames(expression.operand, rename) };
    case 'binary':
      return { ...expression, left: mapNames(expression.left, rename), right: mapNames(expression.right, rename) };
    case 'call':
      return { ...expression, operands: expression.operands.map((operand) => mapNames(operand, rename)) };
  }
}
