import { TokenReader } from '@doorbell/isa';
import { SourceError } from '../problems.js';
import type { SourceAssembler } from '../source-assembler.js';
import type { Statement } from '../statement.js';
import type { DirectiveHandler } from './handler.js';

type Condition = (assembler: SourceAssembler, statement: Statement) => boolean;

/** `.if` and its relatives; they count where nothing else is read, too. */
export const CONDITION_DIRECTIVES: ReadonlyMap<string, DirectiveHandler> = new Map<string, DirectiveHandler>([
  ...Object.entries({
    '.if': compare((value) => value !== 0n),
    '.ifne': compare((value) => value !== 0n),
    '.ifeq': compare((value) => value === 0n),
    '.ifgt': compare((value) => value > 0n),
    '.ifge': compare((value) => value >= 0n),
    '.iflt': compare((value) => value < 0n),
    '.ifle': compare((value) => value <= 0n),
    '.ifdef': (assembler, statement) => isDefined(assembler, statement),
    '.ifndef': (assembler, statement) => !isDefined(assembler, statement),
    '.ifnotdef': (assembler, statement) => !isDefined(assembler, statement),
    '.ifb': (_assembler, { rest }) => rest.trim() === '',
    '.ifnb': (_assembler, { rest }) => rest.trim() !== '',
    '.ifc': (_assembler, statement) => isSame(statement, false),
    '.ifnc': (_assembler, statement) => !isSame(statement, false),
    '.ifeqs': (_assembler, statement) => isSame(statement, true),
    '.ifnes': (_assembler, statement) => !isSame(statement, true),
  } satisfies Record<string, Condition>).map(([name, condition]): [string, DirectiveHandler] => [
    name,
    (assembler, statement) => {
      assembler.conditionals.begin(() => condition(assembler, statement));
    },
  ]),
  [
    '.elseif',
    (assembler, statement) => {
      assembler.conditionals.elseIf(() => compare((value) => value !== 0n)(assembler, statement));
    },
  ],
  [
    '.else',
    (assembler) => {
      assembler.conditionals.otherwise();
    },
  ],
  [
    '.endif',
    (assembler) => {
      assembler.conditionals.end();
    },
  ],
]);

function compare(test: (value: bigint) => boolean): Condition {
  return (assembler, statement) => {
    const reader = new TokenReader(statement.rest, statement.restColumn);
    const value = assembler.absolute(reader, 'the condition');
    if (!reader.isAtEnd) reader.fail(['the end of the line']);
    return test(value);
  };
}

function isDefined(assembler: SourceAssembler, { rest, restColumn }: Statement): boolean {
  const reader = new TokenReader(rest, restColumn);
  const { text } = reader.expectName('a symbol');
  return assembler.symbols.find(text)?.definition !== undefined;
}

function isSame({ rest, name }: Statement, isQuoted: boolean): boolean {
  const match = isQuoted ? /^\s*"((?:[^"\\]|\\.)*)"\s*,\s*"((?:[^"\\]|\\.)*)"\s*$/.exec(rest) : /^([^,]*),([^,]*)$/.exec(rest);
  if (!match) throw new SourceError(`${name} compares two texts`, { expected: ["two texts with ',' between"] });
  return (match[1] ?? '').trim() === (match[2] ?? '').trim();
}
