/**
 * The boundary to the kernel driver: one interface with two implementations, the real device files and the emulated GPU.
 * Everything above it is one body of code and never asks which of the two it has.
 */

/** A range of memory that the caller owns, with the view that goes with its address. */
export interface Mapping {
  /** Address in the (one) address space that CPU and GPU share. */
  readonly address: bigint;
  readonly sizeBytes: number;
  /** The bytes behind {@link address}; valid until the mapping is unmapped, and not a moment longer. */
  readonly bytes: Uint8Array;
}

/** The doorbells of one process on one GPU. */
export interface DoorbellPage extends Mapping {
  /**
   * Stores the 64-bit `value` (a packet or byte index, a safe integer) at `byteOffset` with release order: what the caller
   * stored before is visible to the GPU before the doorbell is.
   */
  ring(byteOffset: number, value: number): void;
}

/** Which pages a mapping allows: the PROT_ bits of mmap(2), named. */
export interface Protection {
  readonly read: boolean;
  readonly write: boolean;
}

/** Host memory that pointer members of ioctl arguments may point at. */
export interface HostBuffer extends Disposable {
  readonly address: bigint;
  readonly bytes: Uint8Array;
}

/**
 * An open file of the device: the KFD node itself, a render node descriptor returned by {@link KfdDevice.openRenderNode}, or a dma-buf
 * by its descriptor.
 */
export type DeviceFile = 'kfd' | number | { readonly dmabuf: number };

/** What to map: see {@link KfdDevice.mmap}. */
export interface MmapOptions {
  readonly file: DeviceFile;
  /** Byte offset in the file; KFD and DRM encode what is meant in it (kfd_ioctl.h KFD_MMAP_TYPE_*). */
  readonly offset: bigint;
  readonly sizeBytes: number;
  /** Map exactly here (MAP_FIXED, inside a range from {@link KfdDevice.reserve}); absent: the system chooses. */
  readonly address?: bigint;
  readonly protection: Protection;
}

/** What kind of memory a reserved range is meant for; devices whose address space has no such split ignore it. */
export type HeapHint = 'system' | 'vram';

/**
 * An open KFD device. Calls that fail return a negative errno, as a Linux system call does; they do not throw, so that
 * the layer above can say what it was trying to do. `ioctl` is synchronous and bounded (at most 10 ms); only
 * {@link waitIoctl} waits.
 */
export interface KfdDevice extends AsyncDisposable {
  /** Path or description for messages: `/dev/kfd`, `emulated gfx1100`. */
  readonly path: string;
  /** The sysfs (and DRM) tree that belongs to this device. */
  readonly sysfs: SysfsSource;

  /** Issues ioctl `request` on the KFD file; `arg` is read and written in place, also when the call fails. */
  ioctl(request: number, arg: Uint8Array): number;
  /** As {@link ioctl}, for calls that may wait in the driver (WAIT_EVENTS); never blocks the calling thread. `arg` stays owned by the call until it resolves. */
  waitIoctl(request: number, arg: Uint8Array): Promise<number>;
  /** Zeroed host memory for pointer members of ioctl arguments. */
  hostBuffer(sizeBytes: number): HostBuffer;

  /** Opens render node `minor` (128…255): a descriptor ≥ 0, or a negative errno. */
  openRenderNode(minor: number): number;
  closeRenderNode(file: number): void;
  /** Issues a DRM ioctl on a render node's file; as {@link ioctl}. */
  drmIoctl(file: number, request: number, arg: Uint8Array): number;
  /** Closes a descriptor that an ioctl answered (a dma-buf): 0, or a negative errno. */
  closeFile(file: number): number;

  /**
   * Reserves an address range without memory behind it (aligned to `alignBytes`, a power of two ≥ 4096), or a negative errno.
   * `dmabuf`: the range is for the import of this file; a device that has each memory at one address only answers that address.
   */
  reserve(options: {
    readonly sizeBytes: number;
    readonly alignBytes: number;
    readonly heap: HeapHint;
    readonly dmabuf?: number;
  }): bigint | number;
  /** Gives a reserved range back; mappings laid into it are gone with it. */
  release(address: bigint, sizeBytes: number): number;

  mmap(options: MmapOptions): Mapping | number;
  /** Zeroed memory of the host in the address space that GPUs share, at an address inside a reserved range or where the system likes. */
  mapAnonymous(options: { readonly sizeBytes: number; readonly address?: bigint }): Mapping | number;
  /** Maps the doorbells of a GPU: `offset` as CREATE_QUEUE returned it, rounded down to the slice. */
  mapDoorbells(options: { readonly offset: bigint; readonly sizeBytes: number }): DoorbellPage | number;
  munmap(mapping: Mapping): number;
}

/** Outcome of reading a file or folder: the value, or the errno name that says why not (`ENOENT`, `EACCES`, …). */
export type SysfsResult<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly errno: string };

/** What stat(2) tells of a file, as far as permission messages and device checks need it. */
export interface SysfsStat {
  readonly kind: 'file' | 'directory' | 'character-device' | 'other';
  /** Permission bits, octal 0o000…0o7777. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/** Read access to `/sys`, `/dev` and `/proc`, by absolute path; a test or an emulated machine hands in its own tree. */
export interface SysfsSource {
  readText(path: string): SysfsResult<string>;
  /** Names in a folder, sorted; numbers by value. */
  list(path: string): SysfsResult<readonly string[]>;
  stat(path: string): SysfsResult<SysfsStat>;
  /** Where a symbolic link points, made absolute. */
  readLink(path: string): SysfsResult<string>;
}
