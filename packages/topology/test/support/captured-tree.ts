/** Trees of captured node sets for tests: a file map with injected errors, written straight from the JSON. */
import { readFileSync } from 'node:fs';
import type { SysfsResult, SysfsSource } from '@doorbell/abi';

type Lines = Readonly<Record<string, number | string>>;

export interface Capture {
  readonly gpu_id: number;
  readonly name: string;
  readonly properties: Lines;
  readonly mem_banks: readonly Lines[];
  readonly cache_groups: readonly (Readonly<Record<string, number>> & { readonly what: string })[];
  readonly io_links: readonly Lines[];
  readonly reciprocal_io_link_on_cpu_node: Lines;
  readonly drm: { readonly marketing_name: string; readonly pci_rev: number };
  readonly derived: {
    readonly libhsakmt_2025: Readonly<Record<'ctl_stack_size' | 'ctx_save_restore_size' | 'total_alloc', number>>;
  };
  readonly system: { readonly generation_id: number };
}

export const ROOT = '/sys/devices/virtual/kfd/kfd/topology';

export function loadCapture(name: string): Capture {
  const url = new URL(`../../../../tools/topology-generator/data/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(url, 'utf8')) as Capture;
}

/** Files by path; a path in `errors` fails with that errno, whatever `files` says. */
export class FakeTree implements SysfsSource {
  readonly files: Map<string, string> = new Map();
  readonly errors: Map<string, string> = new Map();
  /** Answers of readLink; nothing else follows them. */
  readonly links: Map<string, string> = new Map();
  /** Called before each read. */
  onRead: (path: string) => void = () => undefined;

  readText(path: string): SysfsResult<string> {
    this.onRead(path);
    const error = this.errors.get(path);
    if (error !== undefined) return { ok: false, errno: error };
    const value = this.files.get(path);
    return value === undefined ? { ok: false, errno: 'ENOENT' } : { ok: true, value };
  }

  list(path: string): SysfsResult<readonly string[]> {
    const error = this.errors.get(path);
    if (error !== undefined) return { ok: false, errno: error };
    const names = new Set<string>();
    for (const file of this.files.keys())
      if (file.startsWith(`${path}/`)) names.add(file.slice(path.length + 1).split('/')[0] ?? '');
    return names.size === 0
      ? { ok: false, errno: 'ENOENT' }
      : { ok: true, value: [...names].sort((a, b) => a.localeCompare(b, 'en', { numeric: true })) };
  }

  stat(path: string): ReturnType<SysfsSource['stat']> {
    const error = this.errors.get(path);
    if (error !== undefined) return { ok: false, errno: error };
    if (this.files.has(path)) {
      const kind = path.startsWith('/dev/') ? 'character-device' : 'file';
      return { ok: true, value: { kind, mode: 0o660, uid: 0, gid: 44 } };
    }
    return this.list(path).ok
      ? { ok: true, value: { kind: 'directory', mode: 0o755, uid: 0, gid: 0 } }
      : { ok: false, errno: 'ENOENT' };
  }

  readLink(path: string): SysfsResult<string> {
    const value = this.links.get(path);
    return value === undefined ? { ok: false, errno: 'EINVAL' } : { ok: true, value };
  }

  /** Changes one line of a properties file. */
  setProperty(path: string, key: string, value: number | string): void {
    const text = this.files.get(path) ?? '';
    this.files.set(path, text.replace(new RegExp(`^${key} .*$`, 'm'), `${key} ${value}`));
  }
}

export interface GpuInTree {
  readonly capture: string;
  readonly properties?: Lines;
  readonly gpuId?: number;
  readonly vramBytes?: number;
  readonly name?: string;
}

const text = (lines: Lines): string =>
  Object.entries(lines)
    .map(([key, value]) => `${key} ${value}\n`)
    .join('');

/** A CPU node and these GPUs, nodes 1…n. */
export function makeTree(gpus: readonly (string | GpuInTree)[]): FakeTree {
  const tree = new FakeTree();
  const cpu = loadCapture('cpu');
  tree.files.set(`${ROOT}/generation_id`, '2\n');
  tree.files.set(`${ROOT}/system_properties`, 'platform_oem 0\nplatform_id 7\nplatform_rev 18446744073709551615\n');
  tree.files.set('/dev/kfd', '');
  const entries = gpus.map((gpu) => (typeof gpu === 'string' ? { capture: gpu } : gpu));
  addNode(tree, 0, {
    ...cpu,
    properties: { ...cpu.properties, io_links_count: entries.length },
    io_links: entries.map((gpu, index) => ({ ...loadCapture(gpu.capture).reciprocal_io_link_on_cpu_node, node_to: index + 1 })),
  });
  for (const [index, gpu] of entries.entries()) {
    const capture = loadCapture(gpu.capture);
    const minor = 128 + index;
    addNode(tree, index + 1, {
      ...capture,
      name: gpu.name ?? capture.name,
      gpu_id: gpu.gpuId ?? capture.gpu_id + index,
      properties: { ...capture.properties, drm_render_minor: minor, ...gpu.properties },
      mem_banks: capture.mem_banks.map((bank) => ({ ...bank, size_in_bytes: gpu.vramBytes ?? bank['size_in_bytes'] ?? 0 })),
      io_links: capture.io_links.map((link) => ({ ...link, node_from: index + 1 })),
    });
    tree.files.set(`/dev/dri/renderD${minor}`, '');
    tree.files.set(`/sys/class/drm/renderD${minor}/device/revision`, `0x${capture.drm.pci_rev.toString(16)}\n`);
  }
  return tree;
}

function addNode(
  tree: FakeTree,
  id: number,
  node: Pick<Capture, 'gpu_id' | 'name' | 'properties' | 'mem_banks' | 'cache_groups' | 'io_links'>,
): void {
  const path = `${ROOT}/nodes/${id}`;
  tree.files.set(`${path}/gpu_id`, `${node.gpu_id}\n`);
  tree.files.set(`${path}/name`, `${node.name}\n`);
  tree.files.set(`${path}/properties`, text(node.properties));
  node.mem_banks.forEach(({ provenance: _, ...bank }, index) =>
    tree.files.set(`${path}/mem_banks/${index}/properties`, text(bank)),
  );
  node.io_links.forEach((link, index) => tree.files.set(`${path}/io_links/${index}/properties`, text(link)));
  let cache = 0;
  for (const { what: _, count = 0, cus_per_instance = 0, ...group } of node.cache_groups) {
    for (let instance = 0; instance < count; instance += 1, cache += 1) {
      const siblings = Array.from({ length: 32 }, (_entry, bit) => (bit < cus_per_instance ? 1 : 0)).join(',');
      const first = Number(node.properties['simd_id_base']) + instance * cus_per_instance;
      tree.files.set(`${path}/caches/${cache}/properties`, `processor_id_low ${first}\n${text(group)}sibling_map ${siblings}\n`);
    }
  }
}
