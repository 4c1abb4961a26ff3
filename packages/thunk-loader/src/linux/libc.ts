/**
 * The one place that declares C functions. koffi truncates arguments silently and answers 64-bit results as number or
 * bigint, so every function here checks or normalises, and reads errno at once.
 */
import { createRequire } from 'node:module';
import type * as Koffi from 'koffi';
import { HsaError, InternalError } from '@doorbell/abi';

/** System calls; failing ones answer a negative errno. */
export interface Libc {
  open(path: string, flags: number): number;
  close(fd: number): number;
  ioctl(fd: number, request: number, arg: Uint8Array): number;
  /** On a thread of its own. */
  ioctlAsync(fd: number, request: number, arg: Uint8Array): Promise<number>;
  /** `address` 0n: the system chooses. */
  mmap(range: MapRange): bigint | number;
  munmap(address: bigint, sizeBytes: number): number;
  /** The bytes at an address; valid as long as they are mapped. */
  view(address: bigint, sizeBytes: number): Uint8Array;
  /** Address of a buffer that does not move: one that owns its memory outside the JavaScript heap. */
  addressOf(buffer: ArrayBuffer): bigint;
}

/** Arguments of mmap(2). */
interface MapRange {
  readonly address: bigint;
  readonly sizeBytes: number;
  readonly protection: number;
  readonly flags: number;
  readonly fd: number;
  readonly offset: bigint;
}

/** asm-generic/mman-common.h, asm-generic/mman.h, bits/mman.h: the same on x86-64 and arm64. */
export const PROT = { NONE: 0, READ: 1, WRITE: 2 } as const;
export const MAP = { SHARED: 1, PRIVATE: 2, FIXED: 0x10, ANONYMOUS: 0x20, NORESERVE: 0x4000 } as const;
/** asm-generic/fcntl.h. */
export const O = { RDWR: 2, CLOEXEC: 0o2000000 } as const;

let libc: Libc | undefined;

/** @throws {HsaError} ERR_NATIVE_MODULE when koffi is not there, ERR_NOT_SUPPORTED on other systems than Linux. */
export function loadLibc(importKoffi: () => typeof Koffi = requireKoffi): Libc {
  if (process.platform !== 'linux') {
    throw new HsaError('ERR_NOT_SUPPORTED', { message: `/dev/kfd exists on Linux only; this is ${process.platform}` });
  }
  libc ??= bind(loadKoffi(importKoffi));
  return libc;
}

/** Loads koffi, or says why it cannot be: bundlers leave its native part behind. */
export function loadKoffi(importKoffi: () => typeof Koffi = requireKoffi): typeof Koffi {
  try {
    return importKoffi();
  } catch (cause) {
    throw new HsaError('ERR_NATIVE_MODULE', {
      message: `the native module koffi could not be loaded: ${cause instanceof Error ? cause.message : String(cause)}`,
      details: { module: 'koffi' },
      cause,
    });
  }
}

/**
 * Loads the native module that the real device and thunk libraries need, and gives its version.
 * @throws {HsaError} ERR_NATIVE_MODULE with what to do about bundlers.
 */
export function requireNativeModule(importKoffi?: () => typeof Koffi): string {
  return `koffi ${loadKoffi(importKoffi).version}`;
}

/** koffi is loaded when it is first needed: a program that only emulates must not need it. */
function requireKoffi(): typeof Koffi {
  // Safe: the module's own declarations say so.
  return createRequire(import.meta.url)('koffi') as typeof Koffi;
}

function bind(koffi: typeof Koffi): Libc {
  const lib = koffi.load(null);
  const open = lib.func('int open(const char *path, int flags)') as unknown as (path: string, flags: number) => number;
  const close = lib.func('int close(int fd)') as unknown as (fd: number) => number;
  const ioctl = lib.func('int ioctl(int fd, unsigned long request, void *arg)') as unknown as IoctlFunction;
  const mmap = lib.func('void *mmap(void *addr, size_t length, int prot, int flags, int fd, int64_t offset)') as unknown as (
    ...args: readonly [bigint, number, number, number, number, bigint]
  ) => bigint | number | null;
  const munmap = lib.func('int munmap(void *addr, size_t length)') as unknown as (address: bigint, sizeBytes: number) => number;
  const orErrno = (result: number): number => (result === -1 ? -koffi.errno() : result);
  return {
    open: (path, flags) => orErrno(open(path, flags)),
    close: (fd) => orErrno(close(fd)),
    ioctl: (fd, request, arg) => orErrno(ioctl(fd, request, arg)),
    ioctlAsync: (fd, request, arg) =>
      new Promise((resolve, reject) => {
        ioctl.async(fd, request, arg, (error, result) => {
          if (error) reject(error);
          else resolve(orErrno(result));
        });
      }),
    mmap(range) {
      checkSize(range.sizeBytes);
      const { address, sizeBytes, protection, flags, fd, offset } = range;
      // Offsets of /dev/kfd have the top bit set: off_t is signed.
      const result = mmap(address, sizeBytes, protection, flags, fd, BigInt.asIntN(64, offset));
      const mapped = BigInt.asUintN(64, BigInt(result ?? 0n));
      return mapped === MAP_FAILED ? -koffi.errno() : mapped;
    },
    munmap(address, sizeBytes) {
      checkSize(sizeBytes);
      return orErrno(munmap(address, sizeBytes));
    },
    view: (address, sizeBytes) => new Uint8Array(koffi.view(address, checkSize(sizeBytes))),
    addressOf: (buffer) => BigInt(koffi.address(buffer)),
  };
}

const MAP_FAILED = 0xffff_ffff_ffff_ffffn;

interface IoctlFunction {
  (fd: number, request: number, arg: Uint8Array): number;
  async(fd: number, request: number, arg: Uint8Array, callback: (error: Error | null, result: number) => void): void;
}

function checkSize(sizeBytes: number): number {
  if (Number.isSafeInteger(sizeBytes) && sizeBytes > 0) return sizeBytes;
  throw new InternalError(`a mapping of ${sizeBytes} bytes`);
}
