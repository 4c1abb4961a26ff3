import { hsa, HsaError } from '@doorbell/abi';
import { fstatSync, readSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';

/** A part of an open file. */
export interface FileRegion {
  readonly offsetBytes: number;
  readonly sizeBytes: number;
}

/** `fs.readSync` with a position. */
export type PositionalRead = (
  file: number,
  into: Uint8Array,
  place: { readonly offset: number; readonly length: number; readonly position: number },
) => number;

const readAt: PositionalRead = (file, into, { offset, length, position }) => readSync(file, into, offset, length, position);

/**
 * The whole file behind an open descriptor, or a region of it as far as the file goes; the descriptor's position is not touched.
 * @throws {HsaError} ERR_FILE.
 */
export function readDescriptor(file: number, region?: FileRegion, read: PositionalRead = readAt): Uint8Array {
  try {
    const { size } = fstatSync(file);
    const { offsetBytes, sizeBytes } = region ?? { offsetBytes: 0, sizeBytes: size };
    const bytes = new Uint8Array(Math.max(Math.min(sizeBytes, size - offsetBytes), 0));
    let done = 0;
    while (done < bytes.length) {
      const place = { offset: done, length: bytes.length - done, position: offsetBytes + done };
      const count = retryInterrupted(() => read(file, bytes, place));
      if (count === 0) break;
      done += count;
    }
    return bytes.subarray(0, done);
  } catch (error) {
    throw fileError(`file descriptor ${file}`, error);
  }
}

/** A signal may end a read before it began. */
function retryInterrupted(read: () => number): number {
  for (;;) {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EINTR')) throw error;
    }
  }
}

/**
 * Reads a file by path (relative to the working directory) or `file:` URL.
 * @throws {HsaError} ERR_FILE, ERR_ABORTED, ERR_INVALID_ARGUMENT for anything else.
 */
export async function readWholeFile(path: string | URL, signal?: AbortSignal): Promise<Uint8Array> {
  const name = typeof path === 'string' ? path : pathOf(path);
  try {
    return new Uint8Array(await readFile(name, signal ? { signal } : {}));
  } catch (error) {
    if (signal?.aborted) throw new HsaError('ERR_ABORTED', { message: `reading ${name} was aborted`, cause: signal.reason });
    throw fileError(name, error);
  }
}

function pathOf(url: unknown): string {
  if (url instanceof URL && url.protocol === 'file:') {
    try {
      return fileURLToPath(url);
    } catch (error) {
      throw new HsaError('ERR_INVALID_ARGUMENT', { message: `${url.href} names no file of this machine`, cause: error });
    }
  }
  throw new HsaError('ERR_INVALID_ARGUMENT', {
    message: `a code object is a Uint8Array, a path or a file: URL, not ${url instanceof URL ? url.href : inspect(url, { depth: 0 })}`,
  });
}

function fileError(name: string, error: unknown): HsaError {
  const { code, errno } = error instanceof Error ? (error as NodeJS.ErrnoException) : {}; // Safe: both properties are optional.
  return new HsaError('ERR_FILE', {
    hsaStatus: hsa.HSA_STATUS_ERROR_INVALID_FILE,
    message: `${name} could not be read: ${code ?? String(error)}`,
    ...(errno === undefined ? {} : { errno: Math.abs(errno) }),
    details: { path: name, ...(code === undefined ? {} : { errnoName: code }) },
    cause: error,
  });
}
