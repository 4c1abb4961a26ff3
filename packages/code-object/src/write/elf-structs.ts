/** Writers of the ELF-64 structures (System V gABI, "Object Files"). */
import { EM_AMDGPU, ELF_HEADER_BYTES, PROGRAM_HEADER_BYTES, SECTION_HEADER_BYTES } from '../elf/elf-constants.js';
import type { ByteWriter } from './byte-writer.js';

/** What differs between the ELF headers of AMDGPU files. */
export interface ElfHeaderFields {
  readonly osAbi: number;
  readonly abiVersion: number;
  readonly type: number;
  readonly flags: number;
  readonly programHeaders: number;
  readonly sectionHeaderOffset: number;
  readonly sections: number;
  readonly nameSection: number;
}

/** Elf64_Ehdr; the program headers follow it at once. */
export function writeElfHeader(out: ByteWriter, fields: ElfHeaderFields): void {
  out.u32(0x464c457f).u8(2).u8(1).u8(1).u8(fields.osAbi).u8(fields.abiVersion).zeros(7);
  out.u16(fields.type).u16(EM_AMDGPU).u32(1).u64(0);
  out.u64(ELF_HEADER_BYTES).u64(fields.sectionHeaderOffset).u32(fields.flags);
  out.u16(ELF_HEADER_BYTES).u16(PROGRAM_HEADER_BYTES).u16(fields.programHeaders);
  out.u16(SECTION_HEADER_BYTES).u16(fields.sections).u16(fields.nameSection);
}

export interface ProgramHeaderFields {
  readonly type: number;
  readonly flags: number;
  readonly fileOffset: number;
  readonly vaddr: number;
  readonly fileBytes: number;
  readonly memBytes: number;
  readonly align: number;
}

/** Elf64_Phdr. */
export function writeProgramHeader(out: ByteWriter, header: ProgramHeaderFields): void {
  out.u32(header.type).u32(header.flags).u64(header.fileOffset).u64(header.vaddr).u64(header.vaddr);
  out.u64(header.fileBytes).u64(header.memBytes).u64(header.align);
}

export interface SectionHeaderFields {
  /** Offset in the section name table. */
  readonly name: number;
  readonly type: number;
  readonly flags: number;
  readonly vaddr: number;
  readonly fileOffset: number;
  readonly sizeBytes: number;
  readonly link: number;
  readonly info: number;
  readonly align: number;
  readonly entryBytes: number;
}

/** Elf64_Shdr. */
export function writeSectionHeader(out: ByteWriter, header: SectionHeaderFields): void {
  out.u32(header.name).u32(header.type).u64(header.flags).u64(header.vaddr).u64(header.fileOffset).u64(header.sizeBytes);
  out.u32(header.link).u32(header.info).u64(header.align).u64(header.entryBytes);
}

export interface SymbolFields {
  /** Offset in the string table. */
  readonly name: number;
  readonly binding: number;
  readonly type: number;
  readonly visibility: number;
  readonly sectionIndex: number;
  readonly value: bigint;
  readonly sizeBytes: bigint;
}

/** Elf64_Sym. */
export function writeSymbol(out: ByteWriter, symbol: SymbolFields): void {
  out
    .u32(symbol.name)
    .u8((symbol.binding << 4) | symbol.type)
    .u8(symbol.visibility)
    .u16(symbol.sectionIndex);
  out.u64(symbol.value).u64(symbol.sizeBytes);
}

export interface RelaFields {
  readonly vaddr: number;
  readonly type: number;
  readonly symbolIndex: number;
  readonly addend: bigint;
}

/** Elf64_Rela. */
export function writeRela(out: ByteWriter, rela: RelaFields): void {
  out.u64(rela.vaddr).u32(rela.type).u32(rela.symbolIndex).u64(rela.addend);
}
