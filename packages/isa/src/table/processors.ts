import { findProcessor, HsaError, PROCESSORS } from '@doorbell/abi/core';
import { GFX9 } from '../generated/gfx9.js';
import { GFX90A } from '../generated/gfx90a.js';
import { GFX940 } from '../generated/gfx940.js';
import { GFX950 } from '../generated/gfx950.js';
import { GFX10 } from '../generated/gfx10.js';
import { GFX11 } from '../generated/gfx11.js';
import { GFX12 } from '../generated/gfx12.js';
import { GFX1250 } from '../generated/gfx1250.js';
import { InstructionTable } from './instruction-table.js';
import { expand } from './expand.js';
import type { CompressedTable, PackedTable } from './packed-table.js';

/** A processor that the ELF flags of a code object can name, and the table that describes its instructions. */
export interface Processor {
  /** `gfx1100`, `gfx11-generic`, … */
  readonly name: string;
  /** Generation of the table, `gfx11`; undefined: there is no table for it. */
  readonly table: string | undefined;
}

const TABLES: readonly CompressedTable[] = [GFX9, GFX90A, GFX940, GFX950, GFX10, GFX11, GFX12, GFX1250];

const tableByProcessor = new Map<string, CompressedTable>();
for (const table of TABLES) {
  for (const name of table.processors.split(' ')) tableByProcessor.set(name, table);
}

const unpacked = new Map<CompressedTable, InstructionTable>();

/** Every known processor, with or without a table. */
export function listProcessors(): readonly Processor[] {
  return PROCESSORS.map(({ name }) => ({ name, table: tableByProcessor.get(name)?.generation }));
}

/** Whether instructions of this processor can be decoded. */
export function hasTable(processor: string): boolean {
  return tableByProcessor.has(processor);
}

/**
 * The instruction table of a processor, unpacked on first use and shared after that.
 *
 * @throws {HsaError} ERR_INVALID_ARGUMENT the name is not a processor; ERR_NOT_SUPPORTED it has no table.
 */
export function instructionTable(processor: string): InstructionTable {
  const compressed = tableByProcessor.get(processor);
  if (!compressed) {
    const isKnown = findProcessor(processor) !== undefined;
    throw new HsaError(isKnown ? 'ERR_NOT_SUPPORTED' : 'ERR_INVALID_ARGUMENT', {
      message: isKnown ? `no instruction table for ${processor}` : `'${processor}' is not an AMDGPU processor`,
      hint: hintFor(processor),
      details: { processor },
    });
  }
  let table = unpacked.get(compressed);
  if (!table) {
    const { generation, processors, length } = compressed;
    // Safe: the generator writes the text of this shape.
    const packed = JSON.parse(expand(compressed.text(), length)) as Omit<PackedTable, 'generation' | 'processors'>;
    table = new InstructionTable({ generation, processors, ...packed });
    unpacked.set(compressed, table);
  }
  return table;
}

/** A target id or ISA name has the processor's name in it. */
function hintFor(processor: string): string {
  const name = /gfx[\da-f]+(?:-\w+)*/.exec(processor.toLowerCase())?.[0];
  if (name !== undefined && name !== processor && tableByProcessor.has(name)) {
    return `Give the processor alone: '${name}'. Features such as xnack change no instruction.`;
  }
  return `Processors with a table: ${[...tableByProcessor.keys()].join(', ')}.`;
}
