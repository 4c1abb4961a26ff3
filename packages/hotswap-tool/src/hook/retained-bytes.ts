/**
 * Bytes that the loader was given and may look at until an executable is gone: a reader may die right after the load, its bytes may
 * not. They outlive the tool: only the end of the executable lets go of them.
 */
export class RetainedBytes {
  readonly #byExecutable = new Map<bigint, Set<Uint8Array>>();

  /** Makes room before the load; the result drops the bytes again, for a load that failed. */
  hold(executable: bigint, bytes: Uint8Array): () => void {
    const held = this.#byExecutable.get(executable) ?? new Set<Uint8Array>();
    this.#byExecutable.set(executable, held);
    const wasHeld = held.has(bytes);
    held.add(bytes);
    return () => {
      if (wasHeld) return;
      held.delete(bytes);
      if (held.size === 0) this.#byExecutable.delete(executable);
    };
  }

  release(executable: bigint): void {
    this.#byExecutable.delete(executable);
  }

  /** Executables that something is held for, and how much it is. */
  get statistics(): { readonly executables: number; readonly bytes: number } {
    let bytes = 0;
    for (const held of this.#byExecutable.values()) for (const { length } of held) bytes += length;
    return { executables: this.#byExecutable.size, bytes };
  }
}
