import type { InspectedLibrary } from './inspect-library.js';
import type { PlaceOrigin } from './library-search.js';
import type { LibrarySource } from './library-source.js';
import { systemLibraries } from './library-source.js';

/** Every way to reach a GPU. */
export const THUNK_BACKENDS = ['kfd', 'libhsakmt', 'dtif', 'dxg', 'emulated'] as const;

/** A way to reach a GPU: our own thunk on the kernel driver, AMD's thunk libraries, the emulated device. */
export type ThunkBackend = (typeof THUNK_BACKENDS)[number];

/** One path that was looked at for a library. */
export interface TriedPath {
  readonly path: string;
  /** Why the path was looked at. */
  readonly origin: PlaceOrigin;
  readonly outcome: 'absent' | 'refused' | 'usable';
  /** An errno, what is wrong with the file, or the dynamic loader's words. */
  readonly reason: string;
}

/** One candidate of `loadThunk`: whether it was taken, and why or why not. */
export interface ThunkCandidate {
  readonly backend: ThunkBackend;
  readonly state: 'taken' | 'refused' | 'not-tried';
  /** A sentence for people. */
  readonly reason: string;
  /** What was looked at and found: paths, versions, errno. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** Why it was refused. */
  readonly error?: Error;
  /** Libraries: every path that was looked at, in order. */
  readonly tried?: readonly TriedPath[];
  /** Libraries: the file that was chosen, or the first one that was refused. */
  readonly library?: InspectedLibrary;
  /** What may go wrong although the candidate came up: other copies, functions that are missing. */
  readonly warnings?: readonly string[];
}

/** The variable by which AMD's loader is told to look for its simulator's thunk (rocr flag.h `enable_dtif`). */
const DTIF_VARIABLE = 'HSA_ENABLE_DTIF';
/** The variable that switches WSL detection off; on by default since ROCm 7.13. */
const DXG_VARIABLE = 'HSA_ENABLE_DXG_DETECTION';
export const DXG_DEVICE = '/dev/dxg';

/** Whether WSL's device is looked for, and what opening it gave. */
export interface DxgState {
  readonly detection: 'on' | 'off';
  /** `opens`, an errno, or `not tried`. */
  readonly device: string;
}

/** Looks for WSL's device as AMD's loader does: by opening it. */
export function probeDxg(source: LibrarySource): DxgState {
  if (source.env[DXG_VARIABLE] === '0') return { detection: 'off', device: 'not tried' };
  const opened = source.tryOpen(DXG_DEVICE);
  return { detection: 'on', device: opened.ok ? 'opens' : opened.errno };
}

/**
 * The candidates of this machine in the order of ROCr's loader (thunk_loader.cpp `whoami`): its simulator where it is asked
 * for, WSL's library where /dev/dxg opens, else the native ones; the emulated device comes last.
 */
export function candidateOrder(source: LibrarySource, dxg: DxgState): readonly ThunkBackend[] {
  const native: readonly ThunkBackend[] = dxg.device === 'opens' ? ['dxg', 'kfd', 'libhsakmt'] : ['kfd', 'libhsakmt', 'dxg'];
  return [...(isDtifWanted(source) ? (['dtif'] as const) : []), ...native, 'emulated'];
}

/** The backends that `auto` tries on this machine, in order. */
export function autoBackends(libraries: LibrarySource = systemLibraries()): readonly ThunkBackend[] {
  return candidateOrder(libraries, probeDxg(libraries));
}

/** `1` and nothing else, as ROCr reads it. */
export function isDtifWanted(source: LibrarySource): boolean {
  return source.env[DTIF_VARIABLE] === '1';
}
