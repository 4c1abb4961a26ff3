import { existsSync, readdirSync } from 'node:fs';

/** Where to look for libraries; tests hand in their own. */
export interface LibrarySource {
  readonly env: Readonly<Record<string, string | undefined>>;
  exists(path: string): boolean;
  /** Names in a folder; empty when it is not there. */
  list(path: string): readonly string[];
}

/** What a search found: the first hit and every path looked at, in order. */
export interface LibrarySearch {
  readonly found: string | undefined;
  readonly tried: readonly string[];
}

/** Folders of the dynamic loader that distributions use (ld.so.conf, Debian multiarch and lib64). */
const SYSTEM_FOLDERS = [
  '/usr/lib/x86_64-linux-gnu',
  '/lib/x86_64-linux-gnu',
  '/usr/lib64',
  '/lib64',
  '/usr/lib',
  '/lib',
] as const;

/** The machine's own folders and environment. */
export function systemLibraries(): LibrarySource {
  return {
    env: process.env,
    exists: existsSync,
    list: (path) => {
      try {
        return readdirSync(path);
      } catch {
        // A folder that is not there holds nothing.
        return [];
      }
    },
  };
}

/** Looks for the library `names` as a dynamic loader would, and in ROCm's folders: LD_LIBRARY_PATH, /opt/rocm*, system folders. */
export function searchLibrary(source: LibrarySource, names: readonly string[]): LibrarySearch {
  const fromEnv = (source.env['LD_LIBRARY_PATH'] ?? '').split(/[:;]/).filter((folder) => folder !== '');
  const rocm = source
    .list('/opt')
    .filter((name) => name === 'rocm' || /^rocm-\d/.test(name))
    .sort()
    .flatMap((name) => [`/opt/${name}/lib`, `/opt/${name}/lib64`]);
  const folders = [...new Set([...fromEnv, ...rocm, ...SYSTEM_FOLDERS])];
  const tried = folders.flatMap((folder) => names.map((name) => `${folder}/${name}`));
  return { found: tried.find((path) => source.exists(path)), tried };
}
