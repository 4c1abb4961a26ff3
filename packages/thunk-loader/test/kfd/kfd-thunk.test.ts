import type { HsaError } from '@doorbell/abi';
import { kfd } from '@doorbell/abi';
import { describe, expect, it } from 'vitest';
import { openKfdThunk } from '../../src/kfd/kfd-thunk.js';
import type { Thunk } from '../../src/thunk.js';
import { FAKE_GPU, FakeDevice } from '../support/fake-device.js';
import { GPU_ID, fakeSysfs, kfdTree } from '../support/fake-sysfs.js';

const opened = async (options?: ConstructorParameters<typeof FakeDevice>[0]) => {
  const device = new FakeDevice(options);
  const thunk = await openKfdThunk(device);
  device.log.length = 0;
  return { device, thunk };
};

const queueOptions = {
  gpuId: GPU_ID,
  kind: 'aql',
  ringAddress: 0x7f00_0010_0000n,
  ringBytes: 4096,
  writePointerAddress: 0x7f00_0020_0038n,
  readPointerAddress: 0x7f00_0020_0080n,
} as const;

describe('opening', () => {
  it('asks for version, apertures, address spaces and xnack in the order a driver needs', async () => {
    const device = new FakeDevice({ gpus: 2 });
    await using thunk = await openKfdThunk(device);
    expect(device.log).toEqual([
      'GET_VERSION',
      'GET_PROCESS_APERTURES_NEW',
      'openRenderNode 128',
      'ACQUIRE_VM',
      'openRenderNode 129',
      'ACQUIRE_VM',
      'SET_XNACK_MODE',
    ]);
    expect(thunk.gpus.map(({ gpuId, nodeId }) => [gpuId, nodeId])).toEqual([
      [GPU_ID, 1],
      [GPU_ID + 1, 2],
    ]);
    expect(thunk.xnack).toBe('off');
    expect(thunk.version).toEqual({ major: 1, minor: 17 });
  });

  it('reads apertures from the driver', async () => {
    const { thunk } = await opened();
    expect(thunk.gpus[0]!.apertures).toMatchObject({ ldsBase: 1n << 48n, scratchBase: 2n << 48n, gpuvmLimit: 0x7fff_ffff_ffffn });
  });

  it.each(['GET_VERSION', 'GET_PROCESS_APERTURES_NEW'])(
    'gives the device back when %s fails, with errno and ioctl',
    async (name) => {
      const device = new FakeDevice();
      device.failOnce(name, 12);
      await expect(openKfdThunk(device)).rejects.toMatchObject({
        code: 'ERR_KFD_IOCTL',
        errno: 12,
        details: { ioctl: name, errno: 'ENOMEM' },
      });
      expect(device.isDisposed).toBe(true);
      expect(device.held.renderFiles.size).toBe(0);
    },
  );

  it('keeps the good GPU when the other cannot be acquired', async () => {
    const device = new FakeDevice({ gpus: 2 });
    device.failOnce('ACQUIRE_VM', 16);
    await using thunk = await openKfdThunk(device);
    expect(thunk.gpus.map((gpu) => gpu.problem === undefined)).toEqual([false, true]);
    expect(thunk.gpus[0]!.problem).toMatchObject({ code: 'ERR_KFD_IOCTL', errno: 16 });
    expect(device.held.renderFiles.size).toBe(1);
  });

  it('says what is there when no GPU can be used', async () => {
    const device = new FakeDevice();
    device.failOnce('openRenderNode', 13);
    const error = await openKfdThunk(device).then(
      () => undefined,
      (e: unknown) => e as HsaError,
    );
    expect(error).toMatchObject({ code: 'ERR_NO_DEVICE', details: { nodes: 2, gpus: 1 } });
    expect(error!.message).toMatch(/2 topology nodes, 1 of them GPUs .*renderD128: open failed with EACCES/);
    expect((error!.cause as AggregateError).errors[0]).toMatchObject({ code: 'ERR_KFD_PERMISSION', errno: 13 });
  });

  it('skips a node that cannot be read and keeps the others', async () => {
    const tree = kfdTree([FAKE_GPU, FAKE_GPU]);
    tree['/sys/devices/virtual/kfd/kfd/topology/nodes/1/gpu_id'] = new Error('EPERM');
    const device = new FakeDevice({ sysfs: fakeSysfs(tree) });
    await using thunk = await openKfdThunk(device);
    expect(thunk.gpus.map(({ gpuId }) => gpuId)).toEqual([GPU_ID + 1]);
  });

  it('refuses another major version', async () => {
    const device = new FakeDevice();
    const real = device.ioctl.bind(device);
    device.ioctl = (request, arg) => {
      const result = real(request, arg);
      if (request === kfd.AMDKFD_IOC_GET_VERSION) arg[0] = 2;
      return result;
    };
    await expect(openKfdThunk(device)).rejects.toMatchObject({ code: 'ERR_KFD_UNSUPPORTED', details: { major: 2 } });
  });

  it('says that there is no topology', async () => {
    const device = new FakeDevice({ sysfs: fakeSysfs({}) });
    await expect(openKfdThunk(device)).rejects.toMatchObject({ code: 'ERR_TOPOLOGY' });
  });

  it('acquires an address space once for a device, however many thunks come and go', async () => {
    const device = new FakeDevice();
    const first = await openKfdThunk(device);
    first.createEvent({ kind: 'signal' });
    await first[Symbol.asyncDispose]();
    await using second = await openKfdThunk(device);
    second.createEvent({ kind: 'signal' });
    expect(device.log.filter((name) => name === 'ACQUIRE_VM')).toHaveLength(1);
    expect(device.args.filter(({ name, value }) => name === 'CREATE_EVENT' && value['event_page_offset'] !== 0n)).toHaveLength(1);
  });

  it('asks again when a signal interrupts a call', async () => {
    const device = new FakeDevice();
    device.failOnce('GET_VERSION', 4);
    await using thunk = await openKfdThunk(device);
    expect(thunk.version.major).toBe(1);
    expect(device.log.slice(0, 2)).toEqual(['GET_VERSION', 'GET_VERSION']);
  });
});

describe('memory', () => {
  it('reserves, allocates, maps for the host and then on the GPU; frees in reverse', async () => {
    const { device, thunk } = await opened();
    const memory = thunk.allocate({ kind: 'gtt', gpuIds: [GPU_ID], sizeBytes: 4096 });
    expect(device.log).toEqual(['reserve', 'ALLOC_MEMORY_OF_GPU', 'mmap', 'MAP_MEMORY_TO_GPU']);
    device.log.length = 0;
    thunk.free(memory);
    expect(device.log).toEqual(['UNMAP_MEMORY_FROM_GPU', 'FREE_MEMORY_OF_GPU', 'munmap', 'release']);
  });

  // Flag words that libhsakmt was seen to pass.
  it.each([
    { name: 'coarse VRAM with access', options: { kind: 'vram', hostVisible: true, executable: true }, flags: 0xf000_0001 },
    { name: 'an EOP buffer', options: { kind: 'vram', executable: true }, flags: 0xd000_0001 },
    { name: 'an event page', options: { kind: 'gtt', executable: true, uncached: true }, flags: 0xd600_0002 },
  ] as const)('passes the flags of $name', async ({ options, flags }) => {
    const { device, thunk } = await opened();
    thunk.allocate({ ...options, gpuIds: [GPU_ID], sizeBytes: 4096 });
    expect(device.args.at(-1)!.value['flags']).toBe(flags);
  });

  it.each([
    { name: 'reserve', errno: 12, code: 'ERR_OUT_OF_MEMORY' },
    { name: 'ALLOC_MEMORY_OF_GPU', errno: 12, code: 'ERR_OUT_OF_MEMORY' },
    { name: 'ALLOC_MEMORY_OF_GPU', errno: 22, code: 'ERR_KFD_IOCTL' },
    { name: 'mmap', errno: 1, code: 'ERR_DEVICE_FILE' },
    { name: 'MAP_MEMORY_TO_GPU', errno: 12, code: 'ERR_OUT_OF_MEMORY' },
    { name: 'MAP_MEMORY_TO_GPU', errno: 14, code: 'ERR_KFD_IOCTL' },
  ])(
    'gives no queue without its doorbell, and leaves nothing behind, when $name fails with $errno (O19)',
    async ({ name, errno, code }) => {
      const { device, thunk } = await opened();
      device.failOnce(name, errno);
      const action = () => thunk.allocate({ kind: 'vram', hostVisible: true, gpuIds: [GPU_ID], sizeBytes: 8192 });
      expect(action).toThrow(expect.objectContaining({ code, errno }));
      expect(device.leaks()).toEqual({ ranges: 0, allocations: 0, mappings: 0, queues: 0, events: 0, buffers: 0 });
      expect(action).not.toThrow();
    },
  );

  it.each([
    { sizeBytes: 2 ** 53 - 1 },
    { sizeBytes: NaN },
    { sizeBytes: 0.5 },
    { sizeBytes: 4096, alignBytes: 2 ** 49 + 1 },
    { sizeBytes: 4096, alignBytes: 2 ** 60 },
    { sizeBytes: 4096, alignBytes: 0.5 },
  ])('refuses %o', async (sizes) => {
    const { thunk } = await opened();
    expect(() => thunk.allocate({ kind: 'gtt', gpuIds: [GPU_ID], ...sizes })).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_ARGUMENT' }),
    );
  });

  it('says when addresses cannot be given back', async () => {
    const { device, thunk } = await opened();
    const memory = thunk.allocate({ kind: 'gtt', gpuIds: [GPU_ID], sizeBytes: 4096 });
    device.release = () => -22;
    expect(() => thunk.free(memory)).toThrow(expect.objectContaining({ code: 'ERR_DEVICE_FILE', errno: 22 }));
  });

  it('can free again after the driver refused once', async () => {
    const { device, thunk } = await opened();
    const memory = thunk.allocate({ kind: 'gtt', gpuIds: [GPU_ID], sizeBytes: 4096 });
    device.failOnce('FREE_MEMORY_OF_GPU', 16);
    expect(() => thunk.free(memory)).toThrow(expect.objectContaining({ errno: 16 }));
    thunk.free(memory);
    expect(device.leaks()).toMatchObject({ ranges: 0, allocations: 0, mappings: 0 });
  });

  it('maps on several GPUs, each once', async () => {
    const { device, thunk } = await opened({ gpus: 2 });
    const memory = thunk.allocate({ kind: 'gtt', gpuIds: [GPU_ID, GPU_ID + 1], sizeBytes: 4096 });
    expect([...device.held.allocations.get(memory.handle)!.mappedOn]).toEqual([GPU_ID, GPU_ID + 1]);
    device.log.length = 0;
    thunk.mapToGpus(memory, [GPU_ID]);
    expect(device.log).toEqual([]);
  });
});

describe('queues', () => {
  it('gives the driver EOP buffer and save area of the sizes it checks', async () => {
    const { device, thunk } = await opened();
    const queue = thunk.createQueue(queueOptions);
    const { value } = device.args.find(({ name }) => name === 'CREATE_QUEUE')!;
    expect(value).toMatchObject({
      ring_base_address: queueOptions.ringAddress,
      ring_size: 4096,
      queue_type: 2,
      queue_percentage: 100,
      queue_priority: 7,
      eop_buffer_size: 4096n,
      // 4 CUs: 128 waves of 12 bytes and 48 → one page; 4 · (0x60000 + 0x4000 + 0x10000 + 0x1000).
      ctl_stack_size: 0x1000,
      ctx_save_restore_size: 0x1d_5000,
    });
    expect(queue.doorbell.byteOffset).toBe(0);
  });

  it('writes the header of the save area for the debugger', async () => {
    const { device, thunk } = await opened();
    thunk.createQueue({ ...queueOptions, error: { payloadAddress: 0x1234n, eventId: 9 } });
    const { value } = device.args.find(({ name }) => name === 'CREATE_QUEUE')!;
    const header = kfd.kfd_context_save_area_header.read(device.bytesAt(value['ctx_save_restore_address'] as bigint, 40));
    expect(header).toMatchObject({ debug_offset: 0x1d_5000, debug_size: 4096, err_payload_addr: 0x1234n, err_event_id: 9 });
  });

  it.each([
    { name: 'CREATE_QUEUE', errno: 12 },
    { name: 'CREATE_QUEUE', errno: 16 },
    { name: 'CREATE_QUEUE', errno: 28 },
    { name: 'CREATE_QUEUE', errno: 524 },
    { name: 'mapDoorbells', errno: 12 },
  ])(
    'gives no queue without its doorbell, and leaves nothing behind, when $name fails with $errno (O19)',
    async ({ name, errno }) => {
      const { device, thunk } = await opened();
      device.failOnce(name, errno);
      expect(() => thunk.createQueue(queueOptions)).toThrow(expect.objectContaining({ code: 'ERR_QUEUE_CREATION', errno }));
      expect(device.leaks()).toEqual({ ranges: 0, allocations: 0, mappings: 0, queues: 0, events: 0, buffers: 0 });
    },
  );

  it.each(['reserve', 'ALLOC_MEMORY_OF_GPU', 'mmap', 'MAP_MEMORY_TO_GPU'])(
    'leaves nothing behind when %s fails for its buffers',
    async (name) => {
      for (const after of [0, 1]) {
        const { device, thunk } = await opened();
        device.failOnce(name, 12, after);
        if (name === 'mmap' && after === 1) continue;
        expect(() => thunk.createQueue(queueOptions)).toThrow(expect.objectContaining({ errno: 12 }));
        expect(device.leaks()).toMatchObject({ ranges: 0, allocations: 0, mappings: 0, queues: 0 });
      }
    },
  );

  it('names the errno that only the kernel has a name for', async () => {
    const { device, thunk } = await opened();
    device.failOnce('CREATE_QUEUE', 524);
    expect(() => thunk.createQueue(queueOptions)).toThrow(/ENOTSUPP \(524\)/);
  });

  it('destroys the queue before its buffers', async () => {
    const { device, thunk } = await opened();
    const queue = thunk.createQueue(queueOptions);
    device.log.length = 0;
    thunk.destroyQueue(queue);
    expect(device.log[0]).toBe('DESTROY_QUEUE');
    expect(device.log.filter((name) => name === 'FREE_MEMORY_OF_GPU')).toHaveLength(2);
  });

  it('refuses GPUs with 32-bit doorbells', async () => {
    const { thunk } = await opened({ sysfs: fakeSysfs(kfdTree([{ ...FAKE_GPU, capability: 0x1000 }])) });
    expect(() => thunk.createQueue(queueOptions)).toThrow(expect.objectContaining({ code: 'ERR_NOT_SUPPORTED' }));
  });
});

describe('events', () => {
  it('brings a page of 32 KiB with the first event only', async () => {
    const { device, thunk } = await opened();
    thunk.createEvent({ kind: 'memory-exception' });
    const signal = thunk.createEvent({ kind: 'signal' });
    const pages = device.args.filter(({ name }) => name === 'ALLOC_MEMORY_OF_GPU');
    expect(pages).toHaveLength(1);
    expect(pages[0]!.value).toMatchObject({ size: 32_768n, flags: 0xd600_0002 });
    const created = device.args.filter(({ name }) => name === 'CREATE_EVENT').map(({ value }) => value['event_page_offset']);
    expect(created).toEqual([BigInt(GPU_ID) << 32n, 0n]);
    expect(signal.mailboxAddress).toBe((pages[0]!.value['va_addr'] as bigint) + BigInt(signal.id) * 8n);
  });

  it.each(['reserve', 'ALLOC_MEMORY_OF_GPU', 'mmap', 'MAP_MEMORY_TO_GPU', 'CREATE_EVENT'])(
    'leaves nothing behind when %s fails',
    async (name) => {
      const { device, thunk } = await opened();
      device.failOnce(name, 12);
      expect(() => thunk.createEvent({ kind: 'signal' })).toThrow(expect.objectContaining({ errno: 12 }));
      expect(device.leaks()).toMatchObject({ ranges: 0, allocations: 0, mappings: 0, events: 0, buffers: 0 });
      expect(thunk.createEvent({ kind: 'signal' }).id).toBe(1);
    },
  );

  it('gives the facts of a memory fault', async () => {
    const { device, thunk } = await opened();
    const event = thunk.createEvent({ kind: 'memory-exception' });
    const wait = thunk.waitEvents([event], { timeoutMs: Infinity });
    device.signal(
      event.id,
      kfd.kfd_hsa_memory_exception_data.create({ failure: { NotPresent: 1 }, va: 0xdead_0000n, gpu_id: GPU_ID, ErrorType: 0 }),
    );
    expect((await wait).memoryExceptions).toEqual([
      {
        gpuId: GPU_ID,
        address: 0xdead_0000n,
        notPresent: true,
        readOnly: false,
        noExecute: false,
        imprecise: false,
        errorType: 'none',
      },
    ]);
  });

  it('gives the facts of a reset', async () => {
    const { device, thunk } = await opened();
    const event = thunk.createEvent({ kind: 'hw-exception' });
    device.signal(
      event.id,
      kfd.kfd_hsa_hw_exception_data.create({ reset_type: 1, reset_cause: 1, memory_lost: 1, gpu_id: GPU_ID }),
    );
    const { hwExceptions } = await thunk.waitEvents([event], { timeoutMs: 1000 });
    expect(hwExceptions).toEqual([{ gpuId: GPU_ID, resetType: 'engine', resetCause: 'ecc', memoryLost: true }]);
  });

  it('sees a set that another waiter consumed, where the driver counts ages', async () => {
    const { device, thunk } = await opened();
    const event = thunk.createEvent({ kind: 'signal' });
    device.signal(event.id);
    device.held.events.get(event.id)!.isSet = false;
    expect((await thunk.waitEvents([event], { timeoutMs: 0 })).result).toBe('complete');
  });

  it('sets an event again that an abandoned wait consumed, where the driver counts none', async () => {
    const { device, thunk } = await opened({ minor: 13 });
    const event = thunk.createEvent({ kind: 'signal' });
    const abort = new AbortController();
    const wait = thunk.waitEvents([event], { timeoutMs: Infinity, signal: abort.signal });
    abort.abort();
    await expect(wait).rejects.toThrow(/aborted/);
    device.signal(event.id);
    expect((await thunk.waitEvents([event], { timeoutMs: 1000 })).result).toBe('complete');
  });

  it('reports what the driver says when waiting fails', async () => {
    const { device, thunk } = await opened();
    const event = thunk.createEvent({ kind: 'signal' });
    device.failOnce('WAIT_EVENTS', 14);
    await expect(thunk.waitEvents([event], { timeoutMs: 0 })).rejects.toMatchObject({ code: 'ERR_KFD_IOCTL', errno: 14 });
  });
});

describe('waits', () => {
  it.each([4, 11])('go on when the call is interrupted with errno %i', async (errno) => {
    const { device, thunk } = await opened();
    const event = thunk.createEvent({ kind: 'signal' });
    device.failOnce('WAIT_EVENTS', errno);
    const wait = thunk.waitEvents([event], { timeoutMs: Infinity });
    device.signal(event.id);
    expect((await wait).result).toBe('complete');
    expect(device.leaks().buffers).toBe(0);
  });

  it('give up on a driver that only ever interrupts', async () => {
    const { device, thunk } = await opened();
    const event = thunk.createEvent({ kind: 'signal' });
    device.waitIoctl = () => Promise.resolve(-4);
    await expect(thunk.waitEvents([event], { timeoutMs: Infinity })).rejects.toMatchObject({ code: 'ERR_KFD_IOCTL', errno: 4 });
  });

  it.each(['none', 'aborted'])('leave no buffer behind when the call cannot be issued (abort: %s)', async (abort) => {
    const { device, thunk } = await opened();
    const event = thunk.createEvent({ kind: 'signal' });
    const controller = new AbortController();
    device.waitIoctl = () => Promise.reject(new Error('no thread'));
    const wait = thunk.waitEvents([event], { timeoutMs: 1000, signal: controller.signal });
    if (abort === 'aborted') controller.abort();
    await expect(wait).rejects.toThrow(abort === 'aborted' ? /aborted/ : 'no thread');
    await thunk[Symbol.asyncDispose]();
    expect(device.leaks().buffers).toBe(0);
  });

  it('hear an abort between two calls of the driver', async () => {
    for (let hops = 0; hops < 12; hops++) {
      const { device, thunk } = await opened();
      const event = thunk.createEvent({ kind: 'signal' });
      const controller = new AbortController();
      let calls = 0;
      device.waitIoctl = (_, arg) => {
        if (calls++ > 0) return new Promise(() => undefined);
        arg.set(kfd.kfd_ioctl_wait_events_args.create({ wait_result: kfd.KFD_IOC_WAIT_RESULT_TIMEOUT }));
        const answer = Promise.resolve(0);
        let later: Promise<unknown> = answer;
        for (let i = 0; i < hops; i++) later = later.then(() => undefined);
        void later.then(() => controller.abort());
        return answer;
      };
      await expect(thunk.waitEvents([event], { timeoutMs: Infinity, signal: controller.signal })).rejects.toMatchObject({
        code: 'ERR_ABORTED',
      });
    }
  });
});

describe('interface versions', () => {
  it('says which one a missing call needs', async () => {
    const { thunk } = await opened({ minor: 8 });
    expect(() => thunk.availableMemoryBytes(GPU_ID)).toThrow(/needs interface version 1\.9; the driver has 1\.8/);
  });

  it('announces no runtime to a driver that does not know how', async () => {
    const enable = (thunk: Thunk) => thunk.runtimeEnable({ rDebugAddress: 0n, saveTrapTemporaries: 'no' });
    expect(enable((await opened({ minor: 12 })).thunk)).toBe('unsupported');
    const { device, thunk } = await opened({ minor: 13 });
    expect(enable(thunk)).toBe('enabled');
    await thunk[Symbol.asyncDispose]();
    expect(device.args.filter(({ name }) => name === 'RUNTIME_ENABLE').map(({ value }) => value['mode_mask'])).toEqual([1, 0]);
  });
});

describe('closing', () => {
  it('goes on after a failing step, reports it, and closes the device', async () => {
    const { device, thunk } = await opened();
    thunk.createQueue(queueOptions);
    thunk.createEvent({ kind: 'signal' });
    device.failOnce('DESTROY_QUEUE', 62);
    await expect(thunk[Symbol.asyncDispose]()).rejects.toBeInstanceOf(AggregateError);
    expect(device.isDisposed).toBe(true);
    expect(device.held.events.size).toBe(0);
  });

  it('ends waits that are under way', async () => {
    const { thunk } = await opened();
    const event = thunk.createEvent({ kind: 'signal' });
    const failure = expect(thunk.waitEvents([event], { timeoutMs: Infinity })).rejects.toMatchObject({ code: 'ERR_DISPOSED' });
    await thunk[Symbol.asyncDispose]();
    await failure;
  });
});
