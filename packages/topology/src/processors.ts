/**
 * The processors an agent can have: LLVM AMDGPUUsage, "AMDGPU Processors" and "Generic Processors", restricted to those
 * that ROCr registers (rocr isa.cpp).
 */
import type { XnackMode } from '@doorbell/thunk-loader';

/** Version of a GPU's instruction set. */
export interface GfxVersion {
  readonly major: number;
  readonly minor: number;
  readonly stepping: number;
}

/** State of a target feature on an agent; agents never say `any`. */
export type FeatureState = 'on' | 'off' | 'unsupported';

/** The instruction sets of an agent. */
export interface AgentIsa {
  /** `gfx90a`. */
  readonly processor: string;
  /** `gfx90a:sramecc+:xnack-`. */
  readonly targetId: string;
  readonly sramecc: FeatureState;
  readonly xnack: FeatureState;
  /** Full names, the exact one first, then the generic one where there is one. */
  readonly isaNames: readonly [string, ...string[]];
}

type Feature = 'sramecc' | 'xnack';

interface Processor {
  readonly features?: readonly Feature[];
  readonly generic?: GenericName;
  /** Part of an APU: shares memory with the CPU. */
  readonly apu?: true;
}

const XNACK: readonly Feature[] = ['xnack'];
const BOTH: readonly Feature[] = ['sramecc', 'xnack'];

const GENERIC_FEATURES = {
  'gfx9-generic': XNACK,
  'gfx9-4-generic': BOTH,
  'gfx10-1-generic': XNACK,
  'gfx10-3-generic': [],
  'gfx11-generic': [],
  'gfx12-generic': [],
  'gfx12-5-generic': [],
} as const satisfies Readonly<Record<string, readonly Feature[]>>;
type GenericName = keyof typeof GENERIC_FEATURES;

const PROCESSORS: Readonly<Record<string, Processor>> = {
  gfx700: { apu: true },
  gfx701: {},
  gfx702: {},
  gfx801: { features: XNACK, apu: true },
  gfx802: {},
  gfx803: {},
  gfx805: {},
  gfx810: { features: XNACK, apu: true },
  gfx900: { features: XNACK, generic: 'gfx9-generic' },
  gfx902: { features: XNACK, generic: 'gfx9-generic', apu: true },
  gfx904: { features: XNACK, generic: 'gfx9-generic' },
  gfx906: { features: BOTH, generic: 'gfx9-generic' },
  gfx908: { features: BOTH },
  gfx909: { features: XNACK, generic: 'gfx9-generic', apu: true },
  gfx90a: { features: BOTH },
  gfx90c: { features: XNACK, generic: 'gfx9-generic', apu: true },
  gfx942: { features: BOTH, generic: 'gfx9-4-generic' },
  gfx950: { features: BOTH, generic: 'gfx9-4-generic' },
  gfx1010: { features: XNACK, generic: 'gfx10-1-generic' },
  gfx1011: { features: XNACK, generic: 'gfx10-1-generic' },
  gfx1012: { features: XNACK, generic: 'gfx10-1-generic' },
  gfx1013: { features: XNACK, generic: 'gfx10-1-generic', apu: true },
  gfx1030: { generic: 'gfx10-3-generic' },
  gfx1031: { generic: 'gfx10-3-generic' },
  gfx1032: { generic: 'gfx10-3-generic' },
  gfx1033: { generic: 'gfx10-3-generic', apu: true },
  gfx1034: { generic: 'gfx10-3-generic' },
  gfx1035: { generic: 'gfx10-3-generic', apu: true },
  gfx1036: { generic: 'gfx10-3-generic', apu: true },
  gfx1100: { generic: 'gfx11-generic' },
  gfx1101: { generic: 'gfx11-generic' },
  gfx1102: { generic: 'gfx11-generic' },
  gfx1103: { generic: 'gfx11-generic', apu: true },
  gfx1150: { generic: 'gfx11-generic', apu: true },
  gfx1151: { generic: 'gfx11-generic', apu: true },
  gfx1152: { generic: 'gfx11-generic', apu: true },
  gfx1153: { generic: 'gfx11-generic', apu: true },
  gfx1200: { generic: 'gfx12-generic' },
  gfx1201: { generic: 'gfx12-generic' },
  gfx1250: { generic: 'gfx12-5-generic' },
  gfx1251: { generic: 'gfx12-5-generic' },
};

const ISA_PREFIX = 'amdgcn-amd-amdhsa--';

/** `gfx_target_version` is major × 10000 + minor × 100 + stepping, in decimal. */
export function decodeGfxVersion(gfxTargetVersion: number): GfxVersion {
  return {
    major: Math.floor(gfxTargetVersion / 10_000),
    minor: Math.floor(gfxTargetVersion / 100) % 100,
    stepping: gfxTargetVersion % 100,
  };
}

/** `gfx`, the major version in decimal, minor and stepping in hex. */
export function processorName({ major, minor, stepping }: GfxVersion): string {
  return `gfx${major}${minor.toString(16)}${stepping.toString(16)}`;
}

/** The instruction sets of an agent in this state, or undefined for a processor that nobody knows. */
export function resolveIsa(
  version: GfxVersion,
  state: { readonly sramEcc: boolean; readonly xnack: XnackMode },
): AgentIsa | undefined {
  const processor = processorName(version);
  const known = PROCESSORS[processor];
  if (known === undefined) return undefined;
  const isOn: Readonly<Record<Feature, boolean>> = { sramecc: state.sramEcc, xnack: state.xnack === 'on' };
  const features = known.features ?? [];
  const stateOf = (feature: Feature): FeatureState =>
    features.includes(feature) ? (isOn[feature] ? 'on' : 'off') : 'unsupported';
  const withFeatures = (name: string, supported: readonly Feature[]): string =>
    name + supported.map((feature) => `:${feature}${isOn[feature] ? '+' : '-'}`).join('');
  const targetId = withFeatures(processor, features);
  const generic = known.generic === undefined ? [] : [withFeatures(known.generic, GENERIC_FEATURES[known.generic])];
  return {
    processor,
    targetId,
    sramecc: stateOf('sramecc'),
    xnack: stateOf('xnack'),
    isaNames: [ISA_PREFIX + targetId, ...generic.map((name) => ISA_PREFIX + name)],
  };
}

/** Whether the processor is only ever part of an APU. */
export function isApuProcessor(processor: string): boolean {
  return PROCESSORS[processor]?.apu === true;
}
