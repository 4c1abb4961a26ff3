import {
  E_FLAGS,
  E_PHOFF,
  E_SHOFF,
  EI_ABIVERSION,
  PROGRAM_HEADER_BYTES,
  PT_NOTE,
  SECTION_HEADER_BYTES,
  SHF_ALLOC,
  SHT_NOTE,
} from '../elf/elf-constants.js';
import type { ElfFile } from '../elf/elf-types.js';
import { alignUp } from '../internal/align-up.js';
import { badCodeObject } from '../internal/byte-reader.js';
import { ByteWriter } from './byte-writer.js';

/** A byte range of the new file that need not be as it was. */
export interface EditedRange {
  readonly offset: number;
  readonly length: number;
  /** `e_flags`, `note`, … */
  readonly what: string;
}

/** A file with everything that was changed in it. */
export interface EditedElf {
  readonly bytes: Uint8Array;
  /** By offset; they do not overlap. */
  readonly ranges: readonly EditedRange[];
}

/** A field that is overwritten. */
interface Patch {
  readonly offset: number;
  readonly bytes: Uint8Array;
  readonly what: string;
}

/** What is added behind the file is aligned so. */
const APPEND_ALIGN = 16;

/** Elf64_Nhdr: n_namesz, n_descsz, n_type. */
const NOTE_HEADER_BYTES = 12;

/**
 * Changes an ELF file without moving anything: fields are overwritten in place, and what grows is added at the end. Every
 * byte that it changes is declared. The file that it is made for stays as it is.
 */
export class ElfEditor {
  readonly #elf: ElfFile;
  readonly #view: DataView;
  readonly #patches: Patch[] = [];
  readonly #added: { readonly offset: number; readonly bytes: Uint8Array; readonly what: string }[] = [];
  #end: number;

  constructor(elf: ElfFile) {
    this.#elf = elf;
    this.#view = new DataView(elf.bytes.buffer, elf.bytes.byteOffset, elf.bytes.byteLength);
    this.#end = elf.bytes.length;
  }

  /** Sets e_flags. */
  setFlags(flags: number): void {
    this.patch(E_FLAGS, new ByteWriter().u32(flags).finish(), 'e_flags');
  }

  /** Sets e_ident[EI_ABIVERSION]. */
  setAbiVersion(version: number): void {
    this.patch(EI_ABIVERSION, Uint8Array.of(version), 'EI_ABIVERSION');
  }

  /** Overwrites bytes of the file; bytes that stay the same are not declared. */
  patch(offset: number, bytes: Uint8Array, what: string): void {
    const old = this.#elf.bytes.subarray(offset, offset + bytes.length);
    if (old.length !== bytes.length) throw badCodeObject(`${what} at offset ${offset} lies outside the file`);
    if (bytes.some((byte, i) => byte !== old[i])) this.#patches.push({ offset, bytes, what });
  }

  /** Adds bytes behind the file, and gives their offset. */
  append(bytes: Uint8Array, what: string): number {
    const offset = alignUp(this.#end, APPEND_ALIGN);
    this.#added.push({ offset, bytes, what });
    this.#end = offset + bytes.length;
    return offset;
  }

  /**
   * Gives a note another description. One that takes as many bytes is written in place; else all notes of its segment or
   * section are written again at the end, where the headers then point. There they are no longer part of the loaded image.
   *
   * @param description the note's, a view of the file's bytes.
   */
  replaceNote(description: Uint8Array, replacement: Uint8Array, what: string): void {
    const start = description.byteOffset - this.#elf.bytes.byteOffset;
    const ranges = this.#noteRanges(start, start + description.length);
    const [first] = ranges;
    if (first === undefined) throw badCodeObject(`the note at offset ${start} lies in no note segment or section`);
    const { align } = first;
    const isEqual = replacement.length === description.length;
    const oldBytes = isEqual ? description.length : alignUp(description.length, align);
    if (isEqual || (alignUp(replacement.length, align) === oldBytes && start + oldBytes <= first.end)) {
      this.#patchNote(first, replacement, { start, what, oldBytes });
      return;
    }
    for (const range of ranges) {
      const { bytes } = this.#elf;
      const out = new ByteWriter().bytes(bytes.subarray(range.start, start)).bytes(replacement);
      out.padTo(alignUp(out.length, align));
      const rest = Math.min(range.end, start + oldBytes);
      out.bytes(bytes.subarray(rest, range.end));
      out.patch(this.#sizeFieldOf(range, start) - range.start, new ByteWriter().u32(replacement.length).finish());
      this.#moveNotes(range, this.append(out.finish(), what), out.length);
    }
  }

  /** The changed file. */
  finish(): EditedElf {
    const bytes = new Uint8Array(this.#end);
    bytes.set(this.#elf.bytes);
    for (const { offset, bytes: part } of [...this.#patches, ...this.#added]) bytes.set(part, offset);
    const ranges = [...this.#patches, ...this.#added].map(({ offset, bytes: { length }, what }) => ({ offset, length, what }));
    // The gaps before what was added are new too.
    for (const [i, { offset }] of this.#added.entries()) {
      const before = this.#added[i - 1];
      const gapStart = before === undefined ? this.#elf.bytes.length : before.offset + before.bytes.length;
      if (offset > gapStart) ranges.push({ offset: gapStart, length: offset - gapStart, what: 'padding' });
    }
    return { bytes, ranges: ranges.sort((a, b) => a.offset - b.offset) };
  }

  #patchNote(
    range: NoteRange,
    replacement: Uint8Array,
    { start, what, oldBytes }: { start: number; what: string; oldBytes: number },
  ): void {
    this.patch(this.#sizeFieldOf(range, start), new ByteWriter().u32(replacement.length).finish(), 'note size');
    const padded = new ByteWriter().bytes(replacement);
    padded.padTo(oldBytes);
    const next = padded.finish();
    const old = this.#elf.bytes.subarray(start, start + oldBytes);
    // Only what differs.
    const from = next.findIndex((byte, i) => byte !== old[i]);
    const to = next.findLastIndex((byte, i) => byte !== old[i]);
    if (from >= 0) this.patch(start + from, next.subarray(from, to + 1), what);
  }

  /** Offset of n_descsz of the note whose description begins at `start`: notes are walked, as their owners' names differ in length. */
  #sizeFieldOf({ start: from, end, align }: NoteRange, start: number): number {
    for (let at = from; at + NOTE_HEADER_BYTES <= end; ) {
      const descriptionAt = alignUp(at - from + NOTE_HEADER_BYTES + this.#view.getUint32(at, true), align) + from;
      if (descriptionAt === start) return at + 4;
      at = alignUp(descriptionAt - from + this.#view.getUint32(at + 4, true), align) + from;
    }
    throw badCodeObject(`no note has its description at offset ${start}`);
  }

  /** Note segments and sections that hold these bytes, each place once. */
  #noteRanges(start: number, end: number): readonly NoteRange[] {
    const { programHeaders, sections } = this.#elf;
    const programAt = Number(this.#view.getBigUint64(E_PHOFF, true));
    const sectionAt = Number(this.#view.getBigUint64(E_SHOFF, true));
    const ranges = new Map<string, NoteRange>();
    const add = (header: { offset: bigint; size: bigint; align: bigint }, place: HeaderPlace): void => {
      const from = Number(header.offset);
      const to = from + Number(header.size);
      if (start < from || end > to) return;
      const key = `${from} ${to}`;
      const known = ranges.get(key);
      if (known !== undefined) known.headers.push(place);
      else ranges.set(key, { start: from, end: to, align: header.align === 8n ? 8 : 4, headers: [place] });
    };
    programHeaders.forEach(({ type, fileOffset: offset, fileBytes: size, align }, index) => {
      if (type === PT_NOTE) add({ offset, size, align }, { kind: 'segment', at: programAt + index * PROGRAM_HEADER_BYTES });
    });
    sections.forEach(({ type, fileOffset: offset, sizeBytes: size, align }, index) => {
      if (type === SHT_NOTE) add({ offset, size, align }, { kind: 'section', at: sectionAt + index * SECTION_HEADER_BYTES });
    });
    return [...ranges.values()];
  }

  /** Points the headers of a range to its new place, which is in no loaded segment: no address, no bytes in memory. */
  #moveNotes({ headers }: NoteRange, offset: number, size: number): void {
    for (const { kind, at } of headers) {
      if (kind === 'segment') {
        // p_offset, p_vaddr, p_paddr, p_filesz, p_memsz
        const fields = new ByteWriter().u64(offset).u64(0).u64(0).u64(size).u64(0).finish();
        this.patch(at + 8, fields, 'PT_NOTE program header');
      } else {
        // sh_flags, sh_addr, sh_offset, sh_size
        const flags = this.#view.getBigUint64(at + 8, true) & ~BigInt(SHF_ALLOC);
        const fields = new ByteWriter().u64(flags).u64(0).u64(offset).u64(size).finish();
        this.patch(at + 8, fields, '.note section header');
      }
    }
  }
}

interface HeaderPlace {
  readonly kind: 'segment' | 'section';
  /** Offset of the header. */
  readonly at: number;
}

/** A place with notes, and the headers that describe it. */
interface NoteRange {
  readonly start: number;
  readonly end: number;
  readonly align: number;
  readonly headers: HeaderPlace[];
}
