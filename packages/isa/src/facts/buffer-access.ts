/** What the encodings of MUBUF and MTBUF say beyond their operands: address modes, and data formats by number. */
import type { Instruction } from '../instruction.js';
import type { InstructionTable } from '../table/instruction-table.js';
import { instructionTable } from '../table/processors.js';

/** How a buffer operation addresses and what else it does. */
export interface BufferAccess {
  /** A VGPR holds an index, an offset; both: the index comes first. */
  readonly idxen: boolean;
  readonly offen: boolean;
  /** One more result register says whether the access failed. */
  readonly tfe: boolean;
  /** The data goes to LDS, or comes from there. */
  readonly lds: boolean;
}

interface FlagPlace {
  readonly word: number;
  readonly bit: number;
}

type FlagPlaces = Readonly<Partial<Record<keyof BufferAccess, FlagPlace>>>;

/** Flags that the entries fix, by family (AMD ISA documents, "MUBUF"; RDNA4, "VBUFFER"). */
const GFX10_FLAGS: FlagPlaces = {
  idxen: { word: 0, bit: 13 },
  offen: { word: 0, bit: 12 },
  tfe: { word: 1, bit: 23 },
  lds: { word: 0, bit: 16 },
};
const CDNA_FLAGS: FlagPlaces = { idxen: { word: 0, bit: 13 }, offen: { word: 0, bit: 12 }, lds: { word: 0, bit: 16 } };
const GFX11_FLAGS: FlagPlaces = {
  idxen: { word: 1, bit: 23 },
  offen: { word: 1, bit: 22 },
  tfe: { word: 1, bit: 21 },
};
const GFX12_FLAGS: FlagPlaces = {
  idxen: { word: 1, bit: 31 },
  offen: { word: 1, bit: 30 },
  tfe: { word: 0, bit: 22 },
};

function flagPlaces({ family, generation }: InstructionTable): FlagPlaces {
  if (family === 'gfx9') return generation === 'gfx9' ? GFX10_FLAGS : CDNA_FLAGS;
  if (family === 'gfx10') return GFX10_FLAGS;
  return family === 'gfx11' ? GFX11_FLAGS : GFX12_FLAGS;
}

/** Whether a buffer operation's flag is set, by the table of its processor. */
export function bufferFlag({ words }: Instruction, name: keyof BufferAccess, table: InstructionTable): boolean {
  const place = flagPlaces(table)[name];
  return place !== undefined && (((words[place.word] ?? 0) >>> place.bit) & 1) === 1;
}

/**
 * The address mode of a MUBUF or MTBUF instruction.
 *
 * @throws {HsaError} ERR_INVALID_ARGUMENT, ERR_NOT_SUPPORTED as {@link createDecoder} does for the processor.
 */
export function bufferAccessOf(instruction: Instruction, processor: string): BufferAccess {
  const table = instructionTable(processor);
  const flag = (name: keyof BufferAccess): boolean => bufferFlag(instruction, name, table);
  return { idxen: flag('idxen'), offen: flag('offen'), tfe: flag('tfe'), lds: flag('lds') };
}

/** Data formats of gfx9 by number: bits 0…3 of the field. */
export const DATA_FORMATS: readonly string[] = [
  'INVALID',
  '8',
  '16',
  '8_8',
  '32',
  '16_16',
  '10_11_11',
  '11_11_10',
  '10_10_10_2',
  '2_10_10_10',
  '8_8_8_8',
  '32_32',
  '16_16_16_16',
  '32_32_32',
  '32_32_32_32',
  'RESERVED_15',
];
/** Number formats of gfx9 by number: bits 4…6 of the field. */
export const NUMBER_FORMATS: readonly string[] = ['UNORM', 'SNORM', 'USCALED', 'SSCALED', 'UINT', 'SINT', 'RESERVED_6', 'FLOAT'];
export const NUMBER_FORMAT_SHIFT = 4;

/**
 * Names of the data formats by the number that MTBUF instructions and buffer resources have: `8_8_UNORM`, components from the highest
 * bits down. On gfx9 the number is data format | number format << 4.
 */
export function bufferFormatNames(processor: string): readonly string[] {
  const table = instructionTable(processor);
  if (table.family !== 'gfx9') return table.facts.bufferFormats.map((name) => name.replace('BUF_FMT_', ''));
  return NUMBER_FORMATS.flatMap((number) => DATA_FORMATS.map((data) => `${data}_${number}`));
}
