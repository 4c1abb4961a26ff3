import { SourceError } from './problems.js';

/** A value of a YAML document; plain scalars are not interpreted yet. */
export type YamlValue =
  | { readonly kind: 'scalar'; readonly text: string; readonly isQuoted: boolean; readonly line: number }
  | { readonly kind: 'list'; readonly items: readonly YamlValue[]; readonly line: number }
  | { readonly kind: 'map'; readonly entries: ReadonlyMap<string, YamlValue>; readonly line: number };

/** Thrown with the line within the document, counted from 0. */
export class YamlError extends SourceError {
  readonly yamlLine: number;

  constructor(message: string, yamlLine: number, column: number) {
    super(message, { column });
    this.yamlLine = yamlLine;
  }
}

interface Line {
  readonly text: string;
  readonly indent: number;
  readonly line: number;
}

const MAX_DEPTH = 64;

/**
 * Reads the YAML that code object metadata is written in: block and flow maps and lists, plain and quoted scalars on one line,
 * comments, one document. Anchors, tags and block scalars are refused.
 *
 * @throws {YamlError}
 */
export function parseYaml(lines: readonly string[]): YamlValue {
  return new YamlReader(lines).read();
}

class YamlReader {
  readonly #lines: readonly Line[];
  #next = 0;

  constructor(lines: readonly string[]) {
    const read: Line[] = [];
    for (const [line, raw] of lines.entries()) {
      const text = stripComment(raw).trimEnd();
      const indent = text.search(/\S/);
      if (indent < 0 || (indent === 0 && /^---\s*$/.test(text))) continue;
      if (indent === 0 && text === '...') break;
      if (text.slice(0, indent).includes('\t')) {
        // LLVM's writer indents with spaces; assembly files indent the whole block with tabs.
        read.push({ text: text.replaceAll('\t', '        '), indent: text.replaceAll('\t', '        ').search(/\S/), line });
      } else {
        read.push({ text, indent, line });
      }
    }
    this.#lines = read;
  }

  read(): YamlValue {
    const first = this.#lines[0];
    if (!first) throw new YamlError('the metadata is empty', 0, 1);
    const value = this.#block(first.indent, 0);
    const rest = this.#lines[this.#next];
    if (rest) throw new YamlError('the line is indented less or otherwise than those before it', rest.line, rest.indent + 1);
    return value;
  }

  /** What begins at the next line, whose indentation is `indent`. */
  #block(indent: number, depth: number): YamlValue {
    const first = this.#lines[this.#next];
    if (!first) throw new YamlError('a value is missing', 0, 1);
    if (depth > MAX_DEPTH) throw new YamlError(`the metadata nests deeper than ${MAX_DEPTH} levels`, first.line, indent + 1);
    if (isItem(first.text, indent)) return this.#list(indent, depth);
    if (keyEnd(first.text, indent) !== undefined) return this.#map(indent, depth);
    this.#next++;
    return inline(first.text, indent, first.line);
  }

  #list(indent: number, depth: number): YamlValue {
    const items: YamlValue[] = [];
    const start = this.#lines[this.#next]?.line ?? 0;
    for (
      let line = this.#lines[this.#next];
      line?.indent === indent && isItem(line.text, indent);
      line = this.#lines[this.#next]
    ) {
      const inner = line.text.slice(indent + 1).search(/\S/);
      if (inner < 0) {
        this.#next++;
        items.push(this.#nested(indent, line, depth));
        continue;
      }
      const column = indent + 1 + inner;
      items.push(this.#itemOnLine(line, column, depth));
    }
    return { kind: 'list', items, line: start };
  }

  /** An item that begins behind its dash: a map goes on in the lines below, at the same column. */
  #itemOnLine(line: Line, column: number, depth: number): YamlValue {
    if (isItem(line.text, column) || keyEnd(line.text, column) !== undefined) {
      // Safe: the list is ours; the dash is read, what follows is a line of its own.
      (this.#lines as Line[])[this.#next] = { ...line, text: `${' '.repeat(column)}${line.text.slice(column)}`, indent: column };
      return this.#block(column, depth + 1);
    }
    this.#next++;
    return inline(line.text, column, line.line);
  }

  #map(indent: number, depth: number): YamlValue {
    const entries = new Map<string, YamlValue>();
    const start = this.#lines[this.#next]?.line ?? 0;
    for (let line = this.#lines[this.#next]; line?.indent === indent; line = this.#lines[this.#next]) {
      const end = keyEnd(line.text, indent);
      if (end === undefined) {
        if (isItem(line.text, indent)) break;
        throw new YamlError(`expected 'key: value'`, line.line, indent + 1);
      }
      const key = unquote(line.text.slice(indent, end).trim(), line.line, indent);
      if (entries.has(key)) throw new YamlError(`the key ${key} is there twice`, line.line, indent + 1);
      this.#next++;
      const inner = line.text.slice(end + 1).search(/\S/);
      entries.set(key, inner < 0 ? this.#nested(indent, line, depth) : inline(line.text, end + 1 + inner, line.line));
    }
    return { kind: 'map', entries, line: start };
  }

  /** The value below a key or dash without one on its line: indented more, or a list at the key's own column. */
  #nested(indent: number, parent: Line, depth: number): YamlValue {
    const next = this.#lines[this.#next];
    const isBelow =
      next !== undefined &&
      (next.indent > indent || (next.indent === indent && isItem(next.text, indent) && !isItem(parent.text, indent)));
    if (!isBelow) return { kind: 'scalar', text: '', isQuoted: false, line: parent.line };
    return this.#block(next.indent, depth + 1);
  }
}

function isItem(text: string, column: number): boolean {
  return text[column] === '-' && (text[column + 1] === undefined || /\s/.test(text[column + 1] ?? ''));
}

/** Where the colon of `key:` is; undefined: the text begins with no key. */
function keyEnd(text: string, column: number): number | undefined {
  const match = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s"'[{#&*!|>%@`-][^#]*?|-[^\s#][^#]*?)\s*:(?=\s|$)/.exec(
    text.slice(column),
  );
  return match ? column + match[0].length - 1 : undefined;
}

/** Cuts ` # …` off, outside of quotes. */
function stripComment(text: string): string {
  const match = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|(?<!\s)#|[^#"']|["'])*/.exec(text);
  const kept = match?.[0] ?? '';
  return kept.length < text.length || kept.startsWith('#') ? kept.replace(/^#.*/, '') : text;
}

function inline(text: string, column: number, line: number): YamlValue {
  const reader = new FlowReader(text, column, line);
  return reader.readAll();
}

/** Values on one line: scalars, `[1, 2]`, `{ a: b }`. */
class FlowReader {
  readonly #text: string;
  readonly #line: number;
  #position: number;

  constructor(text: string, position: number, line: number) {
    this.#text = text;
    this.#position = position;
    this.#line = line;
  }

  readAll(): YamlValue {
    const first = this.#text[this.#position] ?? '';
    if ('&*!|>%@`'.includes(first) && first !== '') this.#fail(`'${first}' begins a form of YAML that metadata does not use`);
    if (first !== '[' && first !== '{' && first !== '"' && first !== "'") {
      return { kind: 'scalar', text: this.#text.slice(this.#position).trim(), isQuoted: false, line: this.#line };
    }
    const value = this.#value(0);
    this.#space();
    if (this.#position < this.#text.length) this.#fail('something stands behind the value');
    return value;
  }

  #value(depth: number): YamlValue {
    if (depth > MAX_DEPTH) this.#fail(`the metadata nests deeper than ${MAX_DEPTH} levels`);
    this.#space();
    const first = this.#text[this.#position];
    if (first === '[') return this.#list(depth);
    if (first === '{') return this.#map(depth);
    return { kind: 'scalar', ...this.#scalar(), line: this.#line };
  }

  #list(depth: number): YamlValue {
    const items: YamlValue[] = [];
    this.#position++;
    while (!this.#skip(']')) {
      items.push(this.#value(depth + 1));
      if (!this.#skip(',')) {
        if (!this.#skip(']')) this.#fail("expected ',' or ']'");
        break;
      }
    }
    return { kind: 'list', items, line: this.#line };
  }

  #map(depth: number): YamlValue {
    const entries = new Map<string, YamlValue>();
    this.#position++;
    while (!this.#skip('}')) {
      this.#space();
      const key = this.#scalar(':').text;
      if (!this.#skip(':')) this.#fail("expected ':'");
      entries.set(key, this.#value(depth + 1));
      if (!this.#skip(',')) {
        if (!this.#skip('}')) this.#fail("expected ',' or '}'");
        break;
      }
    }
    return { kind: 'map', entries, line: this.#line };
  }

  #scalar(stop = ''): { readonly text: string; readonly isQuoted: boolean } {
    const rest = this.#text.slice(this.#position);
    const quoted = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')/.exec(rest)?.[0];
    if (quoted !== undefined) {
      this.#position += quoted.length;
      return { text: unquote(quoted, this.#line, this.#position), isQuoted: true };
    }
    const plain = (stop === '' ? /^[^,[\]{}"']+/ : /^[^,[\]{}"':]+/).exec(rest)?.[0];
    if (plain === undefined) this.#fail('expected a value');
    this.#position += plain.length;
    return { text: plain.trim(), isQuoted: false };
  }

  #skip(text: string): boolean {
    this.#space();
    if (this.#text[this.#position] !== text) return false;
    this.#position++;
    return true;
  }

  #space(): void {
    while (/\s/.test(this.#text[this.#position] ?? '')) this.#position++;
  }

  #fail(message: string): never {
    throw new YamlError(message, this.#line, this.#position + 1);
  }
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '0': '\0', '"': '"', '\\': '\\', '/': '/' };

function unquote(text: string, line: number, column: number): string {
  if (text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'");
  if (!text.startsWith('"')) return text;
  return text.slice(1, -1).replace(/\\(x[\da-fA-F]{2}|.)/g, (_whole, escape: string) => {
    if (escape.length === 3) return String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    const known = Object.hasOwn(ESCAPES, escape) ? ESCAPES[escape] : undefined;
    if (known === undefined) throw new YamlError(`'\\${escape}' is no escape that metadata uses`, line, column + 1);
    return known;
  });
}
