/** Reads `key value` files and single numbers of sysfs; what is not as the kernel writes it becomes a {@link TopologyProblem}. */
import type { SysfsSource } from '@doorbell/abi';
import type { TopologyProblem } from './topology-types.js';

/** A value, or why there is none. */
export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: TopologyProblem };

/** How to read a record out of a properties file: the key in the file, and the range of its value. */
export type FieldTable<T> = {
  readonly [K in keyof T]: { readonly key: string; readonly type: T[K] extends bigint ? 'u64' : 'u32' };
};

/** sysfs gives out at most one page at a time (Documentation/filesystems/sysfs.rst). */
const PAGE_BYTES = 4096;
const MAX_U32 = 0xffff_ffff;
const MAX_U64 = 0xffff_ffff_ffff_ffffn;
const DECIMAL = /^\d{1,20}$/;

/** The text of a file of at most one page. */
export function readPage(source: SysfsSource, path: string): Outcome<string> {
  const read = source.readText(path);
  if (!read.ok) {
    const kind = read.errno === 'EPERM' ? 'hidden' : 'unreadable';
    return { ok: false, problem: { kind, path, reason: `reading ${path} failed with ${read.errno}`, errno: read.errno } };
  }
  if (read.value.length > PAGE_BYTES)
    return malformed(path, `${path} has ${read.value.length} bytes; the kernel writes at most ${PAGE_BYTES}`);
  return { ok: true, value: read.value };
}

/** A file that holds one decimal number. */
export function readNumber(source: SysfsSource, path: string): Outcome<bigint> {
  const text = readPage(source, path);
  if (!text.ok) return text;
  const value = parseU64(text.value.trim());
  return value === undefined ? malformed(path, `${path} is ${quote(text.value)}, not a decimal number`) : { ok: true, value };
}

/** The `key value` lines of a file. */
export function readLines(source: SysfsSource, path: string): Outcome<ReadonlyMap<string, string>> {
  const text = readPage(source, path);
  return text.ok ? parseLines(path, text.value) : text;
}

/** {@link readLines} of a text already read; `path` is for messages. */
export function parseLines(path: string, text: string): Outcome<ReadonlyMap<string, string>> {
  const lines = new Map<string, string>();
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const space = line.indexOf(' ');
    if (space <= 0) return malformed(path, `${path} has the line ${quote(line)}, not "key value"`);
    lines.set(line.slice(0, space), line.slice(space + 1));
  }
  return { ok: true, value: lines };
}

/** Picks the fields of `table` out of `lines`; absent ones are 0. */
export function decodeFields<T extends object>(
  path: string,
  lines: ReadonlyMap<string, string>,
  table: FieldTable<T>,
): Outcome<T> {
  const record: Record<string, number | bigint> = {};
  for (const field in table) {
    const { key, type } = table[field];
    const text = lines.get(key) ?? '0';
    const value = type === 'u64' ? parseU64(text) : parseU32(text);
    if (value === undefined) return malformed(path, `${path} says ${key} ${quote(text)}, not a decimal ${type}`);
    record[field] = value;
  }
  // Safe: each key of T was set, to a bigint where the table (whose type follows T) says u64, else to a number.
  return { ok: true, value: record as T };
}

/** The failed {@link Outcome} for text that makes no sense. */
export function malformed(path: string, reason: string): { readonly ok: false; readonly problem: TopologyProblem } {
  return { ok: false, problem: { kind: 'malformed', path, reason } };
}

function parseU32(text: string): number | undefined {
  if (!DECIMAL.test(text)) return undefined;
  const value = Number(text);
  return value <= MAX_U32 ? value : undefined;
}

function parseU64(text: string): bigint | undefined {
  if (!DECIMAL.test(text)) return undefined;
  const value = BigInt(text);
  return value <= MAX_U64 ? value : undefined;
}

/** Enough of a text for a message. */
function quote(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
