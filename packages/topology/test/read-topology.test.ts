import type { HsaError } from '@doorbell/abi';
import { isHsaError } from '@doorbell/abi';
import { describe, expect, it } from 'vitest';
import { readTopology } from '../src/index.js';
import { FakeTree, loadCapture, makeTree, ROOT } from './support/captured-tree.js';

const catchError = (run: () => unknown): unknown => {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
};

/** Properties of the captures by their sysfs keys, read back from the camel-case record. */
const bySysfsKey = (record: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(record).map(([key, value]) => [key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), String(value)]),
  );

describe('readTopology', () => {
  it.each(['gfx90a', 'gfx942', 'gfx1030', 'gfx1100', 'gfx1250'])('reads every captured value of %s', (name) => {
    const capture = loadCapture(name);
    const { nodes, refusedNodes, problems } = readTopology(makeTree([name]));
    expect([refusedNodes, problems, nodes.flatMap((node) => node.problems)]).toEqual([[], [], []]);
    const gpu = nodes[1]!;
    expect(gpu).toMatchObject({ nodeId: 1, sysfsId: 1, gpuId: capture.gpu_id, name: capture.name });
    const read = bySysfsKey(gpu.properties);
    for (const [key, value] of Object.entries(capture.properties)) expect([key, read[key]]).toEqual([key, String(value)]);
    expect(gpu.caches).toHaveLength(Number(capture.properties['caches_count']));
    expect(gpu.memoryBanks.map(({ sizeInBytes }) => sizeInBytes)).toEqual([BigInt(capture.mem_banks[0]!['size_in_bytes']!)]);
    expect(gpu.links).toEqual([expect.objectContaining({ kind: 'direct', nodeTo: 0, weight: 20, type: 2, flags: 1 })]);
    expect(nodes[0]!.links).toEqual([expect.objectContaining({ nodeTo: 1, flags: 3 })]);
  });

  it('reads cache fields and sibling maps', () => {
    const caches = readTopology(makeTree(['gfx1100'])).nodes[1]!.caches;
    expect(caches[0]).toMatchObject({ processorIdLow: 2147487744, level: 1, sizeKib: 32, cacheLineSize: 128, type: 9 });
    expect(caches[97]).toMatchObject({ processorIdLow: 2147487746, sizeKib: 32, type: 10 });
    expect([...caches[97]!.siblingMap.slice(0, 3)]).toEqual([1, 1, 0]);
    expect(caches.at(-1)).toMatchObject({ level: 3, sizeKib: 98304 });
  });

  it('reads numbers of 64 bits exactly', () => {
    const { system, nodes } = readTopology(makeTree(['gfx1100']));
    expect(system).toEqual({ platformOem: 0n, platformId: 7n, platformRev: 18446744073709551615n });
    expect(nodes[1]!.properties.uniqueId).toBe(11673270660693242239n);
  });

  it('takes an absent num_xcc as one and other absent keys as 0 (old kernels)', () => {
    const tree = makeTree(['gfx1100']);
    const file = `${ROOT}/nodes/1/properties`;
    tree.files.set(file, tree.files.get(file)!.replace(/^(num_xcc|p2p_links_count|capability2) .*\n/gm, ''));
    expect(readTopology(tree).nodes[1]!.properties).toMatchObject({ numXcc: 1, p2pLinksCount: 0, capability2: 0 });
  });

  it('falls back to /sys/class/kfd', () => {
    const tree = makeTree(['gfx1100']);
    for (const [path, content] of [...tree.files]) {
      if (!path.startsWith(ROOT)) continue;
      tree.files.delete(path);
      tree.files.set(path.replace(ROOT, '/sys/class/kfd/kfd/topology'), content);
    }
    expect(readTopology(tree)).toMatchObject({ root: '/sys/class/kfd/kfd/topology', nodes: [{ nodeId: 0 }, { nodeId: 1 }] });
  });
});

describe('a tree that is not there', () => {
  it('is one clear error', () => {
    const error = catchError(() => readTopology(new FakeTree()));
    expect(isHsaError(error, 'ERR_TOPOLOGY')).toBe(true);
    expect((error as HsaError).message).toBe(
      'there is no KFD topology in sysfs (/sys/devices/virtual/kfd/kfd/topology, /sys/class/kfd/kfd/topology); the amdgpu module is not loaded',
    );
    expect((error as HsaError).hint).toMatch(/CONFIG_HSA_AMD/);
  });

  it('is told apart from one that may not be read', () => {
    const tree = makeTree(['gfx1100']);
    tree.errors.set(`${ROOT}/generation_id`, 'EACCES');
    expect((catchError(() => readTopology(tree)) as HsaError).message).toMatch(/generation_id failed with EACCES/);
  });
});

describe('a tree that changes', () => {
  it('is read again until two generation ids agree', () => {
    const tree = makeTree(['gfx1100']);
    let reads = 0;
    tree.onRead = (path) => {
      if (path !== `${ROOT}/generation_id`) return;
      reads += 1;
      if (reads === 2) {
        // A GPU came while the first pass was under way.
        for (const [file, content] of makeTree(['gfx1100', 'gfx1030']).files) tree.files.set(file, content);
        tree.files.set(`${ROOT}/generation_id`, '3\n');
      }
    };
    expect(readTopology(tree)).toMatchObject({ generationId: 3n, nodes: [{ gpuId: 0 }, { gpuId: 38145 }, { gpuId: 26050 }] });
    expect(reads).toBe(3);
  });

  it('gives up after the attempts with a typed error', () => {
    const tree = makeTree(['gfx1100']);
    let generation = 2;
    tree.onRead = (path) => {
      if (path === `${ROOT}/generation_id`) tree.files.set(path, `${(generation += 1)}\n`);
    };
    const error = catchError(() => readTopology(tree, { attempts: 3 }));
    expect(isHsaError(error, 'ERR_TOPOLOGY')).toBe(true);
    expect((error as HsaError).message).toMatch(/changed 3 times/);
    expect(generation).toBe(6);
  });
});

describe('bad nodes', () => {
  it('keeps the good one beside an unreadable one, and numbers densely', () => {
    const tree = makeTree(['gfx1030', 'gfx1100']);
    tree.errors.set(`${ROOT}/nodes/1/properties`, 'EIO');
    const { nodes, refusedNodes } = readTopology(tree);
    expect(nodes.map(({ nodeId, sysfsId }) => [nodeId, sysfsId])).toEqual([
      [0, 0],
      [1, 2],
    ]);
    expect(refusedNodes).toEqual([
      { sysfsId: 1, name: 'sienna_cichlid', problems: [expect.objectContaining({ kind: 'unreadable', errno: 'EIO' })] },
    ]);
    expect(nodes[0]!.links.map(({ nodeTo }) => nodeTo)).toEqual([1]);
    expect(nodes[0]!.problems).toEqual([
      expect.objectContaining({ kind: 'inconsistent', reason: expect.stringMatching(/leads to node 1/) as string }),
    ]);
  });

  it('takes EPERM on gpu_id as hidden by a device cgroup', () => {
    const tree = makeTree(['gfx1100', 'gfx1030']);
    tree.errors.set(`${ROOT}/nodes/2/gpu_id`, 'EPERM');
    const { nodes, refusedNodes } = readTopology(tree);
    expect(nodes).toHaveLength(2);
    expect(refusedNodes[0]!.problems[0]).toMatchObject({ kind: 'hidden', errno: 'EPERM' });
  });

  it('hides a GPU whose render node is not there', () => {
    const tree = makeTree(['gfx1100']);
    tree.files.delete('/dev/dri/renderD128');
    expect(readTopology(tree).refusedNodes[0]!.problems[0]).toMatchObject({
      kind: 'hidden',
      path: '/dev/dri/renderD128',
      errno: 'ENOENT',
    });
  });

  it('says who may open a render node that this user may not', () => {
    const probeRenderNode = (minor: number): { ok: false; errno: string } | { ok: true; value: null } =>
      minor === 128 ? { ok: false, errno: 'EACCES' } : { ok: true, value: null };
    const { nodes, refusedNodes } = readTopology(makeTree(['gfx1100', 'gfx1030']), { probeRenderNode });
    expect(nodes.map(({ sysfsId }) => sysfsId)).toEqual([0, 2]);
    expect(refusedNodes[0]!.problems[0]).toMatchObject({
      kind: 'unreadable',
      reason: 'opening /dev/dri/renderD128 failed with EACCES: mode 660, group 44',
      hint: expect.stringMatching(/group/) as string,
    });
  });

  it.each([
    ['gpu_id 0 though there are SIMDs', { gpuId: 0 }, /does not support this GPU/],
    ['a GPU without SIMDs', { properties: { simd_count: 0 } }, /no SIMDs/],
    ['a GPU without gfx_target_version', { properties: { gfx_target_version: 0 } }, /kernel driver is too old/],
    ['a render minor of another kind', { properties: { drm_render_minor: 0 } }, /drm_render_minor is 0/],
    ['a value beyond 32 bits', { properties: { simd_count: 4294967296 } }, /simd_count "4294967296"/],
    ['a negative value', { properties: { simd_count: -1 } }, /simd_count "-1"/],
    ['a word for a number', { properties: { simd_count: 'many' } }, /simd_count "many"/],
  ])('refuses %s', (_what, change, reason) => {
    const { nodes, refusedNodes } = readTopology(makeTree([{ capture: 'gfx1100', ...change }, 'gfx1030']));
    expect(nodes.map(({ sysfsId }) => sysfsId)).toEqual([0, 2]);
    expect(refusedNodes[0]!.problems[0].reason).toMatch(reason);
  });

  it('keeps the CPU of an APU whose GPU is not supported', () => {
    const { nodes, refusedNodes } = readTopology(
      makeTree([{ capture: 'gfx1030', gpuId: 0, properties: { cpu_cores_count: 4 } }]),
    );
    expect(refusedNodes).toEqual([]);
    expect(nodes[1]).toMatchObject({ gpuId: 0, problems: [{ kind: 'implausible' }] });
  });

  it('keeps a node whose caches, banks or links are partly wrong', () => {
    const tree = makeTree(['gfx1100']);
    tree.files.set(`${ROOT}/nodes/1/caches/5/properties`, 'level one\n');
    tree.setProperty(`${ROOT}/nodes/1/caches/6/properties`, 'sibling_map', '1,2');
    tree.errors.set(`${ROOT}/nodes/1/mem_banks`, 'EACCES');
    tree.setProperty(`${ROOT}/nodes/1/io_links/0/properties`, 'node_from', 7);
    const gpu = readTopology(tree).nodes[1]!;
    expect([gpu.caches.length, gpu.memoryBanks.length, gpu.links.length]).toEqual([204, 0, 0]);
    expect(gpu.problems.map(({ kind }) => kind)).toEqual(['unreadable', 'malformed', 'malformed', 'inconsistent']);
  });

  it('notes a count that its folder does not bear out', () => {
    const tree = makeTree(['gfx1100']);
    tree.setProperty(`${ROOT}/nodes/1/properties`, 'caches_count', 4294967295);
    const gpu = readTopology(tree).nodes[1]!;
    expect(gpu.caches).toHaveLength(206);
    expect(gpu.problems).toEqual([expect.objectContaining({ kind: 'inconsistent', path: `${ROOT}/nodes/1/caches` })]);
  });

  it('notes entries of nodes/ that are no nodes, and gaps', () => {
    const tree = makeTree(['gfx1100']);
    tree.files.set(`${ROOT}/nodes/notes/x`, '');
    tree.files.set(`${ROOT}/nodes/9/gpu_id`, '1\n');
    expect(readTopology(tree).problems.map(({ kind }) => kind)).toEqual(['malformed', 'inconsistent']);
  });

  it('refuses a properties file of more than a page', () => {
    const tree = makeTree(['gfx1100']);
    tree.files.set(`${ROOT}/nodes/1/properties`, 'a 1\n'.repeat(2000));
    expect(readTopology(tree).refusedNodes[0]!.problems[0]).toMatchObject({ kind: 'malformed' });
  });
});

describe('the CPU node', () => {
  const cpuinfo = (apicid: number): string =>
    [0, 1]
      .map((n) => `processor\t: ${n}\nvendor_id\t: AuthenticAMD\nmodel name\t: AMD Test 9\napicid\t\t: ${apicid + n}\n`)
      .join('\n');

  const addCache = (tree: FakeTree, path: string, facts: Readonly<Record<string, string>>): void => {
    const all = { coherency_line_size: '64', ways_of_associativity: '8', physical_line_partition: '1', ...facts };
    for (const [name, value] of Object.entries(all)) tree.files.set(`${path}/${name}`, `${value}\n`);
  };

  it('has the name of the processor with its first APIC id', () => {
    const tree = makeTree([]);
    tree.files.set('/proc/cpuinfo', cpuinfo(0));
    expect(readTopology(tree).nodes[0]!.cpu).toEqual({ vendor: 'AuthenticAMD', modelName: 'AMD Test 9' });
    tree.files.set('/proc/cpuinfo', cpuinfo(16));
    expect(readTopology(tree).nodes[0]!.cpu).toEqual({ vendor: '', modelName: '' });
  });

  it.each(['/sys/devices/system/node/node0', '/sys/devices/system/cpu'])(
    'has the caches below %s, a shared one once',
    (folder) => {
      const tree = makeTree([]);
      tree.files.set('/proc/cpuinfo', cpuinfo(0));
      for (const cpu of [0, 1]) {
        const own = { shared_cpu_list: `${cpu}`, shared_cpu_map: `${1 << cpu}` };
        addCache(tree, `${folder}/cpu${cpu}/cache/index0`, { level: '1', type: 'Data', size: '32K', ...own });
        addCache(tree, `${folder}/cpu${cpu}/cache/index1`, { level: '1', type: 'Instruction', size: '64K', ...own });
        addCache(tree, `${folder}/cpu${cpu}/cache/index2`, {
          level: '3',
          type: 'Unified',
          size: '2M',
          shared_cpu_list: '0-1',
          shared_cpu_map: '00000000,00000003',
        });
      }
      const caches = readTopology(tree).nodes[0]!.caches.map(({ processorIdLow, level, sizeKib, type, siblingMap }) => [
        processorIdLow,
        level,
        sizeKib,
        type,
        siblingMap.length,
      ]);
      expect(caches).toEqual([
        [0, 1, 32, 5, 1],
        [0, 1, 64, 6, 1],
        [0, 3, 2048, 7, 2],
        [1, 1, 32, 5, 1],
        [1, 1, 64, 6, 1],
      ]);
    },
  );

  it('has none where the machine does not tell', () => {
    expect(readTopology(makeTree([])).nodes[0]!.caches).toEqual([]);
  });
});
