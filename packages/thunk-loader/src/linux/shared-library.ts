import type * as Koffi from 'koffi';
import { loadKoffi } from './libc.js';

/** A library that was loaded into this process; it stays until the process ends. */
export interface SharedLibrary {
  readonly path: string;
  /** Calls `int NAME(void *)` with a structure, which the function may change. */
  callWith(name: string, structure: Uint8Array): number;
}

/** The library, or the dynamic loader's words. */
export type SharedLibraryResult =
  | { readonly ok: true; readonly library: SharedLibrary }
  | { readonly ok: false; readonly words: string };

/**
 * Loads a library by its path, with all libraries that it needs; functions that it lacks are found missing when they are called.
 * @throws {HsaError} ERR_NATIVE_MODULE when koffi is not there.
 */
export function openSharedLibrary(path: string): SharedLibraryResult {
  const koffi = loadKoffi();
  let library: Koffi.LibraryHandle;
  try {
    library = koffi.load(path, { lazy: true });
  } catch (error) {
    // koffi's errors have neither code nor path; its text ends with the words of dlerror(3).
    const words = error instanceof Error ? error.message : String(error);
    return { ok: false, words: words.replace(/^Failed to load shared library: /, '') };
  }
  return {
    ok: true,
    library: {
      path,
      callWith: (name, structure) => {
        // Safe: the declaration says so.
        const call = library.func(`int ${name}(void *structure)`) as unknown as (bytes: Uint8Array) => number;
        return call(structure);
      },
    },
  };
}
