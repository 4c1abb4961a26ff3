/** A line without its comments, and whether a block comment goes on in the next one. */
export interface StrippedLine {
  /** Comments are spaces, so that columns stay. */
  readonly text: string;
  readonly isInComment: boolean;
}

/** What matters: strings, the beginnings of comments. An open string ends with the line. */
const PIECE = /"(?:[^"\\]|\\.)*"?|\/\*|\/\/|;|[^"/;]+|\//g;

/** Blanks `;`, `//`, and block comments; a line that begins with `#` is one too. */
export function stripComments(line: string, wasInComment: boolean): StrippedLine {
  let text = '';
  let rest = line;
  let inComment = wasInComment;
  for (;;) {
    if (inComment) {
      const end = rest.indexOf('*/');
      if (end < 0) return { text, isInComment: true };
      text += ' '.repeat(end + 2);
      rest = rest.slice(end + 2);
      inComment = false;
    }
    if (text.trim() === '' && /^\s*#/.test(rest)) return { text, isInComment: false };
    let position = 0;
    PIECE.lastIndex = 0;
    for (let match = PIECE.exec(rest); match; match = PIECE.exec(rest)) {
      const piece = match[0];
      if (piece === ';' || piece === '//') return { text: text + rest.slice(0, match.index), isInComment: false };
      if (piece === '/*') {
        inComment = true;
        position = match.index;
        break;
      }
    }
    if (!inComment) return { text: text + rest, isInComment: false };
    text += `${rest.slice(0, position)}  `;
    rest = rest.slice(position + 2);
  }
}
