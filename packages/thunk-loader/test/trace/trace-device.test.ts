import { kfd } from '@doorbell/abi';
import { describe, expect, it } from 'vitest';
import { openKfdThunk } from '../../src/kfd/kfd-thunk.js';
import { traceDevice } from '../../src/trace/trace-device.js';
import type { IoctlStep, TraceEvent } from '../../src/trace/trace-event.js';
import { formatTraceStep } from '../../src/trace/trace-event.js';
import { traceSysfs } from '../../src/trace/trace-sysfs.js';
import { FakeDevice } from '../support/fake-device.js';
import { fakeSysfs } from '../support/fake-sysfs.js';

const isIoctl = (event: TraceEvent): event is TraceEvent & IoctlStep => event.step === 'ioctl';

describe('traceDevice', () => {
  it('tells ioctls with the arguments as the kernel names them, and what the driver wrote', async () => {
    const steps: TraceEvent[] = [];
    await using thunk = await openKfdThunk(traceDevice(new FakeDevice(), (event) => steps.push(event)));
    const [gpu] = thunk.gpus;
    thunk.free(thunk.allocate({ kind: 'gtt', gpuIds: [gpu!.gpuId], sizeBytes: 4096 }));
    const ioctls = steps.filter(isIoctl);
    expect(ioctls[0]).toMatchObject({ name: 'GET_VERSION', args: {}, result: { major_version: 1 }, outcome: 'ok' });
    const allocate = ioctls.find(({ name }) => name === 'ALLOC_MEMORY_OF_GPU')!;
    expect(allocate.args).toMatchObject({ gpu_id: gpu!.gpuId, size: 4096n });
    expect(allocate.result).toHaveProperty('handle');
    const map = ioctls.find(({ name }) => name === 'MAP_MEMORY_TO_GPU')!;
    expect(map.args).toMatchObject({ n_devices: 1, '*device_ids_array_ptr': [gpu!.gpuId] });
    const apertures = ioctls.filter(({ name }) => name === 'GET_PROCESS_APERTURES_NEW').at(-1)!;
    expect(apertures.result['*kfd_process_device_apertures_ptr']).toMatchObject([{ gpu_id: gpu!.gpuId }]);
    expect(steps.some((event) => event.step === 'sysfs' && event.path.endsWith('/gpu_id'))).toBe(true);
    expect(steps.some((event) => event.step === 'open' && event.path === '/dev/dri/renderD128')).toBe(true);
    expect(steps.some((event) => event.step === 'memory' && event.call === 'mmap')).toBe(true);
  });

  it('names the errno of a call that fails, and shows an ioctl that it does not know by its number', () => {
    const steps: TraceEvent[] = [];
    const device = new FakeDevice();
    const traced = traceDevice(Object.assign(Object.create(device) as FakeDevice, { ioctl: () => -25 }), (event) =>
      steps.push(event),
    );
    traced.ioctl(kfd.AMDKFD_IOC_GET_VERSION, new Uint8Array(8));
    traced.ioctl(0x1234_5678, new Uint8Array(8));
    expect(steps.map(formatTraceStep)).toEqual(['  ioctl GET_VERSION() = ENOTTY (25)', '  ioctl 0x12345678() = ENOTTY (25)']);
  });

  it('reads a structure of an older header, which is shorter', () => {
    const steps: TraceEvent[] = [];
    const device = Object.assign(Object.create(new FakeDevice()) as FakeDevice, { ioctl: () => 0 });
    const args = kfd.kfd_ioctl_create_queue_args.create({ ring_size: 4096, gpu_id: 7 }).subarray(0, 0x58);
    traceDevice(device, (event) => steps.push(event)).ioctl(kfd.AMDKFD_IOC_CREATE_QUEUE_1_11, args);
    expect(steps[0]).toMatchObject({ name: 'CREATE_QUEUE', args: { ring_size: 4096, gpu_id: 7 } });
  });
});

describe('traceSysfs', () => {
  it('tells what was read, or the errno', () => {
    const lines: string[] = [];
    const sysfs = traceSysfs(fakeSysfs({ '/a/b': 'one line\n', '/a/c': 'x\ny\n' }), (event) =>
      lines.push(formatTraceStep(event)),
    );
    sysfs.readText('/a/b');
    sysfs.readText('/a/c');
    sysfs.readText('/none');
    sysfs.list('/a');
    expect(lines).toEqual([
      '  readText /a/b: «one line»',
      '  readText /a/c: 4 bytes, 2 lines',
      '  readText /none: ENOENT',
      '  list /a: [b, c]',
    ]);
  });
});
