import { describe, expect, it } from 'vitest';
// The emulator is no dependency of this package; its tree is one more witness that both sides mean the same files.
import { createEmulatedSysfs, describeMachine } from '../../emulator/src/sysfs/index.js';
import { chooseDefaultDevice, discoverAgents, discoverDrivers, readTopology, summarizeTopology } from '../src/index.js';
import { loadCapture } from './support/captured-tree.js';

describe('the tree of an emulated machine', () => {
  it.each(['gfx90a', 'gfx942', 'gfx1030', 'gfx1100', 'gfx1250'])('gives a %s agent without a problem', (target) => {
    const source = createEmulatedSysfs(describeMachine({ gpus: [target] }));
    const topology = readTopology(source);
    expect([topology.problems, topology.refusedNodes, topology.nodes.flatMap(({ problems }) => problems)]).toEqual([[], [], []]);
    const { agents, gpus, skipped } = discoverAgents(topology, { source });
    const { properties, drm } = loadCapture(target);
    expect(skipped).toEqual([]);
    expect(agents.map(({ kind, name }) => [kind, name])).toEqual([
      ['cpu', 'Emulated CPU'],
      ['gpu', target],
    ]);
    expect(gpus[0]).toMatchObject({
      marketingName: drm.marketing_name,
      uniqueId: BigInt(properties['unique_id']!),
      vramBytes: 0x8000_0000n,
      largeBar: true,
      integrated: false,
      nearestCpuNodeId: 0,
    });
    expect(chooseDefaultDevice(gpus).gpu).toBe(gpus[0]);
    expect(discoverDrivers(source)[0]!.state).toBe('usable');
    expect(summarizeTopology(topology, source)).toMatch(/^1 CPU node, 1 GPU node; PCI shows 1002:.* bound to amdgpu$/);
  });

  it('gives each CPU its own caches and all of them the last level', () => {
    const source = createEmulatedSysfs(describeMachine({ gpus: [] }));
    const { caches } = discoverAgents(readTopology(source), { source }).cpus[0]!;
    expect(caches).toHaveLength(16 * 3 + 1);
    expect(caches.find(({ level }) => level === 3)!.siblingMap).toHaveLength(16);
  });

  it('links GPUs of one machine to each other', () => {
    const source = createEmulatedSysfs(describeMachine({ gpus: ['gfx1100', 'gfx1030'] }));
    const { gpus } = discoverAgents(readTopology(source), { source });
    expect(gpus.map(({ links }) => links.map(({ nodeId, isDirect, weight }) => [nodeId, isDirect, weight]))).toEqual([
      [
        [0, true, 20],
        [2, false, 40],
      ],
      [
        [0, true, 20],
        [1, false, 40],
      ],
    ]);
  });
});
