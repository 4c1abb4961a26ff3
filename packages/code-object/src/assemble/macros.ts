import { SourceError } from './problems.js';

interface Parameter {
  readonly name: string;
  readonly preset: string | undefined;
  readonly isRequired: boolean;
  /** Takes the rest of the line. */
  readonly isRest: boolean;
}

/** A `.macro`. */
export interface Macro {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly body: readonly string[];
}

const NAME = /[A-Za-z_.$][\w.$]*/y;
const OPERATORS = '+-*/%&|^<>=!~:';

/** Reads what follows `.macro`: the name, and parameters `a`, `b=1`, `c:req`, `d:vararg`, divided by commas or spaces. */
export function parseMacroHeader(
  text: string,
  column: number,
): { readonly name: string; readonly parameters: readonly Parameter[] } {
  const fail = (position: number, expected: string): never => {
    throw new SourceError('the macro has no readable head', { column: column + position, expected: [expected] });
  };
  let position = skipSpace(text, 0);
  const name = match(NAME, text, position) ?? fail(position, 'the name of the macro');
  position += name.length;
  const parameters: Parameter[] = [];
  for (;;) {
    position = skipSpace(text, position);
    if (text[position] === ',') position = skipSpace(text, position + 1);
    if (position >= text.length) return { name, parameters };
    const parameter = match(NAME, text, position) ?? fail(position, 'the name of a parameter');
    if (parameters.some((other) => other.name === parameter)) fail(position, 'another name');
    if (parameters.at(-1)?.isRest === true) fail(position, 'nothing behind a :vararg parameter');
    position += parameter.length;
    const quality = match(/\s*:\s*(?:req|vararg)\b/y, text, position) ?? '';
    position += quality.length;
    let preset: string | undefined;
    const equals = match(/\s*=/y, text, position);
    if (equals !== undefined) {
      const argument = readArgument(text, position + equals.length, false);
      preset = argument.text;
      position = argument.end;
    }
    parameters.push({ name: parameter, preset, isRequired: quality.includes('req'), isRest: quality.includes('vararg') });
  }
}

/**
 * The lines that a call of the macro stands for.
 *
 * @param column of the first character of `text`, the arguments
 * @param count of expansions so far: what `\@` gives
 */
export function expandMacro(macro: Macro, text: string, column: number, count: number): readonly string[] {
  return substitute(macro.body, argumentsOf(macro, text, column), count);
}

/** Replaces `\name` by the values, `\@` by the count, `\()` by nothing. */
export function substitute(body: readonly string[], values: ReadonlyMap<string, string>, count: number): readonly string[] {
  return body.map((line) =>
    line.replace(/\\(?:\(\)|@|([A-Za-z_.$][\w.$]*))/g, (whole, name: string | undefined) => {
      if (whole === '\\()') return '';
      if (whole === '\\@') return String(count);
      // `\a.b`: the longest name that there is.
      for (let length = name?.length ?? 0; length > 0; length--) {
        const value = values.get(name?.slice(0, length) ?? '');
        if (value !== undefined) return value + (name?.slice(length) ?? '');
      }
      return whole;
    }),
  );
}

/** Values divided by commas (`.irp`). */
export function splitArguments(text: string): readonly string[] {
  const values: string[] = [];
  for (let position = skipSpace(text, 0); position < text.length; ) {
    const argument = readArgument(text, position, false);
    values.push(argument.text);
    position = skipSpace(text, argument.end);
    if (text[position] === ',') position = skipSpace(text, position + 1);
  }
  return values;
}

function argumentsOf({ name, parameters }: Macro, text: string, column: number): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  let index = 0;
  let position = skipSpace(text, 0);
  while (position < text.length) {
    const named = /^([A-Za-z_.$][\w.$]*)\s*=(?!=)/.exec(text.slice(position));
    const byName = named ? parameters.findIndex((parameter) => parameter.name === named[1]) : -1;
    if (named && byName >= 0) {
      index = byName;
      position = skipSpace(text, position + named[0].length);
    }
    const parameter = parameters[index];
    if (!parameter) {
      throw new SourceError(`the macro ${name} takes ${countOf(parameters.length, 'argument')}`, { column: column + position });
    }
    const argument = readArgument(text, position, parameter.isRest);
    if (argument.text !== '') values.set(parameter.name, argument.text);
    position = skipSpace(text, argument.end);
    if (text[position] === ',') position = skipSpace(text, position + 1);
    index++;
  }
  for (const parameter of parameters) {
    if (values.has(parameter.name)) continue;
    if (parameter.isRequired) throw new SourceError(`the macro ${name} needs a value for ${parameter.name}`, { column });
    values.set(parameter.name, parameter.preset ?? '');
  }
  return values;
}

/**
 * One argument: up to a comma, or up to a space that no operator touches; brackets and strings are kept together. A string
 * loses its quotes, unless the argument is the rest of the line.
 */
function readArgument(text: string, start: number, isRest: boolean): { readonly text: string; readonly end: number } {
  if (isRest) return { text: text.slice(start).trim(), end: text.length };
  let result = '';
  let depth = 0;
  let position = skipSpace(text, start);
  while (position < text.length) {
    const string = match(/"(?:[^"\\]|\\.)*"?/y, text, position);
    if (string !== undefined) {
      result += string.replace(/^"|"$/g, '');
      position += string.length;
      continue;
    }
    const character = text[position] ?? '';
    if (depth === 0 && character === ',') break;
    if (/\s/.test(character) && depth === 0) {
      const next = skipSpace(text, position);
      const touches = OPERATORS.includes(text[next] ?? ',') || OPERATORS.includes(result.at(-1) ?? ' ');
      if (next >= text.length || text[next] === ',' || !touches) break;
      result += ' ';
      position = next;
      continue;
    }
    if ('([{'.includes(character)) depth++;
    if (')]}'.includes(character)) depth = Math.max(0, depth - 1);
    result += character;
    position++;
  }
  return { text: result, end: Math.max(position, start) };
}

function match(pattern: RegExp, text: string, position: number): string | undefined {
  pattern.lastIndex = position;
  return pattern.exec(text)?.[0];
}

function skipSpace(text: string, position: number): number {
  let at = position;
  while (at < text.length && /\s/.test(text[at] ?? '')) at++;
  return at;
}

function countOf(count: number, noun: string): string {
  return count === 0 ? `no ${noun}` : `${count} ${noun}${count === 1 ? '' : 's'}`;
}
