import { aqlQueueSizes } from '@doorbell/thunk-loader';
import { describe, expect, it } from 'vitest';
import type { GpuAgent } from '../src/index.js';
import { chooseDefaultDevice, discoverAgents, readTopology } from '../src/index.js';
import type { DiscoverAgentsOptions } from '../src/index.js';
import type { GpuInTree, FakeTree } from './support/captured-tree.js';
import { loadCapture, makeTree } from './support/captured-tree.js';

const discover = (tree: FakeTree, options: Partial<DiscoverAgentsOptions> = {}): ReturnType<typeof discoverAgents> =>
  discoverAgents(readTopology(tree), { source: tree, ...options });
const onlyGpu = (gpu: string | GpuInTree, options: Partial<DiscoverAgentsOptions> = {}): GpuAgent =>
  discover(makeTree([gpu]), options).gpus[0]!;

/** A Vega 56 (gfx900) and an RX 570 (gfx803), with what the kernel shows of their generations. */
const VEGA: GpuInTree = { capture: 'gfx90a', properties: { gfx_target_version: 90000, capability: 0x2280 } };
const POLARIS: GpuInTree = {
  capture: 'gfx90a',
  name: 'polaris10',
  properties: { gfx_target_version: 80003, capability: 0x1280 },
};

describe('discoverAgents', () => {
  it('lists CPUs, then GPUs', () => {
    expect(discover(makeTree(['gfx1100', 'gfx90a'])).agents.map(({ kind, nodeId, name }) => [kind, nodeId, name])).toEqual([
      ['cpu', 0, 'CPU'],
      ['gpu', 1, 'gfx1100'],
      ['gpu', 2, 'gfx90a'],
    ]);
  });

  // Values as rocminfo prints them for a Radeon RX 7900 XTX.
  it('tells of a gfx1100 what rocminfo does', () => {
    expect(onlyGpu('gfx1100')).toMatchObject({
      uuid: 'GPU-a1ffc9d1799c317f',
      pciAddress: '0000:03:00.0',
      computeUnits: 96,
      simdsPerCu: 2,
      shaderEngines: 6,
      arraysPerEngine: 2,
      wavefrontSize: 32,
      maxWavesPerCu: 32,
      maxClockMhz: 2482,
      cacheBytes: [32 * 1024, 6144 * 1024, 98304 * 1024, 0],
      cacheLineBytes: 128,
      deviceId: 0x744c,
      locationId: 768,
      ldsBytesPerCu: 65536,
      microcodeVersion: 2140 & 0x3ff,
      sdmaMicrocodeVersion: 20,
      memoryWidthBits: 384,
      profile: 'base',
      integrated: false,
      largeBar: true,
      nearestCpuNodeId: 0,
      gpuId: 38145,
      renderMinor: 128,
      isa: { targetId: 'gfx1100', sramecc: 'unsupported', xnack: 'unsupported' },
      capability: { doorbellType: 2, watchPoints: 4, asicRevision: 0, svmApi: true, sramEcc: false },
    });
  });

  it.each([
    ['gfx90a', 'off', ['amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-']],
    ['gfx90a', 'on', ['amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack+']],
    ['gfx942', 'off', ['amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-', 'amdgcn-amd-amdhsa--gfx9-4-generic:sramecc+:xnack-']],
    ['gfx1030', 'on', ['amdgcn-amd-amdhsa--gfx1030', 'amdgcn-amd-amdhsa--gfx10-3-generic']],
    ['gfx1100', 'off', ['amdgcn-amd-amdhsa--gfx1100', 'amdgcn-amd-amdhsa--gfx11-generic']],
    ['gfx1250', 'off', ['amdgcn-amd-amdhsa--gfx1250', 'amdgcn-amd-amdhsa--gfx12-5-generic']],
  ] as const)('names the instruction sets of %s with xnack %s', (capture, xnack, names) => {
    expect(onlyGpu(capture, { thunk: { xnack, gpus: [] } }).isa.isaNames).toEqual(names);
  });

  it('says sramecc- where the capability bit is clear', () => {
    expect(onlyGpu({ capture: 'gfx90a', properties: { capability: 0x2280 } }).isa.targetId).toBe('gfx90a:sramecc-:xnack-');
  });

  it('counts compute units over all XCCs', () => {
    expect(onlyGpu('gfx942')).toMatchObject({ computeUnits: 304, xccCount: 8, shaderEngines: 32 });
  });

  it.each(['gfx90a', 'gfx942', 'gfx1030', 'gfx1100'])('carries what the save area of a %s queue is sized by', (name) => {
    const sizes = aqlQueueSizes(onlyGpu(name).queueSizeInputs);
    const expected = loadCapture(name).derived.libhsakmt_2025;
    expect([sizes.controlStackBytes, sizes.saveBytes, sizes.saveAreaBytes]).toEqual([
      expected.ctl_stack_size,
      expected.ctx_save_restore_size,
      expected.total_alloc,
    ]);
  });

  it('finds the marketing name in the list of libdrm by device and revision', () => {
    const tree = makeTree(['gfx1100']);
    tree.files.set('/usr/share/libdrm/amdgpu.ids', '# comment\n1.0.0\n744C,\tC7,\tOther\n744C,\tC8,\tRadeon RX 7900 XTX\n');
    expect(discover(tree).gpus[0]!.marketingName).toBe('Radeon RX 7900 XTX');
    tree.files.set('/sys/class/drm/renderD128/device/revision', '0x01\n');
    expect(discover(tree).gpus[0]!.marketingName).toBe('');
    tree.files.set('/sys/class/drm/renderD128/device/product_name', 'Board name\n');
    expect(discover(tree).gpus[0]!.marketingName).toBe('Board name');
  });

  it('has no UUID digits without a serial number', () => {
    expect(onlyGpu({ capture: 'gfx1100', properties: { unique_id: 0 } }).uuid).toBe('GPU-XX');
  });

  it('keeps the good GPU beside one of an older generation', () => {
    const { gpus, skipped } = discover(makeTree([POLARIS, VEGA]));
    expect(gpus.map(({ name, nodeId }) => [name, nodeId])).toEqual([['gfx900', 2]]);
    expect(skipped).toEqual([
      { sysfsId: 1, name: 'polaris10', reason: expect.stringMatching(/gfx803 has doorbells of type 1/) as string },
    ]);
  });

  it.each([
    ['an unknown processor', { gfx_target_version: 199999 }, /gfx196363 is not a known processor/],
    ['no SIMDs in a unit', { simd_per_cu: 0 }, /simd_per_cu 0/],
    ['no arrays in an engine', { simd_arrays_per_engine: 0 }, /simd_arrays_per_engine 0/],
    ['an odd wave size', { wave_front_size: 48 }, /wave_front_size 48/],
  ])('skips a GPU with %s', (_what, properties, reason) => {
    const { gpus, skipped } = discover(makeTree([{ capture: 'gfx1100', properties }, 'gfx1030']));
    expect(gpus.map(({ name }) => name)).toEqual(['gfx1030']);
    expect(skipped[0]!.reason).toMatch(reason);
  });

  it('skips a GPU that the thunk could not acquire', () => {
    const gpu = { gpuId: 38145, nodeId: 1, renderMinor: 128, properties: new Map<string, bigint>() };
    const thunk = { xnack: 'off', gpus: [{ ...gpu, problem: new Error('ACQUIRE_VM: EBUSY') }] } as const;
    expect(discover(makeTree(['gfx1100']), { thunk })).toMatchObject({ gpus: [], skipped: [{ reason: 'ACQUIRE_VM: EBUSY' }] });
  });

  it('gives an APU node both agents with the full profile, and no coarse system pool', () => {
    const { cpus, gpus } = discover(makeTree([{ capture: 'gfx1030', properties: { cpu_cores_count: 8 } }]));
    expect(gpus[0]).toMatchObject({ profile: 'full', integrated: true, nearestCpuNodeId: 1 });
    expect(cpus[1]!.pools.map(({ coherence }) => coherence)).toEqual(['fine', 'extended-fine', 'fine']);
  });
});

describe('memory pools', () => {
  it('are those of ROCr on a CPU: fine, extended, kernarg, coarse', () => {
    const { pools } = discover(makeTree(['gfx1100'])).cpus[0]!;
    expect(pools.map(({ globalFlags, kernarg }) => [globalFlags, kernarg])).toEqual([
      [2, false],
      [8, false],
      [3, true],
      [4, false],
    ]);
    const bytes = BigInt(loadCapture('cpu').mem_banks[0]!['size_in_bytes']!);
    for (const pool of pools) {
      expect(pool).toMatchObject({
        sizeBytes: bytes,
        allocMaxBytes: bytes,
        accessibleByAll: true,
        hostVisible: true,
        alignmentBytes: 4096,
      });
    }
  });

  it('are those of ROCr on a GPU: coarse, extended, hidden fine, LDS', () => {
    const { pools } = onlyGpu('gfx1100');
    expect(
      pools.map(({ kind, globalFlags, userVisible, runtimeAllocAllowed }) => [
        kind,
        globalFlags,
        userVisible,
        runtimeAllocAllowed,
      ]),
    ).toEqual([
      ['vram', 4, true, true],
      ['vram', 8, true, true],
      ['vram', 2, false, true],
      ['group', 0, true, false],
    ]);
    expect(pools[0]).toMatchObject({
      sizeBytes: 25753026560n,
      recommendedGranuleBytes: 2097152,
      allocGranuleBytes: 4096,
      busWidthBits: 384,
    });
    expect(pools[3]).toMatchObject({ sizeBytes: 65536n, allocMaxBytes: 0n, allocGranuleBytes: 0 });
  });

  it('show fine-grained VRAM in a hive, or when asked for', () => {
    const isVisible = (gpu: GpuAgent): boolean =>
      gpu.pools.some((pool) => pool.kind === 'vram' && pool.coherence === 'fine' && pool.userVisible);
    expect(isVisible(onlyGpu({ capture: 'gfx942', properties: { hive_id: 5 } }))).toBe(true);
    expect(isVisible(onlyGpu('gfx942', { fineGrainedOverPcie: 'visible' }))).toBe(true);
  });

  it('have no extended fine-grained VRAM on gfx12.0', () => {
    const gpu = onlyGpu({ capture: 'gfx1100', properties: { gfx_target_version: 120001 } });
    expect(gpu.pools.map(({ coherence }) => coherence)).toEqual(['coarse', 'fine', 'none']);
  });

  it('allow single system allocations over all NUMA nodes', () => {
    const tree = makeTree([{ capture: 'gfx1030', properties: { cpu_cores_count: 8 } }]);
    tree.setProperty('/sys/devices/virtual/kfd/kfd/topology/nodes/1/mem_banks/0/properties', 'heap_type', 0);
    const [first] = discover(tree).cpus;
    expect(first!.pools[0]!.allocMaxBytes - first!.pools[0]!.sizeBytes).toBe(
      BigInt(loadCapture('gfx1030').mem_banks[0]!['size_in_bytes']!),
    );
  });
});

describe('links', () => {
  it('carry type, weight and bandwidth, and what the flags take away', () => {
    const { cpus, gpus } = discover(makeTree(['gfx1100']));
    expect(gpus[0]!.links).toEqual([
      expect.objectContaining({
        nodeId: 0,
        type: 'pcie',
        hsaType: 2,
        weight: 20,
        hops: 1,
        maxBandwidthMbps: 32000,
        coherent: true,
        atomics64: true,
      }),
    ]);
    expect(cpus[0]!.links[0]).toMatchObject({ coherent: false, atomics32: true, atomics64: true });
  });

  it('are left out without peer-to-peer DMA', () => {
    const tree = makeTree(['gfx1100']);
    tree.setProperty('/sys/devices/virtual/kfd/kfd/topology/nodes/1/io_links/0/properties', 'flags', 0x11);
    expect(discover(tree).gpus[0]).toMatchObject({ links: [], nearestCpuNodeId: undefined });
  });
});

describe('visibleDevices', () => {
  const tree = makeTree(['gfx1100', 'gfx1030', 'gfx90a']);
  const topology = readTopology(tree);
  const names = (visibleDevices: string): readonly string[] =>
    discoverAgents(topology, { source: tree, visibleDevices }).gpus.map(({ name }) => name);
  const uuid = (id: bigint): string => `GPU-${id.toString(16).toUpperCase()}`;

  it.each([
    ['1', ['gfx1030']],
    [' 2 , 0 ', ['gfx90a', 'gfx1100']],
    ['0x1,00', ['gfx1030', 'gfx1100']],
    ['', []],
    ['0,7,1', ['gfx1100']],
    ['0,0,1', ['gfx1100']],
    ['-1', []],
    ['1,none,0', ['gfx1030']],
    [`${uuid(9803089337529275864n)},0`, ['gfx90a', 'gfx1100']],
    [`gpu-${11673270660693242239n.toString(16).slice(0, 4)}`, ['gfx1100']],
    ['GPU-', []],
    ['GPU-0123456789ABCDEF0', []],
  ])('takes %j as ROCr does', (value, expected) => {
    expect(names(value)).toEqual(expected);
  });

  it('never matches a GPU without a serial number', () => {
    const anonymous = makeTree([{ capture: 'gfx1100', properties: { unique_id: 0 } }]);
    expect(discover(anonymous, { visibleDevices: 'GPU-X' }).gpus).toEqual([]);
  });

  it('refuses a prefix that two GPUs share', () => {
    const twins = makeTree(['gfx1100', { capture: 'gfx1100', properties: { unique_id: '11673270660693242238' } }]);
    const found = discover(twins, { visibleDevices: `GPU-${11673270660693242239n.toString(16).slice(0, 6)}` });
    expect(found.gpus).toEqual([]);
    expect(found.notes[0]).toMatch(/2 GPUs have UUIDs/);
  });

  it('counts GPU nodes that gave no agent, as ROCr does', () => {
    const mixed = makeTree([POLARIS, 'gfx1100', 'gfx1030']);
    expect(discover(mixed, { visibleDevices: '1' }).gpus.map(({ name }) => name)).toEqual(['gfx1100']);
    expect(discover(mixed, { visibleDevices: '0' }).gpus).toEqual([]);
  });

  it.each([
    ['0;1', /separated by commas/],
    ['0-2', /no ranges/],
    ['all', /no such word/],
    ['-1', /set it to nothing/],
    ['gfx1100', /by index or by UUID/],
    ['0000:03:00.0', /not by PCI address/],
    ['GPU-8932f937-d72c-4106', /without dashes/],
    ['a1ffc9d1799c317f', /starts with GPU-/],
    ['"0"', /quotes/],
    ['08', /octal/],
    [',1', /fail to start/],
    ['', /set and empty, which hides every GPU/],
  ])('explains what was probably meant: %j', (value, advice) => {
    expect(discover(tree, { visibleDevices: value }).notes[0]).toMatch(advice);
  });

  it('tells what it hid', () => {
    const { hiddenGpus, notes } = discover(tree, { visibleDevices: '1' });
    expect(hiddenGpus.map(({ name }) => name)).toEqual(['gfx1100', 'gfx90a']);
    expect(notes[0]).toMatch(/^ROCR_VISIBLE_DEVICES hides gfx1100 \(GPU-/);
  });
});

describe('chooseDefaultDevice', () => {
  /** The iGPU of a desktop Ryzen 7000: gfx1036 on a node of its own. */
  const IGPU: GpuInTree = { capture: 'gfx1030', properties: { gfx_target_version: 100306 }, vramBytes: 2 ** 40 };

  it('takes the discrete GPU beside an iGPU, and says so', () => {
    const choice = chooseDefaultDevice(discover(makeTree([IGPU, 'gfx1100'])).gpus);
    expect(choice.gpu!.name).toBe('gfx1100');
    expect(choice.reason).toBe('gfx1100 (node 2, 0000:03:00.0) is the only discrete GPU');
    expect(choice.passedOver).toEqual([
      { gpu: expect.objectContaining({ name: 'gfx1036' }) as unknown, reason: 'integrated; used by explicit choice only' },
    ]);
  });

  it('takes the most VRAM, then the lowest node', () => {
    const small: GpuInTree = { capture: 'gfx1100', vramBytes: 4096 };
    const choice = chooseDefaultDevice(discover(makeTree([small, 'gfx1100', 'gfx1100'])).gpus);
    expect(choice.gpu!.nodeId).toBe(2);
    expect(choice.passedOver.map(({ reason }) => reason)).toEqual([
      'less VRAM (4096 bytes) than node 2 (25753026560 bytes)',
      'as much VRAM as node 2, but a higher node id',
    ]);
  });

  it('takes none when only an iGPU is there', () => {
    const choice = chooseDefaultDevice(discover(makeTree([IGPU])).gpus);
    expect(choice.gpu).toBeUndefined();
    expect(choice.reason).toMatch(/no discrete GPU; gfx1036/);
  });

  it('says that there is none', () => {
    expect(chooseDefaultDevice([])).toEqual({ gpu: undefined, reason: 'there is no GPU agent', passedOver: [] });
  });
});
