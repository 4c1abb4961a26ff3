import type { SourcePlace } from '../write/link-types.js';
import { stripComments } from './comments.js';
import { FatalSourceError } from './problems.js';

/** One line to assemble. */
export interface SourceLine {
  /** Without comments. */
  readonly text: string;
  /** As written. */
  readonly raw: string;
  /** In the file; of the outermost macro call for lines out of macros. */
  readonly line: number;
  /** Where the call stands for lines out of macros; undefined: columns of the line are columns of the file. */
  readonly column: number | undefined;
  /** ` (in macro add3, line 2)`, or nothing. */
  readonly context: string;
}

/** Lines that are read before the file goes on: the file itself, a macro's or a loop's body. */
interface Frame {
  readonly lines: readonly string[];
  next: number;
  isInComment: boolean;
  /** Number of the first line within the file; undefined for expansions. */
  readonly name: string | undefined;
  readonly call: SourcePlace | undefined;
  /** Levels of conditionals that were open when the frame began. */
  readonly conditionals: number;
}

const MAX_DEPTH = 64;
/** Lines of all expansions together: more is a loop that does not end. */
const MAX_LINES = 1_000_000;
const MAX_CHARACTERS = 2 ** 26;
/** A line that an expansion makes; macros that double their arguments get there soon. */
const MAX_LINE_CHARACTERS = 2 ** 16;
/** A line as written: tokens of a longer one would fill the memory. */
const MAX_SOURCE_LINE_CHARACTERS = 2 ** 20;

/** The lines of a source with expansions in their places. */
export class LineSource {
  readonly #frames: Frame[];
  #expanded = 0;
  #characters = 0;

  constructor(source: string) {
    const lines = source.split(/\r\n|\n|\r/);
    this.#frames = [{ lines, next: 0, isInComment: false, name: undefined, call: undefined, conditionals: 0 }];
  }

  /** The next line; undefined at the end. `leave` is told the conditionals that were open where an expansion began. */
  next(leave: (conditionals: number) => void): SourceLine | undefined {
    for (;;) {
      const frame = this.#frames.at(-1);
      if (!frame) return undefined;
      const raw = frame.lines[frame.next];
      if (raw === undefined) {
        if (this.#frames.length === 1) return undefined;
        this.#frames.pop();
        leave(frame.conditionals);
        continue;
      }
      frame.next++;
      if (frame.name !== undefined && ++this.#expanded > MAX_LINES) {
        throw new FatalSourceError(`macros and loops expand to more than ${MAX_LINES} lines`);
      }
      if (raw.length > MAX_SOURCE_LINE_CHARACTERS) {
        throw new FatalSourceError(`line ${frame.next} has more than ${MAX_SOURCE_LINE_CHARACTERS} characters`);
      }
      const { text, isInComment } = stripComments(raw, frame.isInComment);
      frame.isInComment = isInComment;
      return {
        text,
        raw,
        line: frame.call?.line ?? frame.next,
        column: frame.call?.column,
        context: frame.name === undefined ? '' : ` (in ${frame.name}, line ${frame.next})`,
      };
    }
  }

  /** Reads these lines next. */
  push(name: string, lines: readonly string[], call: SourcePlace, conditionals: number): void {
    if (this.#frames.length > MAX_DEPTH) throw new FatalSourceError(`macros nest deeper than ${MAX_DEPTH} levels`);
    for (const { length } of lines) {
      this.#characters += length;
      if (length > MAX_LINE_CHARACTERS) {
        throw new FatalSourceError(`${name} expands to a line of more than ${MAX_LINE_CHARACTERS} characters`);
      }
    }
    if (this.#characters > MAX_CHARACTERS)
      throw new FatalSourceError(`macros and loops expand to more than ${MAX_CHARACTERS} characters`);
    this.#frames.push({ lines, next: 0, isInComment: false, name, call, conditionals });
  }

  /** Leaves the innermost macro (`.exitm`); false outside of one. */
  exit(leave: (conditionals: number) => void): boolean {
    const frame = this.#frames.length > 1 ? this.#frames.pop() : undefined;
    if (!frame) return false;
    leave(frame.conditionals);
    return true;
  }

  /**
   * The raw lines up to the one that `ends` says ends the block, which is read too; `begins` counts nested ones. Undefined: the
   * block has no end.
   */
  readBlock(begins: RegExp, ends: RegExp): readonly string[] | undefined {
    const frame = this.#frames.at(-1);
    if (!frame) return undefined;
    const lines: string[] = [];
    let depth = 1;
    for (let line = frame.lines[frame.next]; line !== undefined; line = frame.lines[frame.next]) {
      frame.next++;
      if (ends.test(line)) depth--;
      else if (begins.test(line)) depth++;
      if (depth === 0) return lines;
      lines.push(line);
    }
    return undefined;
  }
}
