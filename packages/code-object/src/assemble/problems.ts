import { HsaError } from '@doorbell/abi/core';
import type { SourcePlace } from '../write/link-types.js';

/** One thing that is wrong with a source file. */
export interface AssemblyProblem {
  /** Counted from 1. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** What could stand there; may be empty. */
  readonly expected: readonly string[];
  readonly hint?: string;
}

/** Thrown while one statement is read; the statement is dropped, and the next one read. */
export class SourceError extends Error {
  /** Undefined: the beginning of the statement. */
  readonly column: number | undefined;
  readonly expected: readonly string[];
  readonly hint: string | undefined;

  constructor(
    message: string,
    {
      column,
      expected = [],
      hint,
    }: { readonly column?: number; readonly expected?: readonly string[]; readonly hint?: string } = {},
  ) {
    super(message);
    this.name = 'SourceError';
    this.column = column;
    this.expected = expected;
    this.hint = hint;
  }
}

/** Stops the whole file. */
export class FatalSourceError extends SourceError {}

/** More than this is not read by anybody. */
const MAX_PROBLEMS = 100;

/** What was found wrong so far. */
export class Problems {
  readonly #list: AssemblyProblem[] = [];

  get isEmpty(): boolean {
    return this.#list.length === 0;
  }

  get isFull(): boolean {
    return this.#list.length >= MAX_PROBLEMS;
  }

  add(
    problem: Omit<AssemblyProblem, 'expected' | keyof SourcePlace> & { readonly expected?: readonly string[] },
    place: SourcePlace,
  ): void {
    if (this.isFull) return;
    this.#list.push({ expected: [], ...problem, line: place.line, column: place.column });
  }

  /** All of them as one error; the message shows the first. */
  toError(): HsaError {
    const problems = [...this.#list].sort((a, b) => a.line - b.line || a.column - b.column);
    const first = problems[0];
    const more = problems.length - 1;
    return new HsaError('ERR_ASSEMBLY', {
      message: `${first === undefined ? 'the source is wrong' : formatProblem(first)}${more > 0 ? ` (and ${more} more)` : ''}`,
      ...(first?.hint === undefined ? {} : { hint: first.hint }),
      details: { line: first?.line, column: first?.column, expected: first?.expected ?? [], problems },
    });
  }
}

/** `12:5: unexpected 'x', expected ','`. */
export function formatProblem({ line, column, message, expected }: AssemblyProblem): string {
  const wanted = expected.length === 0 ? '' : `; expected ${listOr(expected)}`;
  return `${line}:${column}: ${message}${wanted}`;
}

function listOr(items: readonly string[]): string {
  const last = items.at(-1) ?? '';
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} or ${last}`;
}
