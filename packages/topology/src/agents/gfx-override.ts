/** HSA_OVERRIDE_GFX_VERSION: GPUs that run as others (libhsakmt topology.c). */
import type { GfxVersion } from '../agent-isa.js';

const VARIABLE = 'HSA_OVERRIDE_GFX_VERSION';
const MAX_MAJOR = 63;
const MAX_MINOR = 255;
const MAX_STEPPING = 255;

/** The variables as they are set: for all nodes, and for single ones. */
export interface GfxOverrides {
  readonly all?: string;
  /** By node id: HSA_OVERRIDE_GFX_VERSION_1 for node 1. */
  readonly byNode: ReadonlyMap<number, string>;
}

/** An override that was applied to a GPU. */
export interface GfxOverride {
  /** Name of the variable. */
  readonly variable: string;
  readonly value: string;
  /** What the GPU really is. */
  readonly actual: GfxVersion;
}

/** Picks the variables out of an environment; undefined where none is set. */
export function readGfxOverrides(env: Readonly<Record<string, string | undefined>>): GfxOverrides | undefined {
  const byNode = new Map<number, string>();
  for (const [name, value] of Object.entries(env)) {
    const node = /^HSA_OVERRIDE_GFX_VERSION_(0|[1-9]\d{0,5})$/.exec(name)?.[1];
    if (node !== undefined && value !== undefined) byNode.set(Number(node), value);
  }
  const all = env[VARIABLE];
  if (all === undefined) return byNode.size === 0 ? undefined : { byNode };
  return { all, byNode };
}

/** One of the variables, as a user set it. */
export interface GfxSetting {
  readonly variable: string;
  readonly value: string;
  /** It is `major.minor.stepping`; the GPUs that a malformed one applies to are left out. */
  readonly isVersion: boolean;
}

/** The variables one by one, the general one first. */
export function listGfxOverrides({ all, byNode }: GfxOverrides): readonly GfxSetting[] {
  const settings = [...byNode].map(([node, value]) => [`${VARIABLE}_${node}`, value] as const);
  return [...(all === undefined ? [] : [[VARIABLE, all] as const]), ...settings].map(([variable, value]) => ({
    variable,
    value,
    isVersion: parseVersion(value) !== undefined,
  }));
}

/** The setting for a node: its own wins. `version` is undefined where the value is not `major.minor.stepping`. */
export function overrideOf(
  overrides: GfxOverrides | undefined,
  nodeId: number,
): { readonly variable: string; readonly value: string; readonly version: GfxVersion | undefined } | undefined {
  const own = overrides?.byNode.get(nodeId);
  if (own !== undefined) return { variable: `${VARIABLE}_${nodeId}`, value: own, version: parseVersion(own) };
  const all = overrides?.all;
  return all === undefined ? undefined : { variable: VARIABLE, value: all, version: parseVersion(all) };
}

/** As scanf reads `%u.%u.%u`, and nothing behind it. */
function parseVersion(value: string): GfxVersion | undefined {
  const match = /^\s*(\d{1,9})\.\s*(\d{1,9})\.\s*(\d{1,9})$/.exec(value);
  if (match === null) return undefined;
  const [major = 0, minor = 0, stepping = 0] = match.slice(1).map(Number);
  return major > MAX_MAJOR || minor > MAX_MINOR || stepping > MAX_STEPPING ? undefined : { major, minor, stepping };
}
