/** Encodings of the table's entries, for tests that go through all instructions of a target. */
import { hasEntry } from '../../../../isa/src/decode/lookup.js';
import type { InstructionTable } from '../../../../isa/src/table/instruction-table.js';
import { TRUE16 } from '../../../../isa/src/table/instruction-table.js';
import { instructionTable } from '../../../../isa/src/table/processors.js';

export interface Target {
  readonly processor: string;
  readonly waveSize: 32 | 64;
}

/** What the tests of all instructions go through. */
export const TARGETS: readonly Target[] = [
  { processor: 'gfx90a', waveSize: 64 },
  { processor: 'gfx942', waveSize: 64 },
  { processor: 'gfx1030', waveSize: 32 },
  { processor: 'gfx1100', waveSize: 32 },
  { processor: 'gfx1100', waveSize: 64 },
  { processor: 'gfx1150', waveSize: 64 },
  { processor: 'gfx1201', waveSize: 32 },
  { processor: 'gfx1250', waveSize: 32 },
];

/** All rows of the sweeps: each target in both wave sizes that it has. */
export const ALL_TARGETS: readonly Target[] = [
  ...TARGETS,
  { processor: 'gfx1030', waveSize: 64 },
  { processor: 'gfx1201', waveSize: 64 },
];

/** Formats of compute: all but exports, images, interpolation and ray tracing. */
const COMPUTE = /^(?:SOP.|SMEM|VOP.*|DS|FLAT|GLOBAL|SCRATCH|MUBUF|MTBUF)\/|\/TENSOR$/;

/** The target's entries of the compute formats; dual instructions have none. */
export function computeEntries({ processor, waveSize }: Target): readonly number[] {
  const table = instructionTable(processor);
  const unwanted = table.family === 'gfx11' ? TRUE16.fake : TRUE16.real;
  return Array.from({ length: table.entryCount }, (_, entry) => entry).filter(
    (entry) =>
      COMPUTE.test(`${table.format(entry)}/${table.extension(entry)}`) &&
      table.true16(entry) !== unwanted &&
      hasEntry(table, entry, processor, waveSize),
  );
}

/** Random bits beside the fixed ones; `plain`: vector registers as the sources of long vector instructions. */
export function encodeRandom(table: InstructionTable, entry: number, random: () => number, plain: boolean): Uint8Array {
  const bytes = new Uint8Array(20);
  const view = new DataView(bytes.buffer);
  for (let word = 0; word < 4; word++) {
    const [mask, value] = [table.mask(entry, word), table.value(entry, word)];
    const sources = (0x100 | (random() & 127)) * 0x40201;
    const free = plain && word === 1 && table.format(entry).startsWith('VOP') ? sources : random();
    view.setUint32(word * 4, ((free & ~mask) | value) >>> 0, true);
  }
  return bytes;
}
