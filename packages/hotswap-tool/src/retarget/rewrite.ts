import type { CodeObject } from '@doorbell/code-object';
import { editCodeObjectTarget, parseCodeObject } from '@doorbell/code-object';
import { identifyTarget } from '../identity.js';
import { verifyObjects } from '../verify/verify-rewrite.js';
import { checkCode } from './check-code.js';
import { checkKernels } from './check-kernels.js';
import { FindingList } from './finding-list.js';
import { headerFor, type NewHeader } from './new-header.js';
import { relateTargets, type TargetPair } from './relation.js';
import type { DeclaredRange, HeaderChange, RewriteOptions, RewriteReport, RewriteResult } from './types.js';

/**
 * Makes of a code object one for another processor of its family, if every instruction and limit holds there too. A doubt refuses.
 * The result is proven: it is parsed, identified and decoded again before it is given back. The input is not changed.
 *
 * @throws {HsaError} ERR_CODE_OBJECT…, ERR_METADATA for bytes that are no code object; ERR_INVALID_ARGUMENT for a name that is no ISA's.
 * @example
 * const result = rewrite(bytes, { target: 'gfx1031' });
 * if (result.status === 'rewritten') load(result.bytes);
 */
export function rewrite(bytes: Uint8Array, options: RewriteOptions): RewriteResult {
  const plan = makePlan(bytes, options);
  const { report, findings } = plan;
  if (report.status !== 'rewritten') return { status: report.status, report, ranges: [] };
  const edited = editCodeObjectTarget(plan.codeObject, plan.header);
  const proof = verifyObjects(plan.codeObject, parseCodeObject(edited.bytes), plan.pair);
  const undeclared = proof.ranges.filter((range) => !isCovered(range, edited.ranges));
  const problems = [...proof.problems, ...undeclared.map(({ what, offset }) => `${what} at offset ${offset} was not declared`)];
  if (problems.length === 0) return { status: 'rewritten', bytes: edited.bytes, report, ranges: edited.ranges };
  for (const message of problems) findings.add({ rule: 'proof', severity: 'blocker', message });
  return { status: 'refused', report: { ...report, status: 'refused', findings: findings.toFindings() }, ranges: [] };
}

/**
 * What {@link rewrite} would do, without the bytes.
 *
 * @throws {HsaError} as {@link rewrite}.
 */
export function planRewrite(bytes: Uint8Array, options: RewriteOptions): RewriteReport {
  return makePlan(bytes, options).report;
}

/** Whether declared ranges, which are in order, hold every byte of another. */
function isCovered({ offset, length }: DeclaredRange, declared: readonly DeclaredRange[]): boolean {
  let at = offset;
  for (const range of declared) {
    if (range.offset <= at && at < range.offset + range.length) at = range.offset + range.length;
  }
  return at >= offset + length;
}

interface Plan {
  readonly codeObject: CodeObject;
  readonly pair: TargetPair;
  readonly header: NewHeader;
  readonly findings: FindingList;
  readonly report: RewriteReport;
}

function makePlan(bytes: Uint8Array, options: RewriteOptions): Plan {
  const codeObject = parseCodeObject(bytes);
  const findings = new FindingList();
  const pair = relateTargets(identifyTarget(codeObject.target), options, findings);
  const header = headerFor(codeObject, pair, findings);
  const code = checkCode(codeObject, pair, findings);
  const kernels = pair.relation === 'unrelated' ? [] : checkKernels(codeObject, pair, findings);
  const changes = changesOf(codeObject, header);
  const status = findings.refuses ? 'refused' : changes.length === 0 ? 'unchanged' : 'rewritten';
  const { source, target, relation } = pair;
  const report = { source, target, relation, status, findings: findings.toFindings(), changes, kernels, code } as const;
  return { codeObject, pair, header, findings, report };
}

function changesOf(codeObject: CodeObject, { flags, abiVersion, isaName }: NewHeader): readonly HeaderChange[] {
  const { header } = codeObject.elf;
  const hex = (value: number): string => `0x${value.toString(16)}`;
  const named = codeObject.metadata?.target;
  const all: readonly HeaderChange[] = [
    { field: 'e_flags', before: hex(header.flags), after: hex(flags) },
    { field: 'EI_ABIVERSION', before: String(header.abiVersion), after: String(abiVersion) },
    ...(named === undefined ? [] : [{ field: 'amdhsa.target' as const, before: named, after: isaName }]),
  ];
  return all.filter(({ before, after }) => before !== after);
}
