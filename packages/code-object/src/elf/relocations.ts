import { badCodeObject, type ByteReader } from '../internal/byte-reader.js';
import { RELA_BYTES, SHT_DYNSYM, SHT_REL, SHT_RELA, SHT_SYMTAB } from './elf-constants.js';
import type { ElfRelocation, ElfSymbol, SectionHeader } from './elf-types.js';
import type { FileRange } from './symbols.js';

/** Dynamic relocations: those of SHT_RELA sections without a target section. The others are the linker's and stay unread. */
export function readRelocations(
  reader: ByteReader,
  sections: readonly SectionHeader[],
  symtab: readonly ElfSymbol[],
  dynsym: readonly ElfSymbol[],
): ElfRelocation[] {
  const relocations: ElfRelocation[] = [];
  for (const section of sections) {
    if (section.info !== 0 || section.sizeBytes === 0n) continue;
    if (section.type === SHT_REL)
      throw badCodeObject(`${section.name} holds relocations without addends (SHT_REL); AMDGPU uses SHT_RELA`);
    if (section.type !== SHT_RELA) continue;
    const linked = sections[section.link]?.type;
    const symbols = linked === SHT_SYMTAB ? symtab : linked === SHT_DYNSYM ? dynsym : [];
    // Sections that share their bytes would multiply a small file into a large list.
    if (relocations.length * RELA_BYTES > reader.length) throw badCodeObject('the relocation sections overlap');
    for (const relocation of readRelocationTable(
      reader,
      reader.range(section.fileOffset, section.sizeBytes, section.name),
      symbols,
    )) {
      relocations.push(relocation);
    }
  }
  return relocations;
}

/** Elf64_Rela entries. */
export function readRelocationTable(reader: ByteReader, table: FileRange, symbols: readonly ElfSymbol[]): ElfRelocation[] {
  if (table.sizeBytes % RELA_BYTES !== 0) {
    throw badCodeObject(`a relocation table has ${table.sizeBytes} bytes, which is no multiple of the ${RELA_BYTES} of an entry`);
  }
  const relocations: ElfRelocation[] = [];
  for (let at = table.start; at < table.start + table.sizeBytes; at += RELA_BYTES) {
    const type = reader.u32(at + 8, 'relocation');
    const symbolIndex = reader.u32(at + 12, 'relocation');
    const symbol = symbolIndex === 0 ? undefined : symbols[symbolIndex];
    if (symbolIndex !== 0 && !symbol) {
      throw badCodeObject(`relocation ${relocations.length} names symbol ${symbolIndex}; the table has ${symbols.length}`);
    }
    relocations.push({
      vaddr: reader.u64(at, 'relocation'),
      type,
      symbolIndex,
      ...(symbol ? { symbol } : {}),
      addend: reader.i64(at + 16, 'relocation'),
    });
  }
  return relocations;
}
