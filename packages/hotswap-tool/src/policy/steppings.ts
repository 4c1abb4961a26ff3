/** Which rewrite a stepping of gfx1250, or the work-around of its family, asks for; what ROCr's loader decided, as data. */
import { ISA_NAME_PREFIX } from '@doorbell/abi';
import type { HotSwapEnvironment } from '../environment.js';
import type { HotSwapIdentity } from '../identity.js';
import { STEPPED_PROCESSOR } from '../identity.js';
import type { HotSwapAgent } from './agent.js';
import { processorOf } from './agent.js';

/** The flags of `amd_comgr_hotswap_rewrite_with_options`. */
export interface SteppingFlags {
  /** 0x1: stubs at kernel entries. */
  readonly entryTrampolines: boolean;
  /** 0x2: the clean-ups of strict mode. */
  readonly strict: boolean;
}

/** A rewrite for a stepping: ISA names with tokens, flags, and whether the load fails without it. */
export interface SteppingRewrite {
  readonly reason: 'needs-rewrite' | 'strict' | 'entry-work-around';
  readonly source: string;
  readonly target: string;
  readonly flags: SteppingFlags;
  readonly required: boolean;
}

/** What the rules look at. */
interface Facts {
  readonly processor: string;
  readonly a0: A0Gate;
  readonly code: HotSwapIdentity;
  readonly env: SteppingFlags;
}

interface SteppingRule {
  readonly reason: SteppingRewrite['reason'];
  readonly required: boolean;
  applies(facts: Facts): boolean;
  /** Token of source and target of gfx1250 names. */
  readonly steppings: readonly [source: 'a0' | 'b0', target: 'a0' | 'b0'];
  flags(env: SteppingFlags): SteppingFlags;
}

/** In this order; the first that applies rules. */
const RULES: readonly SteppingRule[] = [
  {
    // Code that runs and goes wrong is worse than code that does not load.
    reason: 'needs-rewrite',
    required: true,
    applies: ({ a0, code }) => a0 === 'open' && isB0Code(code),
    steppings: ['b0', 'a0'],
    // Neither option alters this path.
    flags: () => ({ entryTrampolines: false, strict: false }),
  },
  {
    reason: 'strict',
    required: true,
    applies: ({ processor, a0, code, env }) => env.strict && processor === STEPPED_PROCESSOR && a0 === 'closed' && isB0Code(code),
    steppings: ['b0', 'b0'],
    flags: ({ entryTrampolines }) => ({ entryTrampolines, strict: true }),
  },
  {
    reason: 'entry-work-around',
    required: false,
    applies: ({ processor, code, env }) =>
      env.entryTrampolines && isGfx125Family(processor) && isGfx125Family(code.target.processor),
    // Never another processor than the code's own.
    steppings: ['b0', 'b0'],
    flags: () => ({ entryTrampolines: true, strict: false }),
  },
];

/** Whether an agent is gfx1250 A0; unknown: it is gfx1250, and its revision is not told. */
export type A0Gate = 'open' | 'closed' | 'unknown';

/** The gate: exactly gfx1250, and exactly revision 0 that the driver really told. */
export function a0Gate({ isaName, asicRevision }: HotSwapAgent): A0Gate {
  if (processorOf(isaName) !== STEPPED_PROCESSOR) return 'closed';
  if (asicRevision === undefined) return 'unknown';
  return asicRevision === 0 ? 'open' : 'closed';
}

/** Members of the gfx12.5 family, its generic target among them. */
function isGfx125Family(processor: string): boolean {
  return /^gfx(?:125\d+|12-5-generic)$/.test(processor);
}

/** The rewrite that a load asks for; undefined for none. */
export function decideSteppingRewrite(
  code: HotSwapIdentity,
  agent: HotSwapAgent,
  env: Pick<HotSwapEnvironment, keyof SteppingFlags>,
): SteppingRewrite | undefined {
  const facts: Facts = { processor: processorOf(agent.isaName), a0: a0Gate(agent), code, env };
  const rule = RULES.find((candidate) => candidate.applies(facts));
  if (rule === undefined) return undefined;
  const { reason, required, steppings } = rule;
  const [source, target] = steppings.map((stepping) => withToken(code, stepping));
  return { reason, required, source: source ?? code.isaName, target: target ?? code.isaName, flags: rule.flags(env) };
}

/** gfx1250 code that is not known to be made for A0. */
function isB0Code({ target, stepping }: HotSwapIdentity): boolean {
  return target.processor === STEPPED_PROCESSOR && stepping !== 'a0';
}

/** Only names of gfx1250 have a token; none has features beside it, since XNACK is always on. */
function withToken({ target, isaName }: HotSwapIdentity, stepping: 'a0' | 'b0'): string {
  if (target.processor !== STEPPED_PROCESSOR) return isaName;
  return `${ISA_NAME_PREFIX}${STEPPED_PROCESSOR}:gfx1250-b0-specific${stepping === 'b0' ? '+' : '-'}`;
}
