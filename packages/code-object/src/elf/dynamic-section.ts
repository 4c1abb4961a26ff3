import { badCodeObject, type ByteReader, hex } from '../internal/byte-reader.js';
import {
  DT_HASH,
  DT_NULL,
  DT_REL,
  DT_RELA,
  DT_RELASZ,
  DT_RELR,
  DT_STRSZ,
  DT_STRTAB,
  DT_SYMTAB,
  DYNAMIC_BYTES,
  PT_DYNAMIC,
  SYMBOL_BYTES,
} from './elf-constants.js';
import type { ElfSymbol, ProgramHeader } from './elf-types.js';
import { type FileRange, type NameTable, readSymbols } from './symbols.js';
import { fileRangeOf } from './virtual-addresses.js';

/** The tables that PT_DYNAMIC names: all there is when the section headers were stripped. */
export interface DynamicTables {
  readonly rela?: FileRange;
  readonly symbols?: FileRange;
  readonly strings?: FileRange;
  readonly hasRelr: boolean;
}

/** Follows PT_DYNAMIC (gABI, "Dynamic Section"); the symbol count comes from DT_HASH. */
export function dynamicTables(reader: ByteReader, programHeaders: readonly ProgramHeader[]): DynamicTables {
  const dynamic = programHeaders.find((header) => header.type === PT_DYNAMIC);
  if (!dynamic) return { hasRelr: false };
  const table = reader.range(dynamic.fileOffset, dynamic.fileBytes, 'dynamic section');
  const tags = new Map<bigint, bigint>();
  for (let at = table.start; at + DYNAMIC_BYTES <= table.start + table.sizeBytes; at += DYNAMIC_BYTES) {
    const tag = reader.u64(at, 'dynamic section');
    if (tag === DT_NULL) break;
    tags.set(tag, reader.u64(at + 8, 'dynamic section'));
  }
  if (tags.has(DT_REL)) throw badCodeObject('the file has relocations without addends (DT_REL); AMDGPU uses DT_RELA');
  const at = (addressTag: bigint, sizeBytes: bigint | undefined, what: string): FileRange | undefined => {
    const vaddr = tags.get(addressTag);
    return vaddr === undefined || sizeBytes === undefined
      ? undefined
      : fileRangeOf(reader, programHeaders, vaddr, sizeBytes, what);
  };
  const rela = at(DT_RELA, tags.get(DT_RELASZ), 'DT_RELA table');
  const strings = at(DT_STRTAB, tags.get(DT_STRSZ), 'DT_STRTAB table');
  const hash = at(DT_HASH, 8n, 'DT_HASH table');
  const symbols =
    hash && at(DT_SYMTAB, BigInt(reader.u32(hash.start + 4, 'DT_HASH table')) * BigInt(SYMBOL_BYTES), 'DT_SYMTAB table');
  return {
    ...(rela ? { rela } : {}),
    ...(symbols ? { symbols } : {}),
    ...(strings ? { strings } : {}),
    hasRelr: tags.has(DT_RELR),
  };
}

/** The dynamic symbols as PT_DYNAMIC gives them. */
export function dynamicSymbols(reader: ByteReader, names: NameTable, tables: DynamicTables): ElfSymbol[] {
  if (!tables.symbols) return [];
  if (!tables.strings) throw badCodeObject(`the dynamic symbols at offset ${hex(tables.symbols.start)} have no string table`);
  return readSymbols(reader, names, tables.symbols, tables.strings, 'dynamic symbol table');
}
