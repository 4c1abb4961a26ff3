import {
  ELF_HEADER_BYTES,
  PF_R,
  PF_W,
  PF_X,
  PROGRAM_HEADER_BYTES,
  PT_DYNAMIC,
  PT_GNU_RELRO,
  PT_GNU_STACK,
  PT_LOAD,
  PT_NOTE,
  PT_PHDR,
  SHF_ALLOC,
  SHF_EXECINSTR,
  SHF_WRITE,
  SHT_NOBITS,
  SHT_NOTE,
} from '../elf/elf-constants.js';
import { alignUp } from '../internal/align-up.js';
import type { ProgramHeaderFields } from './elf-structs.js';
import { isRelro, type OutputSection } from './output-sections.js';

/** Page size that LLD lays AMDGPU files out for. */
const PAGE_BYTES = 0x1000;

/** A program header and the sections it spans. */
interface Segment {
  readonly type: number;
  readonly flags: number;
  readonly sections: readonly OutputSection[];
  readonly align: number;
  /** The first PT_LOAD also spans the ELF header and the program headers. */
  readonly hasHeaders: boolean;
}

/** Addresses and file offsets, given to the sections as in LLD. */
export interface FileLayout {
  readonly programHeaders: readonly ProgramHeaderFields[];
  readonly sectionHeaderOffset: number;
}

/**
 * Lays sections out (in their final order; `.relro_padding` is sized here): every PT_LOAD begins on a page of its own in
 * memory, at an address that has the file offset's low bits, so that the file needs no padding.
 */
export function layOut(sections: readonly OutputSection[]): FileLayout {
  const segments = planSegments(sections);
  const headerBytes = ELF_HEADER_BYTES + PROGRAM_HEADER_BYTES * segments.length;
  const loads = segments.filter((segment) => segment.type === PT_LOAD);
  assignAddresses(sections, loads, headerBytes);
  // A segment of empty sections keeps its place among the addresses, but has no header.
  const kept = segments.filter((segment) => segment.type !== PT_LOAD || segment.hasHeaders || memBytes(segment) > 0);
  const end = assignFileOffsets(sections, kept, headerBytes);
  return { programHeaders: kept.map((segment) => describe(segment, headerBytes)), sectionHeaderOffset: alignUp(end, 8) };
}

function planSegments(sections: readonly OutputSection[]): Segment[] {
  const allocated = sections.filter((section) => (section.flags & SHF_ALLOC) !== 0);
  const relro = allocated.filter(isRelro);
  const plain = { align: 1, hasHeaders: false };
  // They lie side by side.
  const notes = splitRuns(
    allocated.filter((section) => section.type === SHT_NOTE),
    (section, before) => section.align === before.align,
  );
  return [
    { ...plain, type: PT_PHDR, flags: PF_R, sections: [], align: 8 },
    ...planLoads(allocated),
    { ...plain, type: PT_DYNAMIC, flags: PF_R | PF_W, sections: allocated.filter(({ name }) => name === '.dynamic') },
    { ...plain, type: PT_GNU_RELRO, flags: PF_R, sections: relro },
    { ...plain, type: PT_GNU_STACK, flags: PF_R | PF_W, sections: [], align: 0 },
    ...notes.map((run) => ({ ...plain, type: PT_NOTE, flags: PF_R, sections: run })),
  ];
}

function planLoads(allocated: readonly OutputSection[]): Segment[] {
  const runs = splitRuns(allocated, (section, before) => {
    const hasGap = before.type === SHT_NOBITS && section.type !== SHT_NOBITS;
    return segmentFlags(section) === segmentFlags(before) && !hasGap && !(isRelro(before) && !isRelro(section));
  });
  return runs.map((run, index) => ({
    type: PT_LOAD,
    flags: run[0] ? segmentFlags(run[0]) : PF_R,
    sections: run,
    align: PAGE_BYTES,
    // The dynamic symbols, which every linked file has, come after the headers and are read-only like them.
    hasHeaders: index === 0,
  }));
}

/** Cuts a list where `continues` says that an element does not go with the one before it. */
function splitRuns<T>(items: readonly T[], continues: (item: T, before: T) => boolean): T[][] {
  const runs: T[][] = [];
  let before: T | undefined;
  for (const item of items) {
    if (before !== undefined && continues(item, before)) runs.at(-1)?.push(item);
    else runs.push([item]);
    before = item;
  }
  return runs;
}

function segmentFlags({ flags }: OutputSection): number {
  return PF_R | ((flags & SHF_WRITE) !== 0 ? PF_W : 0) | ((flags & SHF_EXECINSTR) !== 0 ? PF_X : 0);
}

function assignAddresses(sections: readonly OutputSection[], loads: readonly Segment[], headerBytes: number): void {
  let dot = headerBytes;
  for (const section of sections) {
    if ((section.flags & SHF_ALLOC) === 0) continue;
    const isFirst = loads.some((load) => !load.hasHeaders && load.sections[0] === section);
    if (isFirst) dot = alignUp(dot, PAGE_BYTES) + (dot % PAGE_BYTES);
    dot = alignUp(dot, section.align);
    section.vaddr = dot;
    // The padding takes up the rest of the page, which nobody else uses: the next segment begins on another page.
    if (section.name === '.relro_padding') section.sizeBytes = alignUp(dot, PAGE_BYTES) - dot;
    else dot += section.sizeBytes;
  }
}

function assignFileOffsets(sections: readonly OutputSection[], kept: readonly Segment[], headerBytes: number): number {
  let end = headerBytes;
  for (const section of sections) {
    if ((section.flags & SHF_ALLOC) === 0) continue;
    const load = kept.find((segment) => segment.type === PT_LOAD && segment.sections.includes(section));
    const first = load?.hasHeaders === true ? undefined : load?.sections[0];
    if (first === section) {
      const align = Math.max(section.align, PAGE_BYTES, ...(load?.sections ?? []).map((other) => other.align));
      section.fileOffset = end + ((((section.vaddr - end) % align) + align) % align);
    } else if (section.type === SHT_NOBITS) {
      section.fileOffset = end;
    } else if (load === undefined) {
      section.fileOffset = alignUp(end, section.align);
    } else {
      // With the headers in the segment, offsets are addresses.
      section.fileOffset = first === undefined ? section.vaddr : first.fileOffset + section.vaddr - first.vaddr;
    }
    end = section.fileOffset + (section.type === SHT_NOBITS ? 0 : section.sizeBytes);
  }
  for (const section of sections) {
    if ((section.flags & SHF_ALLOC) !== 0) continue;
    section.fileOffset = alignUp(end, section.align);
    end = section.fileOffset + section.sizeBytes;
  }
  return end;
}

function memBytes({ sections }: Segment): number {
  const [first, last] = [sections[0], sections.at(-1)];
  return first === undefined || last === undefined ? 0 : last.vaddr + last.sizeBytes - first.vaddr;
}

function describe(segment: Segment, headerBytes: number): ProgramHeaderFields {
  const { type, flags, sections, hasHeaders } = segment;
  if (type === PT_PHDR) {
    const bytes = headerBytes - ELF_HEADER_BYTES;
    return { type, flags, fileOffset: ELF_HEADER_BYTES, vaddr: ELF_HEADER_BYTES, fileBytes: bytes, memBytes: bytes, align: 8 };
  }
  const align = type === PT_GNU_RELRO ? 1 : Math.max(segment.align, ...sections.map((section) => section.align));
  const [first, last] = [sections[0], sections.at(-1)];
  const start = hasHeaders || first === undefined ? { fileOffset: 0, vaddr: 0 } : first;
  const end = last ?? { fileOffset: 0, vaddr: 0, sizeBytes: 0, type: 0 };
  return {
    type,
    flags,
    fileOffset: start.fileOffset,
    vaddr: start.vaddr,
    fileBytes: end.fileOffset + (end.type === SHT_NOBITS ? 0 : end.sizeBytes) - start.fileOffset,
    memBytes: end.vaddr + end.sizeBytes - start.vaddr,
    align,
  };
}
