import { SourceError } from '../problems.js';
import { DATA_DIRECTIVES } from './data.js';
import { type DirectiveHandler, withTokens } from './handler.js';
import { KERNEL_DIRECTIVES } from './kernels.js';
import { MACRO_DIRECTIVES } from './macros.js';
import { SECTION_DIRECTIVES } from './sections.js';
import { SYMBOL_DIRECTIVES } from './symbols.js';

/** Directives that say things to the assembler's user, or nothing that changes the object. */
const OTHER_DIRECTIVES: Readonly<Record<string, DirectiveHandler>> = {
  '.end': (assembler) => {
    assembler.isOver = true;
  },
  '.error': withTokens((_assembler, reader) => {
    const text = reader.peek().kind === 'string' ? reader.next().text : '.error';
    throw new SourceError(text);
  }),
  '.err': () => {
    throw new SourceError('.err');
  },
  // Symbols whose addresses matter: advice for linkers that fold code, which this one does not.
  '.addrsig': () => undefined,
  '.addrsig_sym': () => undefined,
};

const DIRECTIVES: ReadonlyMap<string, DirectiveHandler> = new Map(
  [DATA_DIRECTIVES, KERNEL_DIRECTIVES, MACRO_DIRECTIVES, SECTION_DIRECTIVES, SYMBOL_DIRECTIVES, OTHER_DIRECTIVES].flatMap(
    (group) => Object.entries(group),
  ),
);

/** What carries a directive out; undefined: there is none of this name. */
export function findDirective(name: string): DirectiveHandler | undefined {
  return DIRECTIVES.get(name);
}
