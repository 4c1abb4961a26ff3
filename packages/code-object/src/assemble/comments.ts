/** A line without its comments, and whether a block comment goes on in the next one. */
export interface StrippedLine {
  /** Comments are spaces, so that columns stay. */
  readonly text: string;
  readonly isInComment: boolean;
}

/** What matters: strings, the beginnings of comments. An open string ends with the line. */
const PIECE = /"(?:[^"\\]|\\.)*"?|\/\*|\/\/|;/g;
const HASH = /\s*#/y;

/** Blanks `;`, `//`, and block comments; a line that begins with `#` is one too. */
export function stripComments(line: string, wasInComment: boolean): StrippedLine {
  let text = '';
  let isBlank = true;
  let position = 0;
  let isInComment = wasInComment;
  for (;;) {
    if (isInComment) {
      const end = line.indexOf('*/', position);
      if (end < 0) return { text, isInComment };
      text += ' '.repeat(end + 2 - position);
      position = end + 2;
    }
    HASH.lastIndex = position;
    if (isBlank && HASH.test(line)) return { text, isInComment: false };
    const comment = nextComment(line, position);
    const code = line.slice(position, comment?.index);
    text += code;
    isBlank &&= code.trim() === '';
    if (comment?.[0] !== '/*') return { text, isInComment: false };
    text += '  ';
    position = comment.index + 2;
    isInComment = true;
  }
}

/** The next beginning of a comment that is in no string. */
function nextComment(line: string, position: number): RegExpExecArray | undefined {
  PIECE.lastIndex = position;
  for (let match = PIECE.exec(line); match; match = PIECE.exec(line)) if (!match[0].startsWith('"')) return match;
  return undefined;
}
