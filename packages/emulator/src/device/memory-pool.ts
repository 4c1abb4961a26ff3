/**
 * The memory of an emulated machine. A dropped WebAssembly.Memory of 4 GiB keeps its address space until it is collected, so
 * the memory of a closed machine waits here for the next one: a pool of one for the process.
 */
import { HsaError } from '@doorbell/abi';
import type { Host } from '../host.js';
import {
  CONTROL,
  CONTROL_BYTES,
  MEMORY_BYTES,
  MEMORY_PAGES,
  PAGE_COUNT,
  PAGE_TABLE,
  WINDOWS,
  WINDOWS_BYTES,
} from '../memory-map.js';

/** Where a machine's memory comes from and goes back to. */
export interface MemorySource {
  /**
   * A zeroed memory.
   * @throws {HsaError} ERR_HOST when the environment cannot give one.
   */
  acquire(): WebAssembly.Memory;
  /** Takes a memory back that no thread uses any more. `clear` makes everything behind the emulator's own state zero. */
  release(memory: WebAssembly.Memory, host: Host, clear: () => void): void;
}

let pooled: WebAssembly.Memory | undefined;

/** Gives the pooled memory when there is one. */
export const pooledMemory: MemorySource = { acquire: acquireMemory, release: releaseMemory };

function acquireMemory(): WebAssembly.Memory {
  const memory = pooled;
  pooled = undefined;
  if (memory !== undefined) return memory;
  try {
    return new WebAssembly.Memory({ initial: MEMORY_PAGES, maximum: MEMORY_PAGES, shared: true });
  } catch (cause) {
    throw new HsaError('ERR_HOST', {
      message: `no shared WebAssembly memory of ${MEMORY_BYTES} bytes to be had: ${String(cause)}`,
      hint: 'Raise the limit on address space (ulimit -v); a web page must be cross-origin isolated.',
      cause,
    });
  }
}

function releaseMemory(memory: WebAssembly.Memory, host: Host, clear: () => void): void {
  if (pooled !== undefined) return;
  if (host.discardPages?.(memory, 0, MEMORY_BYTES) !== true) {
    clear();
    new Uint8Array(memory.buffer, PAGE_TABLE, PAGE_COUNT).fill(0);
    new Uint8Array(memory.buffer, CONTROL, CONTROL_BYTES).fill(0);
    new Uint8Array(memory.buffer, WINDOWS, WINDOWS_BYTES).fill(0);
  }
  // The next machine may live in a host that does not protect pages.
  host.protectPages?.(memory, 0, MEMORY_BYTES, 'write');
  pooled = memory;
}
