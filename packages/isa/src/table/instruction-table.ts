import { InternalError } from '@doorbell/abi';
import type { Extension, Format } from '../instruction.js';
import type { FieldSlice, ImageProperties, OperandDescription, PackedTable, TableFacts, TableParts } from './packed-table.js';
import { unpackColumn, unpackWords } from './vlq.js';

/** Whether an entry describes 16-bit operands as halves of registers (`real`), as whole registers (`fake`), or has none. */
export const TRUE16 = { none: 0, real: 1, fake: 2 } as const;

/** Suffixes of a mnemonic that name the encoding, longest first. */
const ENCODING_SUFFIX = /_(?:e64_dpp|e32|e64|dpp|sdwa)$/;

/** Fields of an encoding by operand name. */
export type Layout = ReadonlyMap<string, readonly FieldSlice[]>;

/** One generation's instruction table; what decoding does not need is unpacked on first use. Columns have one element per entry. */
export class InstructionTable {
  readonly generation: string;
  readonly family: string;
  readonly processors: readonly string[];
  readonly entryCount: number;
  readonly facts: TableFacts;
  readonly parts: TableParts;

  readonly sizes: Uint8Array;
  /** Four words per entry, lowest first; compared as signed numbers. */
  readonly masks: Int32Array;
  readonly values: Int32Array;
  readonly waveSizes: Uint8Array;
  readonly true16: Uint8Array;
  /** Index into {@link TableParts.tables}. */
  readonly priorities: Uint8Array;
  /** How many bits an entry's mask fixes. */
  readonly fixedBits: Uint8Array;

  readonly #packed: PackedTable;
  #words: readonly string[] | undefined = undefined;
  #wordIndex: readonly number[] | undefined = undefined;
  readonly #nameWords: (string | undefined)[] = [];
  #mnemonics: readonly string[] | undefined = undefined;
  #names: readonly string[] | undefined = undefined;
  #opcodes: Uint16Array | undefined = undefined;
  #addressDwords: Uint8Array | undefined = undefined;
  readonly #format: Uint16Array;
  readonly #layout: Uint16Array;
  readonly #operandSet: Uint16Array;
  readonly #implicit: Uint16Array;
  readonly #flags: Uint16Array;
  readonly #cpuSet: Uint16Array;
  readonly #requirement: Uint16Array;
  readonly #image: Uint16Array;
  readonly #layouts: (Layout | undefined)[] = [];
  readonly #operandSets: (readonly OperandDescription[] | undefined)[] = [];
  readonly #flagSets: readonly ReadonlySet<string>[];
  readonly #formats: readonly (readonly [Format, Extension])[];

  constructor(packed: PackedTable) {
    const count = packed.entryCount;
    const column = (text: string): number[] => unpackColumn(text, count);
    // Safe: the generator writes both from the described shapes.
    const parts = JSON.parse(packed.parts) as TableParts;
    this.facts = JSON.parse(packed.facts) as TableFacts;
    this.parts = parts;
    this.generation = packed.generation;
    this.family = packed.family;
    this.processors = packed.processors.split(' ');
    this.entryCount = count;

    this.#packed = packed;
    this.sizes = new Uint8Array(column(packed.size));
    this.waveSizes = new Uint8Array(column(packed.waveSize));
    this.true16 = new Uint8Array(column(packed.true16));
    this.priorities = new Uint8Array(column(packed.priority));

    this.masks = new Int32Array(count * 4);
    this.fixedBits = new Uint8Array(count);
    const bits = parts.masks.map((mask) => mask.reduce((sum, word) => sum + bitCount(word), 0));
    const masks = column(packed.mask);
    for (let entry = 0; entry < count; entry++) {
      const index = masks[entry] ?? 0;
      this.masks.set(pick(parts.masks, index), entry * 4);
      this.fixedBits[entry] = bits[index] ?? 0;
    }
    this.values = new Int32Array(count * 4);
    for (const [word, text] of [packed.value0, packed.value1, packed.value2, packed.value3].entries()) {
      const values = column(text);
      for (let entry = 0; entry < count; entry++) this.values[entry * 4 + word] = values[entry] ?? 0;
    }

    this.#format = new Uint16Array(column(packed.format));
    this.#layout = new Uint16Array(column(packed.layout));
    this.#operandSet = new Uint16Array(column(packed.operandSet));
    this.#implicit = new Uint16Array(column(packed.implicit));
    this.#flags = new Uint16Array(column(packed.flags));
    this.#cpuSet = new Uint16Array(column(packed.cpuSet));
    this.#requirement = new Uint16Array(column(packed.requirement));
    this.#image = new Uint16Array(column(packed.image));
    this.#flagSets = parts.flagSets.map((flags) => new Set(flags));
    this.#formats = parts.formats.map((text) => {
      const [format, extension = ''] = text.split('/');
      // Safe: the tables use exactly the names of these two types (the generator's test compares them).
      return [format as Format, extension as Extension];
    });
  }

  get mnemonics(): readonly string[] {
    this.#mnemonics ??= this.#spread(this.#mnemonicWords());
    return this.#mnemonics;
  }

  /** Mnemonics without the suffix that names the encoding. */
  get names(): readonly string[] {
    this.#names ??= this.#spread(this.#mnemonicWords().map((word) => word.replace(ENCODING_SUFFIX, '')));
    return this.#names;
  }

  /** {@link InstructionTable.mnemonics} of one entry, without the work for the others. */
  mnemonic(entry: number): string {
    return pick(this.#mnemonicWords(), this.#mnemonicIndex()[entry]);
  }

  /** {@link InstructionTable.names} of one entry. */
  name(entry: number): string {
    const index = this.#mnemonicIndex()[entry] ?? -1;
    return (this.#nameWords[index] ??= pick(this.#mnemonicWords(), index).replace(ENCODING_SUFFIX, ''));
  }

  get opcodes(): Uint16Array {
    this.#opcodes ??= new Uint16Array(unpackColumn(this.#packed.opcode, this.entryCount));
    return this.#opcodes;
  }

  /** Extra address dwords of an image instruction. */
  get addressDwords(): Uint8Array {
    this.#addressDwords ??= new Uint8Array(unpackColumn(this.#packed.addressDwords, this.entryCount));
    return this.#addressDwords;
  }

  format(entry: number): Format {
    return pick(this.#formats, this.#format[entry])[0];
  }

  extension(entry: number): Extension {
    return pick(this.#formats, this.#format[entry])[1];
  }

  layout(entry: number): Layout {
    const index = pick(this.#layout, entry);
    return (this.#layouts[index] ??= new Map(pick(this.parts.layouts, index).map((field) => pick(this.parts.fields, field))));
  }

  operandSet(entry: number): readonly OperandDescription[] {
    const index = pick(this.#operandSet, entry);
    return (this.#operandSets[index] ??= pick(this.parts.operandSets, index).map((operand) =>
      pick(this.parts.operands, operand),
    ));
  }

  implicitReads(entry: number): readonly string[] {
    return pick(this.parts.implicit, this.#implicit[entry])[0];
  }

  implicitWrites(entry: number): readonly string[] {
    return pick(this.parts.implicit, this.#implicit[entry])[1];
  }

  flags(entry: number): ReadonlySet<string> {
    return pick(this.#flagSets, this.#flags[entry]);
  }

  /** Processors that have the entry; undefined for all of the table. */
  cpuSet(entry: number): readonly string[] | undefined {
    return this.parts.cpuSets[(this.#cpuSet[entry] ?? 0) - 1];
  }

  /** Fields with only some allowed values; undefined for none. */
  requirement(entry: number): TableParts['requirements'][number] | undefined {
    return this.parts.requirements[(this.#requirement[entry] ?? 0) - 1];
  }

  image(entry: number): ImageProperties | undefined {
    return this.parts.images[(this.#image[entry] ?? 0) - 1];
  }

  /** Key under which entries with the same fields and operands share what is derived from them. */
  shapeKey(entry: number): number {
    return pick(this.#layout, entry) * 0x10000 + pick(this.#operandSet, entry);
  }

  #mnemonicWords(): readonly string[] {
    this.#words ??= unpackWords(this.#packed.mnemonics);
    return this.#words;
  }

  /** Words of the mnemonics as a column. */
  #spread(words: readonly string[]): readonly string[] {
    return this.#mnemonicIndex().map((index) => pick(words, index));
  }

  #mnemonicIndex(): readonly number[] {
    this.#wordIndex ??= unpackColumn(this.#packed.mnemonic, this.entryCount);
    return this.#wordIndex;
  }
}

function bitCount(word: number): number {
  let count = 0;
  for (let rest = word >>> 0; rest !== 0; rest = (rest & (rest - 1)) >>> 0) count++;
  return count;
}

function pick<T>(list: ArrayLike<T>, index: number | undefined): T {
  const value = index === undefined ? undefined : list[index];
  if (value === undefined) throw new InternalError(`instruction table: no element ${index} of ${list.length}`);
  return value;
}
