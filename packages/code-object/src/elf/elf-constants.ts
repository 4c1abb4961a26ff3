/** Numbers of the ELF-64 object file format and of LLVM's AMDGPUUsage, section "ELF Code Object". */

/** e_machine of AMD GPUs. */
export const EM_AMDGPU = 224;
/** e_ident[EI_OSABI] of code objects for the HSA runtime. */
export const ELFOSABI_AMDGPU_HSA = 64;

/** Offsets in the header (Elf64_Ehdr). */
export const EI_ABIVERSION = 8;
export const E_PHOFF = 32;
export const E_SHOFF = 40;
export const E_FLAGS = 48;

/** e_type. */
export const ET_REL = 1;
export const ET_EXEC = 2;
export const ET_DYN = 3;

/** p_type. */
export const PT_LOAD = 1;
export const PT_DYNAMIC = 2;
export const PT_NOTE = 4;

/** p_flags. */
export const PF_X = 1;
export const PF_W = 2;
export const PF_R = 4;

/** sh_type. */
export const SHT_SYMTAB = 2;
export const SHT_STRTAB = 3;
export const SHT_RELA = 4;
export const SHT_NOTE = 7;
export const SHT_REL = 9;
export const SHT_DYNSYM = 11;
export const SHT_RELR = 19;

/** Special section indices; SHN_AMDGPU_LDS: an LDS variable that the linker has not laid out. */
export const SHN_UNDEF = 0;
export const SHN_ABS = 0xfff1;
export const SHN_XINDEX = 0xffff;
export const SHN_AMDGPU_LDS = 0xff00;

/** Symbol binding, and the symbol type of kernels in version 2 objects. */
export const STB_LOCAL = 0;
export const STT_AMDGPU_HSA_KERNEL = 10;

/** d_tag. */
export const DT_NULL = 0n;
export const DT_HASH = 4n;
export const DT_STRTAB = 5n;
export const DT_SYMTAB = 6n;
export const DT_RELA = 7n;
export const DT_RELASZ = 8n;
export const DT_STRSZ = 10n;
export const DT_REL = 17n;
export const DT_RELR = 36n;

/** Note type of the metadata, owner "AMDGPU". */
export const NT_AMDGPU_METADATA = 32;

/** Bytes of the ELF-64 structures. */
export const ELF_HEADER_BYTES = 64;
export const PROGRAM_HEADER_BYTES = 56;
export const SECTION_HEADER_BYTES = 64;
export const SYMBOL_BYTES = 24;
export const RELA_BYTES = 24;
export const DYNAMIC_BYTES = 16;

/** More of p_type: the header table itself, relocated read-only data, permissions of the stack. */
export const PT_PHDR = 6;
export const PT_GNU_STACK = 0x6474_e551;
export const PT_GNU_RELRO = 0x6474_e552;

/** More of sh_type. */
export const SHT_PROGBITS = 1;
export const SHT_HASH = 5;
export const SHT_DYNAMIC = 6;
export const SHT_NOBITS = 8;
export const SHT_INIT_ARRAY = 14;
export const SHT_FINI_ARRAY = 15;
export const SHT_PREINIT_ARRAY = 16;
export const SHT_GNU_HASH = 0x6fff_fff6;

/** sh_flags. */
export const SHF_WRITE = 1;
export const SHF_ALLOC = 2;
export const SHF_EXECINSTR = 4;
export const SHF_MERGE = 0x10;
export const SHF_STRINGS = 0x20;

/** Symbol bindings, types and visibilities. */
export const STB_GLOBAL = 1;
export const STB_WEAK = 2;
export const STT_NOTYPE = 0;
export const STT_OBJECT = 1;
export const STT_FUNC = 2;
export const STV_DEFAULT = 0;
export const STV_INTERNAL = 1;
export const STV_HIDDEN = 2;
export const STV_PROTECTED = 3;

/** More of d_tag. */
export const DT_RELAENT = 9n;
export const DT_SYMENT = 11n;
export const DT_GNU_HASH = 0x6fff_fef5n;
export const DT_RELACOUNT = 0x6fff_fff9n;
