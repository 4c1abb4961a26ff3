import { evaluateAbsolute, type Expression } from '@doorbell/isa';
import { SourceError } from './problems.js';
import type { AsmSymbol, SymbolTable } from './symbols.js';

/** One symbol of a sum. */
interface Term {
  readonly symbol: AsmSymbol;
  readonly modifier: string;
}

/** `added − taken + constant`: what a relocation can express, at most one symbol on each side. */
export interface LinearValue {
  readonly added: Term | undefined;
  readonly taken: Term | undefined;
  readonly constant: bigint;
}

interface Sum {
  readonly added: readonly Term[];
  readonly taken: readonly Term[];
  readonly constant: bigint;
}

const MAX_LEVELS = 64;
/** Parts of one expression, those of its symbols too. */
const MAX_STEPS = 10_000;

/**
 * An expression as a sum of symbols and a number, when all symbols are known. Differences of places in one section are
 * numbers.
 *
 * @throws {SourceError} it is no such sum.
 */
export function linearValue(expression: Expression, symbols: SymbolTable): LinearValue {
  const { added, taken, constant } = cancel(sumOf(expression, symbols, { level: 0, budget: { steps: MAX_STEPS } }));
  if (added.length > 1 || taken.length > 1) {
    throw new SourceError('the expression has more symbols than a relocation can hold', {
      hint: 'Use one symbol plus a number, or a difference of symbols of one section.',
    });
  }
  return { added: added[0], taken: taken[0], constant: BigInt.asIntN(64, constant) };
}

/** How deep the walk is, and what is left of its length. */
interface Walk {
  readonly level: number;
  readonly budget: { steps: number };
}

function sumOf(expression: Expression, symbols: SymbolTable, walk: Walk): Sum {
  const number = evaluateAbsolute(expression, symbols.scope());
  if (number !== undefined) return { added: [], taken: [], constant: number };
  if (walk.level > MAX_LEVELS) throw new SourceError('the expression is defined by itself, or nests too deeply');
  if (--walk.budget.steps < 0) throw new SourceError('the expression leads through too many symbols');
  const inner = { ...walk, level: walk.level + 1 };
  switch (expression.kind) {
    case 'number':
      return { added: [], taken: [], constant: expression.value };
    case 'symbol': {
      const symbol = symbols.get(expression.name);
      if (symbol.definition?.kind === 'set' && expression.modifier === '') {
        return sumOf(symbol.definition.expression, symbols, inner);
      }
      return { added: [{ symbol, modifier: expression.modifier }], taken: [], constant: 0n };
    }
    case 'unary': {
      const operand = sumOf(expression.operand, symbols, inner);
      if (expression.operator === '+') return operand;
      if (expression.operator === '-') return negate(operand);
      break;
    }
    case 'binary': {
      if (expression.operator !== '+' && expression.operator !== '-') break;
      const left = sumOf(expression.left, symbols, inner);
      const right = sumOf(expression.right, symbols, inner);
      return add(left, expression.operator === '+' ? right : negate(right));
    }
    case 'call':
      // Only numbers can be called with, and those were looked up above: one of the symbols is unknown.
      for (const operand of expression.operands) {
        const { added, taken } = sumOf(operand, symbols, inner);
        const unknown = added[0] ?? taken[0];
        if (unknown?.symbol.definition === undefined && unknown)
          throw new SourceError(`undefined symbol: ${unknown.symbol.name}`);
      }
      break;
  }
  const operation = expression.kind === 'call' ? expression.name : expression.operator;
  throw new SourceError(`'${operation}' of an address that is known only when the file is linked or loaded`);
}

function negate({ added, taken, constant }: Sum): Sum {
  return { added: taken, taken: added, constant: -constant };
}

function add(left: Sum, right: Sum): Sum {
  return {
    added: [...left.added, ...right.added],
    taken: [...left.taken, ...right.taken],
    constant: left.constant + right.constant,
  };
}

/** Replaces differences of places in one section by their distance. */
function cancel({ added, taken, constant }: Sum): Sum {
  const left = [...added];
  const right: Term[] = [];
  let distance = constant;
  for (const term of taken) {
    const index = left.findIndex((other) => distanceOf(other, term) !== undefined);
    const other = left[index];
    if (other === undefined) {
      right.push(term);
      continue;
    }
    distance += distanceOf(other, term) ?? 0n;
    left.splice(index, 1);
  }
  return { added: left, taken: right, constant: distance };
}

function distanceOf(a: Term, b: Term): bigint | undefined {
  if (a.modifier !== '' || b.modifier !== '') return undefined;
  if (a.symbol === b.symbol) return 0n;
  const [left, right] = [a.symbol.definition, b.symbol.definition];
  if (left?.kind !== 'label' || right?.kind !== 'label' || left.section !== right.section) return undefined;
  return BigInt(left.offset - right.offset);
}
