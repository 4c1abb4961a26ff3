import type { DoorbellPage, HostBuffer, KfdDevice, Mapping, MmapOptions, SysfsSource } from '@doorbell/abi';
import { HsaError } from '@doorbell/abi';
import type { Caller } from '../access.js';
import { EBADF, EINVAL } from '../errno.js';
import type { Libc } from './libc.js';
import { MAP, O, PROT, loadLibc } from './libc.js';
import { openError } from './open-error.js';
import { createLinuxSysfs } from './sysfs.js';

/** How to open the real device; what is absent is taken from the system. */
export interface OpenKfdOptions {
  /** Default: `/dev/kfd`. */
  readonly path?: string;
  /** Default: the machine's own `/sys`, `/dev` and `/proc`. */
  readonly sysfs?: SysfsSource;
  /** For the message when access is denied. Default: this process. */
  readonly caller?: Caller;
}

interface Opened {
  readonly device: LinuxKfdDevice;
  users: number;
}

/** The driver's state is the process's, and is bound to the first descriptors: they are kept for its life, as libhsakmt does. */
const opened = new Map<string, Opened>();

/**
 * Opens the kernel driver's device node. Opening it again in one process gives the same device.
 * @throws {HsaError} ERR_KFD_MISSING, ERR_KFD_PERMISSION, ERR_KFD_UNSUPPORTED, ERR_DEVICE_FILE; ERR_NATIVE_MODULE without koffi.
 */
export function openKfdDevice(options: OpenKfdOptions = {}): KfdDevice {
  const { path = '/dev/kfd', sysfs = createLinuxSysfs(), caller } = options;
  const known = opened.get(path);
  if (known) {
    known.users++;
    return known.device;
  }
  const libc = loadLibc();
  const fd = libc.open(path, O.RDWR | O.CLOEXEC);
  if (fd < 0) throw openError({ path, errno: -fd, sysfs, ...(caller === undefined ? {} : { caller }) });
  const device = new LinuxKfdDevice(libc, { path, fd, sysfs });
  opened.set(path, { device, users: 1 });
  return device;
}

class LinuxKfdDevice implements KfdDevice {
  readonly path: string;
  readonly sysfs: SysfsSource;
  readonly #libc: Libc;
  readonly #fd: number;
  readonly #renderFiles = new Set<number>();
  /** Start and size of the reserved ranges: what is unmapped inside one becomes reserved again. */
  readonly #reserved = new Map<bigint, number>();

  constructor(libc: Libc, { path, fd, sysfs }: { readonly path: string; readonly fd: number; readonly sysfs: SysfsSource }) {
    this.#libc = libc;
    this.path = path;
    this.#fd = fd;
    this.sysfs = sysfs;
  }

  ioctl(request: number, arg: Uint8Array): number {
    return this.#libc.ioctl(this.#fd, request, arg);
  }

  async waitIoctl(request: number, arg: Uint8Array): Promise<number> {
    return this.#libc.ioctlAsync(this.#fd, request, arg);
  }

  hostBuffer(sizeBytes: number): HostBuffer {
    // An ArrayBuffer made as such lies outside the JavaScript heap and does not move.
    const buffer = new ArrayBuffer(sizeBytes);
    return { address: this.#libc.addressOf(buffer), bytes: new Uint8Array(buffer), [Symbol.dispose]: () => undefined };
  }

  openRenderNode(minor: number): number {
    if (!Number.isInteger(minor) || minor < 128 || minor > 255) return -EINVAL;
    const file = this.#libc.open(`/dev/dri/renderD${minor}`, O.RDWR | O.CLOEXEC);
    if (file >= 0) this.#renderFiles.add(file);
    return file;
  }

  closeRenderNode(file: number): void {
    if (this.#renderFiles.delete(file)) this.#libc.close(file);
  }

  drmIoctl(file: number, request: number, arg: Uint8Array): number {
    return this.#renderFiles.has(file) ? this.#libc.ioctl(file, request, arg) : -EBADF;
  }

  closeFile(file: number): number {
    // Files that this object keeps for the life of the process are not among those that an ioctl answered.
    return file === this.#fd || this.#renderFiles.has(file) ? -EBADF : this.#libc.close(file);
  }

  reserve({ sizeBytes, alignBytes }: { readonly sizeBytes: number; readonly alignBytes: number }): bigint | number {
    const flags = MAP.PRIVATE | MAP.ANONYMOUS | MAP.NORESERVE;
    const slack = alignBytes > PAGE_BYTES ? alignBytes : 0;
    const total = sizeBytes + slack;
    const start = this.#libc.mmap({ address: 0n, sizeBytes: total, protection: PROT.NONE, flags, fd: -1, offset: 0n });
    if (typeof start === 'number') return start;
    const align = BigInt(alignBytes);
    const address = slack === 0 ? start : ((start + align - 1n) / align) * align;
    const before = Number(address - start);
    const after = slack - before;
    if (before > 0) this.#libc.munmap(start, before);
    if (after > 0) this.#libc.munmap(address + BigInt(sizeBytes), after);
    this.#reserved.set(address, sizeBytes);
    return address;
  }

  release(address: bigint, sizeBytes: number): number {
    if (this.#reserved.get(address) !== sizeBytes) return -EINVAL;
    this.#reserved.delete(address);
    return this.#libc.munmap(address, sizeBytes);
  }

  mmap(options: MmapOptions): Mapping | number {
    const { file, offset, sizeBytes, address, protection } = options;
    const fd = file === 'kfd' ? this.#fd : typeof file === 'number' ? file : file.dmabuf;
    if (typeof file === 'number' && !this.#renderFiles.has(file)) return -EBADF;
    if (address !== undefined && !this.#isReserved(address, sizeBytes)) return -EINVAL;
    const mapped = this.#libc.mmap({
      address: address ?? 0n,
      sizeBytes,
      protection: (protection.read ? PROT.READ : 0) | (protection.write ? PROT.WRITE : 0),
      flags: MAP.SHARED | (address === undefined ? 0 : MAP.FIXED),
      fd,
      offset,
    });
    return this.#mapping(mapped, sizeBytes);
  }

  mapAnonymous({ sizeBytes, address }: { readonly sizeBytes: number; readonly address?: bigint }): Mapping | number {
    if (address !== undefined && !this.#isReserved(address, sizeBytes)) return -EINVAL;
    const flags = MAP.PRIVATE | MAP.ANONYMOUS | (address === undefined ? 0 : MAP.FIXED);
    const protection = PROT.READ | PROT.WRITE;
    const mapped = this.#libc.mmap({ address: address ?? 0n, sizeBytes, protection, flags, fd: -1, offset: 0n });
    return this.#mapping(mapped, sizeBytes);
  }

  mapDoorbells({ offset, sizeBytes }: { readonly offset: bigint; readonly sizeBytes: number }): DoorbellPage | number {
    const mapping = this.mmap({ file: 'kfd', offset, sizeBytes, protection: { read: true, write: true } });
    return typeof mapping === 'number' ? mapping : new LinuxDoorbellPage(mapping);
  }

  munmap({ address, sizeBytes }: Mapping): number {
    if (!this.#isReserved(address, sizeBytes)) return this.#libc.munmap(address, sizeBytes);
    // A hole here could be given to another thread of the process before the range is released.
    const flags = MAP.PRIVATE | MAP.ANONYMOUS | MAP.NORESERVE | MAP.FIXED;
    const result = this.#libc.mmap({ address, sizeBytes, protection: PROT.NONE, flags, fd: -1, offset: 0n });
    return typeof result === 'number' ? result : 0;
  }

  /** The descriptors stay: see {@link opened}. */
  async [Symbol.asyncDispose](): Promise<void> {
    const entry = opened.get(this.path);
    if (entry !== undefined && entry.users > 0) entry.users--;
    return Promise.resolve();
  }

  #mapping(mapped: bigint | number, sizeBytes: number): Mapping | number {
    return typeof mapped === 'number' ? mapped : { address: mapped, sizeBytes, bytes: this.#libc.view(mapped, sizeBytes) };
  }

  #isReserved(address: bigint, sizeBytes: number): boolean {
    if (this.#reserved.get(address) === sizeBytes) return true;
    for (const [start, size] of this.#reserved) {
      if (address >= start && address + BigInt(sizeBytes) <= start + BigInt(size)) return true;
    }
    return false;
  }
}

const PAGE_BYTES = 4096;

/** Doorbells of the real device: device memory that takes one 64-bit store. */
export class LinuxDoorbellPage implements DoorbellPage {
  readonly address: bigint;
  readonly sizeBytes: number;
  readonly bytes: Uint8Array;
  readonly #slots: Float64Array;
  /** The 64 bits to store, as two integers and as the one float that a single store writes. */
  readonly #bits = new Uint32Array(2);
  readonly #asFloat = new Float64Array(this.#bits.buffer);
  readonly #fence = new Int32Array(new SharedArrayBuffer(4));

  constructor({ address, sizeBytes, bytes }: Mapping) {
    this.address = address;
    this.sizeBytes = sizeBytes;
    this.bytes = bytes;
    this.#slots = new Float64Array(bytes.buffer, bytes.byteOffset, sizeBytes / 8);
  }

  // hot
  ring(byteOffset: number, value: number): void {
    const slot = byteOffset / 8;
    if (!Number.isInteger(slot) || slot < 0 || slot >= this.#slots.length) {
      throw new HsaError('ERR_INVALID_ARGUMENT', { message: `there is no doorbell at byte ${byteOffset} of ${this.sizeBytes}` });
    }
    // Non-negative safe integers are no NaN as bits, so the float goes through unchanged.
    this.#bits[0] = value >>> 0;
    this.#bits[1] = Math.floor(value / 0x1_0000_0000);
    // A sequentially consistent store (a locked instruction on x86-64) drains what was written before, write-combined memory too.
    Atomics.store(this.#fence, 0, 0);
    this.#slots[slot] = this.#asFloat[0] ?? 0;
  }
}
