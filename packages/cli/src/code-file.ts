import { HsaError } from '@doorbell/runtime';
import { codeObject } from '@doorbell/runtime/layers';
import { readFile } from 'node:fs/promises';
import { UsageError } from './failures.js';

type CodeObject = codeObject.CodeObject;

/** A file with code for AMD GPUs: a code object, or bundles of them, alone or in a file of the host. */
export type CodeFile =
  | { readonly format: 'code-object'; readonly sizeBytes: number; readonly codeObject: CodeObject }
  | {
      readonly format: 'offload-bundle' | 'host-file';
      readonly sizeBytes: number;
      readonly entries: readonly BundleItem[];
      readonly problems: readonly codeObject.DeviceFileProblem[];
    };

/** One entry of a bundle, with its code object where it has one that can be read. */
interface BundleItem {
  readonly entry: codeObject.DeviceFileEntry;
  readonly codeObject?: CodeObject;
  /** Why an entry for AMD GPUs cannot be read. */
  readonly problem?: string;
}

/** Reads a file by path. @throws {HsaError} ERR_FILE, ERR_ABORTED. */
export async function readBytes(path: string, signal?: AbortSignal): Promise<Uint8Array> {
  try {
    const bytes = await readFile(path, signal ? { signal } : {});
    return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  } catch (error) {
    if (signal?.aborted) throw new HsaError('ERR_ABORTED', { message: `reading ${path} was aborted`, cause: signal.reason });
    throw fileError(path, { action: 'read', error });
  }
}

/** The typed error of a file operation that failed. */
export function fileError(path: string, failure: { readonly action: 'read' | 'written'; readonly error: unknown }): HsaError {
  const { action, error } = failure;
  // Safe: both properties are optional.
  const { code, errno } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  // Node's messages are `ENOENT: no such file or directory, open 'path'`.
  const why = error instanceof Error ? (/^[A-Z0-9]+: ([^,]*)/.exec(error.message)?.[1] ?? error.message) : String(error);
  return new HsaError('ERR_FILE', {
    message: `${path} could not be ${action}: ${why}${code === undefined ? '' : ` (${code})`}`,
    ...(errno === undefined ? {} : { errno: Math.abs(errno) }),
    details: { path, ...(code === undefined ? {} : { errnoName: code }) },
    cause: error,
  });
}

/** Parses whatever file has code in it. @throws {HsaError} ERR_CODE_OBJECT…, ERR_METADATA, ERR_NOT_SUPPORTED. */
export function parseCodeFile(bytes: Uint8Array): CodeFile {
  const sizeBytes = bytes.length;
  const { format, entries: found, problems } = codeObject.parseDeviceFile(bytes);
  if (format === 'code-object') return { format, sizeBytes, codeObject: codeObject.parseCodeObject(bytes) };
  const entries = found.map((entry): BundleItem => {
    if (entry.target === undefined || entry.bytes.length === 0) return { entry };
    try {
      return { entry, codeObject: codeObject.parseCodeObject(entry.bytes) };
    } catch (error) {
      // One unreadable entry hides no other; it is listed with its reason.
      if (error instanceof HsaError) return { entry, problem: error.message };
      throw error;
    }
  });
  return { format, sizeBytes, entries, problems };
}

/** The one code object of a file: its own, the bundle's only one, or the bundle's best for `target`. */
export function chooseCodeObject(file: CodeFile, target: string | undefined): CodeObject {
  if (file.format === 'code-object') {
    if (target !== undefined) throw new UsageError('--target chooses from bundles; this file is a single code object');
    return file.codeObject;
  }
  if (target !== undefined) {
    const entries = file.entries.map(({ entry }) => entry);
    return codeObject.parseCodeObject(codeObject.pickBundleEntry({ entries }, codeObject.parseTargetId(target)).bytes);
  }
  const readable = file.entries.filter((item) => item.codeObject !== undefined);
  const [only] = readable;
  if (readable.length === 1 && only?.codeObject !== undefined) return only.codeObject;
  const targets = file.entries.flatMap(({ entry }) => (entry.target ? [codeObject.formatTargetId(entry.target)] : []));
  throw new UsageError(
    `the file has ${readable.length} code objects for AMD GPUs`,
    targets.length === 0 ? undefined : `Choose one: --target ${targets.join(', --target ')}.`,
  );
}
