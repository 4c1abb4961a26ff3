import type { AbiGeneration, GenerationDecision } from './abi-generation.js';
import { decideGeneration } from './abi-generation.js';
import type { ElfLibrary, ElfResult } from './elf-library.js';
import { ELF_MACHINES, parseElfLibrary } from './elf-library.js';
import type { LibraryPlace, PlaceOrigin } from './library-search.js';
import { loaderPath } from './library-search.js';
import type { LibrarySource } from './library-source.js';
import { DRM_SYMBOLS, MANDATORY_SYMBOLS, OPTIONAL_SYMBOLS } from './thunk-symbols.js';

/** A thunk library as its file describes it; nothing of it was run. */
export interface InspectedLibrary {
  readonly path: string;
  /** Without links. */
  readonly realPath: string;
  readonly origin: PlaceOrigin;
  /** What follows `.so.` in the real name, and ROCm's version where the folder has one: `1.0.6 (ROCm 6.2.4)`. */
  readonly version: string;
  readonly soname: string | undefined;
  readonly symbolVersions: readonly string[];
  readonly buildId: string | undefined;
  /** Libraries that are loaded with it, and where they would come from. */
  readonly needed: readonly NeededLibrary[];
  readonly symbols: ReadonlySet<string>;
  readonly generation: GenerationDecision;
  readonly missingMandatory: readonly string[];
  readonly missingOptional: readonly string[];
  /** Functions of libdrm that the driver binds, by the file that has them; `missing` are in none. */
  readonly drm: { readonly bound: Readonly<Record<string, readonly string[]>>; readonly missing: readonly string[] };
}

/** A library that another one needs. */
export interface NeededLibrary {
  readonly name: string;
  /** Absent where it was found nowhere. */
  readonly path?: string;
}

/** What a path holds: nothing, a library that cannot be used, or one that can. */
export type PathReport =
  | { readonly place: LibraryPlace; readonly state: 'absent'; readonly reason: string }
  | { readonly place: LibraryPlace; readonly state: 'refused'; readonly reason: string; readonly library?: InspectedLibrary }
  | { readonly place: LibraryPlace; readonly state: 'usable'; readonly library: InspectedLibrary & Usable };

/** A library whose layouts are known. */
export interface Usable {
  readonly generation: { readonly generation: AbiGeneration; readonly evidence: string };
}

/** AMD's debug builds have 100 MiB. */
const MAX_LIBRARY_BYTES = 1 << 29;

/** Reads the file at a place and judges it. Never throws for what the file holds. */
export function inspectPlace(source: LibrarySource, place: LibraryPlace): PathReport {
  const real = source.realPath(place.path);
  if (!real.ok) return { place, state: 'absent', reason: real.errno };
  const file = source.readBytes(real.value, MAX_LIBRARY_BYTES);
  if (!file.ok) return { place, state: 'refused', reason: `reading it failed with ${file.errno}` };
  const elf = parseElfLibrary(file.value);
  const reason = elf.ok ? wrongMachine(elf.library, source.arch) : elf.reason;
  if (reason !== undefined || !elf.ok) return { place, state: 'refused', reason: reason ?? 'it is no library' };
  const library = describe(source, { place, realPath: real.value, elf: elf.library, bytes: file.value });
  if (library.missingMandatory.length > 0) {
    return { place, state: 'refused', reason: `it lacks ${library.missingMandatory.join(', ')}`, library };
  }
  const { generation, evidence } = library.generation;
  if (generation === undefined) return { place, state: 'refused', reason: evidence, library };
  return { place, state: 'usable', library: { ...library, generation: { generation, evidence } } };
}

function wrongMachine({ machine }: ElfLibrary, arch: string): string | undefined {
  const wanted = ELF_MACHINES[arch];
  if (wanted === undefined || machine === wanted) return undefined;
  const name = Object.entries(ELF_MACHINES).find(([, number]) => number === machine)?.[0];
  return `it is built for ${name ?? `ELF machine ${machine}`}, and this process is ${arch}`;
}

interface ReadLibrary {
  readonly place: LibraryPlace;
  readonly realPath: string;
  readonly elf: ElfLibrary;
  readonly bytes: Uint8Array;
}

function describe(source: LibrarySource, { place, realPath, elf, bytes }: ReadLibrary): InspectedLibrary {
  const needed = elf.needed.map((name) => locate(source, { name, runPath: elf.runPath, folder: folderOf(realPath) }));
  return {
    path: place.path,
    realPath,
    origin: place.origin,
    version: versionOf(source, realPath),
    soname: elf.soname,
    symbolVersions: elf.versions,
    buildId: elf.buildId,
    needed,
    symbols: new Set(elf.exports.keys()),
    generation: decideGeneration(elf, bytes),
    missingMandatory: MANDATORY_SYMBOLS.filter((name) => !isFunction(elf, name)),
    missingOptional: OPTIONAL_SYMBOLS.filter((name) => !isFunction(elf, name)),
    drm: bindDrm(source, { path: place.path, elf, needed }),
  };
}

function isFunction(elf: ElfLibrary, name: string): boolean {
  return elf.exports.get(name)?.kind === 'function';
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

/** The numbers of the file's own name, and of ROCm's `.info/version` two folders up. */
function versionOf(source: LibrarySource, realPath: string): string {
  const file = /\.so\.([\d.]+)$/.exec(realPath)?.[1] ?? 'without a version';
  const info = source.readBytes(`${folderOf(folderOf(realPath))}/.info/version`, 4096);
  const rocm = info.ok ? new TextDecoder().decode(info.value).trim().split('\n')[0] : undefined;
  return rocm === undefined || rocm === '' ? file : `${file} (ROCm ${rocm})`;
}

/** Where the dynamic loader would find a needed library: the run path of the one that needs it, then as usual. */
function locate(
  source: LibrarySource,
  { name, runPath, folder }: { readonly name: string; readonly runPath: string | undefined; readonly folder: string },
): NeededLibrary {
  const own = (runPath ?? '').split(':').filter((entry) => entry !== '');
  const besides = own.map((entry) => `${entry.replace(/\$ORIGIN|\$\{ORIGIN\}/g, folder)}/${name}`);
  const path = besides.find((candidate) => source.realPath(candidate).ok) ?? loaderPath(source, name);
  return path === undefined ? { name } : { name, path };
}

/** Looks for libdrm's functions in the library itself, then in the libraries that are loaded with it. */
function bindDrm(
  source: LibrarySource,
  { path, elf, needed }: { readonly path: string; readonly elf: ElfLibrary; readonly needed: readonly NeededLibrary[] },
): InspectedLibrary['drm'] {
  const files: [string, ElfLibrary][] = [[path, elf]];
  for (const { name, path: found } of needed) {
    if (found === undefined || !name.startsWith('libdrm')) continue;
    const parsed = readElf(source, found);
    if (parsed.ok) files.push([found, parsed.library]);
  }
  const bound: Record<string, string[]> = {};
  const missing: string[] = [];
  for (const symbol of DRM_SYMBOLS) {
    const from = files.find(([, library]) => isFunction(library, symbol))?.[0];
    if (from === undefined) missing.push(symbol);
    else (bound[from] ??= []).push(symbol);
  }
  return { bound, missing };
}

function readElf(source: LibrarySource, path: string): ElfResult {
  const file = source.readBytes(path, MAX_LIBRARY_BYTES);
  return file.ok ? parseElfLibrary(file.value) : { ok: false, reason: file.errno };
}
