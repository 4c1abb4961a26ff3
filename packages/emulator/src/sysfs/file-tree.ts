/** A tree of files in memory that answers as a {@link SysfsSource}. */
import { HsaError } from '@doorbell/abi';
import type { SysfsResult, SysfsSource, SysfsStat } from '@doorbell/abi';

type Entry =
  | { readonly kind: 'directory'; readonly children: Map<string, Entry> }
  | { readonly kind: 'file'; readonly read: () => string; readonly mode: number }
  | { readonly kind: 'character-device'; readonly mode: number }
  | { readonly kind: 'link'; readonly target: string };

type Directory = Extract<Entry, { kind: 'directory' }>;

/** Linux gives up on a path after this many symbolic links (path_resolution(7)). */
const MAX_LINKS = 40;
const DIRECTORY_MODE = 0o755;
const FILE_MODE = 0o444;
const LINK_MODE = 0o777;

/** Builder and source in one: fill it, then hand it out as a {@link SysfsSource}. Paths are absolute. */
export class FileTree implements SysfsSource {
  readonly #root: Directory = newDirectory();
  /** Entries by the path they were added under: the usual case, without a walk. */
  readonly #byPath = new Map<string, Entry>();
  /** The folder that was read from last, behind links or not: its other files are mostly next. */
  #lastFolder: { readonly path: string; readonly children: ReadonlyMap<string, Entry> } | undefined;

  /** A file with fixed text, or with text made anew at each read. */
  addFile(path: string, content: string | (() => string)): void {
    const read = typeof content === 'string' ? (): string => content : content;
    this.#add(path, { kind: 'file', read, mode: FILE_MODE });
  }

  /** Files with fixed texts, by their names in one folder. */
  addFiles(folder: string, texts: Readonly<Record<string, string>>): void {
    const { children } = this.#directory(split(folder));
    for (const [name, text] of Object.entries(texts)) {
      const file: Entry = { kind: 'file', read: () => text, mode: FILE_MODE };
      children.set(name, file);
      this.#byPath.set(`${folder}/${name}`, file);
    }
  }

  /** Folders `0`, `1`, … in a folder, each with one file of this name; the folder is there even when there are none. */
  addNumbered(folder: string, name: string, contents: readonly (() => string)[]): void {
    const { children } = this.#directory(split(folder));
    for (const [index, read] of contents.entries()) {
      const file: Entry = { kind: 'file', read, mode: FILE_MODE };
      children.set(`${index}`, { kind: 'directory', children: new Map([[name, file]]) });
      this.#byPath.set(`${folder}/${index}/${name}`, file);
    }
  }

  addDirectory(path: string): void {
    this.#directory(split(path));
  }

  addLink(path: string, target: string): void {
    this.#add(path, { kind: 'link', target });
  }

  addDevice(path: string, mode: number): void {
    this.#add(path, { kind: 'character-device', mode });
  }

  readText(path: string): SysfsResult<string> {
    const known = this.#byPath.get(path);
    if (known?.kind === 'file') return { ok: true, value: known.read() };
    const slash = path.lastIndexOf('/');
    const neighbour = this.#childrenOf(path.slice(0, slash))?.get(path.slice(slash + 1));
    if (neighbour?.kind === 'file') return { ok: true, value: neighbour.read() };
    const found = this.#find(path);
    if (!found.ok) return found;
    const entry = found.value;
    if (entry.kind === 'file') return { ok: true, value: entry.read() };
    return { ok: false, errno: entry.kind === 'directory' ? 'EISDIR' : 'EINVAL' };
  }

  list(path: string): SysfsResult<readonly string[]> {
    const found = this.#find(path);
    if (!found.ok) return found;
    if (found.value.kind !== 'directory') return { ok: false, errno: 'ENOTDIR' };
    return { ok: true, value: sortNames([...found.value.children.keys()]) };
  }

  stat(path: string): SysfsResult<SysfsStat> {
    const found = this.#find(path);
    if (!found.ok) return found;
    const entry = found.value;
    if (entry.kind === 'link') return { ok: true, value: { kind: 'other', mode: LINK_MODE, uid: 0, gid: 0 } };
    const mode = entry.kind === 'directory' ? DIRECTORY_MODE : entry.mode;
    return { ok: true, value: { kind: entry.kind, mode, uid: 0, gid: 0 } };
  }

  readLink(path: string): SysfsResult<string> {
    const found = this.#find(path, 'last link stays');
    if (!found.ok) return found;
    return found.value.kind === 'link' ? { ok: true, value: found.value.target } : { ok: false, errno: 'EINVAL' };
  }

  #childrenOf(folder: string): ReadonlyMap<string, Entry> | undefined {
    if (this.#lastFolder?.path === folder) return this.#lastFolder.children;
    const found = this.#find(folder);
    if (!found.ok || found.value.kind !== 'directory') return undefined;
    this.#lastFolder = { path: folder, children: found.value.children };
    return this.#lastFolder.children;
  }

  #add(path: string, entry: Entry): void {
    this.#lastFolder = undefined;
    const parts = split(path);
    const name = parts.pop();
    if (name === undefined) throw new HsaError('ERR_INVALID_ARGUMENT', { message: `${path} names no file` });
    this.#directory(parts).children.set(name, entry);
    this.#byPath.set(path, entry);
  }

  #directory(parts: readonly string[]): Directory {
    let directory = this.#root;
    for (const part of parts) {
      let child = directory.children.get(part);
      if (child === undefined) {
        child = newDirectory();
        directory.children.set(part, child);
      }
      if (child.kind !== 'directory')
        throw new HsaError('ERR_INVALID_ARGUMENT', { message: `/${parts.join('/')}: ${part} is no directory` });
      directory = child;
    }
    return directory;
  }

  #find(path: string, last: 'last link stays' | 'follow' = 'follow'): SysfsResult<Entry> {
    let parts = split(path);
    let linksLeft = MAX_LINKS;
    let entry: Entry = this.#root;
    for (let index = 0; index < parts.length; index += 1) {
      if (entry.kind !== 'directory') return { ok: false, errno: 'ENOTDIR' };
      const child: Entry | undefined = entry.children.get(parts[index] ?? '');
      if (child === undefined) return { ok: false, errno: 'ENOENT' };
      const isLast = index === parts.length - 1;
      if (child.kind !== 'link' || (isLast && last === 'last link stays')) {
        entry = child;
        continue;
      }
      if (linksLeft === 0) return { ok: false, errno: 'ELOOP' };
      linksLeft -= 1;
      parts = [...split(child.target), ...parts.slice(index + 1)];
      entry = this.#root;
      index = -1;
    }
    return { ok: true, value: entry };
  }
}

function newDirectory(): Directory {
  return { kind: 'directory', children: new Map() };
}

/** Path components; `..` takes the one before away. */
function split(path: string): string[] {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts;
}

/** Numbers by value, other names by their characters. */
function sortNames(names: string[]): readonly string[] {
  // Hundreds of numbered folders are the usual case; they are added in order.
  const numbers = names.map((name) => (/^\d+$/.test(name) ? Number(name) : Number.NaN));
  if (numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? Number.NaN))) return names;
  return names.sort(byNumberThenName);
}

function byNumberThenName(a: string, b: string): number {
  if (/^\d+$/.test(a) && /^\d+$/.test(b)) return Number(a) - Number(b);
  return a < b ? -1 : a > b ? 1 : 0;
}
