import type { KfdDevice } from '@doorbell/abi';
import { HsaError, isHsaError } from '@doorbell/abi';
import { openKfdThunk } from '../kfd/kfd-thunk.js';
import type { OpenKfdOptions } from '../linux/kfd-device.js';
import { openKfdDevice } from '../linux/kfd-device.js';
import { createLinuxSysfs } from '../linux/sysfs.js';
import type { Thunk } from '../thunk.js';
import type { LibrarySource } from './library-search.js';
import { searchLibrary, systemLibraries } from './library-search.js';

/** Every way to reach a GPU, in the order in which `auto` tries. */
export const THUNK_BACKENDS = ['kfd', 'libhsakmt', 'dxg', 'emulated'] as const;

/** A way to reach a GPU: our own thunk on the kernel driver, AMD's thunk libraries, the emulated device. */
export type ThunkBackend = (typeof THUNK_BACKENDS)[number];

/** One candidate of {@link loadThunk}: whether it was taken, and why or why not. */
export interface ThunkCandidate {
  readonly backend: ThunkBackend;
  readonly state: 'taken' | 'refused' | 'not-tried';
  /** A sentence for people. */
  readonly reason: string;
  /** What was looked at and found: paths, versions, errno. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** Why it was refused. */
  readonly error?: Error;
}

/** What to load; see {@link loadThunk}. */
export interface LoadThunkOptions {
  /** Default: `auto`, every candidate in order until one comes up. */
  readonly backend?: 'auto' | ThunkBackend;
  /** Opens the emulated device; without it there is no such candidate. */
  readonly emulated?: () => Promise<KfdDevice>;
  /** How to open the real device. */
  readonly kfd?: OpenKfdOptions;
  /** Opens the real device. Default: {@link openKfdDevice}. */
  readonly openDevice?: (options: OpenKfdOptions) => KfdDevice | Promise<KfdDevice>;
  /** Where to look for libraries. Default: the machine's own folders and environment. */
  readonly libraries?: LibrarySource;
}

/** A thunk that came up, with every candidate in the order of trying. */
export interface LoadedThunk {
  readonly thunk: Thunk;
  readonly backend: ThunkBackend;
  readonly candidates: readonly ThunkCandidate[];
}

/**
 * Finds a thunk and opens it; the answer lists every candidate with the reason it was taken or refused.
 * @throws {HsaError} ERR_THUNK_NOT_FOUND with every candidate's error in `cause` when none comes up; the candidate's own error
 * when only one was asked for.
 * @example
 * const { thunk, candidates } = await loadThunk({ backend: 'auto' });
 */
export async function loadThunk(options: LoadThunkOptions = {}): Promise<LoadedThunk> {
  const { backend = 'auto' } = options;
  const order = backend === 'auto' ? THUNK_BACKENDS : [backend];
  const candidates: ThunkCandidate[] = [];
  for (const [index, name] of order.entries()) {
    const attempt = await tryCandidate(name, options);
    candidates.push(attempt.candidate);
    if (attempt.thunk === undefined) continue;
    for (const other of order.slice(index + 1)) candidates.push(notTried(other, name));
    return { thunk: attempt.thunk, backend: name, candidates };
  }
  throw noneFound(candidates);
}

interface Attempt {
  readonly candidate: ThunkCandidate;
  readonly thunk?: Thunk;
}

async function tryCandidate(backend: ThunkBackend, options: LoadThunkOptions): Promise<Attempt> {
  const libraries = options.libraries ?? systemLibraries();
  switch (backend) {
    case 'kfd': {
      const kfd = options.kfd ?? {};
      const open = options.openDevice ?? openKfdDevice;
      return tryKfd(backend, { path: kfd.path ?? '/dev/kfd' }, async () => open(kfd));
    }
    case 'libhsakmt':
      return unsupportedLibrary(backend, searchLibrary(libraries, ['libhsakmt.so.1', 'libhsakmt.so']));
    case 'dxg': {
      const device = (options.kfd?.sysfs ?? createLinuxSysfs()).stat('/dev/dxg');
      const facts = { device: '/dev/dxg', deviceState: device.ok ? 'present' : device.errno };
      return unsupportedLibrary(backend, searchLibrary(libraries, ['librocdxg.so.1', 'librocdxg.so']), facts);
    }
    case 'emulated': {
      if (options.emulated !== undefined) return tryKfd(backend, {}, options.emulated);
      const error = new HsaError('ERR_NO_DEVICE', { message: 'no emulated device was handed to the loader' });
      return { candidate: refused(backend, error, {}) };
    }
  }
}

async function tryKfd(
  backend: ThunkBackend,
  facts: Readonly<Record<string, unknown>>,
  open: () => Promise<KfdDevice>,
): Promise<Attempt> {
  try {
    const thunk = await openKfdThunk(await open());
    const { major, minor } = thunk.version;
    const usable = thunk.gpus.filter((gpu) => gpu.problem === undefined);
    const candidate: ThunkCandidate = {
      backend,
      state: 'taken',
      reason: `${thunk.path} is open: interface ${major}.${minor}, ${usable.length} of ${thunk.gpus.length} GPUs usable`,
      facts: { ...facts, path: thunk.path, version: `${major}.${minor}`, gpuIds: usable.map(({ gpuId }) => gpuId) },
    };
    return { candidate, thunk };
  } catch (error) {
    // What is not a typed failure of the candidate is a bug, and no reason to go on.
    if (!isHsaError(error)) throw error;
    return { candidate: refused(backend, error, facts) };
  }
}

function unsupportedLibrary(
  backend: ThunkBackend,
  search: { readonly found: string | undefined; readonly tried: readonly string[] },
  facts: Readonly<Record<string, unknown>> = {},
): Attempt {
  const all = { ...facts, ...(search.found === undefined ? {} : { path: search.found }), tried: search.tried };
  const error =
    search.found === undefined
      ? new HsaError('ERR_THUNK_NOT_FOUND', {
          message: `the library was not found in any of ${search.tried.length} places`,
          details: all,
        })
      : new HsaError('ERR_NOT_SUPPORTED', {
          message: `${search.found} is there, but loading thunk libraries is not supported yet`,
          details: all,
        });
  return { candidate: refused(backend, error, all) };
}

function refused(backend: ThunkBackend, error: HsaError, facts: Readonly<Record<string, unknown>>): ThunkCandidate {
  const errno = error.errno === undefined ? {} : { errno: error.errno };
  return { backend, state: 'refused', reason: error.message, facts: { ...facts, code: error.code, ...errno }, error };
}

function notTried(backend: ThunkBackend, taken: ThunkBackend): ThunkCandidate {
  return { backend, state: 'not-tried', reason: `${taken}, which comes before it, was taken`, facts: {} };
}

function noneFound(candidates: readonly ThunkCandidate[]): Error {
  const errors = candidates.flatMap(({ error }) => (error === undefined ? [] : [error]));
  const [only] = errors;
  if (errors.length === 1 && only !== undefined) return only;
  const hint = errors.find((error): error is HsaError => isHsaError(error) && error.hint !== undefined)?.hint;
  return new HsaError('ERR_THUNK_NOT_FOUND', {
    message: `no thunk came up: ${candidates.map(({ backend, reason }) => `${backend}: ${reason}`).join('; ')}`,
    ...(hint === undefined ? {} : { hint }),
    details: { candidates },
    cause: new AggregateError(errors, 'every candidate was refused'),
  });
}
