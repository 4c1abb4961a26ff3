import type { Memory } from '@doorbell/abi';
import { readlinkSync } from 'node:fs';
import type { FileRegion } from './files.js';

/** Where the bytes of a code object come from, as the AMD loader extension tells it (hsa_ven_amd_loader.h). */
export interface CodeObjectOrigin {
  readonly storage: 'memory' | 'file';
  /** `file:///path#offset=64&size=4096`, `memory://1234#offset=0x7f00&size=4096`. */
  readonly uri: string;
  /** Of files. */
  readonly file?: number;
  readonly path?: string;
}

/** An array has no address that others could know: its offset is 0. */
export function memoryOrigin(memory: Memory, sizeBytes: number): CodeObjectOrigin {
  const address = typeof memory === 'bigint' ? memory : 0n;
  return { storage: 'memory', uri: `memory://${process.pid}#offset=0x${address.toString(16)}&size=${sizeBytes}` };
}

/** The whole file where no region is given. */
export function fileOrigin(file: number, region?: FileRegion): CodeObjectOrigin {
  const range = region === undefined ? '' : `#offset=${region.offsetBytes}&size=${region.sizeBytes}`;
  const path = pathOf(file);
  return { storage: 'file', uri: `file://${encodePath(path)}${range}`, file, path };
}

function pathOf(file: number): string {
  try {
    return readlinkSync(`/proc/self/fd/${file}`);
  } catch {
    // No Linux, or no /proc: the name that the system has for a descriptor is all that is known.
    return `/dev/fd/${file}`;
  }
}

/** Every character but `[a-zA-Z0-9/_.~-]` as two hexadecimal digits behind a `%`. */
function encodePath(path: string): string {
  return path
    .split('/')
    .map((part) => encodeURIComponent(part).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`))
    .join('/');
}
