import { InternalError } from '@doorbell/abi/core';
import type { Extension, Format } from '../instruction.js';
import type { FieldSlice, ImageProperties, OperandDescription, PackedTable, TableFacts, TableParts } from './packed-table.js';
import { unpackColumn, WordList } from './vlq.js';

/** Whether an entry describes 16-bit operands as halves of registers (`real`), as whole registers (`fake`), or has none. */
export const TRUE16 = { none: 0, real: 1, fake: 2 } as const;

/** Suffixes of a mnemonic that name the encoding, longest first. */
const ENCODING_SUFFIX = /_(?:e64_dpp|e32|e64|dpp|sdwa)$/;

/** Fields of an encoding by operand name. */
export type Layout = ReadonlyMap<string, readonly FieldSlice[]>;

/** The columns of a packed table. */
type ColumnName = Exclude<
  keyof PackedTable,
  'generation' | 'family' | 'processors' | 'entryCount' | 'mnemonics' | 'parts' | 'facts'
>;

/** One generation's instruction table. Columns have one element per entry, and are unpacked on first use. */
export class InstructionTable {
  readonly generation: string;
  readonly family: string;
  readonly processors: readonly string[];
  readonly entryCount: number;
  readonly facts: TableFacts;
  readonly parts: TableParts;

  readonly #packed: PackedTable;
  readonly #columns: { [K in ColumnName]?: Int32Array } = {};
  #words: WordList | undefined = undefined;
  #maskBits: readonly number[] | undefined = undefined;
  readonly #nameWords: (string | undefined)[] = [];
  readonly #layouts: (Layout | undefined)[] = [];
  readonly #operandSets: (readonly OperandDescription[] | undefined)[] = [];
  readonly #flagSets: (ReadonlySet<string> | undefined)[] = [];
  readonly #formats: readonly (readonly [Format, Extension])[];

  constructor(packed: PackedTable) {
    this.facts = packed.facts;
    this.parts = packed.parts;
    this.generation = packed.generation;
    this.family = packed.family;
    this.processors = packed.processors.split(' ');
    this.entryCount = packed.entryCount;
    this.#packed = packed;
    this.#formats = packed.parts.formats.map((text) => {
      const [format, extension = ''] = text.split('/');
      // Safe: the tables use exactly the names of these two types (the generator's test compares them).
      return [format as Format, extension as Extension];
    });
  }

  mnemonic(entry: number): string {
    return this.#wordList().at((this.#columns.mnemonic ?? this.#unpack('mnemonic'))[entry] ?? -1);
  }

  /** The mnemonic without the suffix that names the encoding. */
  name(entry: number): string {
    const index = (this.#columns.mnemonic ?? this.#unpack('mnemonic'))[entry] ?? -1;
    return (this.#nameWords[index] ??= this.#wordList().at(index).replace(ENCODING_SUFFIX, ''));
  }

  /** Entries that are printed so, in order. */
  entriesOf(mnemonic: string): readonly number[] {
    const index = this.#wordList().indexOf(mnemonic);
    const column = this.#columns.mnemonic ?? this.#unpack('mnemonic');
    const entries: number[] = [];
    if (index < 0) return entries;
    for (let entry = column.indexOf(index); entry >= 0; entry = column.indexOf(index, entry + 1)) entries.push(entry);
    return entries;
  }

  /** One of the four words of an entry's fixed bits, lowest first; signed. */
  mask(entry: number, word: number): number {
    return (pick(this.parts.masks, (this.#columns.mask ?? this.#unpack('mask'))[entry])[word] ?? 0) | 0;
  }

  /** One of the four words of their values; signed. */
  value(entry: number, word: number): number {
    const name = pick(VALUE_COLUMNS, word);
    return (this.#columns[name] ?? this.#unpack(name))[entry] ?? 0;
  }

  /** How many bits an entry's mask fixes. */
  fixedBits(entry: number): number {
    this.#maskBits ??= this.parts.masks.map((mask) => mask.reduce((sum, word) => sum + bitCount(word), 0));
    return pick(this.#maskBits, (this.#columns.mask ?? this.#unpack('mask'))[entry]);
  }

  /** Size in bytes without a literal that only operands name. */
  sizeBytes(entry: number): number {
    return (this.#columns.size ?? this.#unpack('size'))[entry] ?? 0;
  }

  /** Wave size of an entry that only waves of that size have; else 0. */
  waveSize(entry: number): number {
    return (this.#columns.waveSize ?? this.#unpack('waveSize'))[entry] ?? 0;
  }

  /** {@link TRUE16} */
  true16(entry: number): number {
    return (this.#columns.true16 ?? this.#unpack('true16'))[entry] ?? 0;
  }

  /** Index into {@link TableParts.tables}. */
  priority(entry: number): number {
    return (this.#columns.priority ?? this.#unpack('priority'))[entry] ?? 0;
  }

  opcode(entry: number): number {
    return (this.#columns.opcode ?? this.#unpack('opcode'))[entry] ?? 0;
  }

  /** Extra address dwords of an image instruction. */
  addressDwords(entry: number): number {
    return (this.#columns.addressDwords ?? this.#unpack('addressDwords'))[entry] ?? 0;
  }

  format(entry: number): Format {
    return pick(this.#formats, (this.#columns.format ?? this.#unpack('format'))[entry])[0];
  }

  extension(entry: number): Extension {
    return pick(this.#formats, (this.#columns.format ?? this.#unpack('format'))[entry])[1];
  }

  layout(entry: number): Layout {
    const index = pick(this.#columns.layout ?? this.#unpack('layout'), entry);
    return (this.#layouts[index] ??= new Map(pick(this.parts.layouts, index).map((field) => pick(this.parts.fields, field))));
  }

  operandSet(entry: number): readonly OperandDescription[] {
    const index = pick(this.#columns.operandSet ?? this.#unpack('operandSet'), entry);
    return (this.#operandSets[index] ??= pick(this.parts.operandSets, index).map((operand) =>
      pick(this.parts.operands, operand),
    ));
  }

  implicitReads(entry: number): readonly string[] {
    return pick(this.parts.implicit, (this.#columns.implicit ?? this.#unpack('implicit'))[entry])[0];
  }

  implicitWrites(entry: number): readonly string[] {
    return pick(this.parts.implicit, (this.#columns.implicit ?? this.#unpack('implicit'))[entry])[1];
  }

  flags(entry: number): ReadonlySet<string> {
    const index = (this.#columns.flags ?? this.#unpack('flags'))[entry] ?? 0;
    return (this.#flagSets[index] ??= new Set(pick(this.parts.flagSets, index)));
  }

  /** Processors that have the entry; undefined for all of the table. */
  cpuSet(entry: number): readonly string[] | undefined {
    return this.parts.cpuSets[((this.#columns.cpuSet ?? this.#unpack('cpuSet'))[entry] ?? 0) - 1];
  }

  /** Fields with only some allowed values; undefined for none. */
  requirement(entry: number): TableParts['requirements'][number] | undefined {
    return this.parts.requirements[((this.#columns.requirement ?? this.#unpack('requirement'))[entry] ?? 0) - 1];
  }

  image(entry: number): ImageProperties | undefined {
    return this.parts.images[((this.#columns.image ?? this.#unpack('image'))[entry] ?? 0) - 1];
  }

  /** Key under which entries with the same fields and operands share what is derived from them. */
  shapeKey(entry: number): number {
    return (
      pick(this.#columns.layout ?? this.#unpack('layout'), entry) * 0x10000 +
      pick(this.#columns.operandSet ?? this.#unpack('operandSet'), entry)
    );
  }

  #wordList(): WordList {
    return (this.#words ??= new WordList(this.#packed.mnemonics));
  }

  #unpack(name: ColumnName): Int32Array {
    const column = unpackColumn(this.#packed[name], this.entryCount);
    this.#columns[name] = column;
    return column;
  }
}

const VALUE_COLUMNS = ['value0', 'value1', 'value2', 'value3'] as const;

/** How many bits of a word are set. */
export function bitCount(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

function pick<T>(list: ArrayLike<T>, index: number | undefined): T {
  const value = index === undefined ? undefined : list[index];
  if (value === undefined) throw new InternalError(`instruction table: no element ${index} of ${list.length}`);
  return value;
}
