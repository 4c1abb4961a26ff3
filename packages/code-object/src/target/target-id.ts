import { findProcessor, HsaError, ISA_NAME_PREFIX, type Processor, PROCESSORS, type TargetFeature } from '@doorbell/abi/core';

/** How a target treats a feature: made for it, made without it, indifferent, or the processor does not have it. */
export type FeatureSetting = 'any' | 'on' | 'off' | 'unsupported';

/** A processor with the settings of its features. */
export interface TargetId {
  /** `gfx90a`, `gfx11-generic`. */
  readonly processor: string;
  readonly sramecc: FeatureSetting;
  readonly xnack: FeatureSetting;
}

/** Triples before the processor: LLVM's own, with any environment, and the newer one that repeats the version. */
const TRIPLE = /^(?:amdgcn|amdgpu[0-9.]*)-amd-amdhsa-[a-z0-9_]*-(?=gfx)/;

/**
 * Reads `gfx90a:sramecc+:xnack-`, with or without the triple (`amdgcn-amd-amdhsa--gfx1100`). A feature that is not named is
 * `any`, or `unsupported` where the processor lacks it.
 *
 * @throws {HsaError} ERR_INVALID_ARGUMENT (status INVALID_ISA_NAME)
 */
export function parseTargetId(text: string): TargetId {
  const bare = text.replace(TRIPLE, '');
  const [name = '', ...settings] = bare.split(':');
  const processor = findProcessor(name);
  if (!processor) throw badTarget(text, `there is no processor "${name}"`, nearestNames(name));
  const chosen: { -readonly [F in TargetFeature]?: 'on' | 'off' } = {};
  for (const setting of settings) {
    const feature = setting.slice(0, -1);
    const sign = setting.slice(-1);
    if ((feature !== 'sramecc' && feature !== 'xnack') || (sign !== '+' && sign !== '-')) {
      throw badTarget(text, `"${setting}" is not a feature setting`, 'Features are sramecc+, sramecc-, xnack+ and xnack-.');
    }
    if (!processor.features.includes(feature)) {
      throw badTarget(
        text,
        `${name} has no feature ${feature}`,
        `Use ${[name, ...processor.features.map((f) => `${f}±`)].join(':')}.`,
      );
    }
    if (chosen[feature] !== undefined) throw badTarget(text, `${feature} is given twice`, `Give ${feature} once.`);
    chosen[feature] = sign === '+' ? 'on' : 'off';
  }
  return targetOf(processor, chosen);
}

/** The target of a processor with these settings; the others are `any` or `unsupported`. */
export function targetOf(processor: Processor, settings: { readonly [F in TargetFeature]?: FeatureSetting } = {}): TargetId {
  const setting = (feature: TargetFeature): FeatureSetting =>
    processor.features.includes(feature) ? (settings[feature] ?? 'any') : 'unsupported';
  return { processor: processor.name, sramecc: setting('sramecc'), xnack: setting('xnack') };
}

/** The canonical short form: `gfx90a:sramecc+:xnack-`. */
export function formatTargetId(target: TargetId): string {
  return `${target.processor}${suffix('sramecc', target.sramecc)}${suffix('xnack', target.xnack)}`;
}

/** The name the HSA runtime uses: `amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-`. */
export function formatIsaName(target: TargetId): string {
  return ISA_NAME_PREFIX + formatTargetId(target);
}

function suffix(feature: TargetFeature, setting: FeatureSetting): string {
  if (setting === 'on') return `:${feature}+`;
  return setting === 'off' ? `:${feature}-` : '';
}

function badTarget(text: string, problem: string, hint: string): HsaError {
  return new HsaError('ERR_INVALID_ARGUMENT', {
    message: `"${text}" is not a target id: ${problem}`,
    // hsa.h HSA_STATUS_ERROR_INVALID_ISA_NAME
    hsaStatus: 0x1017,
    hint,
    details: { target: text },
  });
}

function nearestNames(name: string): string {
  const near = PROCESSORS.filter((processor) => name.length >= 4 && processor.name.startsWith(name.slice(0, 5))).map(
    (p) => p.name,
  );
  return near.length > 0 ? `Near names: ${near.join(', ')}.` : 'A target id looks like gfx1100 or gfx90a:sramecc+:xnack-.';
}
