import type { DecodeContext } from '../decode/decode-context.js';
import { hasEntry } from '../decode/lookup.js';
import type { InstructionTable } from '../table/instruction-table.js';
import { TRUE16 } from '../table/instruction-table.js';

/** Encodings that a suffix of the mnemonic can ask for, in the order in which they are tried without one. */
const ENCODINGS = ['', 'e32', 'e64', 'sdwa', 'dpp', 'e64_dpp'] as const;
type EncodingName = (typeof ENCODINGS)[number];
const SUFFIX = /_(e64_dpp|e32|e64|dpp|sdwa)$/;

/** Finds the entries of a mnemonic, with or without the suffix of its encoding. */
export class EntryNames {
  readonly #table: InstructionTable;
  readonly #byName = new Map<string, number[]>();

  constructor({ table, processor, waveSize }: DecodeContext) {
    this.#table = table;
    // LLVM 22 takes halves of registers beside whole ones on gfx11, and only whole ones later.
    const isUnwanted = (entry: number): boolean => table.true16[entry] === TRUE16.real && table.family !== 'gfx11';
    for (let entry = 0; entry < table.entryCount; entry++) {
      if (isUnwanted(entry) || !hasEntry(table, entry, processor, waveSize)) continue;
      const name = table.names[entry] ?? '';
      const entries = this.#byName.get(name);
      if (entries) entries.push(entry);
      else this.#byName.set(name, [entry]);
    }
    for (const [name, entries] of this.#byName) this.#byName.set(name, this.#sort(entries));
  }

  has(mnemonic: string): boolean {
    return this.find(mnemonic).length > 0;
  }

  /** In the order in which they are tried. */
  find(mnemonic: string): readonly number[] {
    const plain = this.#byName.get(mnemonic);
    if (plain) return plain;
    const suffix = SUFFIX.exec(mnemonic)?.[1];
    if (suffix === undefined) return [];
    const entries = this.#byName.get(mnemonic.slice(0, -suffix.length - 1)) ?? [];
    return entries.filter((entry) => encodingOf(this.#table, entry) === suffix);
  }

  #sort(entries: readonly number[]): number[] {
    const rank = (entry: number): number => ENCODINGS.indexOf(encodingOf(this.#table, entry));
    const isFake = (entry: number): number => (this.#table.true16[entry] === TRUE16.fake ? 1 : 0);
    const size = (entry: number): number => this.#table.sizes[entry] ?? 0;
    return entries.toSorted((a, b) => rank(a) - rank(b) || isFake(a) - isFake(b) || size(a) - size(b) || a - b);
  }
}

function encodingOf(table: InstructionTable, entry: number): EncodingName {
  const format = table.format(entry);
  const extension = table.extension(entry);
  if (extension === 'SDWA') return 'sdwa';
  if (extension === 'DPP16' || extension === 'DPP8') return format.startsWith('VOP3') ? 'e64_dpp' : 'dpp';
  if (/^VOP[12C]$/.test(format)) return 'e32';
  return format.startsWith('VOP3') ? 'e64' : '';
}
