/**
 * Where a library is looked for: what the user named, a Python or conda environment, ROCm's folders, then what the dynamic
 * loader would take (ld.so(8)), and at last the folder of AMD's runtime.
 */
import { parseLdCache } from './ld-cache.js';
import type { LibrarySource } from './library-source.js';

/** Why a folder is looked at. */
export type PlaceOrigin =
  | 'given'
  | 'LD_LIBRARY_PATH'
  | 'ROCM_PATH'
  | 'HIP_PATH'
  | 'python'
  | 'conda'
  | 'rocm'
  | 'ld.so.cache'
  | 'ld.so.conf'
  | 'system'
  | 'runtime';

/** A path that may hold the library. */
export interface LibraryPlace {
  readonly path: string;
  readonly origin: PlaceOrigin;
}

/** Every place, in order, without doubles, and what could not be looked at. */
export interface LibraryPlaces {
  readonly places: readonly LibraryPlace[];
  readonly notes: readonly string[];
}

const LD_CACHE = '/etc/ld.so.cache';
const MAX_CACHE_BYTES = 1 << 26;
const MAX_CONF_BYTES = 1 << 20;
const MAX_CONF_FILES = 256;
/** Debian's names of its folders, by Node's architecture. */
const MULTIARCH: Readonly<Record<string, string>> = {
  x64: 'x86_64-linux-gnu',
  arm64: 'aarch64-linux-gnu',
  ppc64: 'powerpc64le-linux-gnu',
  riscv64: 'riscv64-linux-gnu',
  loong64: 'loongarch64-linux-gnu',
};
/** AMD's runtime, beside which its packages put the thunk libraries. */
const RUNTIME_NAME = 'libhsa-runtime64.so.1';

/** All paths that may hold a library of one of these names, the preferred name first. */
export function placesOf(source: LibrarySource, names: readonly string[], given?: string): LibraryPlaces {
  const search = new PlaceList();
  if (given !== undefined) search.add(given, 'given');
  search.addFolders(namedFolders(source), names);
  const cache = cacheOf(source);
  for (const name of names) {
    for (const path of cache.paths(name)) search.add(path, 'ld.so.cache');
  }
  const conf = cache.note === undefined ? [] : configuredFolders(source);
  search.addFolders(
    [...conf.map((folder) => ['ld.so.conf', folder] as const), ...systemFolders(source.arch).map((f) => ['system', f] as const)],
    names,
  );
  const runtime = findRuntime(source, cache);
  if (runtime !== undefined) search.addFolders([['runtime', runtime]], names);
  const notes = [
    ...(cache.note === undefined ? [] : [cache.note]),
    ...namedByVariables(source).flatMap(({ note }) => note ?? []),
  ];
  return { places: search.places, notes };
}

/** Where the dynamic loader finds a library by itself: its search path, its index, its own folders. */
export function loaderPath(source: LibrarySource, name: string): string | undefined {
  const cache = cacheOf(source);
  const folders = [
    ...variableFolders(source, 'LD_LIBRARY_PATH'),
    ...(cache.note === undefined ? [] : configuredFolders(source)),
    ...systemFolders(source.arch),
  ];
  const paths = [...cache.paths(name), ...folders.map((folder) => `${folder}/${name}`)];
  return paths.find((path) => source.realPath(path).ok);
}

class PlaceList {
  readonly places: LibraryPlace[] = [];
  readonly #seen = new Set<string>();

  add(path: string, origin: PlaceOrigin): void {
    if (this.#seen.has(path)) return;
    this.#seen.add(path);
    this.places.push({ path, origin });
  }

  addFolders(folders: readonly (readonly [PlaceOrigin, string])[], names: readonly string[]): void {
    for (const [origin, folder] of folders) {
      for (const name of names) this.add(`${folder}/${name}`, origin);
    }
  }
}

/** Folders that the user named, an environment that is active, and ROCm's own, newest version first. */
function namedFolders(source: LibrarySource): readonly (readonly [PlaceOrigin, string])[] {
  return [
    ...variableFolders(source, 'LD_LIBRARY_PATH').map((folder) => ['LD_LIBRARY_PATH', folder] as const),
    ...variableFolders(source, 'ROCM_PATH').map((root) => ['ROCM_PATH', `${root}/lib`] as const),
    ...variableFolders(source, 'HIP_PATH').map((root) => ['HIP_PATH', `${root}/lib`] as const),
    ...pythonFolders(source).map((folder) => ['python', folder] as const),
    ...variableFolders(source, 'CONDA_PREFIX').map((root) => ['conda', `${root}/lib`] as const),
    ...rocmRoots(source).flatMap((root) => [['rocm', `${root}/lib`] as const, ['rocm', `${root}/lib64`] as const]),
  ];
}

type PathVariable = 'LD_LIBRARY_PATH' | 'ROCM_PATH' | 'HIP_PATH' | 'CONDA_PREFIX';
const PATH_VARIABLES: readonly PathVariable[] = ['LD_LIBRARY_PATH', 'ROCM_PATH', 'HIP_PATH', 'CONDA_PREFIX'];

/** What an entry of a variable names: a folder, or why none, and what is to be said of it. */
interface NamedFolder {
  readonly folder?: string;
  readonly note?: string;
}

function namedByVariables(source: LibrarySource): readonly NamedFolder[] {
  return PATH_VARIABLES.flatMap((variable) => entriesOf(source, variable).map((entry) => resolveEntry(source, variable, entry)));
}

function variableFolders(source: LibrarySource, variable: PathVariable): readonly string[] {
  return entriesOf(source, variable).flatMap((entry) => resolveEntry(source, variable, entry).folder ?? []);
}

/** The loader splits at colons and semicolons. A variable that is set to nothing is as if unset; ld.so(8). */
function entriesOf({ env }: LibrarySource, variable: PathVariable): readonly string[] {
  const entries = (env[variable] ?? '').split(/[:;]/);
  const isUnset = entries.length === 1 && entries[0] === '';
  return isUnset ? [] : variable === 'LD_LIBRARY_PATH' ? entries : entries.filter((entry) => entry !== '');
}

/** Relative folders count from the working directory, and an entry of no length is that directory; ld.so(8). */
function resolveEntry(source: LibrarySource, variable: PathVariable, entry: string): NamedFolder {
  if (/\$(ORIGIN|LIB|PLATFORM|\{)/.test(entry))
    return { note: `${variable} has ${entry}, which only the dynamic loader can expand: not looked at` };
  if (entry.startsWith('/')) return { folder: entry };
  const what = entry === '' ? 'an empty entry' : `the relative entry ${entry}`;
  const cwd = source.workingFolder();
  if (!cwd.ok) return { note: `${variable} has ${what}, and the working directory cannot be told (${cwd.errno})` };
  const folder = entry === '' ? cwd.value : `${cwd.value === '/' ? '' : cwd.value}/${entry}`;
  return { folder, note: `${variable} has ${what}: it depends on the working directory, and is ${folder} now` };
}

/** AMD's Python packages bring their libraries in `_rocm_sdk_core/lib` of the environment's site-packages. */
function pythonFolders(source: LibrarySource): readonly string[] {
  const roots = [source.env['VIRTUAL_ENV'], source.env['CONDA_PREFIX']].filter((root): root is string => !!root);
  return roots.flatMap((root) =>
    source
      .list(`${root}/lib`)
      .filter((name) => /^python3\.\d+$/.test(name))
      .sort(newestFirst)
      .map((name) => `${root}/lib/${name}/site-packages/_rocm_sdk_core/lib`),
  );
}

/** `/opt/rocm`, the SDK's `/opt/rocm/core-<version>`, and versions beside each other, `/opt/rocm-<version>`. */
function rocmRoots(source: LibrarySource): readonly string[] {
  const cores = source
    .list('/opt/rocm')
    .filter((name) => name === 'core' || /^core-\d/.test(name))
    .sort(newestFirst);
  const versions = source
    .list('/opt')
    .filter((name) => /^rocm-\d/.test(name))
    .sort(newestFirst);
  return ['/opt/rocm', ...cores.map((name) => `/opt/rocm/${name}`), ...versions.map((name) => `/opt/${name}`)];
}

/** By the numbers in the names: `rocm-6.10.0` before `rocm-6.4.1`; a name without any comes first, it is the distribution's choice. */
function newestFirst(a: string, b: string): number {
  const [left, right] = [numbersOf(a), numbersOf(b)];
  if (left.length === 0 || right.length === 0) return left.length - right.length;
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (right[i] ?? 0) - (left[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function numbersOf(name: string): readonly number[] {
  return (name.match(/\d+/g) ?? []).map(Number);
}

interface Cache {
  paths(name: string): readonly string[];
  /** Why there is none. */
  readonly note: string | undefined;
}

/** A search asks for many names: the index is read once for each source. */
const caches = new WeakMap<LibrarySource, Cache>();

function cacheOf(source: LibrarySource): Cache {
  const known = caches.get(source) ?? readCache(source);
  caches.set(source, known);
  return known;
}

function readCache(source: LibrarySource): Cache {
  const file = source.readBytes(LD_CACHE, MAX_CACHE_BYTES);
  if (!file.ok) return { paths: () => [], note: `${LD_CACHE} cannot be read (${file.errno}); /etc/ld.so.conf is used instead` };
  const cache = parseLdCache(file.value, source.arch);
  if (!cache.ok) return { paths: () => [], note: `${LD_CACHE}: ${cache.reason}; /etc/ld.so.conf is used instead` };
  const byName = new Map<string, string[]>();
  // Of one name, the loader prefers a library that is made for the processor's features.
  for (const wanted of [true, false]) {
    for (const { name, path, needsFeatures } of cache.entries) {
      if (needsFeatures === wanted) byName.set(name, [...(byName.get(name) ?? []), path]);
    }
  }
  return { paths: (name) => byName.get(name) ?? [], note: undefined };
}

/** Folders of /etc/ld.so.conf and of the files that it includes; ldconfig(8). */
function configuredFolders(source: LibrarySource): readonly string[] {
  const folders: string[] = [];
  const todo = ['/etc/ld.so.conf'];
  for (let i = 0; i < todo.length && i < MAX_CONF_FILES; i++) {
    const path = todo[i];
    const file = path === undefined ? undefined : source.readBytes(path, MAX_CONF_BYTES);
    if (file?.ok !== true) continue;
    for (const line of new TextDecoder().decode(file.value).split('\n')) {
      const text = line.replace(/#.*/, '').trim();
      const include = /^include\s+(\S+)$/.exec(text);
      if (include?.[1] !== undefined) todo.push(...expandPattern(source, include[1]).filter((found) => !todo.includes(found)));
      else if (text.startsWith('/')) folders.push(...text.split(/[\s:,]+/).map((folder) => folder.replace(/=.*$/, '')));
    }
  }
  return folders;
}

/** Files that a pattern with `*` in its last part names; relative ones count from /etc. */
function expandPattern(source: LibrarySource, pattern: string): readonly string[] {
  const path = pattern.startsWith('/') ? pattern : `/etc/${pattern}`;
  const folder = path.slice(0, path.lastIndexOf('/'));
  const name = path.slice(folder.length + 1);
  if (!name.includes('*')) return [path];
  const [start = '', end = ''] = name.split('*');
  return [...source.list(folder)]
    .filter((entry) => entry.length >= start.length + end.length && entry.startsWith(start) && entry.endsWith(end))
    .sort()
    .map((entry) => `${folder}/${entry}`);
}

/** The folders that the loader knows without being told: Debian's, then those of the other distributions. */
function systemFolders(arch: string): readonly string[] {
  const multiarch = MULTIARCH[arch];
  const debian = multiarch === undefined ? [] : [`/lib/${multiarch}`, `/usr/lib/${multiarch}`];
  return [...debian, '/lib64', '/usr/lib64', '/lib', '/usr/lib'];
}

/** The folder of the first runtime that is there: AMD's own loader looks beside it when nothing else helps. */
function findRuntime(source: LibrarySource, cache: Cache): string | undefined {
  const search = new PlaceList();
  search.addFolders(namedFolders(source), [RUNTIME_NAME]);
  for (const path of cache.paths(RUNTIME_NAME)) search.add(path, 'ld.so.cache');
  search.addFolders(
    systemFolders(source.arch).map((folder) => ['system', folder] as const),
    [RUNTIME_NAME],
  );
  for (const { path } of search.places) {
    const real = source.realPath(path);
    if (real.ok) return real.value.slice(0, real.value.lastIndexOf('/'));
  }
  return undefined;
}
