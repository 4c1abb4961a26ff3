/** Tries one candidate: the driver, a library, the emulated device. */
import type { KfdDevice, SysfsResult, SysfsSource } from '@doorbell/abi';
import { HsaError, isHsaError } from '@doorbell/abi';
import { openHsakmtThunk } from '../hsakmt/hsakmt-thunk.js';
import { openKfdThunk } from '../kfd/kfd-thunk.js';
import type { OpenKfdOptions } from '../linux/kfd-device.js';
import { openKfdDevice } from '../linux/kfd-device.js';
import type { SharedLibraryResult } from '../linux/shared-library.js';
import { openSharedLibrary } from '../linux/shared-library.js';
import { createLinuxSysfs } from '../linux/sysfs.js';
import type { Thunk } from '../thunk.js';
import { traceDevice } from '../trace/trace-device.js';
import type { TraceSink } from '../trace/trace-event.js';
import { emit } from '../trace/trace-event.js';
import { traceSysfs } from '../trace/trace-sysfs.js';
import type { DxgState, ThunkBackend, ThunkCandidate } from './candidates.js';
import { DXG_DEVICE, isDtifWanted } from './candidates.js';
import type { FoundLibrary } from './find-library.js';
import { findLibrary, notFoundError } from './find-library.js';
import type { InspectedLibrary, Usable } from './inspect-library.js';
import type { LibrarySource } from './library-source.js';

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
  /**
   * `quick` (the default) does not look for libhsakmt where the driver's node is not there, since it could not open it;
   * `thorough` finds and judges it all the same.
   */
  readonly search?: 'quick' | 'thorough';
  /** A thunk library to look at before all other places. */
  readonly libraryPath?: string;
  /** Loads a library that was judged usable. Default: dlopen(3). */
  readonly dlopen?: (path: string) => SharedLibraryResult;
  /** Opens the thunk of a library that was loaded. Default: {@link openHsakmtThunk}. */
  readonly openLibrary?: (library: InspectedLibrary & Usable) => Promise<Thunk>;
  /** Takes every step as it happens, also of an initialisation that fails. Default: nothing is traced, at no cost. */
  readonly trace?: TraceSink;
}

/** A candidate with its outcome, and the thunk where it came up. */
export interface Attempt {
  readonly candidate: ThunkCandidate;
  readonly thunk?: Thunk;
}

/** What a candidate is tried with. */
export interface Context {
  readonly options: LoadThunkOptions;
  readonly libraries: LibrarySource;
  readonly dxg: DxgState;
}

/** Opens what a backend stands for; what it fails with is the answer, unless it is a bug. */
export async function tryCandidate(backend: ThunkBackend, context: Context): Promise<Attempt> {
  const { options, dxg } = context;
  switch (backend) {
    case 'kfd':
      return tryKfd(backend, options);
    case 'libhsakmt':
      return tryHsakmt(context);
    case 'dtif':
      return tryDtif(context);
    case 'dxg': {
      const facts = { device: DXG_DEVICE, deviceState: dxg.device, detection: dxg.detection };
      if (dxg.device === 'opens') return tryLibrary(backend, { names: ['librocdxg.so.1', 'librocdxg.so'], context, facts });
      return refused(backend, dxgError(dxg), facts);
    }
    case 'emulated': {
      if (options.emulated !== undefined)
        return openDeviceThunk(backend, { open: options.emulated, path: 'the emulated device', trace: options.trace });
      return refused(backend, new HsaError('ERR_NO_DEVICE', { message: 'no emulated device was handed to the loader' }), {});
    }
  }
}

function dxgError({ detection, device }: DxgState): HsaError {
  if (detection === 'off') {
    return new HsaError('ERR_THUNK_NOT_FOUND', {
      message: 'HSA_ENABLE_DXG_DETECTION=0 switches the detection of WSL off',
      hint: 'Unset HSA_ENABLE_DXG_DETECTION.',
    });
  }
  if (device === 'ENOENT')
    return new HsaError('ERR_THUNK_NOT_FOUND', { message: `this is no WSL: ${DXG_DEVICE} is not there (ENOENT)` });
  return new HsaError('ERR_THUNK_NOT_FOUND', {
    message: `${DXG_DEVICE} is there, but opening it failed with ${device}`,
    hint: 'In a container of WSL, hand it in with --device=/dev/dxg; else look at its owner and mode.',
  });
}

async function tryKfd(backend: ThunkBackend, options: LoadThunkOptions): Promise<Attempt> {
  const { trace } = options;
  const path = options.kfd?.path ?? '/dev/kfd';
  const kfd: OpenKfdOptions = { ...options.kfd, sysfs: sysfsOf(options) };
  const openDevice = options.openDevice ?? openKfdDevice;
  return openDeviceThunk(backend, { open: async () => openDevice(kfd), path, trace });
}

function describeOpenFailure({ code, errno, details }: HsaError): string {
  const name = details['errno'];
  return errno === undefined ? code : `${typeof name === 'string' ? name : 'errno'} (${errno})`;
}

interface DeviceToOpen {
  readonly open: () => Promise<KfdDevice>;
  readonly path: string;
  readonly trace: TraceSink | undefined;
}

async function openDeviceThunk(backend: ThunkBackend, { open, path, trace }: DeviceToOpen): Promise<Attempt> {
  try {
    const device = await openTraced({ open, path, trace });
    const thunk = await openKfdThunk(trace === undefined ? device : traceDevice(device, trace));
    const { major, minor } = thunk.version;
    const usable = thunk.gpus.filter((gpu) => gpu.problem === undefined);
    const candidate: ThunkCandidate = {
      backend,
      state: 'taken',
      reason: `${thunk.path} is open: interface ${major}.${minor}, ${usable.length} of ${thunk.gpus.length} GPUs usable`,
      facts: { path: thunk.path, version: `${major}.${minor}`, gpuIds: usable.map(({ gpuId }) => gpuId) },
    };
    return { candidate, thunk };
  } catch (error) {
    // What is not a typed failure of the candidate is a bug, and no reason to go on.
    if (!isHsaError(error)) throw error;
    return refused(backend, error, backend === 'kfd' ? { path } : {});
  }
}

async function openTraced({ open, path, trace }: DeviceToOpen): Promise<KfdDevice> {
  try {
    const device = await open();
    emit(trace, { step: 'open', path, outcome: 'ok' });
    return device;
  } catch (error) {
    if (isHsaError(error)) emit(trace, { step: 'open', path, outcome: describeOpenFailure(error) });
    throw error;
  }
}

/** Why AMD's simulator is not used. */
const NOT_DRIVEN = "not loaded: Doorbell does not drive AMD's simulator, since what DtifCreate expects is not published";

/** AMD's simulator: found and judged, and then refused. */
function tryDtif(context: Context): Attempt {
  if (!isDtifWanted(context.libraries)) {
    return refused(
      'dtif',
      new HsaError('ERR_THUNK_NOT_FOUND', { message: 'libdtif is looked for with HSA_ENABLE_DTIF=1 only' }),
      {},
    );
  }
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

/** libhsakmt opens the driver's node too: without one, looking for it and loading it would only cost time. */
function tryHsakmt(context: Context): Attempt | Promise<Attempt> {
  const { options, libraries } = context;
  const path = options.kfd?.path ?? '/dev/kfd';
  const isModel = libraries.env[MODEL_VARIABLE] !== undefined;
  if (options.search === 'thorough' || options.libraryPath !== undefined || isModel)
    return tryLibrary('libhsakmt', { names: HSAKMT, context });
  const node = (options.kfd?.sysfs ?? createLinuxSysfs()).stat(path);
  const isAbsent = (result: SysfsResult<unknown>): boolean => !result.ok && result.errno === 'ENOENT';
  // Where something stands in for the driver in the calls of the C library, looking at the node does not show it, but opening does.
  if (!isAbsent(node) || !isAbsent(libraries.tryOpen(path))) return tryLibrary('libhsakmt', { names: HSAKMT, context });
  const error = new HsaError('ERR_KFD_MISSING', { message: `not looked for: libhsakmt opens ${path} too, which is not there` });
  return refused('libhsakmt', error, { path });
}

const HSAKMT = ['libhsakmt.so.1', 'libhsakmt.so'];
/** Names a tree instead of the driver: libhsakmt's software model (since 2025). */
const MODEL_VARIABLE = 'HSA_MODEL_TOPOLOGY';

interface LibrarySearch {
  readonly names: readonly string[];
  readonly context: Context;
  readonly facts?: Readonly<Record<string, unknown>>;
}

async function tryLibrary(backend: ThunkBackend, { names, context, facts = {} }: LibrarySearch): Promise<Attempt> {
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

function sysfsOf({ kfd, trace }: LoadThunkOptions): SysfsSource {
  const sysfs = kfd?.sysfs ?? createLinuxSysfs();
  return trace === undefined ? sysfs : traceSysfs(sysfs, trace);
}

function refused(backend: ThunkBackend, error: HsaError, facts: Readonly<Record<string, unknown>>): Attempt {
  const errno = error.errno === undefined ? {} : { errno: error.errno };
  const candidate = {
    backend,
    state: 'refused',
    reason: error.message,
    facts: { ...facts, code: error.code, ...errno },
    error,
  } as const;
  return { candidate };
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
