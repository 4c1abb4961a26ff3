/** What the kfd provider makes of refusals and of older drivers, on a device that keeps books. */
import { kfd } from '@doorbell/abi';
import { describe, expect, it } from 'vitest';
import { openKfdThunk } from '../../src/kfd/kfd-thunk.js';
import type { Thunk, ThunkQueue } from '../../src/thunk.js';
import { FakeDevice } from '../support/fake-device.js';
import { GPU_ID } from '../support/fake-sysfs.js';

const RANGE = { address: 0x7f00_0000_1000n, sizeBytes: 4096 };

/** A device with dma-bufs, and with a GPU that mapping fails on. */
class SharingDevice extends FakeDevice {
  failingGpu = 0;

  override ioctl(request: number, arg: Uint8Array): number {
    const status = super.ioctl(request, arg);
    if (request === kfd.AMDKFD_IOC_GET_DMABUF_INFO && status === -25) {
      kfd.kfd_ioctl_get_dmabuf_info_args.write(arg, { size: 8192n, gpu_id: GPU_ID, flags: 2 });
      return 0;
    }
    if (request === kfd.AMDKFD_IOC_IMPORT_DMABUF && status === -25) {
      const { va_addr: address } = kfd.kfd_ioctl_import_dmabuf_args.read(arg);
      const handle = BigInt(GPU_ID) << 32n;
      this.held.allocations.set(handle, { address, sizeBytes: 8192, mappedOn: new Set() });
      kfd.kfd_ioctl_import_dmabuf_args.write(arg, { handle });
      return 0;
    }
    if (request !== kfd.AMDKFD_IOC_MAP_MEMORY_TO_GPU || status !== 0 || this.failingGpu === 0) return status;
    const { handle } = kfd.kfd_ioctl_map_memory_to_gpu_args.read(arg);
    const { mappedOn } = this.held.allocations.get(handle)!;
    if (!mappedOn.delete(this.failingGpu)) return status;
    kfd.kfd_ioctl_map_memory_to_gpu_args.write(arg, { n_success: mappedOn.size - 1 });
    return -12;
  }
}

async function open(options?: ConstructorParameters<typeof FakeDevice>[0]): Promise<{ device: SharingDevice; thunk: Thunk }> {
  const device = new SharingDevice(options);
  return { device, thunk: await openKfdThunk(device) };
}

function makeQueue(thunk: Thunk): ThunkQueue {
  return thunk.createQueue({
    gpuId: GPU_ID,
    kind: 'aql',
    ringAddress: 0x1000n,
    ringBytes: 4096,
    writePointerAddress: 0x2038n,
    readPointerAddress: 0x2080n,
  });
}

describe('refusals of the driver', () => {
  const cases: readonly (readonly [ioctl: string, errno: number, code: string, text: RegExp, run: (thunk: Thunk) => unknown])[] =
    [
      ['SVM', 1, 'ERR_NOT_SUPPORTED', /no shared virtual memory/, (t) => t.svmSet(RANGE, [])],
      ['SVM', 14, 'ERR_INVALID_ADDRESS', /no memory in some of the range/, (t) => t.svmGet(RANGE, [])],
      ['SVM', 22, 'ERR_KFD_IOCTL', /no whole pages/, (t) => t.svmSet(RANGE, [{ kind: 'granularity', value: 1 }])],
      ['SET_XNACK_MODE', 16, 'ERR_KFD_IOCTL', /before the first one/, (t) => t.setXnack('on')],
      ['SET_XNACK_MODE', 1, 'ERR_NOT_SUPPORTED', /a GPU of this process cannot/, (t) => t.setXnack('on')],
      ['GET_DMABUF_INFO', 9, 'ERR_KFD_IOCTL', /not open/, (t) => t.dmabufInfo(7)],
      ['GET_DMABUF_INFO', 22, 'ERR_KFD_IOCTL', /no dma-buf of an AMD GPU/, (t) => t.dmabufInfo(7)],
      ['GET_TILE_CONFIG', 22, 'ERR_KFD_IOCTL', /tiles its memory/, (t) => t.tileConfig(GPU_ID)],
      ['SET_CU_MASK', 22, 'ERR_KFD_IOCTL', /work-group processor/, (t) => t.setCuMask(makeQueue(t), Uint32Array.of(1))],
      ['GET_QUEUE_WAVE_STATE', 22, 'ERR_KFD_IOCTL', /stop it first/, (t) => t.queueWaveState(makeQueue(t))],
      ['GET_QUEUE_WAVE_STATE', 16, 'ERR_KFD_IOCTL', /stop it first/, (t) => t.queueWaveState(makeQueue(t))],
      ['ALLOC_QUEUE_GWS', 19, 'ERR_NOT_SUPPORTED', /the GPU has none/, (t) => t.allocateGws(makeQueue(t), 1)],
      ['ALLOC_QUEUE_GWS', 16, 'ERR_KFD_IOCTL', /another queue/, (t) => t.allocateGws(makeQueue(t), 1)],
      ['UPDATE_QUEUE', 14, 'ERR_KFD_IOCTL', /the ring is not mapped/, (t) => t.updateQueue(makeQueue(t), { percentage: 1 })],
      ['mapAnonymous', 12, 'ERR_OUT_OF_MEMORY', /taking 4096 bytes/, (t) => t.hostMemory(1)],
    ];

  it.each(cases)('%s: errno %i → %s', async (name, errno, code, text, run) => {
    const { device, thunk } = await open();
    device.failOnce(name, errno);
    const message = expect.stringMatching(text) as string;
    expect(() => run(thunk)).toThrow(expect.objectContaining({ code, errno, message }));
    await thunk[Symbol.asyncDispose]();
    expect(device.leaks()).toEqual({ ranges: 0, allocations: 0, mappings: 0, queues: 0, events: 0, buffers: 0 });
  });

  it('names the GPU that memory cannot be mapped on, and takes it from those before it', async () => {
    const { device, thunk } = await open({ gpus: 3 });
    const memory = thunk.allocate({ kind: 'gtt', gpuIds: [GPU_ID], sizeBytes: 4096 });
    device.failingGpu = GPU_ID + 2;
    const action = (): void => thunk.mapToGpus(memory, [GPU_ID + 1, GPU_ID + 2]);
    const message = expect.stringContaining(`on GPU ${GPU_ID + 2} of`) as string;
    expect(action).toThrow(expect.objectContaining({ code: 'ERR_OUT_OF_MEMORY', message }));
    expect(device.log.at(-1)).toBe('UNMAP_MEMORY_FROM_GPU');
    device.failingGpu = 0;
    action();
    expect(device.held.allocations.get(memory.handle)!.mappedOn).toContain(GPU_ID + 1);
  });

  it.each(['reserve', 'IMPORT_DMABUF', 'mmap', 'MAP_MEMORY_TO_GPU'])('imports all or nothing: %s fails', async (name) => {
    const { device, thunk } = await open();
    device.failOnce(name, 12);
    const action = (): unknown => thunk.importDmabuf({ file: 5, gpuIds: [GPU_ID], hostVisible: true });
    expect(action).toThrow(expect.objectContaining({ errno: 12 }));
    expect(device.leaks()).toEqual({ ranges: 0, allocations: 0, mappings: 0, queues: 0, events: 0, buffers: 0 });
    expect(action()).toMatchObject({ kind: 'gtt', sizeBytes: 8192 });
  });
});

describe('older drivers', () => {
  const gates: readonly (readonly [since: number, what: string, run: (thunk: Thunk) => unknown])[] = [
    [5, 'svmSet', (t) => t.svmSet(RANGE, [])],
    [5, 'setXnack', (t) => t.setXnack('off')],
    [9, 'availableMemoryBytes', (t) => t.availableMemoryBytes(GPU_ID)],
    [12, 'exportDmabuf', (t) => t.exportDmabuf(t.allocate({ kind: 'gtt', gpuIds: [GPU_ID], sizeBytes: 4096 }))],
    [16, 'contiguous', (t) => t.allocate({ kind: 'vram', gpuIds: [GPU_ID], sizeBytes: 4096, contiguous: true })],
    [
      17,
      'an SDMA engine by id',
      (t) =>
        t.createQueue({
          gpuId: GPU_ID,
          kind: 'sdma-engine',
          engineId: 0,
          ringAddress: 0x1000n,
          ringBytes: 4096,
          writePointerAddress: 0x2000n,
          readPointerAddress: 0x2008n,
        }),
    ],
  ];

  it.each(gates)('before 1.%i: no %s', async (since, _, run) => {
    const { thunk } = await open({ minor: since - 1 });
    const message = expect.stringContaining(`1.${since}`) as string;
    expect(() => run(thunk)).toThrow(expect.objectContaining({ code: 'ERR_NOT_SUPPORTED', message }));
  });

  it('before 1.14: no ages', async () => {
    const { thunk } = await open({ minor: 13 });
    const event = thunk.createEvent({ kind: 'signal' });
    thunk.setEvent(event);
    expect((await thunk.waitEvents([event], { timeoutMs: 0 })).ages).toEqual([0n]);
    const wait = thunk.waitEvents([{ event, lastAge: 3n }], { timeoutMs: 0 });
    await expect(wait).rejects.toMatchObject({ code: 'ERR_NOT_SUPPORTED' });
  });
});

describe('what the driver gets', () => {
  it('queue types, target and engine', async () => {
    const { device, thunk } = await open();
    const base = {
      gpuId: GPU_ID,
      ringAddress: 0x1000n,
      ringBytes: 4096,
      writePointerAddress: 0x2000n,
      readPointerAddress: 0x2008n,
    };
    thunk.createQueue({ ...base, kind: 'pm4', targetXcc: 3, percentage: 50 });
    thunk.createQueue({ ...base, kind: 'sdma' });
    thunk.createQueue({ ...base, kind: 'sdma-xgmi' });
    thunk.createQueue({ ...base, kind: 'sdma-engine', engineId: 2 });
    const created = device.args.filter(({ name }) => name === 'CREATE_QUEUE').map(({ value }) => value);
    expect(created.map((value) => value['queue_type'])).toEqual([0, 1, 3, 4]);
    expect(created[0]).toMatchObject({ queue_percentage: 0x332, ctl_stack_size: 0x1000 });
    expect(created[1]).toMatchObject({ queue_percentage: 100, ctl_stack_size: 0, eop_buffer_address: 0n });
    expect(created[3]).toMatchObject({ sdma_engine_id: 2 });
  });

  it('flags of each kind of memory', async () => {
    const { device, thunk } = await open();
    const host = { address: 0x7f00_0000_2000n, sizeBytes: 4096 };
    const one = { gpuIds: [GPU_ID], sizeBytes: 4096 } as const;
    thunk.allocate({ ...one, kind: 'userptr', host, executable: true, uncached: true });
    thunk.allocate({ ...one, kind: 'vram', hostVisible: true, executable: true });
    thunk.allocate({ ...one, kind: 'vram', executable: true });
    thunk.allocate({ ...one, kind: 'mmio', hostVisible: false });
    thunk.allocate({ ...one, sizeBytes: 8192, kind: 'doorbell' });
    const allocated = device.args.filter(({ name }) => name === 'ALLOC_MEMORY_OF_GPU').map(({ value }) => value);
    // The flags that AMD's library passes for userptr, coarse VRAM, EOP buffers, registers and doorbells.
    expect(allocated.map((value) => (value['flags'] as number).toString(16))).toEqual([
      'd6000004',
      'f0000001',
      'd0000001',
      '94000010',
      '94000008',
    ]);
    expect(allocated[0]).toMatchObject({ va_addr: host.address, mmap_offset: host.address });
  });
});
