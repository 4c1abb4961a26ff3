import type { CodeObject } from '@doorbell/code-object';
import { BranchTargets } from './branch-targets.js';
import { type CodeExtent, type CodeRegion, codeRegions, FUNCTION_TYPES, locate } from './code-extents.js';
import type { FindingList } from './finding-list.js';
import { InstructionRules } from './instruction-rules.js';
import { hasWaveSize, processorOf, type TargetPair } from './relation.js';
import type { CodeCounts, FindingPlace } from './types.js';

const NO_CODE: CodeCounts = { functions: 0, instructions: 0, codeBytes: 0, paddingBytes: 0 };

/**
 * Decodes everything that can be executed, for both processors, and reports what differs; of targets that are not related, which are
 * refused already and may have no table, nothing is decoded. Functions are walked one after the other:
 * nothing is kept of them but counts and findings.
 */
export function checkCode(codeObject: CodeObject, pair: TargetPair, findings: FindingList): CodeCounts {
  if (pair.relation === 'unrelated') return NO_CODE;
  const rules = new Map<number, InstructionRules>();
  const rulesFor = (waveSize: 32 | 64): InstructionRules => {
    let found = rules.get(waveSize);
    if (found === undefined) rules.set(waveSize, (found = new InstructionRules(pair, waveSize)));
    return found;
  };
  const regions = codeRegions(codeObject);
  const kernelSizes = waveSizes(codeObject, pair, findings);
  let instructions = 0;
  let codeBytes = 0;
  let functions = 0;
  let paddingBytes = 0;
  for (const region of regions) {
    if (region.isOverlaid) {
      findings.add({
        rule: 'layout',
        severity: 'blocker',
        message: 'the symbols of functions lie over each other many times',
      });
      continue;
    }
    const branches = new BranchTargets(region.bytes.length);
    for (const extent of region.extents) {
      functions++;
      let counted = 0;
      const sizes = extent.waveSize === undefined ? kernelSizes : [extent.waveSize].filter((size) => kernelSizes.includes(size));
      for (const size of sizes) {
        counted = Math.max(counted, walkExtent(region, extent, { rules: rulesFor(size), branches, findings }));
      }
      instructions += counted;
      codeBytes += extent.end - extent.start;
    }
    for (const gap of region.gaps) paddingBytes += checkPadding(region, gap, { branches, findings });
    for (const offset of branches.strays()) findings.add(STRAY, () => locate(region, offset));
  }
  checkPlaces(codeObject, regions, findings);
  return { functions, instructions, codeBytes, paddingBytes };
}

/** Wave sizes of the kernels; without kernels functions are for waves of the usual size. */
function waveSizes(codeObject: CodeObject, pair: TargetPair, findings: FindingList): readonly (32 | 64)[] {
  const processor = processorOf(pair.source);
  if (codeObject.kernels.length === 0) return [processor.waveSize];
  return [...new Set(codeObject.kernels.map(({ waveSize }) => waveSize))].filter((size) => {
    if (hasWaveSize(processor, size)) return true;
    findings.add({ rule: 'descriptor', severity: 'blocker', message: `${processor.name} has no waves of ${size} lanes` });
    return false;
  });
}

interface Walk {
  readonly rules: InstructionRules;
  readonly branches: BranchTargets;
  readonly findings: FindingList;
}

// hot
function walkExtent(region: CodeRegion, extent: CodeExtent, { rules, branches, findings }: Walk): number {
  const { bytes } = region;
  // Nothing is decoded across the end of a function.
  const code = extent.end < bytes.length ? bytes.subarray(0, extent.end) : bytes;
  const decoder = rules.comparison.source;
  if (extent.start % 4 !== 0) findings.add(MISPLACED, () => placeOf(region, extent, extent.start));
  let count = 0;
  let offset = extent.start;
  while (offset < extent.end) {
    const decoded = decoder.decode(code, offset);
    if (!decoded.ok) {
      const { failure } = decoded;
      if (isPaddingWord(bytes, offset, extent.end)) branches.addStart(offset);
      else {
        const at = offset;
        findings.add(UNDECODABLE, () => ({
          ...placeOf(region, extent, at),
          instruction: { source: failure.message, target: '' },
        }));
      }
      offset += failure.sizeBytes;
      continue;
    }
    const { instruction } = decoded;
    branches.addStart(offset);
    if (branches.leaves(instruction, offset)) {
      const at = offset;
      findings.add(LEAVES, () => placeOf(region, extent, at));
    }
    if (!rules.isPlain(instruction.entry)) {
      const finding = rules.look(instruction, code, { offset, end: extent.end });
      if (finding !== undefined) {
        const at = offset;
        findings.add(finding.kind, () => ({ ...placeOf(region, extent, at), instruction: finding.instruction }));
      }
    }
    count++;
    offset += instruction.sizeBytes;
  }
  return count;
}

const UNDECODABLE = {
  rule: 'undecodable',
  severity: 'blocker',
  message: 'bytes that code may reach are no instruction',
} as const;

const STRAY = { rule: 'layout', severity: 'blocker', message: 'a branch goes to where no instruction begins' } as const;

const LEAVES = { rule: 'layout', severity: 'blocker', message: 'a branch leaves the executable segment' } as const;

const MISPLACED = { rule: 'layout', severity: 'blocker', message: 'a function begins at no multiple of 4 bytes' } as const;

function placeOf(region: CodeRegion, { symbol }: CodeExtent, offset: number): FindingPlace {
  return { ...(symbol === '' ? {} : { symbol }), ...locate(region, offset) };
}

/** s_nop of any length, s_code_end, and zero (SOPP encodings of gfx9 to gfx12). */
const S_NOP = 0xbf80;
const S_CODE_END = 0xbf9f_0000;

function isPaddingWord(bytes: Uint8Array, offset: number, end: number): boolean {
  if (offset + 4 > end) return bytes.subarray(offset, end).every((byte) => byte === 0);
  const low = (bytes[offset] ?? 0) | ((bytes[offset + 1] ?? 0) << 8);
  const high = (bytes[offset + 2] ?? 0) | ((bytes[offset + 3] ?? 0) << 8);
  return high === S_NOP || (low === 0 && (high === 0 || high === S_CODE_END >>> 16));
}

/** Bytes between functions must be what linkers and compilers fill with; gives how many are. */
function checkPadding(
  region: CodeRegion,
  { start, end }: { readonly start: number; readonly end: number },
  { branches, findings }: Pick<Walk, 'branches' | 'findings'>,
): number {
  let padding = 0;
  let isReported = false;
  for (let offset = start; offset < end; offset += 4) {
    if (isPaddingWord(region.bytes, offset, end)) {
      branches.addStart(offset);
      padding += Math.min(4, end - offset);
      isReported = false;
    } else if (!isReported) {
      // One finding for each run.
      isReported = true;
      const kind = { rule: 'layout', severity: 'blocker', message: 'bytes outside every function are no padding' } as const;
      findings.add(kind, () => locate(region, offset));
    }
  }
  return padding;
}

/** Kernels and functions begin in code that was looked at, which nothing changes at load. */
function checkPlaces(codeObject: CodeObject, regions: readonly CodeRegion[], findings: FindingList): void {
  const isCode = (vaddr: bigint): boolean =>
    regions.some((region) => vaddr >= region.vaddr && vaddr < region.vaddr + BigInt(region.bytes.length));
  for (const { name, entryVaddr } of codeObject.kernels) {
    if (isCode(entryVaddr)) continue;
    const kind = { rule: 'layout', severity: 'blocker', message: 'a kernel begins outside the executable segments' } as const;
    findings.add(kind, () => ({ symbol: name }));
  }
  for (const { name, type, value, sectionIndex } of codeObject.symbols) {
    if (sectionIndex === 0 || !FUNCTION_TYPES.has(type) || isCode(value)) continue;
    const kind = { rule: 'layout', severity: 'blocker', message: 'a function begins outside the executable segments' } as const;
    findings.add(kind, () => ({ symbol: name }));
  }
  for (const { vaddr } of codeObject.elf.relocations) {
    // The last of the 8 bytes that one writes at most, too.
    const region = regions.find((one) => vaddr + 8n > one.vaddr && vaddr < one.vaddr + BigInt(one.bytes.length));
    if (region === undefined) continue;
    const place = locate(region, Number(vaddr - region.vaddr));
    if (region.sections.some(({ name, isCode: holdsCode }) => name === place.section && !holdsCode)) continue;
    const kind = { rule: 'layout', severity: 'doubt', message: 'a relocation changes code when it is loaded' } as const;
    findings.add(kind, () => place);
  }
}
