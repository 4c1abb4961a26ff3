import { HsaError } from '@doorbell/abi';
import { GFX11 } from '../generated/gfx11.js';
import { InstructionTable } from './instruction-table.js';
import type { PackedTable } from './packed-table.js';

/** A processor that the ELF flags of a code object can name, and the table that describes its instructions. */
export interface Processor {
  /** `gfx1100`, `gfx11-generic`, … */
  readonly name: string;
  /** Generation of the table, `gfx11`; undefined: there is no table for it. */
  readonly table: string | undefined;
}

/** Processor names of the EF_AMDGPU_MACH values (LLVM AMDGPUUsage, "ELF header e_flags"). */
const NAMES = [
  ...'600 601 602 700 701 702 703 704 705 801 802 803 805 810 900 902 904 906 908 909 90c 90a 940 941 942 950'.split(' '),
  ...'1010 1011 1012 1013 1030 1031 1032 1033 1034 1035 1036 1100 1101 1102 1103 1150 1151 1152 1153'.split(' '),
  ...'1170 1171 1172 1200 1201 1250 1251 1310'.split(' '),
  ...'9-generic 9-4-generic 10-1-generic 10-3-generic 11-generic 11-7-generic 12-generic 12-5-generic 13-generic'.split(' '),
  '1250-strict',
].map((suffix) => `gfx${suffix}`);

const PACKED_TABLES: readonly PackedTable[] = [GFX11];

const packedByProcessor = new Map<string, PackedTable>();
for (const packed of PACKED_TABLES) {
  for (const name of packed.processors.split(' ')) packedByProcessor.set(name, packed);
}

const unpacked = new Map<PackedTable, InstructionTable>();

/** Every known processor, with or without a table. */
export function listProcessors(): readonly Processor[] {
  return NAMES.map((name) => ({ name, table: packedByProcessor.get(name)?.generation }));
}

/** Whether instructions of this processor can be decoded. */
export function hasTable(processor: string): boolean {
  return packedByProcessor.has(processor);
}

/**
 * The instruction table of a processor, unpacked on first use and shared after that.
 *
 * @throws {HsaError} ERR_INVALID_ARGUMENT the name is not a processor; ERR_NOT_SUPPORTED it has no table.
 */
export function instructionTable(processor: string): InstructionTable {
  const packed = packedByProcessor.get(processor);
  if (!packed) {
    const isKnown = NAMES.includes(processor);
    throw new HsaError(isKnown ? 'ERR_NOT_SUPPORTED' : 'ERR_INVALID_ARGUMENT', {
      message: isKnown ? `no instruction table for ${processor}` : `'${processor}' is not an AMDGPU processor`,
      hint: `Processors with a table: ${[...packedByProcessor.keys()].join(', ')}.`,
      details: { processor },
    });
  }
  let table = unpacked.get(packed);
  if (!table) {
    table = new InstructionTable(packed);
    unpacked.set(packed, table);
  }
  return table;
}
