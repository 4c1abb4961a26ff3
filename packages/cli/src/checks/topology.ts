import { isHsaError } from '@doorbell/runtime';
import { topology } from '@doorbell/runtime/layers';
import type { abi } from '@doorbell/runtime/layers';
import type { CheckContext, Finding } from './check.js';
import { finding } from './check.js';

/** What the driver publishes of the machine, and what PCI shows beside it. */
export function checkTopology({ sysfs, platform }: CheckContext): Finding {
  if (platform.gpuDevice === '/dev/dxg') return finding('skipped', ['WSL has no topology in sysfs: its thunk library tells it']);
  let tree: topology.Topology;
  try {
    tree = topology.readTopology(sysfs);
  } catch (error) {
    if (!isHsaError(error)) throw error;
    return finding('failed', [error.message, describePci(sysfs)], error.hint);
  }
  const problems = [
    ...tree.problems,
    ...tree.nodes.flatMap((node) => node.problems),
    ...tree.refusedNodes.flatMap((node) => node.problems),
  ];
  const evidence = [topology.summarizeTopology(tree, sysfs), ...problems.map(({ reason }) => reason)];
  const hasGpu = tree.nodes.some(({ gpuId }) => gpuId !== 0);
  const hint =
    problems.find((problem) => problem.hint !== undefined)?.hint ??
    (hasGpu ? undefined : 'The kernel log says why a card was left out: sudo dmesg | grep -i -e kfd -e amdgpu.');
  return finding(!hasGpu ? 'failed' : problems.length > 0 ? 'warning' : 'ok', evidence, hint);
}

function describePci(sysfs: abi.SysfsSource): string {
  const gpus = topology.listPciGpus(sysfs);
  if (gpus.length === 0) return 'PCI shows no AMD GPU';
  const list = gpus.map(({ address, deviceId, driver }) => {
    const id = `1002:${deviceId.toString(16).padStart(4, '0')}`;
    return `${id} (${address}) ${driver === undefined ? 'without a driver' : `bound to ${driver}`}`;
  });
  return `PCI shows ${list.join(', ')}`;
}
