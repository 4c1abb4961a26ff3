import type { CodeObject } from '@doorbell/code-object';
import {
  PF_X,
  PT_LOAD,
  SHF_ALLOC,
  SHF_EXECINSTR,
  SHT_NOBITS,
  STT_AMDGPU_HSA_KERNEL,
  STT_FUNC,
  STT_NOTYPE,
} from '@doorbell/code-object';

/** Code of one function or kernel, in offsets of its region. */
export interface CodeExtent {
  /** Symbol; empty for bytes that no symbol covers. */
  readonly symbol: string;
  readonly start: number;
  readonly end: number;
  /** Lanes of the kernel that begins here; undefined for a function, which waves of every size of the file's kernels may run. */
  readonly waveSize: 32 | 64 | undefined;
}

/** An executable segment. */
export interface CodeRegion {
  readonly bytes: Uint8Array;
  /** Virtual address of the first byte. */
  readonly vaddr: bigint;
  /** By start; they may overlap. */
  readonly extents: readonly CodeExtent[];
  /** What lies between them, but for the data in the segment. */
  readonly gaps: readonly ByteRange[];
  /** Symbols lie over each other: the extents together are several times the region. */
  readonly isOverlaid: boolean;
  /** By start. */
  readonly sections: readonly SectionPart[];
}

interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A section of a segment, in offsets of the segment. */
interface SectionPart extends ByteRange {
  readonly name: string;
  readonly isCode: boolean;
}

/** Symbols of functions and kernels. */
export const FUNCTION_TYPES: ReadonlySet<number> = new Set([STT_FUNC, STT_AMDGPU_HSA_KERNEL]);
/** Aliases and nested labels are usual; more than this is not what a compiler writes. */
const MAX_OVERLAY = 4;

/** Everything that waves can execute. What loaders map counts, not what the section table says. */
export function codeRegions(codeObject: CodeObject): readonly CodeRegion[] {
  const { elf, bytes } = codeObject;
  return elf.programHeaders
    .filter(({ type, flags, fileBytes }) => type === PT_LOAD && (flags & PF_X) !== 0 && fileBytes > 0n)
    .map(({ vaddr, fileOffset, fileBytes }) => {
      const start = Number(fileOffset);
      const code = bytes.subarray(start, start + Number(fileBytes));
      const sections = sectionsOf(codeObject, start, code.length);
      const { extents, gaps, isOverlaid } = findExtents(codeObject, vaddr, code.length);
      // A section with a function in it is code, whatever its flags say.
      const data = sections.filter((one) => !one.isCode && !extents.some(({ start: at }) => at >= one.start && at < one.end));
      return { bytes: code, vaddr, extents, gaps: gaps.flatMap((gap) => without(gap, data)), isOverlaid, sections };
    });
}

/** Where an offset of a region lies, as people look for it. */
export function locate(region: CodeRegion, offset: number): { readonly section: string; readonly offset: number } {
  const section = region.sections.find(({ start, end }) => offset >= start && offset < end);
  if (section === undefined) return { section: `segment at 0x${region.vaddr.toString(16)}`, offset };
  return { section: section.name, offset: offset - section.start };
}

function sectionsOf({ elf }: CodeObject, start: number, length: number): readonly SectionPart[] {
  const parts: SectionPart[] = [];
  for (const { name, type, flags, fileOffset, sizeBytes } of elf.sections) {
    if ((flags & BigInt(SHF_ALLOC)) === 0n || type === SHT_NOBITS || sizeBytes === 0n) continue;
    const from = Number(fileOffset) - start;
    const to = from + Number(sizeBytes);
    if (from >= 0 && to <= length) parts.push({ name, start: from, end: to, isCode: (flags & BigInt(SHF_EXECINSTR)) !== 0n });
  }
  return parts.sort((a, b) => a.start - b.start);
}

/** What is left of a range without others, which are in order. */
function without(range: ByteRange, others: readonly ByteRange[]): readonly ByteRange[] {
  const left: ByteRange[] = [];
  let { start } = range;
  for (const other of others) {
    if (other.end <= start || other.start >= range.end) continue;
    if (other.start > start) left.push({ start, end: other.start });
    start = Math.max(start, other.end);
  }
  if (start < range.end) left.push({ start, end: range.end });
  return left;
}

/** The extents of one region, and what lies between them. */
function findExtents(codeObject: CodeObject, vaddr: bigint, length: number): Pick<CodeRegion, 'extents' | 'gaps' | 'isOverlaid'> {
  const starts = new Map<number, { symbol: string; sizeBytes: number; waveSize: 32 | 64 | undefined }>();
  const end = vaddr + BigInt(length);
  for (const { name, value, sizeBytes, type, sectionIndex } of codeObject.symbols) {
    if (sectionIndex === 0 || value < vaddr || value >= end) continue;
    // Labels that assemblers leave are no functions.
    const isCode = FUNCTION_TYPES.has(type) || (type === STT_NOTYPE && sizeBytes > 0n);
    if (!isCode) continue;
    const start = Number(value - vaddr);
    const size = Number(sizeBytes < end - value ? sizeBytes : end - value);
    const known = starts.get(start);
    if (known === undefined || known.sizeBytes < size) starts.set(start, { symbol: name, sizeBytes: size, waveSize: undefined });
  }
  for (const { name, entryVaddr, waveSize } of codeObject.kernels) {
    if (entryVaddr < vaddr || entryVaddr >= end) continue;
    const start = Number(entryVaddr - vaddr);
    const known = starts.get(start);
    // Two kernels of different wave sizes may share their code.
    const isShared = known?.waveSize !== undefined && known.waveSize !== waveSize;
    starts.set(start, {
      symbol: known?.symbol ?? name,
      sizeBytes: known?.sizeBytes ?? 0,
      waveSize: isShared ? undefined : waveSize,
    });
  }
  const ordered = [...starts].sort(([a], [b]) => a - b);
  const extents: CodeExtent[] = [];
  const gaps: ByteRange[] = [];
  let covered = 0;
  let total = 0;
  for (const [i, [start, { symbol, sizeBytes, waveSize }]] of ordered.entries()) {
    // Without a size: up to what comes next.
    const next = ordered[i + 1]?.[0] ?? length;
    const extent = { symbol, start, end: sizeBytes === 0 ? next : start + sizeBytes, waveSize };
    if (start > covered) gaps.push({ start: covered, end: start });
    covered = Math.max(covered, extent.end);
    total += extent.end - extent.start;
    extents.push(extent);
  }
  if (covered < length) gaps.push({ start: covered, end: length });
  return { extents, gaps, isOverlaid: total > length * MAX_OVERLAY };
}
