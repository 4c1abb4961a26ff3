import { TokenReader } from '@doorbell/isa';
import type { SourceAssembler } from '../source-assembler.js';
import type { Statement } from '../statement.js';

/** Carries one directive out. */
export type DirectiveHandler = (assembler: SourceAssembler, statement: Statement) => void;

/** A handler that reads tokens, and leaves none behind. */
export function withTokens(
  work: (assembler: SourceAssembler, reader: TokenReader, statement: Statement) => void,
): DirectiveHandler {
  return (assembler, statement) => {
    const reader = new TokenReader(statement.rest, statement.restColumn);
    work(assembler, reader, statement);
    if (!reader.isAtEnd) reader.fail(['the end of the line']);
  };
}

/** A name, plain or in quotes. */
export function readName(reader: TokenReader, what: string): string {
  const token = reader.peek();
  if (token.kind !== 'name' && !(token.kind === 'string' && token.text !== '')) reader.fail([what]);
  return reader.next().text;
}

/** Values divided by commas; none at all is allowed. */
export function readList(reader: TokenReader, item: () => void): void {
  if (reader.isAtEnd) return;
  do item();
  while (reader.skip(','));
}
