import type { abi, thunkLoader } from '@doorbell/runtime/layers';

interface Node {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/** What a made-up machine has: files by path, device nodes, links. Folders follow from the paths. */
export interface Tree {
  readonly files?: Readonly<Record<string, string>>;
  readonly devices?: Readonly<Record<string, Node>>;
  readonly links?: Readonly<Record<string, string>>;
  readonly binaries?: Readonly<Record<string, Uint8Array>>;
}

/** A source over a made-up tree. */
export function sourceOf({ files = {}, devices = {}, links = {} }: Tree): abi.SysfsSource {
  const paths = [...Object.keys(files), ...Object.keys(devices), ...Object.keys(links)];
  const missing = { ok: false, errno: 'ENOENT' } as const;
  return {
    readText: (path) => (path in files ? { ok: true, value: files[path]! } : missing),
    list: (path) => {
      const names = paths.flatMap((p) => (p.startsWith(`${path}/`) ? [p.slice(path.length + 1).split('/')[0]!] : []));
      return names.length === 0 ? missing : { ok: true, value: [...new Set(names)].sort() };
    },
    stat: (path) => {
      const device = devices[path];
      if (device) return { ok: true, value: { kind: 'character-device', ...device } };
      if (path in files) return { ok: true, value: { kind: 'file', mode: 0o444, uid: 0, gid: 0 } };
      return paths.some((p) => p.startsWith(`${path}/`))
        ? { ok: true, value: { kind: 'directory', mode: 0o755, uid: 0, gid: 0 } }
        : missing;
    },
    readLink: (path) => (path in links ? { ok: true, value: links[path]! } : missing),
  };
}

/** The same tree as a source of libraries and other files of bytes. */
export function librariesOf({ files = {}, binaries = {} }: Tree): thunkLoader.LibrarySource {
  const missing = { ok: false, errno: 'ENOENT' } as const;
  return {
    env: {},
    arch: 'x64',
    workingFolder: () => ({ ok: true, value: '/' }),
    realPath: (path) => (path in files || path in binaries ? { ok: true, value: path } : missing),
    list: () => [],
    readBytes: (path) => {
      const text = files[path];
      const bytes = binaries[path] ?? (text === undefined ? undefined : new TextEncoder().encode(text));
      return bytes === undefined ? missing : { ok: true, value: bytes };
    },
    tryOpen: () => missing,
  };
}
