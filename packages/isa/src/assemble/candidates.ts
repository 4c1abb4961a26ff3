import type { DecodeContext } from '../decode/decode-context.js';
import { hasEntry } from '../decode/lookup.js';
import type { InstructionTable } from '../table/instruction-table.js';
import { TRUE16 } from '../table/instruction-table.js';
import { renamedMnemonics } from './renamed-mnemonics.js';

/** Encodings that a suffix of the mnemonic can ask for, in the order in which they are tried without one. */
const ENCODINGS = ['', 'e32', 'e64', 'sdwa', 'dpp', 'e64_dpp'] as const;
type EncodingName = (typeof ENCODINGS)[number];
const SUFFIX = /_(e64_dpp|e32|e64|dpp|sdwa)$/;

/** Finds the entries of a mnemonic, with or without the suffix of its encoding. */
export class EntryNames {
  readonly #table: InstructionTable;
  readonly #byName = new Map<string, number[]>();
  readonly #sorted = new Set<number[]>();
  readonly #renamed: ReadonlyMap<string, string>;

  constructor({ table, processor, waveSize }: DecodeContext) {
    this.#table = table;
    this.#renamed = renamedMnemonics(table.family);
    // LLVM 22 takes halves of registers beside whole ones on gfx11, and only whole ones later.
    const isUnwanted = (entry: number): boolean => table.true16(entry) === TRUE16.real && table.family !== 'gfx11';
    for (let entry = 0; entry < table.entryCount; entry++) {
      if (isUnwanted(entry) || !hasEntry(table, entry, processor, waveSize)) continue;
      const name = table.name(entry);
      const entries = this.#byName.get(name);
      if (entries) entries.push(entry);
      else this.#byName.set(name, [entry]);
    }
  }

  /** In the order in which they are tried. */
  find(mnemonic: string): readonly number[] {
    const plain = this.#entries(mnemonic);
    if (plain.length > 0) return plain;
    const suffix = SUFFIX.exec(mnemonic)?.[1];
    if (suffix === undefined) return [];
    const entries = this.#entries(mnemonic.slice(0, -suffix.length - 1));
    return entries.filter((entry) => encodingOf(this.#table, entry) === suffix);
  }

  /** Sorted when first asked for. */
  #entries(name: string): readonly number[] {
    const entries = this.#byName.get(name) ?? this.#byName.get(this.#renamed.get(name) ?? '');
    if (!entries) return [];
    if (!this.#sorted.has(entries)) {
      const rank = (entry: number): number => ENCODINGS.indexOf(encodingOf(this.#table, entry));
      const isFake = (entry: number): number => (this.#table.true16(entry) === TRUE16.fake ? 1 : 0);
      const size = (entry: number): number => this.#table.sizeBytes(entry);
      const isLate = (entry: number): number => (hasLateOffset(this.#table, entry) ? 1 : 0);
      entries.sort((a, b) => rank(a) - rank(b) || isFake(a) - isFake(b) || size(a) - size(b) || isLate(a) - isLate(b) || a - b);
      this.#sorted.add(entries);
    }
    return entries;
  }
}

function encodingOf(table: InstructionTable, entry: number): EncodingName {
  const format = table.format(entry);
  const extension = table.extension(entry);
  if (extension === 'SDWA') return 'sdwa';
  if (extension === 'DPP16' || extension === 'DPP8') return format.startsWith('VOP3') ? 'e64_dpp' : 'dpp';
  if (/^VOP[12C]$|^VINTRP$/.test(format)) return 'e32';
  return format.startsWith('VOP3') ? 'e64' : '';
}

/** Scalar memory on gfx9 has two encodings of a register offset alone; the one that takes the place of the immediate is meant. */
function hasLateOffset(table: InstructionTable, entry: number): boolean {
  const [first = 0] = table.layout(entry).get('soffset')?.[0] ?? [];
  return table.family === 'gfx9' && table.format(entry) === 'SMEM' && first > OFFSET_FIELD;
}

/** Where the immediate offset begins (AMD Vega ISA document, "SMEM"). */
const OFFSET_FIELD = 32;
