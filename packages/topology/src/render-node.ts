/** Whether the render node of a GPU is there for this process: libhsakmt topology.c, topology_is_node_supported. */
import type { SysfsResult, SysfsSource } from '@doorbell/abi';
import type { TopologyProblem } from './topology-types.js';

/** Tries to open `/dev/dri/renderD<minor>`, and closes it again. */
export type RenderNodeProbe = (minor: number) => SysfsResult<unknown>;

/** DRM gives render nodes the minors 128…255 (drm_file.h, drm_minor_alloc). */
const MIN_RENDER_MINOR = 128;
const MAX_RENDER_MINOR = 255;

function renderNodePath(minor: number): string {
  return `/dev/dri/renderD${minor}`;
}

/** The default probe: the file is there. Whether it opens shows when the device is opened. */
export function statRenderNode(source: SysfsSource): RenderNodeProbe {
  return (minor) => source.stat(renderNodePath(minor));
}

/** Why a GPU with this render minor cannot be used; undefined when it can. */
export function checkRenderNode(
  source: SysfsSource,
  minor: number,
  { probe, file }: { readonly probe: RenderNodeProbe; readonly file: string },
): TopologyProblem | undefined {
  if (minor < MIN_RENDER_MINOR || minor > MAX_RENDER_MINOR) {
    return {
      kind: 'implausible',
      path: file,
      reason: `drm_render_minor is ${minor}, not ${MIN_RENDER_MINOR}…${MAX_RENDER_MINOR}`,
    };
  }
  const probed = probe(minor);
  if (probed.ok) return undefined;
  const { errno } = probed;
  const path = renderNodePath(minor);
  if (errno === 'ENOENT' || errno === 'EPERM') {
    return { kind: 'hidden', path, errno, reason: `the render node ${path} is not available to this process (${errno})` };
  }
  const stat = source.stat(path);
  const owner = stat.ok ? `: mode ${stat.value.mode.toString(8)}, group ${stat.value.gid}` : '';
  return {
    kind: 'unreadable',
    path,
    errno,
    reason: `opening ${path} failed with ${errno}${owner}`,
    ...(errno === 'EACCES' ? { hint: `Add the user to the group that owns ${path} and log in again.` } : {}),
  };
}
