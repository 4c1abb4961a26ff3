import type { DeviceOpener } from '@doorbell/thunk-loader';
import { describe, expect, it } from 'vitest';
import { discoverAgents, discoverDrivers, readTopology } from '../src/index.js';
import type { DriverProbe } from '../src/index.js';
import { FakeTree, makeTree } from './support/captured-tree.js';

describe('discoverDrivers', () => {
  it('reports all drivers in the order of ROCr', () => {
    expect(discoverDrivers(makeTree(['gfx1100'])).map(({ driver, state }) => [driver, state])).toEqual([
      ['kfd', 'usable'],
      ['xdna', 'absent'],
      ['kfd-virtio', 'absent'],
    ]);
  });

  it('tells owner and mode of the device file', () => {
    expect(discoverDrivers(makeTree(['gfx1100']))[0]!.reason).toBe('/dev/kfd is there: mode 660, owner 0, group 44');
  });

  it('tells an absent device file from one that is withheld', () => {
    const tree = new FakeTree();
    expect(discoverDrivers(tree)[0]).toMatchObject({
      state: 'absent',
      errno: 'ENOENT',
      reason: expect.stringMatching(/not loaded/) as string,
    });
    tree.errors.set('/dev/kfd', 'EACCES');
    expect(discoverDrivers(tree)[0]).toMatchObject({ state: 'unusable', errno: 'EACCES' });
  });

  it('does not take another file for the device', () => {
    const tree = new FakeTree();
    tree.files.set('/dev/kfd/x', '');
    expect(discoverDrivers(tree)[0]).toMatchObject({
      state: 'unusable',
      reason: '/dev/kfd is a directory, not a character device',
    });
  });

  it('asks further probes too, and goes on behind one that fails', () => {
    const row = { driver: 'xdna', devicePath: '/dev/accel/accel3', state: 'usable', reason: 'test' } as const;
    const failing: DriverProbe = {
      driver: 'kfd-virtio',
      devicePath: '/dev/x',
      probe: () => {
        throw new Error('no koffi');
      },
    };
    const probes = [failing, { driver: 'xdna', devicePath: '/dev/accel/accel3', probe: () => row }] as const;
    expect(discoverDrivers(new FakeTree(), { probes })).toEqual([
      { driver: 'kfd-virtio', devicePath: '/dev/x', state: 'unusable', reason: 'asking the driver failed: no koffi' },
      row,
    ]);
  });
});

/** Requests and structs as the C compiler sees them in linux/include/uapi/drm: amdxdna_accel.h, virtgpu_drm.h. */
const DRM_IOCTL_AMDXDNA_GET_INFO = 0xc010_6447;
const DRM_IOCTL_VIRTGPU_GET_CAPS = 0xc018_6449;

/** Opens device files that answer ioctls from a table of the bytes at the pointer in the argument. */
class FakeDevices {
  readonly opened: string[] = [];
  readonly closed: string[] = [];
  readonly #answers: Readonly<Record<string, (request: number, argument: DataView) => Uint8Array | number>>;
  readonly #buffers = new Map<bigint, Uint8Array>();

  constructor(answers: Readonly<Record<string, (request: number, argument: DataView) => Uint8Array | number>>) {
    this.#answers = answers;
  }

  readonly open: DeviceOpener = (path) => {
    const answer = this.#answers[path];
    if (answer === undefined) return { ok: false, errno: 'EACCES' };
    this.opened.push(path);
    return {
      ok: true,
      value: {
        hostBuffer: (sizeBytes) => {
          const bytes = new Uint8Array(sizeBytes);
          const address = 0x7000n + BigInt(this.#buffers.size) * 0x100n;
          this.#buffers.set(address, bytes);
          return { address, bytes, [Symbol.dispose]: () => undefined };
        },
        ioctl: (request, argument) => {
          const view = new DataView(argument.buffer);
          const result = answer(request, view);
          if (typeof result === 'number') return result;
          this.#buffers.get(view.getBigUint64(8, true))!.set(result);
          return 0;
        },
        [Symbol.dispose]: () => this.closed.push(path),
      },
    };
  };
}

/** A Phoenix NPU: 5 columns of 6 rows, 4 of them compute tiles. */
function npu(request: number, argument: DataView): Uint8Array | number {
  if (request !== DRM_IOCTL_AMDXDNA_GET_INFO) return -25;
  const param = argument.getUint32(0, true);
  const size = argument.getUint32(4, true);
  if (param === 2 && size === 8) return new Uint8Array(Uint32Array.of(1, 3).buffer);
  const metadata = new Uint8Array(64);
  new Uint16Array(metadata.buffer).set([0x8000, 0, 5, 6, 1, 0, 3, 0, 4, 2]);
  return param === 1 && size === 64 ? metadata : -22;
}

function npuTree(index = 0, deviceId = '0x1502'): FakeTree {
  const tree = makeTree(['gfx1100']);
  tree.files.set(`/dev/accel/accel${index}`, '');
  tree.links.set(`/sys/class/accel/accel${index}/device/driver`, '/sys/bus/pci/drivers/amdxdna');
  tree.links.set(`/sys/class/accel/accel${index}/device`, '/sys/devices/pci0000:00/0000:c6:00.1');
  tree.files.set(`/sys/class/accel/accel${index}/device/device`, `${deviceId}\n`);
  tree.files.set(`/sys/class/accel/accel${index}/device/vbnv`, 'RyzenAI-npu1\n');
  return tree;
}

describe('the XDNA driver', () => {
  it('is asked for version and tiles, and gives an agent with an id of its own', () => {
    const tree = npuTree();
    const devices = new FakeDevices({ '/dev/accel/accel0': npu });
    const drivers = discoverDrivers(tree, { openDevice: devices.open });
    expect(drivers[1]).toEqual({
      driver: 'xdna',
      devicePath: '/dev/accel/accel0',
      state: 'usable',
      reason: 'aie2 NPU with 5 × 4 compute tiles, version 1.3; this runtime runs no code on it',
      version: { major: 1, minor: 3 },
      npu: {
        architecture: 'aie2',
        productName: 'RyzenAI-npu1',
        pciAddress: '0000:c6:00.1',
        deviceId: 0x1502,
        columns: 5,
        rows: 6,
        coreRows: 4,
        // One column has no DMA to the host (rocr amd_xdna_driver.cpp GetNodeProperties).
        neuralCores: 16,
      },
    });
    expect([devices.opened, devices.closed]).toEqual([['/dev/accel/accel0'], ['/dev/accel/accel0']]);
    const { agents, aies, gpus } = discoverAgents(readTopology(tree), { source: tree, drivers });
    const ids = [...agents, ...aies].map(({ id }) => id);
    expect(ids).toEqual(['kfd/0/cpu', 'kfd/1/gpu', 'xdna/0/aie']);
    expect(new Set(ids).size).toBe(3);
    expect(gpus).toHaveLength(1);
    expect(aies[0]).toMatchObject({ kind: 'aie', name: 'aie2', marketingName: 'RyzenAI-npu1' });
  });

  it('that cannot be opened is reported, and hides neither GPUs nor the next driver', () => {
    const tree = npuTree();
    const drivers = discoverDrivers(tree, { openDevice: new FakeDevices({}).open });
    expect(drivers.map(({ driver, state }) => [driver, state])).toEqual([
      ['kfd', 'usable'],
      ['xdna', 'unusable'],
      ['kfd-virtio', 'absent'],
    ]);
    expect(drivers[1]).toMatchObject({ errno: 'EACCES', hint: expect.stringContaining('/dev/accel/accel0') as string });
    expect(discoverAgents(readTopology(tree), { source: tree, drivers })).toMatchObject({
      gpus: [{ name: 'gfx1100' }],
      aies: [],
    });
  });

  it('takes the first device that answers', () => {
    const tree = npuTree(1);
    tree.files.set('/dev/accel/accel0', '');
    const devices = new FakeDevices({ '/dev/accel/accel0': () => -95, '/dev/accel/accel1': npu });
    expect(discoverDrivers(tree, { openDevice: devices.open })[1]).toMatchObject({
      state: 'usable',
      devicePath: '/dev/accel/accel1',
    });
    expect(devices.closed).toEqual(['/dev/accel/accel0', '/dev/accel/accel1']);
  });

  it('leaves the NPUs of others alone', () => {
    const tree = npuTree();
    tree.links.set('/sys/class/accel/accel0/device/driver', '/sys/bus/pci/drivers/intel_vpu');
    const devices = new FakeDevices({ '/dev/accel/accel0': npu });
    expect(discoverDrivers(tree, { openDevice: devices.open })[1]).toMatchObject({
      state: 'absent',
      reason: expect.stringContaining('accel0 (intel_vpu)') as string,
    });
    expect(devices.opened).toEqual([]);
  });

  it.each([
    ['no answer', npuTree(), { '/dev/accel/accel0': (): number => -95 }, 'unusable', /version query: E(OP)?NOTSUPP?$/],
    [
      'no tiles',
      npuTree(),
      { '/dev/accel/accel0': (r: number, a: DataView) => (a.getUint32(0, true) === 1 ? -22 : npu(r, a)) },
      'unusable',
      /metadata query: EINVAL/,
    ],
    ['an unknown device', npuTree(0, '0x9999'), { '/dev/accel/accel0': npu }, 'unsupported', /0x9999, which is no known NPU/],
  ] as const)('says so: %s', (_what, tree, answers, state, reason) => {
    const report = discoverDrivers(tree, { openDevice: new FakeDevices(answers).open })[1]!;
    expect(report).toMatchObject({ state, reason: expect.stringMatching(reason) as string });
    expect(report.npu).toBeUndefined();
  });

  it('is not probed where nothing may be opened', () => {
    expect(discoverDrivers(npuTree())[1]).toMatchObject({ state: 'not-probed', devicePath: '/dev/accel/accel0' });
  });
});

describe('virtio-gpu', () => {
  const guest = (): FakeTree => {
    const tree = new FakeTree();
    tree.files.set('/sys/class/drm/renderD128/dev', '226:128\n');
    tree.links.set('/sys/class/drm/renderD128/device/driver', '/sys/bus/virtio/drivers/virtio_gpu');
    return tree;
  };
  const caps =
    (contextType: number) =>
    (request: number, argument: DataView): Uint8Array | number => {
      const isAsked =
        request === DRM_IOCTL_VIRTGPU_GET_CAPS && argument.getUint32(0, true) === 8 && argument.getUint32(16, true) === 24;
      return isAsked ? new Uint8Array(Uint32Array.of(1, 1, 14, 0, contextType, 0).buffer) : -22;
    };

  it.each([
    ['offers the GPU of the host', caps(1), 'unsupported', /1\.14; this runtime has no virtio thunk/],
    ['has another context', caps(2), 'unusable', /context of type 2/],
    ['has none', (): number => -22, 'unusable', /no native context.*EINVAL/],
  ] as const)('%s', (_what, answer, state, reason) => {
    const devices = new FakeDevices({ '/dev/dri/renderD128': answer });
    expect(discoverDrivers(guest(), { openDevice: devices.open })[2]).toMatchObject({
      driver: 'kfd-virtio',
      devicePath: '/dev/dri/renderD128',
      state,
      reason: expect.stringMatching(reason) as string,
    });
    expect(devices.closed).toEqual(['/dev/dri/renderD128']);
  });
});
