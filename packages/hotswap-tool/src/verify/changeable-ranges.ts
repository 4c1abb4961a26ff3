import type { CodeObject } from '@doorbell/code-object';
import {
  E_FLAGS,
  E_PHOFF,
  E_SHOFF,
  EI_ABIVERSION,
  isMetadataNote,
  PROGRAM_HEADER_BYTES,
  PT_NOTE,
  SECTION_HEADER_BYTES,
  SHT_NOTE,
} from '@doorbell/code-object';
import type { DeclaredRange } from '../retarget/types.js';

/** p_offset to p_memsz, and sh_flags to sh_size. */
const PLACE_OFFSET = 8;
const PROGRAM_PLACE_BYTES = 40;
const SECTION_PLACE_BYTES = 32;
/** The fields of a note before its description: sizes and type, and the owner's name of 8 bytes at most. */
const NOTE_SIZE_FIELDS = 24;

/** Byte ranges that a retarget may change, and everything behind the original file. */
export function changeableRanges({ elf, bytes }: CodeObject): readonly DeclaredRange[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const programAt = Number(view.getBigUint64(E_PHOFF, true));
  const sectionAt = Number(view.getBigUint64(E_SHOFF, true));
  const ranges: DeclaredRange[] = [
    { offset: EI_ABIVERSION, length: 1, what: 'EI_ABIVERSION' },
    { offset: E_FLAGS, length: 4, what: 'e_flags' },
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
  for (const { description } of elf.notes.filter(isMetadataNote)) {
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
