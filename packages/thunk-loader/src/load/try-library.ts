/** Candidates that are libraries: libhsakmt, librocdxg, AMD's simulator. */
import { HsaError, isHsaError } from '@doorbell/abi';
import { openHsakmtThunk } from '../hsakmt/hsakmt-thunk.js';
import { openSharedLibrary } from '../linux/shared-library.js';
import type { Thunk } from '../thunk.js';
import type { ThunkBackend, ThunkCandidate } from './candidates.js';
import type { FoundLibrary } from './find-library.js';
import { findLibrary, notFoundError } from './find-library.js';
import type { InspectedLibrary, Usable } from './inspect-library.js';
import type { Attempt, Context, LoadThunkOptions } from './try-candidate.js';
import { refused, sysfsOf } from './try-candidate.js';

/** Which library to look for. */
export interface LibrarySearch {
  readonly names: readonly string[];
  readonly context: Context;
  readonly facts?: Readonly<Record<string, unknown>>;
}

/** Finds a library, binds it and opens its thunk. */
export async function tryLibrary(backend: ThunkBackend, { names, context, facts = {} }: LibrarySearch): Promise<Attempt> {
  const found = find(backend, names, context);
  if (found.chosen === undefined) return refusedLibrary(backend, notFoundError(names, found), { found, facts });
  const { inspected } = found.chosen;
  try {
    const thunk = await (context.options.openLibrary ?? openerOf(backend, context.options))(inspected);
    const { major, minor } = thunk.version;
    const candidate: ThunkCandidate = {
      backend,
      state: 'taken',
      reason: `${inspected.path} is open (generation ${inspected.generation.generation}): interface ${major}.${minor}, ${thunk.gpus.length} GPUs`,
      facts: { ...facts, path: inspected.path, version: inspected.version },
      tried: found.tried,
      library: inspected,
      warnings: found.warnings,
    };
    return { candidate, thunk };
  } catch (error) {
    if (!isHsaError(error)) throw error;
    return refusedLibrary(backend, error, { found, facts });
  }
}

/** The file is known to be usable; what it exports itself is all that is bound. */
function openerOf(backend: ThunkBackend, options: LoadThunkOptions) {
  return async ({ path, version, symbols, generation: { generation } }: InspectedLibrary & Usable): Promise<Thunk> => {
    const provider = backend === 'dxg' ? 'librocdxg' : 'libhsakmt';
    return openHsakmtThunk({ path, version, symbols, generation, provider, sysfs: sysfsOf(options) });
  };
}

/** Why AMD's simulator is not used. */
const NOT_DRIVEN = "not loaded: Doorbell does not drive AMD's simulator, since what DtifCreate expects is not published";

/** AMD's simulator: found and judged, and then refused. */
export function tryDtif(context: Context): Attempt {
  const names = ['libdtif.so'];
  const found = find('dtif', names, {
    ...context,
    options: { ...context.options, dlopen: () => ({ ok: false, words: NOT_DRIVEN }) },
  });
  const path = found.tried.find(({ reason }) => reason === NOT_DRIVEN)?.path;
  if (path === undefined) return refusedLibrary('dtif', notFoundError(names, found), { found, facts: {} });
  const error = new HsaError('ERR_NOT_SUPPORTED', {
    message: `${path} is there, and ${NOT_DRIVEN}`,
    hint: 'Unset HSA_ENABLE_DTIF to use the GPU or the emulated one.',
    details: { path },
  });
  return refusedLibrary('dtif', error, { found, facts: {} });
}

function find(backend: ThunkBackend, names: readonly string[], { options, libraries }: Context): FoundLibrary {
  const { libraryPath, dlopen = openSharedLibrary, trace } = options;
  return findLibrary({ backend, names, given: libraryPath, source: libraries, dlopen, trace });
}

function refusedLibrary(
  backend: ThunkBackend,
  error: HsaError,
  { found, facts }: { readonly found: FoundLibrary; readonly facts: Readonly<Record<string, unknown>> },
): Attempt {
  const { tried, warnings } = found;
  const library = found.chosen?.inspected ?? found.refused;
  const path = library === undefined ? {} : { path: library.path, version: library.version };
  const { candidate } = refused(backend, error, { ...facts, ...path });
  return { candidate: { ...candidate, tried, warnings, ...(library === undefined ? {} : { library }) } };
}
