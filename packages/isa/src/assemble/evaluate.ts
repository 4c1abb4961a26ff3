import type { SymbolScope, SymbolValue } from './assembler.js';
import type { BinaryOperator, Expression, ExpressionFunction, UnaryOperator } from './expression.js';

/** What an expression comes to, or why it comes to nothing. */
export type Evaluation =
  | { readonly ok: true; readonly value: SymbolValue }
  /** A symbol that the scope does not know (yet), or one with a relocation, which only a linker resolves. */
  | { readonly ok: false; readonly reason: 'unknown'; readonly name: string }
  /** It has no value whatever the symbols are: a division by zero, a product of places. */
  | { readonly ok: false; readonly reason: 'invalid'; readonly message: string };

/** `symbol + addend`, which a relocation can express. */
export interface SymbolSum {
  readonly name: string;
  readonly modifier: string;
  readonly addend: bigint;
}

/**
 * The value of an expression in 64-bit two's complement, as llvm-mc computes it: absolute, or a place in a section. The
 * difference of two places of one section is absolute; comparisons that hold are -1.
 */
export function evaluate(expression: Expression, scope: SymbolScope): Evaluation {
  switch (expression.kind) {
    case 'number':
      return absolute(expression.value);
    case 'symbol': {
      const { name, modifier } = expression;
      const value = modifier !== '' ? undefined : name === '.' ? scope.here : scope.find(name);
      return value === undefined ? { ok: false, reason: 'unknown', name } : { ok: true, value };
    }
    case 'unary': {
      const operand = evaluate(expression.operand, scope);
      if (!operand.ok) return operand;
      if (operand.value.kind !== 'absolute') {
        return expression.operator === '+' ? operand : invalid(`'${expression.operator}' of a place`);
      }
      return absolute(applyUnary(expression.operator, operand.value.value));
    }
    case 'binary': {
      const left = evaluate(expression.left, scope);
      if (!left.ok) return left;
      const right = evaluate(expression.right, scope);
      return right.ok ? applyBinary(expression.operator, left.value, right.value) : right;
    }
    case 'call': {
      const values: bigint[] = [];
      for (const operand of expression.operands) {
        const result = evaluate(operand, scope);
        if (!result.ok) return result;
        if (result.value.kind !== 'absolute') return invalid(`'${expression.name}' of a place`);
        values.push(result.value.value);
      }
      return call(expression.name, values);
    }
  }
}

/** The absolute value of an expression; undefined where it has none in this scope. */
export function evaluateAbsolute(expression: Expression, scope: SymbolScope): bigint | undefined {
  const result = evaluate(expression, scope);
  return result.ok && result.value.kind === 'absolute' ? result.value.value : undefined;
}

/** The one symbol of an expression and what is added to it; undefined where it is no such sum. */
export function asSymbolSum(expression: Expression, scope: SymbolScope): SymbolSum | undefined {
  if (expression.kind === 'symbol') return { name: expression.name, modifier: expression.modifier, addend: 0n };
  if (expression.kind !== 'binary' || (expression.operator !== '+' && expression.operator !== '-')) return undefined;
  const { operator, left, right } = expression;
  const added = evaluateAbsolute(right, scope);
  if (added !== undefined) {
    const sum = asSymbolSum(left, scope);
    return sum && { ...sum, addend: wrap(operator === '+' ? sum.addend + added : sum.addend - added) };
  }
  const first = operator === '+' ? evaluateAbsolute(left, scope) : undefined;
  const sum = first === undefined ? undefined : asSymbolSum(right, scope);
  return sum && first !== undefined ? { ...sum, addend: wrap(sum.addend + first) } : undefined;
}

const BITS = 64;

function wrap(value: bigint): bigint {
  return BigInt.asIntN(BITS, value);
}

function absolute(value: bigint): Evaluation {
  return { ok: true, value: { kind: 'absolute', value: wrap(value) } };
}

function invalid(message: string): Evaluation {
  return { ok: false, reason: 'invalid', message };
}

function applyUnary(operator: UnaryOperator, value: bigint): bigint {
  switch (operator) {
    case '-':
      return -value;
    case '+':
      return value;
    case '~':
      return ~value;
    case '!':
      return value === 0n ? 1n : 0n;
  }
}

function applyBinary(operator: BinaryOperator, left: SymbolValue, right: SymbolValue): Evaluation {
  if (left.kind === 'absolute' && right.kind === 'absolute') return compute(operator, left.value, right.value);
  if (left.kind === 'place' && right.kind === 'place') {
    // Only the distance of two places is known before sections have addresses.
    if (left.section !== right.section) return invalid(`'${operator}' of places in ${left.section} and ${right.section}`);
    if (operator === '-' || COMPARISONS.has(operator)) return compute(operator, left.offset, right.offset);
    return invalid(`'${operator}' of two places`);
  }
  const [place, number] = left.kind === 'place' ? [left, right] : [right, left];
  if (place.kind === 'place' && number.kind === 'absolute') {
    if (operator === '+') return { ok: true, value: { ...place, offset: wrap(place.offset + number.value) } };
    if (operator === '-' && place === left) return { ok: true, value: { ...place, offset: wrap(place.offset - number.value) } };
  }
  return invalid(`'${operator}' of a place and a number`);
}

/** Signed, as llvm-mc computes them (LLVM AMDGPUMCExpr). */
function call(name: ExpressionFunction, values: readonly bigint[]): Evaluation {
  const [first = 0n, second = 0n] = values;
  switch (name) {
    case 'max':
      return absolute(values.reduce((most, value) => (value > most ? value : most), first));
    case 'or':
      return absolute(values.reduce((bits, value) => bits | value, 0n));
    case 'alignto':
      if (second <= 0n || first < 0n) return invalid(`'alignto' of ${first} and ${second}`);
      return absolute(((first + second - 1n) / second) * second);
  }
}

const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=']);

function compute(operator: BinaryOperator, left: bigint, right: bigint): Evaluation {
  const truth = (isTrue: boolean): Evaluation => absolute(isTrue ? -1n : 0n);
  switch (operator) {
    case '+':
      return absolute(left + right);
    case '-':
      return absolute(left - right);
    case '*':
      return absolute(left * right);
    case '/':
      return right === 0n ? invalid('a division by zero') : absolute(left / right);
    case '%':
      return right === 0n ? invalid('a division by zero') : absolute(left % right);
    case '<<':
      return shiftCount(right, (count) => left << count);
    case '>>':
      // Logical, as llvm-mc has it outside of Darwin.
      return shiftCount(right, (count) => BigInt.asUintN(BITS, left) >> count);
    case '&':
      return absolute(left & right);
    case '|':
      return absolute(left | right);
    case '^':
      return absolute(left ^ right);
    case '&&':
      return absolute(left !== 0n && right !== 0n ? 1n : 0n);
    case '||':
      return absolute(left !== 0n || right !== 0n ? 1n : 0n);
    case '==':
      return truth(left === right);
    case '!=':
      return truth(left !== right);
    case '<':
      return truth(left < right);
    case '<=':
      return truth(left <= right);
    case '>':
      return truth(left > right);
    case '>=':
      return truth(left >= right);
  }
}

function shiftCount(count: bigint, shift: (count: bigint) => bigint): Evaluation {
  if (count < 0n || count >= BigInt(BITS)) return invalid(`a shift by ${count}`);
  return absolute(shift(count));
}
