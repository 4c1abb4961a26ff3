/** Numbers of the ELF-64 object file format and of LLVM's AMDGPUUsage, section "ELF Code Object". */

/** e_machine of AMD GPUs. */
export const EM_AMDGPU = 224;
/** e_ident[EI_OSABI] of code objects for the HSA runtime. */
export const ELFOSABI_AMDGPU_HSA = 64;

/** e_type. */
export const ET_REL = 1;
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
