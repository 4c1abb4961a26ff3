/** What an ELF-64 file says, as read; addresses and 64-bit values are `bigint`, file offsets and sizes inside the file numbers. */

export interface ElfHeader {
  /** e_ident[EI_OSABI] and [EI_ABIVERSION]. */
  readonly osAbi: number;
  readonly abiVersion: number;
  /** e_type: 1 relocatable, 2 executable, 3 shared object. */
  readonly type: number;
  readonly machine: number;
  readonly entry: bigint;
  readonly flags: number;
}

export interface ProgramHeader {
  readonly type: number;
  /** PF_X 1, PF_W 2, PF_R 4. */
  readonly flags: number;
  readonly fileOffset: bigint;
  readonly vaddr: bigint;
  readonly fileBytes: bigint;
  readonly memBytes: bigint;
  readonly align: bigint;
}

export interface SectionHeader {
  readonly name: string;
  readonly type: number;
  readonly flags: bigint;
  readonly vaddr: bigint;
  readonly fileOffset: bigint;
  readonly sizeBytes: bigint;
  readonly link: number;
  readonly info: number;
  readonly align: bigint;
  readonly entryBytes: bigint;
}

export interface ElfSymbol {
  readonly name: string;
  readonly value: bigint;
  readonly sizeBytes: bigint;
  /** STT_…: 0 notype, 1 object, 2 function, 3 section, 10 HSA kernel. */
  readonly type: number;
  /** STB_…: 0 local, 1 global, 2 weak. */
  readonly binding: number;
  /** STV_…: 0 default, 1 internal, 2 hidden, 3 protected. */
  readonly visibility: number;
  /** 0 undefined, 0xfff1 absolute, 0xff00 LDS. */
  readonly sectionIndex: number;
}

export interface ElfNote {
  /** Owner, without its NUL. */
  readonly name: string;
  readonly type: number;
  readonly description: Uint8Array;
}

/** One dynamic relocation (Elf64_Rela). */
export interface ElfRelocation {
  /** Virtual address of the place. */
  readonly vaddr: bigint;
  /** R_AMDGPU_… */
  readonly type: number;
  readonly symbolIndex: number;
  /** The symbol; undefined for index 0. */
  readonly symbol?: ElfSymbol;
  readonly addend: bigint;
}

export interface ElfFile {
  readonly bytes: Uint8Array;
  readonly header: ElfHeader;
  readonly programHeaders: readonly ProgramHeader[];
  readonly sections: readonly SectionHeader[];
  /** Symbols of `.symtab`; empty when it was stripped. */
  readonly symtab: readonly ElfSymbol[];
  /** Symbols of `.dynsym`. */
  readonly dynsym: readonly ElfSymbol[];
  readonly notes: readonly ElfNote[];
  /** Dynamic relocations, in file order. */
  readonly relocations: readonly ElfRelocation[];
}
