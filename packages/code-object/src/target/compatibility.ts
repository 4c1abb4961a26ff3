import { findProcessor, HsaError, type TargetFeature } from '@doorbell/abi/core';
import { type FeatureSetting, formatTargetId, type TargetId } from './target-id.js';

/** What a code object was made for. */
export interface CodeObjectTarget extends TargetId {
  /** Version of the generic target (e_flags bits 24–31, version 6 objects); 0 for concrete processors and older objects. */
  readonly genericVersion: number;
}

/** Why a code object runs on an agent, or why not. */
export type CompatibilityReason = 'same-processor' | 'generic' | 'processor' | 'generic-version' | 'sramecc' | 'xnack';

export interface Compatibility {
  readonly compatible: boolean;
  readonly reason: CompatibilityReason;
  /** One sentence with both sides' values. */
  readonly explanation: string;
}

/** The oldest version of a generic target that agents accept: 1 for all of them (HSA runtime, `GetSupportedGenericVersions`). */
const MINIMUM_GENERIC_VERSION = 1;

/**
 * Whether `code` may be loaded on `agent`, by the HSA runtime's rule: the processor must be the same or covered by the code
 * object's generic target, and a feature that the code object fixes must have exactly that setting on the agent.
 */
export function targetsCompatible(code: CodeObjectTarget, agent: TargetId): Compatibility {
  const processor = compareProcessors(code, agent);
  if (!processor.compatible) return processor;
  for (const feature of ['sramecc', 'xnack'] as const) {
    const wanted = code[feature];
    if (wanted !== 'on' && wanted !== 'off') continue;
    if (agent[feature] !== wanted) {
      return { compatible: false, reason: feature, explanation: explainFeature(feature, code, agent, wanted) };
    }
  }
  return processor;
}

/**
 * The `ERR_ISA_MISMATCH` for an agent that none of `files` suits: lists the targets in the file with the reason for each,
 * the agent's, and the generic target that would do.
 */
export function isaMismatch(files: readonly CodeObjectTarget[], agent: TargetId): HsaError {
  const agentName = formatTargetId(agent);
  const reasons = files.map((code) => ({ target: formatTargetId(code), ...targetsCompatible(code, agent) }));
  const generic = findProcessor(agent.processor)?.generic;
  const would = [agentName, ...(generic === undefined ? [] : [generic])];
  return new HsaError('ERR_ISA_MISMATCH', {
    message: `${
      files.length === 0
        ? 'the file has no code for AMD GPUs'
        : `the file has code for ${reasons.map((r) => r.target).join(', ')}`
    }; the device is ${agentName}${reasons.map((r) => `\n  ${r.target}: ${r.explanation}`).join('')}`,
    // hsa.h HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS
    hsaStatus: 0x100d,
    hint: `Compile with --offload-arch=${agent.processor}${generic === undefined ? '' : ` (or the generic ${generic} with code object version 6)`}.`,
    details: { fileTargets: reasons.map((r) => r.target), agentTarget: agentName, wouldDo: would, reasons },
  });
}

function compareProcessors(code: CodeObjectTarget, agent: TargetId): Compatibility {
  if (code.processor === agent.processor && !findProcessor(code.processor)?.isGeneric) {
    return { compatible: true, reason: 'same-processor', explanation: `both are ${code.processor}` };
  }
  const codeProcessor = findProcessor(code.processor);
  const agentProcessor = findProcessor(agent.processor);
  if (!codeProcessor?.isGeneric) {
    const generic = agentProcessor?.generic;
    return {
      compatible: false,
      reason: 'processor',
      explanation: `made for ${code.processor}, not for ${agent.processor}${generic === undefined ? '' : ` or its generic target ${generic}`}`,
    };
  }
  if (agentProcessor?.generic !== code.processor) {
    const generic = agentProcessor?.generic;
    return {
      compatible: false,
      reason: 'processor',
      explanation: `the generic target ${code.processor} does not cover ${agent.processor}, ${
        generic === undefined ? 'which belongs to no generic target' : `which belongs to ${generic}`
      }`,
    };
  }
  if (code.genericVersion < MINIMUM_GENERIC_VERSION) {
    return {
      compatible: false,
      reason: 'generic-version',
      explanation: `${code.processor} has version ${code.genericVersion}; the device needs at least ${MINIMUM_GENERIC_VERSION} (code object version 6)`,
    };
  }
  return { compatible: true, reason: 'generic', explanation: `${code.processor} covers ${agent.processor}` };
}

function explainFeature(feature: TargetFeature, code: TargetId, agent: TargetId, wanted: FeatureSetting): string {
  const have = agent[feature];
  const device =
    have === 'on' || have === 'off'
      ? `the device runs with ${feature} ${have}`
      : have === 'unsupported'
        ? `the device has no ${feature}`
        : `the device does not say whether ${feature} is on`;
  return `${code.processor} made for ${feature} ${wanted}, but ${device}`;
}
