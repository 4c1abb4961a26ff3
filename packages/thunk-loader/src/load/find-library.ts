import { HsaError } from '@doorbell/abi';
import type { SharedLibrary, SharedLibraryResult } from '../linux/shared-library.js';
import type { TraceSink } from '../trace/trace-event.js';
import { emit } from '../trace/trace-event.js';
import type { ThunkBackend, TriedPath } from './candidates.js';
import type { InspectedLibrary, PathReport, Usable } from './inspect-library.js';
import { inspectPlace } from './inspect-library.js';
import { placesOf } from './library-search.js';
import type { LibrarySource } from './library-source.js';

/** How the reason of a path begins that leads to a file seen before. */
const SAME_FILE = 'the same file as ';

/** What to look for, and with what. */
export interface FindLibraryOptions {
  readonly backend: ThunkBackend;
  /** The preferred name first. */
  readonly names: readonly string[];
  /** A path to look at before all others. */
  readonly given?: string | undefined;
  readonly source: LibrarySource;
  /** Loads a library that was judged usable. */
  readonly dlopen: (path: string) => SharedLibraryResult;
  readonly trace?: TraceSink | undefined;
}

/** Every path with its reason, and the library that was loaded. */
export interface FoundLibrary {
  readonly tried: readonly TriedPath[];
  readonly warnings: readonly string[];
  /** The library that was loaded; absent when none could be. */
  readonly chosen?: { readonly inspected: InspectedLibrary & Usable; readonly loaded: SharedLibrary };
  /** The first file that is there and was refused. */
  readonly refused?: InspectedLibrary;
}

/** A structure of three sizes for `DxgAbiCheck`; rocr thunk_loader.cpp CheckThunkAbi, `HsaStructureSizes`: eight u16. */
const DXG_SIZES_BYTES = 16;
/** Of HsaNodeProperties in generation B, which is what the provider reads. */
const NODE_PROPERTIES_BYTES_B = 368;

/**
 * Looks for a library at all its places, judges each file by what it says of itself, and loads the first that will do. A file
 * that is refused is never loaded.
 */
export function findLibrary(options: FindLibraryOptions): FoundLibrary {
  const { source, names, given } = options;
  const { places, notes } = placesOf(source, names, given);
  for (const note of notes) emit(options.trace, { step: 'search', backend: options.backend, note });
  const tried: TriedPath[] = [];
  const usable: (InspectedLibrary & Usable)[] = [];
  const copies = new Map<string, Pick<TriedPath, 'path' | 'outcome'>>();
  let refused: InspectedLibrary | undefined;
  let chosen: FoundLibrary['chosen'];
  for (const place of places) {
    const real = source.realPath(place.path);
    const same = real.ok ? copies.get(real.value) : undefined;
    if (same !== undefined) {
      const { path, outcome } = same;
      tried.push({ path: place.path, origin: place.origin, outcome, reason: `${SAME_FILE}${path}` });
      emit(options.trace, { step: 'path', backend: options.backend, path: place.path, outcome, reason: `${SAME_FILE}${path}` });
      continue;
    }
    const report = inspectPlace(source, place);
    traceReport(options, report);
    if (real.ok) copies.set(real.value, { path: place.path, outcome: report.state });
    if (report.state !== 'usable') {
      if (report.state === 'refused') refused ??= report.library;
      tried.push({ ...pathOf(report), outcome: report.state, reason: report.reason });
      continue;
    }
    usable.push(report.library);
    if (chosen !== undefined) {
      tried.push({ ...pathOf(report), outcome: 'usable', reason: `another copy, ${describeLibrary(report.library)}` });
      continue;
    }
    const opened = load(options, report.library);
    if (opened.ok) chosen = { inspected: report.library, loaded: opened.library };
    else refused ??= report.library;
    const outcome = opened.ok ? 'usable' : 'refused';
    if (real.ok) copies.set(real.value, { path: place.path, outcome });
    tried.push({ ...pathOf(report), outcome, reason: opened.ok ? describeLibrary(report.library) : opened.words });
  }
  const warnings = [...notes, ...warnOf({ chosen, usable, tried })];
  return { tried, warnings, ...(chosen === undefined ? {} : { chosen }), ...(refused === undefined ? {} : { refused }) };
}

/** Why no library was loaded: every path with its reason, those with the same reason together. */
export function notFoundError(names: readonly string[], { tried, refused }: FoundLibrary): HsaError {
  const byReason = new Map<string, string[]>();
  for (const { path, reason } of tried) byReason.set(reason, [...(byReason.get(reason) ?? []), path]);
  const lines = [...byReason].map(([reason, paths]) => `${reason}: ${foldNames(paths)}`);
  const name = names.join(' or ');
  const isThere = tried.some(({ outcome }) => outcome === 'refused');
  return new HsaError(
    isThere && refused !== undefined && refused.missingMandatory.length > 0 ? 'ERR_THUNK_SYMBOL' : 'ERR_THUNK_NOT_FOUND',
    {
      message: `${name} ${isThere ? 'is there, but cannot be used' : 'was not found'}: ${lines.join('; ')}`,
      hint: isThere
        ? 'Install the libraries of one ROCm release, or name the right folder in LD_LIBRARY_PATH.'
        : `If ${names[0] ?? 'it'} is somewhere else, name its folder in LD_LIBRARY_PATH.`,
      details: {
        tried,
        ...(refused === undefined ? {} : { path: refused.path, version: refused.version, missing: refused.missingMandatory }),
      },
    },
  );
}

/** `libhsakmt.so.1, version 1.0.6, generation A`. */
export function describeLibrary({ soname, version, generation, buildId }: InspectedLibrary): string {
  const id = buildId === undefined ? '' : `, build id ${buildId.slice(0, 12)}`;
  return `${soname ?? 'a library without a name'}, version ${version}, generation ${generation.generation ?? 'unknown'}${id}`;
}

function load(options: FindLibraryOptions, library: InspectedLibrary & Usable): SharedLibraryResult {
  const opened = options.dlopen(library.path);
  emit(options.trace, { step: 'dlopen', path: library.path, outcome: opened.ok ? 'ok' : opened.words });
  if (!opened.ok || !library.symbols.has('DxgAbiCheck')) return opened;
  const sizes = new Uint8Array(DXG_SIZES_BYTES);
  new DataView(sizes.buffer).setUint16(0, DXG_SIZES_BYTES, true);
  new DataView(sizes.buffer).setUint16(2, NODE_PROPERTIES_BYTES_B, true);
  const status = opened.library.callWith('DxgAbiCheck', sizes);
  const outcome = status === 0 ? 'accepts' : `refuses with status ${status}`;
  const words = `DxgAbiCheck ${outcome} HsaNodeProperties of ${NODE_PROPERTIES_BYTES_B} bytes`;
  emit(options.trace, { step: 'dlopen', path: library.path, outcome: words });
  return status === 0 ? opened : { ok: false, words };
}

function traceReport({ trace, backend }: FindLibraryOptions, report: PathReport): void {
  if (trace === undefined) return;
  const { path } = report.place;
  const reason = report.state === 'usable' ? describeLibrary(report.library) : report.reason;
  emit(trace, { step: 'path', backend, path, outcome: report.state, reason });
  if (report.state === 'absent' || report.library === undefined) return;
  const { missingMandatory, missingOptional, drm, generation } = report.library;
  emit(trace, {
    step: 'symbols',
    backend,
    path,
    generation: `${generation.generation ?? 'unknown'} (${generation.evidence})`,
    missingMandatory,
    missingOptional,
    missingDrm: drm.missing,
  });
}

function pathOf({ place }: PathReport): Pick<TriedPath, 'path' | 'origin'> {
  return { path: place.path, origin: place.origin };
}

function warnOf({
  chosen,
  usable,
  tried,
}: {
  readonly chosen: FoundLibrary['chosen'];
  readonly usable: readonly InspectedLibrary[];
  readonly tried: readonly TriedPath[];
}): readonly string[] {
  if (chosen === undefined) return [];
  const { path, realPath, missingOptional, needed } = chosen.inspected;
  const others = usable.filter((library) => library.realPath !== realPath);
  const refused = tried.filter(({ outcome, reason }) => outcome === 'refused' && !reason.startsWith(SAME_FILE));
  const absent = needed.filter((library) => library.path === undefined).map(({ name }) => name);
  return [
    ...others.map((other) => `there is another copy, ${other.path} (${describeLibrary(other)}): a program may load that one`),
    ...refused.map((other) => `${other.path} was refused: ${other.reason}`),
    ...(missingOptional.length === 0 ? [] : [`${path} lacks ${missingOptional.join(', ')}; calling one of them fails`]),
    ...(absent.length === 0 ? [] : [`${path} needs ${absent.join(', ')}, found in none of the loader's folders`]),
  ];
}

/** `/a/{x,y}` for the names in one folder. */
function foldNames(paths: readonly string[]): string {
  const folders = new Map<string, string[]>();
  for (const path of paths) {
    const end = path.lastIndexOf('/');
    const folder = path.slice(0, end);
    folders.set(folder, [...(folders.get(folder) ?? []), path.slice(end + 1)]);
  }
  return [...folders]
    .map(([folder, names]) => (names.length === 1 ? `${folder}/${names[0] ?? ''}` : `${folder}/{${names.join(',')}}`))
    .join(', ');
}
