import type { CodeObject } from '@doorbell/code-object';
import type { DeclaredRange } from '../retarget/types.js';

/** Offsets in Elf64_Ehdr, sizes of Elf64_Phdr and Elf64_Shdr, PT_NOTE, SHT_NOTE (System V gABI). */
const ABI_VERSION = 8;
const PROGRAM_OFFSET = 32;
const SECTION_OFFSET = 40;
const FLAGS = 48;
const PROGRAM_HEADER_BYTES = 56;
const SECTION_HEADER_BYTES = 64;
const PT_NOTE = 4;
const SHT_NOTE = 7;
/** p_offset to p_memsz, and sh_flags to sh_size. */
const PLACE_OFFSET = 8;
const PROGRAM_PLACE_BYTES = 40;
const SECTION_PLACE_BYTES = 32;
/** NT_AMDGPU_METADATA, and the fields of a note before its description: sizes and type, and the owner's name of 8 bytes at most. */
const METADATA_NOTE = 32;
const NOTE_SIZE_FIELDS = 24;

/** Byte ranges that a retarget may change, and everything behind the original file. */
export function changeableRanges({ elf, bytes }: CodeObject): readonly DeclaredRange[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const programAt = Number(view.getBigUint64(PROGRAM_OFFSET, true));
  const sectionAt = Number(view.getBigUint64(SECTION_OFFSET, true));
  const ranges: DeclaredRange[] = [
    { offset: ABI_VERSION, length: 1, what: 'EI_ABIVERSION' },
    { offset: FLAGS, length: 4, what: 'e_flags' },
    { offset: bytes.length, length: Number.MAX_SAFE_INTEGER - bytes.length, what: 'added' },
  ];
  elf.programHeaders.forEach(({ type }, index) => {
    const offset = programAt + index * PROGRAM_HEADER_BYTES + PLACE_OFFSET;
    if (type === PT_NOTE) ranges.push({ offset, length: PROGRAM_PLACE_BYTES, what: 'PT_NOTE program header' });
  });
  elf.sections.forEach(({ type }, index) => {
    const offset = sectionAt + index * SECTION_HEADER_BYTES + PLACE_OFFSET;
    if (type === SHT_NOTE) ranges.push({ offset, length: SECTION_PLACE_BYTES, what: '.note section header' });
  });
  for (const { name, type, description } of elf.notes) {
    if (type !== METADATA_NOTE || name !== 'AMDGPU') continue;
    const offset = description.byteOffset - bytes.byteOffset;
    const padding = (4 - (description.length % 4)) % 4;
    ranges.push({
      offset: offset - NOTE_SIZE_FIELDS,
      length: NOTE_SIZE_FIELDS + description.length + padding,
      what: 'metadata note',
    });
  }
  return ranges;
}
