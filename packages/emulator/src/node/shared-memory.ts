/**
 * A machine's memory that other processes see: what GPU addresses reach is a file in memory, mapped over the pages of the
 * WebAssembly memory, at the same offsets. The emulator's own state below it stays private.
 */
import { HsaError, InternalError } from '@doorbell/abi';
import type { MemorySource } from '../device/memory-pool.js';
import { pooledMemory } from '../device/memory-pool.js';
import type { Host } from '../host.js';
import { MEMORY_BYTES, STATE_BYTES } from '../memory-map.js';
import { loadLibc, type Libc } from './native-memory.js';

/** sys/mman.h on Linux (asm-generic/mman-common.h, linux/memfd.h). */
const PROT_READ_WRITE = 1 | 2;
const MAP_SHARED = 0x01;
const MAP_PRIVATE = 0x02;
const MAP_FIXED = 0x10;
const MAP_ANONYMOUS = 0x20;
const MAP_NORESERVE = 0x4000;
const MADV_REMOVE = 9;
const MFD_CLOEXEC = 1;
const SHARED_BYTES = MEMORY_BYTES - STATE_BYTES;

/** A memory source of one machine, with the file that its memory is in. */
export interface SharedMemory extends MemorySource {
  /** Descriptor of the file, in this process, while the memory is in use; its offsets are those of the memory. */
  readonly file: number;
  /** A host whose pages are those of the file. */
  readonly host: Host;
}

/**
 * Looks for what it takes; the file comes with the memory.
 * @throws {HsaError} ERR_HOST where there is no Linux or no koffi.
 */
export function createSharedMemory(host: Host): SharedMemory {
  const libc = loadLibc(process.platform);
  if (libc === undefined) {
    throw new HsaError('ERR_HOST', { message: 'memory is shared with other processes on Linux only, with koffi installed' });
  }
  let file = -1;
  const cover = (memory: WebAssembly.Memory, flags: number, fd: number): void => {
    const at = libc.addressOf(memory, STATE_BYTES);
    const offset = fd < 0 ? 0 : STATE_BYTES;
    if (libc.mmap(at, SHARED_BYTES, PROT_READ_WRITE, flags | MAP_FIXED, fd, offset) !== at) throw failure(libc, 'mmap');
  };
  return {
    get file() {
      return file;
    },
    host: {
      ...host,
      discardPages: (memory, offset, sizeBytes) =>
        offset >= STATE_BYTES && libc.madvise(libc.addressOf(memory, offset), sizeBytes, MADV_REMOVE) === 0,
    },
    acquire() {
      file = check(libc, 'memfd_create', libc.memfdCreate('doorbell', MFD_CLOEXEC));
      check(libc, 'ftruncate', libc.ftruncate(file, MEMORY_BYTES));
      const memory = pooledMemory.acquire();
      cover(memory, MAP_SHARED, file);
      return memory;
    },
    release(memory, _host, clear) {
      if (libc.close(file) !== 0) throw new InternalError('the file of a shared memory was closed already');
      cover(memory, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
      pooledMemory.release(memory, host, clear);
    },
  };
}

function check(libc: Libc, call: string, result: number): number {
  if (result < 0) throw failure(libc, call);
  return result;
}

function failure(libc: Libc, call: string): HsaError {
  const errno = libc.errno();
  return new HsaError('ERR_HOST', { message: `${call} for a shared memory failed with errno ${errno}`, errno });
}
