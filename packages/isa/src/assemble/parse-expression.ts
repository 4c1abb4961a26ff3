import type { BinaryOperator, Expression, ExpressionFunction, UnaryOperator } from './expression.js';
import type { TokenReader } from './token-reader.js';

/** Operators by how tight they bind, as GNU as and llvm-mc have it: `1 + 2 | 4` is `1 + (2 | 4)`. */
const PRECEDENCE: ReadonlyMap<string, readonly [BinaryOperator, number]> = new Map(
  (
    [
      [['||'], 1],
      [['&&'], 2],
      [['==', '!=', '<', '<=', '>', '>='], 3],
      [['+', '-'], 4],
      [['|', '^', '&'], 5],
      [['*', '/', '%', '<<', '>>'], 6],
    ] satisfies readonly (readonly [readonly BinaryOperator[], number])[]
  )
    .flatMap(([operators, precedence]) => operators.map((operator) => [operator as string, [operator, precedence]] as const))
    .concat([['<>', ['!=', 3]]]),
);
const FUNCTIONS: readonly ExpressionFunction[] = ['max', 'or', 'alignto'];
const UNARY: readonly UnaryOperator[] = ['-', '+', '~', '!'];
/** Larger expressions are refused, so that no text exhausts the stack. */
const MAX_DEPTH = 200;
const MAX_OPERATORS = 2000;

/** How large an expression has become: its levels here, and the operators of all of it. */
interface Size {
  readonly depth: number;
  readonly count: { operators: number };
}

export interface ExpressionOptions {
  /** Operators that end the expression at its outermost level: `|` behind `|x|`, `&` in lists of wait counters. */
  readonly stopAt?: readonly string[];
}

/**
 * Reads the longest expression: integers, names, `.`, `sym@rel32@lo`, operators and parentheses.
 *
 * @throws {AssemblySyntaxError} there is none.
 */
export function parseExpression(reader: TokenReader, { stopAt = [] }: ExpressionOptions = {}): Expression {
  return binary(reader, 1, stopAt, { depth: 0, count: { operators: 0 } });
}

/** Whether an expression can begin with the next token. */
export function startsExpression(reader: TokenReader): boolean {
  const { kind, text } = reader.peek();
  return kind === 'integer' || kind === 'name' || text === '(' || UNARY.some((operator) => operator === text);
}

function binary(reader: TokenReader, lowest: number, stopAt: readonly string[], size: Size): Expression {
  let left = unary(reader, stopAt, size);
  for (;;) {
    const token = reader.peek();
    const found = token.kind === 'punctuation' && !stopAt.includes(token.text) ? PRECEDENCE.get(token.text) : undefined;
    if (found === undefined || found[1] < lowest) return left;
    reader.next();
    size.count.operators++;
    const right = binary(reader, found[1] + 1, stopAt, deeper(size));
    left = { kind: 'binary', operator: found[0], left, right };
  }
}

function deeper({ depth, count }: Size): Size {
  return { depth: depth + 1, count };
}

function unary(reader: TokenReader, stopAt: readonly string[], size: Size): Expression {
  if (size.depth > MAX_DEPTH || size.count.operators > MAX_OPERATORS) reader.fail(['a smaller expression']);
  const token = reader.peek();
  const operator = token.kind === 'punctuation' ? UNARY.find((text) => text === token.text) : undefined;
  if (operator !== undefined) {
    reader.next();
    return { kind: 'unary', operator, operand: unary(reader, stopAt, deeper(size)) };
  }
  if (token.kind === 'integer') {
    reader.next();
    return { kind: 'number', value: token.value };
  }
  const called = token.kind === 'name' && reader.is('(', 1) ? FUNCTIONS.find((name) => name === token.text) : undefined;
  if (called !== undefined) return call(reader, called, deeper(size));
  if (token.kind === 'name' || token.kind === 'string') return symbol(reader);
  if (!reader.skip('(')) reader.fail(['an integer', 'a symbol', "'('"]);
  const inner = binary(reader, 1, [], deeper(size));
  reader.expect(')');
  return inner;
}

/** `max(a, b)`. */
function call(reader: TokenReader, name: ExpressionFunction, size: Size): Expression {
  reader.next();
  reader.expect('(');
  const operands: Expression[] = [];
  do {
    size.count.operators++;
    operands.push(binary(reader, 1, [], size));
  } while (reader.skip(','));
  if (name === 'alignto' && operands.length !== 2) reader.fail(['two operands']);
  reader.expect(')');
  return { kind: 'call', name, operands };
}

/** A name with its relocation, `x@rel32@lo`. */
function symbol(reader: TokenReader): Expression {
  const name = reader.next().text;
  const parts: string[] = [];
  while (reader.is('@') && reader.isAdjacent) {
    reader.next();
    parts.push(reader.expectName('a relocation').text);
  }
  return { kind: 'symbol', name, modifier: parts.join('@') };
}
