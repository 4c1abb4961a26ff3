import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isHsaError } from '@doorbell/abi';
import type { SysfsSource } from '@doorbell/abi';
import { describe, expect, it } from 'vitest';
import { createEmulatedSysfs, describeMachine, listEmulatedTargets } from '../../src/sysfs/index.js';

const ROOT = '/sys/devices/virtual/kfd/kfd/topology';
const PAGE_BYTES = 4096;

type Lines = Readonly<Record<string, number | string>>;
interface Capture {
  readonly gpu_id: number;
  readonly name: string;
  readonly properties: Lines;
  readonly mem_banks: readonly Lines[];
  readonly cache_groups: readonly Readonly<Record<string, number>>[];
  readonly io_links: readonly Lines[];
  readonly reciprocal_io_link_on_cpu_node: Lines;
  readonly drm: { readonly marketing_name: string };
}

const generator = new URL('../../../../tools/topology-generator/', import.meta.url);
const capture = (name: string): Capture => JSON.parse(readFileSync(new URL(`data/${name}.json`, generator), 'utf8')) as Capture;
const emulate = (...gpus: readonly string[]): SysfsSource => createEmulatedSysfs(describeMachine({ gpus }));
const read = (source: SysfsSource, path: string): string => {
  const result = source.readText(path);
  if (!result.ok) throw new Error(`${path}: ${result.errno}`);
  return result.value;
};
const names = (source: SysfsSource, path: string): readonly string[] => {
  const result = source.list(path);
  return result.ok ? result.value : [];
};
/** Every regular file below a folder, links not followed. */
const walk = (source: SysfsSource, path: string): readonly string[] =>
  names(source, path).flatMap((name) => {
    const child = `${path}/${name}`;
    if (source.readLink(child).ok) return [];
    const stat = source.stat(child);
    return stat.ok && stat.value.kind === 'directory' ? walk(source, child) : [child];
  });
const asText = (lines: Lines): string =>
  Object.entries(lines)
    .map(([key, value]) => `${key} ${value}\n`)
    .join('');

describe.each(['gfx90a', 'gfx942', 'gfx1030', 'gfx1100', 'gfx1201', 'gfx1250'])('the files of %s', (target) => {
  const expected = capture(target);
  const source = emulate(target);
  const node = `${ROOT}/nodes/1`;

  it('have the captured lines in the captured order', () => {
    expect(read(source, `${node}/properties`)).toBe(asText(expected.properties));
    expect(read(source, `${node}/gpu_id`)).toBe(`${expected.gpu_id}\n`);
    expect(read(source, `${node}/name`)).toBe(`${expected.name}\n`);
    expect(read(source, `${node}/io_links/0/properties`)).toBe(asText(expected.io_links[0]!));
    expect(read(source, `${ROOT}/nodes/0/io_links/0/properties`)).toBe(asText(expected.reciprocal_io_link_on_cpu_node));
    const { provenance: _, ...bank } = expected.mem_banks[0]!;
    expect(read(source, `${node}/mem_banks/0/properties`)).toBe(asText({ ...bank, size_in_bytes: 0x8000_0000 }));
  });

  it('count their folders as the properties do', () => {
    for (const folder of ['mem_banks', 'caches', 'io_links', 'p2p_links']) {
      expect([folder, names(source, `${node}/${folder}`).length]).toEqual([
        folder,
        Number(expected.properties[`${folder}_count`]),
      ]);
    }
  });

  it('hold each cache of each group, with siblings from its first processor on', () => {
    let index = 0;
    for (const group of expected.cache_groups) {
      for (let instance = 0; instance < group['count']!; instance += 1, index += 1) {
        const lines = read(source, `${node}/caches/${index}/properties`).split('\n');
        expect(lines.slice(0, 8)).toEqual([
          `processor_id_low ${Number(expected.properties['simd_id_base']) + instance * group['cus_per_instance']!}`,
          ...['level', 'size', 'cache_line_size', 'cache_lines_per_tag', 'association', 'latency', 'type'].map(
            (key) => `${key} ${group[key]}`,
          ),
        ]);
        const map = /^sibling_map ([01](?:,[01])*)$/.exec(lines[8]!)![1]!.split(',');
        expect(map[0]).toBe('1');
        if (group['level'] === 1) {
          expect(map).toHaveLength(32);
          expect(map.filter((bit) => bit === '1')).toHaveLength(group['cus_per_instance']!);
        } else {
          expect(map).toHaveLength(32 * Number(expected.properties['array_count']));
        }
      }
    }
    expect(index).toBe(Number(expected.properties['caches_count']));
  });

  it('are decimal key-value lines of at most a page', () => {
    for (const path of walk(source, ROOT)) {
      const text = read(source, path);
      expect(text.length).toBeLessThanOrEqual(PAGE_BYTES);
      if (path.endsWith('/name')) continue;
      const pattern =
        path.endsWith('/properties') || path.endsWith('system_properties') ? /^([a-z0-9_]+ \d[\d,]*\n)+$/ : /^\d+\n$/;
      expect([path, pattern.test(text)]).toEqual([path, true]);
    }
  });
});

describe('the emulated tree', () => {
  it('has a CPU node as captured, without the keys that only GPUs have', () => {
    const source = emulate('gfx1100');
    expect(read(source, `${ROOT}/nodes/0/properties`)).toBe(asText(capture('cpu').properties));
    expect(read(source, `${ROOT}/nodes/0/mem_banks/0/properties`)).toMatch(/^heap_type 0\nsize_in_bytes 1073741824\nflags 0\n/);
    expect(read(source, `${ROOT}/nodes/0/name`)).toBe('\n');
    expect([read(source, `${ROOT}/generation_id`), read(source, `${ROOT}/system_properties`)]).toEqual([
      '2\n',
      'platform_oem 0\nplatform_id 0\nplatform_rev 0\n',
    ]);
  });

  it('takes memory sizes and shows memory in use', () => {
    let used = 4096;
    const machine = describeMachine({ gpus: ['gfx1100'], systemBytes: 1 << 20, vramBytes: 1 << 21 });
    const source = createEmulatedSysfs(machine, { usedVramBytes: () => used });
    expect(read(source, `${ROOT}/nodes/0/mem_banks/0/properties`)).toContain('size_in_bytes 1048576\n');
    expect(read(source, `${ROOT}/nodes/1/mem_banks/0/properties`)).toContain('size_in_bytes 2097152\n');
    expect(read(source, `${ROOT}/nodes/1/mem_banks/0/used_memory`)).toBe('4096\n');
    used = 8192;
    expect(read(source, '/sys/class/drm/renderD128/device/mem_info_vram_used')).toBe('8192\n');
  });

  it('leads /sys/class/kfd, /sys/class/drm and /sys/dev/char to the same files', () => {
    const source = emulate('gfx1100');
    expect(source.readLink('/sys/class/kfd/kfd')).toEqual({ ok: true, value: '/sys/devices/virtual/kfd/kfd' });
    expect(read(source, '/sys/class/kfd/kfd/topology/nodes/1/gpu_id')).toBe('38145\n');
    for (const path of [
      '/sys/class/drm/renderD128/device',
      '/sys/dev/char/226:128/device',
      '/sys/devices/pci0000:00/0000:03:00.0',
    ]) {
      expect(read(source, `${path}/vendor`)).toBe('0x1002\n');
      expect(read(source, `${path}/device`)).toBe('0x744c\n');
      expect(read(source, `${path}/unique_id`)).toBe(`${11673270660693242239n.toString(16)}\n`);
    }
    expect(read(source, '/sys/class/drm/renderD128/device/uevent')).toContain('PCI_SLOT_NAME=0000:03:00.0\n');
    expect(read(source, '/usr/share/libdrm/amdgpu.ids')).toBe(`1.0.0\n744C,\tC8,\t${capture('gfx1100').drm.marketing_name}\n`);
  });

  it('has the device files', () => {
    const source = emulate('gfx1100');
    for (const path of ['/dev/kfd', '/dev/dri/renderD128']) {
      expect(source.stat(path)).toEqual({ ok: true, value: { kind: 'character-device', mode: 0o666, uid: 0, gid: 0 } });
    }
    expect(source.stat('/dev/dri/renderD129')).toEqual({ ok: false, errno: 'ENOENT' });
    expect(read(source, '/sys/module/amdgpu/initstate')).toBe('live\n');
  });

  it('answers wrong paths with the errno of Linux', () => {
    const source = emulate('gfx1100');
    expect(source.readText(ROOT)).toEqual({ ok: false, errno: 'EISDIR' });
    expect(source.list('/dev/kfd')).toEqual({ ok: false, errno: 'ENOTDIR' });
    expect(source.readText('/dev/kfd/x')).toEqual({ ok: false, errno: 'ENOTDIR' });
    expect(source.readLink('/dev/kfd')).toEqual({ ok: false, errno: 'EINVAL' });
    expect(source.readText('/sys/class/kfd/kfd/topology/nodes/7/gpu_id')).toEqual({ ok: false, errno: 'ENOENT' });
  });

  it('lists numbers by value', () => {
    expect(names(emulate('gfx1100'), `${ROOT}/nodes/1/caches`).slice(8, 12)).toEqual(['8', '9', '10', '11']);
  });

  it('keeps apart what must be unique on several GPUs, and links them over the CPU', () => {
    const machine = describeMachine({ gpus: ['gfx1100', 'gfx1100', 'gfx90a'] });
    const source = createEmulatedSysfs(machine);
    const property = (node: number, key: string): string =>
      new RegExp(`^${key} (\\d+)$`, 'm').exec(read(source, `${ROOT}/nodes/${node}/properties`))![1]!;
    for (const key of ['drm_render_minor', 'location_id', 'unique_id', 'simd_id_base']) {
      expect([key, new Set([1, 2, 3].map((node) => property(node, key))).size]).toEqual([key, 3]);
    }
    expect(new Set(machine.gpus.map(({ gpuId }) => gpuId)).size).toBe(3);
    // The second GPU's processors start behind the 96 compute units of the first (kfd_crat.c).
    expect(Number(property(2, 'simd_id_base')) - Number(property(1, 'simd_id_base'))).toBe(96);
    expect([1, 2, 3].map((node) => property(node, 'p2p_links_count'))).toEqual(['2', '2', '2']);
    expect(property(0, 'io_links_count')).toBe('3');
    const peer = read(source, `${ROOT}/nodes/1/p2p_links/1/properties`);
    expect(peer).toMatch(/^type 2\n(.*\n)*node_from 1\nnode_to 3\nweight 40\n(.*\n)*max_bandwidth 32000\n/);
    expect(machine.gpus.reduce((sum, { vramBytes }) => sum + vramBytes, 0)).toBeLessThanOrEqual(0x8000_0000);
    expect(source.stat('/dev/dri/renderD130').ok).toBe(true);
  });
});

describe('machines with several GPUs', () => {
  type Link = Readonly<Record<string, number>>;
  const linksOf = (source: SysfsSource, node: number, folder: 'io_links' | 'p2p_links'): readonly Link[] =>
    names(source, `${ROOT}/nodes/${node}/${folder}`).map((entry) => {
      const text = read(source, `${ROOT}/nodes/${node}/${folder}/${entry}/properties`);
      return Object.fromEntries(
        text
          .trim()
          .split('\n')
          .map((line) => line.split(' '))
          .map(([key, value]) => [key!, Number(value)]),
      );
    });
  const property = (source: SysfsSource, node: number, key: string): string =>
    new RegExp(`^${key} (\\d+)$`, 'm').exec(read(source, `${ROOT}/nodes/${node}/properties`))![1]!;
  const shape = (links: readonly Link[]): readonly (readonly [number, number, number])[] =>
    links.map(({ node_to = 0, type = 0, weight = 0 }) => [node_to, type, weight]);

  it('have XGMI links from each to each in a hive, and none over CPUs (kfd_crat.c: weight 15)', () => {
    const source = createEmulatedSysfs(describeMachine({ gpus: Array<string>(8).fill('gfx942'), links: 'xgmi' }));
    for (let node = 1; node <= 8; node += 1) {
      const peers = [1, 2, 3, 4, 5, 6, 7, 8].filter((peer) => peer !== node);
      expect(shape(linksOf(source, node, 'io_links'))).toEqual([[0, 2, 20], ...peers.map((peer) => [peer, 11, 15])]);
      expect(linksOf(source, node, 'p2p_links')).toEqual([]);
      expect([property(source, node, 'io_links_count'), property(source, node, 'hive_id')]).toEqual([
        '8',
        property(source, 1, 'hive_id'),
      ]);
    }
    expect(property(source, 1, 'hive_id')).not.toBe('0');
    // 16 lanes of 32 GT/s.
    expect(linksOf(source, 1, 'io_links')[1]).toMatchObject({ min_bandwidth: 64_000, max_bandwidth: 64_000 });
  });

  it('spread over sockets: weights add up over the way (kfd_topology.c kfd_add_peer_prop)', () => {
    const source = createEmulatedSysfs(describeMachine({ gpus: Array<string>(4).fill('gfx1100'), cpuNodes: 2 }));
    // Nodes 0 and 1 are CPUs, 2 and 3 hang on the first, 4 and 5 on the second.
    expect(shape(linksOf(source, 0, 'io_links'))).toEqual([
      [1, 1, 32],
      [2, 2, 20],
      [3, 2, 20],
    ]);
    expect(shape(linksOf(source, 0, 'p2p_links'))).toEqual([
      [4, 2, 52],
      [5, 2, 52],
    ]);
    expect(shape(linksOf(source, 2, 'io_links'))).toEqual([[0, 2, 20]]);
    expect(shape(linksOf(source, 2, 'p2p_links'))).toEqual([
      [1, 2, 52],
      [3, 2, 40],
      [4, 2, 72],
      [5, 2, 72],
    ]);
    expect([2, 4].map((node) => property(source, node, 'drm_render_minor'))).toEqual(['128', '130']);
    expect(read(source, '/sys/class/drm/renderD130/device/numa_node')).toBe('1\n');
  });

  it.each([
    [8, 'pcie', 2],
    [8, 'xgmi', 4],
    [3, 'pcie', 2],
  ] as const)(
    'link both ways, from their own node, to nodes that are there: %i GPUs, %s, %i sockets',
    (count, links, cpuNodes) => {
      const source = createEmulatedSysfs(describeMachine({ gpus: Array<string>(count).fill('gfx90a'), links, cpuNodes }));
      const nodes = names(source, `${ROOT}/nodes`).map(Number);
      expect(nodes).toHaveLength(count + cpuNodes);
      const pairs = new Set<string>();
      for (const node of nodes) {
        const all = (['io_links', 'p2p_links'] as const).flatMap((folder) => linksOf(source, node, folder));
        for (const { node_from, node_to } of all) {
          expect(node_from).toBe(node);
          pairs.add(`${node_from} ${node_to}`);
        }
        expect(all).toHaveLength(nodes.length - 1);
      }
      expect(pairs.size).toBe(nodes.length * (nodes.length - 1));
    },
  );

  it('number processors and their caches through over the sockets', () => {
    const source = createEmulatedSysfs(describeMachine({ gpus: [], cpuNodes: 3 }));
    expect([0, 1, 2].map((node) => property(source, node, 'cpu_core_id_base'))).toEqual(['0', '16', '32']);
    const cache = (cpu: number): readonly string[] =>
      ['shared_cpu_list', 'shared_cpu_map'].map((name) =>
        read(source, `/sys/devices/system/node/node${Math.floor(cpu / 16)}/cpu${cpu}/cache/index3/${name}`),
      );
    expect(cache(17)).toEqual(['16-31\n', '0000,ffff0000\n']);
    expect(cache(40)).toEqual(['32-47\n', 'ffff,00000000\n']);
    expect(read(source, '/proc/cpuinfo').match(/^processor/gm)).toHaveLength(48);
  });

  it.each([
    [{ gpus: ['gfx1100', 'gfx1100'], links: 'xgmi' }, 'ERR_NOT_SUPPORTED'],
    [{ gpus: ['gfx90a', 'gfx942'], links: 'xgmi' }, 'ERR_NOT_SUPPORTED'],
    [{ gpus: ['gfx90a'], cpuNodes: 0 }, 'ERR_INVALID_ARGUMENT'],
    [{ gpus: ['gfx90a'], cpuNodes: 9 }, 'ERR_INVALID_ARGUMENT'],
    [{ gpus: Array<string>(129).fill('gfx90a') }, 'ERR_INVALID_ARGUMENT'],
  ] as const)('are refused where they cannot be: %j', (options, code) => {
    expect(() => describeMachine(options)).toThrow(expect.objectContaining({ code }));
  });
});

describe('describeMachine', () => {
  it('names the targets that there are when one is not', () => {
    expect(listEmulatedTargets()).toContain('gfx1100');
    try {
      describeMachine({ gpus: ['gfx803'] });
      expect.unreachable();
    } catch (error) {
      expect(isHsaError(error, 'ERR_NOT_SUPPORTED')).toBe(true);
      expect((error as Error).message).toMatch(/gfx803; there are gfx1030, gfx1100/);
    }
  });

  // kfd_topology.c: major * 10000 + minor * 100 + stepping.
  it.each([
    ['gfx1031', 'gfx1030', 100_301],
    ['gfx1036', 'gfx1030', 100_306],
    ['gfx1103', 'gfx1100', 110_003],
    ['gfx1153', 'gfx1100', 110_503],
    ['gfx1200', 'gfx1201', 120_000],
  ])('describes %s as %s with its own version', (member, captured, version) => {
    const [gpu] = describeMachine({ gpus: [member] }).gpus;
    const [base] = describeMachine({ gpus: [captured] }).gpus;
    expect(gpu).toEqual({ ...base, target: member, properties: { ...base!.properties, gfx_target_version: version } });
  });

  it.each(['gfx950', 'gfx906', 'gfx1251', 'gfx1100-strict', 'gfx11-generic', 'gfx1170'])(
    'does not take %s for a relative',
    (name) => {
      expect(() => describeMachine({ gpus: [name] })).toThrow(expect.objectContaining({ code: 'ERR_NOT_SUPPORTED' }) as Error);
    },
  );

  it.each([0, -4096, 100, 1.5, Number.NaN])('refuses %d bytes of VRAM', (vramBytes) => {
    expect(() => describeMachine({ gpus: ['gfx1100'], vramBytes })).toThrow(/vramBytes is .*multiple of 4096/);
  });

  it('can have no GPU at all', () => {
    expect(names(emulate(), `${ROOT}/nodes`)).toEqual(['0']);
  });
});

it('uses node sets as the generator writes them', () => {
  execFileSync(process.execPath, [new URL('generate.mjs', generator).pathname, '--check'], { stdio: 'pipe' });
});
