import { findProcessor, InternalError, type Processor, PROCESSORS } from '@doorbell/abi';
import { type FeatureSetting, formatTargetId, type TargetId } from '@doorbell/code-object';
import { listProcessors } from '@doorbell/isa';
import type { HotSwapIdentity, SteppedIsa, Stepping } from '../identity.js';
import { identifyTarget, parseSteppedIsa, STEPPED_PROCESSOR } from '../identity.js';
import type { FindingList } from './finding-list.js';
import type { TargetRelation } from './types.js';

/** Both sides of a retarget. */
export interface TargetPair {
  readonly source: HotSwapIdentity;
  readonly target: HotSwapIdentity;
  readonly relation: TargetRelation;
  /** The target's waves may find that a d16 load cleared the other half of its register, which the source's never do. */
  readonly losesD16Halves: boolean;
}

const FEATURES = ['sramecc', 'xnack'] as const;

/**
 * The two sides, with what speaks against the pair itself as findings. A feature that the target's name leaves open is taken over
 * from the source.
 *
 * @param found what the code object says that it is.
 * @throws {HsaError} ERR_INVALID_ARGUMENT for a name that is no ISA's.
 */
export function relateTargets(
  found: HotSwapIdentity,
  names: { readonly source?: string; readonly target: string },
  findings: FindingList,
): TargetPair {
  const source = names.source === undefined ? found : overrideSource(found, parseSteppedIsa(names.source), findings);
  const wanted = parseSteppedIsa(names.target);
  const resolved = resolveFeatures(source.target, wanted.target);
  const stepping = wanted.stepping ?? (wanted.target.processor === STEPPED_PROCESSOR ? (source.stepping ?? 'b0') : undefined);
  const relation = relationOf(source.target, resolved);
  const genericVersion = findProcessor(resolved.processor)?.isGeneric === true ? Math.max(1, source.target.genericVersion) : 0;
  const target = identity({ ...resolved, genericVersion }, stepping);
  if (relation === 'unrelated') {
    findings.add({
      rule: 'pair',
      severity: 'blocker',
      message: `${source.target.processor} and ${resolved.processor} are not of one family: ${explainUnrelated(source.target.processor, resolved.processor)}`,
    });
  }
  if (isUnsettled(resolved.processor) && (relation === 'family' || relation === 'to-generic')) {
    findings.add({
      rule: 'pair',
      severity: 'doubt',
      message: `what sets ${source.target.processor} apart from its relatives is not fully published`,
    });
  }
  checkStepping(source, target, findings);
  checkXnack(source.target, resolved, findings);
  return { source, target, relation, losesD16Halves: losesD16Halves(source.target, resolved) };
}

/** The identity of a target and the stepping that its code is for. */
function identity(target: HotSwapIdentity['target'], stepping: Stepping | undefined): HotSwapIdentity {
  return { ...identifyTarget(target), ...(stepping === undefined ? {} : { stepping }) };
}

/** The caller's word counts; what the file says otherwise is reported. */
function overrideSource(found: HotSwapIdentity, given: SteppedIsa, findings: FindingList): HotSwapIdentity {
  const [says, told] = [formatTargetId(found.target), formatTargetId(given.target)];
  if (says !== told) {
    findings.add({ rule: 'pair', severity: 'info', message: `taken for ${told} as asked; the file says ${says}` });
  }
  const isGeneric = findProcessor(given.target.processor)?.isGeneric ?? false;
  const genericVersion = isGeneric ? found.target.genericVersion : 0;
  const isSame = given.target.processor === found.target.processor;
  const stepping = given.stepping ?? (isSame ? found.stepping : given.target.processor === STEPPED_PROCESSOR ? 'b0' : undefined);
  return identity({ ...given.target, genericVersion }, stepping);
}

/** Settings that the target's name leaves open follow the source's, which the code was made for. */
function resolveFeatures(source: TargetId, target: TargetId): TargetId {
  const settings = FEATURES.map((feature): [string, FeatureSetting] => {
    const wanted = target[feature];
    if (wanted !== 'any') return [feature, wanted];
    // Code for a processor without the feature is code for the feature switched off.
    return [feature, source[feature] === 'unsupported' ? 'off' : source[feature]];
  });
  return { ...target, ...Object.fromEntries(settings) };
}

function relationOf(source: TargetId, target: TargetId): TargetRelation {
  if (source.processor === target.processor) {
    return FEATURES.every((feature) => source[feature] === target[feature]) ? 'same' : 'features';
  }
  const [from, to] = [findProcessor(source.processor), findProcessor(target.processor)];
  if (from?.generic === undefined || from.generic !== to?.generic || !isSameTable(from.name, to.name)) return 'unrelated';
  if (isStrict(from.name) || isStrict(to.name)) return 'unrelated';
  if (to.isGeneric) return 'to-generic';
  return from.isGeneric ? 'from-generic' : 'family';
}

/** What the strict form of gfx1250 asks of code is not published. */
function isStrict(processor: string): boolean {
  return processor.endsWith('-strict');
}

/** LLVM's feature lists of gfx1250 and gfx1251 still change. Code for their generic target is made for both. */
function isUnsettled(processor: string): boolean {
  return findProcessor(processor)?.generic === 'gfx12-5-generic';
}

/** gfx942 and gfx950 have one generic processor, but other instructions and other wait states. */
function isSameTable(a: string, b: string): boolean {
  const tables = listProcessors();
  const table = tables.find(({ name }) => name === a)?.table;
  return table !== undefined && table === tables.find(({ name }) => name === b)?.table;
}

function explainUnrelated(source: string, target: string): string {
  if (isStrict(source) || isStrict(target)) return 'what the strict form asks of code is not known';
  const of = (name: string): string => findProcessor(name)?.generic ?? 'no generic target';
  const [from, to] = [of(source), of(target)];
  return from === to
    ? `both belong to ${from}, but have different instruction sets`
    : `one belongs to ${from}, the other to ${to}`;
}

/** Code for the later stepping needs work on the first one, which is not built. */
function checkStepping(source: HotSwapIdentity, target: HotSwapIdentity, findings: FindingList): void {
  if (target.stepping !== 'a0' || source.stepping === 'a0') return;
  findings.add({
    rule: 'stepping',
    severity: 'blocker',
    message: `code for ${source.stepping === undefined ? source.target.processor : 'the B0 stepping'} needs its errata repaired for A0`,
  });
}

/** Code that may be interrupted at a page fault and replayed assumes less than code that may not. */
function checkXnack(source: TargetId, target: TargetId, findings: FindingList): void {
  const isReplayable = source.xnack === 'on' || source.xnack === 'any';
  const mustReplay = target.xnack === 'on' || target.xnack === 'any';
  if (isReplayable || !mustReplay) return;
  findings.add({
    rule: 'feature',
    severity: 'blocker',
    message: `code with xnack ${source.xnack} may overwrite the addresses of its loads, so that it cannot be replayed with xnack ${target.xnack}`,
  });
}

/** With SRAMECC on, d16 loads write whole registers (LLVM GCNSubtarget::d16PreservesUnusedBits). */
function losesD16Halves(source: TargetId, target: TargetId): boolean {
  const keeps = source.sramecc === 'off' || source.sramecc === 'unsupported';
  return keeps && mayHaveSramecc(target);
}

function mayHaveSramecc({ processor, sramecc }: TargetId): boolean {
  if (sramecc !== 'unsupported') return sramecc !== 'off';
  // Members of a generic target may have what its name cannot say: gfx906 is one of gfx9-generic's.
  return PROCESSORS.some(({ generic, features }) => generic === processor && features.includes('sramecc'));
}

/** The row of an identity's processor. */
export function processorOf({ target: { processor } }: HotSwapIdentity): Processor {
  const row = findProcessor(processor);
  if (row === undefined) throw new InternalError(`an identity of no processor: ${processor}`);
  return row;
}

/** Whether a processor has waves of this size. */
export function hasWaveSize({ generation, waveSize }: Processor, wanted: 32 | 64): boolean {
  return wanted === waveSize || ['gfx10', 'gfx11', 'gfx12', 'gfx13'].includes(generation);
}
