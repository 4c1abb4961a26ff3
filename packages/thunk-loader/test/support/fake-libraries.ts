import type { SysfsResult } from '@doorbell/abi';
import type { LibrarySource } from '../../src/load/library-source.js';

/** A made-up machine: files by path (a text is a link to another path), devices by what opening them gives. */
export interface FakeLibraries {
  readonly files?: Readonly<Record<string, Uint8Array | string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly devices?: Readonly<Record<string, string>>;
  readonly arch?: string;
  /** The working directory; absent: it was removed. */
  readonly cwd?: string;
}

export function fakeLibraries({ files = {}, env = {}, devices = {}, arch = 'x64', cwd }: FakeLibraries): LibrarySource {
  const realPath = (path: string): SysfsResult<string> => {
    const file = files[path];
    if (file === undefined) return { ok: false, errno: 'ENOENT' };
    return typeof file === 'string' ? realPath(file) : { ok: true, value: path };
  };
  return {
    env,
    arch,
    workingFolder: () => (cwd === undefined ? { ok: false, errno: 'ENOENT' } : { ok: true, value: cwd }),
    realPath,
    list: (path) => [
      ...new Set(
        Object.keys(files).flatMap((file) => (file.startsWith(`${path}/`) ? [file.slice(path.length + 1).split('/')[0]!] : [])),
      ),
    ],
    readBytes: (path, maxBytes) => {
      const real = realPath(path);
      const bytes = real.ok ? files[real.value] : undefined;
      if (!(bytes instanceof Uint8Array)) return { ok: false, errno: 'ENOENT' };
      return bytes.length > maxBytes ? { ok: false, errno: 'EFBIG' } : { ok: true, value: bytes };
    },
    tryOpen: (path) => {
      const state = devices[path] ?? 'ENOENT';
      return state === 'opens' ? { ok: true, value: 'opens' } : { ok: false, errno: state };
    },
  };
}

export const textBytes = (text: string): Uint8Array => new TextEncoder().encode(text);
