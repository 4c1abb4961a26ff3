import { thunkLoader, topology } from '@doorbell/runtime/layers';
import type { abi } from '@doorbell/runtime/layers';
import type { CheckContext, Finding } from './check.js';
import { finding } from './check.js';

const KFD = '/dev/kfd';
const RENDER_FOLDER = '/dev/dri';

/** Which kernel drivers there are. */
export function checkDrivers({ sysfs }: CheckContext): Finding {
  const drivers = topology.discoverDrivers(sysfs);
  const evidence = drivers.map(({ driver, state, reason }) => `${driver}: ${state}, ${reason}`);
  if (drivers.some(({ driver, state }) => driver === 'kfd' && state === 'usable')) return finding('ok', evidence);
  return finding('failed', evidence, drivers.find((driver) => driver.hint !== undefined)?.hint);
}

/** Whether the caller may open the driver's node, by owner, group and mode; the group that the node really has is named. */
export function checkKfdNode({ sysfs, caller, platform }: CheckContext): Finding {
  const stat = sysfs.stat(KFD);
  if (!stat.ok && stat.errno === 'ENOENT') return finding('skipped', [`${KFD} does not exist`]);
  const { meaning, hint } = thunkLoader.describeNodeAccess(sysfs, KFD, caller);
  if (!stat.ok) return finding('failed', [meaning], hint);
  if (!mayOpen(stat.value, caller)) return finding('failed', [meaning], inContainer(platform, hint, stat.value.gid));
  return finding('ok', [meaning]);
}

/** Whether the caller may open the render nodes, without which no GPU is usable although the driver opens. */
export function checkRenderNodes({ sysfs, caller, platform }: CheckContext): Finding {
  const wanted = renderMinors(sysfs);
  const names = sysfs.list(RENDER_FOLDER);
  const present = (names.ok ? names.value : []).filter((name) => /^renderD\d+$/.test(name));
  const paths = [...new Set([...wanted.map((minor) => `renderD${minor}`), ...present])].map((name) => `${RENDER_FOLDER}/${name}`);
  if (paths.length === 0) return finding('skipped', [`there are no render nodes in ${RENDER_FOLDER}`]);
  const evidence: string[] = [];
  let hint: string | undefined;
  for (const path of paths) {
    const stat = sysfs.stat(path);
    if (!stat.ok) {
      evidence.push(`${path}: ${stat.errno}, although the topology names it`);
      hint ??= `Hand it in: --device=${path} (or all of ${RENDER_FOLDER}).`;
    } else if (mayOpen(stat.value, caller)) {
      evidence.push(`${path}: may be opened`);
    } else {
      const access = thunkLoader.describeNodeAccess(sysfs, path, caller);
      evidence.push(`${path}: may not be opened, ${access.meaning}`);
      hint ??= inContainer(platform, access.hint, stat.value.gid);
    }
  }
  return finding(hint === undefined ? 'ok' : 'failed', evidence, hint);
}

/** Groups pass into a container by number: no usermod inside helps. */
function inContainer(platform: thunkLoader.PlatformIdentity, hint: string, gid: number): string {
  const container = platform.surroundings.find(({ kind }) => kind === 'container')?.name;
  switch (container) {
    case undefined:
      return hint;
    case 'kubernetes':
      return `Add the group of the node to the pod: securityContext.supplementalGroups: [${gid}].`;
    case 'podman':
      return `Start the container with --group-add=keep-groups (rootless) or --group-add=${gid}.`;
    default:
      return `Start the container with --group-add ${gid}, the group of the node by its number.`;
  }
}

function mayOpen({ mode, uid, gid }: abi.SysfsStat, caller: thunkLoader.Caller): boolean {
  if (caller.uid === 0) return true;
  // Of the three sets of permission bits, the first that applies counts: path_resolution(7).
  const shift = caller.uid === uid ? 6 : caller.gids.includes(gid) ? 3 : 0;
  return ((mode >> shift) & 6) === 6;
}

/** Render nodes that the topology names. */
function renderMinors(sysfs: abi.SysfsSource): readonly number[] {
  const root = '/sys/devices/virtual/kfd/kfd/topology/nodes';
  const nodes = sysfs.list(root);
  return (nodes.ok ? nodes.value : []).flatMap((node) => {
    const file = sysfs.readText(`${root}/${node}/properties`);
    const minor = file.ok ? Number(/^drm_render_minor (\d{1,3})$/m.exec(file.value)?.[1] ?? 0) : 0;
    return minor === 0 ? [] : [minor];
  });
}
