import { HsaError } from '@doorbell/abi';
import { fstatSync, readSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The whole file behind an open descriptor, from its start; the descriptor's position is not touched. */
export function readDescriptor(file: number): Uint8Array {
  try {
    const bytes = new Uint8Array(fstatSync(file).size);
    let done = 0;
    while (done < bytes.length) {
      const count = readSync(file, bytes, done, bytes.length - done, done);
      if (count === 0) break;
      done += count;
    }
    return bytes.subarray(0, done);
  } catch (error) {
    throw fileError(`file descriptor ${file}`, error);
  }
}

/** Reads a file by path (relative to the working directory) or `file:` URL. @throws {HsaError} ERR_FILE, ERR_ABORTED. */
export async function readWholeFile(path: string | URL, signal?: AbortSignal): Promise<Uint8Array> {
  const name = typeof path === 'string' ? path : path.protocol === 'file:' ? fileURLToPath(path) : unsupported(path);
  try {
    return new Uint8Array(await readFile(name, signal ? { signal } : {}));
  } catch (error) {
    if (signal?.aborted) throw new HsaError('ERR_ABORTED', { message: `reading ${name} was aborted`, cause: signal.reason });
    throw fileError(name, error);
  }
}

function unsupported(url: URL): never {
  throw new HsaError('ERR_INVALID_ARGUMENT', { message: `code objects are read from file: URLs, not ${url.protocol}` });
}

function fileError(name: string, error: unknown): HsaError {
  const { code, errno } = error instanceof Error ? (error as NodeJS.ErrnoException) : {}; // Safe: both properties are optional.
  return new HsaError('ERR_FILE', {
    message: `${name} could not be read: ${code ?? String(error)}`,
    ...(errno === undefined ? {} : { errno: Math.abs(errno) }),
    details: { path: name, ...(code === undefined ? {} : { errnoName: code }) },
    cause: error,
  });
}
