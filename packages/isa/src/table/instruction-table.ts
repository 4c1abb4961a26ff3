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

/** One generation's instruction table, unpacked. Columns have one element per entry. */
export class InstructionTable {
  readonly generation: string;
  readonly family: string;
  readonly processors: readonly string[];
  readonly entryCount: number;
  readonly facts: TableFacts;
  readonly parts: TableParts;

  readonly mnemonics: readonly string[];
  /** Mnemonics without the suffix that names the encoding. */
  readonly names: readonly string[];
  readonly opcodes: Uint16Array;
  readonly sizes: Uint8Array;
  /** Four words per entry, lowest first; compared as signed numbers. */
  readonly masks: Int32Array;
  readonly values: Int32Array;
  readonly waveSizes: Uint8Array;
  readonly true16: Uint8Array;
  /** Index into {@link TableParts.tables}. */
  readonly priorities: Uint8Array;
  /** Extra address dwords of an image instruction. */
  readonly addressDwords: Uint8Array;

  readonly #format: Uint16Array;
  readonly #layout: Uint16Array;
  readonly #operandSet: Uint16Array;
  readonly #implicit: Uint16Array;
  readonly #flags: Uint16Array;
  readonly #cpuSet: Uint16Array;
  readonly #requirement: Uint16Array;
  readonly #image: Uint16Array;
  readonly #layouts: readonly Layout[];
  readonly #operandSets: readonly (readonly OperandDescription[])[];
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

    const words = unpackWords(packed.mnemonics);
    this.mnemonics = column(packed.mnemonic).map((index) => pick(words, index));
    this.names = this.mnemonics.map((mnemonic) => mnemonic.replace(ENCODING_SUFFIX, ''));
    this.opcodes = Uint16Array.from(column(packed.opcode));
    this.sizes = Uint8Array.from(column(packed.size));
    this.waveSizes = Uint8Array.from(column(packed.waveSize));
    this.true16 = Uint8Array.from(column(packed.true16));
    this.priorities = Uint8Array.from(column(packed.priority));
    this.addressDwords = Uint8Array.from(column(packed.addressDwords));

    this.masks = new Int32Array(count * 4);
    column(packed.mask).forEach((mask, entry) => {
      this.masks.set(pick(parts.masks, mask), entry * 4);
    });
    this.values = new Int32Array(count * 4);
    [packed.value0, packed.value1, packed.value2, packed.value3].forEach((text, word) => {
      column(text).forEach((value, entry) => {
        this.values[entry * 4 + word] = value;
      });
    });

    this.#format = Uint16Array.from(column(packed.format));
    this.#layout = Uint16Array.from(column(packed.layout));
    this.#operandSet = Uint16Array.from(column(packed.operandSet));
    this.#implicit = Uint16Array.from(column(packed.implicit));
    this.#flags = Uint16Array.from(column(packed.flags));
    this.#cpuSet = Uint16Array.from(column(packed.cpuSet));
    this.#requirement = Uint16Array.from(column(packed.requirement));
    this.#image = Uint16Array.from(column(packed.image));
    this.#layouts = parts.layouts.map((layout) => new Map(layout.map((field) => pick(parts.fields, field))));
    this.#operandSets = parts.operandSets.map((set) => set.map((operand) => pick(parts.operands, operand)));
    this.#flagSets = parts.flagSets.map((flags) => new Set(flags));
    this.#formats = parts.formats.map((text) => {
      const [format, extension = ''] = text.split('/');
      // Safe: the tables use exactly the names of these two types (the generator's test compares them).
      return [format as Format, extension as Extension];
    });
  }

  format(entry: number): Format {
    return pick(this.#formats, this.#format[entry])[0];
  }

  extension(entry: number): Extension {
    return pick(this.#formats, this.#format[entry])[1];
  }

  layout(entry: number): Layout {
    return pick(this.#layouts, this.#layout[entry]);
  }

  operandSet(entry: number): readonly OperandDescription[] {
    return pick(this.#operandSets, this.#operandSet[entry]);
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
}

function pick<T>(list: ArrayLike<T>, index: number | undefined): T {
  const value = index === undefined ? undefined : list[index];
  if (value === undefined) throw new InternalError(`instruction table: no element ${index} of ${list.length}`);
  return value;
}
