/** Memory through libhsakmt: it picks addresses and keeps its own record of each allocation, by address. */
import type { StructInit } from '@doorbell/abi';
import { HsaError, hsakmtB } from '@doorbell/abi';
import { checkAllocate, checkSize, describeMemory } from '../arguments/memory.js';
import { EBUSY, ENOMEM, systemCallError } from '../errno.js';
import { Unwind } from '../unwind.js';
import type { Libc } from '../linux/libc.js';
import { MAP as MMAP, PROT } from '../linux/libc.js';
import type { AllocateOptions, DmabufFile, HostMemory, ImportDmabufOptions, MemoryKind, ThunkMemory } from '../thunk.js';
import type { HsakmtSession } from './session.js';
import { nodeOf, notSupported } from './session.js';
import type { HsakmtResult } from './status.js';
import { hsakmtError, isSuccess } from './status.js';

const MAP = 'hsaKmtMapMemoryToGPUNodes';

/** The flag word of both generations; bits from 18 on are B's. */
const MEM_FLAGS = hsakmtB.HsaMemFlags;

type MemFlags = NonNullable<StructInit<typeof MEM_FLAGS.fields>['ui32']>;

/** From here on address space may be short: it has 47 bits, and runtimes reserve much of it. */
const SCARCE_BYTES = 2 ** 30;
/** More than the pages that the library leaves free around an allocation, and what it adds for large pages. */
const GUARD_BYTES = 2 ** 23;

/** How an allocation is given back. */
interface Allocation {
  /** The library knows it by this address, which is the GPU's as well but for registered memory of old GPUs. */
  readonly libraryAddress: bigint;
  readonly release: 'free' | 'deregister' | 'nothing';
  /** More than was asked for where that is the way to an alignment. */
  readonly librarySizeBytes: number;
  readonly mappedOn: Set<number>;
}

/** Allocations of one thunk. */
export class HsakmtMemory {
  readonly #session: HsakmtSession;
  readonly #libc: Libc;
  readonly #live = new Map<ThunkMemory, Allocation>();
  readonly #hostMemories = new Set<HostMemory>();
  readonly #files = new Map<number, MemoryKind>();

  constructor(session: HsakmtSession, libc: Libc) {
    this.#session = session;
    this.#libc = libc;
  }

  get live(): readonly ThunkMemory[] {
    return [...this.#live.keys()];
  }

  get liveHostMemory(): readonly HostMemory[] {
    return [...this.#hostMemories];
  }

  get openFiles(): readonly number[] {
    return [...this.#files.keys()];
  }

  allocate(options: AllocateOptions): ThunkMemory {
    const { sizeBytes, alignBytes } = checkAllocate(options);
    options.gpuIds.forEach((gpuId) => nodeOf(this.#session, gpuId));
    switch (options.kind) {
      case 'vram':
      case 'gtt':
        return this.#allocateFromDriver(options, { sizeBytes, alignBytes });
      case 'userptr':
        return this.#register(options, sizeBytes);
      case 'mmio':
        return this.#mmioPage(options, sizeBytes);
      case 'doorbell':
        throw notSupported(
          this.#session.library,
          'memory of kind doorbell',
          'the library maps doorbells itself, with each queue',
        );
    }
  }

  /** The library tells no kind of what it imports: one that this thunk exported is known, others count as VRAM. */
  importDmabuf({ file, gpuIds, hostVisible = false }: ImportDmabufOptions): ThunkMemory {
    const { library } = this.#session;
    if (hostVisible) throw notSupported(library, 'a view of imported memory', 'the library maps it for GPUs only');
    const nodes = this.#nodeArray(gpuIds);
    const layout = library.layouts.HsaGraphicsResourceInfo;
    const info = layout.create();
    library.call('hsaKmtRegisterGraphicsHandleToNodes', [BigInt(file), info, BigInt(nodes.length), nodes], {
      doing: `importing dma-buf ${file}`,
    });
    const { MemoryAddress: address, SizeInBytes: size } = layout.read(info);
    const kind = this.#files.get(file) ?? 'vram';
    const unwind = new Unwind();
    unwind.add(() => library.tryCall('hsaKmtDeregisterMemory', [address]));
    return this.#finish({ kind, gpuIds, sizeBytes: Number(size), libraryAddress: address, release: 'deregister', unwind });
  }

  exportDmabuf(memory: ThunkMemory): DmabufFile {
    const { library } = this.#session;
    this.#allocation(memory);
    if (!library.has('hsaKmtExportDMABufHandle')) {
      throw notSupported(library, 'exporting a dma-buf', 'this release has no hsaKmtExportDMABufHandle');
    }
    const file = new Int32Array(1);
    const offset = new BigUint64Array(1);
    library.call('hsaKmtExportDMABufHandle', [memory.address, BigInt(memory.sizeBytes), file, offset], {
      doing: `exporting ${describeMemory(memory)}`,
    });
    const [descriptor = -1] = file;
    this.#files.set(descriptor, memory.kind);
    return Object.freeze({ file: descriptor, offsetBytes: Number(offset[0] ?? 0n) });
  }

  closeFile(file: number): void {
    if (!this.#files.delete(file)) {
      const message = `descriptor ${file} is not one that this thunk handed out`;
      throw new HsaError('ERR_INVALID_ARGUMENT', { message, details: { file } });
    }
    this.#libc.close(file);
  }

  hostMemory(wantedBytes: number): HostMemory {
    const sizeBytes = checkSize(wantedBytes);
    const flags = MMAP.PRIVATE | MMAP.ANONYMOUS;
    const protection = PROT.READ | PROT.WRITE;
    const address = this.#libc.mmap({ address: 0n, sizeBytes, protection, flags, fd: -1, offset: 0n });
    if (typeof address === 'number') {
      const code = address === -ENOMEM ? 'ERR_OUT_OF_MEMORY' : 'ERR_DEVICE_FILE';
      const doing = `taking ${sizeBytes} bytes of system memory`;
      throw systemCallError({ code, call: 'mmap', path: this.#session.library.path, errno: -address, doing });
    }
    const memory: HostMemory = Object.freeze({
      address,
      sizeBytes,
      bytes: this.#libc.view(address, sizeBytes),
      [Symbol.dispose]: (): void => {
        if (this.#hostMemories.delete(memory)) this.#libc.munmap(address, sizeBytes);
      },
    });
    this.#hostMemories.add(memory);
    return memory;
  }

  mapToGpus(memory: ThunkMemory, gpuIds: readonly number[]): void {
    const allocation = this.#allocation(memory);
    if (allocation.release === 'nothing') return;
    this.#mapOn(allocation, [...new Set([...allocation.mappedOn, ...gpuIds])], describeMemory(memory));
  }

  unmapFromGpus(memory: ThunkMemory, gpuIds: readonly number[]): void {
    const allocation = this.#allocation(memory);
    const { mappedOn, release } = allocation;
    if (release === 'nothing' || !gpuIds.some((gpuId) => mappedOn.has(gpuId))) return;
    const rest = [...mappedOn].filter((gpuId) => !gpuIds.includes(gpuId));
    if (rest.length > 0) this.#mapOn(allocation, rest, describeMemory(memory));
    else this.#unmapAll(allocation, describeMemory(memory));
  }

  free(memory: ThunkMemory): void {
    const { library } = this.#session;
    const allocation = this.#allocation(memory);
    const { libraryAddress, librarySizeBytes, release } = allocation;
    const doing = `freeing ${describeMemory(memory)}`;
    if (release !== 'nothing' && allocation.mappedOn.size > 0) this.#unmapAll(allocation, describeMemory(memory));
    if (release === 'free') library.call('hsaKmtFreeMemory', [libraryAddress, BigInt(librarySizeBytes)], { doing });
    if (release === 'deregister') library.call('hsaKmtDeregisterMemory', [libraryAddress], { doing });
    this.#live.delete(memory);
  }

  #allocateFromDriver(
    options: AllocateOptions,
    { sizeBytes, alignBytes }: { readonly sizeBytes: number; readonly alignBytes: number },
  ): ThunkMemory {
    const { library, cpuNode } = this.#session;
    const { kind, gpuIds } = options;
    const { hostVisible = kind !== 'vram' } = options;
    const node = kind === 'vram' ? nodeOf(this.#session, gpuIds[0]) : cpuNode;
    if (node === undefined)
      throw notSupported(library, 'system memory', 'the library allocates it on CPU nodes, and there is none');
    const flags = this.#flags(options, { NonPaged: 1, NoSubstitute: 1, HostAccess: hostVisible ? 1 : 0 });
    const doing = `allocating ${sizeBytes} bytes of ${kind} on node ${node}`;
    const out = new BigUint64Array(1);
    // Before there was a function for it, the library aligned to the largest power of two in the size, up to 2 MiB.
    const canAlign = library.has('hsaKmtAllocMemoryAlign');
    const librarySizeBytes = canAlign ? sizeBytes : Math.max(sizeBytes, alignBytes);
    // Failing to allocate system memory has a status of its own, which says nothing.
    const purpose = { doing, ...(kind === 'gtt' ? { code: 'ERR_OUT_OF_MEMORY' as const } : {}) };
    const size = BigInt(librarySizeBytes);
    this.#requireAddresses(librarySizeBytes + alignBytes, doing);
    if (canAlign) library.call('hsaKmtAllocMemoryAlign', [node, size, BigInt(alignBytes), flags, out], purpose);
    else library.call('hsaKmtAllocMemory', [node, size, flags, out], purpose);
    const [address = 0n] = out;
    const unwind = new Unwind();
    unwind.add(() => library.tryCall('hsaKmtFreeMemory', [address, size]));
    if (address % BigInt(alignBytes) !== 0n) {
      unwind.run();
      throw notSupported(library, `an alignment of ${alignBytes} bytes`, 'this release aligns by size, to 2 MiB at most');
    }
    return this.#finish({
      kind,
      gpuIds,
      sizeBytes,
      librarySizeBytes,
      libraryAddress: address,
      release: 'free',
      bytes: hostVisible ? this.#libc.view(address, sizeBytes) : undefined,
      unwind,
    });
  }

  /** Without addresses for it the library unmaps the first bytes of the address space, as many as were asked for, with all that lies there. */
  #requireAddresses(sizeBytes: number, doing: string): void {
    if (sizeBytes < SCARCE_BYTES) return;
    const range = sizeBytes + GUARD_BYTES;
    const flags = MMAP.PRIVATE | MMAP.ANONYMOUS | MMAP.NORESERVE;
    const address = this.#libc.mmap({ address: 0n, sizeBytes: range, protection: PROT.NONE, flags, fd: -1, offset: 0n });
    if (typeof address === 'bigint') this.#libc.munmap(address, range);
    else
      throw systemCallError({
        code: 'ERR_OUT_OF_MEMORY',
        call: 'mmap',
        path: this.#session.library.path,
        errno: -address,
        doing,
      });
  }

  #register(options: AllocateOptions, sizeBytes: number): ThunkMemory {
    const { library } = this.#session;
    const { gpuIds, host } = options;
    if (host === undefined) throw new HsaError('ERR_INVALID_ARGUMENT', { message: 'userptr needs host' });
    const flags = this.#flags(options, { HostAccess: 1 });
    library.call('hsaKmtRegisterMemoryWithFlags', [host.address, BigInt(sizeBytes), flags], {
      doing: `registering ${sizeBytes} bytes of system memory at 0x${host.address.toString(16)}`,
    });
    const unwind = new Unwind();
    unwind.add(() => library.tryCall('hsaKmtDeregisterMemory', [host.address]));
    const { address: libraryAddress, bytes } = host;
    return this.#finish({ kind: 'userptr', gpuIds, sizeBytes, libraryAddress, release: 'deregister', bytes, unwind });
  }

  /** The library maps the page when it takes the snapshot, for the host and for its GPU. */
  #mmioPage({ gpuIds, hostVisible = true }: AllocateOptions, sizeBytes: number): ThunkMemory {
    const [gpuId] = gpuIds;
    const address = this.#session.mmioPages.get(gpuId);
    if (address === undefined) {
      throw notSupported(this.#session.library, `memory of kind mmio on GPU ${gpuId}`, 'the library found no such page');
    }
    const bytes = hostVisible ? this.#libc.view(address, sizeBytes) : undefined;
    const memory = Object.freeze({ kind: 'mmio', address, sizeBytes, handle: address, gpuIds, bytes } as const);
    const mappedOn = new Set([gpuId]);
    this.#live.set(memory, { libraryAddress: address, librarySizeBytes: sizeBytes, release: 'nothing', mappedOn });
    return memory;
  }

  #flags(options: AllocateOptions, base: MemFlags): number {
    const { kind, coherent = kind !== 'vram', executable = false, writable = true } = options;
    const { uncached = false, extendedCoherent = false, contiguous = false } = options;
    const { library } = this.#session;
    if ((extendedCoherent || contiguous) && library.generation === 'A') {
      const what = extendedCoherent ? 'extendedCoherent memory' : 'contiguous memory';
      throw notSupported(library, what, 'libraries of generation A have no flag for it');
    }
    const bytes = MEM_FLAGS.create({
      ui32: {
        ...base,
        CoarseGrain: coherent ? 0 : 1,
        ReadOnly: writable ? 0 : 1,
        ExecuteAccess: executable ? 1 : 0,
        Uncached: uncached ? 1 : 0,
        ExtendedCoherent: extendedCoherent ? 1 : 0,
        Contiguous: contiguous ? 1 : 0,
      },
    });
    return MEM_FLAGS.read(bytes).Value;
  }

  /** Maps on the GPUs and notes the allocation; takes back what was done when that fails. */
  #finish(made: {
    readonly kind: MemoryKind;
    readonly gpuIds: readonly [number, ...number[]];
    readonly sizeBytes: number;
    readonly librarySizeBytes?: number;
    readonly libraryAddress: bigint;
    readonly release: Allocation['release'];
    readonly bytes?: Uint8Array | undefined;
    readonly unwind: Unwind;
  }): ThunkMemory {
    const { kind, gpuIds, sizeBytes, libraryAddress, release, bytes, librarySizeBytes = sizeBytes } = made;
    const allocation = { libraryAddress, librarySizeBytes, release, mappedOn: new Set<number>() };
    try {
      const where = `${sizeBytes} bytes of ${kind} at 0x${libraryAddress.toString(16)}`;
      const address = this.#mapOn(allocation, gpuIds, where);
      const memory: ThunkMemory = Object.freeze({ kind, address, sizeBytes, handle: libraryAddress, gpuIds, bytes });
      this.#live.set(memory, allocation);
      return memory;
    } catch (error) {
      made.unwind.run();
      throw error;
    }
  }

  /** Makes the memory reachable from these GPUs and no others, which is what the library does; answers the address for GPUs. */
  #mapOn(allocation: Allocation, gpuIds: readonly number[], what: string): bigint {
    const { libraryAddress, mappedOn } = allocation;
    const { address, ...result } = this.#tryMap(allocation, gpuIds);
    if (!isSuccess(result.status)) {
      const { path } = this.#session.library;
      throw hsakmtError({ ...result, call: MAP, path, doing: `mapping ${what} on GPUs ${gpuIds.join(', ')}` });
    }
    mappedOn.clear();
    for (const gpuId of gpuIds) mappedOn.add(gpuId);
    return address === 0n ? libraryAddress : address;
  }

  #tryMap({ libraryAddress, librarySizeBytes }: Allocation, gpuIds: readonly number[]): HsakmtResult & { address: bigint } {
    const nodes = this.#nodeArray(gpuIds);
    const alternate = new BigUint64Array(1);
    const size = BigInt(librarySizeBytes);
    const result = this.#session.library.tryCall(MAP, [libraryAddress, size, alternate, 0, BigInt(nodes.length), nodes]);
    return { ...result, address: alternate[0] ?? 0n };
  }

  #unmapAll(allocation: Allocation, what: string): void {
    const { libraryAddress, mappedOn } = allocation;
    const { library } = this.#session;
    const call = 'hsaKmtUnmapMemoryToGPU';
    const result = library.tryCall(call, [libraryAddress]);
    if (isSuccess(result.status)) {
      mappedOn.clear();
      return;
    }
    // The library forgets the mapping also where the driver refuses to undo it; mapping what is mapped makes it remember.
    this.#tryMap(allocation, [...mappedOn]);
    const errnos = { [EBUSY]: { meaning: 'a queue still uses it' } };
    throw hsakmtError({ ...result, errnos, call, path: library.path, doing: `unmapping ${what}` });
  }

  #nodeArray(gpuIds: readonly number[]): Uint32Array {
    return Uint32Array.from(new Set(gpuIds), (gpuId) => nodeOf(this.#session, gpuId));
  }

  #allocation(memory: ThunkMemory): Allocation {
    const allocation = this.#live.get(memory);
    if (allocation !== undefined) return allocation;
    throw new HsaError('ERR_INVALID_ADDRESS', {
      message: `${this.#session.library.path}: no allocation at 0x${memory.address.toString(16)}; it was freed, or is another thunk's`,
      details: { address: memory.address },
    });
  }
}
