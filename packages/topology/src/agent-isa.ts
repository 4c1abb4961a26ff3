import { findProcessor, ISA_NAME_PREFIX, type Processor, type TargetFeature } from '@doorbell/abi';
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
  const processor = findProcessor(processorName(version));
  if (!processor?.isAgentProcessor) return undefined;
  const { name, features } = processor;
  const generic = processor.generic === undefined ? undefined : findProcessor(processor.generic);
  const isOn: Readonly<Record<TargetFeature, boolean>> = { sramecc: state.sramEcc, xnack: state.xnack === 'on' };
  const stateOf = (feature: TargetFeature): FeatureState =>
    features.includes(feature) ? (isOn[feature] ? 'on' : 'off') : 'unsupported';
  const targetOf = (target: Processor): string =>
    target.name + target.features.map((feature) => `:${feature}${isOn[feature] ? '+' : '-'}`).join('');
  return {
    processor: name,
    targetId: targetOf(processor),
    sramecc: stateOf('sramecc'),
    xnack: stateOf('xnack'),
    isaNames: [ISA_NAME_PREFIX + targetOf(processor), ...(generic ? [ISA_NAME_PREFIX + targetOf(generic)] : [])],
  };
}
