import type { SysfsResult, SysfsSource, SysfsStat } from '@doorbell/abi';

/** A tree made of file texts by path; an Error as text makes reading fail with its message as the errno name. */
export function fakeSysfs(
  files: Readonly<Record<string, string | Error>>,
  stats: Readonly<Record<string, SysfsStat>> = {},
): SysfsSource {
  const missing = { ok: false, errno: 'ENOENT' } as const;
  return {
    readText(path): SysfsResult<string> {
      const text = files[path];
      if (text === undefined) return missing;
      return text instanceof Error ? { ok: false, errno: text.message } : { ok: true, value: text };
    },
    list(path): SysfsResult<readonly string[]> {
      const prefix = `${path}/`;
      const names = Object.keys(files)
        .filter((file) => file.startsWith(prefix))
        .map((file) => file.slice(prefix.length).split('/')[0]!);
      return names.length === 0 ? missing : { ok: true, value: [...new Set(names)].sort((a, b) => Number(a) - Number(b)) };
    },
    stat(path): SysfsResult<SysfsStat> {
      const stat = stats[path];
      return stat === undefined ? missing : { ok: true, value: stat };
    },
    readLink: () => missing,
  };
}

const TOPOLOGY = '/sys/devices/virtual/kfd/kfd/topology/nodes';

/** Facts of a Radeon RX 7900 XTX node, as far as the thunk reads them. */
const GFX1100 = {
  simd_count: 192,
  simd_per_cu: 2,
  array_count: 12,
  simd_arrays_per_engine: 2,
  max_waves_per_simd: 16,
  lds_size_in_kb: 64,
  gfx_target_version: 110000,
  num_xcc: 1,
  // Doorbell type 2 in bits 13:12.
  capability: 0x2000,
} as const;

/** A tree of one CPU node and the given GPUs (ids by index from 0x1001, render nodes from 128). */
export function kfdTree(gpus: readonly Readonly<Record<string, number>>[] = [GFX1100]): Record<string, string | Error> {
  const tree: Record<string, string | Error> = {
    [`${TOPOLOGY}/0/gpu_id`]: '0\n',
    [`${TOPOLOGY}/0/properties`]: 'cpu_cores_count 8\nsimd_count 0\n',
  };
  gpus.forEach((gpu, i) => {
    const properties = { ...gpu, drm_render_minor: 128 + i };
    tree[`${TOPOLOGY}/${i + 1}/gpu_id`] = `${GPU_ID + i}\n`;
    tree[`${TOPOLOGY}/${i + 1}/properties`] = Object.entries(properties)
      .map(([key, value]) => `${key} ${value}\n`)
      .join('');
  });
  return tree;
}

/** Id of the first GPU of {@link kfdTree}. */
export const GPU_ID = 0x1001;
