import type { hotswapTool } from '@doorbell/runtime/layers';
import type { Colors } from '../output.js';
import { count, formatBytes, formatTable } from '../text.js';

type Finding = hotswapTool.Finding;
type FindingPlace = hotswapTool.FindingPlace;

/** A plan as text: what changes in the file, what each kernel needs, and what was found in the code, as a diff. */
export function formatPlan(report: hotswapTool.RewriteReport, color: Colors): string {
  const { source, target, relation, status, changes, kernels, findings, code } = report;
  const verdict = {
    unchanged: color.green('runs as it is'),
    rewritten: color.green('can be rewritten'),
    refused: color.red('refused'),
  }[status];
  const parts = [`${source.isaName} → ${target.isaName} (${relation}): ${verdict}\n`];
  // Nothing of the file was looked at where the targets have nothing in common.
  const wasRead = relation !== 'unrelated';
  if (wasRead && changes.length > 0) {
    parts.push('\nFile\n', formatTable(changes.map(({ field, before, after }) => [field, before, '→', after])));
  }
  if (kernels.length > 0) {
    const rows = kernels.map(({ name, vgprs, sgprs, ldsBytes, scratchBytes, waveSize, wavesPerSimd }) => [
      name,
      `${vgprs}`,
      `${sgprs}`,
      formatBytes(ldsBytes),
      formatBytes(scratchBytes),
      `${waveSize}`,
      `${wavesPerSimd.source ?? '?'} → ${wavesPerSimd.target ?? '?'}`,
    ]);
    parts.push(
      '\nKernels\n',
      formatTable(rows, { head: ['name', 'VGPRs', 'SGPRs', 'LDS', 'scratch', 'wave', 'waves per SIMD'] }),
    );
  }
  if (wasRead)
    parts.push(
      `\nCode: ${count(code.instructions, 'instruction')} in ${count(code.functions, 'function')}, ${formatBytes(code.codeBytes)}, and ${formatBytes(code.paddingBytes)} of padding\n`,
    );
  if (findings.length > 0) parts.push('\nFindings\n', ...findings.map((finding) => formatFinding(finding, color)));
  return parts.join('');
}

function formatFinding({ rule, severity, message, count: times, places }: Finding, color: Colors): string {
  const word = { info: color.dim('info'), doubt: color.yellow('doubt'), blocker: color.red('blocker') }[severity];
  const shown = places.map((place) => formatPlace(place, color)).join('');
  const more = times > places.length && places.length > 0 ? `      and ${times - places.length} more\n` : '';
  return `  ${word} ${rule}: ${message}${times > 1 ? ` (${times} times)` : ''}\n${shown}${more}`;
}

/** `@@ .text+0x40 kernel @@`, then the instruction as the source's processor reads it and as the target's does. */
function formatPlace({ symbol, section, offset, instruction }: FindingPlace, color: Colors): string {
  const where = [
    ...(section === undefined ? [] : [`${section}${offset === undefined ? '' : `+0x${offset.toString(16)}`}`]),
    ...(symbol === undefined ? [] : [symbol]),
  ].join(' ');
  const head = `      ${color.cyan(`@@ ${where} @@`)}\n`;
  if (instruction === undefined) return head;
  const after = instruction.target === '' ? '(no instruction)' : instruction.target;
  return `${head}      ${color.red(`- ${instruction.source}`)}\n      ${color.green(`+ ${after}`)}\n`;
}

/** Which kernels could move to a target of another family, and what keeps the others. */
export function formatComparison({ kernels, obstacles, counts }: hotswapTool.TargetComparison, color: Colors): string {
  const movable = kernels.filter(({ movesAsIs }) => movesAsIs).length;
  const rows = kernels.map(({ name, movesAsIs, instructions, counts: own, limits }) => [
    name,
    movesAsIs ? color.green('moves as it is') : color.red('stays'),
    `${instructions}`,
    `${instructions - own.same}`,
    limits.join('; '),
  ]);
  const total = Object.values(counts).reduce((sum, each) => sum + each, 0);
  const shown = obstacles.slice(0, MAX_OBSTACLES);
  const more = obstacles.length > shown.length ? `  and ${obstacles.length - shown.length} more\n` : '';
  return [
    `\nKernels: ${movable} of ${kernels.length} could move as they are; ${counts.same} of ${count(total, 'instruction')} are the same on both\n`,
    formatTable(rows, { head: ['name', '', 'instructions', 'in the way', 'limits'] }),
    ...(shown.length === 0 ? [] : ['\nInstructions in the way\n']),
    formatTable(shown.map(({ mnemonic, portability, count: times }) => [`${times}`, mnemonic, PORTABILITY_TEXTS[portability]])),
    more,
  ].join('');
}

/** Rows of these lists; `--json` has all. */
const MAX_OBSTACLES = 30;
const MAX_PROBLEMS = 20;

const PORTABILITY_TEXTS: Readonly<Record<hotswapTool.InstructionObstacle['portability'], string>> = {
  'other-encoding': 'has another encoding on the target',
  operands: 'does not take these operands on the target',
  missing: 'is not on the target',
  undecodable: 'is no instruction',
};

/** A proof as text. */
export function formatProof(proof: hotswapTool.RewriteProof, color: Colors): string {
  const { ok, source, target, ranges, problems, code } = proof;
  const head = `${source.isaName} → ${target.isaName}: ${ok ? color.green('proven') : color.red('not proven')}\n`;
  const rows = ranges.map(({ offset, length, what }) => [`0x${offset.toString(16)}`, `${length}`, what]);
  return [
    head,
    ...problems.slice(0, MAX_PROBLEMS).map((problem) => `  ${problem}\n`),
    ...(problems.length > MAX_PROBLEMS ? [`  and ${problems.length - MAX_PROBLEMS} more\n`] : []),
    ...(rows.length === 0
      ? ['\nNo byte differs.\n']
      : ['\nBytes that differ\n', formatTable(rows, { head: ['offset', 'bytes', 'what'] })]),
    `\nCode: ${count(code.instructions, 'instruction')} in ${count(code.functions, 'function')}${ok ? ', the same on both targets' : ''}\n`,
  ].join('');
}
