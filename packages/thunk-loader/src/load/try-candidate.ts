/** Tries one candidate: the driver, a library, the emulated device. */
import type { KfdDevice, SysfsResult, SysfsSource } from '@doorbell/abi';
import { HsaError, isHsaError } from '@doorbell/abi';
import { openKfdThunk } from '../kfd/kfd-thunk.js';
import type { OpenKfdOptions } from '../linux/kfd-device.js';
import { openKfdDevice } from '../linux/kfd-device.js';
import type { SharedLibraryResult } from '../linux/shared-library.js';
import { createLinuxSysfs } from '../linux/sysfs.js';
import type { Thunk } from '../thunk.js';
import { traceDevice } from '../trace/trace-device.js';
import type { TraceSink } from '../trace/trace-event.js';
import { emit } from '../trace/trace-event.js';
import { traceSysfs } from '../trace/trace-sysfs.js';
import type { DxgState, ThunkBackend, ThunkCandidate } from './candidates.js';
import { DXG_DEVICE, isDtifWanted } from './candidates.js';
import type { InspectedLibrary, Usable } from './inspect-library.js';
import type { LibrarySource } from './library-source.js';
import type { LibrarySearch } from './try-library.js';

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

/** AMD's simulator is looked at where somebody asks for it. */
async function tryDtif(context: Context): Promise<Attempt> {
  if (isDtifWanted(context.libraries)) return (await import('./try-library.js')).tryDtif(context);
  return refused(
    'dtif',
    new HsaError('ERR_THUNK_NOT_FOUND', { message: 'libdtif is looked for with HSA_ENABLE_DTIF=1 only' }),
    {},
  );
}

/** Looking for libraries and binding them is loaded where there may be one. */
async function tryLibrary(backend: ThunkBackend, search: LibrarySearch): Promise<Attempt> {
  return (await import('./try-library.js')).tryLibrary(backend, search);
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

/** The tree to read, traced where that is asked for. */
export function sysfsOf({ kfd, trace }: LoadThunkOptions): SysfsSource {
  const sysfs = kfd?.sysfs ?? createLinuxSysfs();
  return trace === undefined ? sysfs : traceSysfs(sysfs, trace);
}

/** A candidate that did not come up. */
export function refused(backend: ThunkBackend, error: HsaError, facts: Readonly<Record<string, unknown>>): Attempt {
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
