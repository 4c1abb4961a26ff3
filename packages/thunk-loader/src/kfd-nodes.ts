import type { SysfsResult, SysfsSource } from '@doorbell/abi';
import { HsaError } from '@doorbell/abi';

/** The tree as libhsakmt opens it, and the name that the class link gives it. */
const ROOTS = ['/sys/devices/virtual/kfd/kfd/topology', '/sys/class/kfd/kfd/topology'] as const;

/** More nodes than any machine has: a bound against hostile trees. */
const MAX_NODES = 1024;

/** What the thunk itself needs of a topology node; the `topology` package reads the whole. */
export interface KfdNode {
  readonly nodeId: number;
  /** 0 for a node without GPU. */
  readonly gpuId: number;
  readonly properties: ReadonlyMap<string, bigint>;
  /** Why the node cannot be read. */
  readonly problem?: HsaError;
}

/**
 * Reads gpu_id and properties of all nodes. A node that cannot be read is there with its problem and hides no other.
 * @throws {HsaError} ERR_TOPOLOGY when there is no topology at all.
 */
export function readKfdNodes(sysfs: SysfsSource): readonly KfdNode[] {
  const tried: { path: string; errno: string }[] = [];
  for (const root of ROOTS) {
    const path = `${root}/nodes`;
    const names = sysfs.list(path);
    if (!names.ok) {
      tried.push({ path, errno: names.errno });
      continue;
    }
    const ids = names.value.filter((name) => /^\d{1,6}$/.test(name)).slice(0, MAX_NODES);
    return ids.map((name) => readNode(sysfs, `${path}/${name}`, Number(name)));
  }
  throw new HsaError('ERR_TOPOLOGY', {
    message: `the kernel driver publishes no topology: ${tried.map(({ path, errno }) => `${path}: ${errno}`).join('; ')}`,
    hint: 'Check that the amdgpu module is loaded and that /sys is mounted (containers need it too).',
    details: { tried },
  });
}

function readNode(sysfs: SysfsSource, path: string, nodeId: number): KfdNode {
  const properties = new Map<string, bigint>();
  const idFile = sysfs.readText(`${path}/gpu_id`);
  if (!idFile.ok) return { nodeId, gpuId: 0, properties, problem: unreadable(`${path}/gpu_id`, idFile) };
  const id = idFile.value.trim();
  if (!/^\d{1,10}$/.test(id)) {
    const problem = new HsaError('ERR_TOPOLOGY', { message: `${path}/gpu_id: «${id.slice(0, 40)}» is no number` });
    return { nodeId, gpuId: 0, properties, problem };
  }
  const gpuId = Number(id);
  const file = sysfs.readText(`${path}/properties`);
  if (!file.ok) return { nodeId, gpuId, properties, problem: unreadable(`${path}/properties`, file) };
  for (const line of file.value.split('\n')) {
    const pair = /^(\S+) (\d{1,20})$/.exec(line);
    if (pair?.[1] !== undefined && pair[2] !== undefined) properties.set(pair[1], BigInt(pair[2]));
  }
  return { nodeId, gpuId, properties };
}

function unreadable(path: string, result: SysfsResult<unknown> & { readonly ok: false }): HsaError {
  return new HsaError('ERR_TOPOLOGY', {
    message: `${path} cannot be read: ${result.errno}`,
    details: { path, errno: result.errno },
  });
}
