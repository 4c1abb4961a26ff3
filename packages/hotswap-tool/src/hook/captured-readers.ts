import type { Memory } from '@doorbell/abi';
import type { FileRegion, HotSwapHost } from './host.js';

/** The bytes behind a reader. */
export interface CapturedReader {
  readonly bytes: Uint8Array;
  /** The reader of a file keeps its URI; one of memory has none that matters. */
  readonly source: 'memory' | 'file';
}

/** What readers read, by their handles. */
export class CapturedReaders {
  readonly #host: HotSwapHost;
  readonly #readers = new Map<bigint, CapturedReader>();

  constructor(host: HotSwapHost) {
    this.#host = host;
  }

  /**
   * `own`: what is judged and what is loaded later are one and the same copy, whatever becomes of the caller's memory; `see`: a look
   * at the caller's array costs nothing, and memory without a view is left unseen.
   */
  captureMemory(
    reader: bigint,
    codeObject: Memory,
    { sizeBytes, how }: { readonly sizeBytes: number; readonly how: 'own' | 'see' },
  ): void {
    const bytes =
      codeObject instanceof Uint8Array
        ? codeObject.subarray(0, sizeBytes)
        : how === 'own'
          ? this.#host.readMemory?.(codeObject, sizeBytes)
          : undefined;
    if (bytes !== undefined) this.#readers.set(reader, { bytes: how === 'own' ? bytes.slice() : bytes, source: 'memory' });
  }

  captureFile(reader: bigint, file: number, region?: FileRegion): void {
    const bytes = this.#host.readFile?.(file, region);
    if (bytes !== undefined) this.#readers.set(reader, { bytes, source: 'file' });
  }

  get(reader: bigint): CapturedReader | undefined {
    return this.#readers.get(reader);
  }

  drop(reader: bigint): void {
    this.#readers.delete(reader);
  }

  clear(): void {
    this.#readers.clear();
  }
}
