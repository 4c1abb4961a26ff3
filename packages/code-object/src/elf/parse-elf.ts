import { alignUp } from '../internal/align-up.js';
import { badCodeObject, ByteReader, hex } from '../internal/byte-reader.js';
import {
  ELF_HEADER_BYTES,
  PROGRAM_HEADER_BYTES,
  PT_LOAD,
  PT_NOTE,
  SECTION_HEADER_BYTES,
  SHN_XINDEX,
  SHT_DYNSYM,
  SHT_NOTE,
  SHT_RELR,
  SHT_STRTAB,
  SHT_SYMTAB,
} from './elf-constants.js';
import type { ElfFile, ElfHeader, ElfNote, ProgramHeader, SectionHeader } from './elf-types.js';
import { dynamicSymbols, dynamicTables } from './dynamic-section.js';
import { readRelocations, readRelocationTable } from './relocations.js';
import { NameTable, readSymbols } from './symbols.js';

/** More program headers than this is not a code object: linkers write about ten. */
const MAX_PROGRAM_HEADERS = 128;
const MAX_NOTES = 4096;

/**
 * Reads the headers and tables of a 64-bit little-endian ELF file. Everything is bounds-checked; nothing is interpreted
 * beyond ELF itself.
 *
 * @throws {HsaError} ERR_CODE_OBJECT
 */
export function parseElf(bytes: Uint8Array): ElfFile {
  const reader = new ByteReader(bytes);
  const layout = readHeader(reader);
  const sections = readSections(reader, layout);
  const programHeaders = readProgramHeaders(reader, layout, sections);
  const dynamic = dynamicTables(reader, programHeaders);
  const names = new NameTable(reader);
  const symtab = readSymbolSection(reader, names, sections, SHT_SYMTAB);
  const hasDynsym = sections.some((section) => section.type === SHT_DYNSYM);
  const dynsym = hasDynsym ? readSymbolSection(reader, names, sections, SHT_DYNSYM) : dynamicSymbols(reader, names, dynamic);
  if (dynamic.hasRelr || sections.some((section) => section.type === SHT_RELR && section.sizeBytes > 0n)) {
    throw badCodeObject(
      'the file has packed relative relocations (RELR), which AMDGPU loaders do not apply; link without -z pack-relative-relocs',
    );
  }
  const relocations =
    sections.length > 0
      ? readRelocations(reader, sections, symtab, dynsym)
      : dynamic.rela === undefined
        ? []
        : readRelocationTable(reader, dynamic.rela, dynsym);
  return {
    bytes,
    header: layout.header,
    programHeaders,
    sections,
    symtab,
    dynsym,
    notes: readNotes(reader, programHeaders, sections),
    relocations,
  };
}

/**
 * The header of a 64-bit little-endian ELF file.
 *
 * @throws {HsaError} ERR_CODE_OBJECT
 */
export function readElfHeader(bytes: Uint8Array): ElfHeader {
  return readHeader(new ByteReader(bytes)).header;
}

/**
 * The section headers of a 64-bit little-endian ELF file for whatever machine.
 *
 * @throws {HsaError} ERR_CODE_OBJECT
 */
export function readElfSections(bytes: Uint8Array): readonly SectionHeader[] {
  const reader = new ByteReader(bytes);
  return readSections(reader, readHeader(reader));
}

interface HeaderLayout {
  readonly header: ElfHeader;
  readonly programOffset: bigint;
  readonly programCount: number;
  readonly sectionOffset: bigint;
  readonly sectionCount: number;
  readonly nameSection: number;
}

/** Elf64_Ehdr of the ELF-64 object file format. */
function readHeader(reader: ByteReader): HeaderLayout {
  if (reader.length < 4 || reader.u32(0, 'ELF magic') !== 0x464c457f) {
    throw badCodeObject(`not an ELF file: it begins with ${firstBytes(reader)} (${reader.length} bytes)`);
  }
  if (reader.length < ELF_HEADER_BYTES) {
    throw badCodeObject(`the file ends inside the ELF header (${reader.length} of ${ELF_HEADER_BYTES} bytes)`);
  }
  const fileClass = reader.u8(4, 'EI_CLASS');
  if (fileClass !== 2) throw badCodeObject(`a code object is a 64-bit ELF file (EI_CLASS 2); this one has EI_CLASS ${fileClass}`);
  const encoding = reader.u8(5, 'EI_DATA');
  if (encoding !== 1) throw badCodeObject(`a code object is little-endian (EI_DATA 1); this one has EI_DATA ${encoding}`);
  const programCount = reader.u16(56, 'e_phnum');
  const programEntry = reader.u16(54, 'e_phentsize');
  if (programCount > 0 && programEntry !== PROGRAM_HEADER_BYTES) {
    throw badCodeObject(`e_phentsize is ${programEntry}; ELF-64 has ${PROGRAM_HEADER_BYTES}`);
  }
  const sectionOffset = reader.u64(40, 'e_shoff');
  const sectionEntry = reader.u16(58, 'e_shentsize');
  if (sectionOffset !== 0n && sectionEntry !== SECTION_HEADER_BYTES) {
    throw badCodeObject(`e_shentsize is ${sectionEntry}; ELF-64 has ${SECTION_HEADER_BYTES}`);
  }
  return {
    header: {
      osAbi: reader.u8(7, 'EI_OSABI'),
      abiVersion: reader.u8(8, 'EI_ABIVERSION'),
      type: reader.u16(16, 'e_type'),
      machine: reader.u16(18, 'e_machine'),
      entry: reader.u64(24, 'e_entry'),
      flags: reader.u32(48, 'e_flags'),
    },
    programOffset: reader.u64(32, 'e_phoff'),
    programCount,
    sectionOffset,
    sectionCount: reader.u16(60, 'e_shnum'),
    nameSection: reader.u16(62, 'e_shstrndx'),
  };
}

function readProgramHeaders(reader: ByteReader, layout: HeaderLayout, sections: readonly SectionHeader[]): ProgramHeader[] {
  // PN_XNUM: the true count is in section 0 (gABI, e_phnum).
  const count = layout.programCount === 0xffff ? (sections[0]?.info ?? 0xffff) : layout.programCount;
  if (count > MAX_PROGRAM_HEADERS)
    throw badCodeObject(`the file claims ${count} program headers; at most ${MAX_PROGRAM_HEADERS} are read`);
  const table = reader.range(layout.programOffset, BigInt(count * PROGRAM_HEADER_BYTES), 'program header table');
  const headers: ProgramHeader[] = [];
  for (let index = 0; index < count; index++) {
    const at = table.start + index * PROGRAM_HEADER_BYTES;
    const header: ProgramHeader = {
      type: reader.u32(at, 'p_type'),
      flags: reader.u32(at + 4, 'p_flags'),
      fileOffset: reader.u64(at + 8, 'p_offset'),
      vaddr: reader.u64(at + 16, 'p_vaddr'),
      fileBytes: reader.u64(at + 32, 'p_filesz'),
      memBytes: reader.u64(at + 40, 'p_memsz'),
      align: reader.u64(at + 48, 'p_align'),
    };
    // Bytes that are in the file but never in memory would be read here and not be there when the kernel runs.
    if (header.type === PT_LOAD && header.fileBytes > header.memBytes) {
      throw badCodeObject(
        `the segment at ${hex(header.vaddr)} has ${header.fileBytes} bytes in the file, but only ${header.memBytes} in memory`,
      );
    }
    headers.push(header);
  }
  return headers;
}

function readSections(reader: ByteReader, layout: HeaderLayout): SectionHeader[] {
  if (layout.sectionOffset === 0n) return [];
  const first = reader.range(layout.sectionOffset, BigInt(SECTION_HEADER_BYTES), 'section header table').start;
  // Extended numbering: the true count and name section are in section 0 (gABI, e_shnum, e_shstrndx).
  const count = layout.sectionCount === 0 ? reader.u64(first + 32, 'sh_size of section 0') : BigInt(layout.sectionCount);
  const table = reader.range(layout.sectionOffset, count * BigInt(SECTION_HEADER_BYTES), 'section header table');
  const nameIndex = layout.nameSection === SHN_XINDEX ? reader.u32(first + 40, 'sh_link of section 0') : layout.nameSection;
  const rows: (Omit<SectionHeader, 'name'> & { readonly nameOffset: number })[] = [];
  for (let at = table.start; at < table.start + table.sizeBytes; at += SECTION_HEADER_BYTES) {
    rows.push({
      nameOffset: reader.u32(at, 'sh_name'),
      type: reader.u32(at + 4, 'sh_type'),
      flags: reader.u64(at + 8, 'sh_flags'),
      vaddr: reader.u64(at + 16, 'sh_addr'),
      fileOffset: reader.u64(at + 24, 'sh_offset'),
      sizeBytes: reader.u64(at + 32, 'sh_size'),
      link: reader.u32(at + 40, 'sh_link'),
      info: reader.u32(at + 44, 'sh_info'),
      align: reader.u64(at + 48, 'sh_addralign'),
      entryBytes: reader.u64(at + 56, 'sh_entsize'),
    });
  }
  const nameRow = rows[nameIndex];
  const nameRange =
    nameIndex !== 0 && nameRow?.type === SHT_STRTAB
      ? reader.range(nameRow.fileOffset, nameRow.sizeBytes, 'section name table')
      : undefined;
  const names = new NameTable(reader);
  return rows.map(({ nameOffset, ...row }) => ({
    name: nameRange ? names.read(nameRange, nameOffset, 'section name') : '',
    ...row,
  }));
}

function readSymbolSection(
  reader: ByteReader,
  names: NameTable,
  sections: readonly SectionHeader[],
  type: number,
): ReturnType<typeof readSymbols> {
  const section = sections.find((candidate) => candidate.type === type);
  if (!section) return [];
  const what = type === SHT_SYMTAB ? '.symtab' : '.dynsym';
  const strings = sections[section.link];
  if (strings?.type !== SHT_STRTAB) throw badCodeObject(`${what} links to section ${section.link}, which is not a string table`);
  return readSymbols(
    reader,
    names,
    reader.range(section.fileOffset, section.sizeBytes, what),
    reader.range(strings.fileOffset, strings.sizeBytes, `string table of ${what}`),
    what,
  );
}

/** Notes of the PT_NOTE segments, or of the SHT_NOTE sections when there are none. */
function readNotes(reader: ByteReader, programHeaders: readonly ProgramHeader[], sections: readonly SectionHeader[]): ElfNote[] {
  const segments = programHeaders.filter((header) => header.type === PT_NOTE);
  const ranges =
    segments.length > 0
      ? segments.map((header) => ({ fileOffset: header.fileOffset, sizeBytes: header.fileBytes, align: header.align }))
      : sections.filter((section) => section.type === SHT_NOTE);
  const notes: ElfNote[] = [];
  const seen = new Set<bigint>();
  for (const range of ranges) {
    if (seen.has(range.fileOffset)) continue;
    seen.add(range.fileOffset);
    const { start, sizeBytes } = reader.range(range.fileOffset, range.sizeBytes, 'note segment');
    readNoteRange(reader, start, start + sizeBytes, range.align === 8n ? 8 : 4, notes);
  }
  return notes;
}

/** Elf64_Nhdr entries: name size, description size, type, then both padded to `align` (gABI, "Note Section"). */
function readNoteRange(reader: ByteReader, start: number, end: number, align: number, notes: ElfNote[]): void {
  let at = start;
  while (at + 12 <= end) {
    if (notes.length === MAX_NOTES) throw badCodeObject(`the file has more than ${MAX_NOTES} notes`);
    const nameBytes = reader.u32(at, 'note name size');
    const descriptionBytes = reader.u32(at + 4, 'note description size');
    const type = reader.u32(at + 8, 'note type');
    const nameAt = at + 12;
    const descriptionAt = alignUp(nameAt + nameBytes - start, align) + start;
    if (descriptionAt + descriptionBytes > end) {
      throw badCodeObject(
        `the note at offset ${hex(at)} (name ${nameBytes} bytes, description ${descriptionBytes} bytes) reaches beyond its segment's end at ${hex(end)}`,
      );
    }
    if (nameBytes > 256) throw badCodeObject(`the note at offset ${hex(at)} has an owner name of ${nameBytes} bytes`);
    notes.push({
      name: reader.text(nameAt, nameBytes, 'note name').replace(/\0+$/, ''),
      type,
      description: reader.slice(descriptionAt, descriptionBytes, 'note description'),
    });
    at = alignUp(descriptionAt + descriptionBytes - start, align) + start;
  }
}

function firstBytes(reader: ByteReader): string {
  const shown = Array.from(reader.bytes.subarray(0, 4), (byte) => byte.toString(16).padStart(2, '0'));
  return shown.length === 0 ? 'nothing' : shown.join(' ');
}
