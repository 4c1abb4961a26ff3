/**
 * The code of the device threads: one script, beside which the build leaves what V8 compiled of it (make-code-cache.mjs). That serves as
 * long as it is of this very script and undamaged, at which V8 does not look, and V8 takes it, which it does with the same version and
 * flags; compiling gives the same anyway.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import type * as deviceThread from './device-thread.js';
import type { DeviceCode } from './worker-data.js';

export interface DeviceBundle {
  readonly exports: typeof deviceThread;
  /** The code as it was found, if V8 took it. */
  readonly found: DeviceCode | undefined;
  /** The code as V8 has compiled it by now. */
  compiled(): DeviceCode;
}

/** Loads the script that lies in `folder`, with the code that an earlier thread of this process left. */
export function loadDeviceBundle(folder: string, left: DeviceCode | undefined): DeviceBundle {
  const filename = join(folder, 'device.cjs');
  const source = left?.source ?? readShared(filename);
  const text = Buffer.from(source.buffer).toString('latin1');
  // The build ends the script with a comment, its digest.
  const digest = text.slice(text.lastIndexOf('/') + 1);
  const cachedData =
    left?.compiled ?? builtCode(join(folder, `device-${digest}-${process.version}-${process.arch}.cache`), source);
  const script = new Script(text, { filename, ...(cachedData === undefined ? {} : { cachedData }) });
  // Safe: the build makes a function of it, as of modules of this kind.
  const run = script.runInThisContext() as (...values: readonly unknown[]) => void;
  const module: { exports: unknown } = { exports: {} };
  run(module.exports, createRequire(filename), module, filename, folder);
  const isTaken = cachedData !== undefined && script.cachedDataRejected !== true;
  return {
    // Safe: the script is made of that module.
    exports: module.exports as typeof deviceThread,
    found: isTaken ? { source, compiled: cachedData } : undefined,
    compiled: () => {
      const data = script.createCachedData();
      const compiled = new Uint8Array(new SharedArrayBuffer(data.length));
      compiled.set(data);
      return { source, compiled };
    },
  };
}

/** A file of the build ends with the CRC-32 of the script and the code in it. */
const CRC_BYTES = 4;

/** What the build left for this version of Node. */
function builtCode(path: string, source: Uint8Array): Uint8Array | undefined {
  try {
    const file = readShared(path);
    const code = file.subarray(0, file.length - CRC_BYTES);
    const expected = new DataView(file.buffer).getUint32(code.length, true);
    return crc32(code, crc32(source)) === expected ? code : undefined;
  } catch {
    // Another version of Node, or a file that cannot be read: it saves time and nothing else.
    return undefined;
  }
}

/** A file in memory that other threads can have as it is. */
function readShared(path: string): Uint8Array {
  const file = openSync(path, 'r');
  try {
    const bytes = new Uint8Array(new SharedArrayBuffer(fstatSync(file).size));
    for (let at = 0; at < bytes.length; ) {
      const count = readSync(file, bytes, at, bytes.length - at, null);
      if (count === 0) throw new RangeError(`${path} ends early`);
      at += count;
    }
    return bytes;
  } finally {
    closeSync(file);
  }
}
