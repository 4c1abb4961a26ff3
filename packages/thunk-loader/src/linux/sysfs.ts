import { lstatSync, readFileSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { SysfsResult, SysfsSource, SysfsStat } from '@doorbell/abi';

/** Files below /sys and /proc are small; a larger one is not what it seems. */
const MAX_FILE_BYTES = 1 << 20;

/** The machine's own `/sys`, `/dev` and `/proc`. */
export function createLinuxSysfs(): SysfsSource {
  return {
    readText: (path) =>
      attempt(() => {
        if (statSync(path).size > MAX_FILE_BYTES) throw Object.assign(new Error('too large'), { code: 'EFBIG' });
        return readFileSync(path, 'utf8');
      }),
    list: (path) => attempt(() => readdirSync(path).sort(byNumberThenName)),
    stat: (path) => attempt(() => toStat(path)),
    readLink: (path) =>
      attempt(() => {
        if (!lstatSync(path).isSymbolicLink()) throw Object.assign(new Error('not a link'), { code: 'EINVAL' });
        // The folder may itself be reached through links, which a relative target counts from.
        return resolve(realpathSync(dirname(path)), readlinkSync(path));
      }),
  };
}

function toStat(path: string): SysfsStat {
  const stat = statSync(path);
  const kind = stat.isFile()
    ? 'file'
    : stat.isDirectory()
      ? 'directory'
      : stat.isCharacterDevice()
        ? 'character-device'
        : 'other';
  return { kind, mode: stat.mode & 0o7777, uid: stat.uid, gid: stat.gid };
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

function byNumberThenName(a: string, b: string): number {
  if (/^\d+$/.test(a) && /^\d+$/.test(b)) return Number(a) - Number(b);
  return a < b ? -1 : a > b ? 1 : 0;
}
