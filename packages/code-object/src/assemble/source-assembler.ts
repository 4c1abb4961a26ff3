import {
  type Assembler,
  AssemblySyntaxError,
  evaluateAbsolute,
  type Expression,
  type Fixup,
  parseExpression,
  type SymbolValue,
  TokenReader,
} from '@doorbell/isa';
import type { SourcePlace } from '../write/link-types.js';
import { Conditionals } from './conditionals.js';
import { CONDITION_DIRECTIVES } from './directives/conditions.js';
import { findDirective } from './directives/index.js';
import type { KernelBlock, KernelValue } from './kernel-block.js';
import { isKernelDirective } from './kernel-block.js';
import type { KernelTarget } from './kernel-target.js';
import { LineSource, type SourceLine } from './line-source.js';
import { expandMacro, type Macro } from './macros.js';
import { FatalSourceError, type Problems, SourceError } from './problems.js';
import { RegisterCounter } from './register-counter.js';
import { numberBytes } from './resolve.js';
import { type DeferredField, Sections } from './sections.js';
import { parseStatement, type Statement } from './statement.js';
import { mapNames, SymbolTable } from './symbols.js';

/** What the source is assembled for. */
export interface SourceTarget {
  readonly targetName: string;
  readonly kernel: KernelTarget;
  readonly instructions: Assembler;
}

/** Reads one source, line by line: fills sections and symbols, and notes what only the end of the source tells. */
export class SourceAssembler {
  readonly target: SourceTarget;
  readonly problems: Problems;
  readonly sections: Sections = new Sections();
  readonly symbols: SymbolTable = new SymbolTable();
  readonly macros: Map<string, Macro> = new Map();
  readonly lines: LineSource;
  readonly conditionals: Conditionals = new Conditionals();
  /** The open `.amdhsa_kernel` block. */
  kernel: KernelBlock | undefined;
  codeObjectVersion: 4 | 5 | 6 | undefined;
  /** Where the metadata is; there is one block of it. */
  metadata: SourcePlace | undefined;
  /** Work that needs every symbol. */
  readonly atEnd: (() => void)[] = [];
  /** `.end` was read. */
  isOver = false;
  /** Expansions so far: `\@` of macros. */
  expansions = 0;
  readonly #registers: RegisterCounter;
  #line: SourceLine = { text: '', raw: '', line: 1, column: undefined, context: '' };
  /** Column of the statement being read. */
  #column = 1;

  constructor(source: string, target: SourceTarget, problems: Problems) {
    this.target = target;
    this.problems = problems;
    this.lines = new LineSource(source);
    this.#registers = new RegisterCounter(source, target.kernel, this.symbols);
  }

  /** Reads everything. Problems are noted, and the next line read. */
  run(): void {
    try {
      for (let line = this.#next(); line && !this.isOver && !this.problems.isFull; line = this.#next()) {
        this.#line = line;
        this.#guard(() => {
          this.#readLine(line.text);
        });
      }
      this.#guard(() => {
        this.#finish();
      });
      for (const work of this.atEnd) this.#guard(work);
    } catch (error) {
      if (!(error instanceof FatalSourceError)) throw error;
      this.problems.add({ message: error.message }, this.place());
    }
  }

  /** Where the current statement stands; of lines out of macros, where the call does. */
  place(column: number = this.#column): SourcePlace {
    return { line: this.#line.line, column: this.#line.column ?? column };
  }

  /** The place that is written next. */
  here(): SymbolValue {
    const { name, sizeBytes } = this.sections.current;
    return { kind: 'place', section: name, offset: BigInt(sizeBytes) };
  }

  /** Reads an expression; numeric labels become the ones that are meant. */
  expression(reader: TokenReader): Expression {
    return this.#bindNumeric(parseExpression(reader));
  }

  /** Reads an expression whose value is known here. */
  absolute(reader: TokenReader, what: string): bigint {
    const { column } = reader.peek();
    const value = evaluateAbsolute(this.expression(reader), this.symbols.scope(this.here()));
    if (value === undefined) {
      throw new SourceError(`${what} must be a number that is known here`, { column, expected: ['a number'] });
    }
    return value;
  }

  /** The expression's value, or the expression with `.` bound to this place, if its symbols come later. */
  valueOrLater(expression: Expression): bigint | Expression {
    return evaluateAbsolute(expression, this.symbols.scope(this.here())) ?? this.#bindHere(expression);
  }

  /** Writes a data field; what is not known yet is filled at the end. */
  data(sizeBytes: 1 | 2 | 4 | 8, expression: Expression, column: number): void {
    const value = this.valueOrLater(expression);
    if (typeof value === 'bigint') {
      this.sections.write(numberBytes(value, sizeBytes));
      return;
    }
    this.defer({
      kind: 'data',
      offset: this.sections.current.sizeBytes,
      sizeBytes,
      expression: value,
      origin: this.place(column),
    });
    this.sections.write(new Uint8Array(sizeBytes));
  }

  defer(field: DeferredField): void {
    mapNames(field.expression, (name) => {
      const symbol = this.symbols.get(name);
      symbol.isUsed = true;
      symbol.origin ??= field.origin;
      return name;
    });
    this.sections.current.deferred.push(field);
  }

  /** Expands lines in place of the current statement. */
  expand(name: string, lines: readonly string[]): void {
    this.expansions++;
    this.lines.push(name, lines, this.place(), this.conditionals.depth);
  }

  #next(): SourceLine | undefined {
    return this.lines.next((depth) => {
      this.conditionals.unwind(depth);
    });
  }

  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (error instanceof FatalSourceError) throw error;
      if (error instanceof AssemblySyntaxError) {
        const { message, column, expected } = error.failure;
        this.#report({ message, column, expected });
      } else if (error instanceof SourceError) {
        this.#report(error);
      } else {
        throw error;
      }
    }
  }

  #report(problem: {
    readonly message: string;
    readonly column?: number | undefined;
    readonly expected: readonly string[];
    readonly hint?: string | undefined;
  }): void {
    const { message, expected, hint } = problem;
    this.problems.add(
      { message: message + this.#line.context, expected, ...(hint === undefined ? {} : { hint }) },
      this.place(problem.column),
    );
  }

  #readLine(text: string): void {
    this.#column = Math.max(1, text.search(/\S/) + 1);
    const statement = parseStatement(text);
    const condition = CONDITION_DIRECTIVES.get(statement.name.toLowerCase());
    if (condition && statement.labels.length === 0 && statement.kind === 'directive') {
      this.#column = statement.column;
      condition(this, statement);
      return;
    }
    if (!this.conditionals.isActive) return;
    for (const label of statement.labels) {
      this.#column = label.column;
      const place = { section: this.sections.current, offset: this.sections.current.sizeBytes };
      if (label.isNumeric) this.symbols.defineNumeric(label.name, place, this.place());
      else this.symbols.defineLabel(label.name, place, this.place());
    }
    this.#column = statement.column;
    this.#readStatement(statement);
  }

  #readStatement(statement: Statement): void {
    const { kind, name, rest, restColumn } = statement;
    if (kind === 'empty') return;
    const macro = kind === 'assignment' ? undefined : this.macros.get(name);
    if (macro) {
      this.expand(`macro ${name}`, expandMacro(macro, rest, restColumn, this.expansions));
      return;
    }
    if (this.kernel && kind === 'directive' && isKernelDirective(name)) {
      const reader = new TokenReader(rest, restColumn);
      const value: KernelValue = { value: this.valueOrLater(this.expression(reader)), origin: this.place() };
      endOfLine(reader);
      this.kernel.set(name, value);
      return;
    }
    if (kind === 'directive') {
      const handler = findDirective(name.toLowerCase());
      if (!handler) throw new SourceError(`unknown directive ${name}`, { column: statement.column });
      handler(this, statement);
      return;
    }
    if (this.kernel) {
      throw new SourceError(`${name} stands inside of .amdhsa_kernel ${this.kernel.name}`, {
        expected: ['a .amdhsa_ directive', '.end_amdhsa_kernel'],
      });
    }
    if (kind === 'assignment') {
      const reader = new TokenReader(rest, restColumn);
      const value = this.valueOrLater(this.expression(reader));
      endOfLine(reader);
      this.symbols.defineValue(name, asExpression(value), { isRedefinable: true, origin: this.place() });
      return;
    }
    this.#instruction(statement);
  }

  #instruction({ name, rest, column }: Statement): void {
    const text = (name + rest).trimEnd();
    const scope = {
      // A place is no number before sections have addresses: the operand is filled at the end.
      find: (symbol: string): SymbolValue | undefined => {
        const value = /^\d/.test(symbol) ? undefined : this.symbols.valueOf(symbol);
        return value?.kind === 'absolute' ? value : undefined;
      },
      here: undefined,
    };
    const result = this.target.instructions.assemble(text, scope);
    if (!result.ok) {
      throw new SourceError(result.message, { column: column + result.column - 1, expected: result.expected });
    }
    const bytes = new Uint8Array(result.sizeBytes);
    const view = new DataView(bytes.buffer);
    for (const [index, word] of result.words.entries()) view.setUint32(4 * index, word, true);
    const start = this.sections.current.sizeBytes;
    for (const fixup of result.fixups) this.#deferOperand(fixup, start);
    this.sections.write(bytes);
    this.#registers.count(bytes);
  }

  #deferOperand({ kind, offset, expression }: Fixup, start: number): void {
    this.defer({
      kind: kind === 'branch' ? 'branch' : 'literal',
      offset: start + offset,
      sizeBytes: kind === 'branch' ? 2 : kind === 'literal64' ? 8 : 4,
      expression: this.#bindHere(this.#bindNumeric(expression)),
      origin: this.place(),
    });
  }

  #bindNumeric(expression: Expression): Expression {
    return mapNames(expression, (name) => this.symbols.numericTarget(name) ?? name);
  }

  #bindHere(expression: Expression): Expression {
    let label: string | undefined;
    return mapNames(expression, (name) => {
      if (name !== '.') return name;
      const { current } = this.sections;
      label ??= this.symbols.defineAnonymous({ section: current, offset: current.sizeBytes }, this.place());
      return label;
    });
  }

  #finish(): void {
    if (this.kernel) throw new SourceError(`.amdhsa_kernel ${this.kernel.name} has no .end_amdhsa_kernel`);
    if (this.conditionals.depth > 0) throw new SourceError('an .if has no .endif');
  }
}

/** @throws {SourceError} something is left on the line. */
function endOfLine(reader: TokenReader): void {
  if (!reader.isAtEnd) reader.fail(['the end of the line']);
}

export function asExpression(value: bigint | Expression): Expression {
  return typeof value === 'bigint' ? { kind: 'number', value } : value;
}
