/** Cases from public reports: what a topology that is not as it should be looks like to a program. Numbers are those of docs/troubleshooting.md. */
import { isHsaError } from '@doorbell/abi';
import { describe, expect, it } from 'vitest';
import { chooseDefaultDevice, discoverAgents, readTopology, summarizeTopology } from '../src/index.js';
import type { GpuInTree } from './support/captured-tree.js';
import { FakeTree, makeTree, ROOT } from './support/captured-tree.js';

describe('O6: there is no topology', () => {
  it('is one clear result, whichever folder is missing', () => {
    const withModule = new FakeTree();
    withModule.files.set('/sys/module/amdgpu/initstate', 'live\n');
    for (const [tree, module] of [
      [new FakeTree(), 'is not loaded'],
      [withModule, 'is loaded'],
    ] as const) {
      try {
        readTopology(tree);
        expect.unreachable();
      } catch (error) {
        if (!isHsaError(error, 'ERR_TOPOLOGY')) throw error;
        expect(error.message).toMatch(new RegExp(`^there is no KFD topology in sysfs .*the amdgpu module ${module}$`));
        expect(error.hint).toMatch(/CONFIG_HSA_AMD/);
      }
    }
  });

  it('is a problem of the snapshot when only the nodes are missing', () => {
    const tree = makeTree([]);
    for (const path of [...tree.files.keys()]) if (path.includes('/nodes/')) tree.files.delete(path);
    const topology = readTopology(tree);
    expect(topology).toMatchObject({ nodes: [], problems: [{ kind: 'unreadable', errno: 'ENOENT' }] });
    expect(discoverAgents(topology, { source: tree })).toMatchObject({ agents: [], skipped: [] });
  });
});

describe('O7: two cards, the first unsupported', () => {
  it.each([
    [
      'no gpu_id',
      (tree: FakeTree) => tree.files.set(`${ROOT}/nodes/1/gpu_id`, '0\n'),
      /gpu_id 0: the kernel driver does not support/,
    ],
    ['an unreadable file', (tree: FakeTree) => tree.errors.set(`${ROOT}/nodes/1/properties`, 'EIO'), /failed with EIO/],
    ['no properties', (tree: FakeTree) => tree.files.set(`${ROOT}/nodes/1/properties`, 'x'), /"x", not "key value"/],
  ] as const)('%s: the other one works, and the reason is told', (_what, spoil, reason) => {
    const tree = makeTree(['gfx1030', 'gfx1100']);
    spoil(tree);
    const topology = readTopology(tree);
    const { gpus, skipped } = discoverAgents(topology, { source: tree });
    expect(gpus.map(({ name, nodeId, sysfsId }) => [name, nodeId, sysfsId])).toEqual([['gfx1100', 1, 2]]);
    expect(skipped).toEqual([expect.objectContaining({ sysfsId: 1, reason: expect.stringMatching(reason) as string })]);
    expect(topology.refusedNodes[0]!.problems[0].reason).toMatch(reason);
  });
});

describe('O8: only the CPU has a node', () => {
  it('is told with what PCI shows', () => {
    const tree = makeTree([]);
    const device = '/sys/bus/pci/devices/0000:01:00.0';
    tree.files.set(`${device}/vendor`, '0x1002\n');
    tree.files.set(`${device}/device`, '0x6811\n');
    tree.files.set(`${device}/class`, '0x030000\n');
    tree.links.set(`${device}/driver`, '/sys/bus/pci/drivers/amdgpu');
    expect(summarizeTopology(readTopology(tree), tree)).toBe(
      '1 CPU node, 0 GPU nodes; PCI shows 1002:6811 (0000:01:00.0) bound to amdgpu',
    );
  });
});

describe('O10: an RX 570 beside a Vega 56', () => {
  it('does not hide the card that works', () => {
    const polaris: GpuInTree = { capture: 'gfx90a', properties: { gfx_target_version: 80003, capability: 0x1280 } };
    const vega: GpuInTree = { capture: 'gfx90a', properties: { gfx_target_version: 90000, capability: 0x2280 } };
    for (const gpus of [
      [polaris, vega],
      [vega, polaris],
    ]) {
      const tree = makeTree(gpus);
      const found = discoverAgents(readTopology(tree), { source: tree });
      expect(found.gpus.map(({ name }) => name)).toEqual(['gfx900']);
      expect(found.skipped.map(({ reason }) => reason)).toEqual([
        expect.stringMatching(/gfx803 has doorbells of type 1; AQL queues need 64-bit ones/),
      ]);
    }
  });
});

describe('O11: a 7900 XTX and the iGPU of a 7800X3D', () => {
  it('takes the discrete GPU, whatever their order, and says why', () => {
    const igpu: GpuInTree = { capture: 'gfx1030', properties: { gfx_target_version: 100306 }, vramBytes: 2 ** 40 };
    for (const gpus of [
      [igpu, 'gfx1100'],
      ['gfx1100', igpu],
    ]) {
      const tree = makeTree(gpus);
      const choice = chooseDefaultDevice(discoverAgents(readTopology(tree), { source: tree }).gpus);
      expect(choice.gpu!.name).toBe('gfx1100');
      expect(choice.reason).toMatch(/^gfx1100 \(node \d, .*\) is the only discrete GPU$/);
      expect(choice.passedOver[0]!.reason).toMatch(/explicit choice/);
    }
  });
});

describe('O12: HSA_OVERRIDE_GFX_VERSION', () => {
  it('makes every GPU what it says, and tells which it changed', () => {
    const tree = makeTree(['gfx90a', 'gfx1030']);
    const gfxOverrides = { all: '10.3.0', byNode: new Map() };
    const { gpus, notes } = discoverAgents(readTopology(tree), { source: tree, gfxOverrides });
    expect(gpus.map(({ name, isa }) => [name, isa.isaNames[0]])).toEqual([
      ['gfx1030', 'amdgcn-amd-amdhsa--gfx1030'],
      ['gfx1030', 'amdgcn-amd-amdhsa--gfx1030'],
    ]);
    expect(gpus[0]!.override).toEqual({
      variable: 'HSA_OVERRIDE_GFX_VERSION',
      value: '10.3.0',
      actual: { major: 9, minor: 0, stepping: 10 },
    });
    expect(notes).toEqual([
      'HSA_OVERRIDE_GFX_VERSION=10.3.0 makes gfx90a (node 1) run as gfx1030',
      'HSA_OVERRIDE_GFX_VERSION=10.3.0 is what gfx1030 (node 2) is already',
    ]);
    // Save areas follow the silicon, not the name.
    expect(gpus[0]!.queueSizeInputs.gfxTargetVersion).toBe(90010);
  });
});
