/** One generation's instruction table as tools/isa-generator writes it. */
export interface CompressedTable {
  readonly generation: string;
  /** Processor names, separated by spaces. */
  readonly processors: string;
  /** Gives the JSON of the rest of {@link PackedTable}, of `length` characters (see expand.ts): engines make nothing of a function before it is called. */
  text(): string;
  readonly length: number;
}

/** One generation's instruction table: columns of integers in strings, and the parts that they refer to. */
export interface PackedTable {
  /** `gfx11` */
  readonly generation: string;
  /** The encoding family: `gfx9`, `gfx10`, `gfx11`, `gfx12`, `gfx1250`. */
  readonly family: string;
  /** Processor names, separated by spaces. */
  readonly processors: string;
  readonly entryCount: number;
  /** Distinct mnemonics, sorted, front-coded (see vlq.ts). */
  readonly mnemonics: string;
  // One value per entry each (see vlq.ts):
  readonly mnemonic: string;
  readonly format: string;
  readonly opcode: string;
  readonly size: string;
  readonly mask: string;
  readonly value0: string;
  readonly value1: string;
  readonly value2: string;
  readonly value3: string;
  readonly layout: string;
  readonly operandSet: string;
  readonly implicit: string;
  readonly flags: string;
  readonly cpuSet: string;
  readonly waveSize: string;
  readonly true16: string;
  readonly priority: string;
  readonly requirement: string;
  readonly addressDwords: string;
  readonly image: string;
  readonly parts: TableParts;
  readonly facts: TableFacts;
}

/** `[instruction bit, width, operand bit]`: that many instruction bits from there hold the operand bits from there. */
export type FieldSlice = readonly [number, number, number];

/** One operand of the tables; short names as in the ISA description. */
export interface OperandDescription {
  /** Field name. */
  readonly n: string;
  /** Kind: which registers or constants the field can name. */
  readonly k: string;
  /** Width in bits, or what it depends on: `wave`, `dmask`, `dim`. */
  readonly w?: number | string;
  /** Data type, where known. */
  readonly t?: string;
  /** `w` for a result. */
  readonly a?: string;
  /** Shares its register with that operand. */
  readonly tied?: string;
  /** 0: not in the encoding. */
  readonly enc?: number;
  /** A 32-bit literal is allowed by the operand class. */
  readonly lit?: number;
  /** Inline constants are allowed. */
  readonly inl?: number;
  /** Registers that the field may not name. */
  readonly not?: readonly string[];
  /** Only v0…v127. */
  readonly lo128?: number;
  /** Only v0…v255. */
  readonly lo256?: number;
  /** Half register. */
  readonly t16?: number;
  /** Class of an immediate. */
  readonly c?: string;
  readonly packed?: number;
  readonly align2?: number;
  /** Whether this form of an atomic returns the old value. */
  readonly atomic_ret?: number;
}

/** Properties of an image instruction, as TableGen names them. */
export type ImageProperties = Readonly<Record<string, number>>;

/** One operation of a VOPD half: opcode, mnemonic, operands. */
export type VopdOperation = readonly [number, string, readonly OperandDescription[]];

/** VOPD or VOPD3: the operations of both halves and the fields by size in bytes. */
export interface VopdDescription {
  readonly count: number;
  readonly X: readonly VopdOperation[];
  readonly Y: readonly VopdOperation[];
  readonly layout: Readonly<Record<string, Readonly<Record<string, readonly FieldSlice[]>>>>;
}

/** What entries refer to by index. */
export interface TableParts {
  /** Decode tables in the order they are tried: bits, name. */
  readonly tables: readonly (readonly [number, string])[];
  readonly cpuSets: readonly (readonly string[])[];
  /** `VOP3/DPP16`: format and extension. */
  readonly formats: readonly string[];
  /** Four 32-bit words each, lowest first. */
  readonly masks: readonly (readonly [number, number, number, number])[];
  /** `[bit, width, allowed values]` lists. */
  readonly requirements: readonly (readonly (readonly [number, number, readonly number[]])[])[];
  readonly images: readonly ImageProperties[];
  readonly fields: readonly (readonly [string, readonly FieldSlice[]])[];
  /** Indices into `fields`. */
  readonly layouts: readonly (readonly number[])[];
  readonly operands: readonly OperandDescription[];
  /** Indices into `operands`. */
  readonly operandSets: readonly (readonly number[])[];
  /** Registers read and written beyond the operands. */
  readonly implicit: readonly (readonly [readonly string[], readonly string[]])[];
  readonly flagSets: readonly (readonly string[])[];
  readonly vopd?: Readonly<Record<string, VopdDescription>>;
  readonly groups: readonly PrefixGroup[];
}

/** Entries that fix the same of bits 23…31 of the first word to the same values: mask, value, how many, and their column. */
type PrefixGroup = readonly [mask: number, value: number, count: number, entries: string];

/** A number's name: `[number, name]`, or `[number, name, processors]` where only some processors have it. */
export type NamedNumber = readonly [number, string] | readonly [number, string, readonly string[]];

/** How a pair format is told from others, and `[bit, width]` of its two opcodes. */
export interface PairFormat {
  readonly mask: number;
  readonly value: number;
  readonly opX: readonly [number, number];
  readonly opY: readonly [number, number];
}

/** What decoder and disassembler know of a generation beside its entries. */
export interface TableFacts {
  /** How many SGPRs an operand can name. */
  readonly sgprs: number;
  /** Operand number 254 is followed by a literal of 64 bits. */
  readonly hasLiteral64: boolean;
  /** Tuples of vector registers begin at even ones. */
  readonly hasEvenTuples: boolean;
  /** Registers outside the files by operand number. */
  readonly specials: Readonly<Record<string, string>>;
  /** VOPD, VOPD3; empty where there are none. */
  readonly pairs: Readonly<Record<string, PairFormat>>;
  /** Fields of s_waitcnt: `[first bit, last bit, counter bit]` lists. */
  readonly waitCounters: Readonly<Record<string, readonly FieldSlice[]>>;
  readonly hwRegisters: readonly NamedNumber[];
  readonly messages: readonly NamedNumber[];
  /** Unified buffer formats of MTBUF by number; empty on gfx9. */
  readonly bufferFormats: readonly string[];
}
