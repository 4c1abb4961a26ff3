import { closeSync, openSync, readFileSync, readdirSync, realpathSync, statSync } from 'node:fs';
import type { SysfsResult } from '@doorbell/abi';

/** What a search for libraries looks at; tests hand in their own. */
export interface LibrarySource {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Architecture of the process, as Node names it: `x64`. */
  readonly arch: string;
  /** The working directory; fails where it was removed. */
  workingFolder(): SysfsResult<string>;
  /** The file's path without links; fails where there is no such file. */
  realPath(path: string): SysfsResult<string>;
  /** Names in a folder; empty when it is not there. */
  list(path: string): readonly string[];
  /** @returns EFBIG for a file of more than `maxBytes`, ENODEV for what is no file (as mmap(2) answers for a pipe or a device). */
  readBytes(path: string, maxBytes: number): SysfsResult<Uint8Array>;
  /** Opens a file for reading and writing, and closes it again: how a device says that it can be used. */
  tryOpen(path: string): SysfsResult<'opens'>;
}

/** The machine's own folders and environment. */
export function systemLibraries(env: Readonly<Record<string, string | undefined>> = process.env): LibrarySource {
  return {
    env,
    arch: process.arch,
    workingFolder: () => attempt(() => process.cwd()),
    realPath: (path) => attempt(() => realpathSync.native(path)),
    list: (path) => {
      const names = attempt(() => readdirSync(path));
      // A folder that is not there holds nothing.
      return names.ok ? names.value : [];
    },
    readBytes: (path, maxBytes) =>
      attempt(() => {
        const stat = statSync(path);
        // Reading a pipe waits for its writer, reading a device may never end.
        if (!stat.isFile() && !stat.isDirectory()) throw Object.assign(new Error('no file'), { code: 'ENODEV' });
        if (stat.size > maxBytes) throw Object.assign(new Error('too large'), { code: 'EFBIG' });
        return readFileSync(path);
      }),
    tryOpen: (path) =>
      attempt(() => {
        closeSync(openSync(path, 'r+'));
        return 'opens' as const;
      }),
  };
}

function attempt<T>(read: () => T): SysfsResult<T> {
  try {
    return { ok: true, value: read() };
  } catch (error) {
    // Every failing function of node:fs carries the errno's name as `code`; anything else is not a result.
    if (error instanceof Error && 'code' in error && typeof error.code === 'string') return { ok: false, errno: error.code };
    throw error;
  }
}
