/** One line, read as far as its kind: labels, then a directive, an assignment, or something with a name in front. */
export interface Statement {
  readonly labels: readonly { readonly name: string; readonly isNumeric: boolean; readonly column: number }[];
  /** `directive`: begins with a dot; `assignment`: `name = …`; `operation`: an instruction or a macro call. */
  readonly kind: 'empty' | 'directive' | 'assignment' | 'operation';
  /** The directive, the assigned name, the operation; as written. */
  readonly name: string;
  readonly column: number;
  /** What follows, and the column it begins at. */
  readonly rest: string;
  readonly restColumn: number;
}

const LABEL = /\s*(?:([A-Za-z_.$][\w.$@?]*)|"((?:[^"\\]|\\.)*)"|(\d+))\s*:(?!:)/y;
const ASSIGNMENT = /\s*(?:([A-Za-z_.$][\w.$@?]*)|"((?:[^"\\]|\\.)*)")\s*={1,2}(?!=)/y;
const WORD = /\s*([^\s"]+)/y;

/** Splits a line without comments. */
export function parseStatement(text: string): Statement {
  const labels: { name: string; isNumeric: boolean; column: number }[] = [];
  let position = 0;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = position;
    return pattern.exec(text);
  };
  const columnOf = ([whole]: RegExpExecArray): number => position + whole.search(/\S/) + 1;
  for (let label = match(LABEL); label; label = match(LABEL)) {
    const [whole, plain, quoted, digits] = label;
    labels.push({ name: plain ?? quoted ?? digits ?? '', isNumeric: digits !== undefined, column: columnOf(label) });
    position += whole.length;
  }
  const assignment = match(ASSIGNMENT);
  if (assignment) return make('assignment', assignment, assignment[1] ?? assignment[2] ?? '');
  const word = match(WORD);
  if (!word) return { labels, kind: 'empty', name: '', column: position + 1, rest: '', restColumn: position + 1 };
  const name = word[1] ?? '';
  return make(name.startsWith('.') ? 'directive' : 'operation', word, name);

  function make(kind: Statement['kind'], found: RegExpExecArray, name: string): Statement {
    const end = position + found[0].length;
    return { labels, kind, name, column: columnOf(found), rest: text.slice(end), restColumn: end + 1 };
  }
}
