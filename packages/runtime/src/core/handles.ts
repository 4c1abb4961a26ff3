import { InternalError } from '@doorbell/abi';

/**
 * Handles of one kind of object: 64-bit numbers that C code can keep, never 0 and never used twice. The kind is part of the number, so
 * that a handle of another kind is not mistaken.
 */
export class HandleTable<T> {
  readonly #objects = new Map<bigint, T>();
  readonly #base: bigint;
  #next = 1n;

  constructor(kind: number) {
    if (kind < 1 || kind > 255) throw new InternalError(`handle kind ${kind}`);
    this.#base = BigInt(kind) << 48n;
  }

  add(object: T): bigint {
    const handle = this.#base | this.#next++;
    this.#objects.set(handle, object);
    return handle;
  }

  get(handle: bigint): T | undefined {
    return this.#objects.get(handle);
  }

  delete(handle: bigint): boolean {
    return this.#objects.delete(handle);
  }

  values(): IterableIterator<T> {
    return this.#objects.values();
  }

  clear(): void {
    this.#objects.clear();
  }
}

/** Kinds of handles, one number each. */
export const HANDLE_KINDS = {
  agent: 1,
  pool: 2,
  isa: 3,
  cache: 4,
  reader: 5,
  executable: 6,
  symbol: 7,
  loadedCodeObject: 8,
  codeObject: 9,
} as const;
