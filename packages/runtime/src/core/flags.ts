/** Environment variables of the field that this runtime honours; each is read here, once per runtime (hsa-init: flag.h). */
import type { GfxOverrides } from '@doorbell/topology';
import { listGfxOverrides, readGfxOverrides } from '@doorbell/topology';
import type { FlagProblem } from './flag-problems.js';
import { findFlagProblems } from './flag-problems.js';

/** Variables by name, as in `process.env`. */
export type Env = Readonly<Record<string, string | undefined>>;

export interface Flags {
  /** ROCR_VISIBLE_DEVICES; undefined: all. */
  readonly visibleDevices: string | undefined;
  /** HSA_FORCE_FINE_GRAIN_PCIE=1. */
  readonly fineGrainedOverPcie: 'visible' | 'hidden';
  /** HSA_MAX_QUEUES: what agents report, at most 128. */
  readonly maxQueues: number;
  /** HSA_OVERRIDE_GFX_VERSION and HSA_OVERRIDE_GFX_VERSION_<node>; undefined: none is set. */
  readonly gfxOverrides: GfxOverrides | undefined;
  /** What to say at open, and at every fault, where GPUs run as others: it is easily forgotten. */
  readonly overrideHint: string | undefined;
  /** Variables that are malformed. */
  readonly problems: readonly FlagProblem[];
}

const MAX_QUEUES = 128;

/** Reads every variable once. Malformed numbers count as unset, and are among the problems. */
export function readFlags(env: Env): Flags {
  const queues = Number(env['HSA_MAX_QUEUES'] ?? 0);
  const gfxOverrides = readGfxOverrides(env);
  return {
    visibleDevices: env['ROCR_VISIBLE_DEVICES'],
    fineGrainedOverPcie: env['HSA_FORCE_FINE_GRAIN_PCIE'] === '1' ? 'visible' : 'hidden',
    maxQueues: Number.isInteger(queues) && queues > 0 ? Math.min(queues, MAX_QUEUES) : MAX_QUEUES,
    gfxOverrides,
    overrideHint: gfxOverrides === undefined ? undefined : formatOverrideHint(gfxOverrides),
    problems: findFlagProblems(env),
  };
}

/** Undefined where no override can be read: a malformed one makes no GPU run as another. */
function formatOverrideHint(overrides: GfxOverrides): string | undefined {
  const settings = listGfxOverrides(overrides).filter(({ isVersion }) => isVersion);
  if (settings.length === 0) return undefined;
  const isOne = settings.length === 1;
  return `${settings.map(({ variable, value }) => `${variable}=${value}`).join(', ')} ${isOne ? 'is' : 'are'} set: code for another GPU is taken and run; unset ${isOne ? 'it' : 'them'} when kernels fault.`;
}
