import type { TokenReader } from '@doorbell/isa';
import { SHF_MERGE } from '../../elf/elf-constants.js';
import { SourceError } from '../problems.js';
import { parseSectionFlags, SECTION_TYPES } from '../sections.js';
import type { SourceAssembler } from '../source-assembler.js';
import { type DirectiveHandler, readName, withTokens } from './handler.js';

/** Directives that choose the section. */
export const SECTION_DIRECTIVES: Readonly<Record<string, DirectiveHandler>> = {
  '.text': simple('.text'),
  '.data': simple('.data'),
  '.bss': simple('.bss'),
  '.rodata': simple('.rodata'),
  '.section': withTokens((assembler, reader) => {
    section(assembler, reader);
  }),
  '.pushsection': withTokens((assembler, reader) => {
    assembler.sections.push();
    section(assembler, reader);
  }),
  '.popsection': withTokens((assembler) => {
    assembler.sections.pop();
  }),
  '.previous': withTokens((assembler) => {
    assembler.sections.previous();
  }),
  '.ident': withTokens((assembler, reader) => {
    if (reader.peek().kind !== 'string') reader.fail(['a string']);
    const bytes = new TextEncoder().encode(reader.next().text);
    assembler.sections.push();
    const comment = assembler.sections.switchTo('.comment', { flags: parseSectionFlags('MS', 1), entryBytes: 1 });
    if (comment.sizeBytes === 0) assembler.sections.write(new Uint8Array(1));
    assembler.sections.write(Uint8Array.of(...bytes, 0));
    assembler.sections.pop();
  }),
};

function simple(name: string): DirectiveHandler {
  return withTokens((assembler) => {
    assembler.sections.switchTo(name);
  });
}

/** `NAME[, "flags"[, @type[, entry size]]]`. */
function section(assembler: SourceAssembler, reader: TokenReader): void {
  // Names have dashes too: `.note.GNU-stack`.
  let name = readName(reader, 'the name of a section');
  while (reader.isAdjacent && !reader.isAtEnd && !reader.is(',')) name += reader.next().text;
  let flags: number | undefined;
  let type: number | undefined;
  let entryBytes = 0;
  if (reader.skip(',')) {
    const token = reader.peek();
    if (token.kind !== 'string') reader.fail(['the flags in quotes']);
    reader.next();
    flags = parseSectionFlags(token.text, token.column + 1);
    if (reader.skip(',')) type = sectionType(reader);
    if (((flags & SHF_MERGE) !== 0 || !reader.isAtEnd) && reader.skip(',')) {
      entryBytes = Number(assembler.absolute(reader, 'the entry size'));
      if (!(entryBytes > 0 && entryBytes <= 0xffff)) throw new SourceError(`the entry size is ${entryBytes}`);
    }
  }
  assembler.sections.switchTo(name, { type, flags, entryBytes });
}

function sectionType(reader: TokenReader): number {
  if (!reader.skip('@') && !reader.skip('%')) reader.fail(["'@' and a section type"]);
  const token = reader.peek();
  const type = Object.hasOwn(SECTION_TYPES, token.text) ? SECTION_TYPES[token.text] : undefined;
  if (type === undefined) reader.fail(Object.keys(SECTION_TYPES).map((known) => `@${known}`));
  reader.next();
  return type;
}
