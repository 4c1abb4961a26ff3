import { TokenReader } from '@doorbell/isa';
import { parseMacroHeader, splitArguments, substitute } from '../macros.js';
import { SourceError } from '../problems.js';
import type { SourceAssembler } from '../source-assembler.js';
import type { Statement } from '../statement.js';
import { type DirectiveHandler, readName, withTokens } from './handler.js';

const MACRO_BEGIN = /^\s*\.macro(?![\w.$])/i;
const MACRO_END = /^\s*\.endm(?:acro)?(?![\w.$])/i;
const LOOP_BEGIN = /^\s*\.(?:rept?|irpc?)(?![\w.$])/i;
const LOOP_END = /^\s*\.endr(?![\w.$])/i;
const MAX_REPETITIONS = 1_000_000n;

/** Directives that repeat lines. */
export const MACRO_DIRECTIVES: Readonly<Record<string, DirectiveHandler>> = {
  '.macro': (assembler, { rest, restColumn }) => {
    const body = assembler.lines.readBlock(MACRO_BEGIN, MACRO_END);
    if (!body) throw new SourceError('.macro without .endm');
    const { name, parameters } = parseMacroHeader(rest, restColumn);
    if (assembler.macros.has(name)) throw new SourceError(`the macro ${name} is defined already`);
    assembler.macros.set(name, { name, parameters, body });
  },
  '.endm': () => {
    throw new SourceError('.endm without .macro');
  },
  '.endmacro': () => {
    throw new SourceError('.endmacro without .macro');
  },
  '.endr': () => {
    throw new SourceError('.endr without .rept');
  },
  '.exitm': (assembler) => {
    const left = assembler.lines.exit((depth) => {
      assembler.conditionals.unwind(depth);
    });
    if (!left) throw new SourceError('.exitm outside of a macro');
  },
  '.purgem': withTokens((assembler, reader) => {
    const name = readName(reader, 'the name of a macro');
    if (!assembler.macros.delete(name)) throw new SourceError(`there is no macro ${name}`);
  }),
  '.rept': repeat,
  '.rep': repeat,
  '.irp': (assembler, { rest, restColumn }) => {
    loopOver(assembler, loopHead(rest, restColumn), splitArguments);
  },
  '.irpc': (assembler, { rest, restColumn }) => {
    loopOver(assembler, loopHead(rest, restColumn), (text) => [...text.trim()]);
  },
};

function loopBody(assembler: SourceAssembler): readonly string[] {
  const body = assembler.lines.readBlock(LOOP_BEGIN, LOOP_END);
  if (!body) throw new SourceError('a loop without .endr');
  return body;
}

function repeat(assembler: SourceAssembler, { rest, restColumn }: Statement): void {
  const body = loopBody(assembler);
  const reader = new TokenReader(rest, restColumn);
  const count = assembler.absolute(reader, 'the count');
  if (!reader.isAtEnd) reader.fail(['the end of the line']);
  if (count < 0n || count > MAX_REPETITIONS) {
    throw new SourceError(`the count is ${count}`, { column: restColumn, expected: [`a number from 0 to ${MAX_REPETITIONS}`] });
  }
  // Nothing is nothing however often: loops of empty loops would never end.
  expandAll(assembler, '.rept', body.length === 0 ? 0 : Number(count), () => body);
}

function loopHead(rest: string, column: number): { readonly name: string; readonly values: string } {
  const head = /^\s*([A-Za-z_.$][\w.$]*)\s*,?/.exec(rest);
  if (!head) throw new SourceError('a loop has a name and values', { column, expected: ['a name'] });
  return { name: head[1] ?? '', values: rest.slice(head[0].length) };
}

function loopOver(
  assembler: SourceAssembler,
  { name, values }: { readonly name: string; readonly values: string },
  split: (text: string) => readonly string[],
): void {
  const body = loopBody(assembler);
  const items = split(values);
  expandAll(assembler, 'a loop', items.length, (index) =>
    substitute(body, new Map([[name, items[index] ?? '']]), assembler.expansions),
  );
}

function expandAll(assembler: SourceAssembler, name: string, count: number, body: (index: number) => readonly string[]): void {
  const lines: string[] = [];
  for (let index = 0; index < count; index++) {
    const part = body(index);
    if (lines.length + part.length > MAX_REPETITIONS) {
      throw new SourceError(`${name} expands to more than ${MAX_REPETITIONS} lines`);
    }
    for (const line of part) lines.push(line);
  }
  assembler.expand(name, lines);
}
