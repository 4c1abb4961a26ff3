import { formatTargetId, parseCodeObject, type CodeObject } from '@doorbell/code-object';
import { identifyTarget } from '../identity.js';
import { checkCode } from '../retarget/check-code.js';
import { FindingList } from '../retarget/finding-list.js';
import { OTHER_FLAGS } from '../retarget/new-header.js';
import { relateTargets, type TargetPair } from '../retarget/relation.js';
import type { DeclaredRange, RewriteProof } from '../retarget/types.js';
import { changeableRanges } from './changeable-ranges.js';
import { compareMetadata } from './compare-metadata.js';
import { differingRanges } from './differing-ranges.js';

/**
 * Proves that `rewritten` is `original` but for what a retarget may change (the target's name in header and metadata, and where
 * the notes lie), that both name their targets without contradiction, and that every instruction is the same on the new target.
 * It knows nothing of how the file was made.
 *
 * @throws {HsaError} ERR_CODE_OBJECT…, ERR_METADATA when either is no code object.
 */
export function verifyRewrite(original: Uint8Array, rewritten: Uint8Array): RewriteProof {
  const before = parseCodeObject(original);
  const findings = new FindingList();
  const after = parseCodeObject(rewritten);
  // The name that the rewritten file has.
  const target = identifyTarget(after.target);
  const pair = relateTargets(identifyTarget(before.target), { target: target.isaName }, findings);
  const code = checkCode(before, pair, findings);
  const { ranges, problems } = verifyObjects(before, after, pair);
  const reasons = findings.toFindings().filter(({ severity }) => severity !== 'info');
  const all = [...problems, ...reasons.map(({ message, count }) => (count > 1 ? `${message} (${count} times)` : message))];
  return { ok: all.length === 0, source: pair.source, target, ranges, problems: all, code };
}

/** What is known of the two files without looking at the instructions. */
export interface FileProof {
  readonly ranges: readonly DeclaredRange[];
  readonly problems: readonly string[];
}

/** The part of the proof that compares the files. */
export function verifyObjects(before: CodeObject, after: CodeObject, pair: TargetPair): FileProof {
  const problems: string[] = [];
  const named = formatTargetId(after.target);
  const wanted = formatTargetId(pair.target.target);
  if (named !== wanted) problems.push(`the file names ${named}, not ${wanted}`);
  const allowed = changeableRanges(before);
  const ranges: DeclaredRange[] = [];
  for (const { offset, length } of differingRanges(before.bytes, after.bytes)) {
    let at = offset;
    const end = offset + length;
    while (at < end) {
      const range = allowed.find((one) => one.offset <= at && at < one.offset + one.length);
      const next = range === undefined ? end : Math.min(end, range.offset + range.length);
      if (range === undefined) problems.push(`bytes from offset ${at} differ, which no retarget changes`);
      else ranges.push({ offset: at, length: next - at, what: range.what });
      at = next;
    }
  }
  if (after.bytes.length < before.bytes.length) problems.push('the file is shorter than the original');
  problems.push(...compareHeaders(before, after), ...compareMetadata(before, after));
  return { ranges, problems };
}

/** What of the header says more than another target: bits that no target sets, another layout of hidden arguments. */
function compareHeaders(before: CodeObject, after: CodeObject): readonly string[] {
  const problems: string[] = [];
  const [old, now] = [before.elf.header.flags, after.elf.header.flags];
  if ((old & OTHER_FLAGS) !== (now & OTHER_FLAGS)) problems.push('e_flags differ in bits that name no target');
  // Version 6 is version 5 with the version of a generic target in e_flags (LLVM AMDGPUUsage, "Header").
  if (before.version !== after.version && Math.min(before.version, after.version) < 5)
    problems.push(`the file has code object version ${after.version}, not ${before.version}`);
  return problems;
}
