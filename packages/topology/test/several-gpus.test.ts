/** Machines with several GPUs and sockets: links, pools, partitions. */
import { describe, expect, it } from 'vitest';
// The emulator is no dependency of this package; its tree is one more witness that both sides mean the same files.
import { createEmulatedSysfs, describeMachine } from '../../emulator/src/sysfs/index.js';
import type { Agent, AgentDiscovery, MemoryPool } from '../src/index.js';
import { discoverAgents, poolAccess, readTopology } from '../src/index.js';
import { FakeTree, loadCapture, makeTree, ROOT } from './support/captured-tree.js';

type Shape = Parameters<typeof describeMachine>[0];
const discover = (shape: Shape): AgentDiscovery => {
  const source = createEmulatedSysfs(describeMachine(shape));
  return discoverAgents(readTopology(source), { source });
};
const eight = (target: string): readonly string[] => Array<string>(8).fill(target);

describe('eight GPUs in a hive on two sockets', () => {
  const { gpus, cpus, agents, skipped } = discover({ gpus: eight('gfx942'), links: 'xgmi', cpuNodes: 2 });

  it('have ids, addresses and serial numbers of their own', () => {
    expect([cpus.length, gpus.length, skipped]).toEqual([2, 8, []]);
    for (const key of ['id', 'uuid', 'pciAddress', 'gpuId', 'renderMinor'] as const) {
      expect([key, new Set(gpus.map((gpu) => gpu[key])).size]).toEqual([key, 8]);
    }
    expect(new Set(agents.map(({ id }) => id)).size).toBe(10);
  });

  it('link each to each by XGMI, and to the CPU that is near', () => {
    for (const gpu of gpus) {
      const peers = gpu.links.filter(({ type }) => type === 'xgmi');
      expect(peers.map(({ nodeId, weight, hops, isDirect, hsaType }) => [nodeId, weight, hops, isDirect, hsaType])).toEqual(
        gpus.filter((other) => other !== gpu).map(({ nodeId }) => [nodeId, 15, 1, true, 4]),
      );
    }
    expect(gpus.map(({ nearestCpuNodeId }) => nearestCpuNodeId)).toEqual([0, 0, 0, 0, 1, 1, 1, 1]);
    expect(cpus[0]!.links.map(({ type }) => type)).toEqual(['hypertransport', ...Array<string>(8).fill('pcie')]);
  });

  it('give processors of each socket their own caches', () => {
    expect(cpus.map(({ coreIdBase, caches }) => [coreIdBase, caches[0]!.processorIdLow])).toEqual([
      [0, 0],
      [16, 16],
    ]);
  });
});

describe('access to pools (hsa_ext_amd.h hsa_amd_memory_pool_access_t)', () => {
  const accessOf = (agent: Agent, owner: Agent, wanted: Partial<MemoryPool>): string => {
    const pool = owner.pools.find((each) =>
      Object.entries(wanted).every(([key, value]) => each[key as keyof MemoryPool] === value),
    )!;
    return poolAccess(agent, { owner, pool });
  };
  const hive = discover({ gpus: ['gfx942', 'gfx942'], links: 'xgmi' });
  const bus = discover({ gpus: ['gfx1100', 'gfx1100'] });
  const [cpu, first, second] = bus.agents as readonly [Agent, Agent, Agent];

  it.each([
    ['own VRAM', first, first, { kind: 'vram', coherence: 'coarse' }, 'default'],
    ['own LDS', first, first, { kind: 'group' }, 'default'],
    ['system memory from a CPU', cpu, cpu, { kind: 'system' }, 'default'],
    ['system memory from a GPU', first, cpu, { kind: 'system', coherence: 'fine' }, 'on-request'],
    ['coarse VRAM from the CPU', cpu, first, { kind: 'vram', coherence: 'coarse' }, 'on-request'],
    ['coarse VRAM of a peer', second, first, { kind: 'vram', coherence: 'coarse' }, 'on-request'],
    ['extended VRAM of a peer', second, first, { kind: 'vram', coherence: 'extended-fine' }, 'on-request'],
    ['fine VRAM of a peer over PCIe', second, first, { kind: 'vram', coherence: 'fine' }, 'never'],
    ['fine VRAM of a peer in the hive', hive.gpus[1]!, hive.gpus[0]!, { kind: 'vram', coherence: 'fine' }, 'on-request'],
    ['fine VRAM from the CPU', hive.cpus[0]!, hive.gpus[0]!, { kind: 'vram', coherence: 'fine' }, 'never'],
    ['LDS of a peer', second, first, { kind: 'group' }, 'never'],
  ] as const)('%s', (_what, agent, owner, wanted, expected) => {
    expect(accessOf(agent, owner, wanted)).toBe(expected);
  });

  it('is never given without a link, or to VRAM that the bus does not reach', () => {
    const tree = makeTree(['gfx1100']);
    tree.setProperty(`${ROOT}/nodes/1/mem_banks/0/properties`, 'heap_type', 2);
    const small = discoverAgents(readTopology(tree), { source: tree });
    expect(accessOf(small.cpus[0]!, small.gpus[0]!, { kind: 'vram' })).toBe('never');
    const unlinked = { ...second, links: [] };
    expect(accessOf(unlinked, first, { kind: 'vram' })).toBe('never');
  });
});

describe('kernels without p2p_links', () => {
  const old = makeTree(['gfx1100', 'gfx1030', 'gfx90a']);
  for (const path of old.files.keys())
    if (path.endsWith('/properties')) old.files.set(path, old.files.get(path)!.replace(/^p2p_links_count .*\n/m, ''));

  it('get ways between GPUs over the CPU, as libhsakmt makes them', () => {
    const { gpus } = discoverAgents(readTopology(old), { source: old });
    expect(gpus.map(({ links }) => links.map(({ nodeId, weight, isDirect }) => [nodeId, weight, isDirect]))).toEqual([
      [
        [0, 20, true],
        [2, 40, false],
        [3, 40, false],
      ],
      [
        [0, 20, true],
        [1, 40, false],
        [3, 40, false],
      ],
      [
        [0, 20, true],
        [1, 40, false],
        [2, 40, false],
      ],
    ]);
  });

  it('get none to VRAM that the bus does not reach', () => {
    const tree = new FakeTree();
    for (const [path, text] of old.files) tree.files.set(path, text);
    tree.setProperty(`${ROOT}/nodes/2/mem_banks/0/properties`, 'heap_type', 2);
    const { gpus } = discoverAgents(readTopology(tree), { source: tree });
    expect(gpus.map(({ links }) => links.map(({ nodeId }) => nodeId))).toEqual([
      [0, 3],
      [0, 1, 3],
      [0, 1],
    ]);
  });
});

describe('partitions of one GPU', () => {
  it('are agents of their own, with their place', () => {
    const base = Number(loadCapture('gfx942').properties['location_id']);
    const parts = Array.from({ length: 4 }, (_, index) => ({
      capture: 'gfx942',
      properties: { location_id: base + index, num_xcc: 2, simd_count: 304, array_count: 8 },
    }));
    const tree = makeTree([...parts, 'gfx1100']);
    const { gpus } = discoverAgents(readTopology(tree), { source: tree });
    expect(gpus.map(({ partition, xccCount, computeUnits }) => [partition, xccCount, computeUnits])).toEqual([
      ...[0, 1, 2, 3].map((index) => [{ index, count: 4 }, 2, 76]),
      [undefined, 1, 96],
    ]);
    expect(new Set(gpus.map(({ id }) => id)).size).toBe(5);
  });
});

describe('perf', () => {
  it('gives the counters that the driver offers, and says what is wrong with others', () => {
    const tree = makeTree(['gfx1100']);
    const block = `${ROOT}/nodes/0/perf/iommu`;
    tree.files.set(`${block}/max_concurrent`, '4\n');
    tree.files.set(`${block}/num_counters`, '3\n');
    tree.files.set(`${block}/counter_ids`, '5 6 9\n');
    tree.files.set(`${ROOT}/nodes/0/perf/other/max_concurrent`, 'many\n');
    const [cpu, gpu] = readTopology(tree).nodes;
    expect(cpu!.performanceBlocks).toEqual([{ name: 'iommu', maxConcurrent: 4, numCounters: 3, counterIds: [5, 6, 9] }]);
    expect(cpu!.problems).toEqual([
      expect.objectContaining({ kind: 'malformed', path: `${ROOT}/nodes/0/perf/other/max_concurrent` }),
    ]);
    expect(gpu!.performanceBlocks).toEqual([]);
  });
});
