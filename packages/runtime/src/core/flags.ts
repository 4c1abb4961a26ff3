/** Environment variables of the field that this runtime honours; each is read here, once per runtime (hsa-init: flag.h). */

/** Variables by name, as in `process.env`. */
export type Env = Readonly<Record<string, string | undefined>>;

export interface Flags {
  /** ROCR_VISIBLE_DEVICES; undefined: all. */
  readonly visibleDevices: string | undefined;
  /** HSA_FORCE_FINE_GRAIN_PCIE=1. */
  readonly fineGrainedOverPcie: 'visible' | 'hidden';
  /** HSA_MAX_QUEUES: what agents report, at most 128. */
  readonly maxQueues: number;
  /** What to say at open, and at every fault, where HSA_OVERRIDE_GFX_VERSION is set: it is easily forgotten. */
  readonly overrideHint: string | undefined;
}

const MAX_QUEUES = 128;

/** Reads every variable once. Malformed numbers count as unset. */
export function readFlags(env: Env): Flags {
  const queues = Number(env['HSA_MAX_QUEUES'] ?? 0);
  return {
    visibleDevices: env['ROCR_VISIBLE_DEVICES'],
    fineGrainedOverPcie: env['HSA_FORCE_FINE_GRAIN_PCIE'] === '1' ? 'visible' : 'hidden',
    maxQueues: Number.isInteger(queues) && queues > 0 ? Math.min(queues, MAX_QUEUES) : MAX_QUEUES,
    overrideHint: readOverrideHint(env['HSA_OVERRIDE_GFX_VERSION']),
  };
}

function readOverrideHint(version: string | undefined): string | undefined {
  if (version === undefined || version === '') return undefined;
  return `HSA_OVERRIDE_GFX_VERSION=${version} is set: programs may load code that was made for another GPU (this runtime does not apply it); unset it when kernels fault.`;
}
