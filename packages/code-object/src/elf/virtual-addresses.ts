import { badCodeObject, type ByteReader, hex } from '../internal/byte-reader.js';
import { PT_LOAD } from './elf-constants.js';
import type { ProgramHeader } from './elf-types.js';
import type { FileRange } from './symbols.js';

/** Where `sizeBytes` bytes at virtual address `vaddr` lie in the file; throws when no segment has them there. */
export function fileRangeOf(
  reader: ByteReader,
  programHeaders: readonly ProgramHeader[],
  vaddr: bigint,
  sizeBytes: bigint,
  what: string,
): FileRange {
  for (const header of programHeaders) {
    if (header.type !== PT_LOAD || vaddr < header.vaddr || vaddr + sizeBytes > header.vaddr + header.fileBytes) continue;
    return reader.range(vaddr - header.vaddr + header.fileOffset, sizeBytes, what);
  }
  throw badCodeObject(`${what} at address ${hex(vaddr)} (${sizeBytes} bytes) lies in no loaded segment of the file`);
}
