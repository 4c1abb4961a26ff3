import { badCodeObject, type ByteReader, hex } from '../internal/byte-reader.js';
import { SYMBOL_BYTES } from './elf-constants.js';
import type { ElfSymbol } from './elf-types.js';

/** A range of the file that was checked. */
export interface FileRange {
  readonly start: number;
  readonly sizeBytes: number;
}

/** Longest names together that one file may spell out: names overlap, so hostile tables could make far more text than bytes. */
const MAX_NAME_BYTES = 64 << 20;

/** NUL-terminated names of string tables, each decoded once. */
export class NameTable {
  readonly #reader: ByteReader;
  readonly #known = new Map<number, string>();
  #total = 0;

  constructor(reader: ByteReader) {
    this.#reader = reader;
  }

  read(table: FileRange, offset: number, what: string): string {
    if (offset === 0 && table.sizeBytes === 0) return '';
    if (offset >= table.sizeBytes) {
      throw badCodeObject(`${what}: offset ${hex(offset)} lies outside its string table of ${table.sizeBytes} bytes`);
    }
    const start = table.start + offset;
    const known = this.#known.get(start);
    if (known !== undefined) return known;
    const end = this.#reader.bytes.indexOf(0, start);
    if (end < 0 || end >= table.start + table.sizeBytes) throw badCodeObject(`${what}: no end within its string table`);
    this.#total += end - start;
    if (this.#total > MAX_NAME_BYTES) throw badCodeObject(`the names of the file exceed ${MAX_NAME_BYTES} bytes`);
    const name = this.#reader.text(start, end - start, what);
    this.#known.set(start, name);
    return name;
  }
}

/** Elf64_Sym entries. */
export function readSymbols(
  reader: ByteReader,
  names: NameTable,
  table: FileRange,
  strings: FileRange,
  what: string,
): ElfSymbol[] {
  if (table.sizeBytes % SYMBOL_BYTES !== 0) {
    throw badCodeObject(`${what} has ${table.sizeBytes} bytes, which is no multiple of the ${SYMBOL_BYTES} of a symbol`);
  }
  const symbols: ElfSymbol[] = [];
  for (let at = table.start; at < table.start + table.sizeBytes; at += SYMBOL_BYTES) {
    const info = reader.u8(at + 4, what);
    symbols.push({
      name: names.read(strings, reader.u32(at, what), `name of symbol ${symbols.length} of ${what}`),
      value: reader.u64(at + 8, what),
      sizeBytes: reader.u64(at + 16, what),
      type: info & 15,
      binding: info >> 4,
      visibility: reader.u8(at + 5, what) & 3,
      sectionIndex: reader.u16(at + 6, what),
    });
  }
  return symbols;
}
