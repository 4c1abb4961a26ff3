import { existsSync } from 'node:fs';
import { HsaError, hsakmt, hsakmtB } from '@doorbell/abi';
import koffi from 'koffi';
import { describe, expect, it } from 'vitest';
import { openHsakmtThunk } from '../../src/hsakmt/hsakmt-thunk.js';
import type { Thunk } from '../../src/thunk.js';
import { noCompiler, temporaryFolder } from '../support/built-library.js';
import type { TemporaryFolder } from '../support/built-library.js';
import { fakeSysfs } from '../support/fake-sysfs.js';
import type { ScriptedLibrary } from '../support/scripted-hsakmt.js';
import { buildScripted } from '../support/scripted-hsakmt.js';

const DEBIAN = '/usr/lib/x86_64-linux-gnu/libhsakmt.so.1';
const why = !existsSync(DEBIAN) ? ` (skipped: no ${DEBIAN})` : existsSync('/dev/kfd') ? ' (skipped: there is /dev/kfd)' : '';

describe("Debian's libhsakmt", () => {
  it.skipIf(why !== '')(`says why it cannot open the driver${why}`, async () => {
    const error = await openHsakmtThunk({ path: DEBIAN, generation: 'A' }).catch((e: unknown) => e);
    expect(error).toMatchObject({
      code: 'ERR_KFD_MISSING',
      errno: 2,
      details: { call: 'hsaKmtOpenKFD', path: DEBIAN, status: 20, errno: 'ENOENT' },
      cause: { code: 'ERR_KFD_MISSING' },
    });
    // Safe: it matched.
    expect((error as Error).message).toContain(
      `${DEBIAN}: hsaKmtOpenKFD answered HSAKMT_STATUS_KERNEL_IO_CHANNEL_NOT_OPENED (20) while opening /dev/kfd: ENOENT (2)`,
    );
  });
});

const u64 = (...values: readonly bigint[]): Uint8Array => new Uint8Array(BigUint64Array.from(values).buffer);
const addressOf = (bytes: Uint8Array): bigint => BigInt(koffi.address(bytes.buffer));
const GPU = 0xbeef;

/** A node with a CPU and a GPU. */
const NODE = hsakmtB.HsaNodeProperties.create({
  NumCPUCores: 4,
  NumFComputeCores: 440,
  NumMemoryBanks: 4,
  EngineId: { ui32: { Major: 9, Minor: 4, Stepping: 2, uCode: 77 } },
  DrmRenderMinor: 129,
  NumXcc: 8,
  KFDGpuID: GPU,
});

function banks(): Uint8Array {
  const { HsaMemoryProperties: layout } = hsakmtB;
  const rows = [
    { HeapType: hsakmt.HSA_HEAPTYPE_GPU_LDS, SizeInBytes: 65_536n, VirtualBaseAddress: 0x1_0000_0000_0000n },
    { HeapType: hsakmt.HSA_HEAPTYPE_GPU_SCRATCH, SizeInBytes: 0x1_0000_0000n, VirtualBaseAddress: 0x2_0000_0000_0000n },
    { HeapType: hsakmt.HSA_HEAPTYPE_DEVICE_SVM, SizeInBytes: 0x8000_0000_0000n - 0x1000n, VirtualBaseAddress: 0x1000n },
    { HeapType: hsakmt.HSA_HEAPTYPE_SYSTEM, SizeInBytes: 0x1000n, VirtualBaseAddress: 0n },
  ];
  const bytes = new Uint8Array(rows.length * layout.sizeBytes);
  rows.forEach((row, i) => layout.write(bytes, row, i * layout.sizeBytes));
  return bytes;
}

interface Opened extends AsyncDisposable {
  readonly thunk: Thunk;
  readonly library: ScriptedLibrary;
}

function scripted(folder: TemporaryFolder, minor = 14): ScriptedLibrary {
  const library = buildScripted(folder);
  const version = { KernelInterfaceMajorVersion: 1, KernelInterfaceMinorVersion: minor };
  library.plan('hsaKmtGetVersion', { out: { 0: hsakmtB.HsaVersionInfo.create(version) } });
  library.plan('hsaKmtAcquireSystemProperties', { out: { 0: hsakmtB.HsaSystemProperties.create({ NumNodes: 1 }) } });
  library.plan('hsaKmtGetNodeProperties', { out: { 1: NODE } });
  library.plan('hsaKmtGetNodeMemoryProperties', { out: { 2: banks() } });
  return library;
}

const openThunk = async ({ path }: ScriptedLibrary): Promise<Thunk> =>
  openHsakmtThunk({ path, generation: 'B', sysfs: fakeSysfs({}) });

async function open(folder: TemporaryFolder): Promise<Opened> {
  const library = scripted(folder);
  const thunk = await openThunk(library);
  library.calls();
  return { thunk, library, [Symbol.asyncDispose]: async () => thunk[Symbol.asyncDispose]() };
}

describe.skipIf(noCompiler !== '')(`a library of August 2025${noCompiler && ` (${noCompiler})`}`, () => {
  it('gives GPUs with the ids, properties and apertures that the library tells', async () => {
    using folder = temporaryFolder();
    await using opened = await open(folder);
    const { thunk } = opened;
    expect(thunk).toMatchObject({ provider: 'libhsakmt', version: { major: 1, minor: 14 }, xnack: 'off' });
    const [gpu] = thunk.gpus;
    expect(gpu).toMatchObject({ gpuId: GPU, nodeId: 0, renderMinor: 129 });
    expect(gpu!.properties.get('gfx_target_version')).toBe(90_402n);
    expect(gpu!.properties.get('num_xcc')).toBe(8n);
    expect(gpu!.apertures).toEqual({
      ldsBase: 0x1_0000_0000_0000n,
      ldsLimit: 0x1_0000_ffff_ffffn,
      scratchBase: 0x2_0000_0000_0000n,
      scratchLimit: 0x2_0000_ffff_ffffn,
      gpuvmBase: 0x1000n,
      gpuvmLimit: 0x7fff_ffff_ffffn,
    });
  });

  it('allocates with the flags that were asked for, maps, and takes it back where mapping fails', async () => {
    using folder = temporaryFolder();
    await using opened = await open(folder);
    const { thunk, library } = opened;
    library.plan('hsaKmtAllocMemoryAlign', { out: { 4: u64(0x7000_0000n) } });
    const memory = thunk.allocate({ kind: 'vram', gpuIds: [GPU], sizeBytes: 8192, executable: true, contiguous: true });
    expect(memory).toMatchObject({ kind: 'vram', address: 0x7000_0000n, sizeBytes: 8192 });
    const [alloc] = library.calls('hsaKmtAllocMemoryAlign');
    // NonPaged, NoSubstitute, ExecuteAccess, CoarseGrain, Contiguous (hsakmttypes.h HsaMemFlags).
    expect(alloc!.args.slice(0, 4)).toEqual([0n, 8192n, 4096n, BigInt(1 | (1 << 7) | (1 << 12) | (1 << 13) | (1 << 22))]);
    library.plan('hsaKmtMapMemoryToGPUNodes', { status: 6 });
    expect(() => thunk.allocate({ kind: 'vram', gpuIds: [GPU], sizeBytes: 4096 })).toThrow(
      /HSAKMT_STATUS_NO_MEMORY \(6\) while mapping/,
    );
    const after = library.calls('hsaKmtMapMemoryToGPUNodes', 'hsaKmtFreeMemory');
    expect(after.map(({ name, args }) => [name, args[0], args[1]])).toEqual([
      ['hsaKmtMapMemoryToGPUNodes', 0x7000_0000n, 4096n],
      ['hsaKmtFreeMemory', 0x7000_0000n, 4096n],
    ]);
    library.plan('hsaKmtMapMemoryToGPUNodes', {});
  });

  it('shares memory as dma-bufs, of the kind that was exported', async () => {
    using folder = temporaryFolder();
    await using opened = await open(folder);
    const { thunk, library } = opened;
    library.plan('hsaKmtAllocMemoryAlign', { out: { 4: u64(0x7000_0000n) } });
    const memory = thunk.allocate({ kind: 'gtt', gpuIds: [GPU], sizeBytes: 4096, hostVisible: false });
    // A number that no open descriptor has: closing it is harmless.
    library.plan('hsaKmtExportDMABufHandle', { out: { 2: Uint8Array.of(0xf0, 0xff, 0, 0), 3: u64(64n) } });
    expect(thunk.exportDmabuf(memory)).toEqual({ file: 0xfff0, offsetBytes: 64 });
    const info = hsakmtB.HsaGraphicsResourceInfo.create({ MemoryAddress: 0x7100_0000n, SizeInBytes: 4096n });
    library.plan('hsaKmtRegisterGraphicsHandleToNodes', { out: { 1: info } });
    const imported = thunk.importDmabuf({ file: 0xfff0, gpuIds: [GPU] });
    expect(imported).toMatchObject({ kind: 'gtt', address: 0x7100_0000n, sizeBytes: 4096 });
    thunk.free(imported);
    expect(library.calls('hsaKmtDeregisterMemory', 'hsaKmtUnmapMemoryToGPU').map(({ name }) => name)).toEqual([
      'hsaKmtUnmapMemoryToGPU',
      'hsaKmtDeregisterMemory',
    ]);
    thunk.closeFile(0xfff0);
    expect(() => thunk.closeFile(0xfff0)).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }));
    expect(() => thunk.dmabufInfo(0xfff0)).toThrow(expect.objectContaining({ code: 'ERR_NOT_SUPPORTED' }));
  });

  it('counts how often events were set, and reports faults and resets', async () => {
    using folder = temporaryFolder();
    await using opened = await open(folder);
    const { thunk, library } = opened;
    const { HsaEvent: layout } = hsakmtB;
    const records = new Uint8Array(new ArrayBuffer(3 * 64));
    const create = (index: number, kind: 'signal' | 'memory-exception' | 'hw-exception') => {
      layout.write(records, { EventId: 40 + index, EventData: { HWData2: 0x5000n + BigInt(index) * 8n } }, index * 64);
      library.plan('hsaKmtCreateEvent', { out: { 3: u64(addressOf(records) + BigInt(index) * 64n) } });
      return thunk.createEvent({ kind });
    };
    const [signal, fault, reset] = [create(0, 'signal'), create(1, 'memory-exception'), create(2, 'hw-exception')];
    expect([signal.id, signal.mailboxAddress, fault.mailboxAddress]).toEqual([40, 0x5000n, 0n]);
    library.plan('hsaKmtWaitOnMultipleEvents_Ext', { out: { 4: u64(9n, 0n, 0n) } });
    const quiet = await thunk.waitEvents([{ event: signal, lastAge: 8n }, fault, reset], { timeoutMs: 1000 });
    expect(quiet).toEqual({ result: 'complete', memoryExceptions: [], hwExceptions: [], ages: [9n, 0n, 0n] });
    const [wait] = library.calls('hsaKmtWaitOnMultipleEvents_Ext');
    expect([wait!.args[1], wait!.args[2], wait!.behind[4]]).toEqual([3n, 0n, [8, 0]]);
    // What the library does when the driver reports something; the wait leaves no node in the record before.
    const pending = thunk.waitEvents([fault, reset], { timeoutMs: 1000 });
    const MemoryAccessFault = { NodeId: 0, VirtualAddress: 0x1234_5000n, Failure: { NotPresent: 1, ErrorType: 3 } };
    layout.write(records, { EventData: { EventData: { MemoryAccessFault } } }, 64);
    const HwException = { NodeId: 0, ResetType: 0, MemoryLost: 1, ResetCause: 1 };
    layout.write(records, { EventData: { EventData: { HwException } } }, 128);
    expect(await pending).toMatchObject({
      memoryExceptions: [{ gpuId: GPU, address: 0x1234_5000n, notPresent: true, readOnly: false, errorType: 'gpu-hang' }],
      hwExceptions: [{ gpuId: GPU, resetType: 'whole-gpu', resetCause: 'ecc', memoryLost: true }],
    });
  });

  it('passes priorities as the 64-bit enum that they are, and the record of an event for errors', async () => {
    using folder = temporaryFolder();
    await using opened = await open(folder);
    const { thunk, library } = opened;
    const doorbells = new Uint8Array(new ArrayBuffer(8192));
    const address = (addressOf(doorbells) + 4095n) & ~4095n;
    const resource = hsakmtB.HsaQueueResource.create({ QueueId: 0x7fab_0000_1000n, QueueDoorBell: address + 24n });
    library.plan('hsaKmtCreateQueue', { out: { 7: resource } });
    const pointers = { writePointerAddress: 0x10n, readPointerAddress: 0x20n, ringAddress: 0x9000n, ringBytes: 4096 };
    const queue = thunk.createQueue({ gpuId: GPU, kind: 'aql', priority: 'low', percentage: 50, ...pointers });
    const [call] = library.calls('hsaKmtCreateQueue');
    expect(call!.args.slice(0, 7)).toEqual([0n, 21n, 50n, BigInt.asUintN(64, -2n), 0x9000n, 4096n, 0n]);
    queue.doorbell.page.ring(queue.doorbell.byteOffset, 7);
    expect(new BigUint64Array(doorbells.buffer)[Number((address - addressOf(doorbells)) / 8n) + 3]).toBe(7n);
    expect(queue).toMatchObject({ queueId: 0x7fab_0000_1000, doorbell: { byteOffset: 24, address: address + 24n } });
    const record = new Uint8Array(new ArrayBuffer(64));
    hsakmtB.HsaEvent.write(record, { EventId: 7 });
    library.plan('hsaKmtCreateEvent', { out: { 3: u64(addressOf(record)) } });
    const event = thunk.createEvent({ kind: 'hw-exception' });
    const error = { payloadAddress: 0xa000n, eventId: event.id };
    thunk.createQueue({ gpuId: GPU, kind: 'aql', error, ...pointers });
    expect(library.calls('hsaKmtCreateQueue')[0]!.args[6]).toBe(addressOf(record));
    const unknown = { ...error, eventId: 8 };
    expect(() => thunk.createQueue({ gpuId: GPU, kind: 'aql', error: unknown, ...pointers })).toThrow('no event 8');
    const sdma = { gpuId: GPU, kind: 'sdma', ...pointers } as const;
    expect(() => thunk.createQueue(sdma)).toThrow(expect.objectContaining({ code: 'ERR_NOT_SUPPORTED' }));
  });

  it('opens the driver once for all thunks, and gives the snapshot back with the last', async () => {
    using folder = temporaryFolder();
    const library = scripted(folder);
    // The process has it open: no failure.
    library.plan('hsaKmtOpenKFD', { status: hsakmt.HSAKMT_STATUS_KERNEL_ALREADY_OPENED });
    const [first, second] = [await openThunk(library), await openThunk(library)];
    expect(library.calls('hsaKmtOpenKFD', 'hsaKmtAcquireSystemProperties')).toHaveLength(2);
    await first[Symbol.asyncDispose]();
    expect(library.calls('hsaKmtReleaseSystemProperties', 'hsaKmtCloseKFD')).toEqual([]);
    second.clockCounters(GPU);
    await second[Symbol.asyncDispose]();
    const end = library.calls('hsaKmtReleaseSystemProperties', 'hsaKmtCloseKFD');
    expect(end.map(({ name }) => name)).toEqual(['hsaKmtReleaseSystemProperties', 'hsaKmtCloseKFD']);
  });

  it('refuses structures that are larger than those it knows', async () => {
    using folder = temporaryFolder();
    const library = scripted(folder);
    const larger = new Uint8Array(376).fill(1);
    larger.set(NODE);
    library.plan('hsaKmtGetNodeProperties', { out: { 1: larger } });
    await expect(openThunk(library)).rejects.toMatchObject({
      code: 'ERR_NOT_SUPPORTED',
      details: { knownBytes: 368, foundBytes: 376, generation: 'B' },
    });
    expect(library.calls('hsaKmtCloseKFD')).toHaveLength(1);
  });

  it('says why no GPU can be used', async () => {
    using folder = temporaryFolder();
    const library = scripted(folder);
    library.plan('hsaKmtGetNodeMemoryProperties', { out: { 2: new Uint8Array(128) } });
    const error: unknown = await openThunk(library).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(HsaError);
    expect(error).toMatchObject({ code: 'ERR_NO_DEVICE' });
    expect(String(error)).toContain('the GPU of node 0 (renderD129) cannot be used: the library reports no apertures for it');
  });
});
