/** What the linker takes: the sections and symbols of one object file. */

/** R_AMDGPU_… (LLVM ELFRelocs/AMDGPU.def). */
export const RELOCATION_TYPES = {
  ABS32_LO: 1,
  ABS32_HI: 2,
  ABS64: 3,
  REL32: 4,
  REL64: 5,
  ABS32: 6,
  GOTPCREL: 7,
  GOTPCREL32_LO: 8,
  GOTPCREL32_HI: 9,
  REL32_LO: 10,
  REL32_HI: 11,
  RELATIVE64: 13,
  REL16: 14,
} as const;

export type RelocationName = keyof typeof RELOCATION_TYPES;

/** Where in a source text something was asked for; counted from 1. */
export interface SourcePlace {
  readonly line: number;
  readonly column: number;
}

/** One section of an object file. */
export interface LinkSection {
  readonly name: string;
  /** SHT_… */
  readonly type: number;
  /** SHF_… */
  readonly flags: number;
  readonly align: number;
  readonly entryBytes: number;
  /** The content; empty for SHT_NOBITS. */
  readonly bytes: Uint8Array;
  readonly sizeBytes: number;
  readonly relocations: readonly LinkRelocation[];
}

export type SymbolPlace =
  | { readonly kind: 'undefined' }
  | { readonly kind: 'absolute'; readonly value: bigint }
  | { readonly kind: 'section'; readonly section: LinkSection; readonly offset: number };

export interface LinkSymbol {
  readonly name: string;
  /** STB_…, STT_…, STV_… */
  readonly binding: number;
  readonly type: number;
  readonly visibility: number;
  readonly sizeBytes: bigint;
  /** Not in the symbol tables: `.L…`. */
  readonly isTemporary: boolean;
  readonly place: SymbolPlace;
}

export interface LinkRelocation {
  /** Bytes from the beginning of the section. */
  readonly offset: number;
  readonly type: RelocationName;
  readonly symbol: LinkSymbol;
  readonly addend: bigint;
  readonly origin: SourcePlace;
}

export interface LinkInput {
  /** EI_ABIVERSION and e_flags. */
  readonly abiVersion: number;
  readonly flags: number;
  /** In the order of the object file. */
  readonly sections: readonly LinkSection[];
  readonly symbols: readonly LinkSymbol[];
}

/** Something that no linker can do. */
export interface LinkProblem {
  readonly message: string;
  readonly hint?: string;
  readonly origin: SourcePlace;
}

export type LinkResult =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly problems: readonly LinkProblem[] };
