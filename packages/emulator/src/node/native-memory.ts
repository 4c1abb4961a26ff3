/** Page protection and page release of a WebAssembly memory, through libc. The only native code of this package. */
import { createRequire } from 'node:module';
import type * as Koffi from 'koffi';
import { HsaError } from '@doorbell/abi';
import type { Host } from '../host.js';

/** sys/mman.h on Linux (asm-generic/mman-common.h). */
const PROT = { none: 0, read: 1, write: 1 | 2 } as const;
const MADV_DONTNEED = 4;
const MADV_HUGEPAGE = 14;
/** Size of a huge page of x86-64; smaller ranges hold none. */
const HUGE_PAGE_BYTES = 2 ** 21;

/** What the host offers when it can protect pages; empty where there is no Linux or no koffi. */
export type NativeMemory = Pick<Host, 'protectPages' | 'discardPages'>;

/** Calls of libc on memory. */
export interface Libc {
  readonly mprotect: (address: bigint, length: number, protection: number) => number;
  readonly madvise: (address: bigint, length: number, advice: number) => number;
  readonly memfdCreate: (name: string, flags: number) => number;
  readonly ftruncate: (file: number, length: number) => number;
  readonly close: (file: number) => number;
  /** The mapping's address, or -1 as an unsigned number. */
  readonly mmap: (address: bigint, length: number, protection: number, flags: number, file: number, offset: number) => bigint;
  /** Of the call that just failed. */
  readonly errno: () => number;
  readonly addressOf: (memory: WebAssembly.Memory, offset: number) => bigint;
}

/** Loads libc's calls. Without them every access of the emulated GPU checks the page table instead. */
export function loadNativeMemory(platform: NodeJS.Platform): NativeMemory {
  // A bundled or missing koffi only costs speed here.
  const libc = loadLibc(platform);
  if (libc === undefined) return {};
  const { addressOf } = libc;
  return {
    protectPages(memory, offset, sizeBytes, access) {
      const address = addressOf(memory, offset);
      if (libc.mprotect(address, sizeBytes, PROT[access]) === 0) {
        // One page fault for 2 MiB instead of 512. A kernel that has no huge pages refuses, and all works as before.
        if (access === 'write' && sizeBytes >= HUGE_PAGE_BYTES) libc.madvise(address, sizeBytes, MADV_HUGEPAGE);
        return;
      }
      const errno = libc.errno();
      throw new HsaError('ERR_HOST', {
        message: `mprotect of ${sizeBytes} bytes failed with errno ${errno}`,
        errno,
        hint: 'The limit on memory mappings may be reached: raise vm.max_map_count.',
      });
    },
    discardPages: (memory, offset, sizeBytes) => libc.madvise(addressOf(memory, offset), sizeBytes, MADV_DONTNEED) === 0,
  };
}

/** The calls; undefined where there is no Linux or no koffi. */
export function loadLibc(platform: NodeJS.Platform): Libc | undefined {
  if (platform !== 'linux') return undefined;
  const koffi = requireKoffi();
  if (koffi === undefined) return undefined;
  const library = koffi.load('libc.so.6');
  const bases = new WeakMap<WebAssembly.Memory, bigint>();
  // Safe: the declarations say what koffi converts.
  const mmap = library.func('void *mmap(void *at, size_t length, int prot, int flags, int file, int64_t offset)') as (
    ...args: readonly unknown[]
  ) => bigint | number | null;
  return {
    mprotect: library.func('int mprotect(void *address, size_t length, int protection)') as Libc['mprotect'],
    madvise: library.func('int madvise(void *address, size_t length, int advice)') as Libc['madvise'],
    memfdCreate: library.func('int memfd_create(const char *name, unsigned int flags)') as Libc['memfdCreate'],
    ftruncate: library.func('int ftruncate(int file, int64_t length)') as Libc['ftruncate'],
    close: library.func('int close(int file)') as Libc['close'],
    mmap: (...args) => BigInt(mmap(...args) ?? 0),
    errno: () => koffi.errno(),
    addressOf(memory, offset) {
      let base = bases.get(memory);
      if (base === undefined) {
        base = BigInt(koffi.address(new Uint8Array(memory.buffer)));
        bases.set(memory, base);
      }
      return base + BigInt(offset);
    },
  };
}

/** The copy of koffi that the other packages use: its other form for ES modules would load the native part again. */
function requireKoffi(): typeof Koffi | undefined {
  try {
    // Safe: the module's own declarations say so.
    return createRequire(import.meta.url)('koffi') as typeof Koffi;
  } catch {
    return undefined;
  }
}
